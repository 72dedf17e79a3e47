"""Deterministic columns: dual-set sparsification, matching pursuit of leading scores, and exchanges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from relaxspca.columns.data_matrix import as_data_matrix, checked_columns, orthonormal_basis
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array, Indices
from relaxspca.problem.observations import whole_number


def dual_set_columns(data: Any, k: int, r: int, *, fill: bool = True) -> Indices:
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


def exchange_columns(data: Any, k: int, r: int, *, start: ArrayLike | None = None) -> Indices:
    r"""Choose r columns that no exchange of one column improves.

    .. math:: |X - X_{C,k}|_F^2 = \mathrm{tr}\,\Sigma - \sum_{l \le k} \lambda_l(Q'XX'Q),
        \qquad Q \text{ an orthonormal basis of the span of } C

    Parameters
    ----------
    data, k : as in `dual_set_columns`; the n x n Gram matrix is formed.
    r : int
        Number of columns, ``k <= r <= n``.
    start : (r,) int or None
        First columns; None takes those of dual-set sparsification, whose bound the result keeps, or
        of matching pursuit when r = k.

    Returns
    -------
    (r,) int64
        Sorted distinct column numbers.

    Raises
    ------
    InputError
        r is not in k..n.

    Notes
    -----
    An exchange is made only where it lowers the error, so a bound on the error of the first columns holds for
    the last.

    References
    ----------
    docs/theory/encoders.md, section 2.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> exchange_columns(load_pitprops(), 2, 5)
    array([1, 2, 6, 7, 9])
    """
    matrix = as_data_matrix(data)
    n = matrix.shape[1]
    k, r = whole_number(k, "k"), whole_number(r, "r")
    if not 1 <= k <= r <= n:
        raise InputError(f"the exchange of columns needs k <= r <= n; got k={k}, r={r}, n={n}")
    if start is None:
        first = dual_set_columns(matrix, k, r) if k < r else pursuit_columns(matrix, k, r)
    else:
        first = checked_columns(start, n)
    Sigma, floor = matrix.gram(), matrix.negligible**2
    chosen = first.tolist()
    kept = float(_kept_variance(Sigma, chosen[1:], k, floor)[chosen[0]])
    unchanged = 0
    # The oldest column is tried first; once all r have been tried in vain the set is final.
    while unchanged < r < n:
        oldest = chosen.pop(0)
        variance = _kept_variance(Sigma, chosen, k, floor)
        best = int(np.argmax(variance))
        if variance[best] > kept * (1.0 + 1e-10):
            kept, unchanged = float(variance[best]), 0
        else:
            best, unchanged = oldest, unchanged + 1
        chosen.append(best)
    return np.sort(np.asarray(chosen, dtype=np.int64))


def _kept_variance(Sigma: Array, taken: list[int], k: int, floor: Array) -> Array:
    """Return, for every j, the variance of the best rank k in the span of column j and those taken; (n,).

    Columns of variance at most `floor`, (n,), are rounding error and add nothing to the span.
    """
    n = Sigma.shape[0]
    basis = [j for j in taken if Sigma[j, j] > floor[j]]
    lengths = np.sqrt(np.diagonal(Sigma)[basis])
    values, vectors = np.linalg.eigh(Sigma[np.ix_(basis, basis)] / np.outer(lengths, lengths))
    used = values > 1e-12 * values.max(initial=0.0)
    whiten = vectors[:, used] / np.sqrt(values[used]) / lengths[:, None]
    P = whiten.T @ Sigma[basis]
    rest = np.diagonal(Sigma) - np.einsum("ij,ij->j", P, P)
    free = rest > np.maximum(1e-10 * np.diagonal(Sigma), floor)
    free[taken] = False
    B = np.zeros((n, n))
    B[free] = (Sigma[free] - P[:, free].T @ P) / np.sqrt(rest[free])[:, None]
    q = P.shape[0]
    blocks = np.zeros((n, q + 1, q + 1))
    blocks[:, :q, :q] = P @ P.T
    blocks[:, q, :q] = B @ P.T
    blocks[:, q, q] = np.einsum("ij,ij->i", B, B)
    variance = np.linalg.eigvalsh(blocks)[:, -min(k, q + 1) :].sum(axis=1)
    variance[taken] = -np.inf
    return np.asarray(variance)


def pursuit_columns(data: Any, k: int, r: int, *, start: ArrayLike = ()) -> Indices:
    r"""Add columns one by one, each the one that lowers the residual of ``X V_k`` most.

    .. math:: i_{s+1} \in \arg\min_i\ \min_W |X V_k - [C_s, x_i] W|_F, \qquad C_s = [x_{i_1}, \dots, x_{i_s}]

    Parameters
    ----------
    data : as in `dual_set_columns`.
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
    Q = orthonormal_basis(matrix.columns(taken), matrix.negligible[taken])
    target = scores - Q @ (Q.T @ scores)
    residual = matrix.outside(Q).column_norms()
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
