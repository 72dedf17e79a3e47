"""Power iterations truncated to the k largest entries."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.rows import distinct, row_reader, support_values
from relaxspca.candidates.spectrum import leading_direction
from relaxspca.candidates.thresholding import largest_entries
from relaxspca.numerics.linalg import Array
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance


def truncated_power(cov: Covariance, k: int) -> Candidate:
    r"""Iterate the power method, truncated to the k largest entries, from several starts.

    They are the variable of largest variance, the k variables of largest variance, the leading eigenvector, and
    the result for 2k, itself started from 4k and 8k.

    .. math:: x \leftarrow \frac{\operatorname{trunc}_k(\Sigma x)}{\|\operatorname{trunc}_k(\Sigma x)\|}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality.

    Returns
    -------
    Candidate, the best over the starts, its loadings re-fitted on the support.

    Notes
    -----
    The variance never decreases for a positive semidefinite matrix; an indefinite one is shifted.

    References
    ----------
    Yuan and Zhang, "Truncated power method for sparse eigenvalue problems", JMLR 14, 2013, algorithm 1.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> truncated_power(load_pitprops(), 7).indices.tolist()
    [0, 1, 5, 6, 7, 8, 9]
    """
    k = checked_cardinality(cov, k)
    supports = distinct(largest_entries(power_iterations(cov, k, _starts(cov, k)).T, k))[0]
    best = int(np.argmax(support_values(row_reader(cov), supports)))
    return Candidate.from_support(cov, supports[best], method="truncated_power")


def power_iterations(cov: Covariance, k: int, starts: Array) -> Array:
    """Return the final unit k-sparse vectors (n, s); x'(Sigma + shift I)x never falls."""
    X = _truncated(starts, k)
    Y = cov.product(X) + cov.shift * X
    value = np.einsum("is,is->s", X, Y)
    for _ in range(200):
        moved = Y.any(axis=0)
        X = np.where(moved, _truncated(Y, k), X)
        Y = cov.product(X) + cov.shift * X
        before, value = value, np.einsum("is,is->s", X, Y)
        if np.all(value - before <= 1e-9 * np.abs(value)):
            break
    return X


def _truncated(Y: Array, k: int) -> Array:
    """Keep the k largest entries in modulus of each column and normalise; zero columns stay zero."""
    X = np.zeros_like(Y)
    kept = largest_entries(Y.T, k).T
    np.put_along_axis(X, kept, np.take_along_axis(Y, kept, axis=0), axis=0)
    norms = np.linalg.norm(X, axis=0)
    return np.asarray(X / np.where(norms > 0.0, norms, 1.0))


def _starts(cov: Covariance, k: int) -> Array:
    by_variance = np.argsort(-cov.diagonal, kind="stable")
    largest = np.zeros((cov.n, 2))
    largest[by_variance[0], 0] = 1.0
    largest[by_variance[:k], 1] = 1.0
    leading = leading_direction(cov)[:, None]
    warm = leading
    for size in (8 * k, 4 * k, 2 * k):
        if size < cov.n:
            warm = power_iterations(cov, size, warm)
    return np.column_stack([largest, leading, warm])
