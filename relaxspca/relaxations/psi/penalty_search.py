"""The best penalty rho at a fixed X: a one-dimensional convex problem with secular equations."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import HALVINGS, Array
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.relaxations.psi.formula import Spectral

INEXACT = 1e-2  # accepted distance from the minimum, as a fraction of the barrier


Minimum = tuple[Spectral, float, float, float]


@dataclass(frozen=True, eq=False)
class Problem:
    """The relaxation psi at a fixed penalty or minimised over the penalty.

    Attributes
    ----------
    A : (r, m) columns of the factor, the longest first: those active at a penalty come first.
    norms : (m,) their squared lengths.
    penalty : coefficient of rho in the bound: the cardinality if rho is free, 0 if it is fixed.
    rho : the fixed penalty; None to minimise over it.
    """

    A: Array
    norms: Array
    penalty: int
    rho: float | None

    @property
    def ceiling(self) -> float:
        """Upper limit of the penalties tried; above the largest norm no column is active."""
        return 1.1 * float(self.norms[0])

    def count(self, rho: float) -> int:
        """Return how many columns have a squared norm above rho."""
        return int(np.searchsorted(-self.norms, -rho))

    def at(self, d: Array, Q: Array, rho: float) -> Minimum:
        """Return what `best_penalty` does at one penalty: the function at X = Q Diag(d) Q', and its slope."""
        active = slice(0, self.count(rho))
        found = Spectral(d, Q, Q.T @ self.A[:, active], rho, active)
        return found, math.inf, self.penalty - float(found.shares.sum()), 0.0

    def first(self) -> Minimum:
        """Return the function at a multiple of the identity; a free penalty is half of the largest variance."""
        r = len(self.A)
        return self.at(np.full(r, 1 / r), np.eye(r), float(self.norms[0]) / 2 if self.rho is None else self.rho)

    def best_at(self, d: Array, Q: Array, start: float, barrier: float) -> Minimum:
        """Return the function at X = Q Diag(d) Q' and the fixed penalty, or the barrier function's best one."""
        d = np.maximum(d, np.finfo(float).tiny)
        return best_penalty(self, d, Q, start, barrier) if self.rho is None else self.at(d, Q, self.rho)


def best_penalty(problem: Problem, d: Array, Q: Array, start: float, barrier: float) -> Minimum:
    r"""Minimise the sum of theta plus rho k over rho, with barriers at 0 and at the ceiling h.

    .. math:: \min_\rho\ \sum_i\theta_i(X;\rho)+\rho k-\mu\log\rho-\mu\log(h-\rho).

    X is Q Diag(d) Q', k at least 1 and the barrier :math:`\mu` positive: it singles out one penalty
    where the sum is flat, and so keeps the minimum smooth in X.

    Returns
    -------
    at : the function at the minimiser.
    curvature : in rho.
    slope : a subgradient of :math:`\sum_i\theta_i+\rho k` at the minimiser, of the size of the barrier's.
    excess : bound on how far the value at the penalty returned is above the least one.
    """
    low, high = 0.0, problem.ceiling
    at_low, at_high = -math.inf, math.inf
    rho = start if low < start < high else 0.5 * (low + high)
    rotated = Q.T @ problem.A[:, : problem.count(rho)]
    for _ in range(HALVINGS):
        count = problem.count(rho)
        if count > rotated.shape[1]:
            rotated = np.hstack([rotated, Q.T @ problem.A[:, rotated.shape[1] : count]])
        at = Spectral(d, Q, rotated[:, :count], rho, slice(0, count))
        below, above = barrier / rho, barrier / (problem.ceiling - rho)
        slope = problem.penalty - float(at.shares.sum())
        total = slope - below + above
        curvature = at.curvature + below / rho + above / (problem.ceiling - rho)
        if total > 0:
            high, at_high = rho, total
        else:
            low, at_low = rho, total
        if abs(total) <= RELATIVE_WIDTH * problem.penalty or high - low <= 1e-15 * high:
            break
        if math.isfinite(at_high - at_low) and abs(total) * (high - low) <= INEXACT * barrier:
            # At kinks, where variables enter, the slopes at the ends of the bracket give the curvature.
            return at, (at_high - at_low) / (high - low), below - above, abs(total) * (high - low)
        newton = rho - total / curvature
        rho = newton if low < newton < high else (low + high) / 2
    return at, curvature, slope, 0.0
