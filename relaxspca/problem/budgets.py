# ruff: noqa: D102 - the methods are documented once, in Size.
"""Sizes by labels of the variables: a cardinality for each part of them, or at most one of each group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array, Indices, Mask, raised
from relaxspca.problem.checks import warn_of_data
from relaxspca.problem.conditions import Conditions, group_members
from relaxspca.problem.node import Node
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

    def paid(self, payable: Array, inside: Mask, first: int) -> tuple[Array, Array, Array]:
        rows = len(payable)
        total, least, following = np.zeros(rows), np.full(rows, np.inf), np.zeros(rows)
        for member, slots in self.groups(inside):
            paid, last, after = largest_sums(np.where(member, payable, 0.0), slots, first)
            total = total + paid
            # One number for all parts is conservative: the least charge paid and the largest not paid.
            has_places = slots[first : first + rows] > 0
            least = np.where(has_places, np.minimum(least, last), least)
            following = np.maximum(following, after)
        return total, np.where(np.isfinite(least), least, 0.0), following

    def proved_totals(self, charges: RowTotals) -> Array:
        return raised(charges.total, self.k + len(self.counts))


@dataclass(frozen=True, eq=False)
class OneOfEachSize(Cardinality):
    """At most k variables, no two of them with the same label; `labels` has one for each of the n variables.

    Examples
    --------
    >>> size = OneOfEachSize(2, np.array([0, 0, 2, 3]))
    >>> node = size.fixed(Node.of([], None, range(4)), np.array([1]), np.array([3]))
    >>> node.inside.tolist(), node.free.tolist(), size.last_support(node.inside, node.free).tolist()
    ([1], [2], [1, 2])
    >>> size.last_support(np.array([], dtype=int), np.array([0, 1])).tolist()
    []
    """

    labels: Indices

    @property
    def classes(self) -> Indices:
        return self.labels

    @classmethod
    def read(
        cls, names: Sequence[str], k: int, groups: Mapping[str, Iterable[Any]], conditions: Conditions
    ) -> OneOfEachSize:
        """Return the size for groups of names or positions; k is as much as they and the conditions leave."""
        members, labels = group_members(names, groups), np.arange(len(names))
        for name, group in zip(groups, members, strict=True):
            both = sorted(group & set(conditions.include))
            if len(both) > 1:
                raise InputError(
                    f"{names[both[0]]} and {names[both[1]]} are to be included, but both are in the group "
                    f"{name!r}, of which one may be used"
                )
            labels[sorted(group)] = min(group)
        left = len(np.unique(labels[np.setdiff1d(np.arange(len(names)), conditions.exclude)]))
        asked = conditions.cardinality(k, len(names))
        if left < asked:
            warn_of_data(
                f"at most one variable of each group may be used, {left} in all: k = {asked} becomes {left}"
            )
        return cls(min(asked, left), labels)

    @property
    def sets(self) -> tuple[Indices, ...]:
        """The groups of more than one variable."""
        groups = (np.flatnonzero(self.labels == label) for label in np.unique(self.labels))
        return tuple(group for group in groups if len(group) > 1)

    def entries(self, M: Array) -> Array:
        is_pair = (self.labels[:, None] == self.labels[None, :]) & ~np.eye(len(M), dtype=bool)
        return np.where(is_pair, 0.0, M)

    def fixed(self, node: Node, inside: Indices, outside: Indices) -> Node:
        """Fix the variables, and leave out those that share a label with a variable forced in."""
        labels = self.labels[inside]
        conflicts = node.free[np.isin(self.labels[node.free], labels) & ~np.isin(node.free, inside)]
        return node.fixed(inside, np.union1d(outside, conflicts).astype(np.int64))

    def compatible(self, variables: Indices) -> Mask:
        """Say which variables are the first of their label."""
        first = np.zeros(len(variables), dtype=bool)
        first[np.unique(self.labels[variables], return_index=True)[1]] = True
        return first

    def last_support(self, inside: Indices, free: Indices) -> Indices | None:
        """Return the single support of the node; empty also where fewer than k labels are left."""
        if len(np.unique(self.labels[np.union1d(inside, free)])) < self.k:
            return inside[:0]
        return super().last_support(inside, free)

    def on(self, variables: Indices) -> OneOfEachSize:
        return OneOfEachSize(self.k, self.labels[variables])

    def of_part(self, part: Indices, inside: Mask) -> OneOfEachSize:
        return OneOfEachSize(super().of_part(part, inside).k, self.labels[part])

    def paid(self, payable: Array, inside: Mask, first: int) -> tuple[Array, Array, Array]:
        """Return the sums of the largest charges of free partners, one of each label."""
        is_other = self.labels != self.labels[first : first + len(payable), None]
        largest, is_largest = _largest_of_each(np.where(is_other, payable, 0.0), self.labels)
        paid, least, following = largest_sums(largest, self.slots(inside), first)
        # Partners that share a label with a paid partner or with the row: paid if that one is left out.
        beside = np.where(is_largest, 0.0, payable).max(axis=1, initial=0.0)
        return paid, least, np.maximum(following, beside)


def _largest_of_each(charges: Array, labels: Indices) -> tuple[Array, Mask]:
    """Return the largest charge of each label in each row, and the mask of these entries."""
    order = np.argsort(labels, kind="stable")
    starts = np.unique(labels[order], return_index=True)[1]
    charges = charges[:, order]
    largest = np.maximum.reduceat(charges, starts, axis=1)
    counts = np.diff(np.append(starts, len(labels)))
    is_largest = (charges > 0) & (charges == np.repeat(largest, counts, axis=1))
    # Of equal charges the first counts.
    before = is_largest.cumsum(axis=1) - is_largest
    is_largest &= before == np.repeat(before[:, starts], counts, axis=1)
    found = np.empty_like(is_largest)
    found[:, order] = is_largest
    return largest, found
