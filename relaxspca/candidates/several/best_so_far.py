"""The best table met so far, for those whom Ctrl-C keeps from what is returned."""

from __future__ import annotations

from collections.abc import Sequence

from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices

__all__ = ["Start", "remember"]

Start = tuple[float, list[Indices], Array]  # sum of variances, supports, (n, r) vectors


def remember(seen: list[Start] | None, value: float, supports: Sequence[Indices], X: Array) -> None:
    """Add a table to a list of those seen, the last of which is the best, if it is better.

    Examples
    --------
    >>> import numpy as np
    >>> seen = []
    >>> for value in (2.0, 1.0, 3.0):
    ...     remember(seen, value, [np.array([0])], np.ones((1, 1)))
    >>> [start[0] for start in seen]
    [2.0, 3.0]
    """
    if seen is not None and (not seen or value > seen[-1][0]):
        seen.append((value, list(supports), X))
