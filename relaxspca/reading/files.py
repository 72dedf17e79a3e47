"""Reading a covariance, or observations, from the user's file."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.errors import InputError, counted
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.symmetry import is_matrix
from relaxspca.reading.contents import Contents, named
from relaxspca.reading.delimited import read_delimited
from relaxspca.reading.parquet import read_parquet

__all__ = ["read_covariance", "read_matrix"]

NUMPY_FILES = (b"\x93N", b"PK")  # how arrays, and archives of them, begin


def read_covariance(
    path: str | Path, *, data: bool | None = None, correlation: bool = False
) -> tuple[Covariance, str]:
    r"""Read a file as a covariance matrix or as observations.

    Parameters
    ----------
    path : str or Path
        CSV or TSV (with or without a header line and a column of row labels), .npy, .npz (array ``S`` or
        ``X``, or a scipy.sparse matrix), .mtx (Matrix Market) or .parquet. A first column without a name or
        of text, and the index of a pandas frame, are row labels.
    data : bool, optional
        True for observations, False for a covariance. When not given, a square symmetric matrix is a
        covariance and anything else is observations.
    correlation : bool
        Scale observations to unit variance; a covariance is scaled to a correlation matrix.

    Returns
    -------
    covariance : Covariance
    taken_as : str
        Which of the two it was taken for, in words, and what of the file was taken for names or row labels.

    Raises
    ------
    InputError
        The file cannot be read, or does not hold a usable matrix.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> file = Path(mkdtemp()) / "trees.csv"
    >>> _ = file.write_text(",height,girth\noak,21.5,3.1\nelm,18.0,2.2\nash,16.5,1.9\n")
    >>> cov, taken_as = read_covariance(file)
    >>> cov.names, taken_as
    (('height', 'girth'), '3 observations of 2 variables; first column (oak, ...) taken as row labels')
    """
    found = _read(path, data)
    is_data = data if data is not None else found.kind == "X"
    if data is None and found.kind is None:
        is_data = not is_matrix(found.matrix, names=found.names, labels=found.labels, epsilon=found.epsilon)
    note = f"; {found.note}" if found.note else ""
    if is_data:
        cov = Covariance.from_data(found.matrix, correlation=correlation, names=found.names)
        rows, columns = found.matrix.shape
        return cov, f"{counted(rows, 'observation')} of {counted(columns, 'variable')}{note}"
    cov = Covariance(found.matrix, names=found.names)
    if correlation:
        without = np.flatnonzero(cov.diagonal <= 0)
        if without.size:
            name, variance = cov.names[without[0]], cov.diagonal[without[0]]
            raise InputError(f"{name!r} has the variance {variance:g}: it cannot be scaled to correlations")
        deviation = np.sqrt(cov.diagonal)
        cov = Covariance(cov.matrix / np.outer(deviation, deviation), names=cov.names)
    return cov, f"a covariance matrix of {counted(cov.n, 'variable')}{note}"


def read_matrix(path: str | Path) -> tuple[Any, tuple[str, ...] | None, str | None]:
    """Return the observations of a file: matrix, names or None, and the name of the array in an archive."""
    found = _read(path, data=True)
    return found.matrix, found.names, found.kind


def _read(path: str | Path, data: bool | None) -> Contents:
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a data file")
    if not path.exists():
        raise InputError(f"there is no file {path}, and no built-in data set of that name")
    readers: dict[str, Callable[[Path], Contents]] = {
        ".npy": partial(_read_numpy, data=data),
        ".npz": partial(_read_numpy, data=data),
        ".mtx": _read_matrix_market,
        ".parquet": read_parquet,
    }
    try:
        return readers.get(path.suffix.lower(), read_delimited)(path)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (OSError, ValueError, zipfile.BadZipFile, EOFError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path} cannot be read: {reason}") from None


def _read_numpy(path: Path, data: bool | None) -> Contents:
    """Read an array or an archive of arrays, whichever of the two it is called."""
    with path.open("rb") as file:
        if file.read(2) not in NUMPY_FILES:
            raise InputError("it is not a file that numpy saved")
    found = np.load(path, allow_pickle=False)
    if isinstance(found, np.ndarray):
        return Contents(found)
    with found as arrays:
        keys = set(arrays.files)
        if {"format", "shape", "data"} <= keys:
            from scipy.sparse import load_npz

            return Contents(load_npz(path))
        key = _wanted(keys - {"names"}, data)
        names = named(str(s) for s in arrays["names"]) if "names" in keys else None
        note = "" if keys <= {key, "names"} and key in {"S", "X"} else f"array {key} of the file"
        return Contents(arrays[key], names, kind=key, note=note)


def _wanted(keys: set[str], data: bool | None) -> str:
    """Return the array to read: S or X as told, the only one when told what it is, S before X otherwise."""
    named = {None: ("S", "X"), True: ("X",), False: ("S",)}[data]
    only = tuple(keys) if data is not None and len(keys) == 1 else ()
    for key in named + only:
        if key in keys:
            return key
    raise InputError(
        f"it holds the arrays {', '.join(sorted(keys)) or 'none'}; name the matrix S (covariance) or X (data)"
    )


def _read_matrix_market(path: Path) -> Contents:
    from scipy.io import mmread

    return Contents(mmread(path))
