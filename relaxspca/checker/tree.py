"""Walk a tree and see that its leaves cover every support, each node once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from relaxspca.certificate import Leaf, Restrict, Split, TreeNode
from relaxspca.checker.exact import above
from relaxspca.checker.family import Defect
from relaxspca.checker.verdict import MOST_REASONS

Sides = tuple[tuple[int, int], ...]  # of each part what is forced in, and what is free, as bits


@dataclass(frozen=True)
class Case:
    """A leaf, or a node that restricts, with what the nodes above it say of every part."""

    index: int
    node: Leaf | Restrict
    sides: Sides


def bits_of(variables: Iterable[int]) -> int:
    """Return a set of variables as bits of a whole number."""
    return sum(1 << int(i) for i in variables)


def members(bits: int) -> list[int]:
    """Return the variables of a set; to shift a long number for each of them would take time like n^2."""
    return [i for i, bit in enumerate(reversed(f"{bits:b}")) if bit == "1"]


def leaves(
    tree: tuple[TreeNode, ...],
    root: Sides,
    conflicts: Mapping[int, int] | None = None,
    sizes: Sequence[int] = (0,),
) -> Iterator[Case]:
    """Yield every leaf and every node that restricts, given what is forced in and free at the root.

    A split sends the supports with its variable in a part to one child, and those without to the other: the
    leaves cover every support. At the child without, it leaves all parts of the same size of which the nodes
    above say the same: were it in one of these, an exchange of the two would bring it into this one.
    A split on a decided variable, and a node reached twice or never, are refused. A variable that is forced in
    takes those that conflict with it, given as bits, out of what is free.
    """
    conflicts, reached = conflicts or {}, bytearray(len(tree))
    waiting = [(0, root)]
    while waiting:
        at, sides = waiting.pop()
        if at >= len(tree):
            raise Defect(f"a node has the child {at}, beyond the last node of the tree")
        if reached[at]:
            raise Defect(f"node {at} of the tree is reached twice")
        reached[at] = 1
        node = tree[at]
        if isinstance(node, Split):
            J, F = own = sides[node.part]
            bit, apart = 1 << node.variable, conflicts.get(node.variable, 0)
            if not F & bit:
                raise Defect(f"node {at} splits variable {node.variable}, which an earlier split decided")
            inside = (*sides[: node.part], (J | bit, F & ~bit & ~apart), *sides[node.part + 1 :])
            same = sizes[node.part], own
            kinds = zip(sizes, sides, strict=True)
            outside = tuple((J, F & ~bit) if (size, (J, F)) == same else (J, F) for size, (J, F) in kinds)
            waiting += [(node.outside, outside), (node.inside, inside)]
            continue
        yield Case(at, node, sides)
        if isinstance(node, Restrict):
            J, F = sides[node.part]
            kept = (J, F & bits_of(node.kept))
            waiting.append((node.child, (*sides[: node.part], kept, *sides[node.part + 1 :])))
    if not all(reached):
        raise Defect(f"node {reached.index(0)} of the tree is never reached")


def over_leaves(
    cases: Iterable[Case],
    bound_of: Callable[[Case], Any],
    limit: float,
    reasons: list[str],
    short: list[str] | None = None,
) -> tuple[Any, int]:
    """Return the largest bound over the leaves of a tree and their number; say which are above a limit.

    What is wrong with the tree goes to the reasons. So does what a leaf lacks, and the check stops after ten of
    these; unless `short` is given, which has the first ten then.
    """
    worst, count = -math.inf, 0
    found = reasons if short is None else short
    try:
        for case in cases:
            count += isinstance(case.node, Leaf)
            try:
                bound, said = bound_of(case), ""
            except Defect as defect:
                bound, said = math.inf, str(defect)
            if not bound <= limit and len(found) < MOST_REASONS:  # nan is not
                lacking = f"its {case.node.kind} bound is {above(bound)}, above {above(limit)}"
                found.append(f"node {case.index}: {said or lacking}")
            worst = max(worst, bound)
            if short is None and len(reasons) >= MOST_REASONS:
                raise Defect("there may be more: the check stopped here")
    except Defect as defect:
        worst = math.inf
        reasons.append(str(defect))
    return worst, count
