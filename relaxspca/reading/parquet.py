"""Reading a table from Parquet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.errors import InputError, MissingExtra
from relaxspca.reading.contents import Contents, named

__all__ = ["read_parquet"]

INDEX = re.compile(r"__index_level_\d+__")


def read_parquet(path: Path) -> Contents:
    """Read the numeric columns of a table; the index of a pandas frame is taken as row labels.

    Raises
    ------
    InputError
        It is no Parquet file, or a column holds anything but real numbers.
    """
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtra("reading .parquet needs pyarrow: pip install 'relaxspca[all]'") from None
    import pyarrow

    try:
        table = parquet.read_table(path)
    except pyarrow.ArrowException as error:
        raise InputError(f"not a parquet file: {error}") from None
    index = _index_of(table)
    names = named(name for name in table.column_names if name not in index)
    if not names:
        raise InputError("it has no column of numbers")
    matrix = np.column_stack([_column(name, table.column(name)) for name in names])
    is_table_of_names = len(index) == 1 and tuple(table.column(index[0]).to_pylist()) == names
    note = f"index {', '.join(index)} taken as row labels" if index and not is_table_of_names else ""
    return Contents(matrix, names, note=note)


def _index_of(table: Any) -> list[str]:
    """Return the columns in which pandas keeps the index of a frame."""
    described = (table.schema.pandas_metadata or {}).get("index_columns", [])
    return [name for name in table.column_names if name in described or INDEX.fullmatch(name)]


def _column(name: str, column: Any) -> Any:
    from pyarrow import types

    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    is_real = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    if not (is_real or types.is_boolean(kind)):
        raise InputError(f"column {name!r} is not numeric: it holds {kind}; drop it or encode it as numbers")
    values = np.asarray(column.to_numpy(), dtype=np.float64)
    if not np.isfinite(values).all():
        i = int(np.flatnonzero(~np.isfinite(values))[0])
        found = "an empty cell" if column[i].as_py() is None else repr(float(values[i]))
        finite, missing = "every entry must be finite", "remove or impute missing values first"
        advice = finite if np.isinf(values[i]) else missing
        raise InputError(f"column {name!r}, row {i + 1} holds {found}: {advice}")
    return values
