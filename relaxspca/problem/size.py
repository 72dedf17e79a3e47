# ruff: noqa: D102 - the methods of both kinds are documented once, in Size.
"""The size of supports: a cardinality, or a penalty for each variable.

A relaxation asks a `Size` what its supports may hold, what they cost and what a row is charged at most; a
search asks besides whether it `is_penalised`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from relaxspca.numerics.linalg import AT_ONCE, UNIT_ROUNDOFF, Array, Indices, Mask, raised, round_up
from relaxspca.problem.node import Node


@dataclass(frozen=True)
class RowTotals:
    """The total that each row pays its partners, its least paid charge and its largest unpaid charge.

    Attributes
    ----------
    total : (m,) the charge c of each row.
    least : (m,) the least charge among the free partners that the row pays, 0 where places are left.
    following : (m,) the largest charge among those that it does not pay, 0 when there is none.
    """

    total: Array
    least: Array
    following: Array

    @classmethod
    def joined(cls, parts: Sequence[RowTotals]) -> RowTotals:
        """Return the totals of all rows from those of consecutive blocks of rows."""
        if len(parts) == 1:
            return parts[0]
        columns = zip(*((part.total, part.least, part.following) for part in parts), strict=True)
        return cls(*map(np.concatenate, columns))

    def some(self, rows: Indices | slice) -> RowTotals:
        """Return the totals of some rows."""
        return RowTotals(self.total[rows], self.least[rows], self.following[rows])

    def losses(self, N: Array) -> Array:
        """Return what each row pays less with a partner forced in: the least that it pays goes for it."""
        return np.maximum(self.least[:, None] - N, 0.0)

    def gains(self, N: Array) -> Array:
        """Return what each row pays less with a partner left out: the largest that it does not pay follows."""
        following = self.following[:, None]
        return np.where(self.least[:, None] <= N, np.maximum(N - following, 0.0), 0.0)


def largest_sums(charges: Array, slots: Indices, first: int = 0) -> tuple[Array, Array, Array]:
    """Return the sum of the `slots` largest charges of each row, the least one paid and the largest unpaid.

    The charges (r, m) are of the rows from `first` on, 0 where one cannot be paid; below 0 slots count as 0.
    """
    rows, m = charges.shape
    width = int(min(max(slots.max(), 0) + 1, m))
    slots = slots[first : first + rows]
    # Partitioned at the small end of the opposites: among many zeros the other end takes numpy far longer.
    ranked, each = -np.sort(np.partition(-charges, width - 1, axis=1)[:, :width], axis=1), np.arange(rows)
    sums = np.concatenate([np.zeros((rows, 1)), np.cumsum(ranked, axis=1)], axis=1)
    used = np.clip(slots, 0, width)
    last = ranked[each, np.clip(used - 1, 0, width - 1)]
    after = ranked[each, np.clip(used, 0, width - 1)]
    return sums[each, used], np.where(slots > 0, last, 0.0), np.where(used < width, after, 0.0)


class Size(ABC):
    """The feasible supports and the penalty of their variables.

    Attributes
    ----------
    floor : value of the empty support: 0 if it is feasible (at a penalty), minus infinity if not.
    is_penalised : whether any number may be used; then a row pays partners that cost more than the penalty.
    """

    floor: float = -math.inf
    is_penalised: ClassVar[bool] = False

    @property
    def penalty(self) -> float:
        """Penalty of each variable (variance)."""
        return 0.0

    @property
    def classes(self) -> Indices | None:
        """The same number for variables of which a support has one at most; None where any may be together."""
        return None

    @property
    @abstractmethod
    def claim(self) -> dict[str, Any]:
        """The fields k and rho of a certificate."""

    @abstractmethod
    def most(self, n: int) -> int:
        """Return the most variables, of n, that a support has."""

    def parts(self, n: int) -> list[tuple[Indices, int]]:
        """Return a partition of n variables, and for each part the most variables that a support has of it."""
        return [(np.arange(n), self.most(n))]

    def of_ranked(self, worth: Array, inside: Mask) -> int:
        """Return how many variables a heuristic takes when they are ranked by `worth`, forced ones first."""
        return self.most(len(worth))

    def in_unit(self, scale: float) -> Size:
        """Return the size for the matrix divided by `scale`."""
        return self

    @abstractmethod
    def last_support(self, inside: Indices, free: Indices) -> Indices | None:
        """Return the node's only support, an empty one if the node is infeasible; None if there are several."""

    def fixed(self, node: Node, inside: Indices, outside: Indices) -> Node:
        """Return the node with the variables `inside` forced in and `outside` left out."""
        return node.fixed(inside, outside)

    def halves(self, node: Node, variable: int) -> tuple[Node, Node]:
        """Return the node with a free variable forced in, and the node without it."""
        one, none = np.array([variable]), node.inside[:0]
        return self.fixed(node, one, none), self.fixed(node, none, one)

    def entries(self, M: Array) -> Array:
        """Return a matrix with 0 for the entries of two variables that no support has."""
        return M

    def compatible(self, variables: Indices) -> Mask:
        """Say of each variable whether it can be forced in together with those before it."""
        return np.ones(len(variables), dtype=bool)

    def on(self, variables: Indices) -> Size:
        """Return the size for the block of these variables."""
        return self

    def of_part(self, part: Indices, inside: Mask) -> Size:
        """Return the size for one part of a block; variables forced in elsewhere use up the cardinality."""
        return self

    def picked(self, ranked: Array, count: int) -> Indices:
        """Return the sorted positions of the `count` largest values, subject to the limits of each part."""
        return np.sort(np.argsort(-ranked, kind="stable")[:count])

    def groups(self, inside: Mask) -> list[tuple[Mask, Indices]]:
        """Return the parts of a block as masks, and for each the most free partners in it that a row pays."""
        return [(np.ones(inside.shape, dtype=bool), self.slots(inside))]

    @abstractmethod
    def slots(self, inside: Mask) -> Indices:
        """Return (m,) the most free partners that each row pays; negative if the row is in no support."""

    @abstractmethod
    def row_charges(self, N: Array, inside: Mask, *, first: int = 0) -> RowTotals:
        """Sum each row over the variables forced in and its largest free partners, less their penalty.

        The charges N (r, m) are at least 0, of the rows from `first` on; the diagonal is not read.
        """

    @abstractmethod
    def proved_totals(self, charges: RowTotals) -> Array:
        """Return upper bounds on the exact row sums of `row_charges`: their rounding error is added."""

    def net_lower(self, value: float, count: int) -> float:
        """Return `value` less the penalty of `count` variables, rounded downwards."""
        return -round_up(round_up(self.penalty * count) - value) if self.penalty and count else value

    def net_upper(self, value: float, count: int) -> float:
        """Return `value` less the penalty of `count` variables, rounded upwards."""
        return round_up(value - math.nextafter(self.penalty * count, -math.inf)) if self.penalty else value


