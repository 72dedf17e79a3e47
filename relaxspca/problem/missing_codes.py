"""Warn of values that stand for missing ones, such as 99 on a scale from 0 to 10."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from relaxspca.errors import counted, in_line
from relaxspca.numerics.linalg import Array
from relaxspca.problem.checks import warn_of_data
from relaxspca.problem.observations import is_sparse

USUAL = re.compile(r"9+[789]|77+|88+|9+6|2147483648")  # digits of what questionnaires and archives write
FEWEST = 3  # cells with any other value


def warn_of_codes(X: Any, names: tuple[str, ...]) -> None:
    """Warn of a value that stands in several cells, far outside the other values of their columns.

    A usual code (99, 998, -77, 99.99) is far outside from half of the range of the other values on, and two
    cells are enough; a single digit from once that range on, and any other value from three times. These two
    stand in a quarter of the cells at most, and the other values make a scale: whole numbers without a
    hole, or numbers between which no hole is wider than half of their range. So 4, 6 and 8 cylinders, or doses
    of 1, 10 and 100, are values.

    Examples
    --------
    >>> warn_of_codes(np.array([[1.0, 20.0], [4.0, 35.0], [3.0, 99.0], [5.0, 80.0]]), ("grade", "age"))
    """
    if is_sparse(X):
        return
    found: dict[float, list[tuple[int, int, float, float]]] = defaultdict(list)
    for sign in (1.0, -1.0):
        for j in np.flatnonzero(_may_have_codes(sign * X)):
            for code, count, low, high in _codes(sign * X[:, j]):
                ends = (low, high) if sign > 0 else (-high, -low)
                found[sign * code].append((int(j), count, *ends))
    for code, cells in sorted(found.items()):
        total = sum(count for _, count, _, _ in cells)
        if total > 1 or code == -2147483648:
            _warn(code, total, cells, names)


def _may_have_codes(X: Array) -> Any:
    """Say which columns have a largest value that is a usual code, or stands in several cells."""
    top = X.max(axis=0)
    return ((top == X).sum(axis=0) >= FEWEST) | np.array([_is_usual(value) for value in top])


def _codes(column: Array) -> Iterator[tuple[float, int, float, float]]:
    """Yield the codes at the upper end of a column: value, number of cells, and the range of the others."""
    tops: list[float] = []
    rest = column
    while rest.size:
        tops.append(float(rest.max()))
        rest = rest[rest < tops[-1]]
        if rest.size < FEWEST or rest.min() == rest.max():
            return
        low, high = float(rest.min()), float(rest.max())
        counts = [int((column == top).sum()) for top in tops]
        if _are_far(tops, counts, rest):
            yield from ((top, count, low, high) for top, count in zip(tops, counts, strict=True))
            return
        if not _is_usual(tops[-1]):
            return


def _are_far(tops: list[float], counts: list[int], rest: Array) -> bool:
    """Say whether values are so far outside the others that they hardly belong to them."""
    low, high = float(rest.min()), float(rest.max())
    gap, spread = min(tops) - high, high - low
    if all(map(_is_usual, tops)):
        return 2 * gap >= spread
    is_rare = len(tops) == 1 and FEWEST <= counts[0] <= rest.size / 3
    is_digit = abs(tops[0]) in range(10) and spread >= 2
    return is_rare and gap >= (spread if is_digit else 3 * spread) and _is_scale(rest)


def _is_scale(values: Array) -> bool:
    """Say whether values are whole numbers without a hole, or have no hole wider than half of their range."""
    holes = np.diff(np.unique(values))
    return bool((holes == 1).all() or 2 * holes.max() <= holes.sum())


def _is_usual(value: float) -> bool:
    return USUAL.fullmatch(_written(abs(value)).replace(".", "")) is not None


def _written(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(float(value))


def _warn(code: float, total: int, cells: list[tuple[int, int, float, float]], names: tuple[str, ...]) -> None:
    value = _written(code)
    low, high = min(cell[2] for cell in cells), max(cell[3] for cell in cells)
    where = in_line([f"{names[j]} ({count})" for j, count, _, _ in cells[:5]])
    where += f" and {counted(len(cells) - 5, 'more column')}" if len(cells) > 5 else ""
    warn_of_data(
        f"{value} stands in {counted(total, 'cell')} ({where}), far outside the other values there "
        f"({_written(low)} to {_written(high)}), and is used as a number: if it says that a value is missing, "
        f"give --na{'=' if code < 0 else ' '}{value} (na=[{value}] in rs.read, NaN in a data frame)"
    )
