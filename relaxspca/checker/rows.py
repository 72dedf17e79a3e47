"""Bound what the rows of a leaf are charged: SPEC.md, section 7.

The columns of every row are sorted once, the largest first. Of these the first that are free at a leaf are its
largest free partners, whatever leaf it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from relaxspca.checker.defect import Defect
from relaxspca.checker.exact import Exact
from relaxspca.checker.family import Parts

WIDTH = 32  # columns that are looked at first; where they have too few that are free, four times as many


class RowCharges:
    """Numbers q_ij that rows are charged.

    With `labels`, a support has no two variables of one label; q_ij >= 0 then, for i and j different.
    """

    def __init__(self, arithmetic: Any, q: Any, labels: Any = None) -> None:
        self.arithmetic, self.q, self.labels = arithmetic, q, labels

    @cached_property
    def order(self) -> Any:
        """The columns of every row, that of the largest number first."""
        return np.argsort(self.q, axis=1)[:, ::-1]

    def of(self, J: Sequence[int], parts: Parts) -> Any:
        """Return the most that each row in J, and then each free row, is charged in a support that has it.

        Row i is charged its diagonal, all of J, and its largest free partners: of every part as many as the
        support has, one less besides itself in the part of i.
        """
        q, J, F = self.q, [*J], [i for free, _ in parts for i in free]
        rows = np.array(J + F, dtype=int)
        charged = [q[rows[:, None], J]]
        for free, count in parts:
            counts = count - np.isin(rows, free)
            partners = self._of_part if self.labels is None else self._of_labels
            charged.append(partners(rows, np.array(free, dtype=int), counts))
        every = np.hstack(charged)
        fixed, loose = every[: len(J)], np.column_stack([every[len(J) :], q[F, F]])
        return np.concatenate([self.arithmetic.total(numbers, axis=1) for numbers in (fixed, loose)])

    def _of_part(self, rows: Any, free: Any, counts: Any) -> Any:
        """Return so many of the largest partners of each row among those free, and 0 in what is left."""
        is_free, width, has_enough = np.zeros(len(self.q), dtype=bool), WIDTH, False
        is_free[free] = True
        while not has_enough:
            first = self.order[rows, :width]
            may_pay = is_free[first] & (first != rows[:, None])
            place = may_pay.cumsum(axis=1)
            has_enough = width >= len(self.q) or bool((place[:, -1] >= counts).all())
            width *= 4
        at, where = np.nonzero(may_pay & (place <= counts[:, None]))
        found = np.full((len(rows), max(int(counts.max()), 0)), self.arithmetic.zero)
        found[at, place[at, where] - 1] = self.q[rows[at], first[at, where]]
        return found

    def _of_labels(self, rows: Any, free: Any, counts: Any) -> Any:
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
