"""Write a leaf whose tables are divided into cases in the words of the verified checker.

Nothing here is trusted. What is one group in the certificate may be several for the checker, because splits are
repeated or sizes padded: each of these is divided for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt
from choices import Side, groups_of
from covered import NotCovered
from integers import words
from points import NotProved

from relaxspca.certificate import GroupCase, GroupDivision
from relaxspca.certificate.values import Floats

__all__ = ["CaseTranslation", "ReadPoint"]

MOST_SUPPORTS = 1 << 13  # of one component
MOST_TRIED = 1 << 22  # supports at points of cases
Indices = npt.NDArray[np.int64]
Name = tuple[int, int]


@dataclass(frozen=True)
class ReadPoint:
    """A point of a leaf: its number there, M, what variables cost, and more than eigenvalues are wrong by."""

    number: int
    M: Floats
    everything: int
    margin: int


@dataclass(frozen=True)
class _Group:
    """So many components with a support among these rows, and which group of the certificate they are of."""

    count: int
    supports: Indices
    name: Name


class CaseTranslation:
    """The cases of one leaf, with the number of units that a variance is, rounded down."""

    def __init__(
        self,
        cases: Sequence[GroupCase],
        points: dict[int, ReadPoint],
        upper: int,
        whole: Callable[[float], int],
    ) -> None:
        self.cases, self.points, self.upper, self.whole = cases, points, upper, whole
        self.tried = 0

    def lines(self, sizes: Sequence[int], sides: Sequence[Side], own: Sequence[int]) -> Iterator[str]:
        """Yield the groups, and what is done with them; component t is in group `own[t]` of the certificate."""
        kinds = groups_of([*zip(sizes, own, strict=True)], sides)
        members = [[t for t, kind in enumerate(kinds) if kind == g] for g in range(max(kinds) + 1)]
        yield words([len(members), *(word for some in members for word in (len(some), *some))])
        leads = [(some[0], len(some)) for some in members]
        groups = [_Group(count, supports_of(sizes[t], *sides[t]), (-1, own[t])) for t, count in leads]
        yield from self.walk(0, groups, [(-1, g) for g in range(max(own) + 1)])

    def walk(self, at: int, groups: list[_Group], order: list[Name]) -> Iterator[str]:
        """Yield a case of the certificate, whose groups have the names in `order`."""
        case = self.cases[at]
        for number in case.points:
            if is_empty(groups):
                break
            tops, groups = self.dropped(self.points[number], groups)
            yield f"drop {self.points[number].number} {len(tops)} {words(tops)}"
        if case.division is None or is_empty(groups):
            yield "empty"
            return
        if case.division.group >= len(order):
            raise NotProved(f"case {at} divides a group that is not there")
        name = order[case.division.group]
        if len(case.division.next) != 1 + sum(group.count for group in groups if group.name == name):
            raise NotProved(f"case {at} is not followed by one for each number of components")
        yield from self.divided(at, case.division, groups, order)

    def dropped(self, point: ReadPoint, groups: list[_Group]) -> tuple[list[int], list[_Group]]:
        """Return a bound on all supports of each group, and the groups without what is certainly dropped."""
        self.tried += sum(len(group.supports) for group in groups)
        if self.tried > MOST_TRIED:
            raise NotCovered(f"more than {MOST_TRIED} supports tried at a leaf")
        T = [group.supports for group in groups]
        values = [np.linalg.eigvalsh(point.M[own[:, :, None], own[:, None, :]])[:, -1] for own in T]
        tops = [self.whole(own.max()) + point.margin for own in values]
        total = point.everything + sum(group.count * top for group, top in zip(groups, tops, strict=True))
        left = []
        for group, own, top in zip(groups, values, tops, strict=True):
            limit = min(top, self.upper - total + top) - point.margin
            stays = np.array([self.whole(value) > limit for value in own])
            left.append(replace(group, supports=group.supports[stays]))
        return tops, left

    def divided(
        self, at: int, division: GroupDivision, groups: list[_Group], order: list[Name]
    ) -> Iterator[str]:
        """Yield what follows a case: the groups here that are of its group are divided one after the other."""
        name, named, others = order[division.group], (at, 1), (at, 0)
        g = next((g for g, group in enumerate(groups) if group.name == name), None)
        if is_empty(groups):
            yield "empty"
        elif g is None:
            first, *further = [own for own in (named, others) if any(group.name == own for group in groups)]
            after = [*order[: division.group], first, *order[division.group + 1 :], *further]
            count = sum(group.count for group in groups if group.name == named)
            yield from self.walk(division.next[count], groups, after)
        else:
            count, supports = groups[g].count, groups[g].supports
            sets = {frozenset(some) for some in division.sets}
            is_named = np.array([frozenset(some) in sets for some in supports.tolist()])
            written = [f"{len(some)} {words(some)}" for some in supports[is_named].tolist()]
            yield f"divide {g} {len(written)} {' '.join(written)} {count + 1}"
            for i in range(count + 1):
                both = [_Group(i, supports[is_named], named), _Group(count - i, supports[~is_named], others)]
                after_it = [group for group in both if group.count] + groups[g + 1 :] + groups[:g]
                yield from self.divided(at, division, after_it, order)


def supports_of(k: int, J: list[int], F: list[int]) -> Indices:
    """Return the supports of a component, in the order of the checker."""
    if comb(len(F), k - len(J)) > MOST_SUPPORTS:
        raise NotCovered(f"more than {MOST_SUPPORTS} supports of one component at a leaf")
    return np.array([[*J, *chosen] for chosen in combinations(F, k - len(J))], dtype=np.int64)


def is_empty(groups: list[_Group]) -> bool:
    """Say whether some components have no support left."""
    return not all(len(group.supports) for group in groups)
