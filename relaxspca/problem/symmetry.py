"""Decide whether a table is a symmetric matrix or observations, and say where it could be either."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import HELD, Array
from relaxspca.problem.checks import warn_of_data

SYMMETRY_TOLERANCE = 1e-12  # of the largest entry
ROUNDING = 1e-4  # of the largest entry: a difference that may be rounding
ALMOST = 0.02  # of the range of the entries off the diagonal
FEWEST = 3  # variables of a matrix of which one half is enough

Names = Sequence[str] | None


def symmetric_matrix(
    matrix: Any, *, names: Names = None, labels: Names = None, epsilon: float, may_average: bool = False
) -> Array:
    """Return a covariance matrix with its rows in the order of its columns, exactly symmetric.

    Its columns are called `names` and its rows `labels`, where they are known; `epsilon` is that of the
    coarsest floats that it came in. With `may_average` the mean of opposite entries is taken where their
    difference may be rounding, up to 1e-4 of the largest entry.

    Examples
    --------
    >>> S = np.array([[4.0, 1.0], [3.0, 4.0]])
    >>> symmetric_matrix(S, epsilon=1e-16)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    relaxspca.errors.InputError: the covariance matrix is not symmetric: entry (0, 1) is 1 but ...
    """
    matrix = matrix.toarray() if hasattr(matrix, "toarray") else matrix
    n, m = matrix.shape
    if n != m:
        raise InputError(
            f"a covariance matrix is square, but this one is {n} x {m}; "
            "for observations use Covariance.from_data (--data on the command line)"
        )
    order = _order(names, labels)
    if mismatch := _mismatch(names, labels):
        raise InputError(f"{mismatch}: give both the same names, or give the entries alone, and names")
    if order is not None:
        matrix = matrix[order]
    largest = _asymmetry(matrix)
    is_told = may_average and largest <= ROUNDING * float(np.abs(matrix).max())
    if largest > _allowed(matrix, epsilon) and not is_told:
        raise InputError(
            f"the covariance matrix is not symmetric: {_difference(matrix, names)}; {_advice(matrix, largest)}"
        )
    if order is not None:
        warn_of_data(
            "the rows stood in another order than the columns: they were put in the order of the columns",
        )
    if largest > SYMMETRY_TOLERANCE * float(np.abs(matrix).max()):
        much = "not symmetric" if is_told else "symmetric only to the precision of its floats"
        warn_of_data(
            f"the matrix is {much}: entries (i, j) and (j, i) differ by up to {largest:.3g}; their mean is "
            f"taken{', as told' if is_told else ''}",
        )
    mean = matrix + matrix.T
    mean /= 2
    mean.flags.writeable = False
    return np.asarray(mean)


def is_matrix(matrix: Any, *, names: Names = None, labels: Names = None, epsilon: float) -> bool:
    """Say whether a table of unknown kind is a symmetric matrix (True) or observations (False).

    The parameters are those of `symmetric_matrix`; entries may be missing, as nan. Where it could be either,
    the error names both readings, and the reasons.

    Examples
    --------
    >>> is_matrix(np.array([[2.0, 1.0], [1.0, 3.0]]), epsilon=1e-16)
    True
    >>> is_matrix(np.array([[2.0, 1.0], [5.0, 3.0]]), epsilon=1e-16)
    False
    >>> is_matrix(np.array([[1.0, 0.5], [0.4, 1.0]]), epsilon=1e-16)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    relaxspca.errors.InputError: it could be read in two ways: ...
    """
    m, n = matrix.shape
    if m != n:
        shared = _shared(names, labels)
        if shared and min(m, n) > 1:
            clue = f"{sorted(shared)[0]!r} is the name of a row and of a column"
            raise _two_ways(clue, f"it has {counted(m, 'row')} and {counted(n, 'column')}", m, n)
        return False
    order = _order(names, labels)
    if hasattr(matrix, "toarray"):
        if n > HELD:  # only tested for symmetry
            return bool(_asymmetry(matrix) <= _allowed(matrix, epsilon))
        matrix = matrix.toarray()
    ordered = matrix if order is None else matrix[order]
    if _asymmetry(ordered) <= _allowed(ordered, epsilon):
        if mismatch := _mismatch(names, labels):
            raise _two_ways("it is symmetric", mismatch, m, n)
        return True
    clue = _clue(ordered, names, labels)
    if clue:
        is_near = _asymmetry(ordered) <= ROUNDING * float(np.abs(ordered).max())
        raise _two_ways(clue, _difference(ordered, names), m, n, may_average=is_near)
    return False


def warn_of_matrix(X: Any, *, names: Names, labels: Names, epsilon: float) -> None:
    """Warn if data declared as observations look like a covariance matrix."""
    if X.shape[0] != X.shape[1] or X.shape[0] < 3 or hasattr(X, "toarray"):
        return
    try:
        found = is_matrix(X, names=names, labels=labels, epsilon=epsilon)
    except InputError:
        found = True
    if found:
        warn_of_data(
            "the observations look like a covariance matrix; they are read as observations, as told: for a "
            "covariance matrix use Covariance(S) (--covariance on the command line)",
        )


def mirrored(matrix: Array) -> Array:
    """Return a square array with the half that holds nothing filled from the other; a `DataWarning` says so.

    Nothing is nan throughout, or 0 throughout beside a half of which most is not 0. Of fewer than three
    variables it is not decided, and any other array is returned as it is.

    Examples
    --------
    >>> mirrored(np.array([[4.0, 1.0], [1.0, 9.0]])).tolist()
    [[4.0, 1.0], [1.0, 9.0]]
    """
    n = matrix.shape[0]
    half = half_missing(matrix) if matrix.shape == (n, n) and n >= FEWEST else ""
    if not half:
        return matrix
    is_empty = np.tri(n, k=-1, dtype=bool) if half == "below" else np.tri(n, k=-1, dtype=bool).T
    empty, filled = matrix[is_empty], matrix[is_empty.T]
    if not np.isnan(empty).all() and (empty.any() or 2 * np.count_nonzero(filled) <= filled.size):
        return matrix
    kept = np.where(is_empty, 0.0, matrix)
    warn_of_data(
        f"there is nothing {half} the diagonal of the covariance matrix: that half is taken from the other"
    )
    return kept + kept.T - np.diag(np.diagonal(matrix))


def half_missing(matrix: Array) -> str:
    """Return "above" or "below" if that triangle of a square array is empty, else ""."""
    filled = ~(np.isnan(matrix) | (matrix == 0))
    above, below = bool(np.triu(filled, 1).any()), bool(np.tril(filled, -1).any())
    return "" if above == below else "below" if above else "above"


def _order(names: Names, labels: Names) -> list[int] | None:
    """Return the row of each column if rows and columns have the same names in another order, else None."""
    if names is None or labels is None or tuple(names) == tuple(labels):
        return None
    if len(set(labels)) < len(labels) or sorted(names) != sorted(labels):
        return None
    place = {label: i for i, label in enumerate(labels)}
    return [place[name] for name in names]


def are_counts(labels: Sequence[str]) -> bool:
    """Say whether labels are just 0, 1, 2, ... or 1, 2, 3, ..."""
    return tuple(labels) in [tuple(str(i + first) for i in range(len(labels))) for first in (0, 1)]


def _shared(names: Names, labels: Names) -> set[str]:
    """Return the names that rows and columns share; none if rows are only numbered."""
    return set() if names is None or labels is None or are_counts(labels) else set(names) & set(labels)


def _mismatch(names: Names, labels: Names) -> str:
    """Say where rows have names (not just numbers) that are not those of the columns in some order."""
    if names is None or labels is None or tuple(names) == tuple(labels) or are_counts(labels):
        return ""
    if _order(names, labels) is not None:
        return ""
    i = next(i for i, pair in enumerate(zip(names, labels, strict=True)) if pair[0] != pair[1])
    return f"row {i} is called {labels[i]!r}, but column {i} is called {names[i]!r}"


def _asymmetry(matrix: Any) -> float:
    """Return the largest difference of entries (i, j) and (j, i); nan if one is missing."""
    with np.errstate(invalid="ignore"):  # infinite entries get their message later
        return float((matrix - matrix.T).max())  # and its opposite is the smallest


def _allowed(matrix: Any, epsilon: float) -> float:
    return max(SYMMETRY_TOLERANCE, 8 * epsilon) * float(abs(matrix).max())


def _difference(matrix: Array, names: Names) -> str:
    """Return words that say where a matrix is not symmetric."""
    half = half_missing(matrix)
    if half:
        return f"there is nothing {half} its diagonal"
    with np.errstate(invalid="ignore"):
        difference = np.abs(matrix - matrix.T)
    missing = np.isnan(difference)
    i, j = np.argwhere(missing)[0] if missing.any() else np.unravel_index(difference.argmax(), matrix.shape)
    by = "" if missing.any() else f", a difference of {difference[i, j]:.3g}"
    row, column = (names[int(i)], names[int(j)]) if names is not None else (i, j)
    one, other = f"{matrix[i, j]:.6g}", f"{matrix[j, i]:.6g}"
    if one == other:  # six digits do not show the difference
        one, other = str(matrix[i, j]), str(matrix[j, i])
    return f"entry ({row}, {column}) is {one} but entry ({column}, {row}) is {other}{by}"


def _advice(matrix: Array, largest: float) -> str:
    observations = "if these are observations, use Covariance.from_data (--data on the command line)"
    if half_missing(matrix):
        return f"write the other half too; {observations}"
    if largest <= ROUNDING * float(np.abs(matrix).max()):
        return (
            "if that is rounding, take the mean of the two: (S + S.T) / 2, symmetrise=True in relaxspca.read, "
            f"--symmetrise on the command line; {observations}"
        )
    if _is_shuffled(matrix):
        return (
            f"its rows seem to stand in another order than its columns: put them in one order; {observations}"
        )
    averaged = f"a mean is taken of differences up to {ROUNDING:g} of the largest entry only (symmetrise)"
    return f"correct the entries, or the order of the rows; {averaged}; {observations}"


def _clue(matrix: Array, names: Names, labels: Names) -> str:
    """Return a reason why an asymmetric square table may be meant as a covariance matrix, else ""."""
    shared = _shared(names, labels)
    if len(shared) == matrix.shape[0]:
        return "its rows have the names of its columns"
    if shared:
        return f"{sorted(shared)[0]!r} is the name of a row and of a column"
    if half_missing(matrix) and matrix.shape[0] > 2:
        return "it is triangular"
    if np.isnan(matrix).any():
        return ""
    if np.abs(np.diagonal(matrix) - 1).max() <= 1e-6 and np.abs(matrix).max() <= 1 + 1e-6:
        return "its diagonal is 1 and its entries lie between -1 and 1"
    if _is_almost_symmetric(matrix):
        return "it is almost symmetric"
    return "its rows and columns hold the same numbers in different orders" if _is_shuffled(matrix) else ""


def _is_almost_symmetric(matrix: Array) -> bool:
    """Say whether opposite entries agree to a few digits, or three quarters of them do."""
    above = np.triu_indices_from(matrix, 1)
    if not above[0].size or not np.isfinite(matrix).all():
        return False
    upper, lower = matrix[above], matrix.T[above]
    difference = np.abs(upper - lower)
    spread = max(upper.max(), lower.max()) - min(upper.min(), lower.min())
    if difference.max() <= max(ROUNDING * np.abs(matrix).max(), ALMOST * spread if upper.size > 1 else 0.0):
        return True
    said = (upper != 0) | (lower != 0)
    return bool(said.sum() >= 3 and np.mean(difference[said] <= ALMOST**2 * spread) >= 0.75)


def _is_shuffled(matrix: Array) -> bool:
    """Say whether rows and columns hold the same sets of numbers, as if only the rows were permuted."""
    n, size = matrix.shape[0], float(np.abs(matrix).max())
    if n < 3 or not np.isfinite(matrix).all() or np.unique(matrix).size < 4:
        return False
    rows, columns = (np.sort(np.round(M / size, 9), axis=1) for M in (matrix, matrix.T))
    return bool(np.allclose(rows[np.lexsort(rows.T)], columns[np.lexsort(columns.T)], rtol=0, atol=1e-8))


def _two_ways(clue: str, fault: str, m: int, n: int, *, may_average: bool = False) -> InputError:
    mean = "; --symmetrise (symmetrise=True) reads a covariance matrix and takes the mean of opposite entries"
    return InputError(
        f"it could be read in two ways: as a covariance matrix, for {clue}, though {fault}; or as "
        f"{counted(m, 'observation')} of {counted(n, 'variable')}. Say which: --covariance or --data on the "
        f"command line, data=False or data=True in Python{mean if may_average else ''}"
    )
