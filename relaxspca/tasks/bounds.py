"""Upper bounds in order of their cost, until one meets the value of a candidate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from relaxspca.errors import InputError
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.scaling import EXTREME, candidate_times, normalised, point_times, upper_times
from relaxspca.relaxations import spectral
from relaxspca.relaxations.pairwise import formula as pairwise
from relaxspca.relaxations.psi import formula as psi
from relaxspca.relaxations.psi.kkt import union_bounds
from relaxspca.results.bound import INTERRUPTED, Bound, BoundStep
from relaxspca.runtime.deadline import Deadline

__all__ = ["RELAXATIONS", "STEPS", "escalate", "steps_up_to"]


def escalate(
    cov: Covariance,
    k: int,
    candidates: Sequence[Candidate],
    *,
    steps: Iterable[str] | None = None,
    tol: float = 1e-6,
    time_limit: float | None = None,
) -> Bound:
    """Return the best of ever dearer bounds, stopping when one meets the best candidate.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality.
    candidates : at least one; the best value is what the bound has to meet.
    steps : names in `STEPS`, in the order to try; None is all of them.
    tol : float
        Stop when the bound is above the best value by no more than this fraction.
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
    Bound: v_11 <= 4.208275955 by kkt...
    """
    names = list(STEPS) if steps is None else list(steps)
    for name in names:
        if name not in STEPS:
            raise InputError(f"a bound must be one of {', '.join(STEPS)}, not {name!r}")
    deadline = Deadline.after(time_limit)
    scaled, q = normalised(cov, beyond=EXTREME)
    among = [candidate_times(candidate, -q) for candidate in candidates]
    lower = max(candidate.value for candidate in candidates)
    best: Bound | None = None
    history: list[BoundStep] = []
    for name in names:
        if best is not None and (deadline.is_over or best.upper <= lower + tol * abs(lower)):
            break
        try:
            for step in STEPS[name](scaled, k, among, deadline.left):
                found = replace(step, upper=upper_times(step.upper, q), dual=point_times(step.dual, q))
                history.append(BoundStep(found.relaxation, found.upper, deadline.elapsed))
                if best is None or found.upper < best.upper:
                    best = found
        except KeyboardInterrupt:
            if best is None:
                raise
            history.append(BoundStep(name, best.upper, deadline.elapsed, INTERRUPTED))
            break
    assert best is not None
    return Bound(k, best.upper, best.relaxation, best.dual, tuple(history))


def _spectral(cov: Covariance, k: int, candidates: Sequence[Candidate], left: float | None) -> Iterator[Bound]:
    upper, kind = spectral.best_upper_bound(cov, k)
    yield Bound(k, upper, kind)


def _kkt(cov: Covariance, k: int, candidates: Sequence[Candidate], left: float | None) -> Iterator[Bound]:
    ((upper, pair),) = union_bounds(cov, candidates, [k], time_limit=left)
    yield Bound(k, upper, "kkt", pair.point)


def _psi(cov: Covariance, k: int, candidates: Sequence[Candidate], left: float | None) -> Iterator[Bound]:
    from relaxspca.relaxations.psi.minimise import bound

    best = max(candidates, key=lambda candidate: candidate.value)
    solution = bound(cov.factor, k, lower=best.value + cov.shift, time_limit=left)
    point = psi.psi_point(cov, range(cov.n), solution.rho, solution.vectors)
    yield Bound(k, psi.upper_bound(cov, point, k), "psi", point)


def _perron(cov: Covariance, k: int, candidates: Sequence[Candidate], left: float | None) -> Iterator[Bound]:
    from relaxspca.relaxations.perron.minimise import minimise

    best = max(candidate.value for candidate in candidates)
    point, upper = minimise(cov, k, lower=best, time_limit=left)
    yield Bound(k, upper, "perron", point)


def _pairwise(cov: Covariance, k: int, candidates: Sequence[Candidate], left: float | None) -> Iterator[Bound]:
    from relaxspca.relaxations.pairwise.minimise import minimise

    best = max(candidates, key=lambda candidate: candidate.value)
    support = best.indices if best.k == k else None
    solution = minimise(cov, k, support=support, time_limit=left)
    yield Bound(k, pairwise.upper_bound(cov, solution.point, k), "pairwise", solution.point)


STEPS: dict[str, Callable[[Covariance, int, Sequence[Candidate], float | None], Iterator[Bound]]] = {
    "spectral": _spectral,
    "kkt": _kkt,
    "psi": _psi,
    "perron": _perron,
    "pairwise": _pairwise,
}

# The search is no step: it proves by a tree, not by one dual point.
RELAXATIONS = ("auto", *STEPS, "search")


def steps_up_to(relaxation: str) -> tuple[list[str], bool]:
    """Return the steps no dearer than a relaxation, and whether the search may follow.

    Examples
    --------
    >>> steps_up_to("psi")
    (['spectral', 'kkt', 'psi'], False)
    """
    if relaxation not in RELAXATIONS:
        raise InputError(f"relaxation must be one of {', '.join(RELAXATIONS)}, not {relaxation!r}")
    names = list(STEPS)
    if relaxation in STEPS:
        return names[: names.index(relaxation) + 1], False
    # What the Perron relaxation leaves open the search closes, by branching on it.
    return [name for name in names if name != "pairwise"], True
