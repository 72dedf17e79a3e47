"""The ways to write a total as cardinalities, and the one with the largest sum of bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

__all__ = ["Split", "best_total", "splits"]

Split = tuple[int, ...]


def best_total(uppers: Sequence[float], total: int, r: int) -> tuple[Fraction, Split]:
    """Return the largest sum of r bounds whose cardinalities add up to a total, exactly, and its split.

    Parameters
    ----------
    uppers : bound on a component of 1, 2, ... variables.
    total, r : the cardinalities of r components add up to the total; at most `r * len(uppers)`.

    Examples
    --------
    >>> best_total([1.0, 1.5, 3.0], 4, 2)
    (Fraction(4, 1), (3, 1))
    """
    best: dict[int, tuple[Fraction, Split]] = {0: (Fraction(0), ())}
    for _ in range(r):
        more: dict[int, tuple[Fraction, Split]] = {}
        for used, (value, split) in best.items():
            for k, upper in enumerate(uppers, start=1):
                candidate = value + Fraction(upper), (*split, k)
                if used + k <= total and (used + k not in more or candidate > more[used + k]):
                    more[used + k] = candidate
        best = more
    value, split = best[total]
    return value, tuple(sorted(split, reverse=True))


def splits(total: int, r: int, most: int) -> Iterator[Split]:
    """Yield every way to write a total as r sizes from 1 to `most`, the largest first.

    Examples
    --------
    >>> list(splits(6, 2, 4))
    [(4, 2), (3, 3)]
    """
    if r == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(most, total - r + 1), -(-total // r) - 1, -1):
        for rest in splits(total - first, r - 1, first):
            yield (first, *rest)
