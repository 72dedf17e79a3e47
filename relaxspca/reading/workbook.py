"""Reading the first sheet of a workbook: its cells are read as those of a text file are."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from relaxspca.errors import InputError, counted
from relaxspca.problem.checks import warn_of_data
from relaxspca.reading.contents import Contents
from relaxspca.reading.table import contents_of
from relaxspca.runtime.lazy import needed

WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")


def read_workbook(path: Path, *, data: bool | None = None, missing: tuple[str, ...] = ()) -> Contents:
    """Read the first sheet that is not empty, by pandas."""
    rows, note = rows_of_workbook(path)
    found = contents_of(rows, missing=missing, data=data)
    return replace(found, note="; ".join(filter(None, (note, found.note))))


def rows_of_workbook(path: Path) -> tuple[list[list[str]], str]:
    """Return the cells of the first sheet that is not empty, as in a text file, and which of several it is."""
    try:
        with needed(f"reading {path.suffix} needs pandas, and .xlsx openpyxl", "files"):
            import pandas

            sheets = pandas.read_excel(path, sheet_name=None, header=None, dtype=object, na_values=[])
    except (ValueError, KeyError, OSError) as error:
        raise InputError(f"it is not a workbook: {error}") from None
    for name, sheet in sheets.items():
        filled = sheet.dropna(how="all").dropna(how="all", axis=1)
        if not filled.empty:
            note = [f"sheet {name!r} of {', '.join(map(repr, sheets))}"] if len(sheets) > 1 else []
            empty = filled.index[-1] - filled.index[0] + 1 - len(filled)
            if empty:
                note.append(f"left out: {counted(empty, 'empty row')}")
                warn_of_data(f"{path}: {note[-1]}")
            return [[_cell(value) for value in row] for row in filled.to_numpy().tolist()], "; ".join(note)
    raise InputError("the file is empty")


def _cell(value: Any) -> str:
    """Return a cell as it would stand in a text file."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    return str(value).strip()
