"""Names, row labels and numbers among the cells of a table, wherever the cells were read."""

from __future__ import annotations

import re
from collections import Counter
from math import isnan
from typing import Any

import numpy as np

from relaxspca.errors import InputError, counted, in_line
from relaxspca.problem.checks import warn_of_data
from relaxspca.problem.mistakes import ORDERED
from relaxspca.reading.cells import (
    COMMAS,
    fault_of,
    is_like_number,
    is_missing,
    is_number,
    is_text,
    number_of,
    unit_of,
)
from relaxspca.reading.choice import without_words
from relaxspca.reading.contents import Bad, Contents, named
from relaxspca.reading.printed import triangle_of, without_stars

GROUP = re.compile(r"[-+]?[1-9]\d{0,2}[.,]\d{3}")  # with one mark for decimals or thousands
SMALL = re.compile(r"[-+]?\d{1,3}")
TRUTH = ("false", "true")  # however pandas, R and spreadsheets write it
UNNAMED = ("", "Unnamed: 0")  # the second is what pandas makes of the first when it reads its own file


def contents_of(
    rows: list[list[str]], decimal: str = ".", missing: tuple[str, ...] = (), *, data: bool | None = None
) -> Contents:
    """Tell names and row labels from numbers in a table of cells, or raise `InputError` where two are right.

    The first line holds names when it holds words and no number. A first line of numbers is data, unless it can
    only be names: at least three whole numbers, all different, above cells that all have a decimal point or
    above a symmetric matrix, or a count 0, 1, 2, ... above columns of decimals, as pandas writes it, or
    wavelengths such as 850, 850.5, 851, ..., which rise or fall where most lines below do not. A line of words
    and numbers holds names where the numbers are a count, or years. The first column holds row labels when the
    header leaves it without a name, or when no cell is a number and at most half are like one, as 15 cm is.

    `missing` are words for missing values beside the usual ones; `data` says whether the rows are observations,
    or not: then they may be half of a matrix.
    """
    told = without_stars(without_words(rows, missing), decimal)
    half = None if data else triangle_of(told, decimal, is_told=data is False)
    if half is not None:
        return half
    diagonal = [row[i:][:1] for i, row in enumerate(rows[1:], 1 - len(rows))]
    if not data and all(cell and number_of(cell[0], decimal) == 1 for cell in diagonal):
        rows = without_stars(rows, decimal)  # of correlations
    _check_title(rows)
    header = rows[0] if _is_header(rows[0], without_words(rows[1:], missing), decimal) else None
    body = without_words(rows[1:] if header else rows, missing)
    if not body:
        raise InputError("there is a header line but no numbers below it")
    if header and all(len(row) == len(header) + 1 for row in body):
        _check_row_names([row[0] for row in body], decimal)
        header = ["", *header]  # R writes no name above its row names
    _check_lengths(body, len(header or body[0]), decimal, is_data=bool(data))
    check = _check_second_header if header else _check_no_axis
    check(body[0], body[1:], decimal)
    labels = tuple(row[0] for row in body) if _has_labels(header, body, decimal) else None
    start = 1 if labels else 0
    names = named(header[start:]) if header else None
    columns = [*map(repr, names)] if names else [str(j + 1) for j in range(start, len(body[0]))]
    matrix, bad = _numbers([row[start:] for row in body], columns, decimal)
    _warn_of_groups([row[start:] for row in body[:100]], columns, decimal)
    note = _note(header, names, labels, decimal, matrix.shape[1])
    return Contents(matrix, names, labels, header[0] if header and labels else "", note=note, bad=bad)


def _is_header(first: list[str], body: list[list[str]], decimal: str) -> bool:
    columns = [[row[j] for row in body if j < len(row)] for j in range(len(first))]
    are_words = [_is_word(cell, column, decimal) for cell, column in zip(first, columns, strict=True)]
    numbers = [first[j] for j, is_word in enumerate(are_words) if not (is_word or is_missing(first[j]))]
    rest, below = first[1:] or first, columns[0]
    are_labels = any(is_text(cell, decimal) for cell in below)
    if not numbers and (any(are_words[1:] or are_words) or (any(are_words) and not are_labels)):
        return True
    if not any(are_words) and numbers[:1] == first[:1]:
        return len(first) > 2 and (_are_numbered_names(first, body) or _is_axis(first, body, decimal))
    is_confirmed = _is_count(rest) or below == rest or _is_count(below) or _is_count(["0", *below])
    # Above labels of text and nothing but decimals, different whole numbers are names: wavelengths, years.
    inner = [row[1:] for row in body]
    is_confirmed |= are_labels and len(rest) > 2 and _are_numbered_names(rest, inner)
    is_confirmed |= _is_axis(rest, inner, decimal)
    is_confirmed &= first[0] not in numbers
    if not any(are_words):
        return first[0] == "" and (is_confirmed or all(is_text(cell, decimal) for cell in below))
    are_even = _are_steps(numbers) or _is_axis(numbers, [], decimal)
    if is_confirmed or (are_even and (any(are_words[1:]) or not are_labels)):
        return True
    have_commas = decimal == "." and all("," in cell and is_number(cell, ",") for cell in numbers)
    advice = "add a header line of names, delete a title, or write names that are no numbers (x1 for 1)"
    raise InputError(
        f"the first line ({in_line(first[:4])[:60]}, ...) may hold names or an observation: "
        + (COMMAS if have_commas else advice)
    )


