"""Dual points in whole numbers, over all variables of the certificate, and what a leaf has left to show.

Each class takes one kind of point of `relaxspca.certificate`: `factors` and `linear` are its numbers in the two
units, `scale` makes them whole, `lines` writes them, and `left` is the matrix that must be semidefinite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import permutations, product
from math import isqrt
from operator import mul
from typing import Any

import numpy as np
from integers import (
    Matrix,
    NotProved,
    below,
    block,
    counted,
    denominator,
    evidence,
    gram,
    plus,
    scaled,
    words,
    written,
)

from relaxspca.certificate import Certificate, FactorPoint, Point, RowsPoint
from relaxspca.checker.family import Family

Free = list[tuple[set[int], int]]  # what is free of each part, and how many of it a support has
NEAR = 2.0**-29  # how far from singular a shared matrix stays for each variable, of its largest entry
FINE = 2**100  # prices are rounded upwards to units of at most the largest entry of Sigma over this


class Parts:
    """Parts of the variables, and how many of each a support has; of the variables of one class it has one."""

    def __init__(self, parts: Sequence[tuple[Sequence[int], int]], labels: Any) -> None:
        self.parts, self.labels = parts, labels
        self.classes: list[int] = labels.tolist()

    def at(self, J: Sequence[int], F: Sequence[int]) -> Family | None:
        """Return the supports of a leaf; None without a support."""
        return Family.at(J, F, self.parts, self.labels)

    def charge(self, prices: Sequence[int], order: Sequence[int], known: Sequence[int], free: Free) -> int:
        """Return what the dearest free variables of each part cost, beside some that are known."""
        taken, total = {self.classes[i] for i in known}, 0
        for mine, room in free:
            left = room - len(mine.intersection(known))
            for j in order if left > 0 else ():
                if j in mine and self.classes[j] not in taken:
                    taken.add(self.classes[j])
                    total, left = total + prices[j], left - 1
                    if not left:
                        break
        return total


class Spread:
    """A point spread over all n variables, which yields the `lines` that the checker reads."""

    number = 0  # among the points of its kind

    def __init__(self, point: Any, certificate: Certificate, parts: Parts) -> None:
        self.point, self.certificate, self.parts = point, certificate, parts
        self.n = len(parts.classes)
        self.variables = [int(i) for i in point.variables]

    def factors(self) -> Iterable[float]:
        """Yield the numbers of which products are in units of 1/D."""
        return ()

    def linear(self) -> Iterable[float]:
        """Yield the numbers that are in units of 1/D themselves."""
        return ()

    def scale(self, unit: int, S: Matrix) -> None:
        """Make everything whole."""

    def wide(self, block: Any) -> Any:
        """Return rows of numbers for all variables, 0 for those that the point does not have."""
        whole = np.zeros((block.shape[0], self.n))
        whole[:, self.variables] = block
        return whole


class Weights(Spread):
    """Weights of rows; the matrix is paid by rows alone."""

    def scale(self, unit: int, S: Matrix) -> None:
        # What no support of a node has may be free there, and then has a row: any weight but 0 will do.
        w = np.full(self.n, 0.0 if self.certificate.claim.nonnegative else self.point.weights.max())
        w[self.variables] = self.point.weights
        self.whole = scaled(w[None, :], denominator(w))[0]


class Rows(Spread):
    """P and N, as they are."""

    def linear(self) -> Iterable[float]:
        return [*self.point.P.flat, *self.point.N.flat]

    def scale(self, unit: int, S: Matrix) -> None:
        point, pairs = self.point, [[(0, 0)] * self.n for _ in range(self.n)]
        if point.weights is not None:  # all of S is paid, and what they charge for it is rounded up
            counts = partial(max, 0) if self.certificate.claim.nonnegative else abs
            w = dict(zip(self.variables, *scaled([point.weights], denominator(point.weights)), strict=True))
            for i, j in permutations(self.variables, 2):
                pairs[i][j] = S[i][j], -(-counts(S[i][j]) * w[j] // w[i])
        paid = self.variables if point.paid is None else point.paid.tolist()
        P, N = (scaled(block, unit**2) for block in (point.P, point.N))
        for (a, i), (b, j) in product(enumerate(paid), repeat=2):
            pairs[i][j] = P[a][b], N[a][b]
        self.P, self.N = ([[pair[at] for pair in row] for row in pairs] for at in (0, 1))
        self.order = dearest_first(self.N)

    def lines(self) -> Iterator[str]:
        yield f"{written(self.P)} {written(self.N)}"

    def rest(self, upper: int, family: Family) -> dict[int, int]:
        """Return what the rows of the variables in use leave of a bound."""
        free = [({*mine}, room) for mine, room in family.parts]
        found = {}
        for i in [*family.inside, *family.free]:
            known = sum(self.N[i][j] for j in {*family.inside, i})
            found[i] = upper - known - self.parts.charge(self.N[i], self.order[i], [i], free)
        return found


class Shared:
    """P and N for leaves one after another, and what rows leave of their bounds, the least of each variable.

    P - S with that on its diagonal is positive semidefinite on the variables of these leaves, as floats say.
    """

    def __init__(self, why: str, point: Rows | None, S: Matrix, rest: dict[int, int]) -> None:
        self.why, self.point, self.S, self.rest = why, point, S, rest
        self.linked = [i for i in rest if any(i != j and self.left(i, j) for j in rest)]
        M = self.without(self.linked)
        self.top = max([1, *(max(map(abs, row)) for row in M)])
        self.floats = np.array([[x / self.top for x in row] for row in M]).reshape(len(M), len(M))

    def left(self, i: int, j: int) -> int:
        """Return an entry of P - S."""
        return (0 if self.point is None else self.point.P[i][j]) - self.S[i][j]

    def without(self, used: Sequence[int]) -> Matrix:
        """Return P - S on some variables."""
        return [[self.left(i, j) for j in used] for i in used]

    def serves(self, rest: dict[int, int]) -> bool:
        """Say whether it serves another leaf of some of its variables, too."""
        least = {i: min(x, rest.get(i, x)) for i, x in self.rest.items()}
        if not rest.keys() <= least.keys() or any(x + self.left(i, i) < 0 for i, x in least.items()):
            return False
        diagonal = np.array([least[i] / self.top for i in self.linked]) - NEAR * len(least)
        try:
            np.linalg.cholesky(self.floats + np.diag(diagonal))
        except np.linalg.LinAlgError:
            return False
        self.rest = least
        return True

    def __str__(self) -> str:
        """Return it in the words of the checker, with the evidence."""
        used = sorted(self.rest)
        number = "none" if self.point is None else self.point.number
        rest = [self.rest[i] for i in used]
        found = evidence(plus(self.without(used), rest), self.why)
        weights = words(int(i in self.rest) for i in range(len(self.S)))
        return f"{weights} {number} {counted(used)} {words(rest)} {found}"


class Factor(Spread):
    """Columns a_i and y_i, the charges t_i with y_i y_i' + t_i I >= a_i a_i', and what A'A leaves of Sigma."""

    def __init__(self, point: Any, certificate: Certificate, parts: Parts) -> None:
        super().__init__(point, certificate, parts)
        own = certificate.factor
        if point.factor is not None:
            self.factor = point.factor
        elif own is not None and own.shape[0] == point.vectors.shape[0]:
            self.factor = own[:, point.variables]
        else:
            raise NotProved("a factor point has no factor of its own, and the claim's does not fit it")

    def factors(self) -> Iterable[float]:
        return [*self.factor.flat, *self.point.vectors.flat]

    def scale(self, unit: int, S: Matrix) -> None:
        self.A, self.Y = (scaled(self.wide(x).T, unit) for x in (self.factor, self.point.vectors))
        self.charges = [_charge(a, y) for a, y in zip(self.A, self.Y, strict=True)]
        product = gram([self.A[i] for i in self.variables])
        E = np.array(block(S, self.variables), dtype=object) - np.array(product, dtype=object)
        self.residual = max(sum(map(abs, row)) - abs(row[at]) + row[at] for at, row in enumerate(E))

    def lines(self) -> Iterator[str]:
        yield str(len(self.point.vectors))
        yield from map(words, [*self.A, *self.Y, self.charges, [self.residual]])

    def left(self, S: Matrix, upper: int, family: Family) -> Matrix:
        free = [({*mine}, room) for mine, room in family.parts]
        cost = self.parts.charge(self.charges, dearest_first([self.charges])[0], family.inside, free)
        chosen = [*(self.A[i] for i in family.inside), *(self.Y[i] for i in family.free)]
        rows = [list(row) for row in zip(*chosen, strict=True)]
        if upper < self.residual:
            raise NotProved("the claimed bound is below the residual of a factor point")
        return below(upper - self.residual - cost, gram(rows))


