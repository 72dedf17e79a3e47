"""The best price rho at a fixed X: a one-dimensional convex problem, solved through secular equations."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from relaxspca.linalg import Array
from relaxspca.relaxations.psi import Spectral

__all__ = ["Columns", "best_price"]

TOLERANCE = 1e-10
MAX_ITERATIONS = 60


@dataclass(eq=False)
class Columns:
    """Columns of a factor in decreasing norm, so that those active at a price are a prefix.

    Attributes
    ----------
    A : (r, m) sorted columns.
    norms : (m,) their squared norms, decreasing.
    floor : float
        Least price admitted.
    """

    A: Array
    norms: Array
    floor: float = 0.0
    _rising: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._rising = -self.norms

    def count(self, rho: float, *, closed: bool = False) -> int:
        """Return how many columns have a squared norm above rho (at least rho when `closed`)."""
        return int(np.searchsorted(self._rising, -rho, side="right" if closed else "left"))

    def spectral(self, d: Array, Q: Array, rho: float) -> Spectral:
        """Return the function at X = Q Diag(d) Q' and rho."""
        active = slice(0, self.count(rho))
        return Spectral(d, Q, Q.T @ self.A[:, active], rho, active)


def best_price(columns: Columns, d: Array, Q: Array, price: int, start: float) -> tuple[Spectral, bool]:
    r"""Minimise :math:`\sum_i\theta_i(X;\rho)+\rho\,k` over :math:`\rho\ge` the floor.

    Parameters
    ----------
    columns : Columns
    d, Q : eigenvalues and eigenvectors of X.
    price : int
        k, the coefficient of rho, at least 1.
    start : float
        First price tried.

    Returns
    -------
    at : Spectral
        The function at the minimiser.
    smooth : bool
        Whether the minimiser is stationary; it may also sit at the floor, or in a kink, where
        a variable with :math:`\|a_i\|^2=\rho` enters.
    """
    low, high = -math.inf, float(columns.norms[0])
    rho = start if columns.floor < start < high else 0.5 * (columns.floor + high)
    rotated = Q.T @ columns.A[:, : columns.count(rho)]
    for iteration in range(MAX_ITERATIONS):
        count = columns.count(rho)
        if count > rotated.shape[1]:
            rotated = np.hstack([rotated, Q.T @ columns.A[:, rotated.shape[1] : count]])
        at = Spectral(d, Q, rotated[:, :count], rho, slice(0, count))
        slope = price - float(at.shares.sum())
        if abs(slope) <= TOLERANCE * price:
            return at, at.curvature > 0
        if slope > 0 and (rho <= columns.floor or slope <= _onset(columns, at, Q)):
            return at, False
        low, high = (low, rho) if slope > 0 else (rho, high)
        if high - low <= 1e-14 * high:
            return at, False
        rho = _next_price(columns, at, slope, (low, high), iteration)
    return at, False


def _next_price(
    columns: Columns, at: Spectral, slope: float, bracket: tuple[float, float], iteration: int
) -> float:
    """Return Newton's price when it stays inside the bracket, else the floor, the only kink or a bisection."""
    low, high = bracket
    if iteration > 3 and low > columns.floor:
        kinks = columns.norms[columns.count(high, closed=True) : columns.count(low)]
        if kinks.size and kinks[0] == kinks[-1]:
            return float(kinks[0])
    rho = at.rho - slope / at.curvature if at.curvature > 0 else math.copysign(math.inf, -slope)
    if max(low, columns.floor) < rho < high:
        return rho
    return columns.floor if slope > 0 and math.isinf(low) else 0.5 * (low + high)


def _onset(columns: Columns, at: Spectral, Q: Array) -> float:
    r"""Return the drop of the slope just left of rho: variables with squared norm rho exactly."""
    entering = slice(columns.count(at.rho), columns.count(at.rho, closed=True))
    if entering.start == entering.stop:
        return 0.0
    squares = (Q.T @ columns.A[:, entering]) ** 2
    return float((squares.sum(axis=0) / (squares / at.d[:, None]).sum(axis=0)).sum())
