"""The smoothed sum of the s largest entries of a row: row sums of a Perron point, common supports."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import HALVINGS, Array, Indices, Mask


class SoftTop:
    r"""The smoothed sum of the s largest payable entries of each row.

    .. math:: \min_\tau\ s\tau+\sum_j\mathrm{sp}(q_j-\tau)

    Parameters
    ----------
    payable : (rows, m) mask of the entries that may be chosen.
    slots : (rows,) the number s of entries chosen.
    width : of the softplus sp, above 0.
    labels : (m,) or (rows, m); of entries with the same label one is chosen at most. The softplus of a class
        of entries is w log(1 + sum_j exp((q_j - tau) / w)), w being the width.
    threshold : a fixed tau: all entries above it are summed, less tau each, and `slots` is ignored.
    """

    def __init__(
        self,
        payable: Mask,
        slots: npt.NDArray[Any],
        width: float,
        threshold: float | None = None,
        labels: Indices | None = None,
    ) -> None:
        self.payable, self.width = payable, width
        self.classes = None if labels is None else _Classes(np.broadcast_to(labels, payable.shape))
        count = payable.sum(axis=1) if self.classes is None else self.classes.count(payable)
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
        everybody = self.everybody
        if self.classes is not None:
            everybody = everybody & self.classes.is_largest(np.where(self.payable, charges, -np.inf))
        fixed = (everybody * charges).sum(axis=1)
        if not self.is_open.any():
            return fixed, everybody.astype(float)
        # Entries that are not payable are infinitely far below every threshold.
        share, soft = self._shares(np.where(self.payable, charges, -np.inf))
        total = np.where(self.is_open, self.width * soft + self.slots * self.tau, fixed)
        return total, np.where(self.is_open[:, None], share, everybody)

    def _shares(self, charges: Array) -> tuple[Array, Array]:
        """Return the shares of the entries, which sum to s in each row, and the sum of softplus of each row.

        Warm-started Newton steps find tau.
        """
        if self.tau is None:
            self.tau = self._middle(charges)
        most = 0 if self.is_given else HALVINGS
        for at in range(most + 1):
            argument = (charges - self.tau[:, None]) / self.width
            share, slope = _shares(argument) if self.classes is None else self.classes.shares(argument)
            excess = share.sum(axis=1) - self.slots
            if at == most or np.abs(excess[self.is_open]).max() < 1e-7:
                break
            is_far = self.is_open & (np.abs(excess) > 0.5)
            if at == 0 and is_far.any():  # of small widths steps from there would not arrive
                self.tau = np.where(is_far, self._middle(charges), self.tau)
                continue
            step = excess * self.width / (slope + 1e-9)
            step = np.minimum(np.maximum(step, -4 * self.width), 4 * self.width)
            self.tau = np.where(self.is_open, self.tau + step, self.tau)
        return share, _softplus(argument) if self.classes is None else self.classes.softplus(argument)

    def _middle(self, charges: Array) -> Array:
        """Return the middle between the least entry that is chosen and the next one, of open rows."""
        best = self.classes is None or self.classes.is_largest(charges)
        ranked = -np.sort(-np.where(best, charges, -np.inf), axis=1)
        each, slots = np.arange(len(ranked)), np.where(self.is_open, self.slots, 1).astype(int)
        middle = (ranked[each, slots - 1] + ranked[each, slots % ranked.shape[1]]) / 2
        return np.where(self.is_open, middle, 0.0)


def _shares(argument: Array) -> tuple[Array, Array]:
    """Return p, the logistic function of each entry, and the sum of p (1 - p) of each row."""
    share = logistic(argument)
    return share, (share * (1 - share)).sum(axis=1)


def _softplus(argument: Array) -> Array:
    """Return the sum of softplus of each row, which the steps to tau do not need."""
    return np.asarray((np.maximum(argument, 0.0) + np.log1p(np.exp(-np.abs(argument)))).sum(axis=1))


class _Classes:
    """Entries of each row in classes, of which one is chosen at most."""

    def __init__(self, labels: Indices) -> None:
        rows, m = labels.shape
        order = np.argsort(labels, axis=1, kind="stable")
        ranked = np.take_along_axis(labels, order, axis=1)
        is_first = np.ones((rows, m), dtype=bool)
        is_first[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
        self.order = order + m * np.arange(rows)[:, None]  # positions in the flat array
        self.starts = np.flatnonzero(is_first)
        self.sizes = np.diff(np.append(self.starts, rows * m))
        self.row = self.starts // m
        self.rows = rows

    def count(self, payable: Mask) -> Indices:
        """Return how many classes of each row have a payable entry."""
        return self._per_row(np.logical_or.reduceat(payable.ravel()[self.order].ravel(), self.starts)).astype(
            int
        )

    def is_largest(self, charges: Array) -> Mask:
        """Say which entries are the largest of their class; ties all are."""
        ranked = charges.ravel()[self.order].ravel()
        return self._placed(ranked == np.repeat(np.maximum.reduceat(ranked, self.starts), self.sizes))

    def shares(self, argument: Array) -> tuple[Array, Array]:
        """Return the same as `_shares` where of a class at most one entry is chosen."""
        _, parts, none, whole = self._compared(argument)
        chosen = 1 - none / whole
        return self._placed(parts / np.repeat(whole, self.sizes)), self._per_row(chosen * (1 - chosen))

    def softplus(self, argument: Array) -> Array:
        """Return the same as `_softplus` where of a class at most one entry is chosen."""
        top, _, _, whole = self._compared(argument)
        return self._per_row(top + np.log(whole))

    def _compared(self, argument: Array) -> tuple[Array, Array, Array, Array]:
        """Return the largest entry of each class or 0, exp(entry - it), exp(-it), and the sum of these."""
        ranked = argument.ravel()[self.order].ravel()
        top = np.maximum(np.maximum.reduceat(ranked, self.starts), 0.0)
        parts, none = np.exp(ranked - np.repeat(top, self.sizes)), np.exp(-top)
        return top, parts, none, none + np.add.reduceat(parts, self.starts)

    def _per_row(self, values: npt.NDArray[Any]) -> Array:
        return np.bincount(self.row, weights=values, minlength=self.rows).astype(float)

    def _placed(self, ranked: npt.NDArray[Any]) -> npt.NDArray[Any]:
        placed = np.empty_like(ranked)
        placed[self.order.ravel()] = ranked
        return placed.reshape(self.order.shape)


def logistic(x: Array) -> Array:
    """Return 1 / (1 + exp(-x))."""
    with np.errstate(over="ignore"):  # 1 / inf is 0, as it should be
        return np.asarray(1 / (1 + np.exp(-x)))
