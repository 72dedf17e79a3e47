"""Doubles as whole numbers of a common unit, and factors that show that a matrix is positive semidefinite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from math import isqrt
from operator import mul
from typing import Any

import numpy as np

Matrix = Any  # an array of whole numbers of any length

# Bits of a factor found in floats, and the room that it has. Machine integers hold all products of the first.
SHORT = (30, 2.0**-30), (50, 2.0**-44)


class NotCovered(Exception):
    """The theorems do not speak of what is there, or it is too large; the message says which."""


class NotProved(Exception):
    """The evidence does not reach the claimed bound; the message says where."""


def denominator(values: Iterable[Any]) -> int:
    """Return the common denominator of doubles: a power of two."""
    return max((float(x).as_integer_ratio()[1] for x in values), default=1)


def whole(rows: Any) -> Matrix:
    """Return whole numbers as an array that holds them whatever their length."""
    return np.array(rows, dtype=object)


def scaled(rows: Any, unit: int) -> Matrix:
    """Return rows of doubles in units of 1/unit."""
    ratios = ([float(x).as_integer_ratio() for x in row] for row in rows)
    return whole([[p * (unit // q) for p, q in row] for row in ratios]).reshape(np.shape(rows))


def words(numbers: Iterable[int]) -> str:
    """Return numbers as the checker reads them."""
    return " ".join(map(str, numbers))


def counted(indices: Sequence[int]) -> str:
    """Return indices, with how many there are first."""
    return words([len(indices), *indices])


def dearest(prices: Sequence[int], count: int) -> int:
    """Return the sum of the `count` largest."""
    return sum(sorted(prices, reverse=True)[: max(count, 0)])


def block(M: Matrix, variables: Any) -> Matrix:
    """Return the rows and columns of some variables."""
    return M[np.ix_(variables, variables)]


def plus(M: Matrix, added: Any) -> Matrix:
    """Return M with a number added to each entry of its diagonal, or the same number to all of them."""
    M = M.copy()
    np.fill_diagonal(M, M.diagonal() + whole(added))
    return M


def evidence(M: Matrix, why: str) -> str:
    """Return g, h and an L with g M - h LL' diagonally dominant, with as few digits as will do.

    A row of which only the diagonal is not 0 needs no row of L. Without an L what is said is not proved.
    """
    linked = (plus(M, -M.diagonal()) != 0).any(axis=1)
    if (M.diagonal()[~linked] < 0).any():
        raise NotProved(why)
    rest = np.flatnonzero(linked).tolist()
    own = block(M, rest)
    length = abs(own).max(initial=0).bit_length()
    units = [4 ** max(0, bits - length // 2) for bits in (60, 120, 240)]
    floats = (_short(own, length, bits, room) for bits, room in SHORT)
    digits = ((g, 1, _factor(own.tolist(), g)) for g in units)
    found = next((one for one in chain(floats, digits) if one[-1] is not None), None)
    if found is None:
        raise NotProved(why)
    L = dict(zip(rest, found[-1] or [], strict=True))
    return f"{found[0]} {found[1]} {written([L.get(i, []) for i in range(len(M))])}"


def written(rows: Matrix) -> str:
    """Return rows of any length as the checker reads them; in one without numbers all are 0."""
    return f"{len(rows)} " + "\n".join(f"{len(row)} {words(row)}" if any(row) else "0" for row in rows)


def _short(M: Matrix, length: int, bits: int, room: float) -> tuple[int, int, Matrix | None]:
    """Return g, h and an L of so many bits, found in floats with room for each variable; None if it fails."""
    g, h = 1 << max(0, 2 * bits - length), 1 << max(0, length - 2 * bits)
    scaled = (M * g / h).astype(float)
    unit = len(M) * 4.0**bits
    try:
        L = np.rint(np.linalg.cholesky(scaled - room * unit * np.eye(len(M))))
    except np.linalg.LinAlgError:
        return g, h, None
    left = scaled - L @ L.T
    is_enough = (2 * left.diagonal() - np.abs(left).sum(axis=1) > 2.0**-48 * unit).all()
    return g, h, [[int(x) for x in row[: i + 1]] for i, row in enumerate(L)] if is_enough else None


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
