"""Which part of a file is used: some columns, and what is not missing, by the reader's codes too."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.errors import InputError, counted, in_line
from relaxspca.problem.arguments import one_or_several
from relaxspca.problem.checks import first_ten, likely, warn_of_data
from relaxspca.problem.observations import is_sparse, rows_kept
from relaxspca.reading.cells import COMMAS, fault_of, is_like_number, is_number, number_of
from relaxspca.reading.contents import Bad, Contents


def chosen(
    found: Contents, columns: Sequence[str] | None = None, exclude: Sequence[str] | None = None
) -> list[int]:
    """Return the positions of some columns in the order asked for, without those excluded.

    Examples
    --------
    >>> import numpy as np
    >>> found = Contents(np.ones((2, 3)), ("a", "b", "c"))
    >>> chosen(found, exclude=["b"]), chosen(found, ["c", "a"])
    ([0, 2], [2, 0])
    """
    names, left_out = _names(found), [*map(str, one_or_several(exclude or ()))]
    wanted = [name for name in names if name not in left_out]
    if columns is not None:
        wanted = [*map(str, one_or_several(columns))]
    for name in (*wanted, *left_out):
        if name == found.label_name and name in left_out:
            continue  # row labels are left out anyway
        if name not in names:
            raise InputError(f"there is no column {name!r}: {_hint(name, found)}")
    if len(set(wanted)) < len(wanted):
        twice = next(name for name in wanted if wanted.count(name) > 1)
        raise InputError(f"the column {twice!r} is asked for twice, or two columns have that name")
    kept = [names.index(name) for name in wanted if name not in left_out]
    if not kept:
        what = "no column is asked for" if columns is not None and not wanted else "every column is excluded"
        raise InputError(f"{what}: there is nothing left to analyse")
    return kept


def is_numeric(found: Contents) -> bool:
    """Say whether every cell is a number or missing."""
    return all(cell.is_missing for cell in found.bad)


def with_columns(found: Contents, kept: list[int]) -> Contents:
    """Return some of the columns of observations."""
    place, names = {j: i for i, j in enumerate(kept)}, _some(found.names, kept)
    bad = tuple(cell._replace(column=place[cell.column]) for cell in found.bad if cell.column in place)
    return replace(found, matrix=found.matrix[:, kept], names=names, note=_noted(found, kept), bad=bad)


def with_variables(found: Contents, kept: list[int]) -> Contents:
    """Return some of the variables of a symmetric matrix: columns and their rows."""
    names, labels = found.names, found.labels
    rows = kept
    if names is not None and labels is not None and sorted(names) == sorted(labels):
        rows = [labels.index(names[j]) for j in kept]
    fewer = with_columns(found, kept)
    return replace(fewer, matrix=fewer.matrix[rows, :], labels=_some(labels, rows))


def complete(found: Contents, *, drop_missing: bool, may_drop: bool = True) -> Contents:
    """Return contents without missing cells, observations that have one dropped if that is wanted."""
    _check_texts(found, drop_missing=drop_missing)
    bad = min((cell for cell in found.bad if not (drop_missing and cell.is_missing)), default=None)
    if bad is not None:
        such = "such observations"
        if not is_sparse(found.matrix) and all(cell.is_missing for cell in found.bad):
            gaps = np.isnan(found.matrix).any(axis=1)
            such = f"the {gaps.sum()} of {len(gaps)} observations with such cells"
        advice = f", or drop {such} (--drop-missing, drop_missing=True)" if may_drop and bad.is_missing else ""
        raise InputError(f"{bad.message}{advice}")
    if not drop_missing or is_sparse(found.matrix):
        return found
    kept = rows_kept(found.matrix, _names(found), found.labels)
    return replace(found, matrix=found.matrix[kept], labels=_some(found.labels, kept), bad=())


def _check_texts(found: Contents, *, drop_missing: bool) -> None:
    """Raise where several columns hold text, naming all of them and what each needs."""
    texts = sorted((cell for cell in found.bad if cell.text), key=lambda cell: cell.column)
    if len(texts) < 2:
        return
    names = _names(found)
    commas = [cell for cell in texts if is_number(cell.cell, ",")]
    units = [cell for cell in texts if cell not in commas and is_like_number(cell.cell)]
    words = [cell for cell in texts if cell not in commas + units]
    without = in_line([names[cell.column] for cell in words], ",")
    code, count = max(Counter(cell.cell for cell in words).items(), key=lambda pair: pair[1], default=("", 0))
    missing = f"; if {code!r} says that a value is missing, give --na {code} (na=)" if count > 1 else ""
    advised = (
        (words, f"leave out what is not a number (--exclude {without}, exclude=[...]) or encode it{missing}"),
        (units, "write the numbers alone, or leave them out"),
        (commas, fault_of("1,234") if all(cell.cell[-4:-3] == "," for cell in commas) else COMMAS),
    )
    parts = [f"{_told(cells, names)}: {advice}" for cells, advice in advised if cells]
    if not drop_missing and any(cell.is_missing for cell in found.bad):
        advice = "--drop-missing (drop_missing=True) leaves their observations out"
        parts.append(f"other cells are missing: {advice}")
    raise InputError(f"{counted(len(texts), 'column')} are not numeric: {'; '.join(parts)}")


def _told(cells: list[Bad], names: list[str]) -> str:
    more = f" and {len(cells) - 10} more" if len(cells) > 10 else ""
    return ", ".join(f"{names[cell.column]!r} ({cell.text})" for cell in cells[:10]) + more


def _names(found: Contents) -> list[str]:
    return list(found.names) if found.names else [f"x{j}" for j in range(found.matrix.shape[1])]


def _hint(name: str, found: Contents) -> str:
    if name == found.label_name:
        return "it was taken for row labels, which are no variable"
    if Path(name).is_file():
        return "it is a file; write the names of columns in its place (--columns a,b, columns=['a', 'b'])"
    return likely(name, _names(found))


def _some(names: tuple[str, ...] | None, kept: Sequence[int]) -> tuple[str, ...] | None:
    return None if names is None else tuple(names[i] for i in kept)


def _noted(found: Contents, kept: list[int]) -> str:
    there = set(kept)
    left = [name for j, name in enumerate(_names(found)) if j not in there]
    return "; ".join(part for part in (found.note, f"left out: {first_ten(left)}" if left else "") if part)


def checked_codes(na: Any) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return the numbers, and the words, that stand for missing values, of which one or several are given.

    Examples
    --------
    >>> checked_codes(["99", -9, "refused"])
    ((99.0, -9.0), ('refused',))
    """
    numbers, words = [], []
    for one in one_or_several(na):
        if not isinstance(one, str | Real) or isinstance(one, bool):
            raise InputError(
                f"na must be what stands for missing values, such as 99 or ['99', 'none'], not {one!r}"
            )
        value = number_of(one.strip()) if isinstance(one, str) else float(one)
        if math.isnan(value):
            words.append(str(one).strip())
        else:
            numbers.append(value)
    return tuple(numbers), tuple(words)


