"""Reading files for which a library is needed: workbooks, Parquet and Feather, .h5ad."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.errors import InputError, counted
from relaxspca.problem.checks import likely, warn_of_data
from relaxspca.problem.observations import label_text
from relaxspca.reading.contents import Bad, Contents, named
from relaxspca.reading.table import contents_of
from relaxspca.runtime.lazy import needed

WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")
INDEX = re.compile(r"__index_level_\d+__")


def read_workbook(
    path: Path, *, data: bool | None = None, missing: tuple[str, ...] = (), sheet: str | None = None
) -> Contents:
    """Read the sheet of that name, or the only one that is not empty, by pandas."""
    rows, note = rows_of_workbook(path, sheet)
    found = contents_of(rows, missing=missing, data=data)
    return replace(found, note="; ".join(filter(None, (note, found.note))))


def rows_of_workbook(path: Path, sheet: str | None = None) -> tuple[list[list[str]], str]:
    """Return the cells of a sheet, the only one where none is named, as in a text file, and which it is."""
    try:
        with needed(f"reading {path.suffix} needs pandas, and .xlsx openpyxl", "files"):
            import pandas

            sheets = pandas.read_excel(path, sheet_name=None, header=None, dtype=object, na_values=[])
    except (ValueError, KeyError, OSError) as error:
        raise InputError(f"it is not a workbook: {error}") from None
    if sheet is not None and sheet not in sheets:
        raise InputError(f"there is no sheet {sheet!r}: {likely(sheet, list(sheets))}")
    tables = {name: cells.dropna(how="all").dropna(how="all", axis=1) for name, cells in sheets.items()}
    held = [name for name in tables if not tables[name].empty and sheet in (None, name)]
    if len(held) > 1:
        alone = "say which one is meant (--sheet, sheet=), or save it as a file of its own"
        raise InputError(f"the sheets {' and '.join(map(repr, held))} are not empty: {alone}")
    if not held:
        raise InputError("the file is empty" if sheet is None else f"the sheet {sheet!r} is empty")
    filled = tables[held[0]]
    note = [f"sheet {held[0]!r} of {', '.join(map(repr, sheets))}"] if len(sheets) > 1 else []
    empty = filled.index[-1] - filled.index[0] + 1 - len(filled)
    if empty:
        note.append(f"left out: {counted(empty, 'empty row')}")
        warn_of_data(f"{path}: {note[-1]}")
    return [[_cell(value) for value in row] for row in filled.to_numpy().tolist()], "; ".join(note)


def _cell(value: Any) -> str:
    """Return a cell as it would stand in a text file."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    return str(value).strip()


def read_arrow(path: Path) -> Contents:
    """Read the numeric columns of a Parquet or Feather file; the index of a frame is taken as row labels."""
    kind = path.suffix[1:].lower()
    with needed(f"reading .{kind} needs pyarrow", "files"):
        import pyarrow
        import pyarrow.feather as feather
        import pyarrow.parquet as parquet
    try:
        table = {"parquet": parquet, "feather": feather}[kind].read_table(path)
    except pyarrow.ArrowException as error:
        raise InputError(f"not a {kind} file: {error}") from None
    described: dict[str, Any] = table.schema.pandas_metadata or {}
    kept = described.get("index_columns", [])  # where pandas keeps the index of a frame
    index = [name for name in table.column_names if name in kept or INDEX.fullmatch(name)]
    names = named(name for name in table.column_names if name not in index)
    if not names:
        raise InputError("it has no column of numbers")
    columns = [_column(name, j, table.column(name)) for j, name in enumerate(names)]
    matrix = np.column_stack([values for values, _ in columns])
    bad = tuple(cell for _, cells in columns for cell in cells)
    labels = tuple(map(str, table.column(index[0]).to_pylist())) if len(index) == 1 else None
    if len(described.get("column_indexes", [])) > 1:  # names of several levels, which are written as tuples
        names = tuple(map(label_text, table.slice(0, 0).to_pandas().columns))
    is_table_of_names = labels is not None and sorted(labels) == sorted(names)
    note = f"index {', '.join(index)} taken as row labels" if index and not is_table_of_names else ""
    floats = [column.type.to_pandas_dtype() for column in table.drop(index).columns]
    epsilons = [float(np.finfo(kind).eps) for kind in floats if np.issubdtype(kind, np.floating)]
    epsilon, label_name = max(epsilons, default=0.0), index[0] if labels else ""
    return Contents(matrix, names, labels, label_name, note=note, bad=bad, epsilon=epsilon)


def _column(name: str, j: int, column: Any) -> tuple[Any, list[Bad]]:
    """Return a column as floats, and its first bad cells."""
    from pyarrow import types

    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    is_real = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    if not (is_real or types.is_boolean(kind)):
        held, advice = f"it holds {kind}", "drop it (--exclude, exclude=[...]) or encode it as numbers"
        message = f"column {name!r} is not numeric: {held}; {advice}"
        return np.full(len(column), np.nan), [Bad(0, j, False, message, held)]
    values = np.asarray(column.to_numpy(), dtype=np.float64)
    bad = []
    for is_missing, places in ((True, np.isnan(values)), (False, np.isinf(values))):
        if places.any():
            i = int(np.flatnonzero(places)[0])
            found = "an empty cell" if column[i].as_py() is None else repr(float(values[i]))
            advice = "remove or impute missing values first" if is_missing else "every entry must be finite"
            bad.append(Bad(i, j, is_missing, f"column {name!r}, row {i + 1} holds {found}: {advice}"))
    return values, bad


def read_annotated(path: Path) -> Contents:
    """Read X, dense or sparse, with the names of its variables and observations."""
    with needed("reading .h5ad needs h5py", "files"):
        import h5py
    try:
        with h5py.File(path, "r") as file:
            if "X" not in file or "var" not in file:
                raise InputError("it is not an .h5ad file: it has no X, or no var")
            matrix = _matrix(file["X"])
            names, labels = _index(file["var"]), _index(file["obs"]) if "obs" in file else None
    except OSError as error:
        raise InputError(f"it is not an HDF5 file: {error}") from None
    return Contents(matrix, None if names is None else named(names), labels)


def _matrix(stored: Any) -> Any:
    if not hasattr(stored, "keys"):
        return stored[()]
    from scipy import sparse

    if not {"data", "indices", "indptr"} <= set(stored.keys()):
        raise InputError("its X is neither a dense nor a sparse matrix")
    m, n = stored.attrs.get("shape", stored.attrs.get("h5sparse_shape"))
    kind = str(stored.attrs.get("encoding-type", stored.attrs.get("h5sparse_format", "csr_matrix")))
    make = sparse.csc_array if kind.startswith("csc") else sparse.csr_array
    return make(tuple(stored[key][()] for key in ("data", "indices", "indptr")), shape=(int(m), int(n)))


def _index(frame: Any) -> tuple[str, ...] | None:
    """Return the index of a frame, whose column an attribute names."""
    if isinstance(getattr(frame, "dtype", None), np.dtype):  # a table of records, as before 2019
        names = frame.dtype.names or ()
        return tuple(_text(value) for value in frame[()][names[0]]) if names else None
    key = frame.attrs.get("_index", "_index")
    return tuple(_text(value) for value in frame[key][()]) if key in frame else None


def _text(value: Any) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)
