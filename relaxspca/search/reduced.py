"""`solve` for very many variables, or for a covariance with eliminated variables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from relaxspca.certificate import Certificate, FactorPoint, Vector
from relaxspca.errors import warn_of_data
from relaxspca.problem.by_name import embedded
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.claim import changed, one_leaf
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.problem.size import Cardinality
from relaxspca.problem.slack import slack
from relaxspca.relaxations import spectral
from relaxspca.relaxations.perron import formula as perron
from relaxspca.relaxations.psi import formula as psi
from relaxspca.results.result import Result
from relaxspca.results.settle import settle
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.elimination import cover
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.reduction import Reduction, reduce_variables
from relaxspca.search.run import searched

__all__ = ["LARGEST_BLOCK", "is_searched_whole", "solve_reduced"]

LARGEST_BLOCK = 4000  # most variables in a search; beyond it variables are first eliminated by their variances


def is_searched_whole(cov: Covariance) -> bool:
    """Say whether all variables are searched: at most `LARGEST_BLOCK`, and none eliminated before."""
    return cov.n <= LARGEST_BLOCK and cov.eliminated is None


def solve_reduced(
    cov: Covariance,
    k: int,
    best: Candidate,
    *,
    gap: float,
    limits: SearchLimits = UNLIMITED,
    needed: Iterable[int] = (),
    conditions: Conditions = NONE,
) -> Result | None:
    r"""Eliminate variables by one dual point, search among the others, and certify the result for all.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality.
    best : Candidate, the incumbent.
    gap : relative gap at which to stop.
    limits : further limits of the search.
    needed : variables that are never eliminated.
    conditions : variables that supports must and must not hold; `best` meets them.

    Returns
    -------
    Result or None
        Its certificate is over the variables kept; the others are in its `eliminated`. When more than
        `LARGEST_BLOCK` variables remain, nothing is searched: the bound is that of psi or the trace, with a
        `DataWarning`. None when they remain and others were eliminated before.

    Notes
    -----
    With :math:`v_j\le U_j` on the variables kept, a support with b eliminated variables explains at most
    :math:`U_{k-b}` plus the b largest eliminated variances (`relaxspca.search.elimination`). The dual point
    that proves this also bounds the variables kept, and where it is tight there is nothing to search.
    """
    clock, deadline = Deadline.after(None), limits.deadline
    tol = max(0.9 * gap, RELATIVE_WIDTH)
    needed = [*needed, *conditions.include]
    kept = reduce_variables(cov, k, best, tol=tol, largest=LARGEST_BLOCK, needed=needed, deadline=deadline)
    if kept is None:
        return None
    among = conditions.among(cov.names, kept.cov.names)
    found = _without_search(kept, k, among)
    if kept.cov.n > LARGEST_BLOCK:
        return replace(_root_bound(cov, found, k, gap, deadline), seconds=clock.elapsed)
    if found.upper - found.lower > _accepted_width(gap, found.lower) and not deadline.is_over:
        block = kept.cov.alone
        again = searched(block, Cardinality(k), kept.component, gap=gap, limits=limits, conditions=among)
        found = again if again.upper <= found.upper else _combined(block, found, again)
    certificate = cover(found.certificate, kept.cov, [kept.point])
    return replace(
        found,
        candidate=embedded(found.candidate, kept.cov.names, cov.names),
        lower=certificate.lower,
        upper=certificate.upper,
        status=_status(kept.cov, found.status, certificate, gap, deadline),
        certificate=certificate,
        seconds=clock.elapsed,
    )


def _without_search(kept: Reduction, k: int, conditions: Conditions) -> Result:
    """Return the result without a search: the bound of the elimination's dual point on the variables kept."""
    relaxation = psi if isinstance(kept.point, FactorPoint) else perron
    upper = relaxation.upper_bound(kept.cov.alone, kept.point, k)
    certificate = one_leaf(kept.cov, kept.component, upper, kept.point, k=k)
    certificate = changed(certificate, include=conditions.inside, exclude=conditions.outside)
    return Result(kept.component, certificate.lower, certificate.upper, Status.WITHIN_GAP, certificate, 0, 0.0)


def _root_bound(cov: Covariance, found: Result, k: int, gap: float, deadline: Deadline) -> Result:
    """Return the smaller of the trace bound and the psi bound over all variables, too many to search."""
    warn_of_data(
        f"more than {LARGEST_BLOCK} of {cov.n} variables remain after elimination by their variances, so that "
        "nothing is searched: the bound is that of psi, or of the largest variances"
    )
    certificate = found.certificate
    trace = one_leaf(cov, found.candidate, spectral.upper_bound(cov, "trace", k), "trace", k=k)
    if trace.upper < certificate.upper:
        certificate = changed(trace, include=certificate.include, exclude=certificate.exclude)
    status = _status(cov, Status.OPEN, certificate, gap, deadline)
    return replace(found, upper=certificate.upper, status=status, certificate=certificate)


def _combined(cov: Covariance, bounded: Result, searched: Result) -> Result:
    """Return a result with the upper bound of `bounded` and the component of `searched`."""
    found = searched.candidate
    certificate = changed(
        bounded.certificate,
        lower=min(found.proved_value(cov), bounded.upper),
        components=(Vector(found.indices, found.loadings[found.indices]),),
    )
    return replace(searched, lower=certificate.lower, upper=bounded.upper, certificate=certificate)


def _accepted_width(gap: float, lower: float) -> float:
    return max(gap, 2 * RELATIVE_WIDTH) * abs(lower)


def _status(
    cov: Covariance, status: Status, certificate: Certificate, gap: float, deadline: Deadline
) -> Status:
    lower, upper = certificate.lower, certificate.upper
    if status in (Status.OPTIMAL, Status.WITHIN_GAP):  # of the variables kept
        status = Status.TIME_LIMIT if deadline.is_over else Status.ELIMINATION
    return settle(status, lower, upper, slack=slack(abs(upper), n=cov.n, points=certificate.points), gap=gap)
