"""Warn of columns that number the observations and so are hardly variables."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from relaxspca.errors import warn_of_data
from relaxspca.problem.observations import is_sparse

__all__ = ["warn_of_numbering"]

FEWEST = 4  # observations; fewer count up by accident
CALLED = re.compile(r"(?i:(.*[ _.-])?(id|ids|index|idx|key|code|nr|no|number|row|unnamed: 0))|.*[a-z](Id|ID)")


def warn_of_numbering(X: Any, names: tuple[str, ...]) -> None:
    """Warn of columns of distinct whole numbers that count 1, 2, 3, ... or are called like an identifier.

    Examples
    --------
    >>> warn_of_numbering(np.array([[1.0, 3.0], [4.0, 2.0], [3.0, 9.0]]), ("height", "girth"))
    """
    if is_sparse(X) or X.shape[0] < FEWEST:
        return
    steps = np.diff(X, axis=0)
    counts = np.abs(steps[0]) == 1
    counts &= (steps == steps[0]).all(axis=0)
    called = [j for j, name in enumerate(names) if CALLED.fullmatch(name) and _are_distinct(X[:, j])]
    found = sorted({*np.flatnonzero(counts).tolist(), *called})
    if found:
        is_one = len(found) == 1
        which = ", ".join(repr(names[j]) for j in found[:5]) + (", ..." if len(found) > 5 else "")
        what = "seems to number observations but is" if is_one else "seem to number observations but are"
        warn_of_data(
            f"{which} {what} used as a variable: exclude it if it is not one (--exclude on the command line, "
            "exclude=[...] in rs.read)",
        )


def _are_distinct(column: Any) -> bool:
    return bool((column == np.round(column)).all()) and np.unique(column).size == column.size
