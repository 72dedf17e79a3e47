"""Check an array, data frame or sparse matrix from the user once: its names, entries and missing cells."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import Array
from relaxspca.problem.checks import first_ten, warn_of_data
from relaxspca.problem.symmetry import half_missing, mirrored

LARGEST_ENTRY = 1e100
LARGEST_OFFSET = 1e4  # of a mean in standard deviations; beyond it centring costs half the digits


def checked_matrix(values: Any, *, what: str) -> tuple[Any, tuple[str, ...] | None]:
    """Return a finite float64 matrix, dense, or sparse as it came, and the names that it brings, if any."""
    names = None
    if is_sparse(values):
        check_real(values, what)
        matrix = values.tocsc().astype(np.float64)
    else:
        matrix, names = observed(values, what)
    if what == "covariance matrix" and not is_sparse(matrix) and matrix.ndim == 2:
        matrix = mirrored(matrix)
    if matrix.ndim != 2:
        raise InputError(f"the {what} must have two dimensions, but it has {matrix.ndim}")
    if 0 in matrix.shape:
        raise InputError(f"the {what} is empty: its shape is {matrix.shape[0]} x {matrix.shape[1]}")
    check_finite(matrix, what, names)
    largest = float(abs(matrix).max())
    if largest == 0:
        raise InputError(f"all entries of the {what} are zero: there is no variance to explain")
    check_range(largest, what)
    return matrix, names


def checked_dense(values: Any, *, what: str) -> tuple[Array, tuple[str, ...] | None]:
    """Return what `checked_matrix` does, with a dense array in place of a sparse one."""
    matrix, names = checked_matrix(values, what=what)
    return np.asarray(matrix.toarray() if is_sparse(matrix) else matrix), names


def observed(values: Any, what: str) -> tuple[Array, tuple[str, ...] | None]:
    """Return an array or frame as floats, nan where a cell is missing, and the names that it brings."""
    if hasattr(values, "columns") and hasattr(values, "to_numpy"):
        names = tuple(map(label_text, values.columns))
        return _frame_values(values, names), names
    return real_array(values, what), None


def label_text(label: Any) -> str:
    """Return a label of pandas as text; what is not empty of one of several levels is joined by points.

    Examples
    --------
    >>> label_text(("soil", "pH")), label_text(("age", "")), label_text(1990)
    ('soil.pH', 'age', '1990')
    """
    return ".".join(filter(None, map(str, label))) if isinstance(label, tuple) else str(label)


def row_labels(values: Any) -> tuple[str, ...] | None:
    """Return the row labels of a data frame; None for anything else."""
    if hasattr(values, "columns") and hasattr(values, "to_numpy") and hasattr(values, "index"):
        return tuple(map(label_text, values.index))
    return None


def checked_names(names: Sequence[str] | None, n: int) -> tuple[str, ...]:
    """Return n distinct names; x0, x1, ... by default."""
    if names is None:
        return tuple(f"x{i}" for i in range(n))
    if not isinstance(names, Iterable):
        raise InputError(f"names must be a list of {n}, not {names!r}")
    found = tuple(map(label_text, names))
    if len(found) != n:
        raise InputError(f"{counted(len(found), 'name')} given for {counted(n, 'variable')}")
    seen: set[str] = set()
    for name in found:
        if name in seen:
            raise InputError(f"the name {name!r} is used twice: give every variable a name of its own")
        seen.add(name)
    return found


def whole_number(value: Any, what: str, *, least: int = 1, most: float | None = None, of: str = "") -> int:
    """Return an integer argument, or a whole float, as an int; raise `InputError` for anything else.

    With `most`, perhaps infinite, it has to lie in least..most; `of` says what that is.
    """
    if not is_whole(value):
        raise InputError(f"{what} must be a whole number, not {value!r}")
    if most is not None and not least <= value <= most:
        where = f"below {least}" if most == math.inf else f"outside {least}..{most}"
        raise InputError(f"{what} = {int(value)} is {where}{of}")
    return int(value)


def is_whole(value: Any) -> bool:
    """Say whether a value is a whole number, a float such as 4.0 too: R and JSON may have no other.

    Examples
    --------
    >>> is_whole(4), is_whole(4.0), is_whole(4.5), is_whole(True), is_whole("4")
    (True, True, False, False, False)
    """
    if isinstance(value, float | np.floating):
        return float(value).is_integer()
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def coarsest_epsilon(values: Any) -> float:
    """Return the machine epsilon of the coarsest floats in an array or frame; else that of float64."""
    dtypes = list(getattr(values, "dtypes", [])) or [getattr(values, "dtype", None)]
    floats = [d for d in dtypes if isinstance(d, np.dtype) and d.kind == "f"]
    return max([float(np.finfo(d).eps) for d in floats], default=float(np.finfo(float).eps))


def is_sparse(values: Any) -> bool:
    """Say whether values are a scipy.sparse array or matrix."""
    from scipy.sparse import issparse

    return bool(issparse(values))


def standardised(
    X: Any, names: tuple[str, ...], *, correlation: bool, centred: bool
) -> tuple[Any, Array, int, tuple[str, ...]]:
    """Return scaled observations, what is to be subtracted from each column, a divisor, and names.

    Sigma is the Gram matrix of the differences, divided by the divisor. Variances are 1 if `correlation`; means
    of sparse data are kept apart.
    """
    m = X.shape[0]
    if m < 2 and centred:
        raise InputError(f"a covariance needs at least two observations, but there is {m}")
    mean, deviation = _moments(X, centred=centred)
    # A column whose spread is at the level of rounding in its own entries does not vary.
    constant = deviation <= 8 * np.finfo(float).eps * np.maximum(np.abs(mean), deviation)
    if constant.all():
        raise InputError("every column is constant: there is no variance to explain")
    if is_sparse(X):
        _warn_of_offsets(mean, deviation, constant, names)
    if not correlation:
        return *without_constants(X, mean), m - 1 if centred else m, names
    if constant.any():
        dropped = [names[i] for i in np.flatnonzero(constant)]
        warn_of_data(
            f"dropped {counted(len(dropped), 'constant column' if centred else 'all-zero column')}, "
            f"which cannot be scaled to unit variance: {first_ten(dropped)}",
        )
        kept = np.flatnonzero(~constant)
        X, mean, deviation = X[:, kept], mean[kept], deviation[kept]
        names = tuple(names[i] for i in kept)
    scale = 1 / (deviation * np.sqrt(m))
    scaled = X.multiply(scale).tocsc() if is_sparse(X) else (X - mean) * scale
    return scaled, mean * scale if is_sparse(X) else np.zeros(mean.size), 1, names


def without_constants(X: Any, mean: Array) -> tuple[Any, Array]:
    """Return data and means with constant columns set to 0, which centring would leave at rounding level."""
    ranges = X.max(axis=0) - X.min(axis=0)
    constant = mean != 0
    constant[ranges.nonzero()[-1]] = False
    if not constant.any():
        return X, mean
    varies = np.where(constant, 0.0, 1.0)
    return (X.multiply(varies).tocsc() if is_sparse(X) else X * varies), mean * varies


def _moments(X: Any, *, centred: bool) -> tuple[Array, Array]:
    """Return column means and population standard deviations, or zeros and root mean squares."""
    if not centred:
        squares = X.multiply(X) if is_sparse(X) else X * X
        return np.zeros(X.shape[1]), np.sqrt(np.asarray(squares.mean(axis=0)).ravel())
    if not is_sparse(X):
        return X.mean(axis=0), X.std(axis=0)
    mean = np.asarray(X.mean(axis=0)).ravel()
    stored, zeros = np.diff(X.indptr), X.shape[0] - np.diff(X.indptr)
    # About the mean, entry by entry: the difference of two large squares would hide a constant column. And
    # twice, because the first mean carries the rounding of a long sum.
    apart = X.copy()
    apart.data = X.data - np.repeat(mean, stored)
    mean = mean + (np.asarray(apart.sum(axis=0)).ravel() - zeros * mean) / X.shape[0]
    apart.data = X.data - np.repeat(mean, stored)
    squares = np.asarray(apart.multiply(apart).sum(axis=0)).ravel()
    return mean, np.sqrt((squares + zeros * mean**2) / X.shape[0])


def _warn_of_offsets(mean: Array, deviation: Array, constant: Any, names: tuple[str, ...]) -> None:
    """Warn of a column of sparse data whose mean is so large that centring loses half of the digits."""
    offset = ~constant & (np.abs(mean) > LARGEST_OFFSET * deviation)
    if offset.any():
        first = int(np.flatnonzero(offset)[0])
        warn_of_data(
            f"the mean of {names[first]} is {abs(mean[first]) / deviation[first]:.3g} times its standard "
            "deviation: centring sparse data loses digits there; subtract a constant or pass a dense array",
        )


def _frame_values(frame: Any, names: tuple[str, ...]) -> Array:
    columns, wrong = [], []
    for j, name in enumerate(names):
        column = frame.iloc[:, j]
        try:
            columns.append(_as_floats(column.to_numpy()))
        except (TypeError, ValueError):
            bad = next((v for v in column if not _is_number(v)), column.iloc[0])
            wrong.append((name, bad))
    if len(wrong) == 1:
        (name, bad), *_ = wrong
        raise InputError(f"column {name!r} is not numeric: it holds {bad!r}; drop it or encode it as numbers")
    if wrong:
        shown = ", ".join(f"{name!r} ({bad!r})" for name, bad in wrong[:10])
        shown += f" and {len(wrong) - 10} more" if len(wrong) > 10 else ""
        raise InputError(f"{len(wrong)} columns are not numeric: {shown}; drop them or encode them as numbers")
    return np.column_stack(columns) if columns else np.empty((len(frame), 0))


def real_array(values: Any, what: str) -> Array:
    """Return floats in C order, nan where masked; raise `InputError` naming an entry that is not real."""
    if hasattr(values, "digest"):
        raise InputError(f"the {what} must be an array or a data frame of numbers, not a Covariance")
    check_real(values, what)
    try:
        return _as_floats(values)
    except (TypeError, ValueError):
        array = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=object)
        bad = next((v for v in array.ravel() if not _is_number(v)), values)
        raise InputError(f"the {what} is not numeric: it holds {str(bad)[:40]!r}") from None


def _as_floats(values: Any) -> Array:
    """Return floats in C order, nan where masked; raise TypeError for dates and complex numbers."""
    array = values if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
    if array.dtype.kind in "cmM" or (array.dtype.kind == "O" and any(map(_is_complex_or_date, array.ravel()))):
        raise TypeError
    if isinstance(values, np.ma.MaskedArray):
        array = np.ma.filled(values.astype(np.float64), np.nan)
    # In one order, so that the same entries give the same rounding whatever their layout was.
    try:
        return np.array(array, dtype=np.float64, order="C")
    except OverflowError:  # of a whole number beyond all floats, whose digits are read as inf
        return np.array(array.astype(str), dtype=np.float64, order="C")


def _is_complex_or_date(value: Any) -> bool:
    """Say whether a value is complex or a date, which numpy would convert to float."""
    return isinstance(value, complex | np.complexfloating | np.datetime64 | np.timedelta64)


def _is_number(value: Any) -> bool:
    if _is_complex_or_date(value):
        return False
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def check_halves(matrix: Array) -> None:
    """Raise `InputError` if only one triangle of a covariance matrix was written."""
    if is_sparse(matrix) or matrix.shape[0] != matrix.shape[1] or not np.isnan(matrix).any():
        return
    half = half_missing(matrix)
    if half:
        raise InputError(f"there is nothing {half} the diagonal of the covariance matrix: write that half too")


def check_real(values: Any, what: str) -> None:
    """Raise `InputError` if an array has complex entries."""
    if getattr(values, "dtype", None) is not None and values.dtype.kind == "c":
        raise InputError(f"the {what} has complex entries: only real numbers can be used")


def check_finite(matrix: Any, what: str, names: Sequence[str] | None = None) -> None:
    """Raise `InputError` that names the first entry which is missing or infinite."""
    entries = matrix.data if is_sparse(matrix) else matrix
    finite = np.isfinite(entries)
    if not finite.all():
        where = ""
        if what == "covariance matrix":
            check_halves(matrix)
        if not is_sparse(matrix):
            i, j = np.argwhere(~finite)[0]
            where = f" at row {i}, column {j}" + (f" ({names[j]!r})" if names else "")
        advice = " (drop_missing=True of from_data removes rows)" if what == "data matrix" else ""
        raise InputError(
            f"the {what} contains {entries[~finite].ravel()[0]}{where}: every entry must be finite; "
            f"remove or impute missing values first{advice}"
        )


def check_range(largest: float, what: str) -> None:
    """Raise `InputError` if the largest entry is so large or small that products over- or underflow."""
    if not 1 / LARGEST_ENTRY <= largest <= LARGEST_ENTRY:
        raise InputError(
            f"the largest entry of the {what} is {largest:.3g}: rescale it to between "
            f"{1 / LARGEST_ENTRY:.0e} and {LARGEST_ENTRY:.0e}"
        )


def without_missing(X: Any) -> tuple[Any, int]:
    """Return the observations that have no missing cell, as they came, and the number of the others.

    Examples
    --------
    >>> without_missing(np.ones((3, 2)))[1]
    0
    """
    if is_sparse(X):
        raise InputError("drop_missing is for dense observations: drop rows of a sparse array yourself")
    values, names = observed(X, "data matrix")
    kept = rows_kept(values, checked_names(names, values.shape[-1]), row_labels(X))
    if len(kept) == len(values):
        return X, 0
    return (X.iloc[kept] if hasattr(X, "iloc") else values[kept]), len(values) - len(kept)


def rows_kept(values: Array, names: Sequence[str], labels: Sequence[str] | None) -> list[int]:
    """Return the rows without a missing cell, at least two, and warn of those that have one."""
    missing = np.isnan(values)
    gone, kept = (np.flatnonzero(some) for some in (missing.any(axis=1), ~missing.any(axis=1)))
    m = len(values)
    if gone.size and kept.size < 2:
        worst = int(missing.sum(axis=0).argmax())
        raise InputError(
            f"only {kept.size} of {counted(m, 'observation')} would be left without missing cells: "
            "leave out columns that have many (--exclude, exclude=[...]), such as "
            f"{names[worst]!r}, which has {int(missing[:, worst].sum())}"
        )
    if gone.size:
        rows = first_ten([f"{i + 1}" + (f" ({labels[i]})" if labels else "") for i in gone.tolist()])
        warn_of_data(
            f"dropped {gone.size} of {m} observations, which have missing cells: "
            f"row{'s' * (gone.size > 1)} {rows}"
        )
    return [int(i) for i in kept]
