"""The best penalty rho at a fixed X: a one-dimensional convex problem with secular equations."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from relaxspca.numerics.linalg import HALVINGS, Array
from relaxspca.relaxations.psi.formula import Spectral

TOLERANCE = 1e-10
INEXACT = 1e-2  # accepted distance from the minimum, as a fraction of the barrier


@dataclass(eq=False)
class Columns:
    """Columns (r, m) of a factor and their squared norms, decreasing; those active at a penalty come first."""

    A: Array
    norms: Array
    _rising: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Norms that differ in the last digits only, as all of a correlation matrix, are made one kink.
        mantissa, exponent = np.frexp(self.norms)
        self.norms = np.ldexp(np.round(mantissa * 2.0**42) / 2.0**42, exponent)
        self._rising = -self.norms

    @property
    def ceiling(self) -> float:
        """Upper limit of the penalties tried; above the largest norm no column is active."""
        return 1.1 * float(self.norms[0])

    def count(self, rho: float, *, closed: bool = False) -> int:
        """Return how many columns have a squared norm above rho (at least rho when `closed`)."""
        return int(np.searchsorted(self._rising, -rho, side="right" if closed else "left"))

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
    curvature : in rho; infinite in a kink, where a variable with :math:`\|a_i\|^2=\rho` enters.
    slope : a subgradient of :math:`\sum_i\theta_i+\rho k` at the minimiser, of the size of the barrier's.
    excess : bound on how far the value at the penalty returned is above the least one.
    """
    low, high = 0.0, columns.ceiling
    at_low, at_high = -math.inf, math.inf
    rho = start if low < start < high else 0.5 * (low + high)
    rotated = Q.T @ columns.A[:, : columns.count(rho)]
    for iteration in range(HALVINGS):
        count = columns.count(rho)
        if count > rotated.shape[1]:
            rotated = np.hstack([rotated, Q.T @ columns.A[:, rotated.shape[1] : count]])
        at = Spectral(d, Q, rotated[:, :count], rho, slice(0, count))
        below, above = barrier / rho, barrier / (columns.ceiling - rho)
        slope = penalty - float(at.shares.sum())
        total = slope - below + above
        curvature = at.curvature + below / rho + above / (columns.ceiling - rho)
        if abs(total) <= TOLERANCE * penalty:
            break
        if 0 < total <= _onset(columns, at, Q):
            return at, math.inf, below - above, 0.0
        if total > 0:
            high, at_high = rho, total
        else:
            low, at_low = rho, total
        if high - low <= 1e-15 * high:
            break
        if math.isfinite(at_high - at_low) and abs(total) * (high - low) <= INEXACT * barrier:
            # Between many kinks the slopes at the ends of the bracket give the curvature.
            return at, (at_high - at_low) / (high - low), below - above, abs(total) * (high - low)
        rho = _next_penalty(columns, rho - total / curvature, (low, high), (at_low, at_high), iteration)
    return at, curvature, slope, 0.0


def _next_penalty(
    columns: Columns,
    newton: float,
    bracket: tuple[float, float],
    slopes: tuple[float, float],
    iteration: int,
) -> float:
    """Return the only kink in the bracket (late), Newton's penalty if in the bracket, or a secant step."""
    low, high = bracket
    if iteration > 3:
        kinks = columns.norms[columns.count(high, closed=True) : columns.count(low)]
        if kinks.size and kinks[0] == kinks[-1]:
            return float(kinks[0])
    if low < newton < high:
        return newton
    at_low, at_high = slopes
    share = at_low / (at_low - at_high) if math.isfinite(at_high - at_low) else 0.5
    return low + min(max(share, 0.1), 0.9) * (high - low)


def _onset(columns: Columns, at: Spectral, Q: Array) -> float:
    r"""Return the jump of the slope at rho, from columns of squared norm exactly rho."""
    entering = slice(columns.count(at.rho), columns.count(at.rho, closed=True))
    if entering.start == entering.stop:
        return 0.0
    squares = (Q.T @ columns.A[:, entering]) ** 2
    return float((squares.sum(axis=0) / (squares / at.d[:, None]).sum(axis=0)).sum())
