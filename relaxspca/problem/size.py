# ruff: noqa: D102 - what the methods of both kinds return is said once, in Size.
"""How large a support may be: a cardinality, or a penalty for every variable in its place.

A relaxation asks a `Size` what its supports may hold, what they cost and what a row is charged at most; a
search asks besides whether it `is_penalised`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, raised, round_up
from relaxspca.problem.node import Indices, Mask, Node
from relaxspca.problem.row_totals import MOST_AT_ONCE, RowTotals, largest_sums

__all__ = ["Cardinality", "Penalty", "Size", "as_size"]


class Size(ABC):
    """Which supports count, and what their variables cost."""

    @property
    @abstractmethod
    def penalty(self) -> float:
        """What a variable costs (variance)."""

    @property
    @abstractmethod
    def floor(self) -> float:
        """What is attained without any variable: 0 at a penalty, minus infinity where there has to be one."""

    @property
    @abstractmethod
    def margin(self) -> float | None:
        """Penalty above which a row takes a partner; None where it takes as many as there are places."""

    @property
    def is_penalised(self) -> bool:
        """Whether any number of variables may be used, each at a penalty."""
        return self.margin is not None

    @property
    @abstractmethod
    def claim(self) -> dict[str, Any]:
        """The fields `cardinality` and `penalty` of a certificate."""

    @property
    @abstractmethod
    def symbol(self) -> str:
        """The value that is bounded, as it is printed."""

    @abstractmethod
    def most(self, n: int) -> int:
        """Return how many of n variables a support has at most."""

    def parts(self, n: int) -> list[tuple[Indices, int]]:
        """Return parts of n variables, each variable in one, and how many of each a support has at most."""
        return [(np.arange(n), self.most(n))]

    @abstractmethod
    def of_ranked(self, worth: Array, inside: Mask) -> int:
        """Return how many variables to take in falling order, those inside first, for what each explains."""

    @abstractmethod
    def in_unit(self, scale: float) -> Size:
        """Return the size for a matrix that is divided by a number."""

    @abstractmethod
    def last_support(self, inside: Indices, free: Indices) -> Indices | None:
        """Return the one support between `inside` and both, empty for none at all; None if there are more."""

    def fixed(self, node: Node, inside: Indices, outside: Indices) -> Node:
        """Return a node with some free variables forced in, and others left out."""
        return node.fixed(inside, outside)

    def compatible(self, variables: Indices) -> Mask:
        """Say which of some variables to force in may be forced in with those before them."""
        return np.ones(len(variables), dtype=bool)

    def on(self, variables: Indices) -> Size:
        """Return the size for a block of these variables."""
        return self

    def stacked(self, blocks: Sequence[Indices], width: int) -> Size:
        """Return the size for a stack of blocks of variables, each padded to a width."""
        return self

    @abstractmethod
    def of_part(self, part: Indices, inside: Mask) -> Size:
        """Return the size of a part of a block, where the other variables forced in are elsewhere."""

    def picked(self, ranked: Array, count: int) -> Indices:
        """Return the positions of the `count` largest, or of those that fit."""
        return np.sort(np.argsort(-ranked, kind="stable")[:count])

    def groups(self, inside: Mask) -> list[tuple[Mask, Indices]]:
        """Return parts of a block, as masks, and how many free partners in each every row takes at most."""
        return [(np.ones(inside.shape, dtype=bool), self.slots(inside))]

    @abstractmethod
    def slots(self, inside: Mask) -> Indices:
        """Return (..., m) how many free partners each row takes at most, below 0 where it is in no support."""

    @abstractmethod
    def row_charges(self, N: Array, inside: Mask, *, first: int = 0) -> RowTotals:
        """Sum every row over the variables forced in and its largest free partners, less what they cost.

        Parameters
        ----------
        N : (..., r, m) charges, at least 0; the diagonal is not read. Leading axes are a stack of nodes.
        inside : (..., m) which variables are forced in; the others are free.
        first : the rows are those from this one on, by default all m.
        """

    @abstractmethod
    def proved_totals(self, charges: RowTotals) -> Array:
        """Return the row sums of `row_charges` raised above every rounding error in them."""

    def net_lower(self, value: float, count: int) -> float:
        """Return what a component of so many variables is worth, less their penalty, rounded downwards."""
        return -round_up(round_up(self.penalty * count) - value) if self.penalty and count else value

    def net_upper(self, value: float, count: int) -> float:
        """Return the same, rounded upwards."""
        return round_up(value - math.nextafter(self.penalty * count, -math.inf)) if self.penalty else value


@dataclass(frozen=True)
class Cardinality(Size):
    """At most k variables, which cost nothing.

    Examples
    --------
    >>> Cardinality(3).symbol, Cardinality(3).claim
    ('v_3', {'k': 3, 'rho': None})
    >>> Cardinality(3).of_part(np.array([0, 1]), np.array([False, True, True]))
    Cardinality(k=2)
    """

    k: int
    penalty = 0.0
    floor = -math.inf
    margin = None

    @property
    def claim(self) -> dict[str, Any]:
        return {"k": self.k, "rho": None}

    @property
    def symbol(self) -> str:
        return f"v_{self.k}"

    def most(self, n: int) -> int:
        return min(self.k, n)

    def of_ranked(self, worth: Array, inside: Mask) -> int:
        return self.k

    def in_unit(self, scale: float) -> Cardinality:
        return self

    def of_part(self, part: Indices, inside: Mask) -> Cardinality:
        return Cardinality(self.k - int(inside.sum() - inside[part].sum()))

    def last_support(self, inside: Indices, free: Indices) -> Indices | None:
        if len(inside) + len(free) < self.k or len(inside) > self.k:
            return inside[:0]
        if len(inside) == self.k:
            return inside
        return np.union1d(inside, free) if len(inside) + len(free) == self.k else None

    def slots(self, inside: Mask) -> Indices:
        return np.asarray(self.k - inside.sum(axis=-1, keepdims=True) - ~inside)

    def row_charges(self, N: Array, inside: Mask, *, first: int = 0) -> RowTotals:
        rows, m = N.shape[-2:]
        if N.ndim == 2 and rows * m > MOST_AT_ONCE and rows > 1:
            step = max(1, MOST_AT_ONCE // m)
            parts = [
                self.row_charges(N[at : at + step], inside, first=first + at) for at in range(0, rows, step)
            ]
            return RowTotals.joined(parts)
        slots = self.slots(inside)
        # A row pays those inside, and the largest of the others but itself.
        unpaid = np.eye(rows, m, first, dtype=bool)
        base = np.where(inside[..., None, :] & ~unpaid, N, 0.0).sum(axis=-1)
        open_charges = np.where(inside[..., None, :] | unpaid, 0.0, N)
        paid, least, following = largest_sums(open_charges, slots, first)
        return RowTotals(base + paid, least, following)

    def proved_totals(self, charges: RowTotals) -> Array:
        return raised(charges.total, self.k)


@dataclass(frozen=True)
class Penalty(Size):
    """Any number of variables, each at a penalty rho >= 0 (variance).

    Where there are variables to include no variable at all is no support, and `floor` is minus infinity.

    Examples
    --------
    >>> Penalty(0.5).symbol, Penalty(0.5).net_upper(2.0, 3) >= 0.5, Penalty(0.5).net_lower(2.0, 3) <= 0.5
    ('phi(0.5)', True, True)
    """

    rho: float
    floor: float = 0.0

    @property
    def penalty(self) -> float:
        return self.rho

    @property
    def margin(self) -> float:
        return self.rho

    @property
    def claim(self) -> dict[str, Any]:
        return {"k": None, "rho": self.rho}

    @property
    def symbol(self) -> str:
        return f"phi({self.rho!r})"

    def most(self, n: int) -> int:
        return n

    def of_ranked(self, worth: Array, inside: Mask) -> int:
        return max(1, int(np.count_nonzero(inside | (worth > self.rho))))

    def in_unit(self, scale: float) -> Penalty:
        return replace(self, rho=self.rho / scale)

    def of_part(self, part: Indices, inside: Mask) -> Penalty:
        return self

    def last_support(self, inside: Indices, free: Indices) -> Indices | None:
        return None if len(free) else inside

    def slots(self, inside: Mask) -> Indices:
        return np.full(inside.shape, inside.shape[-1])

    def row_charges(self, N: Array, inside: Mask, *, first: int = 0) -> RowTotals:
        # Every free partner larger than rho is paid; a row costs rho itself.
        diagonal = np.eye(N.shape[-2], N.shape[-1], first, dtype=bool)
        forced = np.where(inside[..., None, :] & ~diagonal, N - self.rho, 0.0).sum(axis=-1)
        worthy = np.where(~inside[..., None, :] & ~diagonal, np.maximum(N - self.rho, 0.0), 0.0).sum(axis=-1)
        at_margin = np.full(forced.shape, self.rho)
        return RowTotals(total=forced + worthy - self.rho, least=at_margin, following=at_margin)

    def proved_totals(self, charges: RowTotals) -> Array:
        # Sums of differences: the error is relative to what was added, not to the sum.
        m = charges.total.shape[-1]
        added = np.abs(charges.total) + 2 * self.rho * m
        return np.asarray(charges.total + 8 * (m + 8) * UNIT_ROUNDOFF * added)


def as_size(k: int | Size) -> Size:
    """Return a size as it is, and a whole number as a cardinality.

    Examples
    --------
    >>> as_size(3)
    Cardinality(k=3)
    """
    return k if isinstance(k, Size) else Cardinality(int(k))
