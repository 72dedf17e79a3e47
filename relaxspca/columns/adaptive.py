"""Adaptive sampling: random columns with probability proportional to their squared residual."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relaxspca.columns.data_matrix import DataMatrix, as_data_matrix, checked_columns
from relaxspca.columns.span import orthonormal_basis
from relaxspca.numerics.linalg import Array
from relaxspca.problem.observations import whole_number

Indices = NDArray[np.intp]


def adaptive_columns(
    data: Any, chosen: ArrayLike, draws: int, *, rng: np.random.Generator | None = None
) -> Indices:
    r"""Add columns drawn with probability proportional to their squared residual.

    With ``B = X - C C^+ X`` for the chosen columns C, ``draws`` columns are drawn independently
    with probabilities ``|b_i|^2 / |B|_F^2``, and for every k

    .. math:: E|X - X_{[C, C_2], k}|_F^2 \le |X - X_k|_F^2 + (k / draws) |X - C C^+ X|_F^2.

    Parameters
    ----------
    data : array, sparse array, Covariance or DataMatrix, shape (m, n)
        Observations by variables.
    chosen : (c,) int
        Columns already taken; may be empty.
    draws : int
        Number of draws.
    rng : Generator or None
        Source of randomness; None is a fixed seed.

    Returns
    -------
    intp array
        Sorted distinct columns, the chosen ones included.

    Notes
    -----
    The inequality holds for exact residuals; here they are accurate to rounding.

    References
    ----------
    Deshpande, Rademacher, Vempala and Wang, "Matrix approximation and projective clustering
    via volume sampling", Theory of Computing 2 (2006).

    Examples
    --------
    >>> import numpy as np
    >>> adaptive_columns(np.diag([3.0, 2.0, 0.0]), [0], 5)
    array([0, 1])
    """
    generator = np.random.default_rng(0) if rng is None else rng
    matrix = as_data_matrix(data)
    start, draws = checked_columns(chosen, matrix.shape[1]), whole_number(draws, "draws")
    norms = residual_norms(matrix, start)
    total = float(norms.sum())
    if draws <= 0 or total == 0.0:
        return start
    drawn = generator.choice(norms.size, size=draws, p=norms / total)
    return np.union1d(start, drawn).astype(np.intp)


def residual_norms(matrix: DataMatrix, chosen: Indices) -> Array:
    """Return the squared norms of the columns of ``X - C C^+ X``, (n,).

    Residuals at the level of rounding are set to 0.
    """
    norms = matrix.column_norms()
    if chosen.size == 0:
        return np.where(norms > matrix.negligible**2, norms, 0.0)
    Q = orthonormal_basis(matrix.columns(chosen), matrix.negligible)
    explained = matrix.adjoint(Q)
    residual = norms - np.einsum("ij,ij->i", explained, explained)
    residual[chosen] = 0.0
    return np.where(residual > np.maximum(1e-14 * norms, matrix.negligible**2), residual, 0.0)
