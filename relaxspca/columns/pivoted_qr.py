"""Columns by QR factorisation with column pivoting, for dense and sparse data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from relaxspca.columns.data_matrix import as_data_matrix
from relaxspca.errors import InputError
from relaxspca.problem.observations import whole_number

Indices = NDArray[np.intp]


def pivoted_qr_columns(data: Any, k: int, r: int, *, rng: np.random.Generator | None = None) -> Indices:
    r"""Choose r columns greedily, each the one of largest residual against those before it.

    .. math:: i_{s+1} \in \arg\max_i\ |x_i - C_s C_s^+ x_i|, \qquad C_s = [x_{i_1}, \dots, x_{i_s}]

    Parameters
    ----------
    data : array, sparse array, Covariance or DataMatrix, shape (m, n)
        Observations by variables.
    k : int
        Target rank; the pivots do not depend on it.
    r : int
        Number of columns, ``k <= r <= n``.
    rng : Generator or None
        Ignored: the method is deterministic.

    Returns
    -------
    intp array
        Sorted column numbers: r, or fewer when these already span every column.

    Raises
    ------
    InputError
        r is not in k..n.

    References
    ----------
    Businger and Golub, "Linear least squares solutions by Householder transformations",
    Numerische Mathematik 7 (1965).

    Examples
    --------
    >>> import numpy as np
    >>> pivoted_qr_columns(np.diag([1.0, 3.0, 2.0]), 1, 2)
    array([1, 2])
    """
    matrix = as_data_matrix(data)
    m, n = matrix.shape
    k, r = whole_number(k, "k"), whole_number(r, "r")
    if not 1 <= k <= r <= n:
        raise InputError(f"pivoted QR needs k <= r <= n; got k={k}, r={r}, n={n}")
    norms = matrix.column_norms()
    residual = norms.copy()
    Q = np.zeros((m, min(m, r)))
    pivots: list[int] = []
    for step in range(min(m, r)):
        pivot = int(np.argmax(residual))
        if residual[pivot] <= 1e-14 * norms.max():
            break
        column = matrix.columns([pivot])[:, 0]
        # Twice is enough: one pass of Gram-Schmidt loses orthogonality on nearly dependent columns.
        for _ in range(2):
            column = column - Q[:, :step] @ (Q[:, :step].T @ column)
        Q[:, step] = column / np.linalg.norm(column)
        residual = np.maximum(residual - np.square(matrix.adjoint(Q[:, step])), 0.0)
        residual[pivot] = 0.0
        pivots.append(pivot)
    return np.sort(np.asarray(pivots, dtype=np.intp))
