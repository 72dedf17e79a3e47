"""Bound what the rows of a leaf cost (``certificates/SPEC.md``, section 6) without sorting all of them again.

A *head* is a set of columns and, for every row, the dearest of these columns, the dearest first. Take a leaf
with free columns F among the set. A column of F that is not in the head of a row is no dearer than any that is;
so if `count` columns of the head are in F, the first `count` of them are the dearest of F, and cost the same as
those that a sort of the whole row would find. Where a row has too few, a head is made of F itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

WIDTH = 32  # columns in a head, or twice those that are asked for


class DearestPrices:
    """Prices q_ij, and heads of them: one of all columns, and others for the leaves below some node."""

    def __init__(self, arithmetic: Any, q: Any) -> None:
        self.arithmetic, self.q = arithmetic, q
        self.heads: list[tuple[Any, Any]] = []  # which columns, and of these the dearest of every row

    def of(self, J: list[int], F: list[int], room: int) -> tuple[Any, Any]:
        """Return what each row in J, and each row in F, costs at most in a support that has it and `room` of F.

        Row i pays its diagonal, all of J, and its dearest free partners: `room` of them when i is in J,
        one less besides itself when i is in F.
        """
        q, rows, counts = self.q, np.array(J + F, dtype=int), np.repeat([room, room - 1], [len(J), len(F)])
        is_free = np.zeros(len(q), dtype=bool)
        is_free[F] = True
        self.heads = [head for head in self.heads if not (is_free & ~head[0]).any()]
        if not self.heads:
            self._add(np.ones(len(q), dtype=bool), room)
        at, columns, is_enough = self._dearest(rows, is_free, counts)
        if not is_enough:
            self._add(is_free, room)
            at, columns, _ = self._dearest(rows, is_free, counts)
        partners, middle = q[rows[at], columns], room * len(J)
        fixed = np.column_stack([q[np.ix_(J, J)], partners[:middle].reshape(len(J), -1 if J else 0)])
        paid = partners[middle:].reshape(len(F), -1 if F else 0)
        loose = np.column_stack([q[np.ix_(F, J)], q[F, F], paid])
        return self.arithmetic.total(fixed, axis=1), self.arithmetic.total(loose, axis=1)

    def _add(self, is_among: Any, room: int) -> None:
        """Find the dearest of these columns for every row: enough for `room` of them besides its own."""
        columns = np.flatnonzero(is_among)
        width = min(len(columns), max(WIDTH, 2 * (room + 1)))
        values = self.q[:, columns]
        some = np.argpartition(values, -width, axis=1)[:, len(columns) - width :]
        order = np.argsort(np.take_along_axis(values, some, axis=1), axis=1)[:, ::-1]
        self.heads.append((is_among, columns[np.take_along_axis(some, order, axis=1)]))

    def _dearest(self, rows: Any, is_free: Any, counts: Any) -> tuple[Any, Any, bool]:
        """Return the dearest free partners, as places in `rows` and columns, and whether no row lacks any."""
        head = self.heads[-1][1][rows]
        may_pay = is_free[head] & (head != rows[:, None])
        place = may_pay.cumsum(axis=1)
        at, where = np.nonzero(may_pay & (place <= counts[:, None]))
        return at, head[at, where], bool((place[:, -1] >= counts).all())
