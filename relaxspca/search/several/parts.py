"""The parts of a node: decisions taken, sizes that are full, and disjointness."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.relaxations.several.formula import has_no_support
from relaxspca.relaxations.several.shape import Part, Shape
from relaxspca.search.proof_tree import Decision


def decided(parts: Sequence[Part], shape: Shape, decision: Decision) -> tuple[Part, ...]:
    """Return the parts after a decision on a free variable and all that follows from it by sizes."""
    new = list(parts)
    for t in [decision.part] if decision.is_inside else alike(parts, decision.part):
        part = parts[t]
        free, inside = part.free[part.free != decision.variable], part.inside
        if decision.is_inside:
            inside = np.union1d(inside, [decision.variable])
        new[t] = normal(Part(part.size, inside, free), shape)
    return tuple(new)


def alike(parts: Sequence[Part], t: int) -> list[int]:
    """Return the components with the same decisions as one of them, itself among these."""
    return [s for s, part in enumerate(parts) if part.key == parts[t].key]


def normal(part: Part, shape: Shape) -> Part:
    """Return a part with the same supports and no free variable that its size decides.

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


def is_void(parts: Sequence[Part], shape: Shape) -> bool:
    """Say whether some component has no support, or all have too few variables for orthonormal vectors."""
    if any(has_no_support(part, is_at_most=shape.is_at_most) for part in parts):
        return True
    return len(np.unique(np.concatenate([part.variables for part in parts]))) < shape.count


def has_no_table(parts: Sequence[Part], shape: Shape) -> bool:
    """Say whether no components fit a node: parts are infeasible, or disjoint ones would share a variable."""
    forced = np.concatenate([part.inside for part in parts])
    return is_void(parts, shape) or (shape.is_disjoint and len(np.unique(forced)) < len(forced))


def follows(parts: Sequence[Part], shape: Shape) -> Decision | None:
    """Return a decision that disjointness forces: a variable of one support is in no other."""
    for t, part in enumerate(parts if shape.is_disjoint else ()):
        for s, other in enumerate(parts):
            if s != t and (taken := np.intersect1d(part.free, other.inside)).size:
                return Decision(t, int(taken[0]), False)
    return None
