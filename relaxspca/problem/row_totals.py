"""What rows of prices pay: the sum of so many of the dearest, and the prices at the margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices

__all__ = ["MOST_AT_ONCE", "RowTotals", "dearest_sums"]

MOST_AT_ONCE = 500_000  # prices; more rows are summed one part after another, to save memory
LONG_ROW, WIDE_ROW = 400, 16  # from so many prices, of which one in so many is paid, they are dealt to groups


@dataclass(frozen=True)
class RowTotals:
    """What each row pays its partners, and its dearest partner at the margin.

    Attributes
    ----------
    total : (..., m) the price c of each row.
    least : (..., m) the least price among the free partners that the row pays, 0 when all are paid.
    following : (..., m) the largest price among those that it does not pay, 0 when there is none.
    """

    total: Array
    least: Array
    following: Array

    @classmethod
    def joined(cls, parts: Sequence[RowTotals]) -> RowTotals:
        """Return the totals of rows that were summed one part after another."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([part.total for part in parts]),
            np.concatenate([part.least for part in parts]),
            np.concatenate([part.following for part in parts]),
        )


def dearest_sums(prices: Array, slots: Indices, first: int = 0) -> tuple[Array, Array, Array]:
    """Return the sum of so many of the dearest prices of each row, the least paid and the dearest not paid.

    Parameters
    ----------
    prices : (..., r, m), 0 where a price cannot be paid.
    slots : (..., m) how many each row pays at most; below 0 counts as 0.
    first : the rows are those from this one on.
    """
    rows, m = prices.shape[-2:]
    width = int(min(max(slots.max(), 0) + 1, m))
    slots = slots[..., first : first + rows]
    ranked = _dearest(prices, width)
    sums = np.concatenate([np.zeros((*ranked.shape[:-1], 1)), np.cumsum(ranked, axis=-1)], axis=-1)
    used = np.clip(slots, 0, width)[..., None]
    last = np.take_along_axis(ranked, np.clip(used - 1, 0, width - 1), axis=-1)[..., 0]
    after = np.take_along_axis(ranked, np.clip(used, 0, width - 1), axis=-1)[..., 0]
    return (
        np.take_along_axis(sums, used, axis=-1)[..., 0],
        np.where(slots > 0, last, 0.0),
        np.where(used[..., 0] < width, after, 0.0),
    )


def _dearest(prices: Array, width: int) -> Array:
    """Return so many of the dearest prices of each row, in order.

    Of long rows the numbers are dealt out to groups: so many groups with the dearest heads hold them all. One
    pass over a row finds its heads, where a partition of it takes several, and far more if most prices are 0.
    """
    m = prices.shape[-1]
    if m >= LONG_ROW and width * WIDE_ROW <= m:
        count = m // int(np.sqrt(m / width))
        dealt = prices[..., : m - m % count].reshape(*prices.shape[:-1], -1, count)
        best = np.argpartition(dealt.max(axis=-2), count - width, axis=-1)[..., None, count - width :]
        held = np.take_along_axis(dealt, best, axis=-1).reshape(*prices.shape[:-1], -1)
        prices = np.concatenate([held, prices[..., m - m % count :]], axis=-1)
    cut = prices.shape[-1] - width
    return np.sort(np.partition(prices, cut, axis=-1)[..., cut:], axis=-1)[..., ::-1]
