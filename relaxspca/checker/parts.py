"""Walk a tree over several components, and see which of its leaves have tables at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from relaxspca.certificate import ComponentSplit, TableCertificate, TableLeaf, UseSplit
from relaxspca.checker.tree import Defect

Sides = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class TablePart:
    """The supports T of a component at a node: J <= T <= J + F with `size` variables, or at most so many."""

    size: int
    forced: tuple[int, ...]
    free: tuple[int, ...]


@dataclass(frozen=True)
class TableCase:
    """A leaf with what the splits above it say of every component.

    `once` and `twice` are the variables of which they say that at most one component uses them, or two or more.
    """

    index: int
    leaf: TableLeaf
    parts: tuple[TablePart, ...]
    once: tuple[int, ...] = ()
    twice: tuple[int, ...] = ()

    def uses(self, variable: int) -> tuple[int, int]:
        """Return the least and the largest number of components that may use a variable."""
        least = sum(variable in part.forced for part in self.parts)
        most = sum(variable in part.forced + part.free for part in self.parts)
        return max(least, 2 * (variable in self.twice)), min(most, 1) if variable in self.once else most


def may_be_smaller(certificate: TableCertificate) -> bool:
    """Say whether supports smaller than their sizes count: disjoint ones whose sizes do not fit together."""
    return certificate.supports == "disjoint" and sum(certificate.sizes) > certificate.n


def table_leaves(certificate: TableCertificate) -> Iterator[TableCase]:
    """Yield every leaf. A split on a decided variable, and a node reached twice or never, are refused."""
    tree, n, count = certificate.tree, certificate.n, certificate.part_count
    reached = bytearray(len(tree))
    # Variables as bits of whole numbers: (forced, free) for each component; and those used (once, twice).
    everything: Sides = ((0, (1 << n) - 1),) * count
    waiting: list[tuple[int, Sides, tuple[int, int]]] = [(0, everything, (0, 0))]
    while waiting:
        at, sides, uses = waiting.pop()
        if reached[at]:
            raise Defect(f"node {at} of the tree is reached twice")
        reached[at] = 1
        node = tree[at]
        if isinstance(node, ComponentSplit):
            if not sides[node.component][1] & 1 << node.variable:
                raise Defect(f"node {at} splits variable {node.variable}, which an earlier split decided")
            inside, outside = _sides_of(node, sides, certificate.sizes)
            waiting += [(node.outside, outside, uses), (node.inside, inside, uses)]
            continue
        if isinstance(node, UseSplit):
            once, twice, bit = *uses, 1 << node.variable
            if (once | twice) & bit:
                raise Defect(f"node {at} splits the uses of {node.variable}, which an earlier split decided")
            waiting += [(node.once, sides, (once | bit, twice)), (node.twice, sides, (once, twice | bit))]
            continue
        parts = zip(certificate.sizes[:count], sides, strict=True)
        is_smaller = may_be_smaller(certificate)
        found = tuple(_part(size, *side, n, is_smaller) for size, side in parts)
        yield TableCase(at, node, found, *(tuple(i for i in range(n) if bits >> i & 1) for bits in uses))
    if not all(reached):
        raise Defect(f"node {reached.index(0)} of the tree is never reached")


def _sides_of(node: ComponentSplit, sides: Sides, sizes: tuple[int, ...]) -> tuple[Sides, Sides]:
    """Return the components where one has the variable, and where it, or it and all equal ones, have not."""
    own, bit = node.component, 1 << node.variable
    forced, free = sides[own]
    inside = (*sides[:own], (forced | bit, free ^ bit), *sides[own + 1 :])
    equal = [s for s, side in enumerate(sides) if (sizes[s], side) == (sizes[own], sides[own])]
    without = equal if node.is_alike else [own]
    return inside, tuple((J, F ^ bit) if s in without else (J, F) for s, (J, F) in enumerate(sides))


def _part(size: int, forced: int, free: int, n: int, is_smaller: bool) -> TablePart:
    """Return a part with the same supports, where nothing is free that the sizes decide."""
    J, F = (tuple(i for i in range(n) if bits >> i & 1) for bits in (forced, free))
    if len(J) == size:
        return TablePart(size, J, ())
    if len(J) + len(F) == size and not is_smaller:
        return TablePart(size, tuple(sorted(J + F)), ())
    return TablePart(size, J, F)


def variables_of(parts: tuple[TablePart, ...]) -> list[int]:
    """Return the variables that some component may use."""
    return sorted({i for part in parts for i in part.forced + part.free})


def is_void(parts: tuple[TablePart, ...], certificate: TableCertificate) -> bool:
    """Say whether a component has no support, or all have too few variables for orthogonal vectors."""
    for part in parts:
        least = 1 if may_be_smaller(certificate) else part.size
        if len(part.forced) > part.size or len(part.forced + part.free) < least:
            return True
    return len(variables_of(parts)) < len(certificate.sizes)


def meets_twice(parts: tuple[TablePart, ...], certificate: TableCertificate) -> bool:
    """Say whether disjoint supports were to share a variable."""
    forced = [i for part in parts for i in part.forced]
    return certificate.supports == "disjoint" and len({*forced}) < len(forced)


def is_used_too_often(case: TableCase, certificate: TableCertificate) -> bool:
    """Say whether more components use a variable, or fewer can, than splits say."""
    ranges = (case.uses(i) for i in range(certificate.n))
    return certificate.supports == "orthogonal" and any(least > most for least, most in ranges)


def has_alike(certificate: TableCertificate) -> bool:
    """Say whether a split leaves out what equal components have: then none is left to be put into order."""
    return any(isinstance(node, ComponentSplit) and node.is_alike for node in certificate.tree)


def is_out_of_order(parts: tuple[TablePart, ...], certificate: TableCertificate) -> bool:
    """Say whether supports of equal sizes come in the wrong order, as far as they are decided.

    Read along the order, the first variable that only one of two components has is in the earlier one.
    """
    order = range(certificate.n) if certificate.order is None else np.asarray(certificate.order).tolist()
    for first, second in pairwise(parts):
        if first.size != second.size:
            continue
        for i in order:
            if i in first.free or i in second.free or (i in first.forced and i not in second.forced):
                break
            if i in second.forced and i not in first.forced:
                return True
    return False
