"""A path over cardinalities: all searched, or searched where the closed form leaves a gap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from relaxspca.candidates import candidate as best_candidate
from relaxspca.numerics.linalg import MANY
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.certificates import one_leaf
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.psi.kkt import least_bound, union_bounds
from relaxspca.results.path_table import Path, PathRow
from relaxspca.results.settle import NARROW
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed
from relaxspca.tasks.successive import solve_each


def searched_cardinalities(
    cov: Covariance,
    cardinalities: list[int],
    conditions: Conditions,
    *,
    tol: float,
    deadline: Deadline,
    starts: Mapping[int, Candidate] | None = None,
) -> Path:
    """Search every cardinality."""
    options: dict[str, Any] = {"deadline": deadline, "conditions": conditions, "starts": starts}
    found = solve_each(cov, cardinalities, gap=tol if tol > NARROW else 0.0, **options)
    rows = [
        PathRow.of(found[m].certificate, found[m].candidate, m, by="search", tol=tol)
        for m in cardinalities
        if m in found
    ]
    is_interrupted = any(m not in found or found[m].status == "interrupted" for m in cardinalities)
    return Path(tuple(rows), "k", tol, is_interrupted)


def proved_cardinalities(
    cov: Covariance,
    cardinalities: list[int],
    *,
    tol: float,
    deadline: Deadline,
) -> Path:
    """Search the cardinalities that no closed-form dual point proves; each point bounds all of them."""
    candidates, is_interrupted = _candidates(cov, cardinalities, deadline)
    best = dict(zip(cardinalities, candidates, strict=False))
    try:
        cheap_ones = not is_interrupted and (cov.n <= MANY or deadline.allows(cov.n))
        closed = union_bounds(cov, candidates, list(best), time_limit=deadline.left) if cheap_ones else []
        pairs = [pair for _, pair in closed]
    except KeyboardInterrupt:
        pairs, is_interrupted = [], True
    bounds = {m: least_bound(pairs, m) for m in best} if pairs else {}
    proved = {m for m, (upper, _) in bounds.items() if upper <= best[m].value + tol * abs(best[m].value)}
    gap = tol if tol > NARROW else 0.0
    # What costs nothing is still done for the components that were found before Ctrl-C.
    until = Deadline.after(0) if is_interrupted else deadline
    unproved = [m for m in best if m not in proved]
    try:
        found = solve_each(cov, unproved, gap=gap, deadline=until, starts=best)
    except KeyboardInterrupt:
        if not proved:
            raise
        found = {}
    rows = []
    for m in best:
        result = found.get(m)
        if result is not None and (m not in bounds or result.upper <= bounds[m][0]):
            rows.append(PathRow.of(result.certificate, result.candidate, m, by="search", tol=tol))
        elif m in proved or result is not None:
            witness = best[m] if result is None else max(best[m], result.candidate, key=lambda c: c.value)
            upper, pair = bounds[m]
            certificate = one_leaf(cov, witness, upper, pair.point, k=m)
            rows.append(PathRow.of(certificate, witness, m, by="kkt", tol=tol))
    is_interrupted = is_interrupted or any(m not in found or found[m].status == "interrupted" for m in unproved)
    return Path(tuple(rows), "k", tol, is_interrupted)


def _candidates(cov: Covariance, cardinalities: list[int], deadline: Deadline) -> tuple[list[Candidate], bool]:
    """Return a candidate for every cardinality until Ctrl-C.

    Half of the time is for them at most: a component without a bound says little.
    """
    count, half = len(cardinalities), deadline.part(2)
    return until_interrupted(
        best_candidate(cov, m, deadline=half.part(count - done))
        for done, m in enumerate(followed(cardinalities, "candidate"))
    )
