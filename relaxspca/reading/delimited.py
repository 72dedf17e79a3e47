"""Reading a table from CSV, TSV or text between white space."""

from __future__ import annotations

from pathlib import Path

from relaxspca.errors import InputError
from relaxspca.reading.cells import (
    content_of,
    cut_cells,
    delimiter_of,
    has_decimal_comma,
    is_number,
    lines_in,
)
from relaxspca.reading.contents import Contents
from relaxspca.reading.table import contents_of

__all__ = ["read_delimited"]

SEPARATORS = {"tab": "\t", "\\t": "\t", "space": None, " ": None, "comma": ",", "semicolon": ";"}


def read_delimited(path: Path, *, sep: str | None = None, decimal: str = ".") -> Contents:
    """Read a table of numbers from a text file, gzip, bzip2 or xz compressed perhaps; "-" is standard input.

    Parameters
    ----------
    path : Path
    sep : str, optional
        What stands between cells: one character, "tab" or "space"; found in the first line when not given.
    decimal : "." or ","
        What stands before the decimals of a number.

    Raises
    ------
    InputError
        It is no text, or no table; see `relaxspca.reading.table.contents_of`.
    """
    lines = [line for _, line in lines_in(content_of(path))]
    if sep is None:
        # A title, or the first row of a triangle, does not tell.
        delimiter = delimiter_of(lines[0], decimal) or delimiter_of(lines[-1], decimal)
    elif sep in SEPARATORS or len(sep) == 1:
        delimiter = SEPARATORS.get(sep, sep)
    else:
        raise InputError(f"sep must be one character, tab or space, not {sep!r}")
    if delimiter == decimal:
        raise InputError(f"{decimal!r} cannot stand both between cells and before decimals: give another sep")
    rows = cut_cells(lines, delimiter)
    return contents_of(rows if decimal == "." else [[_pointed(cell) for cell in row] for row in rows])


def _pointed(cell: str) -> str:
    """Return a number with a decimal comma as one with a decimal point."""
    if has_decimal_comma(cell):
        return cell.replace(",", ".")
    if "." in cell and is_number(cell):
        raise InputError(
            f"it holds {cell!r}, though decimals are to stand behind a comma: write 1234,5 without thousands "
            "separators"
        )
    return cell
