"""Reading a table from CSV, TSV or text between white space: the lines of a file, and their cells."""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import re
import sys
import zlib
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from relaxspca.errors import InputError, counted
from relaxspca.problem.checks import warn_of_data
from relaxspca.reading.cells import has_decimal_comma, is_number
from relaxspca.reading.contents import Contents
from relaxspca.reading.printed import printed_by_r
from relaxspca.reading.table import contents_of

PACKED = {b"\x1f\x8b": gzip.decompress, b"BZh": bz2.decompress, b"\xfd7zXZ": lzma.decompress}
NO_TEXT = {
    b"PK\x03\x04": "a zip archive or a workbook: a workbook's name ends in .xlsx; unpack an archive",
    b"\xd0\xcf\x11\xe0": "an old workbook: save it as .xlsx or CSV",
    b"\x93NUMPY": "an array that numpy saved: its name must end in .npy",
    b"PAR1": "a parquet file: its name must end in .parquet",
    b"\x89HDF": "an HDF5 file: of these, .h5ad can be read; save a table as CSV or .npy",
    b"%PDF": "a PDF: save the table as CSV",
    **dict.fromkeys((b"\xff\xfe", b"\xfe\xff"), "UTF-16 text: save it as UTF-8"),
}
DELIMITERS = ("\t", ",", ";", "|")
QUOTED = re.compile(r'"[^"]*"')
THOUSANDS = re.compile("(?<!\\d)\\d{1,3}[\u00a0\u2007\u2009\u202f]\\d{3}(?!\\d)")
SAID = re.compile(r"sep=(.)")  # what Excel reads and writes above a table
RULED = re.compile(r"\s*-+\+[-+]+\s*")  # a line that Stata draws
SEPARATORS = {"tab": "\t", "\\t": "\t", "space": None, " ": None, "comma": ",", "semicolon": ";"}


class Lines(NamedTuple):
    """The numbered lines of a file: those with cells, comments, and in words what is left out, if anything."""

    kept: list[tuple[int, str]]
    comments: list[tuple[int, str]]
    left_out: str

    def say_what_is_left_out(self, path: Path) -> None:
        """Issue a `DataWarning` where lines are left out, before anything is made of the others."""
        if self.left_out:
            warn_of_data(f"{path}: {self.left_out}")


def read_lines(path: Path, cells: Collection[str] = ()) -> Lines:
    """Return the lines of a file, or of standard input for "-", unpacked if it is compressed.

    Those that begin with # are comments, but for those that begin with one of some cells.
    """
    numbered = list(enumerate(_text_of(_content_of(path)).splitlines(), start=1))
    filled = [(number, line) for number, line in numbered if line.strip()]
    # A spreadsheet writes #N/A for a number that is missing.
    begins = ("#N/A", *(cell for cell in cells if cell.startswith("#")))
    comments = {number: line for number, line in filled if line.startswith("#") and not line.startswith(begins)}
    kept = [(number, line) for number, line in filled if number not in comments]
    if not kept:
        raise InputError("the file is empty")
    between = filled[-1][0] - filled[0][0] + 1 - len(filled)
    counts = {"comment line": len(comments), "empty line": between}
    parts = [counted(number, what) for what, number in counts.items() if number]
    return Lines(kept, [*comments.items()], f"left out: {' and '.join(parts)}" if parts else "")


def lines_about(path: Path, names: Collection[str]) -> list[tuple[int, str]]:
    """Return the lines of a file that has one for each of some variables; one may not look like a comment."""
    lines = read_lines(path, names)
    for number, line in lines.comments:
        delimiter = delimiter_of(line)
        cells = cut_cells([line.lstrip("#")], delimiter)[0]
        words = [cell for cell in cells if not is_number(cell)]
        if not words or (cells[0] if delimiter else " ".join(words)) in names:
            raise uncertain(number, line, "the line of a variable")
    lines.say_what_is_left_out(path)
    return lines.kept


def delimiter_of(line: str, decimal: str = ".") -> str | None:
    """Return the character that separates cells, or None for white space."""
    bare = QUOTED.sub("", line)
    if ";" in bare and any(map(has_decimal_comma, bare.split(";"))):
        return ";"
    delimiter = max((mark for mark in DELIMITERS if mark != decimal), key=bare.count)
    are_decimals = delimiter == "," and bare.count(",") == sum(map(has_decimal_comma, bare.split())) > 1
    return delimiter if delimiter in bare and not are_decimals else None


def cut_cells(lines: Iterable[str], delimiter: str | None) -> list[list[str]]:
    """Cut lines into cells, without their quotes and the space around them."""
    if delimiter is None:
        lines, delimiter = map(_spaced, lines), " "
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    try:
        return [[cell.strip() for cell in row] for row in reader]
    except csv.Error as error:
        raise InputError(
            f"row {reader.line_num} cannot be cut into cells: {error}; is a quote missing?"
        ) from None


def uncertain(number: int, line: str, what: str) -> InputError:
    """Return the error of a line that may be a comment or something else."""
    return InputError(
        f"line {number} ({line[:40]!r}) begins with #: it may be a comment or {what}; delete the line, or put "
        "its first cell in quotes to keep it"
    )


def _spaced(line: str) -> str:
    """Return a line with one space between cells."""
    thousands = THOUSANDS.search(line)
    if thousands:
        raise InputError(
            f"{thousands[0]!r} may be one number or two, as spaces separate cells: write it without its space"
        )
    return " ".join(line.split())


def _content_of(path: Path) -> bytes:
    content = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    unpack = next((unpack for magic, unpack in PACKED.items() if content.startswith(magic)), bytes)
    try:
        return unpack(content)
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise InputError(f"it cannot be unpacked: {error}") from None


def _text_of(content: bytes) -> str:
    for magic, what in NO_TEXT.items():
        if content.startswith(magic):
            raise InputError(f"it is {what}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        advice = "save it as UTF-8 (Excel: CSV UTF-8)"
        raise InputError(f"it cannot be read: byte {error.start} is not UTF-8 text; {advice}") from None
    if "\0" in text:
        raise InputError("it cannot be read: it is not text, or it is UTF-16; save it as UTF-8")
    return text


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
    if any(map(RULED.fullmatch, lines)):
        lines = [line.replace("|", " ") for line in lines if not RULED.fullmatch(line)]
    printed = printed_by_r(lines) if sep is None and decimal == "." else None
    if sep is None:
        # A title, the first or last row of a triangle, or a note does not tell.
        delimiter = delimiter_of(lines[0], decimal) or delimiter_of(lines[len(lines) // 2], decimal)
    elif sep in SEPARATORS or len(sep) == 1:
        delimiter = SEPARATORS.get(sep, sep)
    else:
        raise InputError(f"sep must be one character, tab or space, not {sep!r}")
    if delimiter == decimal:
        raise InputError(f"{decimal!r} cannot stand both between cells and before decimals: give another sep")
    rows, how = printed or (cut_cells(lines, delimiter), "")
    if decimal == "," and sep is None and lines[0].count(",") > 1 and {len(row) for row in rows} == {1}:
        raise InputError("commas seem to separate its cells, and were said to be decimal marks (--decimal)")
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
