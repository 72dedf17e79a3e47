"""Local search over columns: exchange one at a time until no exchange lowers the error."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from relaxspca.columns.data_matrix import as_data_matrix, checked_columns
from relaxspca.columns.dual_set import dual_set_columns
from relaxspca.columns.pursuit import pursuit_columns
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices
from relaxspca.problem.observations import whole_number


def exchange_columns(
    data: Any,
    k: int,
    r: int,
    *,
    start: ArrayLike | None = None,
    rng: np.random.Generator | None = None,
) -> Indices:
    r"""Choose r columns that no exchange of one column improves.

    .. math:: |X - X_{C,k}|_F^2 = \mathrm{tr}\,\Sigma - \sum_{l \le k} \lambda_l(Q'XX'Q),
        \qquad Q \text{ an orthonormal basis of the span of } C

    Parameters
    ----------
    data, k, rng : as in `dual_set_columns`; the n x n Gram matrix is formed.
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


def _kept_variance(Sigma: Array, taken: list[int], k: int, floor: float) -> Array:
    """Return, for every j, the variance of the best rank k in the span of column j and those taken; (n,).

    Columns of variance at most `floor` are rounding error and add nothing to the span.
    """
    n = Sigma.shape[0]
    values, vectors = np.linalg.eigh(Sigma[np.ix_(taken, taken)])
    used = values > max(1e-12 * values.max(initial=0.0), floor)
    whiten = vectors[:, used] / np.sqrt(values[used])
    P = whiten.T @ Sigma[taken]
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
