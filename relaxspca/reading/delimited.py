"""Reading a table from CSV, TSV or text between white space, with or without names and row labels."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.errors import InputError, counted
from relaxspca.reading.cells import (
    DECIMAL_POINT,
    delimiter_of,
    has_decimal_comma,
    is_missing,
    is_number,
    is_text,
    read_lines,
    split,
)
from relaxspca.reading.contents import Contents, named

__all__ = ["read_delimited"]

UNNAMED = ("", "Unnamed: 0")  # the second is what pandas makes of the first when it reads its own file


def read_delimited(path: Path) -> Contents:
    """Read a table of numbers from a text file.

    Notes
    -----
    The first line holds names when it holds text. A first line of numbers is data, unless it can only be
    names: at least three whole numbers, all different, above cells that all have a decimal point or above a
    symmetric matrix, or a count 0, 1, 2, ... above columns of decimals, as pandas writes it. The first
    column holds row labels when the header leaves it without a name or when it is text all along.

    Raises
    ------
    InputError
        The lines differ in length, or a cell is missing or no finite number.
    """
    lines = [line for _, line in read_lines(path)]
    rows = split(lines, delimiter_of(lines[0]))
    header = rows[0] if _is_header(rows[0], rows[1:]) else None
    body = rows[1:] if header else rows
    if not body:
        raise InputError("there is a header line but no numbers below it")
    if header and all(len(row) == len(header) + 1 for row in body):
        header = ["", *header]  # R writes no name above its row names
    _check_lengths(body, len(header or body[0]))
    labels = [row[0] for row in body] if _has_labels(header, body) else []
    start = 1 if labels else 0
    names = named(header[start:]) if header else None
    return Contents(_numbers(body, header, start), names, note=_note(header, names, labels))


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
    return any(is_text(row[0]) for row in body) and not any(is_number(row[0]) for row in body)


def _note(header: list[str] | None, names: tuple[str, ...] | None, labels: list[str]) -> str:
    notes = []
    if names and not any(map(is_text, names)):
        notes.append(f"first line ({names[0]}, ...) taken as names")
    if labels and tuple(labels) != names:
        which = repr(header[0]) if header and header[0] else f"({labels[0]}, ...)"
        notes.append(f"first column {which} taken as row labels")
    return "; ".join(notes)


def _check_lengths(body: list[list[str]], width: int) -> None:
    for i, row in enumerate(body):
        if len(row) != width:
            raise InputError(f"row {i + 1} has {counted(len(row), 'cell')}, not {width}")


def _numbers(
    body: list[list[str]], header: list[str] | None, start: int
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the cells from column ``start`` on as numbers."""
    try:
        matrix = np.array([list(map(_number, row[start:])) for row in body])
    except ValueError:
        matrix = np.full((1, 1), np.nan)
    if np.isfinite(matrix).all():
        return matrix
    for i, row in enumerate(body):
        for j, cell in enumerate(row[start:], start=start):
            if not is_number(cell) or np.isinf(float(cell)):
                raise InputError(_fault(cell, i + 1, repr(header[j]) if header else str(j + 1)))
    return matrix


def _number(cell: str) -> float:
    return float(cell) if "_" not in cell else math.nan


def _fault(cell: str, row: int, column: str) -> str:
    if is_missing(cell):
        shown = repr(cell) if cell else "an empty cell"
        return f"column {column}, row {row} holds {shown}: remove or impute missing values first"
    if is_number(cell):
        return f"column {column}, row {row} holds {cell!r}: every entry must be finite"
    advice = DECIMAL_POINT if has_decimal_comma(cell) else "drop it or encode it as numbers"
    return f"column {column} is not numeric: row {row} holds {cell[:40]!r}; {advice}"
