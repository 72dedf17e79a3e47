"""Reading a covariance, or observations, from the user's file."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.covariance import SYMMETRY_TOLERANCE, Covariance
from relaxspca.errors import InputError, MissingExtra

__all__ = ["read_covariance", "read_loadings", "read_matrix"]

DELIMITERS = ("\t", ",", ";")


def read_covariance(
    path: str | Path, *, data: bool | None = None, correlation: bool = False
) -> tuple[Covariance, str]:
    """Read a file as a covariance matrix or as observations.

    Parameters
    ----------
    path : str or Path
        CSV or TSV (with or without a header line and a column of row labels), .npy, .npz (array ``S`` or
        ``X``, or a scipy.sparse matrix), .mtx (Matrix Market) or .parquet.
    data : bool, optional
        True for observations, False for a covariance. When not given, a square symmetric matrix is a
        covariance and anything else is observations.
    correlation : bool
        Scale observations to unit variance; a covariance is scaled to a correlation matrix.

    Returns
    -------
    covariance : Covariance
    taken_as : str
        Which of the two it was taken for, in words.

    Raises
    ------
    InputError
        The file cannot be read, or does not hold a usable matrix.
    """
    matrix, names, hint = read_matrix(path)
    is_data = (
        data if data is not None else hint == "X" or (hint is None and not _looks_like_covariance(matrix))
    )
    if is_data:
        cov = Covariance.from_data(matrix, correlation=correlation, names=names)
        return cov, f"{matrix.shape[0]} observations of {matrix.shape[1]} variables"
    cov = Covariance(matrix, names=names)
    if correlation:
        deviation = np.sqrt(cov.diagonal)
        if (deviation == 0).any():
            raise InputError("a variable has zero variance: the matrix cannot be scaled to correlations")
        cov = Covariance(cov.matrix / np.outer(deviation, deviation), names=cov.names)
    return cov, f"a covariance matrix of {cov.n} variables"


def read_matrix(path: str | Path) -> tuple[Any, tuple[str, ...] | None, str | None]:
    """Return (matrix, names or None, "S" or "X" when the file says which it is)."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a data file")
    if not path.exists():
        raise InputError(f"there is no file {path}, and no built-in data set of that name")
    reader = {".npy": _read_npy, ".npz": _read_npz, ".mtx": _read_matrix_market, ".parquet": _read_parquet}
    try:
        return reader.get(path.suffix.lower(), _read_text)(path)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (OSError, ValueError, UnicodeDecodeError, zipfile.BadZipFile, EOFError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path} cannot be read: {reason}") from None


def read_loadings(path: str | Path, names: tuple[str, ...]) -> Any:
    """Read somebody's component for `relaxspca.certify`.

    Parameters
    ----------
    path : str or Path
        Numbers, one a variable, in a row or a column; lines of a name and a loading, zeros left out or not;
        names of the support, one a line; a .npy vector; or the JSON that the command line printed.
    names : names of the variables.

    Returns
    -------
    array of loadings, or list of names

    Raises
    ------
    InputError
        The file cannot be read or names an unknown variable.
    """
    path = Path(path)
    if path.suffix.lower() == ".npy":
        return np.ravel(_guarded(path, lambda p: np.load(p, allow_pickle=False)))
    text = _guarded(path, lambda p: p.read_text(encoding="utf-8-sig"))
    if path.suffix.lower() == ".json":
        return _loadings_of_json(path, text)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    rows = [[cell.strip() for cell in re.split(r"[,;\t]|\s+", line.strip())] for line in lines]
    if not rows:
        raise InputError(f"{path}: the file is empty")
    if all(len(row) == 2 for row in rows) and not _is_number(rows[-1][0]):
        return _named_loadings(path, rows, names)
    cells = [cell for row in rows for cell in row]
    return np.array(cells, dtype=np.float64) if all(map(_is_number, cells)) else cells


def _named_loadings(path: Path, rows: list[list[str]], names: tuple[str, ...]) -> Any:
    loadings = np.zeros(len(names))
    place = {name: i for i, name in enumerate(names)}
    body = rows if _is_number(rows[0][1]) else rows[1:]
    for name, value in body:
        if name not in place:
            raise InputError(f"{path}: there is no variable {name!r}; the first is {names[0]!r}")
        if not _is_number(value):
            raise InputError(f"{path}: the loading of {name!r} is {value!r}, not a number")
        loadings[place[name]] = float(value)
    return loadings


