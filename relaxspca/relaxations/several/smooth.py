"""The smoothed bound of several components and its gradient, in matrices without any constraint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array, Indices
from relaxspca.problem.size import Cardinality
from relaxspca.relaxations.perron.minimise import SoftRows
from relaxspca.relaxations.several.shape import Part, Shape, use_ranges
from relaxspca.relaxations.soft_eigenvalue import NEGLIGIBLE
from relaxspca.relaxations.soft_top import SoftTop, logistic

ABOVE_ZERO = 1e-3  # of its scale, where a square or its root begins at least: at 0 its gradient would vanish
Supports = tuple[Indices, ...]


@dataclass(frozen=True, eq=False)
class Factors:
    """A dual point without constraints: Z = LL', P = B o B', N = B o B.

    Attributes
    ----------
    L : (m, d) array (square root of variance).
    multipliers : (m,) array, y (variance).
    rows : one (m_t, m_t) array B a part, zero on the diagonal; None where supports are tried one by one.
    """

    L: Array
    multipliers: Array
    rows: tuple[Array | None, ...]

    def scaled(self, factor: float) -> Factors:
        """Return the factors for the matrix times a number above 0."""
        root = float(np.sqrt(factor))
        rows = tuple(None if B is None else B * root for B in self.rows)
        return Factors(self.L * root, self.multipliers * factor, rows)


class Smoothed:
    """The bound (1) or (2) of `relaxations.several.formula` with soft maxima, as a function of one vector.

    Parameters
    ----------
    Sigma : (m, m) block on the union of the variables of all parts (variance).
    variables : (m,) what they are.
    shape, parts : as in `formula.upper_bound`. Equal parts share their B: their mean is no worse.
    like : Factors of the same sizes.
    width : smoothing, in the unit of Sigma.
    supports : for a part without rows, the supports that its maximum is taken over.
    """

    def __init__(
        self,
        Sigma: Array,
        variables: Indices,
        shape: Shape,
        parts: Sequence[Part],
        like: Factors,
        width: float,
        supports: Sequence[Supports | None] = (),
    ) -> None:
        self.Sigma, self.width = Sigma, width
        self.m, self.rank = like.L.shape
        self.is_common = shape.is_common
        kinds, self.kind_of = kinds_of(parts)
        self.groups = []
        for g, part in enumerate(kinds):
            first = self.kind_of.index(g)
            few = None if like.rows[first] is not None else supports[first]
            count = self.kind_of.count(g) * shape.copies
            self.groups.append(
                SoftPart(part, variables, width, count=count, supports=few, is_at_most=shape.is_at_most)
            )
        least, most = use_ranges(variables, shape, parts)
        # Where more components may use a variable than must, a negative multiplier is charged for the largest
        # number: such a multiplier is the square of an entry, so that no bounds are needed.
        self.is_square = (most > np.maximum(least, 1)) & (not shape.is_common)
        used = least > 0
        self.used = used.astype(float)
        # How often the multiplier of a variable is paid by the parts that use it, at the least.
        self.times = np.full(self.m, shape.copies) if shape.is_common else np.maximum(least, 1)
        places = sum(part.size - len(part.inside) for part in parts)
        self.largest = SoftTop(~used[None, :], np.array([places]), width / 4)

    def pack(self, factors: Factors) -> Array:
        """Return the factors as one vector."""
        rows = [group.pack(factors.rows[self.kind_of.index(g)]) for g, group in enumerate(self.groups)]
        roots = np.sqrt(np.maximum(factors.multipliers, ABOVE_ZERO**2))
        multipliers = np.where(self.is_square, roots, factors.multipliers)
        return np.concatenate([*rows, factors.L.ravel(), multipliers])

    def unpack(self, entries: Array) -> Factors:
        """Return the factors that a vector stands for."""
        rows, at = [], 0
        for group in self.groups:
            rows.append(group.unpack(entries[at : at + group.entries]))
            at += group.entries
        L = entries[at : at + self.m * self.rank].reshape(self.m, self.rank)
        multipliers = entries[at + L.size :]
        multipliers = np.where(self.is_square, multipliers**2, multipliers)
        return Factors(L, multipliers, tuple(rows[g] for g in self.kind_of))

    def __call__(self, entries: Array) -> tuple[float, Array]:
        """Return the smoothed bound and its gradient."""
        factors = self.unpack(entries)
        L, y = factors.L, factors.multipliers
        if not np.abs(entries).max() < 1e100:  # a step so long that squares overflow is too long
            return np.inf, np.zeros_like(entries)
        rest = self.Sigma - L @ L.T
        value, share = self._multiplier(np.einsum("id,id->i", L, L) - self.times * y)
        by_rest, by_multiplier = np.zeros_like(rest), -self.times * share
        gradients = []
        for g, group in enumerate(self.groups):
            here = np.ix_(group.at, group.at)
            own, by_M, by_y, by_rows = group(rest[here], y[group.at], factors.rows[self.kind_of.index(g)])
            value += own
            by_rest[here] += by_M
            by_multiplier[group.at] += by_y
            gradients.append(by_rows)
        by_L = 2 * (share[:, None] * L - by_rest @ L)
        by_multiplier = np.where(self.is_square, 2 * entries[-self.m :] * by_multiplier, by_multiplier)
        return value, np.concatenate([*gradients, by_L.ravel(), by_multiplier])

    def _multiplier(self, excess: Array) -> tuple[float, Array]:
        """Return the smooth sum of what is paid for Z beside the parts, and each variable's share in it."""
        forced = float(self.used @ excess)
        if self.is_common:
            total, share = self.largest(excess[None, :])
            return forced + float(total[0]), self.used + share[0]
        width = self.width / 4
        share = (1 - self.used) * logistic(excess / width)
        paid = (1 - self.used) * width * np.logaddexp(0.0, excess / width)
        return forced + float(paid.sum()), self.used + share


