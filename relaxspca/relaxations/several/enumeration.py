"""List the choices of supports, one for each component, that a few dual points leave above a level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.several.choices import Choices
from relaxspca.relaxations.several.shape import Indices
from relaxspca.relaxations.several.support_values import SupportValues
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.progress import say

__all__ = ["MOST", "TooMany", "choices_above"]

# A checker looks at 40 times as many.
MOST = 100_000  # choices of the first components, or of all of them, that are kept
TRIED = 128  # times as many pairs of such a choice and a set of the next component are looked at
PORTION = 1 << 18  # of them, that are looked at together


class TooMany(Exception):
    """There are more choices than are listed."""


def choices_above(
    choices: Choices,
    points: Sequence[SupportValues],
    level: float,
    *,
    most: int = MOST,
    deadline: Deadline = FOREVER,
) -> Indices:
    """Return the choices that each of some dual points leaves above a level, numbers of sets, a row for each.

    One component after another chooses among its sets, as long as every point leaves what is chosen so far.

    Parameters
    ----------
    choices : Choices
    points : values of all sets under each of some dual points; the first puts the sets in order.
    level : what is proved to be at most this is left out (variance).
    most : choices of the first components, or of all of them, that are kept; more of them are `TooMany`.
    deadline : when it is `TooMany` too.
    """
    work = _Listing(choices, points, level)
    found = _Chosen(np.zeros((1, 0), dtype=np.int64), *np.zeros((2, len(points), 1)))
    if work.is_empty:
        return np.zeros((0, len(work.lists)), dtype=np.int64)
    count, tried, none = 0, 0, np.zeros(0, dtype=np.int64)
    for t in range(len(work.lists)):
        longer = [work.extended(found, none, none, t)]
        for rows, places in work.pairs(found, t):
            longer.append(work.extended(found, rows, places, t))
            tried, count = tried + len(rows), count + len(longer[-1].places)
            say(f"Enumerating sets of variables: {count} so far", passing=True)
            if count > most or tried > TRIED * most or deadline.is_over:
                raise TooMany
        found = _together(longer)
    return work.complete(found)


@dataclass(frozen=True, eq=False)
class _Chosen:
    """Choices of the first s components.

    Attributes
    ----------
    places : (count, s) places of their sets in the lists of the parts.
    value : (points, count) what each point proves of each of the components, added up (variance).
    lost : (points, count) the largest loss of two of their sets.
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
        members = choices.catalogue.of_part
        self.lists = [own[np.argsort(-points[0].sets[own], kind="stable")] for own in members]
        self.is_empty = any(len(own) == 0 for own in members)
        # For each point and part: values of the sets of its list, and the largest from each place on.
        self.values = [[point.sets[own] for own in self.lists] for point in points]
        self.onward = [[_largest_onward(values) for values in of_parts] for of_parts in self.values]

    def pairs(self, found: _Chosen, t: int) -> Iterator[tuple[Indices, Indices]]:
        """Yield which choice goes on with which place of the list of part t by the first point, in portions."""
        equal, most = 1 + self.choices.equal_after[t], self.points[0].most + self.later(t, 0)
        need = (self.level - most - found.value[0] + found.lost[0]) / equal
        ends = np.searchsorted(-self.values[0][t], -need, side="right")
        starts = np.zeros_like(ends)
        if t and self.choices.keys[t - 1] == self.choices.keys[t]:  # equal parts choose in order
            starts = found.places[:, -1]
        counts = np.maximum(ends - starts, 0)
        last = np.cumsum(counts)
        at = 0
        while at < len(counts):
            done = int(last[at] - counts[at])
            until = max(at + 1, int(np.searchsorted(last, done + PORTION, side="right")))
            rows = np.repeat(np.arange(at, until), counts[at:until])
            yield rows, np.arange(done, done + len(rows)) - (last - counts - starts)[rows]
            at = until

    def extended(self, found: _Chosen, rows: Indices, places: Indices, t: int) -> _Chosen:
        """Return choices with one set more, those that fit and that every point leaves."""
        sets, is_left = self.lists[t][places], np.ones(len(rows), dtype=bool)
        for s in range(t):
            is_left &= self.choices.fit(self.lists[s][found.places[rows, s]], sets)
        rows, places = rows[is_left], places[is_left]
        for q in range(len(self.points)):
            is_left = self.reach(found.some(rows), places, t, q) > self.level
            rows, places = rows[is_left], places[is_left]
        longer = found.some(rows)
        for q, point in enumerate(self.points if t else ()):
            sets = self.lists[t][places]
            point.losses.prepare(sets)
            for s in range(t):
                own = self.lists[s][longer.places[:, s]]
                point.losses.prepare(own)
                longer.lost[q] = np.maximum(longer.lost[q], point.losses.of(own, sets))
            is_left = self.reach(longer, places, t, q) > self.level
            longer, places = longer.some(is_left), places[is_left]
        value = longer.value + np.stack([values[t][places] for values in self.values])
        return _Chosen(np.concatenate([longer.places, places[:, None]], axis=1), value, longer.lost)

    def reach(self, found: _Chosen, places: Indices, t: int, q: int) -> Array:
        """Return what point q proves of all choices that begin so and go on with these places of part t."""
        more, equal = self.values[q][t], self.choices.equal_after[t]
        if equal:  # none times infinity is no number
            more = more + equal * self.onward[q][t]
        return np.asarray(
            found.value[q] - found.lost[q] + more[places] + (self.later(t, q) + self.points[q].most)
        )

    def later(self, t: int, q: int) -> float:
        """Return the most that the parts after t and those equal to it add."""
        after = range(t + 1 + self.choices.equal_after[t], len(self.lists))
        return float(sum(self.onward[q][s][0] for s in after))

    def complete(self, found: _Chosen) -> Indices:
        """Return the numbers of the sets of the choices that every point leaves."""
        sets = np.stack([own[found.places[:, t]] for t, own in enumerate(self.lists)], axis=1)
        unions = np.bitwise_or.reduce(self.choices.masks(sets), axis=1)
        bounds = [
            found.value[q] - found.lost[q] + point.of_unions(unions) for q, point in enumerate(self.points)
        ]
        return np.asarray(sets[(np.array(bounds) > self.level).all(axis=0)])


def _together(some: Sequence[_Chosen]) -> _Chosen:
    """Return the choices of several portions."""
    return _Chosen(
        np.concatenate([one.places for one in some]),
        np.concatenate([one.value for one in some], axis=1),
        np.concatenate([one.lost for one in some], axis=1),
    )


def _largest_onward(values: Array) -> Array:
    """Return entry i: the largest of the values from i on."""
    return np.maximum.accumulate(values[::-1])[::-1]
