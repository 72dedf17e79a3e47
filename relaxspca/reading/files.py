"""Reading a covariance, or observations, from the user's file: by the reader that its ending asks for."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.certificate.subject import KINDS
from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import Array
from relaxspca.problem.checks import check_flags
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.mistakes import warn_of_codes, warn_of_numbering, warn_of_scale
from relaxspca.problem.observations import check_halves, checked_matrix, is_sparse
from relaxspca.problem.symmetry import is_matrix, mirrored, symmetric_matrix
from relaxspca.reading import choice
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


def read(
    path: str | Path,
    *,
    data: bool | None = None,
    correlation: bool = False,
    centred: bool = True,
    columns: Sequence[str] | None = None,
    exclude: Sequence[str] | None = None,
    drop_missing: bool = False,
    symmetrise: bool = False,
    sep: str | None = None,
    decimal: str = ".",
    na: Any = (),
    sheet: str | None = None,
) -> Covariance:
    r"""Read a file as a covariance matrix or as observations.

    Parameters
    ----------
    path : str or Path
        Text (CSV, TSV, white space; also .gz, .bz2, .xz; "-" is standard input), .npy, .npz (array ``S`` or
        ``X``, or a scipy.sparse matrix), .mtx (Matrix Market), .parquet, .feather, .xlsx or .h5ad. A first
        column without a name or of text, and the index of a frame, are row labels.
    data : bool, optional
        True for observations, False for a covariance. When not given, a symmetric matrix is a covariance
        and what cannot be one is observations.
    correlation : bool
        Scale observations to unit variance; a covariance is scaled to a correlation matrix.
    centred : bool
        Whether to subtract the means of observations; see `Covariance.from_data`.
    columns, exclude : sequence of str, optional
        The variables to use, in this order; those to leave out. Of a matrix the rows go with them.
    drop_missing : bool
        Drop observations with missing cells; a `DataWarning` names them.
    symmetrise : bool
        Take the mean of the entries (i, j) and (j, i) of a covariance matrix, where they differ by at most 1e-4
        of the largest entry; a `DataWarning` says by how much.
    sep : str, optional
        What stands between the cells of text: one character, "tab" or "space".
    decimal : "." or ","
    na : number, str, or several of them, optional
        What stands for missing values in the file, such as 99, beside blanks and the usual words.
    sheet : str, optional
        The sheet of a workbook to read, where several are not empty.

    Returns
    -------
    Covariance

    Raises
    ------
    InputError
        The file cannot be read, does not hold a usable matrix, or could be read in two ways: a square table
        that is not symmetric but has the names of its columns on its rows, a unit diagonal, half of its
        entries missing, or opposite entries that are almost alike; or a workbook of several sheets.
    MissingExtra
        What reads such a file is not installed.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> file = Path(mkdtemp()) / "trees.csv"
    >>> _ = file.write_text("tree;height;girth;age\noak;21,5;3,1;140\nelm;18,0;2,2;95\nash;16,5;1,9;60\n")
    >>> read(file, decimal=",", exclude=["age"])
    Covariance matrix of 3 observations: 2 variables (height, girth), trace 6.97333
    """
    how = Reading(
        data, correlation, centred, columns, exclude, drop_missing, symmetrise, sep, decimal, na, sheet
    )
    return _read(path, how)[0]


def read_covariance(path: str | Path, **told: Any) -> tuple[Covariance, str]:
    """Read a file as `relaxspca.read` does, and say in words for what it was taken and what was left out."""
    return _read(path, Reading(**told))


def read_matrix(path: str | Path) -> tuple[Any, tuple[str, ...] | None]:
    """Return the observations of a file, and the names of its columns where it has them."""
    found = _observed(path, Reading(data=True))
    return found.matrix, found.names


def read_observations(path: str | Path, **told: Any) -> tuple[Array, list[str], str]:
    """Return the observations of a file as a dense array, the names of its columns, and how it was read.

    A matrix is refused, and so is what could be one, unless `data` says that its rows are observations.
    """
    found = _observed(path, Reading(**told))
    matrix = found.matrix.toarray() if is_sparse(found.matrix) else found.matrix
    names = found.names or tuple(f"x{j}" for j in range(matrix.shape[1]))
    warn_of_numbering(matrix, names)
    warn_of_codes(matrix, names)
    return np.asarray(matrix, dtype=np.float64), list(names), _noted(found)


def _observed(path: str | Path, how: Reading) -> Contents:
    """Return the observations of a file that are used, without missing cells."""
    found = read_contents(path, replace(how, data=True))
    with errors_of(path):
        if how.data is None and found.kind != "X" and _is_matrix(found):
            raise InputError("this needs observations, not a matrix; if its rows are observations, say --data")
        if how.is_chosen:
            found = choice.with_columns(found, choice.chosen(found, how.columns, how.exclude))
        return choice.complete(found, drop_missing=how.drop_missing)


def _read(path: str | Path, how: Reading) -> tuple[Covariance, str]:
    if how.data not in (None, True, False):
        raise InputError(f"data must be True for observations or False for a covariance, not {how.data!r}")
    check_flags(correlation=how.correlation, centred=how.centred)
    check_flags(drop_missing=how.drop_missing, symmetrise=how.symmetrise)
    if how.symmetrise and how.data:
        raise InputError("symmetrise is for a covariance matrix, and this is said to be observations")
    how = replace(how, data=False if how.symmetrise else how.data)
    found = read_contents(path, how)
    with errors_of(path):
        is_data, found = _decided(found, how)
        if is_data:
            return _of_observations(found, how)
        if how.drop_missing:
            raise InputError(
                "a covariance matrix has no observations to drop: leave out the variables that lack entries "
                "(--exclude, exclude=[...])"
            )
        return _of_matrix(found, how)


def _decided(found: Contents, how: Reading) -> tuple[bool, Contents]:
    """Say whether contents are observations, and return the part of them that is asked for."""
    data, (m, n) = how.data, found.matrix.shape
    kept = choice.chosen(found, how.columns, how.exclude) if how.is_chosen else []
    if data is None and found.kind in ("S", "X"):
        data = found.kind == "X"
    if not data and m == n and (data is False or _is_matrix(found)):
        return False, choice.with_variables(found, kept) if how.is_chosen else found
    found = choice.with_columns(found, kept) if how.is_chosen else found
    return not _is_matrix(found) if data is None else data, found


def _is_matrix(found: Contents) -> bool:
    """Say whether contents are the numbers of what can be a covariance matrix."""
    named = {"names": found.names, "labels": found.labels}
    return choice.is_numeric(found) and is_matrix(found.matrix, **named, epsilon=found.epsilon)


def _of_observations(found: Contents, how: Reading) -> tuple[Covariance, str]:
    kept = choice.complete(found, drop_missing=how.drop_missing)
    cov = Covariance.from_data(kept.matrix, how.correlation, kept.names, centred=how.centred)
    dropped = found.matrix.shape[0] - kept.matrix.shape[0]
    if dropped:
        cov = cov._with(description=replace(cov.description, dropped=dropped))
    return cov, _noted(kept)


def _of_matrix(found: Contents, how: Reading) -> tuple[Covariance, str]:
    if not how.centred:
        raise InputError("only observations can be left uncentred, but it is a covariance matrix")
    if choice.is_numeric(found) and not is_sparse(found.matrix):
        whole = mirrored(found.matrix)
        found = replace(found, matrix=whole, bad=found.bad if np.isnan(whole).any() else ())
        check_halves(found.matrix)
    found = choice.complete(found, drop_missing=False, may_drop=False)
    matrix, _ = checked_matrix(found.matrix, what="covariance matrix")
    matrix = symmetric_matrix(
        matrix, names=found.names, labels=found.labels, epsilon=found.epsilon, may_average=how.symmetrise
    )
    cov = Covariance._of_entries(matrix, found.names, is_given=True)
    words = _noted(found, f"a {KINDS[cov.description.kind]} of {counted(cov.n, 'variable')}")
    if not how.correlation:
        warn_of_scale(cov.diagonal, cov.names)
        return cov, words
    without = np.flatnonzero(cov.diagonal <= 0)
    if without.size:
        name, variance = cov.names[without[0]], cov.diagonal[without[0]]
        raise InputError(f"{name!r} has the variance {variance:g}: it cannot be scaled to correlations")
    deviation = np.sqrt(cov.diagonal)
    return Covariance._of_entries(matrix / np.outer(deviation, deviation), cov.names), words


def _noted(found: Contents, words: str = "") -> str:
    rows, columns = found.matrix.shape
    words = words or f"{counted(rows, 'observation')} of {counted(columns, 'variable')}"
    return f"{words}; {found.note}" if found.note else words


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
    sheet: str | None = None

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
        kind = type(path).__name__
        advice = "for what is in memory write Covariance.from_data(X) or Covariance(S)"
        raise InputError(f"path must be the name of a file, not {kind}; {advice}")
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder, not a data file")
    if str(path) != "-" and not path.exists():
        raise InputError(f"there is no file {path}")
    if how.decimal not in (".", ","):
        raise InputError(f"decimal must be '.' or ',', not {how.decimal!r}")
    codes, words = choice.checked_codes(how.na)
    read = _reader(path, how, words)
    try:
        with errors_of(path):
            return choice.without_codes(read(path), codes)
    except InputError:
        raise
    except (OSError, ValueError, OverflowError, zipfile.BadZipFile, EOFError, KeyError) as error:
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
        **dict.fromkeys(WORKBOOKS, partial(read_workbook, data=data, missing=missing, sheet=how.sheet)),
    }
    if how.sheet is not None and ending not in WORKBOOKS:
        raise InputError(f"{path}: sheet is for workbooks, such as .xlsx, but this is {ending or 'text'}")
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
        names = named(arrays["names"].ravel().astype(str).tolist()) if "names" in keys else None
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