def _is_word(cell: str, below: list[str], decimal: str) -> bool:
    """Say whether a cell of the first line is a word, and not one of the values below it."""
    if cell.lower() in TRUTH:
        return not any(other.lower() in TRUTH for other in below)
    if is_missing(cell) or is_number(cell, decimal):
        return False
    others = (other for other in below if not is_number(other, decimal))
    return not (is_like_number(cell) and any(map(is_like_number, others)))


def _are_numbered_names(first: list[str], body: list[list[str]]) -> bool:
    """Say whether a line of numbers stands above what it can only name."""
    if len(set(first)) < len(first) or not all(cell.isdecimal() for cell in first):
        return False
    # Whoever writes 1.0 writes 0.0 too.
    columns = [["." in cell for cell in column] for column in zip(*body, strict=False)]
    if all(map(all, columns)) or (_is_count(first) and all(map(any, columns))):
        return bool(body)
    return len(body) == len(first) and [list(column) for column in zip(*body, strict=False)] == body


def _is_axis(first: list[str], body: list[list[str]], decimal: str) -> bool:
    """Say whether many numbers with decimals rise or fall throughout, unlike those of most lines below."""
    if len(first) < ORDERED or all(cell.isdecimal() for cell in first):
        return False
    rising = sum(_is_monotone(row, decimal) for row in body)
    return _is_monotone(first, decimal) and 2 * rising <= len(body)


def _check_no_axis(first: list[str], body: list[list[str]], decimal: str) -> None:
    """Refuse a first line of numbers that may be names: in order, and each far from all below it."""
    is_symmetric = [row[0] for row in body] == first[1:]
    if is_symmetric or min(len(first), len(body)) < 3 or not all(is_number(cell, decimal) for cell in first):
        return
    columns = np.array([[number_of(cell, decimal) for cell in row] for row in body])
    low, high = columns.min(axis=0), columns.max(axis=0)
    values = np.array([number_of(cell, decimal) for cell in first])
    is_outside = bool(((values > 2 * high - low) | (values < 2 * low - high)).all())
    if is_outside and _is_monotone(first, decimal):
        raise InputError(
            f"the first line ({in_line(first[:3])}, ...) may hold names, such as wavelengths, or an "
            "observation: its numbers are in order and far from those below; write names as words (nm850.5), "
            "or add a header line of names above an observation"
        )


def _is_monotone(cells: list[str], decimal: str) -> bool:
    values = [number_of(cell, decimal) for cell in cells]
    steps = [b - a for a, b in zip(values, values[1:], strict=False)]
    return min(steps) > 0 or max(steps) < 0


def _is_count(cells: list[str]) -> bool:
    return cells == [str(j) for j in range(len(cells))]


def _are_steps(cells: list[str]) -> bool:
    """Say whether cells are whole numbers at equal steps, as years: three or more, or a count from 0 on."""
    if not all(cell.isdecimal() for cell in cells):
        return False
    steps = {int(b) - int(a) for a, b in zip(cells, cells[1:], strict=False)}
    return len(steps) == 1 and steps != {0} and (len(cells) > 2 or _is_count(cells))


def _has_labels(header: list[str] | None, body: list[list[str]], decimal: str) -> bool:
    if len(body[0]) == 1:
        return False
    if header and header[0] in UNNAMED:
        return True
    first = [row[0] for row in body if not is_missing(row[0])]
    if not first or any(is_number(cell, decimal) or cell.lower() in TRUTH for cell in first):
        return False
    # 12 Elm Street is a label: a unit is short, or stands beside several numbers.
    units = Counter(unit_of(cell) for cell in first if is_like_number(cell))
    return 2 * sum(count for unit, count in units.items() if count > 1 or len(unit) < 3) <= len(first)


def _check_row_names(first: list[str], decimal: str) -> None:
    """Raise where every line has one cell more than the header, and the first need not be row names."""
    numbered = [str(j) for j in range(len(first) + 1)]
    if any(is_number(cell, decimal) for cell in first) and first not in (numbered[1:], numbered[:-1]):
        raise InputError(
            f"every line has one cell more than the first: {first[0]!r} may be a row label, or a part of a "
            'number that is cut in two: put "" before the names for labels, or quotes around such numbers'
        )


