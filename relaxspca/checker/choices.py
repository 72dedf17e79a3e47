"""Bound a leaf by its choices of supports, by the rule *choices* of ``certificates/SPEC.md``, section 10.

A choice says on which variables each component is not 0. A point bounds what such components explain.
All choices are gone through part by part; a partial one is dropped where a point bounds all that start with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

import numpy as np

from relaxspca.certificate import HEADS, MOST_VARIABLES, Certificate, Leaf
from relaxspca.checker.exact import Exact, float_above
from relaxspca.checker.family import Defect
from relaxspca.checker.multipliers import MOST_SUPPORTS, ComponentPart, variables_of
from relaxspca.checker.units import Point

MOST_BEGINNINGS, MOST_TRIED = 1 << 22, 1 << 28
BLOCK = 1 << 18


def most_blocks(certificate: Certificate) -> int:
    """Return of how many blocks of points an eigenvalue may be asked for, in all leaves of a tree."""
    leaves = (node for node in certificate.tree if isinstance(node, Leaf) and node.kind == "choices")
    points = {*chain.from_iterable(leaf.points for leaf in leaves)}
    return len(points) * sum(math.comb(certificate.n, m + 1) for m in range(max(certificate.sizes)))


@dataclass(frozen=True)
class _Group:
    """Equal parts, and the sets that each may choose: their numbers, and as bits.

    The first head's eigenvalues do not increase; `largest` are the largest of each head from a place on.
    """

    count: int
    sets: Any
    masks: Any
    eigenvalues: Any
    largest: Any


@dataclass(frozen=True)
class _Rows:
    """Beginnings of choices, one a column: places in the lists of groups; of every head its sum and loss."""

    places: Any
    sums: Any
    losses: Any

    def __getitem__(self, key: Any) -> _Rows:
        return _Rows(self.places[:, key], self.sums[:, key], self.losses[:, key])


class ListedChoices:
    """The choices of a leaf, bounded by points; no sharper than `limit` needs it, where that is proved."""

    def __init__(
        self, evidence: Any, parts: tuple[ComponentPart, ...], points: tuple[int, ...], limit: float
    ) -> None:
        self.is_disjoint = evidence.certificate.supports == "disjoint"
        self.V, self.arithmetic = variables_of(parts), evidence.arithmetic
        if len(self.V) > MOST_VARIABLES:
            raise Defect(f"its components use more than {MOST_VARIABLES} variables: too many to enumerate")
        counts = {part: parts.count(part) for part in parts}
        sets = {part: np.array(list(self.sets_of(part)), dtype=np.int64) for part in counts}
        masks = np.unique(np.concatenate([*sets.values()]))
        found = (Point(evidence, at, self.V, masks, limit) for at in points)
        self.points = [point for point in found if point.is_usable]
        self.heads = [point for point in self.points[:HEADS] if point.is_whole]
        self.others = [point for point in self.points if point not in self.heads]
        self.groups = [self.group(count, masks, sets[part]) for part, count in counts.items()]
        # For every part its group and how many of the group are still to come.
        self.steps = [(g, more) for g, group in enumerate(self.groups) for more in range(group.count)[::-1]]
        self.begun = self.tried = 0
        self.worst: Any = -math.inf

    def sets_of(self, part: ComponentPart) -> Iterator[int]:
        """Yield the sets of a part, without the empty one, as bits."""
        J, F = ([1 << self.V.index(i) for i in own] for own in (part.forced, part.free))
        room = range(min(part.size - len(J), len(F)) + 1)
        if len(J) > 17 or sum(math.comb(len(F), m) for m in room) << len(J) > MOST_SUPPORTS + 1:
            raise Defect(f"a component has more than {MOST_SUPPORTS} sets of variables to choose from")
        inside = [sum(some) for m in range(len(J) + 1) for some in combinations(J, m)]
        for some in chain.from_iterable(combinations(F, m) for m in room):
            added = sum(some)
            yield from (own | added for own in inside if own | added)

    def group(self, count: int, masks: Any, own: Any) -> _Group:
        """Return equal parts with their sets, those of the largest eigenvalue at the first head first."""
        sets = np.searchsorted(masks, own)
        found = np.array([head.eigenvalues(sets) for head in self.heads]).reshape(-1, len(sets))
        order = np.argsort(-found[0], kind="stable") if len(found) else np.arange(len(sets))
        found, own = found[:, order], own[order]
        largest = np.maximum.accumulate(found[:, ::-1], axis=1)[:, ::-1]
        return _Group(count, sets[order], own, found, largest)

    def bound(self) -> Any:
        """Return the largest bound of a choice, or of what was dropped."""
        none = np.zeros((len(self.heads), 1), dtype=np.int64)
        self.grow(0, _Rows(none[:0], none, none))
        is_exact = isinstance(self.arithmetic, Exact) or self.worst == -math.inf
        return self.worst if is_exact else float_above(self.worst)

    def grow(self, step: int, rows: _Rows) -> None:
        """Go through all choices that begin so, as many at a time as memory allows."""
        if step == len(self.steps):
            self.complete(rows)
            return
        g, more = self.steps[step]
        group, rest = self.groups[g], self.rest(g)
        is_equal = step > 0 and self.steps[step - 1][0] == g
        start = rows.places[-1] if is_equal else np.zeros(rows.places.shape[1], dtype=np.int64)
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
            raise Defect(f"more than {MOST_TRIED} sets of variables to try")
        first = 0
        while first < len(ends):
            before = ends[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(ends, before + BLOCK, side="right")))
            some = rows[first:last]
            earlier = [
                (self.groups[own], places) for (own, _), places in zip(self.steps, some.places, strict=False)
            ]
            found = beside(group, earlier, start[first:last], reach[first:last], self.is_disjoint)
            longer = self.longer(group, more, rest, some, *found)
            if longer.places.size:
                self.grow(step + 1, longer)
            first = last

    def rest(self, g: int) -> list[int]:
        """Return for every head what the later groups and the variables cost at most together."""
        later = self.groups[g + 1 :]
        return [
            head.everything + sum(group.count * int(group.largest[h, 0]) for group in later)
            for h, head in enumerate(self.heads)
        ]

    def longer(self, group: _Group, more: int, rest: list[int], rows: _Rows, row: Any, place: Any) -> _Rows:
        """Return longer partial choices that are not dropped."""
        sets, losses = self.sets(rows.places), rows.losses[:0, row]
        for h, head in enumerate(self.heads):
            costs = group.eigenvalues[h] + more * group.largest[h] + rest[h]
            most, loss = rows.sums[h, row] + costs[place], rows.losses[h, row]
            stays = self.above(head, most - loss)
            row, place, most, losses = row[stays], place[stays], most[stays], losses[:, stays]
            pairs = ((earlier[row], group.sets[place]) for earlier in sets)
            loss = np.maximum(loss[stays], head.losses.largest(pairs))
            stays = self.above(head, most - loss)
            row, place, losses = row[stays], place[stays], np.vstack([losses, loss])[:, stays]
        self.begun += len(row)
        if self.begun > MOST_BEGINNINGS:
            raise Defect(f"more than {MOST_BEGINNINGS} choices of sets for the first components")
        sums = rows.sums[:, row] + group.eigenvalues[:, place]
        return _Rows(np.vstack([rows.places[:, row], place]), sums, losses)

    def sets(self, places: Any) -> list[Any]:
        """Return the sets at places in the lists of groups."""
        return [self.groups[g].sets[own] for (g, _), own in zip(self.steps, places, strict=False)]

    def above(self, point: Point, totals: Any) -> Any:
        """Drop what a point bounds; return the others."""
        is_left = totals <= point.limit
        self.leave(point, totals[is_left])
        return np.nonzero(~is_left)[0]

    def leave(self, point: Point, totals: Any) -> None:
        """Note the bound of what a point drops."""
        if len(totals):
            self.worst = max(self.worst, point.value(totals.max()))

    def complete(self, rows: _Rows) -> None:
        """Bound choices by the heads, then by the first other point that is enough, or by the best of all."""
        masks = [self.groups[g].masks[own] for (g, _), own in zip(self.steps, rows.places, strict=True)]
        union, best = np.bitwise_or.reduce(masks), np.full(rows.places.shape[1], math.inf)
        for h, head in enumerate(self.heads):
            total = rows.sums[h] - rows.losses[h] + head.union(union)
            stays = self.above(head, total)
            rows, union, best = rows[stays], union[stays], np.minimum(best, head.above(total))[stays]
        sets, waiting = self.sets(rows.places), np.arange(len(best))
        for point in self.others:
            has_all = union[waiting] & ~point.inside == 0
            own, out = waiting[has_all], waiting[~has_all]
            total = point.union(union[own]) + sum(point.eigenvalues(some[own]) for some in sets)
            (more,) = np.nonzero(total > point.limit)
            at = own[more]
            total[more] -= point.losses.largest((a[at], b[at]) for a, b in combinations(sets, 2))
            stays = self.above(point, total)
            still = own[stays]
            best[still] = np.minimum(best[still], point.above(total[stays]))
            waiting = np.concatenate([out, still])
        if len(waiting):
            self.worst = max(self.worst, float(best[waiting].max()))


def beside(group: Any, earlier: Any, start: Any, reach: Any, is_disjoint: bool) -> tuple[Any, Any]:
    """Return rows, and places of sets that may stand beside all earlier ones, from `start` on, before `reach`.

    The earlier ones are pairs of a group and of places in its list, one for each row. Two sets share no
    variable, or where they need not be disjoint also more than one.
    """
    counts = reach - start
    row = np.repeat(np.arange(len(start)), counts)
    place = np.arange(len(row)) + np.repeat(start - np.cumsum(counts) + counts, counts)
    for own, places in earlier:
        shared = own.masks[places[row]] & group.masks[place]
        fits = (shared == 0) if is_disjoint else (shared == 0) | (shared & shared - 1 != 0)
        row, place = row[fits], place[fits]
    return row, place
