"""The best sparse component whose loadings are not negative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from relaxspca.candidates.nonnegative import nonnegative_spannogram
from relaxspca.candidates.portfolio import auto
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.results.progress import Progress
from relaxspca.results.restricted import Nonnegative
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.progress import shows_progress
from relaxspca.search.limits import SearchLimits
from relaxspca.search.orthant import orthant_bounds
from relaxspca.search.reduced import LARGEST_BLOCK
from relaxspca.search.signed import search_signed, without_negative

__all__ = ["nonnegative"]


@shows_progress
def nonnegative(
    cov: Covariance,
    k: int,
    *,
    exclude: Any = (),
    gap: float = 0.0,
    time_limit: float | None = None,
    node_limit: int | None = None,
    callback: Callable[[Progress], Any] | None = None,
    n_jobs: int | None = None,
    verbose: bool | None = None,
) -> Nonnegative:
    r"""Find the sparse component of largest variance without negative loadings, with a proof of how good it is.

    .. math:: \max\{x'\Sigma x : \|x\|_2=1,\ x\ge0,\ \mathrm{Card}(x)\le k\}

    Parameters
    ----------
    cov : Covariance of n variables, at most 4000.
    k : cardinality, 1 to n.
    exclude : names or positions, optional
        Variables that may not be used.
    gap, time_limit, node_limit, callback, n_jobs : as in `relaxspca.solve`.
    verbose : bool, optional
        Show progress on stderr; by default in a notebook and at Python's prompt.

    Returns
    -------
    Nonnegative
        Bounds hold whatever the status, and have a certificate.

    Raises
    ------
    InputError
        A parameter is out of range, or there are too many variables.

    Notes
    -----
    For :math:`x\ge0` a negative covariance may be raised to 0: :math:`x'\Sigma x\le x'\Sigma^+x`. The search
    for :math:`\Sigma^+` bounds what is left; where k variables are left, a vector :math:`w\ge0` with
    :math:`\Sigma w\le\tau w` shows that no positive vector exceeds :math:`\tau` (`relaxspca.search.signed`).

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.nonnegative(rs.Covariance([[2.0, -1.0, 0.5], [-1.0, 2.0, 0.0], [0.5, 0.0, 1.0]]), 2)
    >>> found.support, round(found.lower, 6), found.status, bool(rs.verify(found.certificate))
    (('x0', 'x2'), 2.207107, 'optimal', True)
    """
    check_covariance(cov)
    cov.check_complete("a component without negative loadings", most=LARGEST_BLOCK)
    conditions = Conditions.read((), exclude, cov.names)
    k = conditions.cardinality(cov.check_cardinality(k), cov.n)
    limits = SearchLimits.checked(
        gap=gap, time_limit=time_limit, node_limit=node_limit, callback=callback, n_jobs=n_jobs
    )
    found = search_signed(
        cov, k, _first(cov, k, conditions, limits.deadline.part(2)), conditions, gap=gap, limits=limits
    )
    return Nonnegative(k=k, seconds=limits.deadline.elapsed, **vars(found))


def _first(cov: Covariance, k: int, conditions: Conditions, deadline: Deadline) -> Candidate:
    """Return the best nonnegative vector of two supports: of the raised matrix, and of the spannogram."""
    allowed = conditions.node(cov.n).variables
    block = cov.restrict(allowed.tolist())
    T = auto(without_negative(block), k, deadline=deadline.part(2)).indices
    loadings = np.zeros((2, cov.n))
    spanned = nonnegative_spannogram(block, k, d=min(2, block.n), deadline=deadline)
    loadings[0, allowed] = spanned.loadings
    loadings[1, allowed[T]] = orthant_bounds(block.submatrix(T), enough=np.inf)[1]
    found = [Candidate.from_loadings(cov, row, method="nonnegative") for row in loadings]
    return max(found, key=lambda candidate: candidate.value)
