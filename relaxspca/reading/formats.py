"""Which reader a file wants: by the ending of its name."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.reading.choice import checked_codes, without_codes
from relaxspca.reading.contents import Contents, named
from relaxspca.reading.delimited import read_delimited
from relaxspca.reading.libraries import WORKBOOKS, read_annotated, read_arrow, read_workbook

NUMPY_FILES = (b"\x93N", b"PK")  # how arrays, and archives of them, begin
PACKED = (".gz", ".bz2", ".xz")
UNREAD = {
    **dict.fromkeys((".rds", ".rdata", ".rda"), "R keeps objects in it: write the matrix with write.csv"),
    ".mat": "MATLAB keeps arrays in it: write the matrix with writematrix",
    ".sav": "SPSS keeps tables in it: save it as CSV",
    ".dta": "Stata keeps tables in it: save it as CSV",
    **dict.fromkeys((".pkl", ".pickle"), "a pickle may run any program: save the table as CSV or .npy"),
    **dict.fromkeys((".h5", ".hdf5"), "of HDF5 files only .h5ad can be read: save the table as CSV or .npy"),
    ".json": "it is JSON: save the table as CSV",
}


@dataclass(frozen=True)
class Reading:
    """How a file is to be read: the options of `relaxspca.read`."""

    data: bool | None = None
    correlation: bool = False
    centred: bool = True
    columns: Sequence[str] | None = None
    exclude: Sequence[str] | None = None
    drop_missing: bool = False
    symmetrise: bool = False
    sep: str | None = None
    decimal: str = "."
    na: Any = ()

    @property
    def is_chosen(self) -> bool:
        """Whether some of the columns are asked for."""
        return self.columns is not None or self.exclude is not None


@contextmanager
def errors_of(path: str | Path) -> Iterator[None]:
    """Begin the message of an error in the block with the name of a file."""
    try:
        yield
    except InputError as error:
        name = "standard input" if str(path) == "-" else str(path)
        raise InputError(f"{name}: {error}") from None


def read_contents(path: str | Path, how: Reading) -> Contents:
    """Read a file of any kind, or standard input for "-"; the message of an error begins with its name."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path must be the name of a file, not {path!r}")
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a data file")
    if str(path) != "-" and not path.exists():
        raise InputError(f"there is no file {path}")
    if how.decimal not in (".", ","):
        raise InputError(f"decimal must be '.' or ',', not {how.decimal!r}")
    codes = checked_codes(how.na)
    read = _reader(path, how, codes.words)
    try:
        with errors_of(path):
            return without_codes(read(path), codes)
    except (OSError, ValueError, zipfile.BadZipFile, EOFError, KeyError) as error:
        if isinstance(error, InputError):
            raise
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{'standard input' if str(path) == '-' else path} cannot be read: {reason}") from None


def _reader(path: Path, how: Reading, missing: tuple[str, ...]) -> Callable[[Path], Contents]:
    data, sep, decimal = how.data, how.sep, how.decimal
    ending = path.suffix.lower()
    if ending in PACKED and Path(path.stem).suffix.lower() == ".mtx":
        ending = ".mtx"
    readers: dict[str, Callable[[Path], Contents]] = {
        ".npy": partial(_read_numpy, data=data),
        ".npz": partial(_read_numpy, data=data),
        ".mtx": _read_matrix_market,
        ".parquet": read_arrow,
        ".feather": read_arrow,
        ".h5ad": read_annotated,
        **dict.fromkeys(WORKBOOKS, partial(read_workbook, data=data, missing=missing)),
    }
    if ending in readers:
        if sep is not None or decimal != ".":
            raise InputError(f"{path}: sep and decimal say how text is written, but this is {ending}")
        return readers[ending]
    if ending in UNREAD:
        raise InputError(f"{path} cannot be read: {UNREAD[ending]}")
    return partial(read_delimited, data=data, sep=sep, decimal=decimal, missing=missing)


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
    alone = ", or say --covariance or --data (data=False or data=True)" if len(keys) == 1 else ""
    held = ", ".join(sorted(keys)) or "none"
    raise InputError(f"it holds the arrays {held}; name the matrix S (covariance) or X (data){alone}")


def _read_matrix_market(path: Path) -> Contents:
    from scipy.io import mmread

    return Contents(mmread(path))
