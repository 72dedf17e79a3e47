# ruff: noqa: D102 - the methods are documented once, in Size.
"""The `Size` of supports with at most k variables and at most one variable of each group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.checks import warn_of_data
from relaxspca.problem.conditions import Conditions, group_members
from relaxspca.problem.node import Indices, Mask, Node
from relaxspca.problem.size import Cardinality, RowTotals, largest_sums


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

    def row_charges(self, N: Array, inside: Mask, *, first: int = 0) -> RowTotals:
        """Sum each row over the variables forced in and its largest free partners, one of each label."""
        rows, m = N.shape
        is_open = ~inside & ~np.eye(rows, m, first, dtype=bool)
        is_payable = is_open & (self.labels != self.labels[first : first + rows, None])
        forced = np.where(inside & ~np.eye(rows, m, first, dtype=bool), N, 0.0).sum(axis=1)
        largest, is_largest = _largest_of_each(np.where(is_payable, N, 0.0), self.labels)
        paid, least, following = largest_sums(largest, self.slots(inside), first)
        # Partners that share a label with a paid partner or with the row: paid if that one is left out.
        beside = np.where(is_open & ~is_largest, N, 0.0).max(axis=1, initial=0.0)
        return RowTotals(forced + paid, least, np.maximum(following, beside))


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
