"""Information loss of a linear encoder, and the decoder that attains it."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.columns import DataMatrix, as_data_matrix
from relaxspca.columns.span import orthonormal_basis
from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import Array


def encoder_loss(data: Any, H: Array) -> float:
    r"""Return the squared error of encoding the data by H and decoding with the best decoder.

    .. math:: \min_G |X - XHG|_F^2 = |X - XH (XH)^+ X|_F^2

    Parameters
    ----------
    data : array, sparse array, Covariance or DataMatrix, shape (m, n)
        Observations by variables, used as they are: centre them first if they should be. For a
        covariance Sigma = A'A the data are A, and the loss depends on Sigma only.
    H : (n, k)
        Encoder, one factor a column.

    Returns
    -------
    float
        Squared Frobenius norm (variance units for a covariance).

    Raises
    ------
    InputError
        H is not a finite (n, k) array, or the data are unusable.

    Notes
    -----
    For given codes XH the best decoder is least squares, so the loss is that of the projection on their span.

    References
    ----------
    Magdon-Ismail and Boutsidis, "Optimal sparse linear encoders and sparse PCA", NIPS 2016.

    Examples
    --------
    >>> import numpy as np
    >>> encoder_loss(np.diag([3.0, 2.0, 1.0]), np.eye(3)[:, :1])
    5.0
    """
    matrix = as_data_matrix(data)
    kept = matrix.adjoint(encoded_basis(matrix, checked_encoder(matrix, H)))
    return max(total_energy(matrix) - float(np.square(kept).sum()), 0.0)


def symmetric_variance(data: Any, H: Array) -> float:
    r"""Return the variance explained by projecting the data on the span of H, divided by the largest possible.

    .. math:: |X H H^+|_F^2 / |X_k|_F^2 \le 1

    Variance-maximising sparse PCA maximises this ratio; the decoder is forced to be ``H^+``.

    Parameters
    ----------
    data, H : as in `encoder_loss`.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> symmetric_variance(np.diag([2.0, 1.0]), np.eye(2)[:, 1:])
    0.25
    """
    matrix = as_data_matrix(data)
    span = orthonormal_basis(checked_encoder(matrix, H))
    values, _ = matrix.leading(H.shape[1])
    best = float(np.square(values).sum())
    return float(np.square(matrix.product(span)).sum()) / best if best > 0.0 else 1.0


def optimal_decoder(data: Any, H: Array) -> Array:
    r"""Return the least-squares decoder of least norm.

    .. math:: G = (XH)^+ X

    Parameters
    ----------
    data, H : as in `encoder_loss`.

    Returns
    -------
    (k, n) array

    Examples
    --------
    >>> import numpy as np
    >>> optimal_decoder(np.diag([3.0, 2.0]), 2.0 * np.eye(2)[:, :1])
    array([[0.5, 0. ]])
    """
    matrix = as_data_matrix(data)
    encoder = checked_encoder(matrix, H)
    codes = matrix.product(encoder)
    is_resolved = np.linalg.norm(codes, axis=0) > matrix.negligible * np.linalg.norm(encoder, axis=0)
    codes = np.where(is_resolved, codes, 0.0)
    rounding = 8 * matrix.shape[1] * np.finfo(float).eps
    inverse: Array = np.asarray(np.linalg.pinv(codes, rcond=rounding), dtype=np.float64)
    return matrix.adjoint(inverse.T).T


def least_loss(matrix: DataMatrix, k: int) -> float:
    """Return ``|X - X_k|_F^2``, the loss of k dense principal components."""
    values, _ = matrix.leading(k)
    return max(total_energy(matrix) - float(np.square(values).sum()), 0.0)


def total_energy(matrix: DataMatrix) -> float:
    """Return ``|X|_F^2``."""
    return float(matrix.column_norms().sum())


def encoded_basis(matrix: DataMatrix, H: Array) -> Array:
    """Return an orthonormal basis of the codes ``XH``, (m, q)."""
    lengths = np.linalg.norm(H, axis=0)
    return orthonormal_basis(matrix.product(H[:, lengths > 0.0] / lengths[lengths > 0.0]), matrix.negligible)


def loss_ratio(loss: float, optimum: float, total: float) -> float:
    """Return loss / optimum, at least 1; losses at the level of rounding in the total count as 0."""
    rounding = 1e-13 * total
    if optimum > rounding:
        return max(loss / optimum, 1.0)
    return 1.0 if loss <= 10.0 * rounding else float("inf")


def checked_encoder(matrix: DataMatrix, H: Array) -> Array:
    """Return H as (n, k) floats; raise `InputError` if its shape is wrong or an entry is not finite."""
    encoder = np.asarray(H, dtype=np.float64)
    n = matrix.shape[1]
    if encoder.ndim != 2 or encoder.shape[0] != n or encoder.shape[1] == 0:
        raise InputError(f"an encoder of {counted(n, 'variable')} has shape ({n}, k); got {encoder.shape}")
    if not np.isfinite(encoder).all():
        raise InputError("the encoder holds NaN or infinite entries")
    return encoder
