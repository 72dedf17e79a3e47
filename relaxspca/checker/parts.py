"""Walk a tree over several components, and see which of its leaves have tables at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from relaxspca.certificate import ComponentSplit, TableCertificate, TableLeaf
from relaxspca.checker.tree import Defect


@dataclass(frozen=True)
class Part:
    """The supports T of a component at a node: J <= T <= J + F with `size` variables, or at most so many."""

    size: int
    forced: tuple[int, ...]
    free: tuple[int, ...]


@dataclass(frozen=True)
class TableCase:
    """A leaf with what the splits above it say of every component."""

    index: int
    leaf: TableLeaf
    parts: tuple[Part, ...]


def may_be_smaller(certificate: TableCertificate) -> bool:
    """Say whether supports smaller than their sizes count: disjoint ones whose sizes do not fit together."""
    return certificate.supports == "disjoint" and sum(certificate.sizes) > certificate.n


def table_leaves(certificate: TableCertificate) -> Iterator[TableCase]:
    """Yield every leaf. A split on a decided variable, and a node reached twice or never, are refused."""
    tree, n, count = certificate.tree, certificate.n, certificate.part_count
    reached = bytearray(len(tree))
    # Variables as bits of whole numbers: (forced, free) for each component.
    waiting = [(0, ((0, (1 << n) - 1),) * count)]
    while waiting:
        at, sides = waiting.pop()
        if reached[at]:
            raise Defect(f"node {at} of the tree is reached twice")
        reached[at] = 1
        node = tree[at]
        if isinstance(node, ComponentSplit):
            forced, free = sides[node.component]
            bit = 1 << node.variable
            if not free & bit:
                raise Defect(f"node {at} splits variable {node.variable}, which an earlier split decided")
            for child, now in ((node.outside, forced), (node.inside, forced | bit)):
                new = (*sides[: node.component], (now, free ^ bit), *sides[node.component + 1 :])
                waiting.append((child, new))
            continue
        parts = zip(certificate.sizes[:count], sides, strict=True)
        is_smaller = may_be_smaller(certificate)
        yield TableCase(at, node, tuple(_part(size, *side, n, is_smaller) for size, side in parts))
    if not all(reached):
        raise Defect(f"node {reached.index(0)} of the tree is never reached")


def _part(size: int, forced: int, free: int, n: int, is_smaller: bool) -> Part:
    """Return a part with the same supports, where nothing is free that the sizes decide."""
    J, F = (tuple(i for i in range(n) if bits >> i & 1) for bits in (forced, free))
    if len(J) == size:
        return Part(size, J, ())
    if len(J) + len(F) == size and not is_smaller:
        return Part(size, tuple(sorted(J + F)), ())
    return Part(size, J, F)


def variables_of(parts: tuple[Part, ...]) -> list[int]:
    """Return the variables that some component may use."""
    return sorted({i for part in parts for i in part.forced + part.free})


def is_void(parts: tuple[Part, ...], certificate: TableCertificate) -> bool:
    """Say whether a component has no support, or all have too few variables for orthogonal vectors."""
    for part in parts:
        least = 1 if may_be_smaller(certificate) else part.size
        if len(part.forced) > part.size or len(part.forced + part.free) < least:
            return True
    return len(variables_of(parts)) < len(certificate.sizes)


def meets_twice(parts: tuple[Part, ...], certificate: TableCertificate) -> bool:
    """Say whether disjoint supports were to share a variable."""
    forced = [i for part in parts for i in part.forced]
    return certificate.supports == "disjoint" and len({*forced}) < len(forced)


def is_out_of_order(parts: tuple[Part, ...], certificate: TableCertificate) -> bool:
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
