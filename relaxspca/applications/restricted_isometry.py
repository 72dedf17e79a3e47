r"""Bounds on restricted isometry and orthogonality constants of a design matrix, by sparse eigenvalues.

.. math::
    (1-\delta_S)\|c\|^2 \le \|F_Tc\|^2 \le (1+\delta_S)\|c\|^2,\qquad
    |\langle F_Tc,\,F_{T'}c'\rangle| \le \theta_{S,S'}\|c\|\,\|c'\|,

for all T, T' of at most S, S' columns, disjoint in the second. With G = F'F and the enclosed extremes
:math:`L_S \le \lambda_{\min}(G_{TT}),\ \lambda_{\max}(G_{TT}) \le U_S`,

.. math:: \delta_S=\max(v_S(G)-1,\;1-\min_T\lambda_{\min}(G_{TT})),\qquad
    \theta_{S,S'}\le\tfrac12\,(U_{S+S'}-L_{S+S'}).

*Proof of the second.* For unit c, c' on disjoint supports, :math:`4\langle F_Tc,F_{T'}c'\rangle=
\|F_Tc+F_{T'}c'\|^2-\|F_Tc-F_{T'}c'\|^2\le 2U_{S+S'}-2L_{S+S'}`, both vectors having squared length 2.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from relaxspca.applications.isometry_results import IsometryBounds, RecoveryConditions
from relaxspca.applications.sparse_eigenvalues import largest_eigenvalue, smallest_eigenvalue
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, product_radius, sum_upper
from relaxspca.problem.observations import checked_matrix, is_sparse, whole_number
from relaxspca.runtime.deadline import Deadline

__all__ = ["isometry_bounds", "orthogonality_bounds", "recovery_conditions"]

Indices = npt.NDArray[np.int64]
ROUNDED_OUT = 8 * UNIT_ROUNDOFF


def isometry_bounds(
    F: Array, sparsity: int, *, gap: float = 0.0, time_limit: float | None = None
) -> IsometryBounds:
    r"""Enclose the restricted isometry constant :math:`\delta_S` of a design matrix.

    .. math:: \delta_S=\max_{|T|\le S}\|F_T'F_T-I\|_2

    Parameters
    ----------
    F : (q, n) array
        Design; the constants are about its columns as they are, so scale them first.
    sparsity : int
        S, from 1 to n.
    gap : float
        Relative gap at which the two eigenvalue problems stop; 0 asks for the exact constant.
    time_limit : float, optional
        Seconds for both problems.

    Returns
    -------
    IsometryBounds

    Raises
    ------
    InputError
        F is not a finite matrix, or S is not from 1 to n.

    Notes
    -----
    The bounds hold whether or not the two problems are closed: both come with certified bounds.

    Examples
    --------
    >>> bounds = isometry_bounds([[1.0, 0.6], [0.0, 0.8]], 2)
    >>> bool(bounds.lower <= 0.6 <= bounds.upper), round(bounds.upper, 9)
    (True, 0.6)
    """
    F = _design(F)
    sparsity = whole_number(sparsity, "sparsity")
    if not 1 <= sparsity <= F.shape[1]:
        raise InputError(f"sparsity S = {sparsity} is outside 1..{F.shape[1]}, the number of columns")
    deadline = Deadline.after(time_limit)
    largest = largest_eigenvalue(F, sparsity, gap=gap, time_limit=deadline.share(2))
    smallest = smallest_eigenvalue(F, sparsity, gap=gap, time_limit=deadline.left)
    lower = max(largest.lower - 1, 1 - smallest.upper, 0.0)
    upper = max(largest.upper - 1, 1 - smallest.lower, 0.0)
    room = ROUNDED_OUT * (1 + largest.upper)
    return IsometryBounds(sparsity, max(lower - room, 0.0), upper + room, largest, smallest)


def orthogonality_bounds(
    F: Array, sparsity: int, other: int, *, gap: float = 0.0, time_limit: float | None = None
) -> tuple[float, float]:
    r"""Enclose the restricted orthogonality constant :math:`\theta_{S,S'}`.

    .. math:: \theta_{S,S'}=\max\{\|F_T'F_{T'}\|_2 : |T|\le S,\ |T'|\le S',\ T\cap T'=\emptyset\}

    Parameters
    ----------
    F : (q, n) array
    sparsity, other : int
        S and S', at least 1, together at most n.
    gap, time_limit : as in `isometry_bounds`.

    Returns
    -------
    lower, upper : float
        The lower bound is attained by supports that an alternating search finds; the upper bound,
        :math:`\tfrac12(U_{S+S'}-L_{S+S'})`, is at most :math:`\delta_{S+S'}` up to the gaps.

    Raises
    ------
    InputError
        F is not a finite matrix, or S and S' are out of range.

    Examples
    --------
    >>> lower, upper = orthogonality_bounds([[1.0, 0.6], [0.0, 0.8]], 1, 1)
    >>> bool(lower <= 0.6 <= upper), round(upper, 9)
    (True, 0.6)
    """
    F = _design(F)
    sparsity, other = whole_number(sparsity, "sparsity"), whole_number(other, "other")
    if sparsity < 1 or other < 1 or sparsity + other > F.shape[1]:
        raise InputError(f"S = {sparsity} and S' = {other} must be at least 1, together at most {F.shape[1]}")
    together = isometry_bounds(F, sparsity + other, gap=gap, time_limit=time_limit)
    upper = (together.largest.upper - together.smallest.lower) / 2
    room = ROUNDED_OUT * (1 + together.largest.upper)
    return _aligned(F, sparsity, other), upper + room


def recovery_conditions(
    F: Array, sparsity: int, *, gap: float = 0.0, time_limit: float | None = None
) -> RecoveryConditions:
    r"""Decide two sufficient conditions for l1 recovery of every S-sparse signal, if the bounds allow it.

    .. math:: \delta_S+\theta_{S,S}+\theta_{S,2S}<1, \qquad \delta_{2S}<1/\sqrt2

    Parameters
    ----------
    F, sparsity, gap, time_limit : as in `isometry_bounds`; the limit is for each constant.

    Returns
    -------
    RecoveryConditions

    Raises
    ------
    InputError
        F is not a finite matrix, or S is not from 1 to n.

    Notes
    -----
    Supports of 2 S or 3 S columns are cut to n, in every way in which two disjoint ones fit.

    Examples
    --------
    >>> recovery_conditions(np.eye(4), 1).statement.splitlines()[0]
    'Every 1-sparse signal is the unique l1 solution.'
    """
    F = _design(F)
    single = isometry_bounds(F, sparsity, gap=gap, time_limit=time_limit)
    double = isometry_bounds(F, min(2 * sparsity, F.shape[1]), gap=gap, time_limit=time_limit)
    first = _cut_orthogonality(F, sparsity, sparsity, gap, time_limit)
    second = _cut_orthogonality(F, sparsity, 2 * sparsity, gap, time_limit)
    lower = -sum_upper(-np.array([single.lower, first[0], second[0]]))
    upper = sum_upper(np.array([single.upper, first[1], second[1]]))
    return RecoveryConditions(single.sparsity, (lower, upper), (double.lower, double.upper))


def _cut_orthogonality(
    F: Array, sparsity: int, other: int, gap: float, time_limit: float | None
) -> tuple[float, float]:
    """Bound the orthogonality constant of disjoint supports of at most S and S' columns that fit into n."""
    n = F.shape[1]
    # The constant grows with both sizes: if S + S' > n, only sizes that add up to n matter.
    sizes = range(max(1, min(sparsity, n - other)), min(sparsity, n - 1) + 1)
    found = [
        orthogonality_bounds(F, size, min(other, n - size), gap=gap, time_limit=time_limit) for size in sizes
    ]
    return max((lower for lower, _ in found), default=0.0), max((upper for _, upper in found), default=0.0)


def _aligned(F: Array, sparsity: int, other: int) -> float:
    """Return the largest |c'F_T'F_T'c'| over disjoint supports found by alternation from every column."""
    G = F.T @ F
    best = 0.0
    for start in range(G.shape[0]):
        T = np.array([start])
        for _ in range(10):
            before, T_other = T, _most_aligned(G, T, other)
            T = _most_aligned(G, T_other, sparsity)
            if np.array_equal(np.sort(T), np.sort(before)):
                break
        best = max(best, float(np.linalg.norm(G[np.ix_(T, T_other)], 2)))
    # The error of a block's singular value: the rounding in G and a few units in the last place.
    return float(max(0.0, best * (1 - 64 * G.shape[0] * UNIT_ROUNDOFF) - product_radius(F, F)))


def _most_aligned(G: Array, T: Indices, count: int) -> Indices:
    """Return the `count` columns outside T of largest product with the leading direction of F_T."""
    direction = np.linalg.svd(G[:, T], full_matrices=False)[2][0]
    image = np.abs(G[:, T] @ direction)
    image[T] = -1.0
    return np.argsort(-image, kind="stable")[:count]


def _design(F: Array) -> Array:
    matrix, _ = checked_matrix(F, what="design matrix")
    return np.asarray(matrix.toarray() if is_sparse(matrix) else matrix)
