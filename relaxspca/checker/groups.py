"""Bound the tables of a leaf by the rule *groups* of ``certificates/SPEC.md``, section 13.

Components that may have the same supports are a group. A point drops supports of which every table explains too
little; where some are left to each group, its tables are told apart by how many components have some of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any, cast

import numpy as np

from relaxspca.certificate import GroupDivision
from relaxspca.checker.exact import Exact, float_above
from relaxspca.checker.parts import TableCase, TablePart, may_be_smaller, variables_of
from relaxspca.checker.tree import Defect
from relaxspca.checker.units import Point

MOST_VARIABLES, MOST_SUPPORTS, MOST_TRIED = 62, 1 << 17, 1 << 28

Group = tuple[int, Any]  # how many components, and the numbers of their supports


def bound_of_groups(evidence: Any, case: TableCase, limit: float) -> Any:
    """Return a bound on every table of a leaf, of which sets are dropped as far as `limit` allows."""
    return _Groups(evidence, case, limit).bound()


class _Groups:
    def __init__(self, evidence: Any, case: TableCase, limit: float) -> None:
        self.evidence, self.cases, self.limit = evidence, case.leaf.cases, limit
        self.V = variables_of(case.parts)
        if len(self.V) > MOST_VARIABLES:
            raise Defect(f"its tables have more than {MOST_VARIABLES} variables: they are not gone through")
        counts = {part: case.parts.count(part) for part in case.parts}
        families = {part: np.array(list(self.supports(part)), dtype=np.int64) for part in counts}
        self.masks = np.unique(np.concatenate([*families.values()]))
        self.groups = [(count, np.searchsorted(self.masks, families[part])) for part, count in counts.items()]

    def supports(self, part: TablePart) -> Iterator[int]:
        """Yield the supports of a part as bits."""
        J, F = part.forced, part.free
        most = min(part.size - len(J), len(F))
        least = most if not may_be_smaller(self.evidence.certificate) else 0 if J else 1
        if sum(math.comb(len(F), more) for more in range(least, most + 1)) > MOST_SUPPORTS:
            raise Defect(f"a component has more than {MOST_SUPPORTS} supports")
        bits, forced = {i: 1 << place for place, i in enumerate(self.V)}, self.mask(J)
        for more in range(least, most + 1):
            yield from (forced + sum(bits[i] for i in added) for added in combinations(F, more))

    def mask(self, variables: Any) -> int:
        """Return variables of the leaf as bits; 0 where one is not of the leaf."""
        places = {i: place for place, i in enumerate(self.V)}
        return sum(1 << places[i] for i in variables) if all(i in places for i in variables) else 0

    def bound(self) -> Any:
        """Return the largest bound of a set that is dropped, or of a case that is left open."""
        worst: Any = -math.inf
        tried = 0
        waiting = [(0, self.groups)]
        while waiting:
            at, groups = waiting.pop()
            case: Any = self.cases[at]
            reached: Any = math.inf
            for number in case.points:
                if any(len(family) == 0 for _, family in groups):
                    break
                tried += sum(len(family) for _, family in groups)
                if tried > MOST_TRIED:
                    raise Defect(f"more than {MOST_TRIED} sets to try")
                groups, dropped, total = self.dropped(self.point(number), groups)
                worst, reached = max(worst, dropped), min(reached, total)
            if any(len(family) == 0 for _, family in groups):
                continue
            if case.division is None:
                worst = max(worst, reached)
                continue
            after = self.divided(case.division, groups)
            waiting += zip(case.division.next, after, strict=True)
        is_exact = isinstance(self.evidence.arithmetic, Exact) or not math.isfinite(worst)
        return worst if is_exact else float_above(worst)

    def point(self, number: int) -> Point:
        point = Point(self.evidence, number, self.V, self.masks, self.limit)
        if not point.is_whole:
            raise Defect(f"point {number} says nothing of some of the variables of the leaf")
        if not point.is_usable:
            raise Defect(f"point {number}: nothing proves how far Z is from semidefinite")
        return point

    def dropped(self, point: Point, groups: list[Group]) -> tuple[list[Group], Any, Any]:
        """Return what is left of groups, the largest bound of what is not, and that of all tables."""
        values = [point.eigenvalues(family) for _, family in groups]
        largest = [int(of_group.max()) for of_group in values]
        total = point.everything + sum(count * most for (count, _), most in zip(groups, largest, strict=True))
        left, worst = list[Group](), cast(Any, -math.inf)
        for (count, family), of_group, most in zip(groups, values, largest, strict=True):
            bounds = total - most + of_group
            stays = bounds > point.limit
            left.append((count, family[stays]))
            if not stays.all():
                worst = max(worst, point.value(bounds[~stays].max()))
        return left, worst, point.value(total)

    def divided(self, division: GroupDivision, groups: list[Group]) -> list[list[Group]]:
        """Return the groups where none, one, two, ... components of one of them have certain sets."""
        if division.group >= len(groups):
            raise Defect(f"a case divides group {division.group}, and there are {len(groups)}")
        count, family = groups[division.group]
        if len(division.next) != count + 1:
            raise Defect(f"{len(division.next)} cases follow where a group has {count} components")
        is_named = np.isin(self.masks[family], [self.mask(some) for some in division.sets])
        with_them, without = family[is_named], family[~is_named]
        found = []
        for i in range(count + 1):
            first, *further = [(i, with_them)] * (i > 0) + [(count - i, without)] * (i < count)
            found.append([*groups[: division.group], first, *groups[division.group + 1 :], *further])
        return found
