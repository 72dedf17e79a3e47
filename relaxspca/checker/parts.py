"""Walk a tree over several components, and see which of its leaves have tables at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from relaxspca.certificate import ComponentSplit, TableCertificate, TableLeaf
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
    """A leaf with what the splits above it say of every component."""

    index: int
    leaf: TableLeaf
    parts: tuple[TablePart, ...]


def may_be_smaller(certificate: TableCertificate) -> bool:
    """Say whether supports smaller than their sizes count: disjoint ones whose sizes do not fit together."""
    return certificate.supports == "disjoint" and sum(certificate.sizes) > certificate.n


def table_leaves(certificate: TableCertificate) -> Iterator[TableCase]:
    """Yield every leaf. A split on a decided variable, and a node reached twice or never, are refused."""
    tree, n, count = certificate.tree, certificate.n, certificate.part_count
    sizes, is_smaller = certificate.sizes[:count], may_be_smaller(certificate)
    reached = bytearray(len(tree))
    # Variables as bits of whole numbers, (forced, free) for each component.
    everything: Sides = ((0, (1 << n) - 1),) * count
    waiting: list[tuple[int, Sides]] = [(0, everything)]
    while waiting:
        at, sides = waiting.pop()
        if reached[at]:
            raise Defect(f"node {at} of the tree is reached twice")
        reached[at] = 1
        node = tree[at]
        if isinstance(node, TableLeaf):
            parts = (_part(size, *side, n, is_smaller) for size, side in zip(sizes, sides, strict=True))
            yield TableCase(at, node, tuple(parts))
            continue
        if not sides[node.component][1] & 1 << node.variable:
            raise Defect(f"node {at} splits variable {node.variable}, which an earlier split decided")
        inside, outside = _sides_of(node, sides, sizes)
        waiting += [(node.outside, outside), (node.inside, inside)]
    if not all(reached):
        raise Defect(f"node {reached.index(0)} of the tree is never reached")


def _sides_of(node: ComponentSplit, sides: Sides, sizes: tuple[int, ...]) -> tuple[Sides, Sides]:
    """Return the components where one has the variable, and where it and all equal ones have not.

    Where an equal one has it, an exchange of the two gives a table that explains the same with it in this one.
    """
    own, bit = node.component, 1 << node.variable
    forced, free = sides[own]
    inside = (*sides[:own], (forced | bit, free ^ bit), *sides[own + 1 :])
    same = sizes[own], sides[own]
    kinds = zip(sizes, sides, strict=True)
    return inside, tuple((J, F ^ bit) if (size, (J, F)) == same else (J, F) for size, (J, F) in kinds)


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


def has_no_table(parts: tuple[TablePart, ...], certificate: TableCertificate) -> bool:
    """Say whether no table has such parts.

    A component has no support, all have too few variables for orthogonal vectors, or disjoint supports were to
    share a variable.
    """
    for part in parts:
        least = 1 if may_be_smaller(certificate) else part.size
        if len(part.forced) > part.size or len(part.forced + part.free) < least:
            return True
    forced = [i for part in parts for i in part.forced]
    is_shared = certificate.supports == "disjoint" and len({*forced}) < len(forced)
    return is_shared or len(variables_of(parts)) < len(certificate.sizes)
