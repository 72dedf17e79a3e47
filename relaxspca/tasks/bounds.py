"""Upper bounds in order of their cost, until one meets the value of a candidate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from relaxspca.errors import InputError, counted
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.problem.scaling import EXTREME, candidate_times, normalised, point_times, upper_times
from relaxspca.relaxations.kinds import KINDS, STEPS
from relaxspca.results.bound import Bound, BoundStep
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.progress import say

__all__ = ["escalate"]


def escalate(
    cov: Covariance,
    k: int,
    candidates: Sequence[Candidate],
    *,
    steps: Iterable[str] | None = None,
    tol: float = 1e-6,
    time_limit: float | None = None,
) -> Bound:
    """Return the best of ever larger bounds, stopping when one meets the best candidate.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality.
    candidates : at least one; the best value is what the bound has to meet.
    steps : names in `KINDS` with a method, in the order to try; None is all of `STEPS`.
    tol : float
        Stop when the bound is above the best value by no more than this fraction, and a method when its bound
        is that near to the least that its relaxation gives.
    time_limit : float, optional
        Seconds; no step is begun after that, and the last ones are told what is left.

    Returns
    -------
    Bound
        Where Ctrl-C ended a step, the best before it.
        Its `relaxation` is the kind of a bound without dual point, else the step that found the point.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> escalate(cov, 11, [rs.candidate(cov, 11)])
    Largest variance with at most 11 variables: at most 4.20828, by KKT conditions.
    | relaxation | upper bound | seconds | note |
    ...
    """
    names = list(STEPS) if steps is None else list(steps)
    for name in names:
        if name not in KINDS or KINDS[name].method is None:
            own = (name for name, kind in KINDS.items() if kind.method is not None)
            raise InputError(f"a bound must be one of {', '.join(own)}, not {name!r}")
    deadline = Deadline.after(time_limit)
    scaled, q = normalised(cov, beyond=EXTREME)
    among = [candidate_times(candidate, -q) for candidate in candidates]
    lower = max(candidate.value for candidate in candidates)
    best: Bound | None = None
    history: list[BoundStep] = []
    for name in names:
        if best is not None and (deadline.is_over or best.upper <= lower + tol * abs(lower)):
            break
        say(f"Bounding the variance of {counted(k, 'variable')} by {name}")
        try:
            method = KINDS[name].method
            assert method is not None
            for step in method(scaled, k, among, max(tol, RELATIVE_WIDTH), deadline.left):
                found = replace(step, upper=upper_times(step.upper, q), dual=point_times(step.dual, q))
                note = step.history[-1].note if step.history else ""
                history.append(BoundStep(found.relaxation, found.upper, deadline.elapsed, note))
                if best is None or found.upper < best.upper:
                    best = found
        except KeyboardInterrupt:
            if best is None:
                raise
            history.append(BoundStep(name, best.upper, deadline.elapsed, Status.INTERRUPTED))
            break
    assert best is not None
    return Bound(k, best.upper, best.relaxation, best.dual, tuple(history))
