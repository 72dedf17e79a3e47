"""The parts of a node: decisions taken, sizes that are full, disjointness and the order of equal components."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.shape import Part, Shape, Uses, marked
from relaxspca.search.several.tree import Decision

__all__ = ["alike", "contradiction", "decided", "follows", "is_overfull", "is_void", "normal"]


def decided(parts: Sequence[Part], shape: Shape, decision: Decision) -> tuple[Part, ...]:
    """Return the parts after a decision on a free variable, with what sizes alone then settle."""
    if decision.scope == "uses":
        return tuple(parts)
    new = list(parts)
    chosen = [decision.part]
    if decision.scope == "alike" and not decision.is_inside:
        chosen = alike(parts, decision.part)
    for t in chosen:
        part = parts[t]
        free, inside = part.free[part.free != decision.variable], part.inside
        if decision.is_inside:
            inside = np.union1d(inside, [decision.variable])
        new[t] = normal(Part(part.size, inside, free), shape)
    return tuple(new)


def alike(parts: Sequence[Part], t: int) -> list[int]:
    """Return the components of which the same is decided as of one, with it."""
    return [s for s, part in enumerate(parts) if part.key == parts[t].key]


def normal(part: Part, shape: Shape) -> Part:
    """Return a part with the same supports: nothing is free where it is full, all is in where all is needed.

    Examples
    --------
    >>> normal(Part(1, np.array([0]), np.array([1, 2])), Shape((1, 1))).free.tolist()
    []
    """
    if len(part.inside) == part.size:
        return Part(part.size, part.inside, part.free[:0])
    if not shape.is_at_most and len(part.inside) + len(part.free) == part.size:
        return Part(part.size, part.variables, part.free[:0])
    return part


def is_overfull(parts: Sequence[Part], uses: Uses) -> bool:
    """Say whether variables that two components are to use need more places than components have.

    Examples
    --------
    >>> none = np.zeros(0, dtype=int)
    >>> parts = (Part(2, np.array([0]), np.array([1, 2])), Part(1, none, np.array([0, 1, 2])))
    >>> is_overfull(parts, Uses(none, np.array([0]))), is_overfull(
    ...     parts, Uses(none, np.array([0, 1]))
    ... )
    (False, True)
    """
    forced = sum((marked(uses.twice, part.inside).astype(int) for part in parts), np.zeros(len(uses.twice)))
    places = sum(part.size - len(part.inside) for part in parts)
    return bool(np.maximum(2 - forced, 0).sum() > places)


def is_void(parts: Sequence[Part], shape: Shape) -> bool:
    """Say whether some component has no support, or all have too few variables for orthonormal vectors."""
    for part in parts:
        least = 1 if shape.is_at_most else part.size
        if len(part.inside) > part.size or len(part.inside) + len(part.free) < least:
            return True
    return len(np.unique(np.concatenate([part.variables for part in parts]))) < shape.count


def contradiction(parts: Sequence[Part], shape: Shape, uses: Uses, order: Indices) -> str | None:
    """Return the kind of proof that a node has no table, or only those of another; None if it may have some."""
    if is_void(parts, shape):
        return "void"
    if shape.is_disjoint:
        if _shares_a_variable(parts):
            return "apart"
        return "order" if _is_out_of_order(parts, order) else None
    for i in uses.once:
        if sum(i in part.inside for part in parts) > 1:
            return "uses"
    for i in uses.twice:
        if sum(i in part.inside or i in part.free for part in parts) < 2:
            return "uses"
    return None


def follows(parts: Sequence[Part], shape: Shape, uses: Uses, order: Indices) -> tuple[str, Decision] | None:
    """Return a decision that is left no choice about, and the kind of proof that closes its other side.

    Parameters
    ----------
    parts : of the node.
    shape : Shape.
    uses : Uses, what is decided of how many components use a variable.
    order : all variables, by which disjoint supports of equal sizes are compared.

    Returns
    -------
    (kind, Decision) or None
        The kind of proof that closes the other side. A node that contradicts itself yields a decision whose
        other side and whose own side are both closed in the end: a part becomes void.
    """
    if not shape.is_disjoint:
        return _by_uses(parts, uses)
    for t, part in enumerate(parts):
        for s, other in enumerate(parts):
            if s != t and (taken := np.intersect1d(part.free, other.inside)).size:
                return "apart", Decision(t, int(taken[0]), False)
    for t in range(len(parts) - 1):
        if parts[t].size == parts[t + 1].size and (found := _ordered(parts, t, order)) is not None:
            return "order", found
    return None


def _by_uses(parts: Sequence[Part], uses: Uses) -> tuple[str, Decision] | None:
    """Return what the numbers of components that use a variable leave no choice about."""
    for i in (*uses.once, *uses.twice):
        free = [t for t, part in enumerate(parts) if i in part.free]
        forced = sum(i in part.inside for part in parts)
        if free and i in uses.once and forced:
            return "uses", Decision(free[0], int(i), False)
        if free and i in uses.twice and forced + len(free) == 2:
            return "uses", Decision(free[0], int(i), True)
    return None


def _ordered(parts: Sequence[Part], t: int, order: Indices) -> Decision | None:
    """Return what leaves no choice if T_t may not come after T_{t+1} in lexicographic order."""
    first, second = (_states(parts[s], order) for s in (t, t + 1))
    for i, a, b in zip(order, first, second, strict=True):
        if a == 0 and b == FREE:
            return Decision(t + 1, int(i), False)
        if a == FREE and b == 1:
            return Decision(t, int(i), True)
        if a == FREE or b == FREE or a > b:
            return None
        if a < b:
            return None  # a contradiction: see `_is_out_of_order`
    return None


def _is_out_of_order(parts: Sequence[Part], order: Indices) -> bool:
    """Say whether what is decided puts the supports of two components of equal size out of order."""
    for t in range(len(parts) - 1):
        if parts[t].size != parts[t + 1].size:
            continue
        first, second = (_states(parts[s], order) for s in (t, t + 1))
        for a, b in zip(first, second, strict=True):
            if a != b or a == FREE:
                if a == 0 and b == 1:
                    return True
                break
    return False


def _shares_a_variable(parts: Sequence[Part]) -> bool:
    """Say whether a variable is forced into two parts."""
    forced = np.concatenate([part.inside for part in parts])
    return len(np.unique(forced)) < len(forced)


FREE = 2


def _states(part: Part, order: Indices) -> Indices:
    """Return 1, 0 or FREE for every variable in the order."""
    states = np.where(np.isin(order, part.inside), 1, np.where(np.isin(order, part.free), FREE, 0))
    return np.asarray(states)
