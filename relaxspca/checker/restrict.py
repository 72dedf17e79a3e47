"""Restrict a family of thousands of variables to few of them: ``certificates/SPEC.md``, section 7.

For numbers p_ij, c_{h|i} is the most that row h costs in a support that has h and i. By Gershgorin a
support above a level has a row h with more than the level, so that c_{h|i} is above it for every i of the
support. Let t be the least of the numbers that make up c_h, and m the largest of the class of i. In c_{h|i}
the variable i takes the place of m, where that is paid, else of t: c_{h|i} = c_h - max(t, m) + p_hi.

The rows are gone through a few at a time, so that no n x n matrix is formed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate import Restrict
from relaxspca.checker.defect import Defect
from relaxspca.checker.family import Family

if TYPE_CHECKING:
    from relaxspca.checker.core import Core

CHUNK = 128  # rows at a time


def rows_left(core: Core, node: Restrict, J: Sequence[int], F: Sequence[int]) -> Any:
    """Return the level that bounds every support which is not at the child of a node; or raise Defect."""
    family = next(core.families([*J], [*F]), None)
    if family is None:
        return -math.inf
    is_gone = ~np.isin(np.arange(core.n), [*node.kept, *J])
    for rows, columns, charge, with_each in charges(core, node.point, J, F, family, core.penalty):
        heavy = charge > node.level  # a row costs no more with a column forced in besides
        short = (with_each(heavy) > node.level) & is_gone[columns][None, :]
        for row, column in np.argwhere(short)[:1].tolist():
            pair = f"row {int(rows[heavy][row])} with the variable {int(columns[column])}, which is left out,"
            raise Defect(f"{pair} is not proved to cost at most {node.level}")
    return node.level


def charges(
    core: Core, at: int | None, J: Sequence[int], F: Sequence[int], family: Family, penalty: Any
) -> Iterator[tuple[Any, Any, Any, Callable[[Any], Any]]]:
    """Yield some rows, all columns, the row charges, and what gives those with each column forced in."""
    # Where a part is full, what is free of it counts as empty.
    columns = np.array([*J, *(F if penalty is not None else family.free)], dtype=int)
    weights = None if at is None else core.points[at].weights[core.places_of(at, columns.tolist())]
    for start in range(0, len(columns), CHUNK):
        some = slice(start, start + CHUNK)
        rows = columns[some]
        p = core.weighed(rows, columns, *((None, None) if weights is None else (weights[some], weights)))
        if penalty is not None:
            p = core.arithmetic.upper(core.arithmetic.array(p) - core.arithmetic.array(penalty))
        rooms: Any = [(columns[len(J) :], None)] if penalty is not None else family.parts
        yield rows, columns, *_charges(core, p, rows, columns, len(J), rooms)


def _charges(core: Core, p: Any, rows: Any, columns: Any, forced: int, rooms: Any) -> tuple[Any, Any]:
    """Return the row charges of some rows, and what gives those of a few with each column forced in."""
    arithmetic = core.arithmetic
    own = rows[:, None] == columns[None, :]
    paid = [np.where(own, p, arithmetic.zero), np.where(own, arithmetic.zero, p)[:, :forced]]
    # What a column takes the place of, and whether a support has both: an infinite number says nothing of that.
    instead = np.full(p.shape, arithmetic.zero, dtype=object if p.dtype == object else float)
    together = np.zeros(p.shape, dtype=bool)
    for free, room in rooms:
        at = forced + np.flatnonzero(np.isin(columns[forced:], free))
        numbers = np.where(own[:, at], -math.inf, p[:, at])
        if core.labels is not None:
            same = core.labels[rows][:, None] == core.labels[columns[at]][None, :]
            numbers = np.where(same, -math.inf, numbers)
        if room is None:  # a row pays every number above 0
            best = np.maximum(numbers, arithmetic.zero)
            paid.append(best)
            together[:, at] = numbers > -math.inf
            instead[:, at] = best
        elif room > 0:
            places = room - np.isin(rows, free)
            each, of_class = _classes(core, numbers, columns[at])
            ranked = each if each.shape[1] <= room else np.partition(each, -room, axis=1)[:, -room:]
            ranked = np.sort(ranked, axis=1)[:, ::-1]
            taken = np.arange(ranked.shape[1])[None, :] < places[:, None]
            paid.append(np.where(taken & (ranked > -math.inf), ranked, arithmetic.zero))
            least = ranked[np.arange(len(rows)), np.maximum(places, 1) - 1]
            together[:, at] = (numbers > -math.inf) & (places > 0)[:, None]
            instead[:, at] = np.maximum(least[:, None], of_class)
    charge = arithmetic.total(np.hstack(paid), axis=1)

    def with_each(few: Any) -> Any:
        taken = arithmetic.array(np.where(together[few], instead[few], arithmetic.zero))
        more = arithmetic.array(charge[few, None]) - taken + arithmetic.array(p[few])
        return np.where(own[few], charge[few, None], np.where(together[few], arithmetic.upper(more), -math.inf))

    return charge, with_each


def _classes(core: Core, numbers: Any, columns: Any) -> tuple[Any, Any]:
    """Return the largest number of each class of the columns, and for each column that of its class."""
    if core.labels is None:
        return numbers, numbers
    names, where = np.unique(core.labels[columns], return_inverse=True)
    largest = np.stack([numbers[:, where == name].max(axis=1) for name in range(len(names))], axis=1)
    return largest, largest[:, where]
