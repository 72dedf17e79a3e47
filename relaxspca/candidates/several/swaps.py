"""Exchanges of variables between two supports."""

from __future__ import annotations

import numpy as np

from relaxspca.problem.node import Indices

__all__ = ["exchanges"]


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
