"""Decide, by one dual point, what every component must or cannot use, and what to split a node on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from relaxspca.numerics.linalg import Array, is_proved_below, leading_eigenpair, sum_upper
from relaxspca.relaxations.several.formula import Evaluated, Listed, Rows, has_no_support, paid_for
from relaxspca.relaxations.several.shape import Part, Shape
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.search.proof_tree import Decision
from relaxspca.search.screening import quotients_without

Scores = tuple[Array, Array]  # the value of a part with each of its free variables in, and out


def scores(found: Evaluated, parts: Sequence[Part]) -> tuple[Scores, ...]:
    """Estimate the value of each part with each free variable in and out, which of listed parts is proved."""
    kept: dict[tuple[int, bytes, bytes], Scores] = {}
    for part, how in zip(parts, found.parts, strict=True):
        if part.key not in kept:
            kept[part.key] = _by_list(how, part) if isinstance(how, Listed) else _by_rows(how, part)
    return tuple(kept[part.key] for part in parts)


def settled_by(
    found: Evaluated,
    parts: Sequence[Part],
    shape: Shape,
    estimates: Sequence[Scores],
    target: float,
    deadline: Deadline = FOREVER,
) -> list[tuple[Decision, float]]:
    """Return decisions whose other side is closed by the dual point, each with the bound of that side.

    The estimates are those of `scores`. What is settled by the deadline stays so.
    """
    settled: list[tuple[Decision, float]] = []
    kept: dict[tuple[int, bytes, bytes], list[tuple[int, bool, float]]] = {}
    for t, part in enumerate(parts):
        if part.key not in kept:  # what is decided of one component is decided of those equal to it
            kept[part.key] = list(_settled(found, parts, shape, estimates[t], t, target, deadline))
        settled += [(Decision(t, i, is_inside), bound) for i, is_inside, bound in kept[part.key]]
    return settled


def _settled(
    found: Evaluated,
    parts: Sequence[Part],
    shape: Shape,
    estimate: Scores,
    t: int,
    target: float,
    deadline: Deadline,
) -> Iterator[tuple[int, bool, float]]:
    """Yield the decided variables of part t, whether each is inside, and the bound of the other side."""
    how = found.parts[t]
    for place, i in enumerate(parts[t].free):
        if deadline.is_over:
            return
        at = int(np.searchsorted(parts[t].variables, i))
        for is_inside, values in zip((True, False), estimate, strict=True):
            child = decided(parts, shape, Decision(t, int(i), is_inside))
            level, bound = _level(found, child, shape, t, target)
            if values[place] < level and (isinstance(how, Listed) or _is_below(how, at, is_inside, level)):
                yield int(i), not is_inside, bound
                break


def _level(found: Evaluated, child: Sequence[Part], shape: Shape, t: int, target: float) -> tuple[float, float]:
    """Return the largest value of part t at which the child is closed, and the bound of the child there."""
    paid = paid_for(found, shape, child)
    others = [value for s, value in enumerate(found.values) if s != t] * shape.copies
    rest = sum_upper(np.array([paid, *others]))
    level = (target - rest) / shape.copies
    level -= 1e-15 * (abs(target) + abs(rest))
    return level, sum_upper(np.array([paid, *others] + [level] * shape.copies))


def _is_below(how: Rows, place: int, is_inside: bool, level: float) -> bool:
    """Say whether a part's value is proved to be below a level with the variable at a place in, or left out."""
    changed = how.matrix.copy()
    changed[np.diag_indices_from(changed)] -= _decreases(how, is_inside)[:, place]
    if not is_inside:
        kept = np.arange(len(changed)) != place
        changed = changed[np.ix_(kept, kept)]
    return is_proved_below(changed, level, how.radius)


def _by_list(how: Listed, part: Part) -> Scores:
    m = len(part.variables)
    has = np.full(m, -np.inf)
    lacks = np.full(m, -np.inf)
    for some, values in zip(how.supports, how.values, strict=True):
        uses = np.zeros((len(some), m), dtype=bool)
        np.put_along_axis(uses, some, True, axis=1)
        has = np.maximum(has, np.where(uses, values[:, None], -np.inf).max(axis=0))
        lacks = np.maximum(lacks, np.where(uses, -np.inf, values[:, None]).max(axis=0))
    free = np.searchsorted(part.variables, part.free)
    return has[free], lacks[free]


def _by_rows(how: Rows, part: Part) -> Scores:
    """Estimate from below, to first order in the leading eigenvector: no decision that fails here is tried."""
    value, u = leading_eigenpair(how.matrix)
    has = value - _decreases(how, True).T @ u**2
    lacks = quotients_without(how.matrix, _decreases(how, False), u, np.arange(len(u)))
    free = np.searchsorted(part.variables, part.free)
    return has[free], lacks[free]


def _decreases(how: Rows, is_inside: bool) -> Array:
    """Return the decreases (j, i) of row charge j when variable i is forced in or left out."""
    change = how.totals.losses(how.pairs) if is_inside else how.totals.gains(how.open_pairs)
    np.fill_diagonal(change, 0.0)
    return change * (1 - 2.0**-50)


def branch(found: Evaluated | None, parts: Sequence[Part], *, cap: float) -> Decision:
    """Return what to split a node on: the variable whose two sides lower the bound most (product rule).

    The last dual point was `found`; None, or one whose numbers overflow, says nothing of the parts. No decrease
    of the bound is above `cap`.
    """
    chosen = None if found is None or not found.parts else _by_product(found, parts, cap)
    if chosen is not None:
        return Decision(*chosen, True)
    t = next(t for t, part in enumerate(parts) if not part.is_settled)
    return Decision(t, int(parts[t].free[0]), True)


def _by_product(found: Evaluated, parts: Sequence[Part], cap: float) -> tuple[int, int] | None:
    """Return the component and variable whose two sides both lower the bound most."""
    best, chosen = -np.inf, None
    for t, (part, estimate) in enumerate(zip(parts, scores(found, parts), strict=True)):
        down, up = (np.maximum(found.values[t] - value, 0) + 1e-6 * cap for value in estimate)
        merit = np.minimum(down, cap) * np.minimum(up, cap)
        if len(merit) and merit.max() > best:
            best, chosen = float(merit.max()), (t, int(part.free[int(np.argmax(merit))]))
    return chosen


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
