"""Supports that a dual point suggests: those of largest value that do not meet."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from relaxspca.numerics.linalg import leading_eigenpair
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.enumerated import MOST, Listed
from relaxspca.relaxations.several.formula import Evaluated, Rows
from relaxspca.relaxations.several.shape import Part, Shape

BEST = 24  # supports of each component from which choices are proposed


def proposal(
    cov: Covariance, found: Evaluated, parts: Sequence[Part], shape: Shape
) -> tuple[Indices, ...] | None:
    """Return disjoint supports of large value among the best of each part; the best of each where none are."""
    kept: dict[tuple[object, int], list[tuple[int, ...]]] = {}
    for part, how in zip(parts, found.parts, strict=True):
        if (part.key, id(how)) not in kept:  # equal parts have the same supports
            kept[part.key, id(how)] = (
                _best_listed(how, part) if isinstance(how, Listed) else _by_rows(how, part)
            )
    choices = [kept[part.key, id(how)] for part, how in zip(parts, found.parts, strict=True)]
    if shape.is_common:
        return (np.array(sorted(choices[0][0]), dtype=np.int64),)
    if not shape.is_disjoint and sum(part.size for part in parts) > len(found.variables):
        return tuple(np.array(sorted(some[0]), dtype=np.int64) for some in choices)  # none are disjoint
    worth = {T: float(np.linalg.eigvalsh(cov.submatrix(np.array(T)))[-1]) for some in choices for T in some}
    best, chosen_table = -math.inf, None
    for table in itertools.islice(itertools.product(*choices), MOST):
        value = sum(worth[T] for T in table)
        if value > best and len(set().union(*table)) == sum(map(len, table)):
            best, chosen_table = value, table
    if chosen_table is None:
        if shape.is_disjoint:
            return None
        chosen_table = tuple(some[0] for some in choices)
    return tuple(np.array(sorted(T), dtype=np.int64) for T in chosen_table)


def _by_rows(how: Rows, part: Part) -> list[tuple[int, ...]]:
    """Return the support where the leading eigenvector has its largest entries."""
    u = leading_eigenpair(how.matrix)[1]
    ranked = np.where(np.isin(part.variables, part.inside), np.inf, np.abs(u))
    chosen = np.argsort(-ranked, kind="stable")[: part.size]
    return [tuple(part.variables[np.sort(chosen)].tolist())]


def _best_listed(how: Listed, part: Part) -> list[tuple[int, ...]]:
    """Return the best supports of a part, best first."""
    ranked = [
        (-float(values[at]), tuple(part.variables[some[at]].tolist()))
        for some, values in zip(how.supports, how.values, strict=True)
        for at in np.argsort(-values, kind="stable")[:BEST]
    ]
    return [support for _, support in sorted(ranked)[:BEST]]
