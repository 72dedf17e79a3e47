"""Bound the tables of a leaf one by one, by the rule *tables* of ``certificates/SPEC.md``, section 13.

A choice says on which variables each component is not 0. A point bounds what the tables of a choice explain.
All choices are gone through from their beginnings; one is left where a point bounds all that begin so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from typing import Any

import numpy as np

from relaxspca.certificate import TableCertificate, TableLeaf
from relaxspca.checker.enumerated import each_of_blocks
from relaxspca.checker.exact import Exact, float_above
from relaxspca.checker.losses import Losses
from relaxspca.checker.parts import TableCase, TablePart, variables_of
from relaxspca.checker.tree import Defect

MOST_VARIABLES, MOST_SETS, MOST_BEGINNINGS, MOST_TRIED = 62, 1 << 17, 1 << 22, 1 << 28
HEADS = 8  # of the first points, which may bound beginnings
BLOCK, CHUNK, BITS = 1 << 18, 1 << 12, 59


def bound_of_choices(evidence: Any, case: TableCase, limit: float) -> Any:
    """Return a bound on every table of a leaf; no sharper than `limit` needs it, where that is proved."""
    return _Choices(evidence, case, limit).bound()


def most_blocks(certificate: TableCertificate) -> int:
    """Return of how many blocks of points an eigenvalue may be asked for, in all leaves of a tree."""
    lists = (node.points for node in certificate.tree if isinstance(node, TableLeaf) and node.kind == "tables")
    points = {*chain.from_iterable(lists)}
    return len(points) * sum(math.comb(certificate.n, m + 1) for m in range(certificate.sizes[0]))


class _Point:
    """What one point says of sets of the variables of a leaf, in whole numbers of a unit of its own.

    Every value is rounded upwards to a multiple of the unit, a power of two so large that sums stay below 2^62:
    they are exact.
    """

    def __init__(self, evidence: Any, at: int, V: list[int], masks: Any, limit: float) -> None:
        point, arithmetic = evidence.points[at], evidence.arithmetic
        r, known = len(evidence.certificate.sizes), {*point.variables.tolist()}
        inside = [place for place, i in enumerate(V) if i in known]
        W = tuple(V[place] for place in inside)
        here = evidence.places(at, W)
        self.arithmetic, self.masks, self.is_whole = arithmetic, masks, len(W) == len(V)
        self.inside = sum(1 << place for place in inside)
        self.M = np.zeros((len(V), len(V)))
        self.M[np.ix_(inside, inside)] = point.M[np.ix_(here, here)]
        try:
            delta, diagonal = evidence.excess(at, W)
        except Defect:
            delta, diagonal = math.inf, arithmetic.array([])
        paid, charge = arithmetic.upper(diagonal).tolist(), arithmetic.total([-delta] * r)
        size = sum(abs(float_above(x)) for x in (*paid, charge)) + r * np.abs(self.M).sum(axis=1).max()
        self.is_usable = math.isfinite(size)
        if self.is_usable:
            self.exponent = math.frexp(size)[1] - BITS
            self.weights = np.zeros(len(V), dtype=np.int64)
            self.weights[inside] = [self.whole(x) for x in paid]
            self.charge = self.whole(charge)
            # Sums stay far inside of this range.
            self.limit = max(-(1 << 62), min(1 << 62, -self.whole(-Fraction(limit))))
            self.found = np.zeros(len(masks), dtype=np.int64)
            self.is_found = np.zeros(len(masks), dtype=bool)

    def whole(self, value: Any) -> int:
        """Return the least whole number of units that is at least a value."""
        p, q = value.as_integer_ratio()
        p, q = (p << -self.exponent, q) if self.exponent < 0 else (p, q << self.exponent)
        return int(-(-p // q))

    def value(self, count: Any) -> Fraction:
        """Return what so many units are."""
        return int(count) * Fraction(2) ** self.exponent

    def eigenvalues(self, sets: Any) -> Any:
        """Return bounds on lambda_max of M on sets of the list, each found once."""
        missing = np.unique(sets[~self.is_found[sets]])
        M = self.arithmetic.array(self.M)
        for some, supports in self.stacks(missing):
            bounds = each_of_blocks(self.arithmetic, M[supports[:, :, None], supports[:, None, :]])
            self.found[some] = [self.whole(bound) for bound in bounds]
        self.is_found[missing] = True
        return self.found[sets]

    def stacks(self, sets: Any) -> Iterator[tuple[Any, Any]]:
        """Yield sets of one size, and the places of their variables, as many at a time as memory allows."""
        bits = self.masks[sets, None] >> np.arange(len(self.M)) & 1
        sizes = bits.sum(axis=1)
        for size in np.unique(sizes).tolist():
            own, supports = sets[sizes == size], np.nonzero(bits[sizes == size])[1].reshape(-1, size)
            for first in range(0, len(own), CHUNK):
                yield own[first : first + CHUNK], supports[first : first + CHUNK]

    @cached_property
    def losses(self) -> Losses:
        """What pairs of sets lose here."""
        return Losses(self)

    def union(self, masks: Any) -> Any:
        """Return what the variables of unions cost, less the charge."""
        return (masks[:, None] >> np.arange(len(self.weights)) & 1) @ self.weights + self.charge

    @cached_property
    def everything(self) -> int:
        """What the variables of any union cost at most, less the charge."""
        return int(np.maximum(self.weights, 0).sum()) + self.charge


@dataclass(frozen=True)
class _Group:
    """Equal parts, and the sets that each may choose: their numbers, as bits, and as bits with what is forced.

    The first head's eigenvalues do not increase; `dearest` are the largest of each head from a place on.
    """

    part: TablePart
    count: int
    sets: Any
    masks: Any
    padded: Any
    has_room: Any
    eigenvalues: Any
    dearest: Any


@dataclass(frozen=True)
class _Rows:
    """Beginnings of choices: places in the lists of groups, masks, variables spent; sums and losses by head."""

    places: Any
    masks: Any
    spent: Any
    sums: Any
    losses: Any

    def __getitem__(self, key: Any) -> _Rows:
        heads = self.sums[:, key], self.losses[:, key]
        return _Rows(self.places[key], self.masks[key], self.spent[key], *heads)


class _Choices:
    def __init__(self, evidence: Any, case: TableCase, limit: float) -> None:
        self.is_disjoint = evidence.certificate.supports == "disjoint"
        self.V, self.case, self.arithmetic = variables_of(case.parts), case, evidence.arithmetic
        if len(self.V) > MOST_VARIABLES:
            raise Defect(f"its tables have more than {MOST_VARIABLES} variables: they are not gone through")
        self.once, self.twice = self.mask(case.once), case.twice
        counts = {part: case.parts.count(part) for part in case.parts}
        sets = {part: np.array(list(self.sets_of(part)), dtype=np.int64) for part in counts}
        masks = np.unique(np.concatenate([*sets.values()]))
        points = (_Point(evidence, at, self.V, masks, limit) for at in case.leaf.points)
        self.points = [point for point in points if point.is_usable]
        self.heads = [point for point in self.points[:HEADS] if point.is_whole]
        self.groups = [self.group(part, count, masks, sets[part]) for part, count in counts.items()]
        # For every part its group and how many of the group are still to come.
        self.steps = [(g, more) for g, group in enumerate(self.groups) for more in range(group.count)[::-1]]
        self.begun = self.tried = 0
        self.worst: Any = -math.inf

    def mask(self, variables: Any) -> int:
        """Return variables of the leaf as bits."""
        return sum(1 << place for place, i in enumerate(self.V) if i in variables)

    def sets_of(self, part: TablePart) -> Iterator[int]:
        """Yield the sets of a part, without the empty one, as bits."""
        J, F = part.forced, part.free
        room = range(min(part.size - len(J), len(F)) + 1)
        if len(J) > 17 or sum(math.comb(len(F), m) for m in room) << len(J) > MOST_SETS + 1:
            raise Defect(f"a component has more than {MOST_SETS} sets of variables to choose from")
        inside = [self.mask(some) for m in range(len(J) + 1) for some in combinations(J, m)]
        bits = {i: self.mask([i]) for i in F}
        for some in chain.from_iterable(combinations(F, m) for m in room):
            added = sum(bits[i] for i in some)
            yield from (own | added for own in inside if own | added)

    def group(self, part: TablePart, count: int, masks: Any, own: Any) -> _Group:
        sets = np.searchsorted(masks, own)
        found = np.array([head.eigenvalues(sets) for head in self.heads]).reshape(-1, len(sets))
        order = np.argsort(-found[0], kind="stable") if len(found) else np.arange(len(sets))
        found, own = found[:, order], own[order]
        dearest = np.maximum.accumulate(found[:, ::-1], axis=1)[:, ::-1]
        padded = own | self.mask(part.forced)
        has_room = (padded[:, None] >> np.arange(len(self.V)) & 1).sum(axis=1) < part.size
        return _Group(part, count, sets[order], own, padded, has_room, found, dearest)

    def bound(self) -> Any:
        """Return the largest bound of a choice, or of a beginning that was left."""
        zero = np.zeros((1, 0), dtype=np.int64)
        none = np.zeros((len(self.heads), 1), dtype=np.int64)
        self.grow(0, _Rows(zero, zero, np.full(1, 0), none, none))
        is_exact = isinstance(self.arithmetic, Exact) or self.worst == -math.inf
        return self.worst if is_exact else float_above(self.worst)

    def grow(self, step: int, rows: _Rows) -> None:
        """Go through all choices that begin so, as many at a time as memory allows."""
        if step == len(self.steps):
            self.finish(rows)
            return
        g, more = self.steps[step]
        group, rest = self.groups[g], self.rest(g)
        start = rows.places[:, -1] if step and self.steps[step - 1][0] == g else np.zeros(len(rows.spent), int)
        reach = np.full(len(start), len(group.sets))
        if self.heads:
            # The others, further on, are bounded by the first head like the first one that is.
            sums, values = rows.sums[0] - rows.losses[0] + rest[0], (1 + more) * group.eigenvalues[0]
            reach = np.maximum(np.searchsorted(-values, sums - self.heads[0].limit), start)
            is_left = reach < len(values)
            self.leave(self.heads[0], sums[is_left] + values[reach[is_left]])
        ends = np.cumsum(reach - start)
        self.tried += int(ends[-1])
        if self.tried > MOST_TRIED:
            raise Defect(f"more than {MOST_TRIED} sets to try after the beginnings of tables")
        first = 0
        while first < len(ends):
            before = ends[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(ends, before + BLOCK, side="right")))
            counts = (reach - start)[first:last]
            row = np.repeat(np.arange(first, last), counts)
            place = np.arange(len(row)) - np.repeat(ends[first:last] - before - counts, counts) + start[row]
            longer = self.longer(group, more, rest, rows[row], place)
            if len(longer.spent):
                self.grow(step + 1, longer)
            first = last

    def rest(self, g: int) -> list[int]:
        """Return for every head what the later groups and the variables cost at most together."""
        later = self.groups[g + 1 :]
        return [
            head.everything + sum(group.count * int(group.dearest[h, 0]) for group in later)
            for h, head in enumerate(self.heads)
        ]

    def longer(self, group: _Group, more: int, rest: list[int], rows: _Rows, place: Any) -> _Rows:
        """Return the beginnings with one set more that are not left."""
        mask, spent = group.masks[place], group.padded[place] & self.once
        meeting = [mask & earlier for earlier in rows.masks.T]
        stays = rows.spent & spent == 0
        for shared in meeting:
            stays &= (shared == 0) if self.is_disjoint else (shared == 0) | (shared & shared - 1 != 0)
        rows, place, mask, spent = rows[stays], place[stays], mask[stays], spent[stays]
        sums, losses = rows.sums + group.eigenvalues[:, place], rows.losses.copy()
        stays = np.arange(len(place))
        for h, head in enumerate(self.heads):
            most = sums[h] + more * group.dearest[h, place] + rest[h]
            stays = self.above(head, most - losses[h], stays)
            pairs = ((sets[stays], group.sets[place[stays]]) for sets in self.sets(rows))
            losses[h, stays] = np.maximum(losses[h, stays], head.losses.largest(pairs))
            stays = self.above(head, most - losses[h], stays)
        self.begun += len(stays)
        if self.begun > MOST_BEGINNINGS:
            raise Defect(f"more than {MOST_BEGINNINGS} beginnings of tables to look at")
        longer = np.hstack([rows.places, place[:, None]]), np.hstack([rows.masks, mask[:, None]])
        return _Rows(*longer, rows.spent | spent, sums, losses)[stays]

    def sets(self, rows: _Rows) -> list[Any]:
        """Return the sets that rows begin with."""
        return [self.groups[g].sets[places] for (g, _), places in zip(self.steps, rows.places.T, strict=False)]

    def above(self, point: _Point, totals: Any, at: Any) -> Any:
        """Leave what a point bounds; return where it does not."""
        is_left = totals[at] <= point.limit
        self.leave(point, totals[at[is_left]])
        return at[~is_left]

    def leave(self, point: _Point, totals: Any) -> None:
        """Note the bound of what is left because a point bounds it."""
        if len(totals):
            self.worst = max(self.worst, point.value(totals.max()))

    def finish(self, rows: _Rows) -> None:
        """Bound each choice by the first point that is enough, or by the best of all."""
        rows = rows[self.are_used_enough(rows)]
        union, sets = np.bitwise_or.reduce(rows.masks, axis=1), self.sets(rows)
        best, waiting = np.full(len(union), math.inf), np.arange(len(union))
        for point in self.points:
            has_all = union & ~point.inside == 0
            own = waiting[has_all[waiting]]
            total = np.zeros(len(union), dtype=np.int64)
            total[own] = point.union(union[own]) + sum(point.eigenvalues(some[own]) for some in sets)
            more = own[total[own] > point.limit]
            total[more] -= point.losses.largest((a[more], b[more]) for a, b in combinations(sets, 2))
            still = self.above(point, total, own)
            best[still] = np.minimum(
                best[still], np.nextafter(np.ldexp(total[still] * 1.0, point.exponent), np.inf)
            )
            waiting = np.concatenate([waiting[~has_all[waiting]], still])
        if len(waiting):
            self.worst = max(self.worst, float(best[waiting].max()))

    def are_used_enough(self, rows: _Rows) -> Any:
        """Say of which choices every variable that two components use may be in the supports of two."""
        counts = np.zeros((len(self.twice), len(rows.spent)), dtype=int)
        for t, (g, _) in enumerate(self.steps):
            group, place = self.groups[g], rows.places[:, t]
            for at, i in enumerate(self.twice):
                has_it, may_have_it = group.padded[place] & self.mask([i]) != 0, i in group.part.free
                counts[at] += has_it | (group.has_room[place] & may_have_it)
        return (counts >= 2).all(axis=0)
