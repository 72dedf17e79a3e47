"""Row totals of charges: the sum of the s largest of each row, the least paid and the largest unpaid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import FEW, Array
from relaxspca.problem.node import Indices

WIDE_ROW = 16  # long rows of which at most 1 charge in 16 is paid are grouped


@dataclass(frozen=True)
class RowTotals:
    """The total that each row pays its partners, its least paid charge and its largest unpaid charge.

    Attributes
    ----------
    total : (m,) the charge c of each row.
    least : (m,) the least charge among the free partners that the row pays, 0 where places are left.
    following : (m,) the largest charge among those that it does not pay, 0 when there is none.
    """

    total: Array
    least: Array
    following: Array

    @classmethod
    def joined(cls, parts: Sequence[RowTotals]) -> RowTotals:
        """Return the totals of all rows from those of consecutive blocks of rows."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([part.total for part in parts]),
            np.concatenate([part.least for part in parts]),
            np.concatenate([part.following for part in parts]),
        )

    def some(self, rows: Indices | slice) -> RowTotals:
        """Return the totals of some rows."""
        return RowTotals(self.total[rows], self.least[rows], self.following[rows])

    def losses(self, N: Array) -> Array:
        """Return what each row pays less with a partner forced in: the least that it pays goes for it."""
        return np.maximum(self.least[:, None] - N, 0.0)

    def gains(self, N: Array) -> Array:
        """Return what each row pays less with a partner left out: the largest that it does not pay follows."""
        following = self.following[:, None]
        return np.where(self.least[:, None] <= N, np.maximum(N - following, 0.0), 0.0)


def largest_sums(charges: Array, slots: Indices, first: int = 0) -> tuple[Array, Array, Array]:
    """Return the sum of the `slots` largest charges of each row, the least one paid and the largest unpaid.

    Parameters
    ----------
    charges : (r, m), 0 where a charge cannot be paid.
    slots : (m,) how many each row pays at most; below 0 counts as 0.
    first : the rows are those from this one on.
    """
    rows, m = charges.shape
    width = int(min(max(slots.max(), 0) + 1, m))
    slots = slots[first : first + rows]
    ranked, each = _largest_of_rows(charges, width), np.arange(rows)
    sums = np.concatenate([np.zeros((rows, 1)), np.cumsum(ranked, axis=1)], axis=1)
    used = np.clip(slots, 0, width)
    last = ranked[each, np.clip(used - 1, 0, width - 1)]
    after = ranked[each, np.clip(used, 0, width - 1)]
    return sums[each, used], np.where(slots > 0, last, 0.0), np.where(used < width, after, 0.0)


def _largest_of_rows(charges: Array, width: int) -> Array:
    """Return the `width` largest charges of each row, in descending order.

    A long row is split into groups. Its w largest entries lie in the w groups of largest maxima, since an entry
    outside has w maxima above it. One pass finds the maxima; a partition takes several, and more among zeros.
    """
    m = charges.shape[1]
    if m >= 2 * FEW and width * WIDE_ROW <= m:
        count = m // int(np.sqrt(m / width))
        dealt = charges[:, : m - m % count].reshape(len(charges), -1, count)
        best = np.argpartition(dealt.max(axis=1), count - width, axis=1)[:, None, count - width :]
        held = np.take_along_axis(dealt, best, axis=2).reshape(len(charges), -1)
        charges = np.concatenate([held, charges[:, m - m % count :]], axis=1)
    cut = charges.shape[1] - width
    return np.sort(np.partition(charges, cut, axis=1)[:, cut:], axis=1)[:, ::-1]
