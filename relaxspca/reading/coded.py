"""Values that say that one is missing: what the reader of a file was told, and the cells that hold them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from relaxspca.errors import InputError, counted
from relaxspca.problem.checks import warn_of_data
from relaxspca.problem.observations import is_sparse
from relaxspca.reading.cells import number_of
from relaxspca.reading.contents import Bad, Contents


class Codes(NamedTuple):
    """Numbers, and words, that say that a value is missing."""

    numbers: tuple[float, ...] = ()
    words: tuple[str, ...] = ()


def checked_codes(na: Any) -> Codes:
    """Return what stands for missing values: a number, a word, or several.

    Examples
    --------
    >>> checked_codes(["99", -9, "refused"])
    Codes(numbers=(99.0, -9.0), words=('refused',))
    """
    several = [na] if isinstance(na, str | Real) or not isinstance(na, Iterable) else list(na)
    numbers, words = [], []
    for one in several:
        if not isinstance(one, str | Real) or isinstance(one, bool):
            raise InputError(
                f"na must be what stands for missing values, such as 99 or ['99', 'none'], not {one!r}"
            )
        value = number_of(one.strip()) if isinstance(one, str) else float(one)
        if math.isnan(value):
            words.append(str(one).strip())
        else:
            numbers.append(value)
    return Codes(tuple(numbers), tuple(words))


def without_words(rows: list[list[str]], words: tuple[str, ...]) -> list[list[str]]:
    """Return rows of cells with those empty that hold a word for a missing value."""
    return [["" if cell in words else cell for cell in row] for row in rows] if words else rows


def without_codes(found: Contents, codes: Codes) -> Contents:
    """Return contents in which the cells with such a number are missing; a note says how many there are.

    A number that stands nowhere is named in a `DataWarning`.
    """
    if not codes.numbers or is_sparse(found.matrix):
        return found
    matrix, bad, notes = found.matrix.copy(), [*found.bad], []
    for code in codes.numbers:
        places = found.matrix == code
        value = f"{code:.15g}"
        if not places.any():
            warn_of_data(f"no cell holds {value}, which is said to stand for missing values (--na, na=)")
            continue
        notes.append(f"{value} read as missing in {counted(int(places.sum()), 'cell')}")
        matrix[places] = np.nan
        known = {cell.column for cell in bad if cell.is_missing}
        for j in np.flatnonzero(places.any(axis=0)).tolist():
            if j not in known:
                i = int(places[:, j].argmax())
                name = repr(found.names[j]) if found.names else str(j + 1)
                where = f"column {name}, row {i + 1}"
                said = f"{where} holds {value}, read as missing: remove or impute missing values first"
                bad.append(Bad(i, j, True, said))
    note = "; ".join(filter(None, (found.note, "; ".join(notes))))
    return replace(found, matrix=matrix, bad=tuple(bad), note=note)
