"""Reading a table from Parquet or Feather."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.problem.observations import label_text
from relaxspca.reading.contents import Bad, Contents, named
from relaxspca.runtime.lazy import needed

INDEX = re.compile(r"__index_level_\d+__")


def read_parquet(path: Path) -> Contents:
    """Read the numeric columns of a table; the index of a pandas frame is taken as row labels."""
    return _contents_of(path, "parquet")


def read_feather(path: Path) -> Contents:
    """Read a Feather (Arrow) file as `read_parquet` reads Parquet."""
    return _contents_of(path, "feather")


def _contents_of(path: Path, kind: str) -> Contents:
    with needed(f"reading .{kind} needs pyarrow", "files"):
        import pyarrow
        import pyarrow.feather as feather
        import pyarrow.parquet as parquet
    try:
        table = {"parquet": parquet, "feather": feather}[kind].read_table(path)
    except pyarrow.ArrowException as error:
        raise InputError(f"not a {kind} file: {error}") from None
    index = _index_of(table)
    names = named(name for name in table.column_names if name not in index)
    if not names:
        raise InputError("it has no column of numbers")
    columns = [_column(name, j, table.column(name)) for j, name in enumerate(names)]
    matrix = np.column_stack([values for values, _ in columns])
    bad = tuple(cell for _, cells in columns for cell in cells)
    labels = tuple(map(str, table.column(index[0]).to_pylist())) if len(index) == 1 else None
    names = _joined(table, names)
    is_table_of_names = labels is not None and sorted(labels) == sorted(names)
    note = f"index {', '.join(index)} taken as row labels" if index and not is_table_of_names else ""
    floats = [column.type.to_pandas_dtype() for column in table.drop(index).columns]
    epsilons = [float(np.finfo(kind).eps) for kind in floats if np.issubdtype(kind, np.floating)]
    return Contents(
        matrix,
        names,
        labels,
        index[0] if labels else "",
        note=note,
        bad=bad,
        epsilon=max(epsilons, default=0.0),
    )


def _index_of(table: Any) -> list[str]:
    """Return the columns in which pandas keeps the index of a frame."""
    described = (table.schema.pandas_metadata or {}).get("index_columns", [])
    return [name for name in table.column_names if name in described or INDEX.fullmatch(name)]


def _joined(table: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of columns, which pandas writes as tuples where they have several levels."""
    levels = (table.schema.pandas_metadata or {}).get("column_indexes", [])
    return tuple(map(label_text, table.slice(0, 0).to_pandas().columns)) if len(levels) > 1 else names


def _column(name: str, j: int, column: Any) -> tuple[Any, list[Bad]]:
    """Return a column as floats, and its first bad cells."""
    from pyarrow import types

    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    is_real = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    if not (is_real or types.is_boolean(kind)):
        message = (
            f"column {name!r} is not numeric: it holds {kind}; drop it (--exclude, exclude=[...]) or encode it"
        )
        return np.full(len(column), np.nan), [Bad(0, j, False, f"{message} as numbers", f"it holds {kind}")]
    values = np.asarray(column.to_numpy(), dtype=np.float64)
    bad = []
    for is_missing, places in ((True, np.isnan(values)), (False, np.isinf(values))):
        if places.any():
            i = int(np.flatnonzero(places)[0])
            found = "an empty cell" if column[i].as_py() is None else repr(float(values[i]))
            advice = "remove or impute missing values first" if is_missing else "every entry must be finite"
            bad.append(Bad(i, j, is_missing, f"column {name!r}, row {i + 1} holds {found}: {advice}"))
    return values, bad