class Multipliers(Spread):
    """M and y; M is Sigma where the point does not speak of it."""

    def linear(self) -> Iterable[float]:
        return [*self.point.M.flat, *self.point.y]

    def scale(self, unit: int, S: Matrix) -> None:
        self.block, self.M = scaled(self.point.M, unit**2), list(S)
        for i, row in zip(self.variables, self.block, strict=True):
            self.M[i] = list(S[i])
            for j, x in zip(self.variables, row, strict=True):
                self.M[i][j] = x
        self.y = scaled(self.wide(self.point.y[None, :]), unit**2)[0]

    def lines(self) -> Iterator[str]:
        yield counted(self.variables)
        yield from map(words, [*self.block, self.y])


def spread(point: Point, certificate: Certificate, parts: Parts) -> Spread:
    """Return a point of a certificate over all its variables."""
    rows = Weights if getattr(point, "P", None) is None else Rows
    return {RowsPoint: rows, FactorPoint: Factor}.get(type(point), Multipliers)(point, certificate, parts)


def dearest_first(prices: Matrix) -> list[list[int]]:
    """Return for each row of prices its places, the dearest first."""
    return [sorted(range(len(row)), key=row.__getitem__, reverse=True) for row in prices]


def fine(own: Any) -> int:
    """Return a D with which the largest entry of Sigma, or of its factor, has a hundred bits."""
    p, q = float(np.abs(own).max()).as_integer_ratio()
    return FINE * q * max(p, q) // p**2 if p else 1


def _charge(a: Sequence[int], y: Sequence[int]) -> int:
    """Return about the least t > 0 with |a|^2 (t + |y|^2) - (a'y)^2 <= t (t + |y|^2), and not less."""
    aa, yy, ay = (int(sum(map(mul, *pair))) for pair in ((a, a), (y, y), (a, y)))
    p: int = aa - yy
    return max(1, (p + isqrt(max(p * p + 4 * (aa * yy - ay * ay), 0)) + 2) // 2 + 1)
