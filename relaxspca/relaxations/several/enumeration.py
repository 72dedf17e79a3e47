"""Go through all choices of supports, one for each component, that a few dual points leave above a level."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.several.choices import Choices, Masks
from relaxspca.relaxations.several.shape import Indices
from relaxspca.relaxations.several.support_values import SupportValues
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.progress import say

__all__ = ["Beginnings", "TooMany", "Walk"]

MOST_LISTED = 4000  # of them that may be in a choice above the level
ROWS = 1 << 18  # beginnings that are extended at a time
PAIRS = 1 << 23  # of sets of two parts, for all points together, that are looked at before the walk
TRIED = 30  # times as many pairs of a beginning and a set are tried as beginnings are looked at
# What a reader of the certificate looks at, less some room for values that its roundings part.
READ_BEGINNINGS, READ_TRIED = 4_000_000, 260_000_000

Words = npt.NDArray[np.uint64]

# Of 64 bits those from the first, second, ... on, and none.
FROM = np.array([(1 << 64) - (1 << first) for first in range(65)], dtype=np.uint64)


class TooMany(Exception):
    """There are more beginnings than were to be looked at."""


@dataclass(frozen=True, eq=False)
class Beginnings:
    """Choices for the first s components.

    Attributes
    ----------
    at : (count, s) places of their sets in the lists of the parts.
    union : (count,) variables of any of them, as bits.
    value : (points, count) what each point proves of each of the components, added up (variance).
    lost : (points, count) the largest loss of two of their sets.
    """

    at: Indices
    union: Masks
    value: Array
    lost: Array

    def some(self, rows: Indices | slice | npt.NDArray[np.bool_]) -> Beginnings:
        """Return some of them."""
        return Beginnings(self.at[rows], self.union[rows], self.value[:, rows], self.lost[:, rows])


class Walk:
    """The choices that each of some points leaves above a level, in portions.

    It goes through the beginnings depth first over blocks of them, so that few are held at a time, and gives
    arrays of r columns: numbers of sets, a row for each choice; or `TooMany` at some of them.

    Parameters
    ----------
    choices : Choices
    points : values of all sets under each of some dual points; the first puts the sets in order.
    level : what is proved to be at most this is left out (variance).
    most : beginnings to look at; `TooMany` where there are more, or more than a checker looks at.
    share : part of the pairs of first supports that is looked at, at random.
    deadline : when it is `TooMany` too.

    Attributes
    ----------
    seen : beginnings that were looked at.
    """

    def __init__(
        self,
        choices: Choices,
        points: Sequence[SupportValues],
        level: float,
        *,
        most: float = math.inf,
        share: float = 1.0,
        deadline: Deadline = FOREVER,
    ) -> None:
        self.choices, self.points, self.level, self.most = choices, points, level, most
        self.share, self.rng, self.deadline = share, np.random.default_rng(0), deadline
        self.seen = self.tried = 0
        self.read = self.read_tried = 0  # as section 13 of certificates/SPEC.md counts
        self.r = len(choices.parts)
        self.largest: list[Array] = []
        self.ranks: list[Indices] = []
        self.lists = self._lists()
        for point in points:
            point.losses.prepare(np.concatenate(self.lists))
        # For each point and part: values of the sets of its list, and the largest from each place on.
        self.values = [[point.sets[members] for members in self.lists] for point in points]
        self.onward = [[_largest_onward(values) for values in of_parts] for of_parts in self.values]
        self.fits: dict[tuple[object, object], Words] = {}
        self.is_over = any(len(members) == 0 for members in self.lists)
        for t, u in itertools.combinations(range(0 if self.is_over else self.r), 2):
            key = choices.keys[t], choices.keys[u]
            if key not in self.fits:
                self.fits[key] = _bits(self._fit(t, u))

    def _lists(self) -> list[Indices]:
        """Return the sets of each part that may be in a choice above the level, best first."""
        lists, first = [], self.points[0]
        for t, members in enumerate(self.choices.catalogue.of_part):
            is_kept = np.ones(len(members), dtype=bool)
            for point in self.points:
                best = [float(point.sets[some].max()) for some in self.choices.catalogue.of_part]
                is_kept &= point.sets[members] + (sum(best[:t]) + sum(best[t + 1 :]) + point.most) > self.level
            kept = members[is_kept]
            if len(kept) > MOST_LISTED:
                raise TooMany
            lists.append(kept[np.argsort(-first.sets[kept], kind="stable")])
            # A reader has all sets in this order.
            order = members[np.argsort(-first.sets[members], kind="stable")]
            self.largest.append(-first.sets[order])
            self.ranks.append(np.flatnonzero(np.isin(order, kept)))
        return lists

    def _fit(self, t: int, u: int) -> npt.NDArray[np.bool_]:
        """Say which sets of part t may stand beside which of part u in a choice above the level."""
        ones, others = self.lists[t], self.lists[u]
        fits = self.choices.fit(t, u, ones, others)
        for q, point in enumerate(self.points[: PAIRS // max(1, fits.size)]):
            rest = sum(self.onward[q][s][0] for s in range(self.r) if s not in (t, u)) + point.most
            both = self.values[q][t][:, None] + self.values[q][u][None, :] + rest
            fits &= both - point.losses.table(ones, others) > self.level
        return fits

    def __iter__(self) -> Iterator[Indices]:
        """Go through the choices."""
        if self.is_over:
            return
        zeros = np.zeros(1, dtype=np.int64)
        nothing = np.zeros((len(self.points), 1))
        waiting = [Beginnings(zeros.reshape(1, 1)[:, :0], zeros, nothing, nothing)]
        while waiting:
            block = waiting.pop()
            t = block.at.shape[1]
            rows, at, tried, read = self._next(block, t)
            if tried > ROWS and len(block.at) > 1:
                half = len(block.at) // 2
                waiting += [block.some(slice(half, None)), block.some(slice(0, half))]
                continue
            longer = self._kept(block, rows, at, t)
            self.seen, self.tried = self.seen + len(longer.at), self.tried + tried
            self.read_tried += read
            say(f"Enumerating sets of variables: {self.seen} so far", passing=True)
            if self.seen > self.most or self.tried > TRIED * self.most or self.deadline.is_over:
                raise TooMany
            if self.read > READ_BEGINNINGS or self.read_tried > READ_TRIED:
                raise TooMany
            if t + 1 < self.r:
                waiting += [longer] * bool(len(longer.at))
                continue
            sets = np.stack([self.lists[s][longer.at[:, s]] for s in range(self.r)], axis=1)
            yield sets

    def _next(self, block: Beginnings, t: int) -> tuple[Indices, Indices, int, int]:
        """Return which beginning goes on with which place of the next list, and how many pairs that are.

        By the first point, and by what fits beside all sets before; nothing where there are too many. The last
        number is that of the pairs by the first point alone, which a reader tries.
        """
        equal, key, of_reader = 1 + self.choices.equal_after[t], self.choices.keys[t], self.largest[t]
        need = (self.level - self.points[0].most - self._later(t, 0) - block.value[0] + block.lost[0]) / equal
        ends = np.searchsorted(-self.values[0][t], -need, side="right")
        read = np.searchsorted(of_reader, -need, side="right")
        if t == 0:
            return np.zeros(ends[0], dtype=np.int64), np.arange(ends[0]), int(ends[0]), int(read[0])
        last = block.at[:, -1]
        starts = np.zeros_like(last)
        if self.choices.keys[t - 1] == key:  # equal components take their sets in the order of the list
            starts, read = last, np.maximum(read - self.ranks[t][last], 0)
        open_ = _places_between(starts, ends, len(self.lists[t]))
        for s in range(t):
            open_ &= self.fits[self.choices.keys[s], key][block.at[:, s]]
        total = int(np.bitwise_count(open_).sum())
        if total > ROWS and len(last) > 1:
            return last[:0], last[:0], total, int(read.sum())
        return *_places(open_), total, int(read.sum())

    def _kept(self, block: Beginnings, rows: Indices, at: Indices, t: int) -> Beginnings:
        """Return the beginnings one set longer that every point leaves."""
        if t == 1 and self.share < 1:
            some = self.rng.random(len(rows)) < self.share
            rows, at = rows[some], at[some]
        for q in range(len(self.points)):
            more = self.values[q][t] + self._more(t, q)
            reach = (block.value[q] - block.lost[q])[rows] + more[at]
            rows, at = rows[reach > self.level], at[reach > self.level]
        longer = Beginnings(
            np.concatenate([block.at[rows], at[:, None]], axis=1),
            block.union[rows] | self.choices.masks(self.lists[t][at]),
            block.value[:, rows] + np.stack([values[t][at] for values in self.values]),
            block.lost[:, rows],
        )
        for q in range(len(self.points) if t else 0):
            longer.lost[q] = self._lost(longer, t, q)
            reach = longer.value[q] - longer.lost[q] + self._more(t, q)[longer.at[:, t]]
            longer = longer.some(reach > self.level)
        self.read += len(longer.at)
        if t + 1 == self.r:
            for q, point in enumerate(self.points):
                bound = longer.value[q] - longer.lost[q] + point.of_unions(longer.union)
                longer = longer.some(bound > self.level)
        return longer

    def _lost(self, longer: Beginnings, t: int, q: int) -> Array:
        """Return the largest loss of two sets of beginnings, of which only the last set is new."""
        found, last = longer.lost[q], self.lists[t][longer.at[:, t]]
        for s in range(t):
            found = np.maximum(found, self.points[q].losses.of(self.lists[s][longer.at[:, s]], last))
        return np.asarray(found)

    def _more(self, t: int, q: int) -> Array:
        """Return for each set of part t what the parts after it and all variables add at most."""
        equal = self.choices.equal_after[t]
        more = equal * self.onward[q][t] if equal else np.zeros(len(self.lists[t]))
        return np.asarray(more + (self._later(t, q) + self.points[q].most))

    def _later(self, t: int, q: int) -> float:
        """Return the most that the parts after t and those equal to it add."""
        return float(sum(self.onward[q][s][0] for s in range(t + 1 + self.choices.equal_after[t], self.r)))


def _bits(matrix: npt.NDArray[np.bool_]) -> Words:
    """Return rows of truth values as bits of whole numbers, 64 in each."""
    packed = np.packbits(matrix, axis=1, bitorder="little")
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view("<u8")


def _places_between(starts: Indices, ends: Indices, count: int) -> Words:
    """Return the places from a start on and before an end, as bits, a row for each pair of these."""
    first = 64 * np.arange(-(-count // 64))
    after = FROM[np.clip(starts[:, None] - first, 0, 64)]
    after &= ~FROM[np.clip(ends[:, None] - first, 0, 64)]
    return np.asarray(after)


def _places(bits: Words) -> tuple[Indices, Indices]:
    """Return the row and the place of every bit, row by row."""
    rows, words = np.nonzero(bits)
    found = np.unpackbits(bits[rows, words].view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    at, places = np.nonzero(found)
    return rows[at], 64 * words[at] + places


def _largest_onward(values: Array) -> Array:
    """Return entry i: the largest of the values from i on."""
    return np.maximum.accumulate(values[::-1])[::-1]
