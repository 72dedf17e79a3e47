"""A family: the supports that a leaf stands for, and what rows are charged in them (SPEC.md, section 7)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.checker.exact import Exact

Parts = Sequence[tuple[Sequence[int], int]]  # variables, and how many of them a support has


class Defect(Exception):
    """What a file holds cannot be used; the message names what is wrong with it."""


@dataclass(frozen=True)
class Family:
    """The supports T with J <= T <= J + F that have so many variables of each part.

    Parameters
    ----------
    inside : J.
    parts : of each part what is free, and how many of these T has; None for any number.
    whole : the parts, and how many variables of each T has.
    """

    inside: tuple[int, ...]
    parts: tuple[tuple[tuple[int, ...], Any], ...]
    whole: tuple[tuple[tuple[int, ...], int], ...] = ()

    @classmethod
    def at(cls, forced: Sequence[int], loose: Sequence[int], whole: Parts, labels: Any = None) -> Family | None:
        """Return the family of a leaf, or None where there is no such support.

        With `labels`, a support has no two variables of one label.
        """
        J, F, parts = {*forced}, {*loose}, []
        for variables, count in whole:
            more = count - len(J.intersection(variables))
            free = tuple(i for i in variables if i in F)
            classes = len(free) if labels is None else len({*labels[list(free)].tolist()})
            if not 0 <= more <= classes:
                return None
            parts.append((free if more else (), more))
        return cls(tuple(forced), tuple(parts), tuple((tuple(part), count) for part, count in whole))

    @property
    def free(self) -> list[int]:
        """What is free, part by part."""
        return [i for free, _ in self.parts for i in free]

    @property
    def size(self) -> int:
        """How many variables a support has."""
        return len(self.inside) + sum(int(count) for _, count in self.parts)

    @property
    def is_single(self) -> bool:
        """Whether it has one support, of all that is forced and free."""
        return all(count in (0, len(free)) for free, count in self.parts)

    def placed(self, where: Mapping[int, int]) -> Family:
        """Return the family with every variable in its place; those of a part without a place are left out."""
        parts, whole = (
            tuple((tuple(where[i] for i in part if i in where), count) for part, count in pairs)
            for pairs in (self.parts, self.whole)
        )
        return Family(tuple(where[i] for i in self.inside), parts, whole)


def charges_of(arithmetic: Any, p: Any, J: Sequence[int], parts: Parts, labels: Any = None) -> Any:
    """Return the most that each row in J, and then each free row, is charged in a support that has it."""
    members = np.array([*J, *(i for free, _ in parts for i in free)], dtype=int)
    return row_charges(arithmetic, p[np.ix_(members, members)], members, members, len(J), parts, labels)[0]


def row_charges(
    arithmetic: Any, p: Any, rows: Any, columns: Any, forced: int, parts: Any, labels: Any = None
) -> tuple[Any, Callable[[Any], Any]]:
    """Return what some rows are charged for numbers p_ij, and what gives that with each column forced in.

    A row pays its diagonal, the first columns, which are `forced` in, and of every part as many of the largest
    as a support has besides; without a count, all above 0. No support has two variables of one label.
    """
    own = rows[:, None] == columns[None, :]
    paid = [np.where(own, p, arithmetic.zero), np.where(own, arithmetic.zero, p)[:, :forced]]
    # What a column takes the place of, and whether a support has both: an infinite number says nothing of that.
    instead = np.full(p.shape, arithmetic.zero, dtype=object if p.dtype == object else float)
    together = np.zeros(p.shape, dtype=bool)
    for free, room in parts:
        at = forced + np.flatnonzero(np.isin(columns[forced:], free))
        numbers, count = (
            (p[:, at], room) if room is not None else (np.maximum(p[:, at], arithmetic.zero), len(at))
        )
        alike = own[:, at] if labels is None else labels[rows][:, None] == labels[columns[at]]
        numbers = np.where(alike, -math.inf, numbers)
        if count > 0 and len(at):
            places = count - np.isin(rows, free)
            each, of_class = _classes(numbers, None if labels is None else labels[columns[at]])
            largest = each if each.shape[1] <= count else np.partition(each, -count, axis=1)[:, -count:]
            ranked = np.sort(largest, axis=1)[:, ::-1]
            taken = np.arange(ranked.shape[1])[None, :] < places[:, None]
            paid.append(np.where(taken & (ranked != -math.inf), ranked, arithmetic.zero))
            least = ranked[np.arange(len(rows)), np.clip(places, 1, ranked.shape[1]) - 1]
            together[:, at] = (numbers != -math.inf) & (places > 0)[:, None]
            instead[:, at] = np.maximum(least[:, None], of_class)
    charge = arithmetic.total(np.hstack(paid), axis=1)

    def with_each(few: Any) -> Any:
        # A column takes the place of the largest of its label, where that is paid, else of the least that is.
        taken = arithmetic.array(np.where(together[few], instead[few], arithmetic.zero))
        more = arithmetic.array(charge[few, None]) - taken + arithmetic.array(p[few])
        return np.where(own[few], charge[few, None], np.where(together[few], arithmetic.upper(more), -math.inf))

    return charge, with_each


def _classes(numbers: Any, labels: Any) -> tuple[Any, Any]:
    """Return the largest number of each label of the columns, and for each column that of its label."""
    if labels is None:
        return numbers, numbers
    names, where = np.unique(labels, return_inverse=True)
    largest = np.stack([numbers[:, where == name].max(axis=1) for name in range(len(names))], axis=1)
    return largest, largest[:, where]


def charged(arithmetic: Any, point: Any, at: int, is_unpaid: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Return P and N of a point, once N_ij N_ji >= P_ij^2 is seen to hold where it is asked."""
    P, N = point.P, point.N
    if not isinstance(arithmetic, Exact):
        # Every pair in a unit of its own, a power of two with 1/2 <= |P_ij| < 1, so that no product leaves
        # the range of floats. Charges are exact in it, or cut to 2^500, or too small to pay anything then.
        P, unit = np.frexp(P)
        N = np.minimum(np.ldexp(N, -unit), 2.0**500)
    N = arithmetic.array(N)
    missing = arithmetic.array(P) * arithmetic.array(P) - N * N.T
    variables = point.variables if point.paid is None else point.paid
    for pair in variables[np.argwhere(is_unpaid(P) & (arithmetic.upper(missing) > 0))].tolist():
        raise Defect(f"point {at}: the pair {tuple(pair)} is charged too little: N_ij N_ji < P_ij^2 there")
    return arithmetic.array(point.P), arithmetic.array(point.N)
