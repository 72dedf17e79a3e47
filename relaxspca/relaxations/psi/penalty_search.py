"""The best penalty rho at a fixed X: a one-dimensional convex problem with secular equations."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import HALVINGS, Array
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.relaxations.psi.formula import Spectral

INEXACT = 1e-2  # accepted distance from the minimum, as a fraction of the barrier


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns (r, m) of a factor and their squared norms, decreasing; those active at a penalty come first."""

    A: Array
    norms: Array

    @property
    def ceiling(self) -> float:
        """Upper limit of the penalties tried; above the largest norm no column is active."""
        return 1.1 * float(self.norms[0])

    def count(self, rho: float) -> int:
        """Return how many columns have a squared norm above rho."""
        return int(np.searchsorted(-self.norms, -rho))

    def spectral(self, d: Array, Q: Array, rho: float) -> Spectral:
        """Return the sum of theta, as `Spectral`, at X = Q Diag(d) Q' and rho."""
        active = slice(0, self.count(rho))
        return Spectral(d, Q, Q.T @ self.A[:, active], rho, active)


def best_penalty(
    columns: Columns, d: Array, Q: Array, penalty: int, start: float, barrier: float
) -> tuple[Spectral, float, float, float]:
    r"""Minimise the sum of theta plus rho k over rho, with barriers at 0 and at the ceiling h.

    .. math:: \min_\rho\ \sum_i\theta_i(X;\rho)+\rho k-\mu\log\rho-\mu\log(h-\rho).

    X is Q Diag(d) Q', the penalty k at least 1 and the barrier :math:`\mu` positive: it singles out one penalty
    where the sum is flat, and so keeps the minimum smooth in X.

    Returns
    -------
    at : the function at the minimiser.
    curvature : in rho.
    slope : a subgradient of :math:`\sum_i\theta_i+\rho k` at the minimiser, of the size of the barrier's.
    excess : bound on how far the value at the penalty returned is above the least one.
    """
    low, high = 0.0, columns.ceiling
    at_low, at_high = -math.inf, math.inf
    rho = start if low < start < high else 0.5 * (low + high)
    rotated = Q.T @ columns.A[:, : columns.count(rho)]
    for _ in range(HALVINGS):
        count = columns.count(rho)
        if count > rotated.shape[1]:
            rotated = np.hstack([rotated, Q.T @ columns.A[:, rotated.shape[1] : count]])
        at = Spectral(d, Q, rotated[:, :count], rho, slice(0, count))
        below, above = barrier / rho, barrier / (columns.ceiling - rho)
        slope = penalty - float(at.shares.sum())
        total = slope - below + above
        curvature = at.curvature + below / rho + above / (columns.ceiling - rho)
        if total > 0:
            high, at_high = rho, total
        else:
            low, at_low = rho, total
        if abs(total) <= RELATIVE_WIDTH * penalty or high - low <= 1e-15 * high:
            break
        if math.isfinite(at_high - at_low) and abs(total) * (high - low) <= INEXACT * barrier:
            # At kinks, where variables enter, the slopes at the ends of the bracket give the curvature.
            return at, (at_high - at_low) / (high - low), below - above, abs(total) * (high - low)
        newton = rho - total / curvature
        rho = newton if low < newton < high else (low + high) / 2
    return at, curvature, slope, 0.0
