"""The branching rule: which component and which variable a node is split on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.relaxations.several.enumerated import Listed
from relaxspca.relaxations.several.formula import Evaluated
from relaxspca.relaxations.several.shape import Part
from relaxspca.search.proof_tree import Decision
from relaxspca.search.several.screen import scores


def branch(found: Evaluated | None, parts: Sequence[Part], *, cap: float) -> Decision:
    """Return what to split a node on: the variable whose two sides lower the bound most (product rule).

    The last dual point was `found`; it need not speak of these parts. No decrease of the bound is above `cap`.
    """
    chosen = None if found is None or not _fits(found, parts) else _by_product(found, parts, cap)
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


def _by_product(found: Evaluated, parts: Sequence[Part], cap: float) -> tuple[int, int] | None:
    """Return the component and variable whose two sides both lower the bound most."""
    best, chosen = -np.inf, None
    for t, (part, estimate) in enumerate(zip(parts, scores(found, parts), strict=True)):
        down, up = (np.maximum(found.values[t] - value, 0) + 1e-6 * cap for value in estimate)
        merit = np.minimum(down, cap) * np.minimum(up, cap)
        if len(merit) and merit.max() > best:
            best, chosen = float(merit.max()), (t, int(part.free[int(np.argmax(merit))]))
    return chosen
