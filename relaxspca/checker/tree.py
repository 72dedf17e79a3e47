"""Walk a tree of splits and see that its leaves cover every support, each node once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from relaxspca.certificate import Leaf, Split


class Defect(Exception):
    """Evidence that cannot be used; the message names what is wrong with it."""


@dataclass(frozen=True)
class Node:
    """A leaf with the variables that the splits above it force in, and those they leave free."""

    index: int
    leaf: Leaf
    forced: list[int]
    free: list[int]


def leaves(tree: tuple[Split | Leaf, ...], n: int) -> Iterator[Node]:
    """Yield every leaf.

    A split sends the supports with its variable to one child and those without to the other, so the
    leaves cover every support. A split on a decided variable, and a node reached twice or never, are refused.
    """
    if not tree:
        raise Defect("the tree has no nodes")
    reached = bytearray(len(tree))
    # Sets of variables as bits: a long chain of splits then costs n/8 bytes a node.
    waiting = [(0, 0, (1 << n) - 1)]
    while waiting:
        at, forced, free = waiting.pop()
        if reached[at]:
            raise Defect(f"node {at} of the tree is reached twice")
        reached[at] = 1
        node = tree[at]
        if isinstance(node, Leaf):
            yield Node(at, node, *([i for i in range(n) if bits >> i & 1] for bits in (forced, free)))
            continue
        bit = 1 << node.variable
        if not free & bit:
            raise Defect(f"node {at} splits variable {node.variable}, which an earlier split decided")
        waiting.append((node.outside, forced, free ^ bit))
        waiting.append((node.inside, forced | bit, free ^ bit))
    if not all(reached):
        raise Defect(f"node {reached.index(0)} of the tree is never reached")
