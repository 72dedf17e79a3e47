"""Bound what the rows of a leaf are charged (SPEC.md, section 7) without sorting all of them again.

A *head* is a set of columns and, for every row, the largest of these columns, the largest first. Take a leaf
with free columns F among the set. A column of F that is not in the head of a row is no larger than any that is;
so if `count` columns of the head are in F, the first `count` of them are the largest of F, and sum to the same
as those that a sort of the whole row would find. Where a row has too few, a head is made of F itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from relaxspca.checker.defect import Defect
from relaxspca.checker.exact import Exact
from relaxspca.checker.family import Parts

WIDTH = 32  # columns in a head, or twice those that are asked for


class RowCharges:
    """Numbers q_ij, and heads of them: one of all columns, and others for the leaves below some node.

    With `labels`, a support has no two variables of one label; q_ij >= 0 then, for i and j different.
    """

    def __init__(self, arithmetic: Any, q: Any, labels: Any = None) -> None:
        self.arithmetic, self.q, self.labels = arithmetic, q, labels
        self.heads: dict[int, list[tuple[Any, Any]]] = {}  # of each part: columns, and of these the largest

    def of(self, J: Sequence[int], parts: Parts) -> Any:
        """Return the most that each row in J, and then each free row, is charged in a support that has it.

        Row i is charged its diagonal, all of J, and its largest free partners: of every part as many as the
        support has, one less besides itself in the part of i.
        """
        q, J, F = self.q, [*J], [i for free, _ in parts for i in free]
        rows = np.array(J + F, dtype=int)
        charged = [q[rows[:, None], J]]
        for at, (free, count) in enumerate(parts):
            counts = count - np.isin(rows, free)
            partners = self._of_part if self.labels is None else self._of_labels
            charged.append(partners(at, rows, np.array(free, dtype=int), counts))
        every = np.hstack(charged)
        fixed, loose = every[: len(J)], np.column_stack([every[len(J) :], q[F, F]])
        return np.concatenate([self.arithmetic.total(numbers, axis=1) for numbers in (fixed, loose)])

    def _of_part(self, at: int, rows: Any, free: Any, counts: Any) -> Any:
        """Return so many of the largest partners of each row among those free, and 0 in what is left."""
        is_free = np.zeros(len(self.q), dtype=bool)
        is_free[free] = True
        heads = self.heads[at] = [head for head in self.heads.get(at, []) if not (is_free & ~head[0]).any()]
        most = int(counts.max(initial=0))
        if not heads:
            self._add(heads, np.ones(len(self.q), dtype=bool), most)
        found = self._largest(heads[-1][1], rows, is_free, counts)
        if found is None:
            self._add(heads, is_free, most)
            found = self._largest(heads[-1][1], rows, is_free, counts)
        assert found is not None  # what is free has as many as are asked for
        return found

    def _add(self, heads: list[tuple[Any, Any]], is_among: Any, most: int) -> None:
        """Find the largest of these columns for every row: enough for `most` of them besides its own."""
        columns = np.flatnonzero(is_among)
        width = min(len(columns), max(WIDTH, 2 * (most + 1)))
        values = self.q[:, columns]
        some = np.argpartition(values, -width, axis=1)[:, len(columns) - width :]
        order = np.argsort(np.take_along_axis(values, some, axis=1), axis=1)[:, ::-1]
        heads.append((is_among, columns[np.take_along_axis(some, order, axis=1)]))

    def _largest(self, head: Any, rows: Any, is_free: Any, counts: Any) -> Any:
        """Return the largest free partners of each row, or None where a row has too few in the head."""
        head = head[rows]
        may_pay = is_free[head] & (head != rows[:, None])
        place = may_pay.cumsum(axis=1)
        if not (place[:, -1] >= counts).all():
            return None
        at, where = np.nonzero(may_pay & (place <= counts[:, None]))
        found = np.full((len(rows), max(int(counts.max()), 0)), self.arithmetic.zero)
        found[at, place[at, where] - 1] = self.q[rows[at], head[at, where]]
        return found

    def _of_labels(self, at: int, rows: Any, free: Any, counts: Any) -> Any:
        """Return the same, where only the largest of each label counts, and none of the row's own label."""
        columns = free[np.argsort(self.labels[free], kind="stable")]
        names, first = np.unique(self.labels[columns], return_index=True)
        largest = np.maximum.reduceat(self.q[np.ix_(rows, columns)], first, axis=1)
        largest[self.labels[rows][:, None] == names[None, :]] = self.arithmetic.zero
        largest = np.sort(largest, axis=1)[:, ::-1][:, : max(int(counts.max(initial=0)), 0)]
        return np.where(np.arange(largest.shape[1]) < counts[:, None], largest, self.arithmetic.zero)


def charged(arithmetic: Any, point: Any, at: int, is_unpaid: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Return P and N of a point, once N_ij N_ji >= P_ij^2 is seen to hold where it is asked."""
    P, N = point.P, point.N
    if not isinstance(arithmetic, Exact):
        # Every pair in a unit of its own, a power of two with 1/2 <= |P_ij| < 1, so that no product leaves
        # the range of floats. Charges are exact in it, or cut to 2^500, or too small to pay anything then.
        P, unit = np.frexp(P)
        N = np.minimum(np.ldexp(N, -unit), 2.0**500)
    N = arithmetic.array(N)
    missing = arithmetic.array(P) * arithmetic.array(P) - N * N.T
    for pair in point.variables[np.argwhere(is_unpaid(P) & (arithmetic.upper(missing) > 0))].tolist():
        raise Defect(f"point {at}: the pair {tuple(pair)} is charged too little: N_ij N_ji < P_ij^2 there")
    return arithmetic.array(point.P), arithmetic.array(point.N)
