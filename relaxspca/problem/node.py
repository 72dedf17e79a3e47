"""A node of the search: all supports that contain J and are contained in the union of J and F."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from relaxspca.numerics.linalg import Indices, Mask


@dataclass(frozen=True, eq=False)
class Node:
    r"""The supports T with :math:`J\subseteq T\subseteq J\cup F`, J is `inside`, F `free`, both sorted.

    Examples
    --------
    >>> node = Node.of([2], None, range(4))
    >>> node.inside.tolist(), node.free.tolist()
    ([2], [0, 1, 3])
    """

    inside: Indices
    free: Indices

    @classmethod
    def of(cls, inside: Iterable[int], free: Iterable[int] | None, everything: Iterable[int]) -> Node:
        """Return the node of two lists; if `free` is None, every variable outside `inside` is free."""
        forced = _sorted(inside)
        return cls(forced, np.setdiff1d(_sorted(everything if free is None else free), forced))

    @cached_property
    def variables(self) -> Indices:
        """Variables forced in or free, sorted."""
        return np.union1d(self.inside, self.free)

    @cached_property
    def is_inside(self) -> Mask:
        """Which of `variables` are forced in."""
        return np.isin(self.variables, self.inside, kind="sort")  # of few variables the default takes longer

    def fixed(self, inside: Indices, outside: Indices) -> Node:
        """Return the node with some free variables forced in and others left out."""
        fixed = np.concatenate([inside, outside])
        left = np.isin(self.free, fixed, kind="sort", invert=True)
        return Node(np.union1d(self.inside, inside), self.free[left])


def _sorted(variables: Iterable[int]) -> Indices:
    return np.unique(np.fromiter(variables, dtype=np.int64))
