"""Restrict a family of thousands of variables to the rows that can exceed a level: SPEC.md, section 7.

For numbers p_ij, row h of a support costs at most the row charge c_h, and at most c_{h|i} where the support has i
too. By Gershgorin a support above the level has a row h with c_h above it, and then only variables i with c_{h|i}
above it. With t the least of the largest numbers that make up c_h in the part of i, and m the largest number of
the class of i,

    c_{h|i} = c_h - max(t, m) + p_hi.

The rows are gone through a few at a time, so that no n x n matrix is formed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate import Restrict
from relaxspca.checker.defect import Defect
from relaxspca.checker.family import Family

if TYPE_CHECKING:
    from relaxspca.checker.core import Core

CHUNK = 128  # rows at a time


def rows_left(core: Core, node: Restrict, J: Sequence[int], F: Sequence[int], level: Any) -> Any:
    """Return the level of a node, above which every support is at one of its children; or raise Defect."""
    partners = {row: {*some} for row, some, _ in node.children}
    family = next(core.families([*J], [*F]), None)
    if family is None:
        return -math.inf
    if node.level > level:
        raise Defect(f"the level of the restriction is {node.level}, above that of the tree")
    if len(partners) < len(node.children) or not {*partners} <= {*J, *F}:
        raise Defect("the restriction lists a row twice, or one that no support has")
    for h, charge, needed in heavy_rows(core, node, J, F, family):
        if h not in partners:
            raise Defect(f"row {h} may cost {float(charge):.6g} and is not listed")
        missing = [i for i in needed if i not in partners[h]]
        if missing:
            raise Defect(f"row {h} may exceed the level with the variables {missing[:5]}, which are not listed")
    return node.level


def heavy_rows(
    core: Core, node: Restrict, J: Sequence[int], F: Sequence[int], family: Family
) -> Iterator[tuple[int, Any, list[int]]]:
    """Yield every row whose charge exceeds the level, its charge, and the partners with which it does."""
    # Where a part is full, what is free of it counts as empty.
    columns = np.array([*J, *(F if core.penalty is not None else family.free)], dtype=int)
    weights = _weights(core, node.point, columns)
    for start in range(0, len(columns), CHUNK):
        at = slice(start, start + CHUNK)
        rows = columns[at]
        p = core.weighed(rows, columns, *((None, None) if weights is None else (weights[at], weights)))
        if core.penalty is not None:
            p = core.arithmetic.upper(
                core.arithmetic.array(p) - core.arithmetic.array(np.full(p.shape, core.penalty))
            )
        charge, with_each = _charges(core, p, rows, columns, len(J), family)
        for row in np.flatnonzero(charge > node.level):
            is_needed = (with_each[row] > node.level) & (columns != rows[row])
            is_needed[: len(J)] = False
            yield int(rows[row]), charge[row], columns[is_needed].tolist()


def _weights(core: Core, at: int | None, columns: Any) -> Any:
    """Return the weights of the variables of a node; None for weights 1."""
    if at is None:
        return None
    where = core.places(at)
    missing = [i for i in columns.tolist() if i not in where]
    if missing:
        raise Defect(f"point {at} says nothing of the variables {missing[:5]} of the node")
    return core.points[at].weights[[where[i] for i in columns.tolist()]]


def _charges(core: Core, p: Any, rows: Any, columns: Any, forced: int, family: Family) -> tuple[Any, Any]:
    """Return the row charges of some rows, and those with each column forced in besides."""
    arithmetic = core.arithmetic
    own = rows[:, None] == columns[None, :]
    paid = [np.where(own, p, arithmetic.zero), np.where(own, arithmetic.zero, p)[:, :forced]]
    instead = np.full(p.shape, math.inf, dtype=object if p.dtype == object else float)
    for free, room in _rooms(core, columns[forced:], family):
        at = forced + np.flatnonzero(np.isin(columns[forced:], free))
        numbers = np.where(own[:, at], -math.inf, p[:, at])
        if core.labels is not None:
            same = core.labels[rows][:, None] == core.labels[columns[at]][None, :]
            numbers = np.where(same, -math.inf, numbers)
        if room is None:  # a row pays every number above 0
            best = np.maximum(numbers, arithmetic.zero)
            paid.append(best)
            instead[:, at] = best
            continue
        rooms = room - np.isin(rows, free)
        largest = _classes(core, numbers, columns[at])
        ranked = (
            largest[0] if largest[0].shape[1] <= room else np.partition(largest[0], -room, axis=1)[:, -room:]
        )
        ranked = np.sort(ranked, axis=1)[:, ::-1]
        taken = np.arange(ranked.shape[1])[None, :] < rooms[:, None]
        paid.append(np.where(taken & (ranked > -math.inf), ranked, arithmetic.zero))
        least = np.where(rooms > 0, ranked[np.arange(len(rows)), np.maximum(rooms, 1) - 1], math.inf)
        instead[:, at] = np.where(numbers > -math.inf, np.maximum(least[:, None], largest[1]), math.inf)
    charge = arithmetic.total(np.hstack(paid), axis=1)
    # Where no support has both, `instead` is infinite.
    finite = instead < math.inf
    taken = np.where(finite, instead, arithmetic.zero)
    more = (
        arithmetic.array(np.tile(charge[:, None], (1, p.shape[1])))
        - arithmetic.array(taken)
        + arithmetic.array(p)
    )
    return charge, np.where(finite, arithmetic.upper(more), -math.inf)


def _rooms(core: Core, free: Any, family: Family) -> list[tuple[Any, int | None]]:
    """Return of each part what is free, and how many of these a support has; None for any number."""
    if core.penalty is not None:
        return [(free, None)]
    return [(np.array(own, dtype=int), count) for own, count in family.parts if count > 0]


def _classes(core: Core, numbers: Any, columns: Any) -> tuple[Any, Any]:
    """Return the largest number of each class of the columns, and for each column that of its class."""
    if core.labels is None:
        return numbers, numbers
    names, where = np.unique(core.labels[columns], return_inverse=True)
    largest = np.stack([numbers[:, where == name].max(axis=1) for name in range(len(names))], axis=1)
    return largest, largest[:, where]
