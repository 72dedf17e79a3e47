"""Lines and cells of a text file: where they end, and what is a number, missing, or neither."""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import math
import re
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path

from relaxspca.errors import InputError

__all__ = [
    "DECIMAL_POINT",
    "content_of",
    "delimiter_of",
    "has_decimal_comma",
    "is_marked_number",
    "is_missing",
    "is_number",
    "is_text",
    "lines_in",
    "read_lines",
    "cut_cells",
]

PACKED = {b"\x1f\x8b": gzip.decompress, b"BZh": bz2.decompress, b"\xfd7zXZ": lzma.decompress}
NO_TEXT = {
    b"PK\x03\x04": "a zip archive or a workbook: a workbook's name ends in .xlsx; unpack an archive",
    b"\xd0\xcf\x11\xe0": "an old workbook: save it as .xlsx or CSV",
    b"\x93NUMPY": "an array that numpy saved: its name must end in .npy",
    b"PAR1": "a parquet file: its name must end in .parquet",
    b"\x89HDF": "an HDF5 file: of these, .h5ad can be read; save a table as CSV or .npy",
    b"%PDF": "a PDF: save the table as CSV",
}
DELIMITERS = ("\t", ",", ";", "|")
MISSING = frozenset(
    [
        "",
        "NA",
        "na",
        "N/A",
        "n/a",
        "#N/A",
        "<NA>",
        "NaN",
        "nan",
        "NAN",
        "-nan",
        "NULL",
        "null",
        "None",
        ".",
        "?",
    ]
)
DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+([eE][-+]?\d+)?")
DECIMAL_POINT = "write numbers with a decimal point and without thousands separators"
MARKED = re.compile(r"[<>~$€£]\s*[-+]?\d*[.,]?\d+\s*%?|[-+]?\d*[.,]?\d+\s*[%$€£]")
QUOTED = re.compile(r'"[^"]*"')


def read_lines(path: Path) -> list[tuple[int, str]]:
    """Return the lines of a file that are neither blank nor a comment, each with its number."""
    return lines_in(content_of(path))


def content_of(path: Path) -> bytes:
    """Return what a file, or standard input for "-", holds, unpacked if it is compressed."""
    content = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    for magic, unpack in PACKED.items():
        if content.startswith(magic):
            try:
                return unpack(content)
            except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
                raise InputError(f"it cannot be unpacked: {error}") from None
    return content


def lines_in(content: bytes) -> list[tuple[int, str]]:
    """Return the lines that are neither blank nor a comment, each with its number in the file.

    Raises
    ------
    InputError
        The content is not UTF-8 text, or has no such line.
    """
    for magic, what in NO_TEXT.items():
        if content.startswith(magic):
            raise InputError(f"it is {what}")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("it is UTF-16 text: save it as UTF-8")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"it cannot be read: byte {error.start} is not UTF-8 text; save the file as UTF-8"
        ) from None
    if "\0" in text:
        raise InputError("it cannot be read: it is not text, or it is UTF-16; save it as UTF-8")
    numbered = enumerate(text.splitlines(), start=1)
    lines = [(number, line) for number, line in numbered if line.strip() and not line.startswith("#")]
    if not lines:
        raise InputError("the file is empty")
    return lines


def delimiter_of(line: str, decimal: str = ".") -> str | None:
    """Return the character that separates cells, or None for white space."""
    bare = QUOTED.sub("", line)
    if ";" in bare and any(map(has_decimal_comma, bare.split(";"))):
        return ";"
    delimiter = max((mark for mark in DELIMITERS if mark != decimal), key=bare.count)
    return delimiter if delimiter in bare else None


def cut_cells(lines: Iterable[str], delimiter: str | None) -> list[list[str]]:
    """Cut lines into cells, without their quotes and the space around them."""
    if delimiter is None:
        lines, delimiter = (" ".join(line.split()) for line in lines), " "
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    try:
        return [[cell.strip() for cell in row] for row in reader]
    except csv.Error as error:
        raise InputError(
            f"row {reader.line_num} cannot be cut into cells: {error}; is a quote missing?"
        ) from None


def is_number(cell: str) -> bool:
    """Say whether a cell is a number, infinite perhaps, but not NaN."""
    try:
        # Python, but nobody else, reads 2020_1 as a number.
        return not math.isnan(float(cell)) and "_" not in cell
    except ValueError:
        return False


def is_missing(cell: str) -> bool:
    """Say whether a cell is empty or one of the usual words for a missing value."""
    return cell in MISSING


def is_text(cell: str) -> bool:
    """Say whether a cell is neither a number, however written, nor missing."""
    return not (is_missing(cell) or is_number(cell) or has_decimal_comma(cell))


def is_marked_number(cell: str) -> bool:
    """Say whether a cell is a number with a sign that a number cannot have, such as 10% or <0.1."""
    return MARKED.fullmatch(cell) is not None


def has_decimal_comma(cell: str) -> bool:
    """Say whether a cell is a number such as 0,5 or 1,000."""
    return DECIMAL_COMMA.fullmatch(cell.strip()) is not None
