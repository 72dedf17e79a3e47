"""Reading somebody's component from a file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from relaxspca.errors import InputError, counted, in_line
from relaxspca.problem.checks import likely, warn_of_data
from relaxspca.reading.cells import (
    fault_of,
    has_decimal_comma,
    is_like_number,
    is_missing,
    is_number,
    is_text,
    written_plainly,
)
from relaxspca.reading.delimited import cut_cells, delimiter_of, lines_about
from relaxspca.reading.libraries import WORKBOOKS, rows_of_workbook

EMPTY = "it may stand for 0 or for a loading that is not known: write 0, or leave the cell empty, for 0"
DASHES = ("-", "–", "—", "−")
DECIMAL = re.compile(r"[;\t]\s*[-+−]?0,\d")  # no thousands begin with 0


class _LoadingLine(NamedTuple):
    where: str  # file, number of the line and the line
    cells: list[str]
    is_spaced: bool  # a name and numbers, with nothing but white space between them


def read_loadings(path: str | Path, names: tuple[str, ...], *, decimal: str = ".") -> Any:
    """Read somebody's component for `relaxspca.certify`: loadings, names, or loadings by name of several.

    A file may hold numbers, one a variable, in a row or a column; lines of a name and a loading, zeros left out
    or not, with or without a header line; names of the support, one a line; a .npy vector; or the JSON that the
    command line printed. The first sheet of a workbook may hold the same lines. A table of components has a
    loading for each on a line, after the name of the variable or without names, or a line of n numbers for each
    component; or names of variables in its first line and a line for each component. `decimal` stands before
    decimals where semicolons or tabs stand between cells; a cell such as 0,5 shows that it is a comma. An error
    quotes the line.
    """
    path = Path(path)
    if path.suffix.lower() == ".npy":
        array = _guarded(path, lambda p: np.load(p, allow_pickle=False))
        return array if array.ndim == 2 and min(array.shape) > 1 else np.ravel(array)
    if path.suffix.lower() == ".json":
        return _loadings_of_json(path, _guarded(path, lambda p: p.read_text(encoding="utf-8-sig")), names)
    known, titles = set(names), list[str]()
    numbered = _guarded(path, lambda p: _lines(p, names))
    decimal = "," if any(DECIMAL.search(line) for _, line in numbered) else decimal
    lines = [_line(f"{path}, line {at} ({line.strip()[:60]!r})", line, known, decimal) for at, line in numbered]
    if all(len(line.cells) > 1 and not line.cells[-1] for line in lines):  # a delimiter ends every line
        lines = [line._replace(cells=line.cells[:-1]) for line in lines]
    lines = _without_blanks(_cut_below_names(lines, known), path, known)
    if {"support", "indices"} <= {*lines[0].cells} - known:
        raise InputError(
            f"{path}: it has the variables of results and not their loadings: write these with components "
            "--loadings FILE, or keep what solve or components print with --json in a file, and give that"
        )
    if _is_wide(lines, known):
        return _wide_table(lines, names)
    if _is_header(lines, known):
        titles, lines = _titles(*lines[:2]), lines[1:]
    if _is_vector(lines, names):
        found, first = _numbers(lines, len(names)), in_line(names[:5])
        unknown = next((title for title in titles if title not in known), None)
        if np.ndim(found) == 2 and len(found) < len(titles) == len(names) and unknown is not None:
            raise InputError(f"{path}: there is no variable {unknown!r}; the first names are {first}")
        return found
    is_table = len(lines) > 1 and len(lines[0].cells) > 2 and lines[0].cells[0] in known
    titles = _component_titles(titles, lines) if is_table else []
    used = _by_name(lines, names, len(titles) or int(any(len(line.cells) > 1 for line in lines)))
    if is_table:
        return {title: {name: own[j] for name, own in used.items()} for j, title in enumerate(titles)}
    return _vector({name: own[0] for name, own in used.items()}, names) if any(used.values()) else [*used]


def _lines(path: Path, names: Sequence[str]) -> list[tuple[int, str]]:
    """Return the numbered lines of a text file, or the rows of a workbook as such."""
    if path.suffix.lower() in WORKBOOKS:
        rows, _ = rows_of_workbook(path)
        return [(number, in_line(row, ",")) for number, row in enumerate(rows, start=1)]
    return lines_about(path, names)


def _line(where: str, line: str, known: set[str], decimal: str) -> _LoadingLine:
    try:
        return _LoadingLine(where, _cells(line, known, decimal), delimiter_of(line) is None)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _cells(line: str, known: set[str], decimal: str) -> list[str]:
    """Cut a line at its delimiter, or at white space into a name and a number or into numbers."""
    if line.strip(" \r\n") in known:  # not tabs, behind which cells may be empty
        return [line.strip()]
    mark = "," if decimal == "," and (";" in line or "\t" in line) else "."
    delimiter = delimiter_of(line, mark)
    cells = [cell if cell in known else written_plainly(cell, mark) for cell in cut_cells([line], delimiter)[0]]
    return cells if delimiter is not None or not any(map(is_text, cells)) else _spaced(cells, known)


def _spaced(cells: list[str], known: set[str]) -> list[str]:
    """Join the words of a name that stands before its loadings, with white space between them."""
    are_words = [is_text(cell) and cell not in DASHES for cell in cells]
    ends = [i for i in range(1, len(cells)) if " ".join(cells[:i]) in known and not any(are_words[i:])]
    if len(ends) > 1:
        either = " or ".join(repr(" ".join(cells[:i])) for i in ends)
        raise InputError(f"this may be of {either}: put commas or tabs between cells")
    end = ends[0] if ends else len(cells) - (not is_text(cells[-1]))
    return [" ".join(cells[:end]), *cells[end:]]


def _without_blanks(lines: list[_LoadingLine], path: Path, known: set[str]) -> list[_LoadingLine]:
    """Return lines with 0 for empty cells and dashes among loadings; a `DataWarning` counts them."""
    filled, count = [], 0
    for line in lines:
        name, *cells = line.cells
        if name in known or any(map(is_number, cells)):
            empty = [cell == "" or cell in DASHES for cell in cells]
            count += sum(empty)
            cells = ["0" if blank else cell for blank, cell in zip(empty, cells, strict=True)]
        filled.append(line._replace(cells=[name, *cells]))
    if count:
        warn_of_data(f"{path}: {counted(count, 'empty cell')} read as 0: a variable that is not used")
    return filled


def _cut_below_names(lines: list[_LoadingLine], known: set[str]) -> list[_LoadingLine]:
    """Cut lines at every space where the first one names variables, as R prints components in rows."""
    names = lines[0].cells[0].split()
    is_one = len(lines) == 1 or len(lines[0].cells) > 1 or len(names) < 2
    if is_one or lines[0].cells[0] in known or not known.issuperset(names):
        return lines
    rows = [line._replace(cells=" ".join(line.cells).split()) for line in lines[1:]]
    titled = len(rows[0].cells) == len(names) + 1
    return [lines[0]._replace(cells=[""] * titled + names), *rows]


def _is_header(lines: list[_LoadingLine], known: set[str]) -> bool:
    """Say whether the first line stands above names and loadings and cannot be one of them itself."""
    if len(lines) == 1 or len(lines[1].cells) < 2:
        return False
    name, *rest = lines[0].cells
    if name in known or any(name.startswith(f"{other} ") for other in known):
        return False
    return name == "" or not any(re.match(r"[-+.\d]", cell) or not is_text(cell) for cell in rest)


def _titles(header: _LoadingLine, first: _LoadingLine) -> list[str]:
    """Return the titles in a first line; where spaces separate them there is one for each loading below."""
    count = len(first.cells) - 1
    if len(header.cells) > 1 or not first.is_spaced:
        return header.cells
    words = header.cells[0].split()
    if len(words) not in (count, count + 1):
        raise InputError(
            f"{header.where}: its {len(words)} words may be titles of components, and below it stand "
            f"{counted(count, 'loading')} a line: write 0 where blanks are, and commas or tabs between cells"
        )
    return words


def _is_wide(lines: list[_LoadingLine], known: set[str]) -> bool:
    """Say whether variables are named in the first line; names that are numbers could be loadings."""
    names = lines[0].cells[1:]
    return len(lines) > 1 and len(names) > 1 and set(names) <= known and not any(map(is_number, names))


def _is_vector(lines: list[_LoadingLine], names: tuple[str, ...]) -> bool:
    """Say whether the lines are numbers without names; a variable may itself be called 0 or 1."""
    if any(not is_text(line.cells[0]) and line.cells[0] not in names for line in lines):
        return True
    cells = [cell for line in lines for cell in line.cells]
    are_pairs = all(len(line.cells) == 2 for line in lines)
    return not are_pairs and len(cells) == len(names) and all(map(is_number, cells))


def _numbers(lines: list[_LoadingLine], n: int) -> Any:
    """Return a vector, or a matrix where the lines are rows of one that holds several vectors of n numbers."""
    rows = [[_number(cell, line) for cell in line.cells] for line in lines]
    shape = len(rows), len(rows[0])
    if min(shape) > 1 and n in shape and {len(row) for row in rows} == {shape[1]}:
        return np.array(rows)
    return np.array([value for row in rows for value in row])


def _component_titles(titles: list[str], lines: list[_LoadingLine]) -> list[str]:
    """Return a title for each component of a table of a variable and its loadings a line."""
    count = len(lines[0].cells) - 1
    is_headed = len(titles) == count + 1  # one title a cell: no comma is a decimal one
    are_whole = all(re.fullmatch(r"[-+]?\d+,\d+", ",".join(x.cells[1:])) for x in lines if len(x.cells) == 3)
    if count == 2 and are_whole and not is_headed and not lines[0].is_spaced:
        raise InputError(
            f"{lines[0].where}: these may be two loadings or one with a decimal comma: write 0.5 for a half"
        )
    titles = titles[-count:] if len(titles) in (count, count + 1) else []
    return titles if len(set(titles)) == count else [f"PC {j + 1}" for j in range(count)]


def _by_name(lines: list[_LoadingLine], names: tuple[str, ...], count: int) -> dict[str, list[float]]:
    """Return so many loadings of each variable, none where lines are names alone."""
    used: dict[str, list[float]] = {}
    for line in lines:
        name, *cells = line.cells
        if name not in names and (cells or count != 1):
            advice = f"{likely(name, names)}; leave out lines that are of no variable"
            if not cells:
                advice = f"write one name a line, as {names[0]!r}"
            elif count == 1 < len(cells):
                where = f"such as {names[0]!r}, in its first column"
                advice = f"a table of components needs the data's names, {where}"
            raise InputError(f"{line.where}: there is no variable {name!r}; {advice}")
        if count == 1 and len(cells) != 1:
            raise InputError(f"{line.where}: write a name and a loading on every line")
        if name in used:
            raise InputError(f"{line.where}: {name!r} is listed a second time; keep one of the two lines")
        if len(cells) != count:
            raise InputError(
                f"{line.where}: it has {len(cells)} loadings, and the lines before it have {count}"
            )
        used[name] = [_number(cell, line) for cell in cells]
    return used


def _wide_table(lines: list[_LoadingLine], names: tuple[str, ...]) -> Any:
    """Return the loadings of each component by name, or a vector: lines below the names of the variables."""
    header, *rows = lines
    is_titled = header.cells[0] not in names
    used = header.cells[is_titled:]
    if len(set(used)) < len(used):
        twice = next(name for name in used if used.count(name) > 1)
        raise InputError(f"{header.where}: {twice!r} is listed a second time; keep one of the two columns")
    titles = [row.cells[0] for row in rows]
    if not is_titled or len(set(titles)) < len(titles):
        titles = [f"PC {j}" for j in range(1, len(rows) + 1)]
    table: dict[str, dict[str, float]] = {}
    for title, row in zip(titles, rows, strict=True):
        cells = row.cells[is_titled:]
        if len(cells) != len(used):
            raise InputError(
                f"{row.where}: it has {counted(len(cells), 'loading')} for {counted(len(used), 'variable')}"
            )
        table[title] = {name: _number(cell, row) for name, cell in zip(used, cells, strict=True)}
    return table if len(table) > 1 else _vector(table[titles[0]], names)


def _vector(loadings: Mapping[str, float], names: Sequence[str]) -> Any:
    """Return the loadings of all variables, 0 where none is given."""
    return np.array([loadings.get(name, 0.0) for name in names], dtype=np.float64)


def _number(cell: str, line: _LoadingLine) -> float:
    if is_number(cell):
        return float(cell)
    advice = EMPTY if is_missing(cell) else "write a name and a loading"
    if has_decimal_comma(cell):
        advice = f"{fault_of(cell)} with semicolons or tabs between cells"
    elif is_like_number(cell):
        advice = "write the number alone: all loadings may be multiplied by the same number"
    raise InputError(f"{line.where}: {cell!r} is not a number; {advice}")


def _loadings_of_json(path: Path, text: str, names: tuple[str, ...]) -> Any:
    """Read loadings: a list, an object of names with those that are not 0, or several of these."""
    try:
        found = json.loads(text)["loadings"]
        if not isinstance(found, dict):
            return np.array(found, dtype=np.float64)
        if found and all(isinstance(value, dict) for value in found.values()):
            return {title: {name: float(x) for name, x in of.items()} for title, of in found.items()}
        if {*found} <= {*names}:
            return _vector(found, names)
    except (ValueError, KeyError, TypeError):
        raise InputError(
            f"{path}: it is not a JSON object with numbers named 'loadings', as solve --json prints one; it "
            "may be a certificate, which relaxspca verify checks"
        ) from None
    unknown = next(name for name in found if name not in names)
    raise InputError(f"{path}: there is no variable {unknown!r}; {likely(unknown, names)}")


def _guarded(path: Path, read: Callable[[Path], Any]) -> Any:
    """Read a file, or say in one line why it cannot be read."""
    try:
        return read(path)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (OSError, ValueError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        advice = "" if path.exists() else "; give a file with a name, or a name and a loading, on each line"
        raise InputError(f"{path} cannot be read: {reason}{advice}") from None
