"""Disjoint supports from rotated loadings of the leading eigenvectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices

__all__ = ["assigned", "rotations", "varimax"]


def rotations(cov: Covariance, r: int, count: int, rng: np.random.Generator) -> Iterator[Array]:
    """Yield (n, r) loadings: varimax of the r leading eigenvectors, from the first start and from random ones.

    Parameters
    ----------
    cov : Covariance of n variables.
    r : eigenvectors, at most n.
    count : how many.
    rng : of the random starts.
    """
    values, vectors = leading_eigenpairs(cov, r)
    loadings = vectors * np.sqrt(np.maximum(values, 0.0))
    for at in range(count):
        turn = np.eye(loadings.shape[1])
        if at:
            turn = np.linalg.qr(rng.normal(size=turn.shape))[0]
        yield loadings @ turn if at % 2 else varimax(loadings @ turn)


def varimax(loadings: Array, *, iterations: int = 200) -> Array:
    """Rotate loadings until the variances of their squares are as large as possible.

    References
    ----------
    H. F. Kaiser, The varimax criterion for analytic rotation in factor analysis, Psychometrika 23, 1958.

    Examples
    --------
    >>> W = np.array([[1.0, 1.0], [1.0, -1.0]])
    >>> round(float(np.abs(varimax(W)).sum()), 4)
    2.8284
    """
    n, r = loadings.shape
    # Not from where it is: loadings of equal squares are a stationary point.
    turn, reached = np.linalg.qr(np.eye(r) + 0.3 * np.tri(r))[0], -np.inf
    # With this much of the (constant) sum of squares added the criterion is convex: every step goes up.
    added = float((loadings**2).sum()) / n
    for _ in range(iterations):
        turned = loadings @ turn
        squares = turned**2
        criterion = float((squares**2).sum() - (squares.sum(axis=0) ** 2).sum() / n)
        if criterion <= reached + 1e-12 * abs(reached):
            break
        reached = criterion
        U, _, V = np.linalg.svd(loadings.T @ (turned * (squares + added - squares.mean(axis=0))))
        turn = U @ V
    return np.asarray(loadings @ turn)


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
