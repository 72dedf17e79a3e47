"""Random columns: those with a relative-error guarantee, and columns drawn by their leverage in V_k."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from relaxspca.columns.data_matrix import DataMatrix, as_data_matrix, orthonormal_basis
from relaxspca.columns.dual_set import dual_set_columns, pursuit_columns
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array, Indices
from relaxspca.problem.observations import whole_number


def near_optimal_columns(data: Any, k: int, r: int, *, rng: np.random.Generator | None = None) -> Indices:
    r"""Choose r columns whose rank-k error is within a factor of the best that tends to 1 as r grows.

    .. math:: E|X - X_{C,k}|_F^2 \le
        \Bigl(1 + \frac{k (1 + (1 - \sqrt{k/r_1})^{-2})}{r - r_1}\Bigr) |X - X_k|_F^2

    Parameters
    ----------
    data, k : as in `dual_set_columns`.
    r : int
        Number of columns, ``k + 2 <= r <= n``; all of them when ``r = n >= k``.
    rng : Generator or None
        Source of randomness; None is a fixed seed.

    Returns
    -------
    (r,) int64
        Sorted distinct column numbers. Matching pursuit fills the places that repeats leave, which never
        increases the error.

    Raises
    ------
    InputError
        k and r do not fit each other or n.

    Notes
    -----
    The first ``r_1`` columns come from dual-set sparsification and the others from adaptive
    sampling; ``r_1`` minimises the factor above. At ``r_1 = 5k`` the factor is at most
    ``1 + 5k/(r - 5k)``, the published form, so the choice here is never worse.

    References
    ----------
    Boutsidis, Drineas and Magdon-Ismail, SIAM J. Comput. 43 (2014), Theorem 5, in the form of
    Magdon-Ismail and Boutsidis, "Optimal sparse linear encoders and sparse PCA", NIPS 2016.

    Examples
    --------
    >>> import numpy as np
    >>> near_optimal_columns(np.diag([5.0, 4.0, 0.0, 0.0]), 1, 3)
    array([0, 1, 2])
    """
    matrix = as_data_matrix(data)
    n = matrix.shape[1]
    k, r = whole_number(k, "k"), whole_number(r, "r")
    if k <= r == n:
        return np.arange(n, dtype=np.int64)
    if not 1 <= k <= r - 2 < n - 2:
        raise InputError(f"the near-optimal selection needs k + 2 <= r < n, or r = n; got k={k}, r={r}, n={n}")
    first, _ = best_split(k, r)
    start = dual_set_columns(matrix, k, first, fill=False)
    chosen = adaptive_columns(matrix, start, r - first, np.random.default_rng(0) if rng is None else rng)
    return chosen if chosen.size == r else pursuit_columns(matrix, k, r, start=chosen)


def adaptive_columns(matrix: DataMatrix, chosen: Indices, draws: int, rng: np.random.Generator) -> Indices:
    r"""Add columns drawn with probability proportional to their squared residual.

    With ``B = X - C C^+ X`` for the chosen columns C, ``draws`` columns are drawn independently
    with probabilities ``|b_i|^2 / |B|_F^2``, and for every k

    .. math:: E|X - X_{[C, C_2], k}|_F^2 \le |X - X_k|_F^2 + (k / draws) |X - C C^+ X|_F^2.

    References
    ----------
    Deshpande, Rademacher, Vempala and Wang, "Matrix approximation and projective clustering
    via volume sampling", Theory of Computing 2 (2006).
    """
    norms = matrix.column_norms()
    Q = orthonormal_basis(matrix.columns(chosen), matrix.negligible[chosen])
    residual = matrix.outside(Q).column_norms()
    residual[chosen] = 0.0
    # Residuals at the level of rounding are set to 0.
    residual = np.where(residual > np.maximum(1e-14 * norms, matrix.negligible**2), residual, 0.0)
    if not residual.any():
        return chosen
    drawn = rng.choice(norms.size, size=draws, p=residual / residual.sum())
    return np.union1d(chosen, drawn).astype(np.int64)


def best_split(k: int, r: int) -> tuple[int, float]:
    """Return the number of deterministic columns that minimises the factor, and the factor.

    Examples
    --------
    >>> first, factor = best_split(1, 25)
    >>> first, factor <= 1 + 5 / 20
    (7, True)
    """
    first = np.arange(k + 1, r)
    factors = 1.0 + k * dual_set_factor(k, first) / (r - first)
    best = int(np.argmin(factors))
    return int(first[best]), float(factors[best])


def dual_set_factor(k: int, r: ArrayLike) -> Array:
    """Return ``1 + (1 - sqrt(k/r))^-2``, the factor of dual-set sparsification, shape of r.

    Examples
    --------
    >>> float(dual_set_factor(1, 4))
    5.0
    """
    return np.asarray(1.0 + (1.0 - np.sqrt(k / np.asarray(r, dtype=float))) ** -2.0)


def leverage_columns(data: Any, k: int, r: int, *, rng: np.random.Generator | None = None) -> Indices:
    r"""Draw r columns independently by their leverage, and drop the repeats.

    .. math:: p_i = |v_i|^2 / k, \qquad v_i \text{ the rows of } V_k

    Parameters
    ----------
    data : as in `dual_set_columns`.
    k : int
        Rank of the leading singular space.
    r : int
        Number of draws.
    rng : Generator or None
        Source of randomness; None is a fixed seed.

    Returns
    -------
    int64 array
        Sorted distinct column numbers, at most r.

    References
    ----------
    Boutsidis, Drineas and Magdon-Ismail, NIPS 2011, Table 2 (RandSampling).

    Examples
    --------
    >>> import numpy as np
    >>> leverage_columns(np.diag([3.0, 2.0, 0.0]), 2, 20)
    array([0, 1])
    """
    generator = np.random.default_rng(0) if rng is None else rng
    if whole_number(r, "r") < 1:
        raise InputError(f"leverage sampling draws r >= 1 rows; got r={r}")
    _, V = as_data_matrix(data).leading(k)
    scores = np.square(V).sum(axis=1)
    return np.unique(generator.choice(len(V), size=r, p=scores / scores.sum())).astype(np.int64)
