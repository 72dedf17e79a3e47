"""Reading a table from CSV, TSV or text between white space."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from relaxspca.errors import InputError
from relaxspca.reading.cells import is_number
from relaxspca.reading.contents import Contents
from relaxspca.reading.lines import Lines, cut_cells, delimiter_of, read_lines, uncertain
from relaxspca.reading.r_print import printed_by_r
from relaxspca.reading.table import contents_of

SAID = re.compile(r"sep=(.)")  # what Excel reads and writes above a table
SEPARATORS = {"tab": "\t", "\\t": "\t", "space": None, " ": None, "comma": ",", "semicolon": ";"}


def read_delimited(
    path: Path,
    *,
    data: bool | None = None,
    sep: str | None = None,
    decimal: str = ".",
    missing: tuple[str, ...] = (),
) -> Contents:
    """Read a table of numbers from a text file, gzip, bzip2 or xz compressed perhaps; "-" is standard input.

    `sep` stands between cells, one character, "tab" or "space", found in the first line when not given; `data`
    and `missing` are those of `relaxspca.reading.table.contents_of`. A line that begins with # and may be an
    observation, or names, as well as a comment is an error.
    """
    found = read_lines(path)
    lines = [line for _, line in found.kept]
    if said := SAID.fullmatch(lines[0]):
        sep, lines = said[1] if sep is None else sep, lines[1:]
    printed = printed_by_r(lines) if sep is None and decimal == "." else None
    if sep is None:
        # A title, or the first row of a triangle, does not tell.
        delimiter = delimiter_of(lines[0], decimal) or delimiter_of(lines[-1], decimal)
    elif sep in SEPARATORS or len(sep) == 1:
        delimiter = SEPARATORS.get(sep, sep)
    else:
        raise InputError(f"sep must be one character, tab or space, not {sep!r}")
    if delimiter == decimal:
        raise InputError(f"{decimal!r} cannot stand both between cells and before decimals: give another sep")
    rows, how = printed or (cut_cells(lines, delimiter), "")
    contents = contents_of(rows, decimal, missing, data=data)
    _check_comments(found, contents, delimiter, decimal)
    found.say_what_is_left_out(path)
    return replace(contents, note="; ".join(filter(None, (found.left_out, how, contents.note))))


def _check_comments(lines: Lines, found: Contents, delimiter: str | None, decimal: str) -> None:
    """Raise where a comment has the cells of an observation, or of the names that are lacking."""
    width = found.matrix.shape[1]
    whole = width + (found.labels is not None)
    for number, line in lines.comments:
        cells = cut_cells([line.lstrip("#")], delimiter)[0]
        is_above = number < lines.kept[0][0]
        if is_above and found.names is not None:
            continue
        if len(cells) == whole and any(is_number(cell, decimal) for cell in cells):
            raise uncertain(number, line, "an observation")
        if is_above and len(cells) in {width, whole} - {1}:
            raise uncertain(number, line, "the names of the variables")
