r"""Bound sets of components that use a variable beside the few of a multiplier matrix.

Let Z and y be 0 but on the variables W of a dual point. A support T with a variable beside W is bounded by
:math:`\lambda_{\max}(M-P+\operatorname{Diag}c)` on W, where every row pays for one partner beside W at least,
and by the row charges of the variables beside W: they pay :math:`|\Sigma_{ij}|w_j/w_i+y_j` for a partner. The
weights of those are about the least at which they cost too little: then rows of W pay next to nothing for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, eigenvalue_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.formula import Evaluated, MultiplierMatrix, Rows, evaluated
from relaxspca.relaxations.several.shape import everything
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.heavy_rows import AT_ONCE
from relaxspca.search.several.run import Proved

__all__ = ["Beside", "bound_beside"]

ROOM = 1e-10  # for roundings, of all that is added up


@dataclass(frozen=True, eq=False)
class Beside:
    """What sets of components explain at most that use a variable beside those kept.

    Attributes
    ----------
    upper : proved bound on these (variance).
    point : the multipliers, by the places of the variables kept.
    weights : (n,) for each cardinality.
    levels : for each cardinality what no support with a variable beside exceeds.
    """

    upper: float
    point: MultiplierMatrix
    weights: dict[int, Array]
    levels: dict[int, float]


def bound_beside(
    cov: Covariance, kept: Indices, proved: Proved, target: float, deadline: Deadline
) -> Beside | None:
    """Return a bound on sets of components that use other variables than those kept, if there is one.

    Parameters
    ----------
    cov : Covariance of n variables.
    kept : sorted variables, not all.
    proved : what is proved of their block, on separate supports of full size, nothing forced in.
    target : what the bound is wanted to be at most (variance).
    deadline : when it is over weights are not improved.
    """
    shape, block = proved.shape, cov.restrict(kept.tolist())
    best = _best_point(block, proved)
    if best is None or len(kept) == cov.n:
        return None
    point, found = best
    inner = dict(zip(shape.sizes, found.values, strict=True))
    rows = {k: how for k, how in zip(shape.sizes, found.parts, strict=True) if isinstance(how, Rows)}
    beside, weights, levels = _Beside(cov, kept, found.multipliers), dict[int, Array](), dict[int, float]()
    paid, sums = found.paid + shape.count * found.delta, list[float]()
    for k in rows:
        wanted = target - paid - sum(found.values) + inner[k]
        weights[k], levels[k] = beside.weights(k, rows[k], wanted, deadline)
        # At a node that restricts a part, its weights are those of all others, too.
        at = {s: levels[s] if s == k else beside.level(s, how, weights[k]) for s, how in rows.items()}
        most = {s: max(inner[s], at[s]) for s in rows}
        room = ROOM * (abs(paid) + sum(abs(inner[s]) + abs(at[s]) for s in shape.sizes))
        sums.append(paid + levels[k] + sum(most[s] for s in shape.sizes) - most[k] + room)
    return Beside(max(sums), point, weights, levels) if np.isfinite(sums).all() else None


def _best_point(block: Covariance, proved: Proved) -> tuple[MultiplierMatrix, Evaluated] | None:
    """Return the best dual point with rows, of all components of the block, that a search has found."""
    parts = everything(proved.shape, block.n)
    points = (one for one in proved.tree.points() if isinstance(one, MultiplierMatrix) and None not in one.rows)
    whole = [point for point in points if len(point.variables) == block.n]
    found = [(point, evaluated(block, point, proved.shape, parts)) for point in whole]
    return min(found, key=lambda one: one[1].upper, default=None)


class _Beside:
    """The entries of Sigma in the rows of the variables beside a block."""

    def __init__(self, cov: Covariance, kept: Indices, y: Array) -> None:
        self.cov, self.kept, self.y = cov, kept, y
        self.rows = np.setdiff1d(np.arange(cov.n), kept)
        self.variances = cov.diagonal[self.rows]
        self.across = np.concatenate([block[:, kept] for _, block in self._entries()])

    def _entries(self) -> Iterator[tuple[slice, Array]]:
        """Yield the moduli of rows, a few at a time, rounded upwards."""
        step = max(1, AT_ONCE // self.cov.n)
        lengths = np.sqrt(np.maximum(self.cov.diagonal, 0.0)) * (1 + 1e-9)
        error = 8 * ((self.cov.rank if self.cov.is_factored else 0) + 16) * UNIT_ROUNDOFF
        for first in range(0, len(self.rows), step):
            some = slice(first, min(first + step, len(self.rows)))
            block = np.abs(self.cov.columns(self.rows[some])).T
            yield some, block + error * lengths[self.rows[some], None] * lengths

    def _most_paid(self, k: int, w: Array) -> Array:
        """Return for each row the k - 1 partners that cost most beside the block, in units of its weight."""
        found = np.full((len(self.rows), max(k - 1, 0)), -np.inf)
        most = min(k - 1, len(self.rows) - 1)
        for some, block in self._entries() if most > 0 else ():
            costs = block[:, self.rows] * w[self.rows]
            costs[np.arange(len(costs)), np.arange(some.start, some.stop)] = -np.inf
            found[some, :most] = np.partition(costs, -most, axis=1)[:, -most:]
        return found

    def _paid(self, k: int, w: Array, own: Array, among: Array) -> Array:
        """Return what rows beside the block pay for partners, at weights of their own."""
        across = self.across * w[self.kept] / own[:, None] + self.y
        costs = np.concatenate([across, among / own[:, None]], axis=1)
        return np.asarray(_largest(costs, k - 1).sum(axis=1))

    def weights(self, k: int, rows: Rows, level: float, deadline: Deadline) -> tuple[Array, float]:
        """Return weights at which what no support exceeds is at most a level, or low, and what that is."""
        w = np.sqrt(np.maximum(self.cov.diagonal, 0.0))
        w = np.maximum(w, 1e-9 * max(float(w.max()), 1e-300))
        best, among, lowest = w, self._most_paid(k, w), np.inf
        for _ in range(6):
            w = self._fitted(k, w, among, level)
            among = self._most_paid(k, w)
            reached = self.level(k, rows, w, among)
            if reached < lowest:
                best, lowest = w, reached
            if reached <= level or deadline.is_over:
                break
            level += (reached - level) / 2  # rows of the block pay less where those beside it may cost more
        return best, lowest

    def _fitted(self, k: int, w: Array, among: Array, level: float) -> Array:
        """Return about the least weights at which no row beside the block costs more than a level."""
        low, high = (np.full(len(self.rows), size * float(w.max())) for size in (1e-9, 1e6))
        for _ in range(20):
            middle = np.sqrt(low * high)
            fits = self.variances + self._paid(k, w, middle, among) <= level
            low, high = np.where(fits, low, middle), np.where(fits, middle, high)
        found = w.copy()
        found[self.rows] = high
        return found

    def level(self, k: int, rows: Rows, w: Array, among: Array | None = None) -> float:
        """Return what no support with a variable beside the block exceeds."""
        among = self._most_paid(k, w) if among is None else among
        more = 4 * k * float(np.abs(self.y).max())  # by which terms may exceed their sum: y may be below 0
        beside = float((self.variances + self._paid(k, w, w[self.rows], among)).max())
        beside += ROOM * (abs(beside) + more)
        if k == 1:
            return beside
        outside = self.across.T * w[self.rows] / w[self.kept, None]
        inside = rows.pairs.copy()
        np.fill_diagonal(inside, -np.inf)
        partners = _largest(np.concatenate([inside, outside], axis=1), k - 1)
        charges = partners.sum(axis=1) - np.maximum(partners.min(axis=1) - outside.max(axis=1), 0.0)
        moduli = np.abs(partners).sum(axis=1) + np.abs(rows.totals.total) + more
        matrix = rows.matrix.copy()
        matrix[np.diag_indices_from(matrix)] += charges + ROOM * moduli - rows.totals.total
        top = eigenvalue_upper(matrix, rows.radius)
        return max(top + ROOM * abs(top), beside)


def _largest(values: Array, count: int) -> Array:
    """Return the largest numbers of each row."""
    return np.partition(values, -count, axis=1)[:, -count:] if count else values[:, :0]
