"""Bound a node by a tree of its own: how many components of a group have their support among some sets."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.several.families import Families, Group
from relaxspca.relaxations.several.formula import PriceMatrix
from relaxspca.relaxations.several.listed import MOST, count_supports
from relaxspca.relaxations.several.shape import Indices, Part, Shape
from relaxspca.relaxations.several.valued import Catalogue, valued
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.several.cases import CaseProof, Cases
from relaxspca.search.several.division import best_division

__all__ = ["may_be_divided", "divide_tables"]

Settle = Callable[[tuple[Indices, ...]], tuple[PriceMatrix, float]]

# Widths of the smooth maxima, in parts of the bound, and quasi-Newton steps with each; few further down.
WIDE, WIDE_STEPS, WIDE_DEPTH = (1e-3, 2e-4, 5e-5), 25, 3
NARROW, NARROW_STEPS = (2e-4,), 14
NEAR = 60  # sets of a group, those of largest value, for which a point is looked for at first;
MORE, ROUNDS = 150, 8  # others that turn out larger are added, so many at once, and so often
LEFT_OUT = 0.25  # of what few sets leave open, and
LEFT_WIDTH = 0.5  # of a width: so much may all of them leave open beyond it
MUCH = 0.3  # of the sets: a point that drops more of them is kept before the next is looked for
LEAST_HEIGHT = 1e-4  # of the largest eigenvalue of Z
SELDOM = 0.1  # part of the pairs of supports that share exactly one variable
MOST_CASES = 50_000  # that are kept, with a few thousand numbers each
EVERY = 16  # cases after which what is proved is told


def may_be_divided(shape: Shape, parts: tuple[Part, ...]) -> bool:
    """Say whether to divide the tables of a node where its choices are too many, and not to split it.

    Splits know that no two orthogonal components share exactly one variable; this does not.
    """
    if max(count_supports(part, is_at_most=shape.is_at_most) for part in parts) > MOST:
        return False
    n, k = len(np.unique(np.concatenate([part.variables for part in parts]))), min(part.size for part in parts)
    return not shape.is_disjoint and k * math.comb(n - k, k - 1) <= SELDOM * math.comb(n, k)


@dataclass(frozen=True, eq=False)
class _Open:
    """A case that is to be looked at: its groups, sets and a factor L to begin with, its depth."""

    at: int
    groups: tuple[Group, ...]
    near: tuple[Indices, ...]
    L: Array
    depth: int


def divide_tables(
    cov: Covariance,
    shape: Shape,
    parts: tuple[Part, ...],
    first: PriceMatrix,
    *,
    target: Callable[[], float],
    settle: Settle,
    deadline: Deadline,
) -> Iterator[tuple[Cases, float, int]]:
    """Yield what cases prove of the tables of a node, better and better, until it is the target.

    Each time the cases, what they prove (variance), and how many were looked at. It ends early where the
    time is over, there are too many cases, or numbers overflow.

    Parameters
    ----------
    cov : Covariance.
    shape : Shape of separate supports.
    parts : of the node.
    first : a dual point of the node, to begin with.
    target : what is to be proved (variance); it may rise while tables are found.
    settle : bounds the tables on one choice of supports by a point of its own.
    deadline : when to stop.
    """
    work = _Dividing(cov, shape, parts, first, target, settle, deadline)
    count = 0
    while work.waiting and not deadline.is_over and len(work.cases.found) < MOST_CASES:
        for _ in range(EVERY):
            if not work.waiting or deadline.is_over:
                break
            try:
                work.look()
            except np.linalg.LinAlgError:  # numbers that overflow
                return
            count += 1
        yield work.cases, work.bound, count


class _Dividing:
    def __init__(
        self,
        cov: Covariance,
        shape: Shape,
        parts: tuple[Part, ...],
        first: PriceMatrix,
        target: Callable[[], float],
        settle: Settle,
        deadline: Deadline,
    ) -> None:
        self.cov, self.target, self.settle, self.deadline, self.r = cov, target, settle, deadline, len(parts)
        self.variables = np.unique(np.concatenate([part.variables for part in parts]))
        self.sizes = [part.size for part in parts]
        self.Sigma = cov.submatrix(self.variables)
        sets = "smaller" if shape.is_at_most else "support"
        self.catalogue = Catalogue(self.variables, parts, sets)
        self.cases = Cases(self.variables, self.catalogue.masks, first)
        keys = [part.key for part in parts]
        groups = tuple(
            (keys.count(key), self.catalogue.of_part[keys.index(key)]) for key in dict.fromkeys(keys)
        )
        at = np.searchsorted(first.variables, self.variables)
        L = _factor(self.Sigma - first.rest[np.ix_(at, at)])
        self.gap = float(np.finfo(float).tiny)  # the most that a case left open, the first as a rule
        self.left = -math.inf  # the largest bound of a case that cannot be divided
        values = valued(cov, self.point(self.Sigma - L @ L.T), self.catalogue, self.r).sets
        case = _Open(0, groups, tuple(_largest(family, values) for _, family in groups), L, 0)
        self.waiting: list[tuple[float, int, _Open]] = [(-math.inf, 0, case)]

    @property
    def bound(self) -> float:
        """What all cases prove."""
        worst = -self.waiting[0][0] if self.waiting else -math.inf
        return max(worst, self.left, self.target())

    def look(self) -> None:
        """Look at the case with the largest bound: drop sets, and divide it if some are left to each group."""
        bound, _, case = heapq.heappop(self.waiting)
        work = _Dropping(self, case, -bound)
        groups = work.groups
        if any(len(family) == 0 for _, family in groups):
            self.cases.found[case.at] = CaseProof(tuple(work.points))
        elif all(len(family) == 1 for _, family in groups):
            self.finish(case.at, work)
        else:
            self.gap = max(self.gap, work.bound - work.target)
            division = best_division(
                self.Sigma,
                self.catalogue.masks,
                groups,
                work.shares,
                work.L,
                target=work.target,
                gap=self.gap,
            )
            count, family = groups[division.group]
            numbers = self.cases.divide(
                case.at, tuple(work.points), division.group, family[division.is_named], count
            )
            for number, some in zip(numbers, division.apply(groups), strict=True):
                if all(len(own) for _, own in some):
                    near = tuple(_largest(family, work.values) for _, family in some)
                    rest = _Open(number, some, near, work.L, case.depth + 1)
                    heapq.heappush(self.waiting, (-work.bound, number, rest))

    def finish(self, at: int, work: _Dropping) -> None:
        """Bound one choice of supports as well as that can be done."""
        supports = [
            np.array(self.cases.variables_of(int(family[0])))
            for count, family in work.groups
            for _ in range(count)
        ]
        supports.sort(key=lambda support: self.sizes.index(len(support)))  # groups come in any order
        work.drop_by(self.whole(self.settle(tuple(supports))[0]), is_last=True)
        self.cases.found[at] = CaseProof(tuple(work.points))
        if all(len(family) for _, family in work.groups):
            self.left = max(self.left, work.bound)

    def whole(self, point: PriceMatrix) -> PriceMatrix:
        """Return a point of all variables of the node; Z is 0 where the given one does not speak."""
        is_in = np.isin(point.variables, self.variables)
        here, at = np.searchsorted(self.variables, point.variables[is_in]), np.flatnonzero(is_in)
        rest = self.Sigma.copy()
        rest[np.ix_(here, here)] = point.rest[np.ix_(at, at)]
        return self.point(rest)

    def point(self, rest: Array) -> PriceMatrix:
        """Return the dual point of a matrix M on the variables of the node."""
        return PriceMatrix(self.variables, (rest + rest.T) / 2, np.zeros(len(rest)), (None,) * self.r)


class _Dropping:
    """A case while points are looked for that drop sets of its families.

    Attributes
    ----------
    groups : what is left of them.
    points : found so far that count.
    bound : what is proved of all tables of the case.
    L, values : of the last point, and what it proves of each set.
    shares : of what is left, at the last point.
    """

    def __init__(self, all_of_it: _Dividing, case: _Open, bound: float) -> None:
        self.all, self.groups, self.bound, self.L = all_of_it, case.groups, bound, case.L
        self.points: list[PriceMatrix] = []
        self.target = all_of_it.target()
        widths, steps = (WIDE, WIDE_STEPS) if case.depth < WIDE_DEPTH else (NARROW, NARROW_STEPS)
        scale = max(abs(self.target), float(np.abs(all_of_it.Sigma).max()))
        near = case.near
        for width in widths:
            near = self.lower(near, width * scale, steps, is_last=width == widths[-1])
            if any(len(family) == 0 for _, family in self.groups):
                return
        self.shares = self.families(self.groups).shares(self.L, widths[-1] * scale)

    def lower(
        self, near: tuple[Indices, ...], width: float, steps: int, *, is_last: bool
    ) -> tuple[Indices, ...]:
        """Look for a point that is best for few sets, and drop what it drops of all; return the next few."""
        all_of_it = self.all
        for again in reversed(range(ROUNDS)):
            counts = [count for count, _ in self.groups]
            few, self.L = self.families(list(zip(counts, near, strict=True))).minimised(
                self.L, width, steps, self.target, all_of_it.deadline
            )
            point = all_of_it.point(all_of_it.Sigma - self.L @ self.L.T)
            beyond = min(LEFT_OUT * max(few - self.target, 0.0), LEFT_WIDTH * width)
            enough = few + beyond if again else math.inf
            total = self.drop_by(point, is_last=is_last, enough=enough)
            near = self.with_larger(near)
            if total <= enough or any(len(family) == 0 for family in near):
                break
        return near

    def with_larger(self, near: tuple[Indices, ...]) -> tuple[Indices, ...]:
        """Return those of few sets that are not dropped, and others with larger values."""
        found = []
        for few, (_, family) in zip(near, self.groups, strict=True):
            kept = few[np.isin(few, family)]
            larger = family[self.values[family] > self.values[kept].max(initial=-math.inf)]
            found.append(np.union1d(kept, _largest(larger, self.values, MORE)))
        return tuple(found)

    def families(self, groups: Sequence[Group]) -> Families:
        """Return the bound of groups of sets."""
        return Families(self.all.Sigma, self.all.catalogue, groups)

    def drop_by(self, point: PriceMatrix, *, is_last: bool, enough: float = math.inf) -> float:
        """Return what a point proves; drop what it drops, if that is much, or if it is the last and enough."""
        all_of_it = self.all
        numbers = np.unique(np.concatenate([family for _, family in self.groups]))
        found = valued(all_of_it.cov, point, all_of_it.catalogue, all_of_it.r, numbers)
        self.values = found.sets
        values = [found.sets[family] for _, family in self.groups]
        largest = [float(own.max()) for own in values]
        total = found.most + sum(count * most for (count, _), most in zip(self.groups, largest, strict=True))
        # What is not a number drops nothing: inf - inf where a point overflows.
        stays = [~(total - most + own <= self.target) for most, own in zip(largest, values, strict=True)]
        gone = 1 - sum(own.sum() for own in stays) / sum(len(own) for own in stays)
        if (is_last and total <= enough) or not all(own.any() for own in stays) or gone > MUCH:
            self.points.append(point)
            self.bound = min(self.bound, total)
            self.groups = tuple(
                (count, family[own]) for (count, family), own in zip(self.groups, stays, strict=True)
            )
        return total


def _largest(family: Indices, values: Array, most: int = NEAR) -> Indices:
    """Return the sets of a family that have the largest values."""
    return family if len(family) <= most else family[np.argpartition(-values[family], most)[:most]]


def _factor(Z: Array) -> Array:
    """Return L with LL' near Z, no column of it 0: there the gradient would vanish."""
    values, vectors = np.linalg.eigh(Z)
    least = LEAST_HEIGHT * max(float(values[-1]), 0.0)
    return np.asarray(vectors * np.sqrt(np.maximum(values, least)))
