"""All choices of supports, one for each component, that a few dual points leave above a level."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.several.shape import ANY_USES, Indices, Part, Shape, Uses
from relaxspca.relaxations.several.valued import MOST_VARIABLES, Catalogue, Valued
from relaxspca.runtime.deadline import FOREVER, Deadline

__all__ = ["MOST_SETS", "Beginnings", "Choices", "TooMany"]

MOST_SETS = 1 << 15  # supports of one component, of all sizes, that are listed
MOST_LISTED = 4000  # of them that may be in a choice above the level
ROWS = 1 << 18  # beginnings that are extended at a time
TRIED = 30  # times as many pairs of a beginning and a set are tried as beginnings are looked at
# What a reader of the certificate looks at, less some room for values that its roundings part.
READ_BEGINNINGS, READ_TRIED = 4_000_000, 260_000_000

Masks = npt.NDArray[np.int64]


class TooMany(Exception):
    """There are more beginnings than were to be looked at."""


@dataclass(frozen=True, eq=False)
class Beginnings:
    """Choices for the first s components.

    Attributes
    ----------
    at : (count, s) places of their sets in the lists of the parts.
    union : (count,) variables of any of them, as bits.
    value : (count,) what the first point proves of the components (variance).
    """

    at: Indices
    union: Masks
    value: Array

    def some(self, rows: Indices | slice | npt.NDArray[np.bool_]) -> Beginnings:
        """Return some of them."""
        return Beginnings(self.at[rows], self.union[rows], self.value[rows])


class Choices:
    r"""Choices :math:`S_1,\dots,S_r` of the sets where loadings are not 0, at a node.

    S_t is not empty, within J_t + F_t, and has with J_t at most k_t variables. Two of them do not share
    exactly one variable, since the product of their loadings would not be 0 (none, where they are disjoint).

    Parameters
    ----------
    shape : Shape, separate supports.
    parts : of the node, together of at most 62 variables.
    uses : what is decided of how many components use a variable.
    """

    def __init__(self, shape: Shape, parts: Sequence[Part], uses: Uses = ANY_USES) -> None:
        self.shape = shape
        self.parts = _equal_ones_together(parts)
        self.variables = np.unique(np.concatenate([part.variables for part in parts]))
        self.catalogue = Catalogue(self.variables, self.parts)
        self.once, self.twice = (_mask(self.variables, some) for some in (uses.once, uses.twice))
        if not np.isin(uses.twice, self.variables).all():
            self.twice |= 1 << MOST_VARIABLES  # a bit that no set has: there is no choice
        self.forced = [_mask(self.variables, part.inside) for part in self.parts]
        self.free = [_mask(self.variables, part.free) for part in self.parts]
        self.keys = [part.key for part in self.parts]
        self.equal_after = [self.keys[t + 1 :].count(key) for t, key in enumerate(self.keys)]

    def above(
        self,
        points: Sequence[Valued],
        level: float,
        *,
        most: float = math.inf,
        share: float = 1.0,
        deadline: Deadline = FOREVER,
    ) -> Iterator[Indices]:
        """Yield the choices that each of some points leaves above a level, in portions.

        Parameters
        ----------
        points : values of all sets under each of some dual points; the first puts the sets in order.
        level : what is proved to be at most this is left out (variance).
        most : beginnings to look at; `TooMany` where there are more, or more than a checker looks at.
        share : part of the pairs of first supports that is looked at, at random.
        deadline : when it is `TooMany` too.

        Yields
        ------
        (count, r) array
            Numbers of sets, a row for each choice.
        """
        yield from _Walk(self, points, level, most, share, deadline).run()

    def masks(self, sets: Indices) -> Masks:
        """Return sets of variables as bits."""
        return np.asarray(self.catalogue.masks[sets])

    def fit(self, t: int, u: int, ones: Indices, others: Indices) -> npt.NDArray[np.bool_]:
        """Say which sets of part t may stand beside which of part u."""
        mask, other = self.masks(ones)[:, None], self.masks(others)[None, :]
        both = mask & other
        fits = both == 0 if self.shape.is_disjoint else (both == 0) | (both & (both - 1) != 0)
        if self.once:
            fits &= (mask | self.forced[t]) & (other | self.forced[u]) & self.once == 0
        return np.asarray(fits)

    def are_used_twice(self, sets: Indices) -> npt.NDArray[np.bool_]:
        """Say of which choices two components may use each variable that two use."""
        once, twice = np.zeros(len(sets), dtype=np.int64), np.zeros(len(sets), dtype=np.int64)
        for t, part in enumerate(self.parts):
            own = self.masks(sets[:, t]) | self.forced[t]
            own = own | np.where(np.bitwise_count(own) < part.size, self.free[t], 0)
            twice |= once & own
            once |= own
        return np.asarray(twice & self.twice == self.twice)


class _Walk:
    """One walk through the beginnings, depth first over blocks of them, so that few are held at a time."""

    def __init__(
        self,
        choices: Choices,
        points: Sequence[Valued],
        level: float,
        most: float,
        share: float,
        deadline: Deadline,
    ) -> None:
        self.choices, self.points, self.level, self.most = choices, points, level, most
        self.share, self.rng, self.deadline = share, np.random.default_rng(0), deadline
        self.seen = self.tried = 0
        self.read = self.read_tried = 0  # as section 13 of certificates/SPEC.md counts
        self.r = len(choices.parts)
        self.lists = self._lists()
        # For each point and part: values of the sets of its list, and the largest from each place on.
        self.values = [[point.sets[members] for members in self.lists] for point in points]
        self.onward = [[_largest_onward(values) for values in of_parts] for of_parts in self.values]
        self.fits: dict[tuple[object, object], _Fits] = {}
        for t, u in itertools.combinations(range(self.r), 2):
            key = choices.keys[t], choices.keys[u]
            if key not in self.fits:
                self.fits[key] = _Fits(choices.fit(t, u, self.lists[t], self.lists[u]))

    def _lists(self) -> list[Indices]:
        """Return the sets of each part that may be in a choice above the level, best first."""
        first, of_part = self.points[0], self.choices.catalogue.of_part
        best = [float(first.sets[members].max()) for members in of_part]
        lists = []
        for t, members in enumerate(of_part):
            values = first.sets[members] + (sum(best[:t]) + sum(best[t + 1 :]) + first.most)
            kept = np.flatnonzero(values > self.level)
            lists.append(members[kept[np.argsort(-values[kept], kind="stable")]])
            if len(kept) > MOST_LISTED:
                raise TooMany
        return lists

    def run(self) -> Iterator[Indices]:
        """Yield choices."""
        if any(len(members) == 0 for members in self.lists):
            return
        zeros = np.zeros(1, dtype=np.int64)
        waiting = [Beginnings(zeros.reshape(1, 1)[:, :0], zeros, np.zeros(1))]
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
            if self.seen > self.most or self.tried > TRIED * self.most or self.deadline.is_over:
                raise TooMany
            if self.read > READ_BEGINNINGS or self.read_tried > READ_TRIED:
                raise TooMany
            if t + 1 < self.r:
                waiting += [longer] * bool(len(longer.at))
                continue
            sets = np.stack([self.lists[s][longer.at[:, s]] for s in range(self.r)], axis=1)
            yield sets[self.choices.are_used_twice(sets)] if self.choices.twice else sets

    def _next(self, block: Beginnings, t: int) -> tuple[Indices, Indices, int, int]:
        """Return which beginning goes on with which place of the next list, and how many pairs that are.

        By the first point, and by what fits beside the set before; nothing where there are too many. The last
        number is that of the pairs by the first point alone, which a reader tries.
        """
        equal = 1 + self.choices.equal_after[t]
        need = (self.level - self.points[0].most - self._later(t, 0) - block.value) / equal
        ends = np.searchsorted(-self.values[0][t], -need, side="right")
        if t == 0:
            return np.zeros(ends[0], dtype=np.int64), np.arange(ends[0]), int(ends[0]), int(ends[0])
        last, fits = block.at[:, -1], self.fits[self.choices.keys[t - 1], self.choices.keys[t]]
        # Equal components take their sets in the order of the list.
        starts = last if self.choices.keys[t - 1] == self.choices.keys[t] else np.zeros_like(last)
        begin = fits.before[last, starts]
        counts = np.maximum(fits.before[last, ends] - begin, 0)
        total, read = int(counts.sum()), int(np.maximum(ends - starts, 0).sum())
        if total > ROWS and len(last) > 1:
            return last[:0], last[:0], total, read
        rows = np.repeat(np.arange(len(last)), counts)
        offsets = np.arange(total) - (np.cumsum(counts) - counts)[rows]
        return rows, fits.places[fits.row_starts[last[rows]] + begin[rows] + offsets], total, read

    def _kept(self, block: Beginnings, rows: Indices, at: Indices, t: int) -> Beginnings:
        """Return the beginnings one set longer that fit and that every point leaves."""
        for s in range(t - 1):
            fits = self.fits[self.choices.keys[s], self.choices.keys[t]].matrix[block.at[rows, s], at]
            rows, at = rows[fits], at[fits]
        longer = Beginnings(
            np.concatenate([block.at[rows], at[:, None]], axis=1),
            block.union[rows] | self.choices.masks(self.lists[t][at]),
            block.value[rows] + self.values[0][t][at],
        )
        if t == 1 and self.share < 1:
            longer = longer.some(self.rng.random(len(rows)) < self.share)
        for q in range(len(self.points)):
            longer = longer.some(self._reach(longer, t, q) > self.level)
        self.read += len(longer.at)
        if t + 1 == self.r:
            for q, point in enumerate(self.points):
                value = self._value(longer, t, q) + point.of_unions(longer.union)
                longer = longer.some(value > self.level)
        return longer

    def _value(self, longer: Beginnings, t: int, q: int) -> Array:
        """Return what a point proves of the components of beginnings."""
        return np.asarray(sum(self.values[q][s][longer.at[:, s]] for s in range(t + 1)))

    def _reach(self, longer: Beginnings, t: int, q: int) -> Array:
        """Return what a point proves of everything that begins so, whatever variables it uses."""
        value, equal = self._value(longer, t, q), self.choices.equal_after[t]
        if equal:
            value = value + equal * self.onward[q][t][longer.at[:, t]]
        return np.asarray(value + (self._later(t, q) + self.points[q].most))

    def _later(self, t: int, q: int) -> float:
        """Return the most that the parts after t and those equal to it add."""
        return float(sum(self.onward[q][s][0] for s in range(t + 1 + self.choices.equal_after[t], self.r)))


class _Fits:
    """Which sets of one list fit beside which of another, and for each the places of those, in order."""

    def __init__(self, matrix: npt.NDArray[np.bool_]) -> None:
        self.matrix = matrix
        self.before = np.zeros((len(matrix), matrix.shape[1] + 1), dtype=np.int32)
        np.cumsum(matrix, axis=1, out=self.before[:, 1:])
        self.places = np.nonzero(matrix)[1]
        self.row_starts = np.cumsum(self.before[:, -1], dtype=np.int64) - self.before[:, -1]


def _equal_ones_together(parts: Sequence[Part]) -> list[Part]:
    first: dict[tuple[int, bytes, bytes], int] = {}
    for part in parts:
        first.setdefault(part.key, len(first))
    return sorted(parts, key=lambda part: first[part.key])


def _largest_onward(values: Array) -> Array:
    """Return entry i: the largest of the values from i on."""
    return np.maximum.accumulate(values[::-1])[::-1]


def _mask(variables: Indices, some: Indices) -> int:
    return sum(1 << int(at) for at in np.searchsorted(variables, some[np.isin(some, variables)]))
