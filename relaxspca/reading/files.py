"""Reading a covariance, or observations, from the user's file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.certificate.description import KINDS
from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.mistakes import warn_of_codes, warn_of_numbering, warn_of_scale
from relaxspca.problem.observations import check_halves, checked_matrix, is_sparse
from relaxspca.problem.symmetry import is_matrix, mirrored, symmetric_matrix
from relaxspca.reading.choice import chosen, complete, is_numeric, with_columns, with_variables
from relaxspca.reading.contents import Contents
from relaxspca.reading.formats import Reading, errors_of, read_contents


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

    Returns
    -------
    Covariance

    Raises
    ------
    InputError
        The file cannot be read, does not hold a usable matrix, or could be read in two ways: a square table
        that is not symmetric but has the names of its columns on its rows, a unit diagonal, half of its
        entries missing, or opposite entries that are almost alike.
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
    how = Reading(data, correlation, centred, columns, exclude, drop_missing, symmetrise, sep, decimal, na)
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
        if how.data is None and found.kind != "X" and is_numeric(found) and _is_matrix(found):
            raise InputError("this needs observations, not a matrix; if its rows are observations, say --data")
        if how.is_chosen:
            found = with_columns(found, chosen(found, how.columns, how.exclude))
        return complete(found, drop_missing=how.drop_missing)


def _read(path: str | Path, how: Reading) -> tuple[Covariance, str]:
    if how.data not in (None, True, False):
        raise InputError(f"data must be True for observations or False for a covariance, not {how.data!r}")
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
    data = how.data
    m, n = found.matrix.shape
    kept = chosen(found, how.columns, how.exclude) if how.is_chosen else []
    if data is None and found.kind in ("S", "X"):
        data = found.kind == "X"
    if not data and m == n and (data is False or (is_numeric(found) and _is_matrix(found))):
        return False, with_variables(found, kept) if how.is_chosen else found
    found = with_columns(found, kept) if how.is_chosen else found
    return (not (is_numeric(found) and _is_matrix(found)) if data is None else data), found


def _is_matrix(found: Contents) -> bool:
    return is_matrix(found.matrix, names=found.names, labels=found.labels, epsilon=found.epsilon)


def _of_observations(found: Contents, how: Reading) -> tuple[Covariance, str]:
    kept = complete(found, drop_missing=how.drop_missing)
    cov = Covariance.from_data(kept.matrix, how.correlation, kept.names, centred=how.centred)
    dropped = found.matrix.shape[0] - kept.matrix.shape[0]
    if dropped:
        cov = cov._with(description=replace(cov.description, dropped=dropped))
    return cov, _noted(kept)


def _of_matrix(found: Contents, how: Reading) -> tuple[Covariance, str]:
    if not how.centred:
        raise InputError("only observations can be left uncentred, but it is a covariance matrix")
    if is_numeric(found) and not is_sparse(found.matrix):
        whole = mirrored(found.matrix)
        found = replace(found, matrix=whole, bad=found.bad if np.isnan(whole).any() else ())
        check_halves(found.matrix)
    found = complete(found, drop_missing=False, may_drop=False)
    matrix, _ = checked_matrix(found.matrix, what="covariance matrix")
    matrix = symmetric_matrix(
        matrix, names=found.names, labels=found.labels, epsilon=found.epsilon, may_average=how.symmetrise
    )
    cov = Covariance._of_entries(matrix, found.names)
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
