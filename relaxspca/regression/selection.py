"""Sparse features for regression: columns chosen deterministically."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from relaxspca.columns import DataMatrix, as_data_matrix, dual_set_columns
from relaxspca.numerics.linalg import Array
from relaxspca.problem.observations import whole_number
from relaxspca.regression.sparse_features import (
    FeatureRegression,
    checked_rank,
    checked_targets,
    principal_error,
    sparse_feature_regression,
)


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
