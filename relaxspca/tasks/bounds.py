"""Upper bounds in order of their cost, until one meets the value of a candidate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from relaxspca.errors import counted
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.problem.scaling import EXTREME, candidate_times, normalised, point_times, upper_times
from relaxspca.relaxations.kinds import KINDS, STEPS
from relaxspca.results.bound import Bound
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.progress import say


def escalate(
    cov: Covariance,
    k: int,
    candidates: Sequence[Candidate],
    *,
    steps: Iterable[str] | None = None,
    tol: float = 1e-6,
    time_limit: float | None = None,
) -> Bound:
    """Return the best of ever larger bounds, stopping when one meets the best candidate or no time is left.

    `steps` are names in `KINDS` with a method, in the order to try. `tol` is a fraction of the best value: how
    far above it a bound may be to meet it, and how near a method goes to the least that its relaxation gives.
    The `relaxation` of the result is the kind of a bound without dual point, else the step that found the
    point. Ctrl-C ends a step; the best before it is returned.
    """
    deadline = Deadline.after(time_limit)
    scaled, q = normalised(cov, beyond=EXTREME)
    among = [candidate_times(candidate, -q) for candidate in candidates]
    lower = max(candidate.value for candidate in candidates)
    best: Bound | None = None
    history: list[Bound] = []
    for name in STEPS if steps is None else steps:
        if best is not None and (deadline.is_over or best.upper <= lower + tol * abs(lower)):
            break
        say(f"Bounding the variance of {counted(k, 'variable')} by {name}")
        try:
            method = KINDS[name].method
            assert method is not None
            found = method(scaled, k, among, max(tol, RELATIVE_WIDTH), deadline.left)
            found = replace(found, upper=upper_times(found.upper, q), dual=point_times(found.dual, q))
            history.append(replace(found, dual=None, seconds=deadline.elapsed))
            if best is None or found.upper < best.upper:
                best = found
        except KeyboardInterrupt:
            if best is None:
                raise
            at = deadline.elapsed
            history.append(replace(best, relaxation=name, dual=None, seconds=at, note=Status.INTERRUPTED))
            break
    assert best is not None
    return replace(best, seconds=history[-1].seconds, history=tuple(history))
