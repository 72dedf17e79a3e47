"""A dual point that brings as many of some choices of supports as possible below a level."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices
from relaxspca.relaxations.perron.minimise import quasi_newton
from relaxspca.relaxations.several.minimise import FAR
from relaxspca.relaxations.several.support_values import Choices
from relaxspca.relaxations.soft_top import logistic
from relaxspca.runtime.deadline import FOREVER, Deadline

WIDTHS = 0.09, 0.018  # of the soft steps, in parts of what is open; half as wide for eigenvalues
AIM = 0.003  # of the same, below the level, in the last round
ITERATIONS = 40


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
        place[sets.ravel()] = 0
        wanted = np.flatnonzero(place == 0)
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
