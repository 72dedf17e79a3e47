"""The smoothed bound of several components and its gradient, in matrices without any constraint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.several.rows import SoftTop, logistic
from relaxspca.relaxations.several.shape import Indices, Part, Shape
from relaxspca.relaxations.soft_eigenvalue import soft_largest

__all__ = ["Factors", "Smoothed"]


@dataclass(frozen=True, eq=False)
class Factors:
    """A dual point without constraints: Z = LL', P = B o B', N = B o B.

    Attributes
    ----------
    L : (m, d) array (square root of variance).
    prices : (m,) array, y (variance).
    rows : one (m_t, m_t) array B a part, zero on the diagonal.
    """

    L: Array
    prices: Array
    rows: tuple[Array, ...]


class Smoothed:
    """The bound (1) or (2) of `relaxations.several.formula` with soft maxima, as a function of one vector.

    Parameters
    ----------
    Sigma : (m, m) block on the union of the variables of all parts (variance).
    variables : (m,) what they are.
    shape, parts : as in `formula.upper_bound`. Equal parts share their B: their mean is no worse.
    rank : columns of L.
    width : smoothing, in the unit of Sigma.
    """

    def __init__(
        self, Sigma: Array, variables: Indices, shape: Shape, parts: Sequence[Part], rank: int, width: float
    ) -> None:
        self.Sigma, self.width, self.rank, self.copies = Sigma, width, rank, shape.copies
        self.m = len(variables)
        self.is_common = shape.is_common
        self.kinds, self.kind_of = _kinds(parts)
        self.groups = [
            _Group(part, variables, width, count=self.kind_of.count(g) * shape.copies)
            for g, part in enumerate(self.kinds)
        ]
        used = np.isin(variables, np.concatenate([part.inside for part in parts]))
        self.used = used.astype(float)
        places = sum(part.size - len(part.inside) for part in parts)
        self.dearest = SoftTop(~used[None, :], np.array([places]), width / 4)

    def pack(self, factors: Factors) -> Array:
        """Return the factors as one vector."""
        rows = [factors.rows[self.kind_of.index(g)][group.off] for g, group in enumerate(self.groups)]
        return np.concatenate([*rows, factors.L.ravel(), factors.prices])

    def unpack(self, entries: Array) -> Factors:
        """Return the factors that a vector stands for."""
        rows, at = [], 0
        for group in self.groups:
            B = np.zeros((group.m, group.m))
            size = group.m * (group.m - 1)
            B[group.off] = entries[at : at + size]
            rows.append(B)
            at += size
        L = entries[at : at + self.m * self.rank].reshape(self.m, self.rank)
        return Factors(L, entries[at + L.size :], tuple(rows[g] for g in self.kind_of))

    def __call__(self, entries: Array) -> tuple[float, Array]:
        """Return the smoothed bound and its gradient."""
        factors = self.unpack(entries)
        L, y = factors.L, factors.prices
        rest = self.Sigma - L @ L.T
        value, share = self._price(np.einsum("id,id->i", L, L) - self.copies * y)
        by_rest, by_price = np.zeros_like(rest), -self.copies * share
        gradients = []
        for g, group in enumerate(self.groups):
            here = np.ix_(group.at, group.at)
            part = group(rest[here], y[group.at], factors.rows[self.kind_of.index(g)])
            value += part.value
            by_rest[here] += part.by_rest
            by_price[group.at] += part.by_price
            gradients.append(part.by_rows)
        by_L = 2 * (share[:, None] * L - by_rest @ L)
        return value, np.concatenate([*gradients, by_L.ravel(), by_price])

    def _price(self, excess: Array) -> tuple[float, Array]:
        """Return the smooth sum of what is paid for Z beside the parts, and each variable's share in it."""
        forced = float(self.used @ excess)
        if self.is_common:
            total, share = self.dearest(excess[None, :])
            return forced + float(total[0]), self.used + share[0]
        width = self.width / 4
        share = (1 - self.used) * logistic(excess / width)
        paid = (1 - self.used) * width * np.logaddexp(0.0, excess / width)
        return forced + float(paid.sum()), self.used + share


@dataclass(frozen=True, eq=False)
class _Value:
    """The smooth bound of a part, times its count, and its gradients."""

    value: float
    by_rest: Array
    by_price: Array
    by_rows: Array


class _Group:
    """Equal parts: the smooth maximum of lambda_max(M_TT) + y(T) over their supports."""

    def __init__(self, part: Part, variables: Indices, width: float, count: int) -> None:
        self.at = np.searchsorted(variables, part.variables)
        self.m, self.width, self.count = len(self.at), width, count
        inside = np.isin(part.variables, part.inside)
        self.off = ~np.eye(self.m, dtype=bool)
        self.forced = (inside[None, :] & self.off).astype(float)
        self.sums = SoftTop(~inside[None, :] & self.off, part.size - inside.sum() - ~inside, width / 4)

    def __call__(self, rest: Array, y: Array, B: Array) -> _Value:
        prices = B * B + y[None, :]
        total, share = self.sums(prices)
        share = share + self.forced
        M = rest - B * B.T
        M[np.diag_indices(self.m)] += y + total + (self.forced * prices).sum(axis=1)
        value, X = soft_largest(M, self.width)
        variances = np.diagonal(X)
        by_pair = variances[:, None] * share
        by_rows = 2 * (B * by_pair - X * B.T)[self.off]
        by_price = variances + by_pair.sum(axis=0)
        count = self.count
        return _Value(count * value, count * X, count * by_price, count * by_rows)


def _kinds(parts: Sequence[Part]) -> tuple[list[Part], list[int]]:
    """Return the different parts, and for each part which of them it is."""
    number: dict[tuple[int, bytes, bytes], int] = {}
    kinds: list[Part] = []
    kind_of: list[int] = []
    for part in parts:
        if part.key not in number:
            number[part.key] = len(kinds)
            kinds.append(part)
        kind_of.append(number[part.key])
    return kinds, kind_of
