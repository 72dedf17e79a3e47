"""The pairwise dual, smoothed: value and gradient in the variables in which L-BFGS does well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Mask
from relaxspca.relaxations.soft_eigenvalue import soft_largest

__all__ = ["DualVariables", "SmoothedDual"]

# Units of the antisymmetric shift and of the thresholds against those of the prices' square roots: measured.
SHIFT_UNIT = 0.5
THRESHOLD_UNIT = 0.1
# Width of the smoothed sorts against that of the smoothed eigenvalue: they add up m^2 roundings of a corner.
SORT_WIDTH = 0.05


@dataclass(frozen=True, eq=False)
class DualVariables:
    r"""A dual point in the solver's unit, with the thresholds of its two sorts.

    Attributes
    ----------
    V, lam, S : (m, m), (m,), (m, m)
        As in `PairwisePoint`, lam positive.
    row_thresholds : (m,)
        About the last price that a row counts.
    threshold : float
        About the last row that is counted.
    """

    V: Array
    lam: Array
    S: Array
    row_thresholds: Array
    threshold: float


class SmoothedDual:
    r"""Smooth upper approximation of the pairwise dual with given forced variables.

    .. math::

        f = \mu\log\sum_i e^{\lambda_i(M)/\mu} + s\,\tau + \sum_{i\in J}c_i + \sum_{i\in F}[c_i-\tau]_\delta,
        \qquad M = \Sigma - V + \mathrm{Diag}\,\lambda,

        c_i = p_{ii} + \sum_{j\in J\setminus i}p_{ij} + s_i t_i + \sum_{j\in F\setminus i}[p_{ij}-t_i]_\delta,
        \qquad p = B\circ B + S,\quad V_{ij} = B_{ij}\sqrt{2(\lambda_i+\lambda_j)},

    where :math:`[x]_\delta=\delta\log(1+e^{x/\delta})`, s is the room for free variables in a set and
    :math:`s_i` that in row i. The variables are one (m, m) matrix, whose symmetric part is B and whose
    antisymmetric part is S in its unit, then log lambda, t and tau.

    Parameters
    ----------
    Sigma : (m, m) array, scaled so that the optimum is about k.
    k : int
        Cardinality, more than the number of variables forced in and less than m.
    inside : (m,) bool array
        Variables forced in.
    width : float
        mu.
    """

    def __init__(self, Sigma: Array, k: int, inside: Mask, width: float) -> None:
        self.Sigma, self.width, self.sort_width = Sigma, width, width * SORT_WIDTH
        self.m, self.inside, self.free = len(Sigma), inside, ~inside
        self.room = k - int(inside.sum())
        self.counts = np.where(inside, self.room, self.room - 1).astype(float)
        self.evaluations = 0

    def pack(self, dual: DualVariables) -> Array:
        """Return the point as the solver's vector."""
        B = dual.V / np.sqrt(2 * (dual.lam[:, None] + dual.lam))
        tail = np.append(dual.row_thresholds, dual.threshold) / THRESHOLD_UNIT
        return np.concatenate([(B + dual.S / SHIFT_UNIT).ravel(), np.log(dual.lam), tail])

    def unpack(self, y: Array) -> DualVariables:
        """Return the solver's vector as a point."""
        B, S, lam, t, tau = self._parts(y)
        return DualVariables(B * np.sqrt(2 * (lam[:, None] + lam)), lam, S, t, tau)

    def _parts(self, y: Array) -> tuple[Array, Array, Array, Array, float]:
        m = self.m
        Z = y[: m * m].reshape(m, m)
        tail = y[m * m + m :] * THRESHOLD_UNIT
        lam = np.exp(np.clip(y[m * m : m * m + m], -60, 60))
        return (Z + Z.T) / 2, (Z - Z.T) * (SHIFT_UNIT / 2), lam, tail[:m], float(tail[m])

    def __call__(self, y: Array) -> tuple[float, Array]:
        """Return value and gradient."""
        self.evaluations += 1
        B, S, lam, t, tau = self._parts(y)
        root = np.sqrt(2 * (lam[:, None] + lam))
        value, X = soft_largest(self.Sigma - B * root + np.diag(lam), self.width)
        cost, P, slope_t, slope_tau = self._cost(B * B + S, t, tau)
        slope_B = B * (P + P.T) - X * root
        slope_S = (P - P.T) * (SHIFT_UNIT / 2)
        slope_log = lam * (np.diagonal(X) - 2 * (X * B / root).sum(axis=1))
        tail = np.append(slope_t, slope_tau) * THRESHOLD_UNIT
        return value + cost, np.concatenate([(slope_B + slope_S).ravel(), slope_log, tail])

    def _cost(self, prices: Array, t: Array, tau: float) -> tuple[float, Array, Array, float]:
        """Return the smoothed row bound of the prices with its derivatives in prices, t and tau."""
        counted, P = _soft_plus(prices - t[:, None], self.sort_width)
        if self.inside.any():
            counted[:, self.inside], P[:, self.inside] = prices[:, self.inside], 1.0
        if self.room == 1:
            counted[np.ix_(self.free, self.free)] = P[np.ix_(self.free, self.free)] = 0.0
        np.fill_diagonal(counted, np.diagonal(prices))
        np.fill_diagonal(P, 1.0)
        rows = self.counts * t + counted.sum(axis=1)
        excess, weight = _soft_plus(rows - tau, self.sort_width)
        excess[self.inside], weight[self.inside] = rows[self.inside], 1.0
        taken = P[:, self.free].sum(axis=1) - self.free
        slope_t = weight * (self.counts - taken)
        slope_tau = self.room - weight[self.free].sum()
        return self.room * tau + excess.sum(), weight[:, None] * P, slope_t, slope_tau


def _soft_plus(x: Array, width: float) -> tuple[Array, Array]:
    """Return width * log(1 + exp(x / width)) and its derivative."""
    small = np.exp(-np.abs(x) / width)
    return np.maximum(x, 0) + width * np.log1p(small), np.where(x >= 0, 1.0, small) / (1 + small)
