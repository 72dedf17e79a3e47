"""What a point proves of sets of variables, in whole numbers of a unit, for the rule *choices* of section 10.

That is a bound on an eigenvalue of each set, and the *loss* of two sets: what orthogonality takes from two
components. Of eigenvectors and gaps nothing is believed: a is proved for whatever LAPACK finds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from relaxspca.checker.exact import Exact, float_above
from relaxspca.checker.family import Defect

BITS = 59
CHUNK = 1 << 12  # sets, or pairs of them, at a time: what is computed of them stays in the cache


class Point:
    """What one point says of sets of the variables of a leaf, in whole numbers of a unit of its own.

    Every value is rounded upwards to a multiple of the unit, a power of two so large that sums stay below 2^62:
    they are exact.
    """

    def __init__(self, evidence: Any, at: int, V: list[int], masks: Any, limit: float) -> None:
        point, arithmetic = evidence.points[at], evidence.arithmetic
        r, known = len(evidence.certificate.sizes), {*point.variables.tolist()}
        inside = [place for place, i in enumerate(V) if i in known]
        W = tuple(V[place] for place in inside)
        here = evidence.places(at, W)
        self.arithmetic, self.masks, self.is_whole = arithmetic, masks, len(W) == len(V)
        self.inside = sum(1 << place for place in inside)
        self.M = np.zeros((len(V), len(V)))
        self.M[np.ix_(inside, inside)] = point.M[np.ix_(here, here)]
        try:
            delta, diagonal = evidence.excess(at, W)
        except Defect:
            delta, diagonal = math.inf, arithmetic.array([])
        paid, charge = arithmetic.upper(diagonal).tolist(), arithmetic.total([-delta] * r)
        size = sum(abs(float_above(x)) for x in (*paid, charge)) + r * np.abs(self.M).sum(axis=1).max()
        self.is_usable = math.isfinite(2 * size)  # eigenvalues, rounded upwards, are finite too
        if self.is_usable:
            self.exponent = math.frexp(size)[1] - BITS
            self.weights = np.zeros(len(V), dtype=np.int64)
            self.weights[inside] = [self.whole(x) for x in paid]
            self.charge = self.whole(charge)
            self.everything = int(np.maximum(self.weights, 0).sum()) + self.charge  # of a union, at most
            # Sums stay far inside of this range.
            self.limit = max(-(1 << 62), min(1 << 62, -self.whole(-Fraction(limit))))
            self.found = np.zeros(len(masks), dtype=np.int64)
            self.is_found = np.zeros(len(masks), dtype=bool)

    def whole(self, value: Any) -> int:
        """Return the least whole number of units that is at least a value."""
        p, q = value.as_integer_ratio()
        p, q = (p << -self.exponent, q) if self.exponent < 0 else (p, q << self.exponent)
        return int(-(-p // q))

    def value(self, count: Any) -> Fraction:
        """Return so many units as a number."""
        return int(count) * Fraction(2) ** self.exponent

    def eigenvalues(self, sets: Any) -> Any:
        """Return bounds on lambda_max of M on sets of the list, each found once."""
        missing = np.unique(sets[~self.is_found[sets]])
        M = self.arithmetic.array(self.M)
        for some, supports in self.stacks(missing):
            bounds = self.arithmetic.eigenvalues_upper(M[supports[:, :, None], supports[:, None, :]])
            self.found[some] = [self.whole(bound) for bound in bounds]
        self.is_found[missing] = True
        return self.found[sets]

    def stacks(self, sets: Any) -> Iterator[tuple[Any, Any]]:
        """Yield sets of one size, and the places of their variables, as many at a time as memory allows."""
        bits = self.masks[sets, None] >> np.arange(len(self.M)) & 1
        sizes = bits.sum(axis=1)
        for size in np.unique(sizes).tolist():
            own, supports = sets[sizes == size], np.nonzero(bits[sizes == size])[1].reshape(-1, size)
            for first in range(0, len(own), CHUNK):
                yield own[first : first + CHUNK], supports[first : first + CHUNK]

    @cached_property
    def losses(self) -> Losses:
        """The orthogonality losses of pairs of sets at this point."""
        return Losses(self)

    def union(self, masks: Any) -> Any:
        """Return the cost of the variables of unions, less the charge."""
        return (masks[:, None] >> np.arange(len(self.weights)) & 1) @ self.weights + self.charge

    def above(self, counts: Any) -> Any:
        """Return doubles above what so many units are."""
        return np.nextafter(np.ldexp(counts * 1.0, self.exponent), np.inf)


class Losses:
    """Losses of sets at a point, in whole numbers of its unit, each found when it is asked for.

    For a vector v on a set, of numbers of at most 53 bits after the point, u = v / |v|; `gaps` are not above g,
    `excess` is not below a less the bound on lambda_max that is known. A gap 0 stands for no loss.
    """

    def __init__(self, point: Any) -> None:
        self.point, self.is_exact = point, isinstance(point.arithmetic, Exact)
        self.formula = _exactly if self.is_exact else _in_doubles
        count, n = len(point.masks), len(point.M)
        self.vectors = np.zeros((count, n), dtype=object if self.is_exact else float)
        self.gaps, self.excess = np.zeros((2, count), dtype=np.int64)
        self.is_known = np.zeros(count, dtype=bool)

    def largest(self, pairs: Any) -> Any:
        """Return the largest loss of each row, for lists (sets, other sets) of pairs."""
        worst: Any = 0
        for first, second in pairs:
            worst = np.maximum(worst, self.of(first, second))
        return worst

    def of(self, first: Any, second: Any) -> Any:
        """Return the losses of pairs of sets."""
        loss = np.zeros(len(first), dtype=np.int64)
        (here,) = np.nonzero(self.point.masks[first] & self.point.masks[second])
        self.find(np.concatenate([first[here], second[here]]))
        here = here[(self.gaps[first[here]] > 0) & (self.gaps[second[here]] > 0)]
        for at in range(0, len(here), CHUNK):
            some = here[at : at + CHUNK]
            a, b = first[some], second[some]
            most = self.formula(self.vectors[a], self.vectors[b], self.gaps[a], self.gaps[b]).astype(np.int64)
            loss[some] = np.maximum(most - self.excess[a] - self.excess[b], 0)
        return loss

    def find(self, sets: Any) -> None:
        """Find what is not known of sets of the list; one variable has no gap."""
        missing = np.unique(sets[~self.is_known[sets]])
        self.is_known[missing] = True
        self.point.eigenvalues(missing)
        for some, supports in self.point.stacks(missing):
            if supports.shape[1] > 1:
                self.find_some(some, supports)

    def find_some(self, sets: Any, supports: Any) -> None:
        """Let h be the float gap: M <= mu + h vv' = mu + g uu' with g = h |v|^2, so that a = mu + g."""
        point, arithmetic = self.point, self.point.arithmetic
        rows, columns = supports[:, :, None], supports[:, None, :]
        try:
            values, vectors = np.linalg.eigh(point.M[rows, columns])
        except np.linalg.LinAlgError:
            return
        whole = np.rint(np.ldexp(vectors[:, :, -1], 53))
        v, h = np.ldexp(whole, -53), values[:, -1] - values[:, -2]
        # In floats; the length is below 1 + 2^-45.
        is_sound = np.isfinite(h) & (h > 0) & (np.square(v).sum(axis=1) < 1 + 2.0**-46)
        v = arithmetic.array(np.where(is_sound[:, None], v, 0.0))
        h = arithmetic.array(np.where(is_sound, h, 0.0))
        scaled = h[:, None] * v
        blocks = arithmetic.array(point.M)[rows, columns] - scaled[:, :, None] * v[:, None, :]
        levels = arithmetic.eigenvalues_upper(blocks)
        g = (scaled * v).sum(axis=1)
        tops = [arithmetic.total(pair) for pair in zip(levels, arithmetic.upper(g), strict=True)]
        least = arithmetic.upper(-g)
        for at in np.nonzero(is_sound & (np.array(tops) < math.inf))[0]:
            gap, excess = -point.whole(least[at]), point.whole(tops[at]) - int(point.found[sets[at]])
            if excess < gap < 2**60:  # a loss is at most a gap
                self.gaps[sets[at]], self.excess[sets[at]] = gap, max(0, excess)
                entries = [*map(int, whole[at])] if self.is_exact else np.ldexp(whole[at], -53)
                self.vectors[sets[at], supports[at]] = entries


def _exactly(v: Any, w: Any, g: Any, h: Any) -> Any:
    """Return (t/32) e (8 + 2e + e^2), rounded down, in whole numbers; e = p/q."""
    g, h, c = g.astype(object), h.astype(object), (v * w).sum(axis=1)
    t = g + h
    p, q = 4 * g * h * c * c, t * t * (v * v).sum(axis=1) * (w * w).sum(axis=1)
    return t * p * (8 * q * q + 2 * p * q + p * p) // (32 * q**3)


def _in_doubles(v: Any, w: Any, g: Any, h: Any) -> Any:
    """Return the same, rounded down. The loss itself grows with c, g and h, of which these are lower bounds.

    An inner product of at most 62 doubles between vectors so short errs by less than 2^-46, so that the cosine
    is not below it less 2^-44. The gaps lie between 1 and 2^62: nothing is too large or too small for doubles,
    and fewer than 64 operations on positive numbers are rounded.
    """
    c = np.maximum(np.abs(np.einsum("ij,ij->i", v, w)) - 2.0**-44, 0.0)
    t = g * 1.0 + h
    e = 4.0 * g * h * (c * c) / (t * t)
    return np.floor(t / 32 * e * (8 + e * (2 + e)) * (1 - 2.0**-46))
