"""A path over cardinalities: all searched, or searched where the closed form leaves a gap.

Searches for one cardinality after another share their components and the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from relaxspca.candidates import candidate
from relaxspca.candidates.greedy import grow
from relaxspca.candidates.local_search import local_search
from relaxspca.candidates.rows import row_reader
from relaxspca.numerics.linalg import MANY
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.certificates import one_leaf
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.size import Cardinality
from relaxspca.relaxations.psi.kkt import least_bound, union_bounds
from relaxspca.results.path_table import Path
from relaxspca.results.result import Result
from relaxspca.results.status import NARROW, Status, settle
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed
from relaxspca.search.limits import SearchLimits
from relaxspca.search.reduced import is_searched_whole
from relaxspca.search.run import Run
from relaxspca.tasks.solve import solve


def solve_each(
    cov: Covariance,
    cardinalities: Sequence[int],
    *,
    gap: float = 0.0,
    deadline: Deadline = FOREVER,
    conditions: Conditions = NONE,
    starts: Mapping[int, Candidate] | None = None,
) -> dict[int, Result]:
    """Search every cardinality, in ascending order, and return the results by cardinality.

    A search starts from the better of a component of its own, in `starts` perhaps, and that of the cardinality
    before, grown. It may use an equal share of the time that is left; what the early ones did not use goes to
    those that are open. After Ctrl-C the last result has the status "interrupted", or the last ones are
    missing.
    """
    order = sorted(set(cardinalities))
    each = _Each(cov, gap, deadline, conditions, starts or {})
    rows, is_interrupted = until_interrupted(each.first(order))
    if not is_interrupted and all(row.status is not Status.INTERRUPTED for row in rows):
        until_interrupted(each.again(rows))
    results: list[Result] = []
    for k, row in zip(order, rows, strict=False):
        if not isinstance(row, Result) and results and not conditions:  # more variables never explain less
            found = Candidate.from_support(cov, grown(cov, results[-1].indices, k))
            row.search.offer(found, row.search.worth(found))
        results.append(row if isinstance(row, Result) else row.result())
    return dict(zip(order, results, strict=False))


@dataclass(frozen=True, eq=False)
class _Each:
    """Searches of one covariance that share its time."""

    cov: Covariance
    gap: float
    deadline: Deadline
    conditions: Conditions
    starts: Mapping[int, Candidate]

    def first(self, order: Sequence[int]) -> Iterator[Run | Result]:
        """Search every cardinality for its share of the time."""
        best: Candidate | None = None
        for done, k in enumerate(followed(order, "row")):
            parts = len(order) - done
            # Half of a row's time for its component: one without a bound says little.
            row = self._search(k, self._start(k, best, self.deadline.part(2 * parts)), parts)
            yield row
            if row.status is Status.INTERRUPTED:
                return
            best = row.candidate if isinstance(row, Result) else row.search.candidate

    def again(self, rows: list[Run | Result]) -> Iterator[Run]:
        """Go on with the searches that are open as long as time is left."""
        held = [row for row in rows if not isinstance(row, Result)]
        waiting = [row for row in held if row.status is Status.TIME_LIMIT]
        while waiting and not self.deadline.is_over:
            for done, row in enumerate(waiting):
                row.advance(SearchLimits(self.deadline.part(len(waiting) - done)))
                yield row
                if row.status is Status.INTERRUPTED:
                    return
            waiting = [row for row in waiting if row.status is Status.TIME_LIMIT]

    def _start(self, k: int, best: Candidate | None, deadline: Deadline) -> Candidate:
        options = {**self._scope, "deadline": deadline}
        starts = [self.starts[k] if k in self.starts else candidate(self.cov, k, **options)]
        if best is not None and not self.conditions:
            more = np.array(grown(self.cov, best.indices, k))
            start = Candidate.from_support(self.cov, more)
            starts.append(start if deadline.is_over else local_search(self.cov, k, start=more))
        return max(starts, key=lambda c: c.value)

    @property
    def _scope(self) -> dict[str, Any]:
        """The conditions as options."""
        return self.conditions.options if self.conditions else {}

    def _search(self, k: int, start: Candidate, parts: int) -> Run | Result:
        limit = self.deadline.part(parts)
        if self.conditions or not is_searched_whole(self.cov):
            return solve(self.cov, k, gap=self.gap, start=start, time_limit=limit.left, **self._scope)
        row = Run(self.cov, Cardinality(k), start, gap=self.gap)
        row.advance(SearchLimits(limit))
        is_held = row.status is Status.TIME_LIMIT and self.cov.n <= MANY  # kept in memory, to be taken up again
        return row if is_held else row.result()


def grown(cov: Covariance, support: Iterable[int], k: int) -> list[int]:
    """Return a support enlarged to k variables, each time by the one that adds most variance."""
    start = np.array([sorted(int(i) for i in support)])
    return [int(i) for i in grow(row_reader(cov), cov.diagonal, start, k)[0]]


def judged(row: Result, tol: float) -> Result:
    """Return a row of a path with its status: "optimal" or "within the gap" up to that width, else "open"."""
    return replace(row, status=settle(None, row.lower, row.upper, width=row.gap, tol=tol))


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
    rows = [judged(found[m], tol) for m in cardinalities if m in found]
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
            rows.append(judged(result, tol))
        elif m in proved or result is not None:
            witness = best[m] if result is None else max(best[m], result.candidate, key=lambda c: c.value)
            upper, pair = bounds[m]
            proof = one_leaf(cov, witness, upper, pair.point, k=m)
            row = Result(
                witness, proof.lower, proof.upper, Status.OPEN, proof, node_count=0, seconds=0.0, by="kkt"
            )
            rows.append(judged(row, tol))
    is_interrupted = is_interrupted or any(m not in found or found[m].status == "interrupted" for m in unproved)
    return Path(tuple(rows), "k", tol, is_interrupted)


def _candidates(cov: Covariance, cardinalities: list[int], deadline: Deadline) -> tuple[list[Candidate], bool]:
    """Return a candidate for every cardinality until Ctrl-C.

    Half of the time is for them at most: a component without a bound says little.
    """
    count, half = len(cardinalities), deadline.part(2)
    return until_interrupted(
        candidate(cov, m, deadline=half.part(count - done))
        for done, m in enumerate(followed(cardinalities, "candidate"))
    )