def without_words(rows: list[list[str]], words: tuple[str, ...]) -> list[list[str]]:
    """Return rows of cells with those empty that hold a word for a missing value."""
    return [["" if cell in words else cell for cell in row] for row in rows] if words else rows


def without_codes(found: Contents, codes: Sequence[float]) -> Contents:
    """Return contents in which the cells with such a number are missing; a note says how many there are.

    A number that stands nowhere is named in a `DataWarning`.
    """
    if not codes or is_sparse(found.matrix):
        return found
    matrix, bad, notes = found.matrix.copy(), [*found.bad], [found.note]
    for code in codes:
        places = found.matrix == code
        value = f"{code:.15g}"
        if not places.any():
            warn_of_data(f"no cell holds {value}, which is said to stand for missing values (--na, na=)")
            continue
        notes.append(f"{value} read as missing in {counted(int(places.sum()), 'cell')}")
        matrix[places] = np.nan
        known = [cell.column for cell in bad if cell.is_missing]
        for j in np.setdiff1d(np.flatnonzero(places.any(axis=0)), known).tolist():
            i, name = int(places[:, j].argmax()), repr(found.names[j]) if found.names else str(j + 1)
            said = f"holds {value}, read as missing: remove or impute missing values first"
            bad.append(Bad(i, j, True, f"column {name}, row {i + 1} {said}"))
    return replace(found, matrix=matrix, bad=tuple(bad), note="; ".join(filter(None, notes)))
