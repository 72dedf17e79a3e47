"""The smoothed sum of the s largest entries of a row: row sums of a Perron point, common supports."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array

Mask = npt.NDArray[np.bool_]

__all__ = ["SoftTop", "logistic"]

NEWTON_STEPS = 25


class SoftTop:
    r"""The smoothed sum of the s largest payable entries of each row.

    .. math:: \min_\tau\ s\tau+\sum_j\mathrm{sp}(q_j-\tau)

    Parameters
    ----------
    payable : (rows, m) mask of the entries that may be chosen.
    slots : (rows,) the number s of entries chosen.
    width : of the softplus sp, above 0.
    threshold : a fixed tau: all entries above it are summed, less tau each, and `slots` is ignored.
    """

    def __init__(
        self, payable: Mask, slots: npt.NDArray[Any], width: float, threshold: float | None = None
    ) -> None:
        count = payable.sum(axis=1)
        self.payable, self.width = payable, width
        self.slots = np.clip(slots, 0, count).astype(float)
        # A row with s = 0, or with s at least the number of payable entries, has no threshold.
        self.is_open = (self.slots > 0) & (self.slots < count)
        self.everybody = payable * ((self.slots > 0) & ~self.is_open)[:, None]
        self.tau: Array | None = None
        self.is_given = threshold is not None
        if threshold is not None:
            self.tau = np.full(len(payable), threshold)
            self.slots, self.is_open = np.zeros(len(payable)), np.ones(len(payable), dtype=bool)

    def __call__(self, charges: Array) -> tuple[Array, Array]:
        """Return the smooth sum of each row of (rows, m) charges and the share of each entry in it."""
        fixed = (self.everybody * charges).sum(axis=1)
        if not self.is_open.any():
            return fixed, self.everybody.astype(float)
        # Entries that are not payable are infinitely far below every threshold.
        share, argument = self._shares(np.where(self.payable, charges, -np.inf))
        soft = (np.maximum(argument, 0.0) + np.log1p(np.exp(-np.abs(argument)))).sum(axis=1)
        total = np.where(self.is_open, self.width * soft + self.slots * self.tau, fixed)
        return total, np.where(self.is_open[:, None], share, self.everybody)

    def _shares(self, charges: Array) -> tuple[Array, Array]:
        """Return the shares of the entries, which sum to s in each row; warm-started Newton steps find tau."""
        if self.tau is None:
            ranked = -np.sort(-charges, axis=1)
            last = np.maximum(self.slots.astype(int) - 1, 0)
            tau = ranked[np.arange(len(last)), last]
            self.tau = np.where(np.isfinite(tau), tau, 0.0)
        most = 0 if self.is_given else NEWTON_STEPS
        for at in range(most + 1):
            argument = (charges - self.tau[:, None]) / self.width
            share = logistic(argument)
            excess = share.sum(axis=1) - self.slots
            if at == most or np.abs(excess[self.is_open]).max() < 1e-7:
                break
            step = excess * self.width / ((share * (1 - share)).sum(axis=1) + 1e-9)
            step = np.minimum(np.maximum(step, -4 * self.width), 4 * self.width)
            self.tau = np.where(self.is_open, self.tau + step, self.tau)
        return share, argument


def logistic(x: Array) -> Array:
    """Return 1 / (1 + exp(-x))."""
    with np.errstate(over="ignore"):  # 1 / inf is 0, as it should be
        return np.asarray(1 / (1 + np.exp(-x)))
