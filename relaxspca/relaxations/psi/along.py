"""The bounds of psi for many cardinalities in one sweep: each dual point serves all of them."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array, as_array
from relaxspca.relaxations.psi.minimise import PsiSolution, bound

__all__ = ["PsiSweep", "sweep"]


@dataclass(frozen=True, eq=False)
class PsiSweep:
    r"""Bounds of psi for several cardinalities.

    Attributes
    ----------
    cardinalities : (m,) increasing ints
    upper, lower : (m,) arrays
        Upper and lower bounds on :math:`b_k=\min_\rho\psi(\rho)+\rho k`, the former to working precision.
    solutions : tuple of PsiSolution
        The dual points found, fewer than cardinalities as a rule.
    chosen : (m,) ints
        The solution that gives `upper`.
    """

    cardinalities: npt.NDArray[np.int64]
    upper: Array
    lower: Array
    solutions: tuple[PsiSolution, ...]
    chosen: npt.NDArray[np.int64]


def sweep(
    A: Array,
    cardinalities: Iterable[int] | None = None,
    *,
    tol: float = 1e-4,
    time_limit: float | None = None,
) -> PsiSweep:
    r"""Bound every cardinality by psi, solving only for as many as the accuracy needs.

    Parameters
    ----------
    A : (r, n) array, the factor.
    cardinalities : ints from 1 to n; all by default.
    tol : float
        Relative accuracy of each bound.
    time_limit : float, optional
        Seconds; once over, the remaining cardinalities take the best dual point there is.

    Notes
    -----
    :math:`b_k` is concave in k, being a minimum of affine functions: between two solved cardinalities it is
    at least the line through their lower bounds, and at most :math:`\psi(\rho_s)+\rho_sk` for each solution
    s. The interval with the widest relative gap is halved until all are within `tol`; each solve starts from
    the nearest solution.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> found = sweep(load_pitprops().factor)
    >>> [round(value, 3) for value in found.upper[[4, 6, 8]].tolist()]
    [3.487, 3.996, 4.139]
    """
    ks = np.unique(np.arange(1, A.shape[1] + 1) if cardinalities is None else np.array(list(cardinalities)))
    deadline = math.inf if time_limit is None else time.perf_counter() + time_limit
    solved: dict[int, PsiSolution] = {}
    following: int | None = int(ks[0])
    while following is not None:
        left = None if math.isinf(deadline) else max(deadline - time.perf_counter(), 0.0)
        start = _nearest(solved, following)
        solved[following] = bound(A, following, start=start, tol=tol / 4, time_limit=left)
        upper, lower, chosen = _envelopes(ks, solved)
        following = None if time.perf_counter() >= deadline else _widest(ks, solved, upper, lower, tol)
    return PsiSweep(ks, as_array(upper), as_array(lower), tuple(solved.values()), chosen)


def _nearest(solved: dict[int, PsiSolution], k: int) -> PsiSolution | None:
    """Return the solution of the nearest cardinality, if there is any."""
    return solved[min(solved, key=lambda known: abs(known - k))] if solved else None


def _envelopes(
    ks: npt.NDArray[np.int64], solved: dict[int, PsiSolution]
) -> tuple[Array, Array, npt.NDArray[np.int64]]:
    """Return the least bound, the concave lower bound and the best solution of each cardinality."""
    bounds = np.array([[solution.bound(int(k)) for k in ks] for solution in solved.values()])
    known = np.array(sorted(solved))
    lows = np.array([solved[int(k)].lower for k in known])
    lower = np.interp(ks, known, lows)
    # Beyond the last solved cardinality the bound still rises, and before the first it is above a ray from 0.
    lower = np.where(ks < known[0], lows[0] * ks / known[0], lower)
    return bounds.min(axis=0), lower, bounds.argmin(axis=0)


def _widest(
    ks: npt.NDArray[np.int64], solved: dict[int, PsiSolution], upper: Array, lower: Array, tol: float
) -> int | None:
    """Return the next cardinality to solve: the last first, then the middle of the widest interval."""
    if int(ks[-1]) not in solved:
        return int(ks[-1])
    gaps = np.where([int(k) in solved for k in ks], 0.0, (upper - lower) / lower)
    worst = int(ks[int(np.argmax(gaps))])
    if gaps.max() <= tol:
        return None
    left = max(k for k in solved if k < worst)
    right = min(k for k in solved if k > worst)
    between = ks[(ks > left) & (ks < right)]
    return int(between[between.size // 2])
