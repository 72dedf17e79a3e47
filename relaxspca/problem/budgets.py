# ruff: noqa: D102 - the methods are documented once, in Size.
"""A cardinality for each part of a partition of the variables, in place of one for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array, raised
from relaxspca.problem.node import Indices, Mask, Node
from relaxspca.problem.size import Cardinality, RowTotals, largest_sums


@dataclass(frozen=True, eq=False)
class Budgets(Cardinality):
    """At most `counts[b]` variables with the label b, each b, k in all; smaller supports are padded to k.

    Examples
    --------
    >>> size = Budgets.of([([0, 1], 1), ([2], 1)])
    >>> size.most(3), size.last_support(np.array([0]), np.array([2])).tolist()
    (2, [0, 2])
    """

    labels: Indices
    counts: tuple[int, ...]

    @classmethod
    def of(cls, parts: Sequence[tuple[Indices | Sequence[int], int]]) -> Budgets:
        """Return the budgets of the pairs (part, cardinality); the parts partition the variables."""
        labels = np.zeros(sum(len(part) for part, _ in parts), dtype=np.int64)
        for b, (part, _) in enumerate(parts):
            labels[part] = b
        return cls._with(labels, tuple(k for _, k in parts))

    @classmethod
    def _with(cls, labels: Indices, counts: tuple[int, ...]) -> Budgets:
        return cls(sum(counts), labels, counts)

    def parts(self, n: int) -> list[tuple[Indices, int]]:
        return [(np.flatnonzero(self.labels == b), k) for b, k in enumerate(self.counts)]

    def picked(self, ranked: Array, count: int) -> Indices:
        order = np.argsort(-ranked, kind="stable")
        chosen = [order[self.labels[order] == b][:k] for b, k in enumerate(self.counts)]
        return np.sort(np.concatenate(chosen))

    def on(self, variables: Indices) -> Budgets:
        return self._with(self.labels[variables], self.counts)

    def of_part(self, part: Indices, inside: Mask) -> Budgets:
        elsewhere = inside.copy()
        elsewhere[part] = False
        left = tuple(k - int((elsewhere & (self.labels == b)).sum()) for b, k in enumerate(self.counts))
        return self._with(self.labels[part], left)

    def fixed(self, node: Node, inside: Indices, outside: Indices) -> Node:
        here = node.fixed(inside, outside)
        # Where a part has no place left its free variables are in no support.
        held = np.bincount(self.labels[here.inside], minlength=len(self.counts))
        full = held >= np.array(self.counts)
        return here.fixed(here.free[:0], here.free[full[self.labels[here.free]]])

    def last_support(self, inside: Indices, free: Indices) -> Indices | None:
        chosen = [inside]
        is_single = True
        for b, k in enumerate(self.counts):
            loose = free[self.labels[free] == b]
            room = k - int((self.labels[inside] == b).sum())
            if room < 0 or room > len(loose):
                return inside[:0]
            is_single = is_single and room in (0, len(loose))
            chosen.append(loose if room else loose[:0])
        return np.sort(np.concatenate(chosen)) if is_single else None

    def groups(self, inside: Mask) -> list[tuple[Mask, Indices]]:
        members = [self.labels == b for b in range(len(self.counts))]
        left = [k - (inside & member).sum() for member, k in zip(members, self.counts, strict=True)]
        return [(member, np.asarray(k - (~inside & member))) for member, k in zip(members, left, strict=True)]

    def row_charges(self, N: Array, inside: Mask, *, first: int = 0) -> RowTotals:
        rows, m = N.shape
        diagonal = np.eye(rows, m, first, dtype=bool)
        total = np.where(inside & ~diagonal, N, 0.0).sum(axis=1)
        least, following = np.full(total.shape, np.inf), np.zeros(total.shape)
        for member, slots in self.groups(inside):
            payable = member & ~inside & ~diagonal
            paid, last, after = largest_sums(np.where(payable, N, 0.0), slots, first)
            total = total + paid
            # One number for all parts is conservative: the least charge paid and the largest not paid.
            has_places = slots[first : first + rows] > 0
            least = np.where(has_places, np.minimum(least, last), least)
            following = np.maximum(following, after)
        return RowTotals(total, np.where(np.isfinite(least), least, 0.0), following)

    def proved_totals(self, charges: RowTotals) -> Array:
        return raised(charges.total, self.k + len(self.counts))