def kinds_of(parts: Sequence[Part]) -> tuple[list[Part], list[int]]:
    """Return the different parts, and for each part which of them it is."""
    keys = [part.key for part in parts]
    kinds = [*dict.fromkeys(keys)]
    return [parts[keys.index(key)] for key in kinds], [kinds.index(key) for key in keys]


class SoftPart:
    """Equal parts: by a matrix B of Perron multipliers, or by supports tried one by one.

    Parameters
    ----------
    part : Part.
    variables : those of the whole problem; `at` is where the variables of the part are among them.
    width : smoothing (variance).
    count : how many equal parts there are.
    supports : arrays (count, size) of positions among the variables of the part; None for Perron multipliers.
    is_at_most : whether supports may be smaller, so that no row pays a negative multiplier for a free partner.
    """

    def __init__(
        self,
        part: Part,
        variables: Indices,
        width: float,
        *,
        count: int,
        supports: Supports | None,
        is_at_most: bool = False,
    ) -> None:
        self.at = np.searchsorted(variables, part.variables)
        self.m, self.width, self.count, self.supports = len(self.at), width, count, supports
        inside = np.isin(part.variables, part.inside)
        self.rows = SoftRows(inside, Cardinality(part.size), width, is_at_most=is_at_most)
        self.entries = 0 if supports is not None else self.m * (self.m - 1)

    def pack(self, B: Array | None) -> Array:
        """Return the entries of B off the diagonal."""
        return np.zeros(0) if B is None else B[self.rows.off_diagonal]

    def unpack(self, entries: Array) -> Array | None:
        """Return B, or None where there is none."""
        return None if self.supports is not None else self.rows.unpack(entries)

    def __call__(self, rest: Array, y: Array, B: Array | None) -> tuple[float, Array, Array, Array]:
        """Return the smooth bound of the parts together, and its gradients in M, y and the entries of B."""
        count = self.count
        if B is None:
            value, X, by_multiplier = self._by_supports(rest, y)
            return count * value, count * X, count * by_multiplier, np.zeros(0)
        value, by_rows, X, by_pair = self.rows(rest, B, y)
        by_multiplier = np.diagonal(X) + by_pair.sum(axis=0)
        return count * value, count * X, count * by_multiplier, count * by_rows

    def _by_supports(self, rest: Array, y: Array) -> tuple[float, Array, Array]:
        """Return mu log sum_T tr exp((M_TT + y(T) I) / mu), and its gradients in M and y."""
        assert self.supports is not None
        spectra = []
        for some in self.supports:
            values, vectors = np.linalg.eigh(rest[some[:, :, None], some[:, None, :]])
            spectra.append((values + y[some].sum(axis=1)[:, None], vectors))
        top = max(float(values.max()) for values, _ in spectra)
        weights = [np.exp((values - top) / self.width) for values, _ in spectra]
        total = sum(float(weight.sum()) for weight in weights)
        X, by_multiplier = np.zeros_like(rest), np.zeros_like(y)
        for some, weight, (_, vectors) in zip(self.supports, weights, spectra, strict=True):
            share = weight / total
            used, which = np.nonzero(share > NEGLIGIBLE)
            vector = vectors[used, :, which] * np.sqrt(share[used, which])[:, None]
            place = np.zeros((len(used), self.m))
            np.put_along_axis(place, some[used], vector, axis=1)
            X += place.T @ place
            np.add.at(by_multiplier, some, share.sum(axis=1)[:, None])
        return top + self.width * float(np.log(total)), X, by_multiplier
