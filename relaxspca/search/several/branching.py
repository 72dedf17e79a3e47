"""The branching rule: which component and which variable a node is split on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.several.enumerated import Listed
from relaxspca.relaxations.several.formula import Evaluated, Rows
from relaxspca.relaxations.several.shape import Part, Shape, marked
from relaxspca.relaxations.soft_top import SoftTop
from relaxspca.search.proof_tree import Decision
from relaxspca.search.several.screen import scores

SHARP = 3e-3  # width, in parts of a component's value, over which supports count as the best


def branch(found: Evaluated | None, parts: Sequence[Part], *, shape: Shape, cap: float) -> Decision:
    """Return what to split a node on: the variable whose two sides lower the bound most (product rule).

    Where supports may overlap and are not listed, several eigenvectors belong to the value of a part: no split
    lowers it before the multipliers move. There the node is split on what the best supports leave most open.

    Parameters
    ----------
    found : what the last dual point proves, if it speaks of these parts.
    parts, shape : of the node.
    cap : a number no decrease of the bound is above (variance).
    """
    if found is not None and _fits(found, parts):
        is_free = not (shape.is_disjoint or shape.is_common)
        if is_free and not all(isinstance(how, Listed) for how in found.parts):
            chosen = _by_shares(found, parts)
        else:
            chosen = _by_product(found, parts, cap)
        if chosen is not None:
            return Decision(*chosen, True)
    t = next(t for t, part in enumerate(parts) if not part.is_settled)
    return Decision(t, int(parts[t].free[0]), True)


def _fits(found: Evaluated, parts: Sequence[Part]) -> bool:
    """Say whether a dual point was evaluated at these parts, and not before the last decisions."""
    return len(found.values) == len(parts) and all(
        isinstance(how, Listed) or len(how.matrix) == len(part.variables)
        for how, part in zip(found.parts, parts, strict=True)
    )


def _shares(how: Rows | Listed, part: Part) -> Array:
    """Return for each variable of a component the fraction of the best supports that use it."""
    if isinstance(how, Rows):
        return _shares_by_rows(how, part)
    top = max(float(values.max()) for values in how.values if len(values))
    width = SHARP * max(abs(top), 1e-300)
    share, total = np.zeros(len(part.variables)), 0.0
    for some, values in zip(how.supports, how.values, strict=True):
        weights = np.exp((values - top) / width)
        np.add.at(share, some, weights[:, None])
        total += float(weights.sum())
    return share / total


def _shares_by_rows(how: Rows, part: Part) -> Array:
    """Return the same from all eigenvectors near the largest, and the partners that their rows pay for."""
    values, vectors = np.linalg.eigh(how.matrix)
    width = SHARP * max(abs(float(values[-1])), 1e-300)
    weights = np.exp((values - values[-1]) / width)
    variances = vectors**2 @ (weights / weights.sum())
    inside, others = marked(part.variables, part.inside), ~np.eye(len(variances), dtype=bool)
    slots = part.size - inside.sum() - ~inside
    chosen = SoftTop(~inside & others, slots, width / 4)(how.open_pairs)[1] + (inside & others)
    return np.asarray(np.clip(variances + variances @ chosen, 0.0, 1.0))


def _by_shares(found: Evaluated, parts: Sequence[Part]) -> tuple[int, int] | None:
    """Return the component and variable, of large Z_jj, on which the best supports disagree most.

    Of c equal components with a share q each, one or none of them has the variable at the two sides: what
    changes is 1 - q of one component, and c q, at most 1, of all of them.
    """
    keys = [part.key for part in parts]
    best, chosen = 0.0, None
    for t, (part, how) in enumerate(zip(parts, found.parts, strict=True)):
        if keys.index(part.key) < t:
            continue
        share = _shares(how, part)
        worth = found.own[np.searchsorted(found.variables, part.variables)]
        merit = np.minimum(keys.count(part.key) * share, 1.0) * (1 - share) * worth
        merit[~marked(part.variables, part.free)] = 0.0
        if merit.max(initial=0.0) > best:
            best, chosen = float(merit.max()), (t, int(part.variables[int(np.argmax(merit))]))
    return chosen


def _by_product(found: Evaluated, parts: Sequence[Part], cap: float) -> tuple[int, int] | None:
    """Return the component and variable whose two sides both lower the bound most."""
    best, chosen = -np.inf, None
    for t, (part, estimate) in enumerate(zip(parts, scores(found, parts), strict=True)):
        value = found.values[t]
        down = np.maximum(value - estimate.with_variable, 0) + 1e-6 * cap
        up = np.maximum(value - estimate.without_variable, 0) + 1e-6 * cap
        merit = np.minimum(down, cap) * np.minimum(up, cap)
        if len(merit) and merit.max() > best:
            best, chosen = float(merit.max()), (t, int(part.free[int(np.argmax(merit))]))
    return chosen
