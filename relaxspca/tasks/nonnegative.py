"""The best sparse component whose loadings are not negative."""

from __future__ import annotations

import math
import warnings

import numpy as np

from relaxspca.candidates import candidate
from relaxspca.candidates.nonnegative import nonnegative_spannogram
from relaxspca.errors import DataWarning, InputError
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.limits import check_limits
from relaxspca.results.nonnegative import Nonnegative
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.progress import shows_progress
from relaxspca.search.branch_and_bound import RELATIVE_WIDTH
from relaxspca.search.listing import list_supports
from relaxspca.search.orthant import orthant_bounds
from relaxspca.search.reduced import LARGEST_BLOCK

__all__ = ["Nonnegative", "nonnegative"]

MOST_VARIABLES = 20  # of a support, whose subsets may all have to be looked at


@shows_progress
def nonnegative(
    cov: Covariance, k: int, *, time_limit: float | None = None, limit: int = 1000, verbose: bool | None = None
) -> Nonnegative:
    r"""Find the sparse component of largest variance without negative loadings, and bound all others.

    .. math:: \max\{x'\Sigma x : \|x\|_2=1,\ x\ge0,\ \mathrm{Card}(x)\le k\}

    Parameters
    ----------
    cov : Covariance of n variables, at most 4000.
    k : cardinality, 1 to 20.
    time_limit : float, optional
        Seconds. None is no limit.
    limit : int
        Most supports that are bounded one by one.
    verbose : bool, optional
        Show progress on stderr; by default in a notebook and at Python's prompt.

    Returns
    -------
    Nonnegative
        Bounds hold whatever the status; there is no certificate of them.

    Raises
    ------
    InputError
        A parameter is out of range, or there are too many variables.

    Notes
    -----
    For :math:`x\ge0` a negative covariance may be raised to 0: :math:`x'\Sigma x\le x'\Sigma^+x`. Every support
    whose :math:`\lambda_{\max}(\Sigma^+_{TT})` exceeds what is attained is listed
    (`relaxspca.search.listing`) and bounded by itself (`relaxspca.search.orthant`). Many negative covariances
    make that list long; then a gap is left.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.nonnegative(rs.Covariance([[2.0, -1.0, 0.5], [-1.0, 2.0, 0.0], [0.5, 0.0, 1.0]]), 2)
    >>> found.support, round(found.lower, 6), found.status
    (('x0', 'x2'), 2.207107, 'optimal')
    """
    check_covariance(cov)
    cov.check_complete("a component without negative loadings")
    k = cov.check_cardinality(k)
    check_limits(time_limit=time_limit)
    if k > MOST_VARIABLES or cov.n > LARGEST_BLOCK:
        raise InputError(f"at most {MOST_VARIABLES} of {LARGEST_BLOCK} variables, not {k} of {cov.n}")
    deadline = Deadline.after(time_limit)
    raised = _raised(cov)
    best = _first(cov, raised, k)
    lower = best.proved_value(cov)
    start = candidate(raised, k)
    top = start.proved_value(raised)
    # So that the target is what is attained; `within` is a part of what the raised matrix attains.
    within = max((top - lower) / abs(top), 0.0) if top else 0.0
    listed = list_supports(raised, k, start, within=within, limit=limit, deadline=deadline)
    upper = max(listed.upper, lower)
    for found in listed.candidates:
        T = found.indices
        bound, vector = orthant_bounds(cov.submatrix(T), cov.rounding(T), enough=lower)
        upper = max(upper, bound)
        loadings = np.zeros(cov.n)
        loadings[T] = vector
        other = Candidate.from_loadings(cov, loadings, method="nonnegative")
        if other.proved_value(cov) > lower:
            best, lower = other, other.proved_value(cov)
    if upper - lower <= 4 * RELATIVE_WIDTH * abs(lower):
        status = Status.OPTIMAL
    else:
        status = Status.OPEN if listed.status is Status.COMPLETE else listed.status
    return Nonnegative(
        k, best, lower, upper, status, deadline.elapsed, listed.certificate, len(listed.candidates)
    )


def _raised(cov: Covariance) -> Covariance:
    """Return Sigma with its negative covariances replaced by 0: exact, entry by entry, where Sigma is dense."""
    entries = cov.matrix.copy()
    if cov.is_factored:
        entries = entries + cov.rounding() * (1 + 1e-12) * np.eye(cov.n)
    off = ~np.eye(cov.n, dtype=bool)
    entries[off] = np.maximum(entries[off], 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return Covariance(entries, names=cov.names)


def _first(cov: Covariance, raised: Covariance, k: int) -> Candidate:
    """Return the best nonnegative vector of two supports: of the raised matrix, and of the spannogram."""
    found = [nonnegative_spannogram(cov, k, d=min(2, cov.n))]
    T = candidate(raised, k).indices
    loadings = np.zeros(cov.n)
    loadings[T] = orthant_bounds(cov.submatrix(T), enough=math.inf)[1]
    found.append(Candidate.from_loadings(cov, loadings, method="nonnegative"))
    return max(found, key=lambda candidate: candidate.value)
