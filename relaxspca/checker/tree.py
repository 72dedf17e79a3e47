"""Walk a tree of splits and see that its leaves cover every support, each node once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from relaxspca.certificate import Leaf, Split
from relaxspca.checker.verdict import MOST_REASONS, above


class Defect(Exception):
    """Evidence that cannot be used; the message names what is wrong with it."""


@dataclass(frozen=True)
class Case:
    """A leaf with the variables that the splits above it force in, and those they leave free."""

    index: int
    leaf: Leaf
    forced: list[int]
    free: list[int]


def leaves(
    tree: tuple[Split | Leaf, ...],
    n: int,
    include: Iterable[int] = (),
    exclude: Iterable[int] = (),
    mates: Mapping[int, int] | None = None,
) -> Iterator[Case]:
    """Yield every leaf; at the root the variables to include are forced in, and those excluded are not free.

    A split sends the supports with its variable to one child and those without to the other, so the
    leaves cover every support. A split on a decided variable, and a node reached twice or never, are refused.
    A variable forced in excludes its mates, given as bits, with which no support has it.
    """
    reached = bytearray(len(tree))
    # Sets of variables as bits of whole numbers without a size: a long chain of splits costs n/8 bytes a node.
    everything = (1 << int(n)) - 1
    inside, outside = (sum(1 << int(i) for i in group) for group in (include, exclude))
    outside |= sum((mates or {}).get(int(i), 0) for i in include)  # mates of different variables differ
    waiting = [(0, inside, outside, everything & ~inside & ~outside)]
    while waiting:
        at, forced, excluded, free = waiting.pop()
        if forced ^ excluded ^ free != everything or forced | excluded | free != everything:
            raise Defect(f"node {at}: variables forced in, excluded and free are not all {n}, each once")
        if reached[at]:
            raise Defect(f"node {at} of the tree is reached twice")
        reached[at] = 1
        node = tree[at]
        if isinstance(node, Leaf):
            yield Case(at, node, _members(forced), _members(free))
            continue
        bit = 1 << int(node.variable)
        if not free & bit:
            raise Defect(f"node {at} splits variable {node.variable}, which an earlier split decided")
        other = (mates or {}).get(int(node.variable), 0) & free
        waiting.append((node.outside, forced, excluded | bit, free ^ bit))
        waiting.append((node.inside, forced | bit, excluded | other, free ^ bit ^ other))
    if not all(reached):
        raise Defect(f"node {reached.index(0)} of the tree is never reached")


def over_leaves(
    cases: Iterable[Any], bound_of: Callable[[Any], Any], limit: float, reasons: list[str]
) -> tuple[Any, int]:
    """Return the largest bound over the leaves of a tree and their number; say which are above a limit."""
    worst, count = -math.inf, 0
    try:
        for case in cases:
            count += 1
            try:
                bound, said = bound_of(case), ""
            except Defect as defect:
                bound, said = math.inf, str(defect)
            if bound > limit:
                short = f"its {case.leaf.kind} bound is {above(bound)}, above the claimed upper bound"
                reasons.append(f"node {case.index}: {said or short}")
            worst = max(worst, bound)
            if len(reasons) >= MOST_REASONS:
                raise Defect("there may be more: the check stopped here")
    except Defect as defect:
        worst = math.inf
        reasons.append(str(defect))
    return worst, count


def _members(bits: int) -> list[int]:
    """Return the variables of a set; to shift a long number for each of them would take time like n^2."""
    return [i for i, bit in enumerate(reversed(f"{bits:b}")) if bit == "1"]
