"""Turn r columns into an r-sparse encoder whose loss is at most the error of their span."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from relaxspca.columns import DataMatrix, as_data_matrix, best_rank_k_in_span
from relaxspca.columns.data_matrix import checked_columns
from relaxspca.encoders.encoder import Encoder
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array, spread
from relaxspca.problem.observations import whole_number


def black_box_encoder(data: Any, columns: ArrayLike, k: int) -> Encoder:
    r"""Return an encoder on columns C of the data whose loss is at most the error of the best rank k in C.

    .. math:: |X - XH(XH)^+X|_F^2 \le |X - X_{C,k}|_F^2, \qquad H = \Omega U,\quad H'H = I_k

    with Omega the selection matrix of the columns and U the left singular vectors of ``C^+ X_{C,k}``; equality
    holds when the best approximation ``X_{C,k}`` in the span of C has rank k.

    Parameters
    ----------
    data : as in `batch_encoder`.
    columns : (r,) distinct int
        The variables that the encoder may use, ``r >= k``.
    k : int
        Number of factors.

    Returns
    -------
    Encoder
        Its bound is ``|X - X_{C,k}|_F^2``.

    Raises
    ------
    InputError
        k is out of range, or there are fewer than k distinct columns, or one is out of range.

    References
    ----------
    Magdon-Ismail and Boutsidis, NIPS 2016, Theorem 5.

    Examples
    --------
    >>> import numpy as np
    >>> black_box_encoder(np.diag([3.0, 2.0, 1.0]), [0, 2], 1).loss
    5.0
    """
    matrix = as_data_matrix(data)
    k = whole_number(k, "k")
    if not 1 <= k <= min(matrix.shape):
        raise InputError(f"the number of factors must lie in 1..{min(matrix.shape)}; got {k}")
    chosen = checked_columns(columns, matrix.shape[1])
    if chosen.size < k:
        raise InputError(
            f"an encoder of {k} factors needs at least {k} distinct columns out of "
            f"0..{matrix.shape[1] - 1}; got {chosen.tolist()}"
        )
    H, error = black_box_loadings(matrix, chosen, k)
    return Encoder.from_loadings(matrix, H, method="columns", bound=error)


def black_box_loadings(matrix: DataMatrix, columns: Any, k: int) -> tuple[Array, float]:
    """Return H (n, k) with orthonormal columns supported on the columns, and ``|X - X_{C,k}|_F^2``."""
    best = best_rank_k_in_span(matrix, columns, k)
    U, values, _ = np.linalg.svd(best.coefficients, full_matrices=False)
    scores = best.basis @ (U[:, :k] * values[:k])
    W = _weights(matrix.resolved_columns(columns), scores)
    H = np.linalg.svd(W, full_matrices=True)[0][:, :k]  # its span contains that of W
    return spread(H, columns, matrix.shape[1]), best.loss


def _weights(C: Array, scores: Array) -> Array:
    """Return the least-squares solution of ``C W = scores``, solved with columns of C scaled to length 1."""
    lengths = np.linalg.norm(C, axis=0)
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0.0)
    solution, *_ = np.linalg.lstsq(C * scale, scores, rcond=None)
    return np.asarray(solution * scale[:, None])
