"""Bound every table of a node: list the choices of supports that a dual point leaves, bound each by another."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.several.choices import Choices
from relaxspca.relaxations.several.dual_fit import HingeFit
from relaxspca.relaxations.several.enumeration import TooMany, Walk
from relaxspca.relaxations.several.formula import MultiplierMatrix
from relaxspca.relaxations.several.shape import Indices
from relaxspca.relaxations.several.support_values import SupportValues, valued
from relaxspca.runtime.deadline import FOREVER, Deadline

__all__ = ["Cover", "Settle", "cover_choices"]

Settle = Callable[[tuple[Indices, ...]], tuple[MultiplierMatrix, float]]

KEPT = 1 << 21  # choices that are held at a time
SORTING = 8  # points that sort out beginnings, at most
MUCH = 0.9  # of the beginnings: a point that leaves more of them is the last one to be tried
SAMPLE = 4000  # choices that a point is fitted to
LOOKED_AT = 20_000  # choices among which those most like one are looked for
ALIKE = 500, 60, 8  # choices that a point is fitted to together
ENOUGH = 0.2  # part of them that it must settle, or fewer are tried
LEAST_HEIGHT = 1e-4  # of the largest eigenvalue of Z


class _Effort(NamedTuple):
    """How hard to try.

    Attributes
    ----------
    stages : levels, in parts of what the first point leaves open. Where one is out of reach that between it
        and the last one that was reached follows.
    nearest : such levels are tried as long as the two are further apart.
    quick : beginnings that a sample has, at most; it is of a quarter of the pairs of first sets, or a
        quarter of that, and so on.
    least : the smallest part.
    most : beginnings that are looked at in all.
    fitted : points that are fitted to samples, to sort out beginnings, at each level.
    """

    stages: tuple[float, ...]
    nearest: float
    quick: int
    least: float
    most: int
    fitted: int


AT_ROOT = _Effort((0.75, 0.5, 0.0), 0.05, 1 << 17, 0.25**7, 3_500_000, 6)
BELOW = _Effort((0.0,), 1.0, 1 << 15, 0.25**2, 1 << 17, 1)


@dataclass(frozen=True, eq=False)
class Cover:
    """Dual points of which one at least bounds each choice.

    Attributes
    ----------
    points : the first few sort out beginnings, in this order.
    bound : what is proved of all tables (variance).
    """

    points: tuple[MultiplierMatrix, ...]
    bound: float


def cover_choices(
    cov: Covariance,
    choices: Choices,
    first: MultiplierMatrix,
    bound: float,
    *,
    target: Callable[[], float],
    settle: Settle,
    is_root: bool = True,
    deadline: Deadline = FOREVER,
) -> Iterator[Cover]:
    """Yield dual points that bound every choice of supports of a node, as far as choices can be listed.

    The level falls from the bound of the first point to the target in stages, a cover each, so that what is
    proved grows with time, and where the choices above the target are too many those above some level may
    not be. The first cover is the first point.

    Parameters
    ----------
    cov : Covariance.
    choices : Choices of the node.
    first : a good dual point of the node.
    bound : what it proves (variance).
    target : what choices are to be brought below (variance); it may rise while tables are found.
    settle : bounds the tables on one choice of supports by a point of its own.
    is_root : whether to try hard. Otherwise the node may be split, and what takes long now is quick later:
        it is all choices above the target at once or none, and less is tried.
    deadline : when to stop.
    """
    effort = AT_ROOT if is_root else BELOW
    work = _Covering(cov, choices, first, bound, target, settle, effort, deadline)
    yield Cover(work.proof, work.bound)
    reached, missed = 1.0, -math.inf
    stages = list(effort.stages)
    while work.bound > target() and not deadline.is_over:
        if missed >= 0:
            stages = [(reached + missed) / 2] if reached - missed > effort.nearest else []
        if not stages:
            return
        stage = stages.pop(0)
        if work.lower_to(stage):
            reached = stage
        else:
            missed = stage
        yield Cover(work.proof, work.bound)


class _Covering:
    """A cover while it is made: its points, and what they prove of all choices."""

    def __init__(
        self,
        cov: Covariance,
        choices: Choices,
        first: MultiplierMatrix,
        bound: float,
        target: Callable[[], float],
        settle: Settle,
        effort: _Effort,
        deadline: Deadline,
    ) -> None:
        self.cov, self.choices, self.target, self.settle = cov, choices, target, settle
        self.effort, self.deadline = effort, deadline
        self.variables = choices.variables
        self.Sigma = cov.submatrix(self.variables)
        self.r = len(choices.parts)
        self.rng = np.random.default_rng(0)
        at = np.searchsorted(first.variables, self.variables)
        self.root = _factor(self.Sigma - first.rest[np.ix_(at, at)])
        self.points, self.bound, self.first = [first], bound, bound
        self.sorting = [self.valued(first)]
        # The points when the bound was lowered last: later ones may sort out other beginnings than it needs.
        self.proof: tuple[MultiplierMatrix, ...] = (first,)
        self.seen = 0  # beginnings of the last walk that came to its end
        self.unsettled = -np.inf  # the largest bound of a choice that its own point did not bring down

    def lower_to(self, stage: float) -> bool:
        """Bound all choices by a level between the target and the first bound; say whether that was done."""
        level = max(self.target() + stage * (self.first - self.target()), self.unsettled)
        if level >= self.bound:
            return True
        left = self.listed(level)
        if left is None:
            return False
        best = np.full(len(left), np.inf)
        for point in self.points:
            is_open = best > level
            best[is_open] = np.minimum(best[is_open], self.values(point, left[is_open], level))
        while (best > level).any():
            left, best = left[best > level], best[best > level]
            if self.deadline.is_over:
                level = float(best.max())
                break
            point, values = self.next_point(left, level)
            if not (values <= level).any():  # not even the worst choice alone
                worst = int(np.argmax(values))
                point, own = self.settle(self.supports(left[worst]))
                values = self.values(point, left, level)
                self.unsettled = max(self.unsettled, min(float(values[worst]), own))
                values[worst] = -np.inf
            self.points.append(point)
            best = np.minimum(best, values)
            # Nothing is won below what one choice leaves open.
            level = max(level, self.target(), self.unsettled)
        if level < self.bound:
            self.bound, self.proof = level, tuple(self.points)
        return not self.deadline.is_over

    def listed(self, level: float) -> Indices | None:
        """Return the choices that points leave above a level; more points sort out beginnings if they must."""
        effort, share, before = self.effort, 1.0, math.inf
        for more in reversed(range(effort.fitted + 1)):
            while (found := self.left(level, effort.quick, share)) is None:
                share /= 4
                if share < effort.least or self.deadline.is_over:
                    return None
            if share == 1:
                return found
            few = 4 * effort.quick * share
            if not more or not len(found) or self.seen <= few or self.seen > MUCH * before * share:
                break
            before = self.seen / share
            # The best point for the worst choice may leave many: one fitted to them leaves a few in a hundred.
            self.sort_by(found[self.rng.permutation(len(found))[:SAMPLE]], level)
        return self.left(level, effort.most) if self.seen / share <= effort.most else None

    def sort_by(self, sample: Indices, level: float) -> None:
        """Let a point that is fitted to some choices sort out beginnings."""
        if len(self.sorting) == SORTING:
            del self.sorting[2:]
        point, _ = self.fitted(sample, level)
        at = 0 if len(self.sorting) == 1 else len(self.sorting)
        self.points.insert(at, point)
        self.sorting.insert(at, self.valued(point))

    def next_point(self, left: Indices, level: float) -> tuple[MultiplierMatrix, Array]:
        """Return a point that settles some choices, and what it proves of all.

        It is fitted to those most like one of them, and to fewer where it settles few of these.
        """
        near = self.alike(left)
        for count in ALIKE:
            point, values = self.fitted(near[:count], level)
            if (values <= level).mean() >= ENOUGH:
                break
        return point, self.values(point, left, level)

    def alike(self, left: Indices) -> Indices:
        """Return some of the choices, those first whose sets are nearest to those of one that is chosen."""
        some = left[self.rng.permutation(len(left))[:LOOKED_AT]]
        masks = self.choices.masks(some)
        # For each set of the chosen one the nearest set of the other.
        apart = np.bitwise_count(masks[:, :, None] ^ masks[0]).min(axis=1).sum(axis=1)
        return np.asarray(some[np.argsort(apart, kind="stable")])

    def fitted(self, sets: Indices, level: float) -> tuple[MultiplierMatrix, Array]:
        """Return a point fitted to some choices, and what it proves of them."""
        L = HingeFit(self.Sigma, self.choices, sets).minimised(self.root, level, deadline=self.deadline)
        rest = self.Sigma - L @ L.T
        nothing = np.zeros(len(self.variables))
        point = MultiplierMatrix(self.variables, (rest + rest.T) / 2, nothing, (None,) * self.r)
        return point, self.values(point, sets, level)

    def values(self, point: MultiplierMatrix, sets: Indices, level: float) -> Array:
        return self.valued(point, sets).of(sets, np.bitwise_or.reduce(self.choices.masks(sets), axis=1), level)

    def valued(self, point: MultiplierMatrix, sets: Indices | None = None) -> SupportValues:
        return valued(self.cov, point, self.choices.catalogue, self.r, sets)

    def left(self, level: float, most: float, share: float = 1.0) -> Indices | None:
        """Return the choices that the sorting points leave; None where they, or beginnings, are too many."""
        found, count = [np.zeros((0, self.r), dtype=np.int64)], 0
        try:
            walk = Walk(self.choices, self.sorting, level, most=most, share=share, deadline=self.deadline)
            for some in walk:
                found.append(some)
                count += len(some)
                if count > KEPT:
                    return None
        except TooMany:
            return None
        self.seen = walk.seen
        return np.concatenate(found)

    def supports(self, sets: Indices) -> tuple[Indices, ...]:
        """Return the variables of each set of a choice."""
        is_in = (self.choices.masks(sets)[:, None] >> np.arange(len(self.variables))) & 1 > 0
        return tuple(self.variables[row] for row in is_in)


def _factor(Z: Array) -> Array:
    """Return L with LL' near Z, no column of it 0: there the gradient would vanish."""
    values, vectors = np.linalg.eigh(Z)
    least = LEAST_HEIGHT * max(float(values[-1]), 0.0)
    return np.asarray(vectors * np.sqrt(np.maximum(values, least)))
