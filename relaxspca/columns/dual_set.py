"""Deterministic columns by dual-set spectral-Frobenius sparsification."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.columns.data_matrix import as_data_matrix
from relaxspca.columns.pursuit import pursuit_columns
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices
from relaxspca.problem.observations import whole_number


def dual_set_columns(
    data: Any, k: int, r: int, *, fill: bool = True, rng: np.random.Generator | None = None
) -> Indices:
    r"""Choose r columns whose span has a rank-k approximation within a proved factor of the best.

    .. math:: |X - X_{C,k}|_F^2 \le (1 + (1 - \sqrt{k/r})^{-2}) |X - X_k|_F^2

    Parameters
    ----------
    data : array, sparse array, Covariance or DataMatrix, shape (m, n)
        Observations by variables.
    k : int
        Target rank.
    r : int
        Number of columns, ``k < r <= n``; all of them when ``r = n >= k``.
    fill : bool
        The method may pick a column twice. Fill the places left by the columns that matching pursuit
        adds; more columns never increase the error, so the bound still holds.
    rng : Generator or None
        Ignored: the method is deterministic. Present so that every selection has one signature.

    Returns
    -------
    (r,) int64
        Sorted distinct column numbers (fewer than r when ``fill`` is False and columns repeat).

    Raises
    ------
    InputError
        k and r do not fit each other or n.

    Notes
    -----
    The bound assumes exact leading singular vectors; here they are accurate to rounding.

    References
    ----------
    Boutsidis, Drineas and Magdon-Ismail, "Near-optimal column-based matrix reconstruction",
    SIAM J. Comput. 43 (2014), Theorem 2; the loop as corrected in docs/theory/encoders.md.

    Examples
    --------
    >>> import numpy as np
    >>> dual_set_columns(np.diag([5.0, 4.0, 0.1, 0.2]), 2, 3)
    array([0, 1, 3])
    """
    matrix = as_data_matrix(data)
    n = matrix.shape[1]
    k, r = whole_number(k, "k"), whole_number(r, "r")
    if k <= r == n:
        return np.arange(n, dtype=np.int64)
    if not 1 <= k < r < n:
        raise InputError(
            f"dual-set sparsification needs k < r < n, or r = n; got k={k}, r={r}, n={n} "
            "(pursuit also takes r = k)"
        )
    values, V = matrix.leading(k)
    residual = matrix.column_norms() - np.square(V) @ np.square(values)  # of the columns of X - X_k
    chosen = np.unique(dual_set_sparsification(V, np.maximum(residual, 0.0), r)[0])
    if fill and chosen.size < r:
        return pursuit_columns(matrix, k, r, start=chosen)
    return chosen


def dual_set_sparsification(V: Array, norms: Array, r: int) -> tuple[Indices, Array]:
    r"""Pick r rescaled rows of V that are well-conditioned, such that a second set of vectors does not grow.

    For rows ``v_i`` of V with ``V'V = I_k`` and vectors ``a_i`` with ``|a_i|^2 = norms_i``, the
    sampling matrix Omega and the rescaling S returned satisfy

    .. math:: \sigma_k(V' \Omega S) \ge 1 - \sqrt{k/r}, \qquad |A \Omega S|_F \le |A|_F.

    Parameters
    ----------
    V : (n, k) with orthonormal columns
        The first set, one vector a row.
    norms : (n,) non-negative
        Squared norms of the second set; all zero when there is none.
    r : int
        Number of draws, ``r > k``.

    Returns
    -------
    indices : (r,) int64
        Column number of each draw; a number may repeat.
    scales : (r,) float
        Diagonal of the rescaling matrix S.

    Raises
    ------
    InputError
        V is no matrix, a norm is missing, or r is not above k.

    Notes
    -----
    At every step some column has ``upper <= lower`` because the upper functions sum to
    ``1 - sqrt(k/r)`` and the lower ones to at least that; the largest difference is taken.

    References
    ----------
    Boutsidis, Drineas and Magdon-Ismail, "Sparse features for PCA-like linear regression",
    NIPS 2011, Table 1 and Lemma 5 (the printed loop, rescaling and bound hold misprints).

    Examples
    --------
    >>> import numpy as np
    >>> indices, _ = dual_set_sparsification(np.eye(4)[:, :2], np.array([0.0, 0.0, 1.0, 1.0]), 8)
    >>> sorted(set(indices.tolist()))
    [0, 1]
    """
    r = whole_number(r, "r")
    if np.ndim(V) != 2 or np.shape(norms) != np.shape(V)[:1] or r <= V.shape[1]:
        raise InputError(
            f"V must be a matrix of fewer than r={r} columns, and norms have a number for each of its rows, "
            f"not the shapes {np.shape(V)} and {np.shape(norms)}"
        )
    k = V.shape[1]
    shrink = 1.0 - np.sqrt(k / r)
    total = float(norms.sum())
    upper = shrink * norms / total if total > 0.0 else np.zeros_like(norms)
    B = np.zeros((k, k))
    indices = np.zeros(r, dtype=np.int64)
    weights = np.zeros(r)
    for step in range(r):
        lower = _lower_function(V, B, step - np.sqrt(r * k))
        i = int(np.argmax(lower - upper))
        weights[step] = 2.0 / (upper[i] + lower[i])
        indices[step] = i
        B += weights[step] * np.outer(V[i], V[i])
    return indices, np.sqrt(weights * shrink / r)


def _lower_function(V: Array, B: Array, level: float) -> Array:
    """Return the lower barrier function of every row of V for a step of the barrier from level to level + 1."""
    eigenvalues, vectors = np.linalg.eigh(B)
    inverse = 1.0 / (eigenvalues - (level + 1.0))
    change = float(inverse.sum() - (1.0 / (eigenvalues - level)).sum())
    coordinates = np.square(V @ vectors)
    return np.asarray(coordinates @ np.square(inverse) / change - coordinates @ inverse)