def _note(header: list[str] | None, names: Any, labels: Any, decimal: str, n: int) -> str:
    notes = []
    if header is None:
        notes.append(f"no line of names: the columns are called x0{' to x' + str(n - 1) if n > 1 else ''}")
    if names and any(is_number(name, decimal) for name in names):
        notes.append(f"first line ({names[0]}, ...) taken as names")
    if labels and sorted(labels) != sorted(names or ()):
        which = repr(header[0]) if header and header[0] else f"({labels[0]}, ...)"
        notes.append(f"first column {which} taken as row labels")
    return "; ".join(notes)


def _check_title(rows: list[list[str]]) -> None:
    """Raise where the first line holds one cell of text above a header of several."""
    first = [cell for cell in rows[0] if cell]
    if len(first) != 1 or len(rows) < 3 or not is_text(first[0]) or len(rows[1]) < 3 or len(rows[2]) < 2:
        return
    if len(rows[0]) == 1 or all(map(is_text, rows[1])):
        raise InputError(f"the first line holds only {first[0]!r}: delete what stands above the names")


def _check_second_header(first: list[str], rest: list[list[str]], decimal: str) -> None:
    """Raise where the line below the names holds words, in columns that hold numbers otherwise."""
    words = [j for j, cell in enumerate(first) if is_text(cell, decimal)]
    have_numbers = len(rest) < 2 or any(is_number(cell, decimal) for cell in first)
    if not have_numbers and any(all(is_number(row[j], decimal) for row in rest) for j in words):
        raise InputError(
            f"its first two lines hold words, the second ({in_line(first[:4])[:60]}, ...) above numbers: write "
            "one line of names, and units in the names or nowhere"
        )


def _check_lengths(body: list[list[str]], width: int, decimal: str, *, is_data: bool) -> None:
    lengths = [len(row) for row in body]
    if len(body) > 2 and {b - a for a, b in zip(lengths, lengths[1:], strict=False)} in ({1}, {-1}):
        odd = [cell for row in body for cell in row if is_like_number(cell) and not is_number(cell, decimal)]
        advice = "write the whole matrix"
        if is_data:
            advice = "it seems half of a matrix, and observations are asked for (--data, data=True) or needed"
        raise InputError(f"its rows make a triangle: {fault_of(odd[0], decimal) if odd else advice}")
    for i, row in enumerate(body):
        if len(row) != width:
            raise InputError(
                f"row {i + 1} has {counted(len(row), 'cell')}, not {width}: a name with a separator in it, as "
                "a space may be, is read as two cells; put it in quotes, write NA for a blank, and delete notes"
            )


def _numbers(
    body: list[list[str]], columns: list[str], decimal: str
) -> tuple[np.ndarray[Any, np.dtype[np.float64]], tuple[Bad, ...]]:
    """Return the cells as numbers, nan where they are none, and the first bad cells of every column."""
    matrix = np.array([[_number(cell, decimal) for cell in row] for row in body])
    bad: dict[tuple[int, bool], Bad] = {}
    for i, j in np.argwhere(~np.isfinite(matrix)).tolist():
        cell, is_gap = body[i][j], is_missing(body[i][j])
        if (j, is_gap) not in bad:
            said = "" if is_gap or is_number(cell, decimal) else f"row {i + 1} holds {cell[:40]!r}"
            bad[j, is_gap] = Bad(i, j, is_gap, _fault(cell, i + 1, columns[j], decimal), said, cell)
    return matrix, tuple(bad.values())


def _warn_of_groups(body: list[list[str]], columns: list[str], decimal: str) -> None:
    """Name the first column in which the decimal mark may group thousands, as in 1,580 beside 491."""
    for name, cells in zip(columns, zip(*body, strict=True), strict=True):
        marked = [cell for cell in cells if decimal in cell]
        whole = [cell for cell in cells if decimal not in cell and not is_missing(cell)]
        are_groups = len(marked) > 1 and all(map(GROUP.fullmatch, marked)) and all(map(SMALL.fullmatch, whole))
        if are_groups and (long := max(whole, key=len, default="")).lstrip("+-")[2:]:
            how = f"{marked[0]!r} was read as {number_of(marked[0], decimal):g}, beside {long!r}"
            warn_of_data(f"column {name}: {how}; if the mark groups thousands, write numbers without it")
            return


def _number(cell: str, decimal: str) -> float:
    found = number_of(cell, decimal)
    return float(TRUTH.index(cell.lower())) if isnan(found) and cell.lower() in TRUTH else found


def _fault(cell: str, row: int, column: str, decimal: str) -> str:
    if is_missing(cell) or is_number(cell, decimal):
        advice = "remove or impute missing values first" if is_missing(cell) else "every entry must be finite"
        return f"column {column}, row {row} holds {repr(cell) if cell else 'an empty cell'}: {advice}"
    advice = "correct the cell, drop the column (--exclude, exclude=[...]) or encode it as numbers"
    if is_like_number(cell):
        advice = fault_of(cell, decimal)
    return f"column {column} is not numeric: row {row} holds {cell[:40]!r}; {advice}"
