"""Dual points in whole numbers, over all variables of the certificate, and what a leaf has left to show.

Each class takes one kind of point of `relaxspca.certificate`: `factors` and `linear` are its numbers in the two
units, `scale` makes them whole, `lines` writes them, and `left` is the matrix that must be semidefinite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isqrt
from typing import Any

import numpy as np
from integers import (
    Matrix,
    NotProved,
    block,
    counted,
    denominator,
    evidence,
    plus,
    scaled,
    whole,
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
        point, own = self.point, np.ix_(self.variables, self.variables)
        self.P, self.N = (np.zeros((self.n, self.n), dtype=object) for _ in range(2))
        if point.weights is not None:  # all of S is paid, and what they charge for it is rounded up
            self.P[own] = pairs = plus(S[own], -S[own].diagonal())
            counts = np.maximum(pairs, 0) if self.certificate.claim.nonnegative else abs(pairs)
            [w] = scaled([point.weights], denominator(point.weights))
            self.N[own] = -(-counts * w // w[:, None])
        paid = self.variables if point.paid is None else point.paid
        here = np.ix_(paid, paid)
        self.P[here], self.N[here] = scaled(point.P, unit**2), scaled(point.N, unit**2)
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
        self.used = sorted(rest)
        self.left = (0 if point is None else block(point.P, self.used)) - block(S, self.used)
        self.linked = (plus(self.left, -self.left.diagonal()) != 0).any(axis=1)
        M = block(self.left, np.flatnonzero(self.linked))
        self.top = abs(M).max(initial=1)
        self.floats = (M / self.top).astype(float)

    def serves(self, rest: dict[int, int]) -> bool:
        """Say whether it serves another leaf of some of its variables, too."""
        least = {i: min(x, rest.get(i, x)) for i, x in self.rest.items()}
        added = whole([least[i] for i in self.used])
        if not rest.keys() <= least.keys() or (added + self.left.diagonal() < 0).any():
            return False
        diagonal = (added[self.linked] / self.top).astype(float) - NEAR * len(least)
        try:
            np.linalg.cholesky(self.floats + np.diag(diagonal))
        except np.linalg.LinAlgError:
            return False
        self.rest = least
        return True

    def __str__(self) -> str:
        """Return it in the words of the checker, with the evidence."""
        number = "none" if self.point is None else self.point.number
        rest = [self.rest[i] for i in self.used]
        found = evidence(plus(self.left, rest), self.why)
        weights = words(int(i in self.rest) for i in range(len(self.S)))
        return f"{weights} {number} {counted(self.used)} {words(rest)} {found}"


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
        own = self.A[self.variables]
        E = block(S, self.variables) - own @ own.T
        self.residual = (abs(E).sum(axis=1) - abs(E.diagonal()) + E.diagonal()).max()

    def lines(self) -> Iterator[str]:
        yield str(len(self.point.vectors))
        yield from map(words, [*self.A, *self.Y, self.charges, [self.residual]])

    def left(self, S: Matrix, upper: int, family: Family) -> Matrix:
        free = [({*mine}, room) for mine, room in family.parts]
        [order] = dearest_first(whole([self.charges]))
        cost = self.parts.charge(self.charges, order, family.inside, free)
        chosen = np.vstack([self.A[[*family.inside]], self.Y[family.free]])
        if upper < self.residual:
            raise NotProved("the claimed bound is below the residual of a factor point")
        return plus(-chosen.T @ chosen, upper - self.residual - cost)


class Multipliers(Spread):
    """M and y; M is Sigma where the point does not speak of it."""

    def linear(self) -> Iterable[float]:
        return [*self.point.M.flat, *self.point.y]

    def scale(self, unit: int, S: Matrix) -> None:
        self.block, self.M = scaled(self.point.M, unit**2), S.copy()
        self.M[np.ix_(self.variables, self.variables)] = self.block
        self.y = scaled(self.wide(self.point.y[None, :]), unit**2)[0]

    def lines(self) -> Iterator[str]:
        yield counted(self.variables)
        yield from map(words, [*self.block, self.y])


def spread(point: Point, certificate: Certificate, parts: Parts) -> Spread:
    """Return a point of a certificate over all its variables."""
    rows = Weights if getattr(point, "P", None) is None else Rows
    return {RowsPoint: rows, FactorPoint: Factor}.get(type(point), Multipliers)(point, certificate, parts)


def dearest_first(prices: Matrix) -> Any:
    """Return for each row of prices its places, the dearest first."""
    return np.argsort(-prices, axis=1, kind="stable").tolist()


def fine(own: Any) -> int:
    """Return a D with which the largest entry of Sigma, or of its factor, has a hundred bits."""
    p, q = float(np.abs(own).max()).as_integer_ratio()
    return FINE * q * max(p, q) // p**2 if p else 1


def _charge(a: Any, y: Any) -> int:
    """Return about the least t > 0 with |a|^2 (t + |y|^2) - (a'y)^2 <= t (t + |y|^2), and not less."""
    aa, yy, ay = a @ a, y @ y, a @ y
    p: int = aa - yy
    return max(1, (p + isqrt(max(p * p + 4 * (aa * yy - ay * ay), 0)) + 2) // 2 + 1)
