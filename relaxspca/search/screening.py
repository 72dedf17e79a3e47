"""Bound a node by row sums or by one Perron point, and by these leave variables out or force them in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import (
    AT_ONCE,
    MANY,
    UNIT_ROUNDOFF,
    Array,
    Indices,
    eigenvalue_upper,
    is_proved_below,
    leading_eigenpair,
    norm_upper,
    round_up,
)
from relaxspca.problem.size import RowTotals
from relaxspca.relaxations.perron.formula import pairs_of
from relaxspca.relaxations.perron.parts import connected_parts
from relaxspca.relaxations.perron.weights import balance, forced_bounds
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.node import Workspace
from relaxspca.search.proof_tree import Proof

# A point of many variables takes much memory: it is kept only if it fixes at least this share of them.
WORTH_A_POINT = 0.02


def fix_by_rows(work: Workspace) -> tuple[Array, Array]:
    """Fix variables by row sums until none is fixed; return the bounds with each variable in and out."""
    while True:
        found = balance(
            work.Sigma, work.is_inside, work.size, weights=work.weights, iterations=8, rounding=work.rounding
        )
        work.weights = found.weights
        with_i, without_i = forced_bounds(work.Sigma, work.is_inside, work.size, found, rounding=work.rounding)
        point = RowsPoint(variables=work.variables, weights=found.weights)
        if work.improve(Proof("rowsum", point, found.bound)):
            return with_i, without_i
        if not work.fix(with_i, without_i, "rowsum", point) or work.is_closed:
            return with_i, without_i


def screen(
    work: Workspace, point: RowsPoint, aim: float, deadline: Deadline
) -> tuple[float, tuple[Array, Array]]:
    """Bound a node by a Perron point and fix variables by it.

    Returned are the bound of the point, and estimates of it with each variable in and out.
    """
    m, pairs = len(work.variables), pairs_of(point, work.Sigma)
    matrix = _PointMatrix.of(work, *pairs, work.size.row_charges(pairs[1], work.is_inside))
    work.note_support(matrix.value, matrix.u)
    upper = matrix.upper()
    if work.improve(Proof("perron", point, upper)):
        return upper, (np.full(m, upper), np.full(m, upper))
    with_i, without_i = matrix.estimates()
    # The estimates are lower bounds: a variable whose estimate exceeds the target need not be tried.
    # The aim may be above the target, where all supports above a level are wanted.
    levels = [level for level in (aim, work.target) if level <= work.target]
    proved_with, proved_without = np.full(m, np.inf), np.full(m, np.inf)
    promising = np.flatnonzero(~work.is_inside & (with_i <= work.target))
    groups = [promising[np.argsort(with_i[promising], kind="stable")]] if len(promising) else []
    while groups and not deadline.is_over:
        group = groups.pop()
        bound = matrix.least_with(group, levels)
        if bound < np.inf or len(group) == 1:
            proved_with[group] = bound
        else:
            groups += [group[len(group) // 2 :], group[: len(group) // 2]]
    for i in np.flatnonzero(~work.is_inside & (proved_with > work.target) & (without_i <= work.target)):
        if deadline.is_over:
            break
        proved_without[i] = matrix.least_without(int(i), levels)
    count = np.count_nonzero(np.minimum(proved_with, proved_without) <= work.target)
    if m <= MANY or count >= WORTH_A_POINT * m:
        work.fix(proved_with, proved_without, "perron", point)
    return upper, (with_i, without_i)


@dataclass(frozen=True, eq=False)
class _PointMatrix:
    """Sigma - P + Diag c in its connected parts; its largest eigenvalue is the largest over the parts.

    Parts of one variable are kept as numbers: there are many where few variables are active.
    """

    blocks: list[tuple[Indices, Array]]
    single: Indices
    diagonal: Array
    rounding: float
    N: Array
    charges: RowTotals
    value: float
    u: Array

    @classmethod
    def of(cls, work: Workspace, P: Array, N: Array, charges: RowTotals) -> _PointMatrix:
        c = work.size.proved_totals(charges)
        rest = work.Sigma - P
        diagonal = np.diagonal(rest) + c
        rest[np.diag_indices_from(rest)] = diagonal
        rounding = work.rounding + 4 * UNIT_ROUNDOFF * (
            norm_upper(work.Sigma) + norm_upper(P) + float(np.abs(c).max()) + norm_upper(rest)
        )
        parts = connected_parts(rest)
        blocks = [(part, rest[np.ix_(part, part)]) for part in parts if len(part) > 1]
        single = np.array([part[0] for part in parts if len(part) == 1], dtype=np.int64)
        value, u = -np.inf, np.zeros(len(c))
        if len(single):
            largest = single[np.argmax(diagonal[single])]
            value, u[largest] = float(diagonal[largest]), 1.0
        for part, block in blocks:
            top, vector = leading_eigenpair(block)
            if top > value:
                value, u = top, np.zeros(len(c))
                u[part] = vector
        return cls(blocks, single, diagonal, rounding, N, charges, value, u)

    def upper(self) -> float:
        """Return a proved bound on the largest eigenvalue."""
        own = (round_up(float(v) + self.rounding) for v in self.diagonal[self.single])
        return max([*own, *(eigenvalue_upper(block, self.rounding) for _, block in self.blocks)])

    def estimates(self) -> tuple[Array, Array]:
        """Return first-order lower estimates of the bound with each variable forced in and with it left out."""
        with_i = without_i = np.full(len(self.u), -np.inf)
        top = next((pair for pair in self.blocks if self.u[pair[0]].any()), None)
        if top is not None:
            part, block = top
            u = self.u[part]
            with_i = self.value - self._loss(part).T @ u**2
            without_i = quotients_without(block, self._gain(part), u, part)
        single_with, single_without = self._singles()
        return np.maximum(with_i, single_with), np.maximum(without_i, single_without)

    def _singles(self) -> tuple[Array, Array]:
        """Return the largest value of a part of one variable, with each variable forced in and left out."""
        with_i, without_i = np.full(len(self.u), -np.inf), np.full(len(self.u), -np.inf)
        for rows in self._row_blocks(self.single):
            values = self.diagonal[rows][:, None]
            with_i = np.maximum(with_i, (values - self._loss(rows)).max(axis=0))
            left = values - self._gain(rows)
            left[np.arange(len(rows)), rows] = -np.inf
            without_i = np.maximum(without_i, left.max(axis=0))
        return with_i, without_i

    def least_with(self, group: Indices, levels: list[float]) -> float:
        """Return the first level proved with any one variable of a group forced in; infinity if none is."""
        largest = -np.inf
        for rows in self._row_blocks(self.single):
            reached = self.diagonal[rows][:, None] - self._loss(rows, group)
            largest = max(largest, float(reached.max()))
        lowered = [(block, self._loss(part, group).min(axis=1)) for part, block in self.blocks]
        return self._first_level(largest, lowered, levels)

    def least_without(self, i: int, levels: list[float]) -> float:
        """Return the first level proved with variable i left out; infinity if none is."""
        largest, column = -np.inf, np.array([i])
        rest = self.single[self.single != i]
        if len(rest):
            largest = float((self.diagonal[rest] - self._gain(rest, column)[:, 0]).max())
        lowered = []
        for part, block in self.blocks:
            kept = part != i
            lowered.append((block[np.ix_(kept, kept)], self._gain(part[kept], column)[:, 0]))
        return self._first_level(largest, lowered, levels)

    def _first_level(self, largest: float, lowered: list[tuple[Array, Array]], levels: list[float]) -> float:
        blocks = []
        for block, by in lowered:
            block = block.copy()
            block[np.diag_indices_from(block)] -= by
            blocks.append(block)
        for level in levels:
            if round_up(largest + self.rounding) <= level and all(
                is_proved_below(block, level, self.rounding) for block in blocks
            ):
                return level
        return np.inf

    def _row_blocks(self, rows: Indices) -> Iterator[Indices]:
        step = max(1, AT_ONCE // len(self.u))
        for start in range(0, len(rows), step):
            yield rows[start : start + step]

    def _loss(self, rows: Indices, columns: Indices | None = None) -> Array:
        """Return the matrix of decreases of row charge j when variable i is forced in, entry (j, i)."""
        return self._lowered(RowTotals.losses, rows, columns)

    def _gain(self, rows: Indices, columns: Indices | None = None) -> Array:
        """Return the matrix of decreases of row charge j when variable i is left out, entry (j, i)."""
        return self._lowered(RowTotals.gains, rows, columns)

    def _lowered(
        self, change_of: Callable[[RowTotals, Array], Array], rows: Indices, columns: Indices | None
    ) -> Array:
        N = self.N[rows] if columns is None else self.N[np.ix_(rows, columns)]
        change = change_of(self.charges.some(rows), N)
        if columns is None:
            change[np.arange(len(rows)), rows] = 0.0
        else:
            change[rows[:, None] == columns[None, :]] = 0.0
        return np.asarray(change * (1 - 2.0**-50))


def quotients_without(block: Array, gain: Array, u: Array, part: Indices) -> Array:
    """Return for every i the Rayleigh quotient of u without entry i, with row charges lowered by `gain`."""
    form, products = float(u @ block @ u), block @ u
    numerator = form - gain.T @ u**2
    numerator[part] += u**2 * np.diagonal(block) - 2 * u * products
    share = np.ones(gain.shape[1])
    share[part] = 1 - u**2
    return np.asarray(numerator / np.maximum(share, 1e-12))
