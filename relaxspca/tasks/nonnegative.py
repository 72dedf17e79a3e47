"""The best sparse component whose loadings are not negative."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.nonnegative import nonnegative_spannogram
from relaxspca.candidates.portfolio import auto
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.results.result import Result
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.heavy_rows import MOST
from relaxspca.search.limits import SearchLimits
from relaxspca.search.orthant import orthant_bounds
from relaxspca.search.signed import search_signed, without_negative

__all__ = ["nonnegative"]


def nonnegative(cov: Covariance, k: int, conditions: Conditions, *, gap: float, limits: SearchLimits) -> Result:
    r"""Find a first component and search: the work of `relaxspca.solve` with `nonnegative`.

    For :math:`x\ge0` a negative covariance may be raised to 0: :math:`x'\Sigma x\le x'\Sigma^+x`. The search
    for :math:`\Sigma^+` bounds what is left; where k variables are left, a vector :math:`w\ge0` with
    :math:`\Sigma w\le\tau w` shows that no positive vector exceeds :math:`\tau` (`relaxspca.search.signed`).

    Parameters
    ----------
    cov : Covariance of n variables, at most 4000.
    k : cardinality, 1 to n.
    conditions : variables to exclude.
    gap : relative gap at which to stop.
    limits : when to stop.
    """
    cov.check_complete("a component without negative loadings", most=MOST[-1])
    k = conditions.cardinality(cov.check_cardinality(k), cov.n)
    first = _first(cov, k, conditions, limits.deadline.part(2))
    return search_signed(cov, k, first, conditions, gap=gap, limits=limits)


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
