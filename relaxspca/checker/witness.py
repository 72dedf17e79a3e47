"""Make the components of a certificate exactly orthogonal inside their supports, and say what they explain."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.checker.exact import Exact
from relaxspca.checker.family import Defect

MOST_BITS = 1 << 19  # of an entry before common divisors are taken out
MOST_WORK = 1 << 47  # products of bits, of all vectors together


def attained_together(certificate: Certificate, form: Callable[[Any, Any], Any]) -> Fraction:
    """Return the sum of x'Sx / x'x over orthogonal vectors on the supports, exactly, or raise `Defect`.

    The component with the fewest variables comes first, of equal ones the earlier. From each the projection
    onto what the earlier vectors have on its own support is taken off: it keeps its support, and is then
    orthogonal to them (``certificates/SPEC.md``, section 11). `form(T, x)` is x'S_TT x in rationals.
    """
    made, terms, components = Orthogonal(certificate.n), list[Fraction](), certificate.witness.components
    for t in sorted(range(len(components)), key=lambda t: len(components[t].support)):
        T = components[t].support
        x = made.add(T, _whole(components[t].loadings))
        if not x.any():
            raise Defect("the components cannot be made orthogonal inside their supports: one becomes 0")
        terms.append(Fraction(form(T, x)) / (x @ x))
    return made.total(terms)


def _whole(values: Any) -> Any:
    """Return a multiple of floats in whole numbers without common divisors."""
    exact = Exact().array(values)
    whole = exact * math.lcm(*(x.denominator for x in exact)) // 1
    return whole // (math.gcd(*whole) or 1)


class Made:
    """A vector of whole numbers with its square, and how many of its entries are not 0."""

    def __init__(self, x: Any) -> None:
        self.x, self.square, self.count = x, x @ x, np.count_nonzero(x)


class Orthogonal:
    """Make vectors orthogonal one after the other, each inside its support.

    A vector, and what it is projected onto, may be any multiple of itself: whole numbers need no divisors. They
    may grow threefold with each vector, so a file could keep a reader busy for years: there are limits.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.work = 0
        self.done: list[Made] = []

    def add(self, T: Any, x: Any) -> Any:
        """Return a multiple of x less its projection onto what the earlier vectors have on T; it may be 0."""
        x = self._beyond(x, self._basis(T))
        everywhere = np.zeros(self.n, dtype=object)
        everywhere[T] = x
        self.done.append(Made(everywhere))
        return x

    def total(self, terms: list[Fraction]) -> Fraction:
        """Return the sum of fractions over the squares of the vectors, by halves: few sums are long."""
        self._count(8, sum(v.square.bit_length() for v in self.done))
        while len(terms) > 1:
            terms = [sum(terms[at : at + 2], Fraction(0)) for at in range(0, len(terms), 2)]
        return terms[0]

    def _basis(self, T: Any) -> list[Made]:
        """Return orthogonal vectors that span what the earlier ones have on T."""
        basis = list[Made]()
        # First those that are 0 elsewhere, and so orthogonal here, too.
        for v in sorted(self.done, key=lambda v: np.count_nonzero(v.x[T]) < v.count):
            rest = self._beyond(v.x[T], basis)
            if rest.any():
                basis.append(Made(rest))
        return basis

    def _beyond(self, x: Any, basis: list[Made]) -> Any:
        """Return a multiple, without common divisors, of x less its projection onto a basis."""
        for b in basis:
            inner = b.x @ x
            if inner:
                common = math.gcd(inner, b.square)
                square = b.square // common
                bits = int(np.abs(x).max()).bit_length() + square.bit_length()
                if bits > MOST_BITS:
                    raise Defect(f"orthogonal components take numbers of more than {MOST_BITS} bits")
                self._count(len(x), bits)
                x = x * square - b.x * (inner // common)
                x = x // (math.gcd(*x) or 1)
        return x

    def _count(self, length: int, bits: int) -> None:
        """Count products of so many pairs of numbers; raise `Defect` where they are too many in all."""
        self.work += length * bits**2
        if self.work > MOST_WORK:
            raise Defect(f"orthogonal components take more than {MOST_WORK} products of bits")
