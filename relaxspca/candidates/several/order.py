"""The order in which vectors are made exactly orthogonal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices


def gentle_order(loadings: Array, supports: Sequence[Indices], places: Sequence[int]) -> tuple[int, ...]:
    """Return which vector to put in each place, so that each one keeps its loadings beside the earlier ones.

    Two vectors that meet a third one in the same two variables are parallel there, and a rounding error apart
    from it. Orthogonal to both of them, the third one would have to be 0 in these variables. It has to come
    before one of them, which then gives way by a rounding error.

    Parameters
    ----------
    loadings : (n, r) array, orthogonal up to rounding.
    supports : variables of each.
    places : for each, how many variables its place has; vectors change places only with others of as many.

    Returns
    -------
    tuple
        The vector in each place. Places are filled from the last: by the one of the largest vectors left for
        which the loadings of the others on its support are furthest from dependent.

    Examples
    --------
    >>> both, c, s = np.array([0.6, 0.8]), np.cos(1.0), np.sin(1.0)
    >>> X = np.zeros((6, 3))
    >>> X[:4, 0], X[:4, 1] = [*c * both, *s * both], [*s * both, *-c * both]
    >>> X[[0, 1, 4, 5], 2] = 0.56, -0.42, 0.5, 0.51
    >>> four = np.arange(4)
    >>> gentle_order(X, [four, four, np.array([0, 1, 4, 5])], [4, 4, 4])[-1] in (0, 1)
    True
    """
    lengths = [len(support) for support in supports]
    left = list(range(len(supports)))
    last_first: list[int] = []
    while left:
        longest = max(lengths[t] for t in left)
        worth = {t: _independence(loadings, supports[t], t, left) for t in left if lengths[t] == longest}
        found = max(worth, key=lambda t: worth[t])
        left.remove(found)
        last_first.append(found)
    order = list(range(len(places)))
    for size in set(places):
        here = [place for place, room in enumerate(places) if room == size]
        for place, t in zip(here, (t for t in reversed(last_first) if places[t] == size), strict=True):
            order[place] = t
    return tuple(order)


def _independence(loadings: Array, support: Indices, t: int, left: Sequence[int]) -> float:
    """Return the least singular value of the other vectors on a support; 0 where these are too many."""
    A = loadings[support][:, [s for s in left if s != t]]
    A = A[:, A.any(axis=0)]
    if A.shape[1] > A.shape[0]:
        return 0.0
    return float(np.linalg.svd(A, compute_uv=False).min(initial=np.inf))
