"""Truncation and thresholding: the k largest entries of a vector, and the penalty that leaves k of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from relaxspca.candidates.rows import distinct, in_parts, row_reader, support_values
from relaxspca.candidates.spectrum import leading_direction
from relaxspca.numerics.linalg import HALVINGS, Array, Indices, oriented
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance


def thresholding(cov: Covariance, k: int, *, of_rows: bool = True) -> Candidate:
    r"""Keep the k largest entries of the leading eigenvector, of the diagonal or of a row.

    .. math:: T = \text{indices of the } k \text{ largest } |u_i|, \qquad
              u \in \{u_1\} \cup \{\operatorname{diag} \Sigma\} \cup \{\Sigma_{i\cdot}\}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality.
    of_rows : bool, whether rows are truncated too; with thousands of variables they take most of the time.

    Returns
    -------
    Candidate, the best of these supports; of the rows a thousand are tried, those of largest variance.

    Notes
    -----
    The best is within a factor :math:`n^{-1/3}` of the optimum [1]_ (over all n rows).

    References
    ----------
    .. [1] S. O. Chan, D. Papailiopoulos, A. Rubinstein, On the approximability of sparse PCA, COLT 2016.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> thresholding(load_pitprops(), 3).indices.tolist()
    [0, 1, 8]
    """
    k = checked_cardinality(cov, k)
    supports = truncations(cov, k, of_rows=of_rows)
    best = int(np.argmax(support_values(row_reader(cov), supports)))
    return Candidate.from_support(cov, supports[best], method="thresholding")


def truncations(cov: Covariance, k: int, *, of_rows: bool = True) -> Indices:
    """Return the distinct supports (s, k) of all truncations, or of eigenvector and diagonal, in order."""
    supports = [largest_entries(size[None, :], k) for size in (leading_direction(cov), cov.diagonal)]
    if not of_rows:
        return np.concatenate(supports)
    read_rows = row_reader(cov)
    chosen = np.argsort(-cov.diagonal, kind="stable")[:1000]
    for part in in_parts(chosen[:, None], cov.n):
        supports.append(largest_entries(read_rows(part[:, 0]), k))
    return distinct(np.concatenate(supports))[0]


def largest_entries(V: Array, k: int) -> Indices:
    """Return, for each row of V (s, n), the sorted indices (s, k) of its k largest entries in modulus."""
    size = np.abs(V)
    if k == size.shape[1]:
        return np.tile(np.arange(k), (len(size), 1))
    # Entries equal up to rounding are taken in the order of the variables.
    rounded = np.round(size / np.maximum(size.max(axis=1, keepdims=True), np.finfo(float).tiny), 12)
    return np.sort(np.argsort(-rounded, axis=1, kind="stable")[:, :k], axis=1)


def soft(c: Array, level: float | Array) -> Array:
    """Shrink every entry by `level` towards zero."""
    return np.sign(c) * np.maximum(np.abs(c) - level, 0.0)


def unit(c: Array) -> Array:
    """Return loadings of length 1 and fixed sign; zero stays zero."""
    norm = float(np.linalg.norm(c))
    return oriented(c / norm) if norm > 0.0 else c


def of_cardinality(
    cov: Covariance, k: int, solve: Callable[[float], Array], most: float, method: str
) -> Candidate:
    """Search in [0, most] for a penalty whose solution has k nonzero entries; return its re-fitted support.

    A larger penalty leaves fewer. Where the path of solutions skips k, the one of smallest cardinality above k
    that was found is cut, or one below k filled, and the name of the method says so.
    """
    low, high, best = 0.0, most, solve(0.0)
    size = int(np.count_nonzero(best))
    for _ in range(HALVINGS):
        if size <= k:
            break
        middle = 0.5 * (low + high)
        vector = solve(middle)
        count = int(np.count_nonzero(vector))
        if count < k:
            high = middle
            continue
        low = middle
        if count < size:
            best, size = vector, count
    name = method if size == k else f"{method} (k = {k} skipped, cut or filled from {size})"
    return Candidate.from_support(cov, largest_entries(best[None, :], k)[0], method=name)
