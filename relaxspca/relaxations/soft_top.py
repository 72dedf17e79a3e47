"""Smooth sums of the dearest prices: the row sums of a Perron point, and the price of a common support."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array

Mask = npt.NDArray[np.bool_]

__all__ = ["SoftTop", "logistic"]


class SoftTop:
    r"""The sum of the s largest entries of each row among those payable, smoothed.

    .. math:: \min_\tau\ s\tau+\sum_j\mathrm{sp}(q_j-\tau)

    Parameters
    ----------
    payable : (rows, m) which entries may be chosen.
    slots : (rows,) how many are.
    width : of the softplus sp, above 0.
    threshold : tau where it is given: all entries above it are paid, less tau, and `slots` count for nothing.
    """

    def __init__(
        self, payable: Mask, slots: npt.NDArray[Any], width: float, threshold: float | None = None
    ) -> None:
        count = payable.sum(axis=1)
        self.payable, self.width = payable, width
        self.slots = np.clip(slots, 0, count).astype(float)
        # A row with no slot, or with a slot for everybody, has no threshold to choose.
        self.is_open = (self.slots > 0) & (self.slots < count)
        self.everybody = payable * ((self.slots > 0) & ~self.is_open)[:, None]
        self.tau: Array | None = None
        self.is_given = threshold is not None
        if threshold is not None:
            self.tau = np.full(len(payable), threshold)
            self.slots, self.is_open = np.zeros(len(payable)), np.ones(len(payable), dtype=bool)

    def __call__(self, prices: Array) -> tuple[Array, Array]:
        """Return the smooth sum of each row of (rows, m) prices and the share of each entry in it."""
        fixed = (self.everybody * prices).sum(axis=1)
        if not self.is_open.any():
            return fixed, self.everybody.astype(float)
        tau = self._thresholds(prices)
        argument = (prices - tau[:, None]) / self.width
        share = np.where(self.payable, logistic(argument), 0.0)
        soft = np.where(self.payable, self.width * np.logaddexp(0.0, argument), 0.0).sum(axis=1)
        total = np.where(self.is_open, soft + self.slots * tau, fixed)
        return total, np.where(self.is_open[:, None], share, self.everybody)

    def _thresholds(self, prices: Array) -> Array:
        """Return the threshold at which the shares of a row sum to its slots (Newton, warm)."""
        if self.tau is not None and self.is_given:
            return self.tau
        if self.tau is None:
            ranked = -np.sort(-np.where(self.payable, prices, -np.inf), axis=1)
            last = np.clip(self.slots.astype(int) - 1, 0, prices.shape[1] - 1)
            tau = ranked[np.arange(len(last)), last]
            self.tau = np.where(np.isfinite(tau), tau, 0.0)
        for _ in range(25):
            share = np.where(self.payable, logistic((prices - self.tau[:, None]) / self.width), 0.0)
            excess = share.sum(axis=1) - self.slots
            if np.abs(excess[self.is_open]).max() < 1e-7:
                break
            step = excess * self.width / ((share * (1 - share)).sum(axis=1) + 1e-9)
            step = np.clip(step, -4 * self.width, 4 * self.width)
            self.tau = np.where(self.is_open, self.tau + step, self.tau)
        return self.tau


def logistic(x: Array) -> Array:
    """Return 1 / (1 + exp(-x))."""
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -50, 50))))
