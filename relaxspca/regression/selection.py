"""Sparse features for regression: deterministic, exchanged, by leverage, and random columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relaxspca.columns import DataMatrix, as_data_matrix, dual_set_columns, exchange_columns, leverage_columns
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.observations import whole_number
from relaxspca.regression.sparse_features import (
    FeatureRegression,
    checked_rank,
    checked_targets,
    principal_error,
    sparse_feature_regression,
)

Indices = NDArray[np.intp]


def dsf_select(data: Any, Y: ArrayLike, k: int, r: int) -> FeatureRegression:
    r"""Regress on k features of r columns chosen deterministically, without looking at Y.

    .. math:: |Y - \Pi_{C,k}(Y)|_F \le |Y - U_kU_k'Y|_F
        + \frac{1}{1 - \sqrt{k/r}}\, \frac{|X - X_k|_F}{\sigma_k(X)}\, |Y|_2

    Parameters
    ----------
    data : array, sparse array or DataMatrix, shape (m, n)
        Observations by variables, used as they are.
    Y : (m,) or (m, p)
        Targets.
    k : int
        Number of features.
    r : int
        Number of columns, ``k < r <= n``.

    Returns
    -------
    FeatureRegression
        Its ``bound`` is the right-hand side (``inf`` when the k-th singular value is zero).

    Raises
    ------
    InputError
        k, r or the targets do not fit the data.

    Notes
    -----
    The published factor ``1 + sqrt(9k/r)`` is at least the one used here, and so follows from it, only for
    ``r >= 9k/4``; see docs/theory/encoders.md.

    References
    ----------
    Boutsidis, Drineas and Magdon-Ismail, NIPS 2011, Theorem 1 (DSF-Select).

    Examples
    --------
    >>> import numpy as np
    >>> X = np.diag([3.0, 2.0, 0.1])
    >>> model = dsf_select(X, [1.0, 1.0, 0.0], 1, 2)
    >>> model.columns.tolist(), model.error <= model.bound
    ([0, 1], True)
    """
    matrix = as_data_matrix(data)
    targets = checked_targets(matrix, Y)
    k, r = checked_rank(matrix, k), whole_number(r, "r")
    factor = 0.0 if r == matrix.shape[1] else 1.0 / (1.0 - math.sqrt(k / r)) if r > k else math.inf
    return sparse_feature_regression(
        matrix,
        targets,
        dual_set_columns(matrix, k, r),
        k,
        bound=regression_bound(matrix, targets, k, factor),
        method="dsf",
    )


def rsf_select(
    data: Any, Y: ArrayLike, k: int, r: int, *, rng: np.random.Generator | None = None
) -> FeatureRegression:
    r"""Regress on k features of r columns drawn by leverage, without looking at Y.

    .. math:: |Y - \Pi_{C,k}(Y)|_F \le |Y - U_kU_k'Y|_F
        + \sqrt{\frac{36 k \ln(20k)}{r}}\, \frac{|X - X_k|_F}{\sigma_k(X)}\, |Y|_2

    with probability at least 0.7 when ``r > 144 k ln(20 k)``.

    Parameters
    ----------
    data : array, sparse array or DataMatrix, shape (m, n)
        Observations by variables, used as they are.
    Y : (m,) or (m, p)
        Targets.
    k : int
        Number of features.
    r : int
        Number of draws; repeats are dropped.
    rng : Generator or None
        Source of randomness; None is a fixed seed.

    Returns
    -------
    FeatureRegression
        Its ``bound`` is the right-hand side, or None for smaller r, where the theorem is silent.

    Raises
    ------
    InputError
        k, r or the targets do not fit the data.

    References
    ----------
    Boutsidis, Drineas and Magdon-Ismail, NIPS 2011, Theorem 2 (RSF-Select).

    Examples
    --------
    >>> import numpy as np
    >>> rsf_select(np.diag([3.0, 2.0, 0.1]), [1.0, 1.0, 0.0], 2, 20).columns.tolist()
    [0, 1]
    """
    matrix = as_data_matrix(data)
    targets = checked_targets(matrix, Y)
    k = checked_rank(matrix, k)
    _check_draws(r)
    draws_needed = 144.0 * k * math.log(20.0 * k)
    bound = None
    if r > draws_needed:
        bound = regression_bound(matrix, targets, k, math.sqrt(draws_needed / (4.0 * r)))
    return sparse_feature_regression(
        matrix,
        targets,
        leverage_columns(matrix, k, r, rng=rng),
        k,
        bound=bound,
        probability=1.0 if bound is None else 0.7,
        method="rsf",
    )


def exchange_select(data: Any, Y: ArrayLike, k: int, r: int) -> FeatureRegression:
    r"""Regress on k features of r columns improved by exchanges, without looking at Y.

    .. math:: |Y - \Pi_{C,k}(Y)|_F \le |Y - U_kU_k'Y|_F
        + |E\Omega (V_k'\Omega)^+|_F \, \frac{|Y|_2}{\sigma_k(X)}, \qquad E = X - X_k

    Parameters
    ----------
    data : array, sparse array or DataMatrix, shape (m, n)
        Observations by variables, used as they are.
    Y : (m,) or (m, p)
        Targets.
    k : int
        Number of features.
    r : int
        Number of columns, ``k <= r <= n``.

    Returns
    -------
    FeatureRegression
        Its ``bound`` is the right-hand side for the columns chosen.

    Raises
    ------
    InputError
        k, r or the targets do not fit the data.

    References
    ----------
    docs/theory/encoders.md, section 5.

    Examples
    --------
    >>> import numpy as np
    >>> model = exchange_select(np.diag([3.0, 2.0, 0.1]), [1.0, 1.0, 0.0], 1, 2)
    >>> model.columns.tolist(), model.error <= model.bound
    ([0, 1], True)
    """
    matrix = as_data_matrix(data)
    targets = checked_targets(matrix, Y)
    k, r = checked_rank(matrix, k), whole_number(r, "r")
    columns = exchange_columns(matrix, k, r)
    bound = column_bound(matrix, targets, k, columns)
    return sparse_feature_regression(matrix, targets, columns, k, bound=bound, method="exchange")


def random_select(
    data: Any, Y: ArrayLike, k: int, r: int, *, rng: np.random.Generator | None = None
) -> FeatureRegression:
    """Regress on k features of r columns drawn uniformly without replacement: the baseline.

    Parameters
    ----------
    data : array, sparse array or DataMatrix, shape (m, n)
        Observations by variables, used as they are.
    Y : (m,) or (m, p)
        Targets.
    k : int
        Number of features.
    r : int
        Number of columns, at most n.
    rng : Generator or None
        Source of randomness; None is a fixed seed.

    Returns
    -------
    FeatureRegression

    Raises
    ------
    InputError
        k, r or the targets do not fit the data.

    Examples
    --------
    >>> import numpy as np
    >>> random_select(np.eye(4), [1.0, 2.0, 3.0, 4.0], 1, 4).columns.tolist()
    [0, 1, 2, 3]
    """
    matrix = as_data_matrix(data)
    _check_draws(r, most=matrix.shape[1])
    generator = np.random.default_rng(0) if rng is None else rng
    columns = generator.choice(matrix.shape[1], size=r, replace=False)
    return sparse_feature_regression(matrix, Y, columns, k, method="random")


def regression_bound(matrix: DataMatrix, Y: Array, k: int, factor: float) -> float:
    """Return ``|Y - U_kU_k'Y|_F + factor |X - X_k|_F / sigma_k |Y|_2``."""
    dense = principal_error(matrix, Y, k)
    values, _ = matrix.leading(k)
    tail = math.sqrt(max(float(matrix.column_norms().sum() - np.square(values).sum()), 0.0))
    if factor == 0.0 or tail == 0.0:
        return dense
    if values[-1] <= 0.0:
        return math.inf
    return dense + factor * tail / float(values[-1]) * float(np.linalg.norm(Y, 2))


def column_bound(matrix: DataMatrix, Y: Array, k: int, columns: Indices) -> float:
    """Return the error bound of given columns: ``|Y - U_kU_k'Y| + |E_C (V_k'Omega)^+| |Y|_2 / sigma_k``.

    It holds for any columns on which V_k has rank k, and is ``inf`` otherwise.
    """
    values, V = matrix.leading(k)
    block = np.array(V[columns]).T
    singular = np.linalg.svd(block, compute_uv=False)
    if columns.size < k or singular[-1] <= 1e-12 or values[-1] <= 0.0:
        return math.inf
    E = matrix.columns(columns) - matrix.product(V) @ block
    spread = float(np.linalg.norm(E @ np.linalg.pinv(block)))
    return principal_error(matrix, Y, k) + spread / float(values[-1]) * float(np.linalg.norm(Y, 2))


def _check_draws(r: int, most: float = math.inf) -> None:
    if not 1 <= whole_number(r, "r") <= most:
        raise InputError(f"the number of columns must lie in 1..{most}; got {r}")
