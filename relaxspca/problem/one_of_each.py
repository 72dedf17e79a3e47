"""Supports with at most one variable of each group, as a size that a search can be given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.problem.node import Indices, Mask, Node
from relaxspca.problem.size import Cardinality

__all__ = ["OneOfEachSize"]


@dataclass(frozen=True, eq=False)
class OneOfEachSize(Cardinality):
    """At most k variables, no two of them with one label.

    Attributes
    ----------
    labels : (n,) ints, the same for the variables of a group.

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

    def fixed(self, node: Node, inside: Indices, outside: Indices) -> Node:
        """Leave out, too, what is of one label with a variable forced in."""
        labels = self.labels[inside]
        mates = node.free[np.isin(self.labels[node.free], labels) & ~np.isin(node.free, inside)]
        return node.fixed(inside, np.union1d(outside, mates).astype(np.int64))

    def compatible(self, variables: Indices) -> Mask:
        """Take the first of each label."""
        first = np.zeros(len(variables), dtype=bool)
        first[np.unique(self.labels[variables], return_index=True)[1]] = True
        return first

    def last_support(self, inside: Indices, free: Indices) -> Indices | None:
        """Return no support, too, where fewer than k labels are left."""
        if len(np.unique(self.labels[np.union1d(inside, free)])) < self.k:
            return inside[:0]
        return super().last_support(inside, free)

    def allow(self, support: Indices) -> bool:
        """Say whether no two variables have one label."""
        return len(np.unique(self.labels[support])) == len(support)
