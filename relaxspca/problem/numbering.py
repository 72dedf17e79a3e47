"""Warn of columns that number or date the observations and so are hardly variables."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from relaxspca.errors import in_line
from relaxspca.numerics.linalg import Array
from relaxspca.problem.checks import warn_of_data
from relaxspca.problem.observations import is_sparse

FEWEST = 4  # observations; fewer count up by accident
ORDERED = 8  # observations that hardly ever stand in order by accident
CALLED = re.compile(r"(?i:(.*[ _.-])?(id|ids|index|idx|key|code|nr|no|number|row|unnamed: 0))|.*[a-z](Id|ID)")
DATED = re.compile(
    r"(?i:(.*[ _.-])?(date|datum|day|week|month|monat|year|jahr|quarter|time|timestamp|yyyymm|yyyymmdd)s?)"
    r"|.*[a-z](Date|Day|Week|Month|Year|Time)"
)


def warn_of_numbering(X: Any, names: tuple[str, ...]) -> None:
    """Warn of columns that number or date the observations.

    These are columns of distinct whole numbers that count 1, 2, 3, ... or are called like an identifier;
    columns of dates such as 199001 or 20240131; columns in strict order that are called like a date, or are
    the first and whole; and a first column with equal steps, such as wavelengths.

    Examples
    --------
    >>> warn_of_numbering(np.array([[1.0, 3.0], [4.0, 2.0], [3.0, 9.0]]), ("height", "girth"))
    """
    if is_sparse(X) or X.shape[0] < FEWEST:
        return
    steps = np.diff(X, axis=0)
    even = np.ptp(steps, axis=0) <= 1e-6 * np.abs(steps[0])
    counts = even & (np.abs(steps[0]) == 1)
    counts[0] |= even[0] and steps[0, 0] != 0 and len(X) >= ORDERED
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
