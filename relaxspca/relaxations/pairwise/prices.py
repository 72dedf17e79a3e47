"""The price problem of the pairwise relaxation: heaviest sets of variables, bounded by sorting rows."""

from __future__ import annotations

import math

import numpy as np

from relaxspca.certificate import PairwisePoint
from relaxspca.numerics.linalg import SMALLEST_DENORMAL, UNIT_ROUNDOFF, Array, sum_upper
from relaxspca.problem.node import Indices, Mask

__all__ = ["RowPrices", "price_matrix"]


class RowPrices:
    r"""Bound the cost of every set of m given size that contains the variables forced in.

    A set T costs :math:`p(T)=\sum_{i\in T}\sum_{j\in T}p_{ij}`. With J forced in, F the others and s the size,

    .. math:: c_i = p_{ii} + \sum_{j\in J\setminus i} p_{ij}
                    + (\text{the } s-|J|-[i\in F] \text{ largest } p_{ij},\ j\in F\setminus i), \qquad
              p(T) \le \sum_{i\in J} c_i + (\text{the } s-|J| \text{ largest } c_i,\ i\in F).

    Parameters
    ----------
    prices : (m, m) array
        Prices in the unit of Sigma; they need not be symmetric and may be ``inf``.
    inside : (m,) bool array
        The variables forced in.

    Notes
    -----
    Everything returned is rounded upwards: it bounds the exact cost of the given floats.

    Examples
    --------
    >>> rows = RowPrices(np.array([[1.0, 4.0, 0.0], [4.0, 1.0, 2.0], [0.0, 2.0, 3.0]]), np.zeros(3, bool))
    >>> rows.bounds(2).round(9).tolist(), round(rows.heaviest(2), 9)  # the heaviest pair costs 10
    ([5.0, 5.0, 5.0], 10.0)
    """

    def __init__(self, prices: Array, inside: Mask) -> None:
        self.prices, self.inside = prices, inside
        self.forced = int(inside.sum())
        free = np.flatnonzero(~inside)
        self.free = free
        to_free = prices[:, free].copy()
        to_free[free, np.arange(free.size)] = -np.inf
        ordered = -np.sort(-to_free, axis=1)
        ordered[np.isneginf(ordered)] = 0.0  # a row's own place, sorted last and never counted
        self.ordered = ordered
        # To the inside variables and itself, then the largest free ones one by one.
        own = np.where(inside, 0.0, np.diagonal(prices))[:, None]
        start = np.hstack([own, prices[:, inside]])
        self.totals = _cumulative_upper(np.hstack([start, ordered]))[:, start.shape[1] - 1 :]

    def counts(self, size: int) -> Indices:
        """Return how many free variables each row still takes in a set of that size."""
        return np.where(self.inside, size - self.forced, size - self.forced - 1)

    def bounds(self, size: int) -> Array:
        """Return (m,) row bounds c; ``-inf`` for free rows when there is room for none."""
        counts = self.counts(size)
        rows = self.totals[np.arange(len(counts)), np.maximum(counts, 0)]
        return np.where(counts < 0, -np.inf, rows)

    def heaviest(self, size: int) -> float:
        """Return an upper bound on the cost of every set of that size; ``-inf`` if there is none."""
        room = size - self.forced
        if room < 0 or room > self.free.size:
            return -math.inf
        rows = self.bounds(size)
        chosen = np.concatenate([rows[self.inside], -np.sort(-rows[self.free])[:room]])
        return sum_upper(chosen) if np.isfinite(chosen).all() else math.inf

    def heaviest_with(self, size: int) -> Array:
        """Return, for every variable, a bound on the cost of the sets of that size that contain it."""
        counts = self.counts(size)
        if size <= self.forced:
            return np.where(self.inside, self.heaviest(size), -np.inf)
        # Row j pays for i instead of for the last variable that it counts; with none to count it leaves.
        last = self.ordered[np.arange(len(counts)), np.maximum(counts - 1, 0)]
        change = np.where(counts[:, None] > 0, _fall(self.prices[:, self.free], last[:, None]), -np.inf)
        rows = self.bounds(size)
        return self._totals(rows, change, size - self.forced - 1, rows[self.free], self.heaviest(size))

    def heaviest_without(self, size: int) -> Array:
        """Return, for every variable, a bound on the cost of the sets of that size that miss it."""
        room, f = size - self.forced, self.free.size
        if room >= f or room < 0:
            return np.full(len(self.prices), -np.inf)
        counts = np.maximum(self.counts(size), 0)
        following = self.ordered[np.arange(len(counts)), np.minimum(counts, f - 1)]
        change = _fall(following[:, None], self.prices[:, self.free])
        return self._totals(self.bounds(size), change, room, np.zeros(f), -math.inf)

    def _totals(self, rows: Array, change: Array, room: int, own: Array, inside_value: float) -> Array:
        """Add up changed rows: those inside, `own`, and the `room` largest others, a column a free variable."""
        # A row without a finite bound has none after the change: nan would be sorted out of the largest.
        with np.errstate(invalid="ignore"):
            changed = np.where(rows[:, None] == np.inf, np.inf, rows[:, None] + change)
        among_free = changed[self.free]
        np.fill_diagonal(among_free, -np.inf)
        largest = -np.partition(-among_free, room - 1, axis=0)[:room] if room else among_free[:0]
        with np.errstate(invalid="ignore"):
            total = own + changed[self.inside].sum(axis=0) + largest.sum(axis=0)
        size = np.abs(rows[np.isfinite(rows)]).sum() + np.abs(own).sum()
        # A change is a difference of prices, rounded: it may exceed every row where prices have both signs.
        size = size + np.where(np.isfinite(change), np.abs(change), 0.0).sum(axis=0)
        slack = 8 * (len(rows) + 4) * UNIT_ROUNDOFF * size + SMALLEST_DENORMAL
        result = np.full(len(rows), inside_value)
        result[self.free] = np.where(np.isnan(total), np.inf, total + slack)
        return result

    def survivors(self, size: int, budget: float, limit: int) -> list[Indices] | None:
        """List every set of that size whose cost may exceed `budget`.

        None if there are more than `limit`, or if bounds are so loose that more than 5 `limit` cases have to
        be told apart.

        Examples
        --------
        >>> rows = RowPrices(np.diag([4.0, 3.0, 1.0]), np.zeros(3, bool))
        >>> [chosen.tolist() for chosen in rows.survivors(2, 4.5, limit=9)]
        [[0, 1], [0, 2]]
        """
        found: list[Indices] = []
        stack = [(self, np.arange(len(self.prices)))]
        cases = 0
        while stack:
            rows, names = stack.pop()
            cases += 1
            if cases > 5 * limit:
                return None
            if rows.heaviest(size) <= budget:
                continue
            kept = rows.inside | (rows.heaviest_with(size) > budget)
            inside = rows.inside | (rows.heaviest_without(size) <= budget)
            if (inside & ~kept).any() or inside.sum() > size or kept.sum() < size:
                continue
            if inside.sum() == size or kept.sum() == size:
                found.append(names[inside if inside.sum() == size else kept])
                if len(found) > limit:
                    return None
                continue
            rows = RowPrices(rows.prices[np.ix_(kept, kept)], inside[kept])
            names = names[kept]
            pivot = rows.free[int(np.argmax(rows.bounds(size)[rows.free]))]
            without = np.arange(len(names)) != pivot
            with_pivot = rows.inside | ~without
            smaller = RowPrices(rows.prices[np.ix_(without, without)], rows.inside[without])
            stack += [(smaller, names[without]), (RowPrices(rows.prices, with_pivot), names)]
        return found


