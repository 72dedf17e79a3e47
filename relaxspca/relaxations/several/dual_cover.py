"""Bound all components of a node: list the choices of supports above a level, and find dual points for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from relaxspca.certificate import HEADS
from relaxspca.numerics.linalg import Array, Indices
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.perron.minimise import quasi_newton
from relaxspca.relaxations.several.enumeration import MOST_BEGINNINGS, TooMany, choices_above
from relaxspca.relaxations.several.formula import MOST, MultiplierMatrix
from relaxspca.relaxations.several.minimise import FAR
from relaxspca.relaxations.several.smooth import ABOVE_ZERO
from relaxspca.relaxations.several.support_values import MOST_SETS, Choices, SupportValues, valued
from relaxspca.relaxations.soft_top import logistic
from relaxspca.runtime.deadline import FOREVER, Deadline

Settle = Callable[[tuple[Indices, ...]], MultiplierMatrix]

STEP = 0.25  # by which the level falls, in parts of what the first point leaves open
MORE = 1.2  # times as far through all of them, with one point more, that another one is tried
FITTED = 500  # choices that a point is fitted to, at first
ENOUGH = 0.2  # of these: where fewer are settled, the next is fitted to a quarter of them
WIDTHS = 0.09, 0.018  # of the soft steps, in parts of what is open; half as wide for eigenvalues
AIM = 0.003  # of the same, below the level, in the last round
ITERATIONS = 40


@dataclass(eq=False)
class Covering:
    """Dual points that bound every choice of supports of a node, as far as choices can be listed.

    Attributes
    ----------
    cov, choices : of the node.
    first : a good point of the node; no choice is listed for it.
    highest : what it bounds all choices by (variance).
    target : where the bound is low enough; it may rise while better components are found.
    settle : the dual point of a choice that needs one of its own.
    is_root : a node below the root is split where lists are long, and its children have short ones: for it
        there is one step, to the target.
    deadline : when to stop.
    """

    cov: Covariance
    choices: Choices
    first: MultiplierMatrix
    highest: float
    target: Callable[[], float]
    settle: Settle
    is_root: bool = True
    deadline: Deadline = FOREVER

    def __post_init__(self) -> None:
        self.few, self.most = (MOST_SETS, MOST_BEGINNINGS) if self.is_root else (MOST_SETS // 2, 0)
        self.variables = self.choices.variables
        self.Sigma = self.cov.submatrix(self.variables)
        self.r = len(self.choices.parts)
        self.rng = np.random.default_rng(0)
        at = np.searchsorted(self.first.variables, self.variables)
        self.bound, self.open = self.highest, max(self.highest - self.target(), 0.0)
        # LL' is near Z; no column is 0, as it would stay so: the gradient vanishes there.
        values, vectors = np.linalg.eigh(self.Sigma - self.first.rest[np.ix_(at, at)])
        self.root: Array = vectors * np.sqrt(np.maximum(values, ABOVE_ZERO * self.open))
        self.sorting = [self.valued(self.first)]
        self.together = FITTED  # choices that a point is fitted to
        self.points: list[MultiplierMatrix] = []  # the others
        self.proof: tuple[MultiplierMatrix, ...] = (self.first,)  # when the bound was lowered last
        self.unsettled = -np.inf  # the largest bound of a choice that had to have a point of its own

    def covers(self) -> Iterator[tuple[tuple[MultiplierMatrix, ...], float]]:
        """Yield dual points of which at least one proves a bound (variance) for each choice, and that bound.

        Those by which choices were listed come first; a checker drops partial choices by them. Each level that
        is proved is yielded, so that the bound falls with time. The level falls in steps to the target. Where
        choices above a level are too many, the step is halved.
        """
        reached, step = 1.0, STEP if self.is_root else 1.0
        while reached > 0 and self.bound > self.target() and not self.deadline.is_over:
            following, before = max(reached - step, 0.0), self.bound
            is_reached = self.lower_to(following)
            if is_reached:
                reached = following
            if is_reached or self.bound < before:  # a part of the way, when time ends
                yield self.proof, self.bound
            elif self.is_root and step >= STEP / 8:
                step /= 2
            else:
                return

    def lower_to(self, stage: float) -> bool:
        """Bound all choices by a level between target (0) and first bound (1); say whether there was time."""
        level = max(self.target() + stage * (self.highest - self.target()), self.unsettled)
        if level >= self.bound:
            return True
        self.together = FITTED
        left = self.listed(level)
        if left is None:
            return False
        heads = [values.point for values in self.sorting]
        best = np.full(len(left), np.inf)
        for point in self.points:
            is_open = best > level
            best[is_open] = np.minimum(best[is_open], self.values(point, left[is_open], level))
        while (best > level).any():
            left, best = left[best > level], best[best > level]
            if self.deadline.is_over:
                level = float(best.max())
                break
            point, values, at = self.next_point(left, level)
            if not (values <= level).any():  # not even the one choice it was fitted to at last
                alone = self.settle(self.supports(left[at]))
                proved = self.values(alone, left, level)
                if proved[at] < values[at]:
                    point, values = alone, proved
                self.unsettled = max(self.unsettled, min(float(values[at]), float(best[at])))
            self.points.append(point)
            best = np.minimum(best, values)
            # Nothing is won below what one choice leaves open.
            level = max(level, self.target(), self.unsettled)
        if level < self.bound:
            self.bound, self.proof = level, (*heads, *self.points)
        return not self.deadline.is_over

    def listed(self, level: float) -> Indices | None:
        """Return the choices above a level, or None where they are too many.

        One point more is tried as long as a short list gets further with it than before.
        """
        least = 0.0
        while True:
            try:
                return choices_above(self.choices, self.sorting, level, most=self.few, deadline=self.deadline)
            except TooMany as found:
                if not len(found.some) or found.share < MORE * least or self.deadline.is_over:
                    break
                # The node's own point is best for its worst choice; one fitted to many choices drops more.
                least = found.share
                self.sort_by(found.some[self.rng.permutation(len(found.some))[:MOST]], level)
        if least * self.most < self.few:
            return None
        try:
            return choices_above(self.choices, self.sorting, level, most=self.most, deadline=self.deadline)
        except TooMany:
            return None

    def sort_by(self, sample: Indices, level: float) -> None:
        """Enumerate with one more point, fitted to some choices; the first such point is tried first."""
        point, _ = self.fitted(sample, level)
        self.points.append(point)
        head, *others = self.sorting[: HEADS - 1]
        self.sorting = [head, *others, self.valued(point)] if others else [self.valued(point), head]

    def next_point(self, left: Indices, level: float) -> tuple[MultiplierMatrix, Array, int]:
        """Return a point fitted to some choices, what it proves of all, and the place of the first of these.

        Where it settles few of them it is fitted to fewer, at last to the first; it may settle none.
        """
        some = self.rng.permutation(len(left))[:MOST]
        while True:
            point, values = self.fitted(left[some[: self.together]], level)
            settled = (values <= level).mean()
            if settled >= ENOUGH or self.together == 1:
                break
            self.together = max(min(self.together, len(some)) // 4, 1)
        if settled > 1 - ENOUGH:
            self.together *= 4
        return point, self.values(point, left, level), int(some[0])

    def fitted(self, sets: Indices, level: float) -> tuple[MultiplierMatrix, Array]:
        """Return a point fitted to some choices, and what it proves of them."""
        fit = HingeFit(self.Sigma, self.choices, sets)
        L = fit.minimised(self.root, level, scale=self.open, deadline=self.deadline)
        rest = self.Sigma - L @ L.T
        point = MultiplierMatrix(self.variables, (rest + rest.T) / 2, np.zeros(len(rest)), (None,) * self.r)
        return point, self.values(point, sets, level)

    def values(self, point: MultiplierMatrix, sets: Indices, level: float) -> Array:
        """Return what a point proves of some choices."""
        return self.valued(point, sets).of(sets, np.bitwise_or.reduce(self.choices.masks[sets], axis=1), level)

    def valued(self, point: MultiplierMatrix, sets: Indices | None = None) -> SupportValues:
        """Return what a point proves of each set, or of those of some choices."""
        return valued(self.cov, point, self.choices, sets)

    def supports(self, sets: Indices) -> tuple[Indices, ...]:
        """Return the variables of each set of a choice, in the order of the node."""
        is_in = (self.choices.masks[sets][:, None] >> np.arange(len(self.variables))) & 1 > 0
        return tuple(self.variables[is_in[at]] for at in np.argsort(self.choices.order))  # that of the node


class HingeFit:
    r"""Some choices of supports, and how far a dual point has them above a level, as a smooth function.

    .. math:: \sum_{\text{choices}}\max\Big(0,\ \sum_t\lambda_{\max}((\Sigma-LL')_{S_tS_t})
              +\sum_{j\in\cup S_t}(LL')_{jj}-\text{level}\Big)

    It is convex in Z = LL', and its least value is 0 where one dual point is enough for all of them. Sigma is
    the block of the variables of the choices; `sets` has the numbers of sets, a row for each choice.
    """

    def __init__(self, Sigma: Array, choices: Choices, sets: Indices) -> None:
        self.Sigma = Sigma
        place = np.full(len(choices.masks), -1)
        wanted = np.unique(sets)
        place[wanted] = np.arange(len(wanted))
        self.sets = place[sets]
        self.count = len(wanted)
        self.groups = []
        for numbers, rows in choices.by_size:
            is_wanted = place[numbers] >= 0
            if is_wanted.any():
                self.groups.append((place[numbers[is_wanted]], rows[is_wanted]))
        unions = np.bitwise_or.reduce(choices.masks[sets], axis=1)
        self.is_used = ((unions[:, None] >> np.arange(len(Sigma))) & 1).astype(np.float64)

    def __call__(self, L: Array, level: float, width: float) -> tuple[float, Array]:
        """Return the mean of the soft steps, and its gradient in L."""
        Z = L @ L.T
        values, slopes = self._sets(self.Sigma - Z, width / 2)
        above = (values[self.sets].sum(axis=1) + self.is_used @ np.diagonal(Z) - level) / width
        share = logistic(above) / len(above)
        weights = np.bincount(self.sets.ravel(), np.repeat(share, self.sets.shape[1]), minlength=self.count)
        by_Z = np.diag(share @ self.is_used)
        for (numbers, rows), X in zip(self.groups, slopes, strict=True):
            np.subtract.at(by_Z, (rows[:, :, None], rows[:, None, :]), X * weights[numbers][:, None, None])
        return width * float(np.logaddexp(0.0, above).mean()), 2 * by_Z @ L

    def minimised(self, L: Array, level: float, *, scale: float, deadline: Deadline = FOREVER) -> Array:
        """Return L after quasi-Newton steps, in two rounds of less and less smoothing, in parts of a scale."""
        # A step in a long column moves Z by more: in this unit it moves Z as one in another column does.
        unit = 1 / np.sqrt(1 + (L**2).sum(axis=0) / scale)
        largest = FAR * max(float(np.abs(self.Sigma).max()), abs(level), float((L**2).max()))

        def objective(width: float, aim: float, entries: Array) -> tuple[float, Array]:
            value, slope = self(entries.reshape(L.shape) * unit, level - aim * scale, width * scale)
            return value / scale, (slope * unit).ravel() / scale

        options: Any = {"maxiter": ITERATIONS, "ftol": 2e-11, "gtol": 1e-7}
        reached = (L / unit).ravel()
        for step in zip(WIDTHS, (0.0, AIM), strict=True):
            try:
                found = quasi_newton(partial(objective, *step), reached, len(L), deadline=deadline, **options)
            except np.linalg.LinAlgError:  # of a step to where numbers overflow
                break
            if not np.abs(found.reshape(L.shape) * unit).max() ** 2 <= largest:  # roundings grow with it
                break
            reached = found
        return np.asarray(reached.reshape(L.shape) * unit)

    def _sets(self, M: Array, width: float) -> tuple[Array, list[Array]]:
        """Return the soft largest eigenvalue of each set, and its slopes: it has one where two are equal."""
        values, slopes = np.empty(self.count), []
        for numbers, rows in self.groups:
            heights, bases = np.linalg.eigh(M[rows[:, :, None], rows[:, None, :]])
            shares = np.exp((heights - heights[:, -1:]) / width)
            total = shares.sum(axis=1, keepdims=True)
            values[numbers] = heights[:, -1] + width * np.log(total[:, 0])
            slopes.append((bases * (shares / total)[:, None, :]) @ bases.transpose(0, 2, 1))
        return values, slopes
