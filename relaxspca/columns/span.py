"""The best rank-k approximation whose columns lie in the span of chosen columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from relaxspca.columns.data_matrix import as_data_matrix, checked_columns
from relaxspca.numerics.linalg import Array


@dataclass(frozen=True, eq=False)
class SpanApproximation:
    """The approximation ``basis @ coefficients``, of rank at most k.

    Attributes
    ----------
    basis : (m, q)
        Orthonormal basis Q of the span of the columns.
    coefficients : (q, p)
        ``(Q'Y)_k``, the best rank-k approximation of the target's coordinates.
    loss : float
        Squared Frobenius norm of target minus approximation.
    """

    basis: Array
    coefficients: Array
    loss: float


def best_rank_k_in_span(
    data: Any, columns: ArrayLike, k: int, *, target: Array | None = None
) -> SpanApproximation:
    r"""Approximate a target with rank k inside the span of columns of the data.

    .. math:: \min |Y - Z|_F^2 \quad \text{s.t. rank } Z \le k,\ Z = C M \text{ for some } M,
        \qquad Z = Q (Q'Y)_k

    Parameters
    ----------
    data : as in `dual_set_columns`.
    columns : (r,) int
        Columns C of the data.
    k : int
        Rank.
    target : (m, p) or None
        Y; None is the data themselves.

    Returns
    -------
    SpanApproximation

    Notes
    -----
    ``|Y - QM|^2 = |Y - QQ'Y|^2 + |Q'Y - M|^2``, and the last term is least at the truncated
    singular value decomposition. A rank-deficient C is allowed; a column at the level of rounding, relative to
    the longest column of the data, counts as zero.

    References
    ----------
    Boutsidis, Drineas and Magdon-Ismail, SIAM J. Comput. 43 (2014), section 2.

    Examples
    --------
    >>> import numpy as np
    >>> best_rank_k_in_span(np.diag([3.0, 2.0, 1.0]), [0, 1], 1).loss
    5.0
    """
    matrix = as_data_matrix(data)
    Q = orthonormal_basis(matrix.columns(checked_columns(columns, matrix.shape[1])), matrix.negligible)
    if target is None:
        coordinates = matrix.adjoint(Q).T
        total = float(matrix.column_norms().sum())
    else:
        coordinates = Q.T @ target
        total = float(np.square(target).sum())
    U, values, Vt = np.linalg.svd(coordinates, full_matrices=False)
    coefficients = (U[:, :k] * values[:k]) @ Vt[:k]
    return SpanApproximation(Q, coefficients, max(total - float(np.square(values[:k]).sum()), 0.0))


def orthonormal_basis(C: Array, negligible: float = 0.0) -> Array:
    """Return an orthonormal basis (m, q) of the span of columns (m, r); q is the numerical rank.

    Small columns count as much as large ones, but for those whose part outside the span of the others is no
    longer than the length that is negligible.
    """
    from scipy.linalg import qr

    if C.shape[1] == 0:
        return np.zeros((C.shape[0], 0))
    Q, R, order = qr(C, mode="economic", pivoting=True)
    parts = np.abs(np.diagonal(R))
    lengths = np.linalg.norm(C, axis=0)[order[: parts.size]]
    rounding = 8 * max(C.shape) * np.finfo(float).eps * lengths
    return np.asarray(Q[:, parts > np.maximum(rounding, negligible)])