def price_matrix(point: PairwisePoint, kept: Indices) -> Array:
    r"""Return the prices of a dual point on some of its rows, each rounded upwards.

    .. math:: p_{ij} = \frac{V_{ij}^2}{2(\lambda_i+\lambda_j)} + S_{ij},

    the fraction being 0 where :math:`V_{ij}=0` and ``inf`` where only its denominator is 0.

    Parameters
    ----------
    point : PairwisePoint of m variables.
    kept : (p,) positions of the rows and columns wanted, 0..m-1.

    Returns
    -------
    (p, p) array in the unit of Sigma.
    """
    V, lam = point.V[np.ix_(kept, kept)], point.lam[kept]
    with np.errstate(all="ignore"):
        prices = (V / (2 * (lam[:, None] + lam))) * V
        # Sum, division and product each round once, by u relative unless they underflow.
        prices = prices * (1 + 8 * UNIT_ROUNDOFF) + 4 * SMALLEST_DENORMAL * (1 + np.abs(V))
    prices[np.isnan(prices)] = np.inf
    prices[V == 0] = 0.0
    if point.S is not None:
        prices = np.nextafter(prices + point.S[np.ix_(kept, kept)], np.inf)
    return prices


def _fall(after: Array, before: Array) -> Array:
    """Return the change from one price to a smaller one, 0 where it is not smaller or both are infinite."""
    with np.errstate(invalid="ignore"):
        change = np.minimum(after - before, 0.0)
    return np.asarray(np.where(np.isnan(change), 0.0, change))


def _cumulative_upper(values: Array) -> Array:
    """Return running sums of rows, each at least the exact sum."""
    terms = np.arange(1, values.shape[1] + 1)
    with np.errstate(invalid="ignore"):
        error = 2 * (terms + 2) * UNIT_ROUNDOFF * np.cumsum(np.abs(values), axis=1)
        totals: Array = np.cumsum(values, axis=1) + error + terms * SMALLEST_DENORMAL
    return totals
