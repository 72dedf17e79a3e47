r"""Bound sets of components that use a variable beside the few of a multiplier matrix.

Let Z and y be 0 but on the variables W of a dual point. A support T with a variable beside W is bounded by
:math:`\lambda_{\max}(M-P+\operatorname{Diag}c)` on W, where every row pays for one partner beside W at least,
and by the row charges of the variables beside W: they pay :math:`|\Sigma_{ij}|w_j/w_i+y_j` for a partner. The
weights of those are about the least at which they cost too little: then rows of W pay next to nothing for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.numerics.linalg import AT_ONCE, UNIT_ROUNDOFF, Array, Indices, eigenvalue_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.relaxations.perron.minimise import start_from_weights
from relaxspca.relaxations.perron.weights import floored
from relaxspca.relaxations.several.formula import MultiplierMatrix, Rows, evaluated
from relaxspca.relaxations.several.minimise import minimise
from relaxspca.relaxations.several.shape import Shape, everything
from relaxspca.relaxations.several.smooth import Factors
from relaxspca.results.status import closing_width
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.several.incumbent import first_set


@dataclass(frozen=True, eq=False)
class Beside:
    """A bound on sets of components that use a variable other than those kept.

    Attributes
    ----------
    upper : proved bound on these (variance).
    variables : what was kept.
    point : the multipliers, by the places of the variables kept.
    weights : (n,) for each cardinality.
    levels : for each cardinality a bound on the supports with a variable that is not kept.
    costly : the variables not kept that are dearest beside the partners that rows pay for.
    """

    upper: float
    variables: Indices
    point: MultiplierMatrix
    weights: dict[int, Array]
    levels: dict[int, float]
    costly: Indices


def widened(
    cov: Covariance, shape: Shape, kept: Indices, gap: float, deadline: Deadline, *, most: int
) -> tuple[Indices, tuple[CandidateSet, Factors], Beside | None]:
    """Add variables to those kept, the costliest under their multipliers first, until no others matter.

    They are to be no more than `most`: memory. A third of the deadline, that of the whole search, is left for
    what follows. Returned are the sorted variables, components and factors of these to begin a search with, and
    what others explain at most: None where there are none, or nothing bounds it.
    """
    until, best, block = deadline.part(1.5), None, cov.restrict(kept.tolist())
    table, factors = first_set(block, shape, deadline.part(8)), None
    while True:
        point, _, factors = minimise(
            block,
            shape,
            lower=table.lower,
            deadline=until,
            stages=2 if factors else 5,  # others are to be looked at before it is the best
            may_list=False,
            begin=factors,
        )
        if len(kept) == cov.n:
            return kept, (table, factors), None
        target = table.lower + closing_width(table.lower, gap=gap)
        found = _of_point(cov, kept, shape, point, target, until)
        if np.isfinite(found.upper) and (best is None or found.upper < best.upper):
            best = found
        if until.is_over or len(kept) >= most or (best is not None and best.upper <= target):
            return kept, (table, factors), best
        before, kept = kept, np.union1d(kept, found.costly[: most - len(kept)])
        block, old = cov.restrict(kept.tolist()), np.searchsorted(kept, before)
        supports = [np.searchsorted(kept, before[T]) for T in table.supports]
        table = CandidateSet.on(block, supports) or table
        factors = _extended(factors, block.matrix, old, [found.weights[k][kept] for k in shape.sizes])


def _extended(factors: Factors, Sigma: Array, old: Indices, weights: Sequence[Array]) -> Factors:
    """Return factors for more variables: Z and y are 0 for the others, whose rows are those of Sigma."""
    L, y, rows = np.zeros((len(Sigma), factors.L.shape[1])), np.zeros(len(Sigma)), list[Array]()
    L[old], y[old] = factors.L, factors.multipliers
    for B, w in zip(factors.rows, weights, strict=True):
        assert B is not None  # supports are not listed
        rows.append(start_from_weights(Sigma, w))
        rows[-1][np.ix_(old, old)] = B
    return Factors(L, y, tuple(rows))


def _of_point(
    cov: Covariance, kept: Indices, shape: Shape, point: MultiplierMatrix, target: float, deadline: Deadline
) -> Beside:
    """Bound sets of components that use other variables than those kept, which are those of the point."""
    found = evaluated(cov.restrict(kept.tolist()), point, shape, everything(shape, len(kept)))
    inner = dict(zip(shape.sizes, found.values, strict=True))
    rows = {k: how for k, how in zip(shape.sizes, found.parts, strict=True) if isinstance(how, Rows)}
    beside, weights, levels = _Beside(cov, kept, found.multipliers), dict[int, Array](), dict[int, float]()
    paid, sums = found.paid + shape.count * found.delta, list[float]()
    excess = np.full(len(beside.rows), -np.inf)
    for k in rows:
        wanted = target - paid - sum(found.values) + inner[k]
        weights[k], levels[k], dearer = beside.weights(k, rows[k], wanted, deadline)
        excess = np.maximum(excess, dearer)
        # At a node that restricts a part, its weights are those of all others, too.
        at = {s: levels[s] if s == k else beside.level(s, how, weights[k]) for s, how in rows.items()}
        most = {s: max(inner[s], at[s]) for s in rows}
        room = RELATIVE_WIDTH * (abs(paid) + sum(abs(inner[s]) + abs(at[s]) for s in shape.sizes))
        sums.append(paid + levels[k] + sum(most[s] for s in shape.sizes) - most[k] + room)
    count = max(2 * sum(shape.sizes), np.count_nonzero(excess > 0))
    costly = beside.rows[np.argsort(-excess, kind="stable")[:count]]
    return Beside(max(sums), kept, point, weights, levels, costly)


class _Beside:
    """The entries of Sigma in the rows of the variables outside a block."""

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

    def _partners(self, count: int, w: Array) -> tuple[Indices, Array]:
        """Return for each row its costliest partners outside the block, and the moduli of their entries."""
        count = min(count, len(self.rows) - 1)
        places, entries = np.zeros((len(self.rows), count), dtype=np.int64), np.zeros((len(self.rows), count))
        for some, block in self._entries() if count > 0 else ():
            costs = block[:, self.rows] * w[self.rows]
            costs[np.arange(len(costs)), np.arange(some.start, some.stop)] = -np.inf
            places[some] = np.argpartition(costs, -count, axis=1)[:, -count:]
            entries[some] = np.take_along_axis(block, self.rows[places[some]], axis=1)
        return places, entries

    def _most_paid(self, w: Array, partners: tuple[Indices, Array]) -> Array:
        """Return the costs of the rows for some partners outside the block, not yet divided by weights."""
        return np.asarray(partners[1] * w[self.rows][partners[0]])

    def _paid(self, k: int, w: Array, own: Array, among: Array) -> Array:
        """Return the total costs of the rows outside the block, at their own weights."""
        across = self.across * w[self.kept] / own[:, None] + self.y
        costs = np.concatenate([across, among / own[:, None]], axis=1)
        return np.asarray(_largest(costs, k - 1).sum(axis=1))

    def weights(self, k: int, rows: Rows, level: float, deadline: Deadline) -> tuple[Array, float, Array]:
        """Return weights at which the bound on supports is at most a level, or low; that; and `excess`."""
        w = floored(np.sqrt(np.maximum(self.cov.diagonal, 0.0)))
        some, best, lowest = self._partners(k * k, w), w, np.inf  # more than a row pays for: weights change
        w = self._fitted(k, w, self._most_paid(w, some), level)
        excess = self.excess(k, rows, w)
        for _ in range(6):
            reached = self.level(k, rows, w, self._most_paid(w, some))  # or a little more
            if reached < lowest:
                best, lowest = w, reached
            if reached <= level or deadline.is_over:
                break
            level += (reached - level) / 2  # rows of the block pay less where those outside it may cost more
            w = self._fitted(k, w, self._most_paid(w, some), level)
        return best, self.level(k, rows, best), excess

    def _fitted(self, k: int, w: Array, among: Array, level: float) -> Array:
        """Return about the least weights at which no row outside the block costs more than a level."""
        low, high = (np.full(len(self.rows), size * float(w.max())) for size in (1e-9, 1e6))
        for _ in range(20):
            middle = np.sqrt(low * high)
            fits = self.variances + self._paid(k, w, middle, among) <= level
            low, high = np.where(fits, low, middle), np.where(fits, middle, high)
        found = w.copy()
        found[self.rows] = high
        return found

    def outside(self, w: Array) -> Array:
        """Return the costs of the rows of the block for each variable outside it."""
        return np.asarray(self.across.T * w[self.rows] / w[self.kept, None])

    def excess(self, k: int, rows: Rows, w: Array) -> Array:
        """Return by how much each variable outside the block is dearer than partners that rows pay for."""
        pairs = rows.pairs.copy()
        np.fill_diagonal(pairs, -np.inf)
        return np.asarray((self.outside(w) - _largest(pairs, max(k - 1, 1)).min(axis=1)[:, None]).max(axis=0))

    def level(self, k: int, rows: Rows, w: Array, among: Array | None = None) -> float:
        """Return a bound on the supports with a variable outside the block."""
        among = self._most_paid(w, self._partners(k - 1, w)) if among is None else among
        more = 4 * k * float(np.abs(self.y).max())  # by which terms may exceed their sum: y may be below 0
        beside = float((self.variances + self._paid(k, w, w[self.rows], among)).max())
        beside += RELATIVE_WIDTH * (abs(beside) + more)
        if k == 1:
            return beside
        outside = self.outside(w)
        inside = rows.pairs.copy()
        np.fill_diagonal(inside, -np.inf)
        partners = _largest(np.concatenate([inside, outside], axis=1), k - 1)
        charges = partners.sum(axis=1) - np.maximum(partners.min(axis=1) - outside.max(axis=1), 0.0)
        moduli = np.abs(partners).sum(axis=1) + np.abs(rows.totals.total) + more
        matrix = rows.matrix.copy()
        matrix[np.diag_indices_from(matrix)] += charges + RELATIVE_WIDTH * moduli - rows.totals.total
        top = eigenvalue_upper(matrix, rows.radius)
        return max(top + RELATIVE_WIDTH * abs(top), beside)


def _largest(values: Array, count: int) -> Array:
    """Return the largest numbers of each row."""
    return np.partition(values, -count, axis=1)[:, -count:] if count else values[:, :0]
