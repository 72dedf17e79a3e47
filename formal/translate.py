"""Write a certificate in the words that the verified checker reads.

    python formal/translate.py certificates/pitprops/k05.json > k05.txt

Nothing here is trusted. The checker prints the claim it has proved, and `prove.py` compares it with the file.
All numbers are exact: doubles become whole numbers in units of 1/D, D a power of two. What a certificate leaves
to its reader is found here: a factor L with `g M - LL'` diagonally dominant, so M is positive semidefinite.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isqrt
from operator import mul
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Leaf, PerronPoint, WeightsPoint

MOST_VARIABLES = 256
KINDS = ("rowsum", "perron", "spectral", "support", "trace", "void")

Matrix = list[list[int]]


class NotCovered(Exception):
    """The certificate is of a kind that the theorem does not speak of, or too large; the message says which."""


class NotProved(Exception):
    """The evidence does not reach the claimed bound; the message says where."""


def translate(certificate: Certificate) -> str:
    """Return the input of the verified checker.

    Raises
    ------
    NotCovered
        A rule, or a size, that the verified checker does not have.
    NotProved
        A leaf at which no factor L was found, because the claimed bound is not proved there.
    """
    reason = why_not(certificate)
    if reason:
        raise NotCovered(reason)
    return "\n".join(_Translation(certificate).lines()) + "\n"


def why_not(certificate: Certificate) -> str:
    """Say why the verified checker cannot speak of a certificate, or return an empty text."""
    if certificate.cardinality is None:
        return "a penalised claim"
    if certificate.eliminated is not None:
        return "eliminated variables"
    other = {node.kind for node in certificate.tree if isinstance(node, Leaf)} - set(KINDS)
    if other:
        return "leaves of the kind " + ", ".join(sorted(other))
    if certificate.n > MOST_VARIABLES:
        return f"{certificate.n} variables, more than {MOST_VARIABLES}"
    return ""


class _Translation:
    """One certificate in whole numbers, of units 1/D, and where it is a factor of units 1/unit, D = unit^2."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate, self.k = certificate, certificate.cardinality or 0
        points = [p for p in certificate.points if isinstance(p, PerronPoint)]
        numbers = [
            certificate.lower,
            certificate.upper,
            *(x for p in points for a in (p.P, p.N) for x in a.flat),
        ]
        own = certificate.matrix if certificate.factor is None else certificate.factor
        self.unit = _denominator(own.flat if own is not None else [])
        if certificate.factor is None:
            self.D = max(self.unit, _denominator(numbers))
            self.S = _scaled(certificate.matrix, self.D)
        else:
            while self.unit**2 < _denominator(numbers):
                self.unit *= 2
            self.D = self.unit**2
            self.columns = _scaled(certificate.factor.T, self.unit)
            self.S = [[sum(map(mul, a, b)) for b in self.columns] for a in self.columns]
        self.upper = int(Fraction(certificate.upper) * self.D)
        self.prices: dict[int, tuple[Matrix, Matrix]] = {}

    def lines(self) -> Iterator[str]:
        certificate, n = self.certificate, self.certificate.n
        yield f"sparse-eigenvalue-proof {n} {self.k} {self.D}"
        if certificate.factor is None:
            yield "dense"
            yield from map(_words, self.S)
        else:
            yield f"factor {len(certificate.factor)} {self.unit}"
            yield from map(_words, self.columns)
        yield f"{int(Fraction(certificate.lower) * self.D)} {self.upper}"
        yield _words(_scaled([certificate.loadings], _denominator(certificate.loadings))[0])
        points = list(self.points())
        yield str(len(points))
        yield from points
        yield from self.tree()

    def points(self) -> Iterator[str]:
        """Yield the points, each spread over all n variables, and weights of 1 as the last."""
        n = self.certificate.n
        for at, point in enumerate(self.certificate.points):
            if isinstance(point, WeightsPoint):
                weights = [0] * n
                for i, w in zip(
                    point.variables, _scaled([point.weights], _denominator(point.weights))[0], strict=True
                ):
                    weights[i] = w
                yield "weights " + _words(weights)
            elif isinstance(point, PerronPoint):
                self.prices[at] = (self.spread(point, point.P), self.spread(point, point.N))
                yield "perron " + "\n".join(_words(row) for matrix in self.prices[at] for row in matrix)
            else:
                yield "weights " + _words([0] * n)  # no leaf refers to it
        yield "weights " + _words([1] * n)

    def spread(self, point: PerronPoint, block: Any) -> Matrix:
        whole = np.zeros((self.certificate.n, self.certificate.n))
        whole[np.ix_(point.variables, point.variables)] = block
        return _scaled(whole, self.D)

    def tree(self) -> Iterator[str]:
        """Yield the nodes, the inside child before the outside one."""
        waiting: list[tuple[int, list[int], list[int]]] = [(0, [], list(range(self.certificate.n)))]
        reached = 0
        while waiting:
            at, J, F = waiting.pop()
            node = self.certificate.tree[at]
            reached += 1
            if reached > len(self.certificate.tree):
                raise NotProved("a node of the tree is reached twice")
            if isinstance(node, Leaf):
                yield self.leaf(at, node, J, F)
                continue
            yield f"split {node.variable}"
            others = [i for i in F if i != node.variable]
            waiting += [(node.outside, J, others), (node.inside, [node.variable, *J], others)]

    def leaf(self, at: int, leaf: Leaf, J: list[int], F: list[int]) -> str:
        room = self.k - len(J)
        if not 0 <= room <= len(F) or leaf.kind == "void":
            return "void"
        if leaf.kind == "rowsum":
            return f"rowsum {len(self.certificate.points) if leaf.point is None else leaf.point}"
        variables = J + (F if room else [])
        if leaf.kind == "trace":
            slack = self.upper - _dearest([self.S[i][i] for i in F], room) - sum(self.S[i][i] for i in J)
            rows = max(sum(map(abs, row)) for row in self.S)
            d = slack // (self.k - 1) if self.k > 1 else rows
            return f"trace {d} " + self.evidence(at, self.block(variables, 1, [d] * len(variables)))
        diagonal = [self.upper] * len(variables)
        if leaf.kind != "perron":
            return "spectral " + self.evidence(at, self.block(variables, -1, diagonal))
        P, N = self.prices[leaf.point or 0]
        for place, i in enumerate(variables):
            free = set(variables[len(J) :])
            partners = _dearest([N[i][j] for j in free - {i}], room - (i in free))
            diagonal[place] -= sum(N[i][j] for j in J) + partners
        M = self.block(variables, -1, diagonal)
        for row, i in zip(M, variables, strict=True):
            for place, j in enumerate(variables):
                row[place] += P[i][j]
        return f"perron {leaf.point} " + self.evidence(at, M)

    def block(self, variables: Sequence[int], sign: int, diagonal: Sequence[int]) -> Matrix:
        """Return sign * Sigma + Diag(diagonal) on the variables."""
        M = [[sign * self.S[i][j] for j in variables] for i in variables]
        for place, value in enumerate(diagonal):
            M[place][place] += value
        return M

    def evidence(self, at: int, M: Matrix) -> str:
        """Return g and L, longer numbers where short ones do not suffice."""
        for bits in (60, 120, 240):
            g = max(1, 4 ** max(0, bits - max(map(_length, M)) // 2))
            L = _factor(M, g)
            if L is not None:
                return f"{g} {len(L)} " + "\n".join(f"{len(row)} {_words(row)}" for row in L)
        raise NotProved(f"node {at} does not prove the claimed upper bound")


def _factor(M: Matrix, g: int) -> Matrix | None:
    """Return a triangular L with g M - LL' diagonally dominant, or None."""
    L: Matrix = []
    room = 2 * (len(M) + 1) * (isqrt(g * max(max(M[i][i] for i in range(len(M))), 0)) + 1)
    for i, row in enumerate(M):
        new: list[int] = []
        for j in range(i):
            rest = g * row[j] - sum(map(mul, new, L[j]))
            new.append((2 * rest + L[j][j]) // (2 * L[j][j]))
        pivot = g * row[i] - room - sum(map(mul, new, new))
        if pivot <= 0:
            return None
        L.append([*new, isqrt(pivot) or 1])
    return L


def _dearest(prices: list[int], count: int) -> int:
    return sum(sorted(prices, reverse=True)[: max(count, 0)])


def _length(row: Sequence[int]) -> int:
    return max(abs(x).bit_length() for x in row)


def _denominator(values: Any) -> int:
    """Return the common denominator of doubles: a power of two."""
    return max((float(x).as_integer_ratio()[1] for x in values), default=1)


def _scaled(rows: Any, unit: int) -> Matrix:
    return [[p * (unit // q) for p, q in (float(x).as_integer_ratio() for x in row)] for row in rows]


def _words(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


if __name__ == "__main__":
    sys.stdout.write(translate(Certificate.load(sys.argv[1])))