def _loadings_of_json(path: Path, text: str) -> Any:
    try:
        return np.array(json.loads(text)["loadings"], dtype=np.float64)
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: it is not a JSON object with a list of numbers named 'loadings'") from None


def _guarded(path: Path, read: Callable[[Path], Any]) -> Any:
    """Read a file, or say in one line why it cannot be read."""
    try:
        return read(path)
    except (OSError, ValueError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise InputError(f"{path} cannot be read: {reason}") from None


def _looks_like_covariance(matrix: Any) -> bool:
    n, m = matrix.shape
    if n != m:
        return False
    with np.errstate(invalid="ignore"):  # infinite entries get their message later
        difference = abs(matrix - matrix.T)
    return bool(difference.max() <= SYMMETRY_TOLERANCE * abs(matrix).max())


def _read_npy(path: Path) -> tuple[Any, None, None]:
    return _two_dimensional(np.load(path, allow_pickle=False)), None, None


def _read_npz(path: Path) -> tuple[Any, tuple[str, ...] | None, str | None]:
    with np.load(path, allow_pickle=False) as arrays:
        keys = set(arrays.files)
        if {"format", "shape", "data"} <= keys:
            from scipy.sparse import load_npz

            return load_npz(path), None, None
        for key in ("S", "X"):
            if key in keys:
                names = tuple(str(s) for s in arrays["names"]) if "names" in keys else None
                return _two_dimensional(arrays[key]), names, key
    raise InputError(
        f"it holds the arrays {', '.join(sorted(keys)) or 'none'}; name the matrix S (covariance) or X (data)"
    )


def _read_matrix_market(path: Path) -> tuple[Any, None, None]:
    from scipy.io import mmread

    return _two_dimensional(mmread(path)), None, None


def _read_parquet(path: Path) -> tuple[Any, tuple[str, ...], None]:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtra("reading .parquet needs pyarrow: pip install 'relaxspca[all]'") from None
    import pyarrow

    try:
        table = parquet.read_table(path)
    except pyarrow.ArrowException as error:
        raise InputError(f"not a parquet file: {error}") from None
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        try:
            columns.append(np.asarray(column.to_numpy(), dtype=np.float64))
        except (TypeError, ValueError):
            raise InputError(f"column {name!r} is not numeric; drop it or encode it as numbers") from None
    return _two_dimensional(np.column_stack(columns)), tuple(table.column_names), None


def _read_text(path: Path) -> tuple[Any, tuple[str, ...] | None, None]:
    text = path.read_text(encoding="utf-8-sig")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if not lines:
        raise InputError("the file is empty")
    delimiter = max(DELIMITERS, key=lines[0].count)
    if delimiter in lines[0]:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter)]
    else:
        rows = [line.split() for line in lines]
    header = None if all(_is_number(cell) for cell in rows[0]) else rows[0]
    body = rows[1:] if header else rows
    if not body:
        raise InputError("there is a header line but no numbers below it")
    if not any(_is_number(row[0]) for row in body) and len(body[0]) > 1:
        body = [row[1:] for row in body]
        if header and len(header) == len(body[0]) + 1:
            header = header[1:]
    return _numbers(body, header), tuple(header) if header else None, None


def _numbers(body: list[list[str]], header: list[str] | None) -> np.ndarray[Any, np.dtype[np.float64]]:
    width = len(header) if header else len(body[0])
    for i, row in enumerate(body):
        if len(row) != width:
            raise InputError(f"row {i + 1} has {len(row)} entries, but {width} are expected")
    try:
        return np.array(body, dtype=np.float64)
    except ValueError:
        for i, row in enumerate(body):
            for j, cell in enumerate(row):
                if not _is_number(cell):
                    where = f"column {header[j]!r}" if header else f"column {j + 1}"
                    shown = repr(cell[:40]) if cell else "an empty cell"
                    raise InputError(f"{where} is not numeric: row {i + 1} holds {shown}") from None
        raise


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell.lower() in {"na", "nan", "inf", "-inf"}
    return True


def _two_dimensional(matrix: Any) -> Any:
    if matrix.ndim != 2:
        raise InputError(f"the array must have two dimensions, but it has {matrix.ndim}")
    if matrix.dtype.kind not in "biufc":
        raise InputError(f"the array holds {matrix.dtype} entries, not numbers")
    return matrix
