"""What the splits of a tree say of components: the variables that are forced in, and those that are free."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from integers import NotProved

from relaxspca.certificate import Leaf, Restrict, TreeNode

Side = tuple[list[int], list[int]]


def groups_of(sizes: Sequence[object], sides: Sequence[Side]) -> list[int]:
    """Return a number for each component, the same for those that may exchange their sets."""
    kinds = [(k, set(J), set(F)) for k, (J, F) in zip(sizes, sides, strict=True)]
    first = [kind for at, kind in enumerate(kinds) if kind not in kinds[:at]]
    return [first.index(kind) for kind in kinds]


def walked(
    tree: Sequence[TreeNode], root: list[Side], sizes: Sequence[object], are_apart: Callable[[int, int], bool]
) -> Iterator[tuple[str, Any, list[Side]]]:
    """Yield every node with what holds there, the inside child before the outside one.

    Beside a variable nothing is free that is apart from it. Parts of which the same is said have one group: in
    the outside child none of them has the variable.
    """
    waiting, reached = [(0, root)], set[int]()
    while waiting:
        at, sides = waiting.pop()
        if at in reached:
            raise NotProved(f"node {at} of the tree is reached twice")  # a walk through it might not end
        reached.add(at)
        node = tree[at]
        yield f"node {at}", node, sides
        if isinstance(node, Leaf):
            continue
        (J, F), before, after = sides[node.part], sides[: node.part], sides[node.part + 1 :]
        if isinstance(node, Restrict):
            kept = {*node.kept}
            waiting.append((node.child, [*before, (J, [j for j in F if j in kept]), *after]))
            continue
        i, groups = node.variable, groups_of(sizes[: len(sides)], sides)
        pairs = zip(sides, [g == groups[node.part] for g in groups], strict=True)
        outside = [(K, [j for j in G if j != i] if is_alike else G) for (K, G), is_alike in pairs]
        beside = [j for j in F if j != i and not are_apart(i, j)]
        waiting += [(node.outside, outside), (node.inside, [*before, ([i, *J], beside), *after])]
