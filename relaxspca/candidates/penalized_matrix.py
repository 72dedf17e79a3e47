"""The penalized matrix decomposition with an l1 constraint on the loadings (PMD, SPC)."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.candidates.thresholding import of_cardinality, soft
from relaxspca.numerics.linalg import Array, oriented
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance


def penalized_matrix(cov: Covariance, k: int) -> Candidate:
    r"""Reach cardinality k by a search over the bound c of the l1 norm.

    .. math:: \max u^T X v \quad\text{s.t.}\quad \|u\|_2 \le 1,\ \|v\|_2 \le 1,\ \|v\|_1 \le c

    Parameters
    ----------
    cov : Covariance of n variables, X'X.
    k : int, the cardinality.

    Returns
    -------
    Candidate, loadings re-fitted on the support; its `method` says so where no c gives cardinality k.

    References
    ----------
    Witten, Tibshirani and Hastie, "A penalized matrix decomposition", Biostatistics 10, 2009, algorithm 3.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> penalized_matrix(load_pitprops(), 7).indices.tolist()
    [0, 1, 5, 6, 7, 8, 9]
    """
    k = checked_cardinality(cov, k)
    largest = float(np.sqrt(cov.n))
    start = leading_eigenpairs(cov, 1)[1][:, 0]

    def solve(cut: float) -> Array:
        v = start
        for _ in range(500):
            # X'u but for its length, which makes no difference.
            following = l1_projection(cov.product(v) + cov.shift * v, largest - cut)
            change = float(np.abs(following - v).max())
            v = following
            if change <= 1e-10:
                break
        return oriented(v)

    return of_cardinality(cov, k, solve, largest - 1.0, "penalized_matrix")


def l1_projection(p: Array, c: float) -> Array:
    r"""Maximise p'v over :math:`\|v\|_2 \le 1,\ \|v\|_1 \le c`: p soft-thresholded and normalised.

    Notes
    -----
    Between two sorted entries the ratio of the norms is a quadratic equation in the threshold, solved exactly.
    Where t largest entries tie and c is below the root of t, the maximisers are many; one of them is taken.
    """
    size = np.sort(np.abs(p))[::-1]
    scale = size[0] if size[0] > 0.0 else 1.0
    size = size / scale
    if size.sum() <= c * np.linalg.norm(size):
        return np.asarray(p / max(float(np.linalg.norm(p)), np.finfo(float).tiny))
    if c <= 1.0:
        # One variable: a threshold at the next entry would leave rounding errors.
        return _tied_vertex(p, 1.0)
    sums, squares = np.cumsum(size), np.cumsum(size * size)
    m = np.arange(1, len(size) + 1)
    # Ratio of the norms with m entries left, at the threshold where entry m + 1 is about to enter.
    entering = np.append(size[1:], 0.0)
    one = sums - m * entering
    two = np.sqrt(np.maximum(squares - 2.0 * entering * sums + m * entering**2, 0.0))
    left = int(np.argmax(one > c * two))
    spread = max(m[left] * squares[left] - sums[left] ** 2, 0.0)
    level = 1.0
    if m[left] > c * c:
        level = float((sums[left] - c * np.sqrt(spread / (m[left] - c * c))) / m[left])
    if level > 1.0 - 1e-14:
        return _tied_vertex(p, c)
    v = soft(p, level * scale)
    return np.asarray(v / np.linalg.norm(v))


def _tied_vertex(p: Array, c: float) -> Array:
    """Return a unit vector of l1 norm c on the tied largest entries, all equal but the first."""
    tied = np.abs(p) >= np.abs(p).max() * (1.0 - 1e-14)
    t = int(np.count_nonzero(tied))
    others = (c - np.sqrt(max(t - c * c, 0.0) / (t - 1))) / t if t > 1 else 0.0
    v = np.where(tied, others, 0.0)
    v[int(np.argmax(tied))] = c - (t - 1) * others
    return np.asarray(np.sign(p) * v / np.linalg.norm(v))
