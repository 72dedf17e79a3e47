"""What a point proves of sets of variables, in whole numbers of a unit, for the rule *choices*."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from relaxspca.checker.defect import Defect
from relaxspca.checker.exact import float_above
from relaxspca.checker.orthogonality_cut import CHUNK, Losses

BITS = 59


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

    @cached_property
    def everything(self) -> int:
        """The largest cost of the variables of a union, less the charge."""
        return int(np.maximum(self.weights, 0).sum()) + self.charge
