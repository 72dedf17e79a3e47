"""Names, row labels and numbers among the cells of a table, wherever the cells were read."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.errors import InputError, counted
from relaxspca.reading.cells import (
    DECIMAL_POINT,
    has_decimal_comma,
    is_marked_number,
    is_missing,
    is_number,
    is_text,
)
from relaxspca.reading.contents import Bad, Contents, named

__all__ = ["contents_of"]

TRUTH = {"True": "1", "TRUE": "1", "False": "0", "FALSE": "0"}  # as pandas, R and spreadsheets write it
UNNAMED = ("", "Unnamed: 0")  # the second is what pandas makes of the first when it reads its own file


def contents_of(rows: list[list[str]]) -> Contents:
    """Tell names and row labels from numbers in a table of cells.

    Notes
    -----
    The first line holds names when it holds text. A first line of numbers is data, unless it can only be
    names: at least three whole numbers, all different, above cells that all have a decimal point or above a
    symmetric matrix, or a count 0, 1, 2, ... above columns of decimals, as pandas writes it. The first
    column holds row labels when the header leaves it without a name or when it is text all along.

    Raises
    ------
    InputError
        The lines differ in length, or there are no numbers.
    """
    if any(not TRUTH.keys().isdisjoint(row) for row in rows):
        rows = [[TRUTH.get(cell, cell) for cell in row] for row in rows]
    _check_title(rows)
    header = rows[0] if _is_header(rows[0], rows[1:]) else None
    body = rows[1:] if header else rows
    if not body:
        raise InputError("there is a header line but no numbers below it")
    if header and all(len(row) == len(header) + 1 for row in body):
        header = ["", *header]  # R writes no name above its row names
    _check_lengths(body, len(header or body[0]))
    labels = tuple(row[0] for row in body) if _has_labels(header, body) else None
    start = 1 if labels else 0
    names = named(header[start:]) if header else None
    numbered = [str(j + 1) for j in range(len(body[0]))]
    columns = [repr(name) for name in header[start:]] if header else numbered[start:]
    matrix, bad = _numbers([row[start:] for row in body], columns)
    label_name = header[0] if header and labels else ""
    return Contents(matrix, names, labels, label_name, note=_note(header, names, labels), bad=bad)


def _is_header(first: list[str], body: list[list[str]]) -> bool:
    rest = first[1:] or first
    if any(map(is_text, rest)):
        return True
    below = [row[0] for row in body]
    if is_number(first[0]):
        return len(first) > 2 and _are_numbered_names(first, body)
    is_confirmed = _is_count(rest) or below == rest or _is_count(below) or _is_count(["0", *below])
    if is_missing(first[0]):
        return first[0] == "" and (is_confirmed or all(map(is_text, below)))
    if is_text(first[0]) and any(map(is_text, below)) and not is_confirmed:
        shown = ", ".join(first[:4])
        raise InputError(
            f"the first line ({shown[:60]}, ...) may hold names or an observation: add a header line of names"
        )
    return is_text(first[0])


def _are_numbered_names(first: list[str], body: list[list[str]]) -> bool:
    """Say whether a line of numbers stands above what it can only name."""
    if len(set(first)) < len(first) or not all(cell.isdecimal() for cell in first):
        return False
    # Whoever writes 1.0 writes 0.0 too.
    columns = [["." in cell for cell in column] for column in zip(*body, strict=False)]
    if all(map(all, columns)) or (_is_count(first) and all(map(any, columns))):
        return bool(body)
    return len(body) == len(first) and [list(column) for column in zip(*body, strict=False)] == body


def _is_count(cells: list[str]) -> bool:
    return cells == [str(j) for j in range(len(cells))]


def _has_labels(header: list[str] | None, body: list[list[str]]) -> bool:
    if len(body[0]) == 1:
        return False
    if header and header[0] in UNNAMED:
        return True
    first = [row[0] for row in body]
    are_numbers = any(map(is_number, first)) or all(map(is_marked_number, first))
    return any(map(is_text, first)) and not are_numbers


def _note(header: list[str] | None, names: tuple[str, ...] | None, labels: tuple[str, ...] | None) -> str:
    notes = []
    if names and not any(map(is_text, names)):
        notes.append(f"first line ({names[0]}, ...) taken as names")
    if labels and sorted(labels) != sorted(names or ()):
        which = repr(header[0]) if header and header[0] else f"({labels[0]}, ...)"
        notes.append(f"first column {which} taken as row labels")
    return "; ".join(notes)


def _check_title(rows: list[list[str]]) -> None:
    """Raise where the first line holds one cell of text above a header of several."""
    first = [cell for cell in rows[0] if cell]
    if len(first) == 1 and len(rows) > 2 and is_text(first[0]) and min(len(rows[1]), len(rows[2])) > 1:
        is_single = len(rows[0]) == 1 or all(map(is_text, rows[1]))
        if is_single and len(rows[1]) > 2:
            raise InputError(f"the first line holds only {first[0]!r}: delete what stands above the names")


def _check_lengths(body: list[list[str]], width: int) -> None:
    lengths = [len(row) for row in body]
    if len(body) > 2 and {b - a for a, b in zip(lengths, lengths[1:], strict=False)} in ({1}, {-1}):
        raise InputError("its rows make a triangle: write the whole symmetric matrix")
    for i, row in enumerate(body):
        if len(row) != width:
            raise InputError(f"row {i + 1} has {counted(len(row), 'cell')}, not {width}")


def _numbers(
    body: list[list[str]], columns: list[str]
) -> tuple[np.ndarray[Any, np.dtype[np.float64]], tuple[Bad, ...]]:
    """Return the cells as numbers, nan where they are none, and the first bad cells of every column."""
    try:
        matrix = np.array([list(map(_number, row)) for row in body])
    except ValueError:
        matrix = np.array([[_number(cell) if is_number(cell) else np.nan for cell in row] for row in body])
    bad: dict[tuple[int, bool], Bad] = {}
    for i, j in np.argwhere(~np.isfinite(matrix)).tolist():
        cell = body[i][j]
        key = (j, is_missing(cell))
        if key not in bad:
            bad[key] = Bad(i, j, key[1], _fault(cell, i + 1, columns[j]))
    return matrix, tuple(bad.values())


def _number(cell: str) -> float:
    return float(cell) if "_" not in cell else np.nan


def _fault(cell: str, row: int, column: str) -> str:
    if is_missing(cell):
        shown = repr(cell) if cell else "an empty cell"
        return f"column {column}, row {row} holds {shown}: remove or impute missing values first"
    if is_number(cell):
        return f"column {column}, row {row} holds {cell!r}: every entry must be finite"
    advice = "drop it (--exclude, exclude=[...]) or encode it as numbers"
    if has_decimal_comma(cell):
        advice = f"{DECIMAL_POINT}, or say that decimals stand behind a comma (--decimal ',', decimal=',')"
    return f"column {column} is not numeric: row {row} holds {cell[:40]!r}; {advice}"