@dataclass(frozen=True)
class Cardinality(Size):
    """At most k variables, without a penalty.

    Examples
    --------
    >>> Cardinality(3).claim
    {'k': 3, 'rho': None}
    >>> Cardinality(3).of_part(np.array([0, 1]), np.array([False, True, True]))
    Cardinality(k=2)
    """

    k: int

    @property
    def claim(self) -> dict[str, Any]:
        return {"k": self.k, "rho": None}

    def most(self, n: int) -> int:
        return min(self.k, n)

    def of_part(self, part: Indices, inside: Mask) -> Cardinality:
        return Cardinality(self.k - int(inside.sum() - inside[part].sum()))

    def last_support(self, inside: Indices, free: Indices) -> Indices | None:
        room = self.k - len(inside)
        if not 0 <= room <= len(free):
            return inside[:0]
        return np.union1d(inside, free[:room]) if room in (0, len(free)) else None

    def slots(self, inside: Mask) -> Indices:
        return np.asarray(self.k - inside.sum() - ~inside)

    def row_charges(self, N: Array, inside: Mask, *, first: int = 0) -> RowTotals:
        rows, m = N.shape
        if rows * m > AT_ONCE and rows > 1:
            step = max(1, AT_ONCE // m)
            parts = [
                self.row_charges(N[at : at + step], inside, first=first + at) for at in range(0, rows, step)
            ]
            return RowTotals.joined(parts)
        # A row pays the variables forced in and the largest free ones, never itself.
        own, payable = np.arange(rows), N.copy()
        payable[own, first + own] = 0.0
        base = payable[:, inside].sum(axis=1)
        payable[:, inside] = 0.0
        paid, least, following = self.paid(payable, inside, first)
        return RowTotals(base + paid, least, following)

    def paid(self, payable: Array, inside: Mask, first: int) -> tuple[Array, Array, Array]:
        """Return what `largest_sums` does of the charges of free partners, 0 elsewhere."""
        return largest_sums(payable, self.slots(inside), first)

    def proved_totals(self, charges: RowTotals) -> Array:
        return raised(charges.total, self.k)


@dataclass(frozen=True)
class Penalty(Size):
    """Any number of variables, each with penalty rho >= 0 (variance).

    If variables must be included, the empty support is infeasible and `floor` is minus infinity.

    Examples
    --------
    >>> Penalty(0.5).net_upper(2.0, 3) >= 0.5, Penalty(0.5).net_lower(2.0, 3) <= 0.5
    (True, True)
    """

    rho: float
    floor: float = 0.0
    is_penalised: ClassVar[bool] = True

    @property
    def penalty(self) -> float:
        return self.rho

    @property
    def claim(self) -> dict[str, Any]:
        return {"k": None, "rho": self.rho}

    def most(self, n: int) -> int:
        return n

    def of_ranked(self, worth: Array, inside: Mask) -> int:
        return max(1, int(np.count_nonzero(inside | (worth > self.rho))))

    def in_unit(self, scale: float) -> Penalty:
        return replace(self, rho=self.rho / scale)

    def last_support(self, inside: Indices, free: Indices) -> Indices | None:
        return None if len(free) else inside

    def slots(self, inside: Mask) -> Indices:
        return np.full(inside.shape, len(inside))

    def row_charges(self, N: Array, inside: Mask, *, first: int = 0) -> RowTotals:
        # A row pays N_ij - rho for every free partner where that is positive, less its own penalty rho.
        diagonal = np.eye(len(N), N.shape[1], first, dtype=bool)
        forced = np.where(inside & ~diagonal, N - self.rho, 0.0).sum(axis=1)
        worthy = np.where(~inside & ~diagonal, np.maximum(N - self.rho, 0.0), 0.0).sum(axis=1)
        at_margin = np.full(forced.shape, self.rho)
        return RowTotals(total=forced + worthy - self.rho, least=at_margin, following=at_margin)

    def proved_totals(self, charges: RowTotals) -> Array:
        # The error of a sum of differences is relative to the terms added, not to the sum.
        m = len(charges.total)
        added = np.abs(charges.total) + 2 * self.rho * m
        return np.asarray(charges.total + 8 * (m + 8) * UNIT_ROUNDOFF * added)
