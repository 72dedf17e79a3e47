"""List the choices of supports, one for each component, that every dual point bounds only above a level."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import AT_ONCE, Array, Indices
from relaxspca.relaxations.several.support_values import Choices, SupportValues
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.progress import say

# A partial choice is the sets of the first components. A checker takes a few more, and 1 << 28 pairs.
MOST_BEGINNINGS = 4_000_000  # whole choices among them
TRIED = 64  # pairs of a partial choice and a set that may follow it, in units of the most such choices
PORTION = 32  # a block with more than a 32nd of `most` such pairs is halved: some choices are whole at a stop
PAIRS = 1 << 24  # sets of a component times sets of another; and as many losses are kept, of all points

Words = npt.NDArray[np.uint64]


class TooMany(Exception):
    """The list was stopped: the choices found by then, and about what part of all was gone through."""

    def __init__(self, some: Indices, share: float) -> None:
        super().__init__(some, share)
        self.some, self.share = some, share


def choices_above(
    choices: Choices,
    points: Sequence[SupportValues],
    level: float,
    *,
    most: int = MOST_BEGINNINGS,
    deadline: Deadline = FOREVER,
) -> Indices:
    """Return the choices whose bound is above a level under every point: numbers of sets, a row for each.

    A partial choice grows by one set at a time. It is dropped once a point bounds all that start with it.
    Blocks of them are gone through depth first, so that few are held at a time. The sets of the first component
    are in random order, so that what was gone through at a stop is like all. The first point puts the sets in
    order. More partial choices than `most`, `TRIED` times as many pairs, or the end of time are `TooMany`.
    """
    work = _Listing(choices, points, level)
    found = [np.zeros((0, len(work.lists)), dtype=np.int64)]
    count, tried, share = 0, 0, 0.0
    waiting = [] if work.is_empty else [(work.none, 1.0)]
    while waiting:
        some, part = waiting.pop()
        if some.places.shape[1] == len(work.lists):
            found.append(work.complete(some))
            share += part
            continue
        bits, pairs = work.beside(some)
        if len(some.places) > 1 and np.bitwise_count(bits).sum() > most / PORTION:
            half = len(some.places) // 2
            first = part * half / len(some.places)
            waiting.append((some.some(slice(half, None)), part - first))
            waiting.append((some.some(slice(half)), first))
            continue
        longer = work.extended(some, *_places(bits))
        count, tried = count + len(longer.places), tried + pairs
        say(f"Enumerating sets of variables: {count} so far", passing=True)
        if count > most or tried > TRIED * most or deadline.is_over:
            raise TooMany(np.concatenate(found), share)
        if some is work.none:
            longer = longer.some(np.random.default_rng(0).permutation(len(longer.places)))
        waiting.append((longer, part))
    return np.concatenate(found)


@dataclass(frozen=True, eq=False)
class _Chosen:
    """Partial choices: a set for each of the first s components.

    Attributes
    ----------
    places : (count, s) places of the sets in the lists of the parts.
    value : (points, count) sum of what each point proves of each set (variance).
    lost : (points, count) the largest loss of two of the sets.
    """

    places: Indices
    value: Array
    lost: Array

    def some(self, rows: Indices | slice | npt.NDArray[np.bool_]) -> _Chosen:
        """Return some of them."""
        return _Chosen(self.places[rows], self.value[:, rows], self.lost[:, rows])


class _Listing:
    """The lists of the parts, and what each point proves of the sets in them."""

    def __init__(self, choices: Choices, points: Sequence[SupportValues], level: float) -> None:
        self.choices, self.points, self.level = choices, points, level
        self.none = _Chosen(np.zeros((1, 0), dtype=np.int64), *np.zeros((2, len(points), 1)))
        members = choices.of_part
        self.lists = [own[np.argsort(-points[0].sets[own], kind="stable")] for own in members]
        self.is_empty = any(len(own) == 0 for own in members)
        # For each point and part: values of the sets of its list, and the largest from each place on.
        self.values = [[point.sets[own] for own in self.lists] for point in points]
        self.onward = [[np.maximum.accumulate(x[::-1])[::-1] for x in of_parts] for of_parts in self.values]
        parts = range(0 if self.is_empty else len(self.lists))
        # How many sets of each part the first point does not drop, whatever the other parts choose.
        self.counts = [int(self.end(t, np.array(level - self.most(0, {*parts} - {t})))) for t in parts]
        if max(self.counts, default=0) ** 2 > PAIRS:
            raise TooMany(np.zeros((0, len(parts)), dtype=np.int64), 0.0)
        self.tables: dict[tuple[object, object], Words] = {}
        self.losses: dict[tuple[object, object], list[Array]] = {}
        for t, u in itertools.combinations(parts, 2):
            key = choices.keys[t], choices.keys[u]
            if key not in self.tables:
                self.tables[key] = self.table(t, u)

    def end(self, t: int, need: Array) -> Indices:
        """Return how many sets of part t reach a needed value by the first point; they come first."""
        return np.asarray(np.searchsorted(-self.values[0][t], -need, side="right"))

    def most(self, q: int, parts: Iterable[int]) -> float:
        """Return the largest bound, by point q, on the sets of some parts plus the cost of all variables."""
        return float(sum(self.onward[q][s][0] for s in parts)) + self.points[q].most

    def later(self, t: int, q: int) -> float:
        """Return the most that the parts after t add, those equal to t not counted, and all variables."""
        return self.most(q, range(t + 1 + self.choices.equal_after[t], len(self.lists)))

    def table(self, t: int, u: int) -> Words:
        """Return which sets of part u may stand beside each of part t, as bits; keep losses that fit."""
        ones, others = self.lists[t][: self.counts[t]], self.lists[u][: self.counts[u]]
        shape, rest = (len(ones), len(others)), {*range(len(self.lists))} - {t, u}
        held = sum(lost.size for some in self.losses.values() for lost in some)
        count = min((PAIRS - held) // max(len(ones) * len(others), 1), len(self.points))
        kept = self.losses[self.choices.keys[t], self.choices.keys[u]] = [np.empty(shape) for _ in range(count)]
        for point in self.points:
            point.losses.prepare(np.concatenate([ones, others]))
        step, packed = max(1, AT_ONCE // max(len(others), 1)), list[npt.NDArray[np.uint8]]()
        for first in range(0, len(ones), step):
            some = slice(first, min(first + step, len(ones)))
            fits = self.choices.fit(ones[some, None], others)
            for q, point in enumerate(self.points):
                lost = point.losses.table(ones[some], others)
                if q < len(kept):
                    kept[q][some] = lost
                both = self.values[q][t][some, None] + self.values[q][u][: len(others)]
                fits &= both + self.most(q, rest) - lost > self.level
            packed.append(np.packbits(fits, axis=1, bitorder="little"))
        words = np.concatenate([*packed, np.zeros((0, -(-len(others) // 8)), dtype=np.uint8)])
        return np.pad(words, ((0, 0), (0, -words.shape[1] % 8))).view("<u8")

    def beside(self, found: _Chosen) -> tuple[Words, int]:
        """Return the sets that may follow, as bits of places, and how many may for the first point alone."""
        t = found.places.shape[1]
        equal = 1 + self.choices.equal_after[t]
        ends = self.end(t, (self.level - self.later(t, 0) - found.value[0] + found.lost[0]) / equal)
        starts = np.zeros_like(ends)
        if t and self.choices.keys[t - 1] == self.choices.keys[t]:  # equal parts choose in order
            starts = found.places[:, -1]
        bits = _between(starts, ends, self.counts[t])
        for s in range(t):
            bits &= self.tables[self.choices.keys[s], self.choices.keys[t]][found.places[:, s]]
        return bits, int(np.maximum(ends - starts, 0).sum())

    def extended(self, found: _Chosen, rows: Indices, places: Indices) -> _Chosen:
        """Return the partial choices with one set more that no point drops."""
        t, lost = found.places.shape[1], list[Array]()
        for q in range(len(self.points)):
            is_left = (found.value[q] - found.lost[q])[rows] + self.more(t, q)[places] > self.level
            rows, places = rows[is_left], places[is_left]
        for q in range(len(self.points)):
            own = found.lost[q][rows]
            for s in range(t):
                own = np.maximum(own, self.lost(q, s, t, found.places[rows, s], places))
            is_left = found.value[q][rows] - own + self.more(t, q)[places] > self.level
            rows, places, lost = rows[is_left], places[is_left], [one[is_left] for one in (*lost, own)]
        longer = np.concatenate([found.places[rows], places[:, None]], axis=1)
        value = found.value[:, rows] + np.stack([values[t][places] for values in self.values])
        return _Chosen(longer, value, np.array(lost))

    def lost(self, q: int, s: int, t: int, ones: Indices, others: Indices) -> Array:
        """Return the orthogonality losses, under point q, of pairs of sets of parts s and t."""
        kept = self.losses[self.choices.keys[s], self.choices.keys[t]]
        if q < len(kept):
            return np.asarray(kept[q][ones, others])
        return self.points[q].losses.of(self.lists[s][ones], self.lists[t][others])

    def more(self, t: int, q: int) -> Array:
        """Return for each set of part t the largest bound with the sets that may follow and all variables."""
        found, equal = self.values[q][t] + self.later(t, q), self.choices.equal_after[t]
        # 0 times infinity is no number.
        return found + equal * self.onward[q][t] if equal else found

    def complete(self, found: _Chosen) -> Indices:
        """Return the whole choices that no point drops now that their variables are known: numbers of sets."""
        sets = np.stack([own[found.places[:, t]] for t, own in enumerate(self.lists)], axis=1)
        unions = np.bitwise_or.reduce(self.choices.masks[sets], axis=1)
        bounds = [
            found.value[q] - found.lost[q] + point.of_unions(unions) for q, point in enumerate(self.points)
        ]
        return np.asarray(sets[(np.array(bounds) > self.level).all(axis=0)])


def _between(starts: Indices, ends: Indices, count: int) -> Words:
    """Return the places from a start on and before an end, as bits, a row for each pair of these."""
    first = 64 * np.arange(-(-count // 64))
    return _from(starts[:, None] - first) & ~_from(ends[:, None] - first)


def _from(first: Indices) -> Words:
    """Return whole numbers of which the bits from the first on are 1."""
    shifted = ~np.uint64(0) << np.clip(first, 0, 63).astype(np.uint64)
    return np.where(first < 64, shifted, np.uint64(0))


def _places(bits: Words) -> tuple[Indices, Indices]:
    """Return the row and the place of every bit, row by row."""
    rows, words = np.nonzero(bits)
    found = np.unpackbits(bits[rows, words].view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    at, places = np.nonzero(found)
    return rows[at], 64 * words[at] + places
