"""Doubles as whole numbers of a common unit, and factors that show that a matrix is positive semidefinite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isqrt
from operator import mul
from typing import Any

Matrix = list[list[int]]


class NotCovered(Exception):
    """The theorems do not speak of what is there, or it is too large; the message says which."""


class NotProved(Exception):
    """The evidence does not reach the claimed bound; the message says where."""


def denominator(values: Iterable[Any]) -> int:
    """Return the common denominator of doubles: a power of two."""
    return max((float(x).as_integer_ratio()[1] for x in values), default=1)


def scaled(rows: Any, unit: int) -> Matrix:
    """Return rows of doubles in units of 1/unit."""
    return [[p * (unit // q) for p, q in (float(x).as_integer_ratio() for x in row)] for row in rows]


def words(numbers: Iterable[int]) -> str:
    """Return numbers as the checker reads them."""
    return " ".join(map(str, numbers))


def dearest(prices: Sequence[int], count: int) -> int:
    """Return the sum of the `count` largest."""
    return sum(sorted(prices, reverse=True)[: max(count, 0)])


def gram(columns: Matrix, others: Matrix | None = None) -> Matrix:
    """Return the inner products of columns."""
    return [[sum(map(mul, a, b)) for b in others or columns] for a in columns]


def plus(M: Matrix, added: Sequence[int]) -> Matrix:
    """Return M with a number added to each entry of its diagonal."""
    rows = enumerate(zip(M, added, strict=True))
    return [[x + value * (i == j) for j, x in enumerate(row)] for i, (row, value) in rows]


def evidence(M: Matrix, why: str) -> str:
    """Return g and an L with g M - LL' diagonally dominant, with as few digits as will do.

    A row of which only the diagonal is not 0 needs no row of L. Without an L what is said is not proved.
    """
    alone = [sum(map(bool, row)) == bool(row[i]) for i, row in enumerate(M)]
    if any(row[i] < 0 for i, row in enumerate(M) if alone[i]):
        raise NotProved(why)
    rest = [i for i in range(len(M)) if not alone[i]]
    block = [[M[i][j] for j in rest] for i in rest]
    length = max((abs(x).bit_length() for row in block for x in row), default=0)
    for bits in (60, 120, 240):
        g = 4 ** max(0, bits - length // 2)
        L = _factor(block, g)
        if L is not None:
            own = dict(zip(rest, L, strict=True))
            return f"{g} {written([own.get(i, []) for i in range(len(M))])}"
    raise NotProved(why)


def written(rows: Matrix) -> str:
    """Return rows of any length as the checker reads them; in one without numbers all are 0."""
    return f"{len(rows)} " + "\n".join(f"{len(row)} {words(row)}" if any(row) else "0" for row in rows)


def _factor(M: Matrix, g: int) -> Matrix | None:
    L: Matrix = []
    room = 2 * (len(M) + 1) * (isqrt(g * max((M[i][i] for i in range(len(M)) if M[i][i] > 0), default=0)) + 1)
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
