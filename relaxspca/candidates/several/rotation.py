"""Disjoint supports from rotated loadings of the leading eigenvectors, and exchanges between two supports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices

STARTS = 8  # rotations that are tried, or orders of components of different sizes


def rotations(cov: Covariance, r: int, count: int) -> Iterator[Array]:
    """Yield (n, r) random rotations of the r leading eigenvectors, scaled by their variances."""
    (values, vectors), rng = leading_eigenpairs(cov, r), np.random.default_rng(0)
    loadings = vectors * np.sqrt(np.maximum(values, 0.0))
    for _ in range(count):
        yield loadings @ np.linalg.qr(rng.normal(size=(loadings.shape[1],) * 2))[0]


def assigned(loadings: Array, sizes: Sequence[int]) -> list[Indices]:
    """Return disjoint supports of given sizes: the largest loading that fits is taken first.

    Examples
    --------
    >>> [s.tolist() for s in assigned(np.array([[3.0, 2.0], [1.0, 2.5], [0.5, 0.1]]), [2, 1])]
    [[0, 2], [1]]
    """
    supports: list[list[int]] = [[] for _ in sizes]
    used: set[int] = set()
    for at in np.argsort(-np.abs(loadings), axis=None, kind="stable"):
        i, t = divmod(int(at), loadings.shape[1])
        if i not in used and len(supports[t]) < sizes[t]:
            supports[t].append(i)
            used.add(i)
    return [np.array(sorted(support), dtype=np.int64) for support in supports]


def exchanges(S: Indices, T: Indices) -> tuple[Indices, Indices]:
    """Return two disjoint supports after each exchange of a variable of one for one of the other, a row each.

    Examples
    --------
    >>> [some.tolist() for some in exchanges(np.array([0, 1]), np.array([2]))]
    [[[2, 1], [0, 2]], [[0], [1]]]
    """
    a, b = len(S), len(T)
    first, second = np.tile(S, (a, b, 1)), np.tile(T, (a, b, 1))
    first[np.arange(a), :, np.arange(a)] = T
    second[:, np.arange(b), np.arange(b)] = S[:, None]
    return first.reshape(a * b, a), second.reshape(a * b, b)
