"""Write the evidence for a claim about a ratio of two forms, or about fits.

The tree is about M = D(A - mu B)D, D diagonal. How much above 0 its bound may be
depends on how far DBD is above 0, which is found here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
from integers import Matrix, NotProved, block, denominator, evidence, plus, scaled, whole, words, written
from trees import TreeTranslation

from relaxspca.certificate import Certificate, Leaf, LeastSquares, Pencil


class RatioTranslation(TreeTranslation):
    """One certificate about a ratio in whole numbers: bounds in units of 1/D, M in a unit of its own."""

    def __init__(self, certificate: Certificate, *, is_of_all: bool = False) -> None:
        super().__init__(certificate)
        self.is_of_all = is_of_all
        pencil = certificate.subject
        mu = self.others if is_of_all else certificate.evidence.mu or 0.0
        assert isinstance(pencil, Pencil | LeastSquares)
        bounds = [*self.bounds(), mu]
        own = (pencil.numerator, pencil.denominator) if isinstance(pencil, Pencil) else ()
        # A power of four, so that the unit of M is a square; so fine that what DBD exceeds is not rounded to 0.
        least = max(2**60, denominator([*bounds, *(x for some in own for x in some.flat)]))
        self.D = 1 << 2 * (least.bit_length() // 2)
        self.A, self.B, unit = self.forms(pencil)
        least = denominator(x for point in self.points for x in point.linear())
        # Less than 0 would make fractions of whole numbers.
        shift = max(0, -min(certificate.evidence.exponents))
        while unit * 2**shift % least:
            shift += 1
        self.scale = whole([2 ** (e + shift) for e in certificate.evidence.exponents])
        self.mu = self.whole(mu)
        each = np.outer(self.scale, self.scale)
        self.S = self.parted(each * (self.D * self.A - self.mu * self.B))
        self.below, self.root = self.least(each * self.B)
        self.upper = (self.whole(self.others) - self.mu) * self.below
        for point in self.points:
            point.scale(unit * 2**shift, self.S)

    def forms(self, pencil: Pencil | LeastSquares) -> tuple[Any, Any, int]:
        """Return A and B as the checker forms them, and the root of the unit of D A - mu B."""
        self.unit_of_data = 1
        if isinstance(pencil, Pencil):
            return scaled(pencil.numerator, self.D), scaled(pencil.denominator, self.D), self.D
        p, unit = len(pencil.response), denominator([*pencil.variables.flat, *pencil.response, pencil.ridge])
        ridge = int(Fraction(pencil.ridge) * unit**2)
        X, [y] = scaled(pencil.variables.T, unit), scaled([pencil.response], unit)
        self.unit_of_data = unit
        if pencil.intercept:
            X, y = p * X - X.sum(axis=1, keepdims=True), p * y - y.sum()
            unit, ridge = p * unit, p * p * ridge
        self.columns, b = unit * X, X @ y
        B = plus(self.columns @ self.columns.T, ridge * unit**2)
        return np.outer(b, b), B, isqrt(self.D) * unit**2

    def least(self, B: Matrix) -> tuple[int, str]:
        """Return what DBD exceeds in every direction, and the evidence: for data it may be nothing."""
        top = B.diagonal().max(initial=1)
        found = float(np.linalg.eigvalsh((B / top).astype(float))[0])
        for margin in (2.0**-40, 2.0**-20, 0.5):
            below = int(Fraction(found * (1 - margin)) * top)
            if below > 0:
                with suppress(NotProved):
                    return below, evidence(plus(B, -below), "")
        if isinstance(self.certificate.subject, Pencil):
            raise NotProved("no factor shows that B is positive definite")
        return 0, f"1 1 {written(self.scale[:, None] * self.columns)}"

    def lines(self) -> Iterator[str]:
        """Yield the evidence of the tree; or else that upper B - A is semidefinite, as a fit of all shows."""
        try:
            yield from list(self.attempt())
        except NotProved:
            if self.is_of_all or isinstance(self.certificate.subject, Pencil):
                raise
            yield from RatioTranslation(self.certificate, is_of_all=True).lines()

    def attempt(self) -> Iterator[str]:
        """Yield the evidence, if there is any."""
        tree = [*self.tree([Leaf("rows")] if self.is_of_all else None)]
        yield f"{self.D.bit_length() - 1} {self.unit_of_data.bit_length() - 1}"
        yield self.vector(self.certificate.loadings)
        yield f"{self.mu} {words(self.scale)} {self.upper} {self.below}"
        yield self.root
        yield from self.evidence()
        yield from tree
        yield from self.listed()

    def beyond(self, upper: int, support: list[int]) -> Matrix:
        return block(upper * self.B - self.D * self.A, support)
