"""Columns by matching pursuit of the leading principal scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from relaxspca.columns.data_matrix import as_data_matrix, checked_columns
from relaxspca.columns.span import orthonormal_basis
from relaxspca.errors import InputError
from relaxspca.problem.node import Indices
from relaxspca.problem.observations import whole_number


def pursuit_columns(
    data: Any,
    k: int,
    r: int,
    *,
    start: ArrayLike = (),
    rng: np.random.Generator | None = None,
) -> Indices:
    r"""Add columns one by one, each the one that lowers the residual of ``X V_k`` most.

    .. math:: i_{s+1} \in \arg\min_i\ \min_W |X V_k - [C_s, x_i] W|_F, \qquad C_s = [x_{i_1}, \dots, x_{i_s}]

    Parameters
    ----------
    data, rng : as in `dual_set_columns`.
    k : int
        Number of leading scores to explain.
    r : int
        Number of columns, ``k <= r <= n``.
    start : (c,) int
        Columns already taken.

    Returns
    -------
    (r,) int64
        Sorted distinct column numbers. Once the scores are explained the columns of largest
        norm fill the remaining places.

    Raises
    ------
    InputError
        r is below k or the number of columns taken, or above n.

    Notes
    -----
    Column i reduces ``|T - Q Q'T|_F^2``, ``T = X V_k``, by ``|t_i|^2 / |x_i|^2`` where ``x_i`` is
    its residual against the columns taken and ``t_i = x_i'T``. There is no guarantee on its own;
    added to columns that have one, it keeps theirs.

    References
    ----------
    Civril and Magdon-Ismail, "Column subset selection via sparse approximation of SVD",
    Theoretical Computer Science 421 (2012).

    Examples
    --------
    >>> import numpy as np
    >>> pursuit_columns(np.diag([1.0, 3.0, 2.0]), 1, 2)
    array([1, 2])
    """
    matrix = as_data_matrix(data)
    n = matrix.shape[1]
    k, r = whole_number(k, "k"), whole_number(r, "r")
    taken = checked_columns(start, n)
    if k < 1 or not max(k, taken.size) <= r <= n:
        raise InputError(f"matching pursuit needs k <= r <= n; got k={k}, r={r}, n={n}, {taken.size} taken")
    norms = matrix.column_norms()
    scores = matrix.product(matrix.leading(k)[1])
    free = np.ones(n, dtype=bool)
    free[taken] = False
    Q = orthonormal_basis(matrix.columns(taken), matrix.negligible)
    target = scores - Q @ (Q.T @ scores)
    explained = matrix.adjoint(Q)
    residual = norms - np.einsum("ij,ij->i", explained, explained)
    for _ in range(r - taken.size):
        usable = free & (residual > np.maximum(1e-12 * norms, matrix.negligible**2))
        gains = np.square(matrix.adjoint(target)).sum(axis=1)
        gains = np.where(usable, gains / np.where(usable, residual, 1.0), -1.0)
        best = int(np.argmax(gains))
        if gains[best] <= 1e-24 * norms.max():
            largest = np.argsort(np.where(free, -norms, 1.0), kind="stable")[: r - taken.size]
            return np.sort(np.append(taken, largest)).astype(np.int64)
        taken = np.append(taken, best)
        free[best] = False
        column = matrix.columns([best])[:, 0]
        for _ in range(2):
            column = column - Q @ (Q.T @ column)
        column /= np.linalg.norm(column)
        Q = np.column_stack([Q, column])
        target = target - np.outer(column, column @ target)
        residual = residual - np.square(matrix.adjoint(column))
    return np.sort(taken)
