"""Dual points in whole numbers, over all variables of the certificate, and what a leaf has left to show.

Each class takes one kind of point of `relaxspca.certificate`: `factors` and `linear` are its numbers in the two
units, `scale` makes them whole, `lines` writes them, and `left` is the matrix that must be semidefinite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isqrt
from operator import mul
from typing import Any

import numpy as np
from integers import Matrix, costs, dearest, denominator, gram, scaled, words

from relaxspca.certificate import (
    Certificate,
    PerronPoint,
    Point,
    PsiPoint,
    RatioCertificate,
    WeightsPoint,
)

FINE = 2**100  # prices are rounded upwards to units of at most the largest entry of Sigma over this


class NotProved(Exception):
    """The evidence does not reach the claimed bound; the message says where."""


class Spread:
    """A point spread over all n variables."""

    def __init__(self, point: Any, certificate: Certificate | RatioCertificate) -> None:
        self.point, self.certificate, self.n = point, certificate, certificate.n
        self.variables = [int(i) for i in point.variables]
        self.classes = list(range(certificate.n))  # a support has one variable of each at most

    def factors(self) -> Iterable[float]:
        """Yield the numbers of which products are in units of 1/D."""
        return ()

    def linear(self) -> Iterable[float]:
        """Yield the numbers that are in units of 1/D themselves."""
        return ()

    def least(self, own: Any) -> int:
        """Return what D must be at least, besides."""
        return 1

    def scale(self, unit: int, S: Matrix) -> None:
        """Make everything whole."""

    def lines(self) -> Iterator[str]:
        """Yield the words that the checker reads."""
        raise NotImplementedError

    def left(self, S: Matrix, upper: int, J: Sequence[int], F: Sequence[int], k: int) -> Matrix:
        """Return the matrix that must be positive semidefinite for a leaf."""
        raise NotImplementedError

    def square(self, block: Any, unit: int) -> Matrix:
        whole = np.zeros((self.n, self.n))
        whole[np.ix_(self.variables, self.variables)] = block
        return scaled(whole, unit)

    def columns(self, block: Any, unit: int) -> Matrix:
        """Return vectors, those of the variables that the point does not have being 0."""
        whole = np.zeros((block.shape[0], self.n))
        whole[:, self.variables] = block
        return scaled(whole.T, unit)


class Weights(Spread):
    """Weights of rows; the matrix is paid by rows alone."""

    def lines(self) -> Iterator[str]:
        own = scaled([self.point.weights], denominator(self.point.weights))[0]
        weights = dict(zip(self.variables, own, strict=True))
        yield "weights " + words(weights.get(i, 0) for i in range(self.n))


class Perron(Spread):
    """P and N, as they are."""

    def linear(self) -> Iterable[float]:
        return [*self.point.P.flat, *self.point.N.flat]

    def scale(self, unit: int, S: Matrix) -> None:
        self.P, self.N = (self.square(block, unit**2) for block in (self.point.P, self.point.N))

    def lines(self) -> Iterator[str]:
        yield "perron"
        yield from map(words, self.P + self.N)

    def left(self, S: Matrix, upper: int, J: Sequence[int], F: Sequence[int], k: int) -> Matrix:
        paid = costs(self.N, J, F, k - len(J), self.classes)
        M = [[self.P[i][j] - S[i][j] for j in (*J, *F)] for i in (*J, *F)]
        for at, cost in enumerate(paid):
            M[at][at] += upper - cost
        return M


class Psi(Spread):
    """Columns a_i and y_i, the charges t_i with y_i y_i' + t_i I >= a_i a_i', and what A'A leaves of Sigma."""

    def __init__(self, point: Any, certificate: Certificate | RatioCertificate) -> None:
        super().__init__(point, certificate)
        own = certificate.factor
        if point.factor is not None:
            self.factor = point.factor
        elif own is not None and own.shape[0] == point.vectors.shape[0]:
            self.factor = own[:, point.variables]
        else:
            raise NotProved("a psi point has no factor of its own, and the claim's does not fit it")

    def factors(self) -> Iterable[float]:
        return [*self.factor.flat, *self.point.vectors.flat]

    def least(self, own: Any) -> int:
        return _fine(own)

    def scale(self, unit: int, S: Matrix) -> None:
        self.A, self.Y = self.columns(self.factor, unit), self.columns(self.point.vectors, unit)
        self.charges = [_charge(a, y) for a, y in zip(self.A, self.Y, strict=True)]
        chosen = self.variables
        E = [
            [S[i][j] - x for j, x in zip(chosen, row, strict=True)]
            for i, row in zip(chosen, gram([self.A[i] for i in chosen]), strict=True)
        ]
        self.residual = max(sum(map(abs, row)) - abs(row[at]) + row[at] for at, row in enumerate(E))

    def lines(self) -> Iterator[str]:
        yield f"psi {len(self.point.vectors)}"
        yield from map(words, [*self.A, *self.Y, self.charges, [self.residual]])

    def left(self, S: Matrix, upper: int, J: Sequence[int], F: Sequence[int], k: int) -> Matrix:
        mu = upper - self.residual - dearest([self.charges[i] for i in F], k - len(J))
        rows = list(zip(*(self.A[i] for i in J), *(self.Y[i] for i in F), strict=True))
        M = [[-sum(map(mul, p, q)) for q in rows] for p in rows]
        for at, row in enumerate(M):
            row[at] += mu
        if upper < self.residual:
            raise NotProved("the claimed bound is below the residual of a psi point")
        return M


def spread(point: Point, certificate: Certificate | RatioCertificate) -> Spread:
    """Return a point of a certificate over all its variables."""
    kinds: dict[type, type[Spread]] = {
        WeightsPoint: Weights,
        PerronPoint: Perron,
        PsiPoint: Psi,
    }
    return kinds[type(point)](point, certificate)


def _fine(own: Any) -> int:
    """Return the least D with which the largest entry of Sigma, or of its factor, has a hundred bits."""
    p, q = float(np.abs(own).max()).as_integer_ratio()
    return FINE * q // p if p else 1


def _charge(a: Sequence[int], y: Sequence[int]) -> int:
    """Return about the least t > 0 with |a|^2 (t + |y|^2) - (a'y)^2 <= t (t + |y|^2), and not less."""
    aa, yy, ay = (int(sum(map(mul, *pair))) for pair in ((a, a), (y, y), (a, y)))
    p: int = aa - yy
    return max(1, (p + isqrt(max(p * p + 4 * (aa * yy - ay * ay), 0)) + 2) // 2 + 1)
