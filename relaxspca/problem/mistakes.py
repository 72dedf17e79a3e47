"""Warn of likely mistakes in data: columns that number or date, codes for missing values, dominating units."""

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

FEW_ROWS = 4  # observations; fewer count up by accident
ORDERED = 8  # numbers that hardly ever stand in order by accident
CALLED = re.compile(r"(?i:(.*[ _.-])?(id|ids|index|idx|key|code|nr|no|number|row|unnamed: 0))|.*[a-z](Id|ID)")
DATED = re.compile(
    r"(?i:(.*[ _.-])?(date|datum|day|week|month|monat|year|jahr|quarter|time|timestamp|yyyymm|yyyymmdd)s?)"
    r"|.*[a-z](Date|Day|Week|Month|Year|Time)"
)
USUAL = re.compile(r"9+[789]|77+|88+|9+6|2147483648")  # digits of what questionnaires and archives write
FEW_CELLS = 3  # cells with any other value
MOST = 0.9  # of the trace
RATIO = 1e4  # of the largest variance to the median: a factor of 100 in standard deviation


def warn_of_numbering(X: Any, names: tuple[str, ...]) -> None:
    """Warn of columns that number or date the observations.

    These are columns of distinct whole numbers that count 1, 2, 3, ... or are called like an identifier; one
    column that counts in another order (several may be ranks);
    columns of dates such as 199001 or 20240131; columns in strict order that are called like a date, or are
    the first and whole; and a first column with equal steps, such as wavelengths.

    Examples
    --------
    >>> warn_of_numbering(np.array([[1.0, 3.0], [4.0, 2.0], [3.0, 9.0]]), ("height", "girth"))
    """
    if is_sparse(X) or X.shape[0] < FEW_ROWS:
        return
    steps = np.diff(X, axis=0)
    even = np.ptp(steps, axis=0) <= 1e-6 * np.abs(steps[0])
    counts = even & (np.abs(steps[0]) == 1)
    counts[0] |= even[0] and steps[0, 0] != 0 and len(X) >= ORDERED
    if len(X) >= ORDERED:
        spans = np.flatnonzero(~counts & (np.ptp(X, axis=0) == len(X) - 1))
        shuffled = [j for j in spans if (np.diff(np.sort(X[:, j])) == 1).all()]
        counts[shuffled] = len(shuffled) == 1
    ordered = (steps > 0).all(axis=0) | (steps < 0).all(axis=0)
    found = [j for j, name in enumerate(names) if counts[j] or _is_label(X[:, j], name, j, bool(ordered[j]))]
    if found:
        is_one = len(found) == 1
        which = ", ".join(f"{names[j]!r} ({_values(X[:, j])})" for j in found[:5])
        which += ", ..." if len(found) > 5 else ""
        what = (
            "seems to number or date observations but is used as a variable: leave it out"
            if is_one
            else "seem to number or date observations but are used as variables: leave out those that are none"
        )
        listed = [names[j] for j in found]
        warn_of_data(f"{which} {what} with --exclude {in_line(listed, ',')} (exclude={listed} in rs.read)")


def _is_label(column: Array, name: str, at: int, is_ordered: bool) -> bool:
    is_whole = bool((column == np.round(column)).all())
    if is_whole and (_are_dates(column) or (CALLED.fullmatch(name) and np.unique(column).size == column.size)):
        return True
    return is_ordered and (bool(DATED.fullmatch(name)) or (at == 0 and is_whole and column.size >= ORDERED))


def _are_dates(column: Array) -> bool:
    """Say whether all numbers are months such as 199001, or days such as 19900131, not all the same."""
    days = column if column[0] >= 1e7 else 100 * column + 1
    if days.min() < 15000101 or days.max() > 22001231 or column.min() == column.max():
        return False
    month, day = days // 100 % 100, days % 100
    return bool(((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all())


def _values(column: Array) -> str:
    first = ", ".join(f"{value:.15g}" for value in column[:2])
    return f"{first}, ...; {np.unique(column).size} different values"


def warn_of_codes(X: Any, names: tuple[str, ...]) -> None:
    """Warn of a value that stands in several cells, far outside the other values of their columns.

    A usual code (99, 998, -77, 99.99) is far outside from half of the range of the other values on, and two
    cells are enough; a single digit from once that range on, and any other value from three times. These two
    stand in a quarter of the cells at most, and the other values make a scale: whole numbers without a
    hole, or numbers between which no hole is wider than half of their range. So 4, 6 and 8 cylinders, or doses
    of 1, 10 and 100, are values. Of -2147483648, R's NA among integers, one cell is enough.

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
    return ((top == X).sum(axis=0) >= FEW_CELLS) | np.array([_is_usual(value) for value in top])


def _codes(column: Array) -> Iterator[tuple[float, int, float, float]]:
    """Yield the codes at the upper end of a column: value, number of cells, and the range of the others."""
    tops: list[float] = []
    rest = column
    while rest.size:
        tops.append(float(rest.max()))
        rest = rest[rest < tops[-1]]
        if rest.size < FEW_CELLS or rest.min() == rest.max():
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
    is_rare = len(tops) == 1 and FEW_CELLS <= counts[0] <= rest.size / 3
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


def warn_of_scale(variances: Array, names: tuple[str, ...], *, what: str = "variance") -> None:
    """Warn if one variable, or a few dominating ones, have nine tenths of the total variance.

    A few is a tenth of the variables; dominating is a hundred times the median standard deviation.
    Variables of one unit rarely differ that much, and variables of a correlation matrix never do.

    Examples
    --------
    >>> warn_of_scale(np.array([3.0, 1.0, 2.0]), ("a", "b", "c"))
    """
    variances = np.maximum(variances, 0.0)  # an indefinite matrix may have negative ones
    total = float(variances.sum())
    if variances.size < 3 or not total > 0:
        return
    order = np.argsort(-variances, kind="stable")
    few = 1 + int(np.searchsorted(np.cumsum(variances[order]), MOST * total))
    dwarfs = variances[order[0]] >= RATIO * float(np.median(variances))
    if few == 1 or (few <= variances.size // 10 and dwarfs):
        shown = in_line([names[i] for i in order[:few]])
        share = np.floor(1000 * float(variances[order[:few]].sum()) / total) / 10
        who, they = ("has", "dominates") if few == 1 else ("have", "dominate")
        warn_of_data(
            f"{few} of {variances.size} variables {who} {share:g} % of all {what} ({shown}) and {they} the "
            "result: if units differ, use correlation=True (--correlation)",
        )
