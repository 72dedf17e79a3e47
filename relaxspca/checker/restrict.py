"""Restrict a family of thousands of variables to few of them: ``certificates/SPEC.md``, section 7.

For numbers p_ij, c_{h|i} is the most that row h costs in a support that has h and i. The rule *rows*, with
these of one i, bounds every support that has i. By weights rows are gone through a few at a time, so that
no n x n matrix is formed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate import Restrict
from relaxspca.checker.family import Defect, Family, row_charges

if TYPE_CHECKING:
    from relaxspca.checker.core import Core

CHUNK = 128  # rows at a time
BEYOND = "are not proved to be at most"


def rows_left(core: Core, node: Restrict, J: Sequence[int], F: Sequence[int]) -> Any:
    """Return the level that bounds every support which is not at the child of a node; or raise Defect."""
    family = next(core.families([*J], [*F]), None)
    if family is None:
        return -math.inf
    if core.penalty is not None:  # any number of what is free
        family = Family(tuple(J), ((tuple(F), None),))
    at, is_gone = node.point, ~np.isin(np.arange(core.n), [*node.kept, *J])
    if at is not None and core.points[at].P is not None:
        _by_pairs(core, at, family, is_gone, node.level)
    elif (charged_with(core, at, family, is_gone, node.level)[1] > node.level).any():
        raise Defect(f"supports with a variable that is left out {BEYOND} {node.level}")
    return node.level


def _by_pairs(core: Core, at: int, family: Family, is_gone: Any, level: float) -> None:
    """Raise Defect unless P and N prove a level with each variable forced in that is gone."""
    found = list[Any]()
    for _, columns, _, with_each in charges(core, at, family):
        found.append(with_each(slice(None))[:, is_gone[columns]])
    each = np.vstack(found)
    gone, here = columns[is_gone[columns]], np.array(core.places_of(at, columns.tolist()))
    # Many are tried at once, with the largest of their charges: the halves where that does not do.
    waiting = [np.argsort(each.max(axis=0))] if len(gone) else []
    while waiting:
        some = waiting.pop()
        charged = each[:, some].max(axis=1)
        is_row = charged > -math.inf
        ways = (True,) if len(some) > 1 else (True, False)  # in one piece only as a last resort
        bounds = (core.paid_rows(at).charged(here[is_row], charged[is_row], is_cut) for is_cut in ways)
        if not is_row.any() or any(bound <= level for bound in bounds):
            continue
        if len(some) == 1:
            raise Defect(f"supports with the variable {gone[some[0]]}, which is left out, {BEYOND} {level}")
        waiting += np.array_split(some, 2)


def charged_with(
    core: Core, at: int | None, family: Family, is_gone: Any, light: float = -math.inf
) -> tuple[Any, Any]:
    """Return the rows of supports with a variable that is gone, and the most that they cost in one.

    A row that costs so little in any support is not looked at closer.
    """
    found, most = list[Any](), list[Any]()
    for rows, columns, charge, with_each in charges(core, at, family):
        closer = (charge > light) & ~is_gone[rows]  # what is gone is in no other supports
        charge[closer] = with_each(closer)[:, is_gone[columns]].max(axis=1, initial=-math.inf)
        found.append(rows[charge > -math.inf])
        most.append(charge[charge > -math.inf])
    return np.concatenate(found), np.concatenate(most)


def charges(core: Core, at: Any, family: Family) -> Iterator[tuple[Any, Any, Any, Callable[[Any], Any]]]:
    """Yield some rows, all columns, the row charges, and what gives those with each column forced in.

    A part of which any number is free is one at a penalty, which is taken off here.
    """
    J, parts, point = family.inside, family.parts, None if at is None else core.points[at]
    columns = np.array([*J, *family.free], dtype=int)  # where a part is full, nothing is free of it
    here: Any = None if at is None else np.array(core.places_of(at, columns.tolist()))
    for start in range(0, len(columns), CHUNK):
        some = slice(start, start + CHUNK)
        rows = columns[some]
        if point is None:
            p = core.weighed(rows, columns, None, None)
        elif point.P is None:
            p = core.weighed(rows, columns, point.weights[here[some]], point.weights[here])
        else:
            p = core.paid_rows(at).N[np.ix_(here[some], here)]
        if any(room is None for _, room in parts):
            p = core.arithmetic.upper(core.arithmetic.array(p) - core.arithmetic.array(core.penalty))
        yield rows, columns, *row_charges(core.arithmetic, p, rows, columns, len(J), parts, core.labels)
