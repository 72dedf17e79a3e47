"""Check a certificate, held perhaps against a reader's own matrix, pencil or observations."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Description, LeastSquares, Pencil, load_certificate, values
from relaxspca.checker import Verdict, verify
from relaxspca.checker.against import OwnMatrix
from relaxspca.checker.against_pencil import OwnPencil
from relaxspca.checker.own_matrix import OwnDigest
from relaxspca.errors import InputError, in_line
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import label_text

WHAT = "the covariance"


def verify_certificate(
    source: str | os.PathLike[str] | Certificate,
    *,
    exact: bool | None = None,
    against: Any = None,
) -> Verdict:
    """Check a certificate, with nothing taken from what made it.

    The claim `lower <= v_k <= upper` is verified if and only if the vector in the certificate attains
    `lower`, in exact rationals, and the leaves of the tree cover every set of variables and are all proved to
    be at most `upper`. Of several components the vectors are made exactly orthogonal first.

    Parameters
    ----------
    source : path or Certificate
        What to check.
    exact : bool, optional
        Rational arithmetic, or floating point rounded outward. None: exact if quick, n <= 30 at most.
    against : Covariance, Certificate, DataFrame or array, str, or a pair, optional
        What the certificate must be about: a matrix, its digest, or observations, which are scaled and centred
        as the certificate says; of a frame those columns are used that it names. Variables are matched
        by their names, or by position where there are none. A matrix that differs by rounding is accepted,
        with the proved distance and what then follows for it. Of a claim about a ratio: the pair (A, B), or
        (X, y) with X a table or a mapping of names to columns.

    Returns
    -------
    Verdict
        True as a boolean if and only if it is verified. An error in it is INCONCLUSIVE.

    Raises
    ------
    CertificateError
        The file cannot be read as a certificate, or `against` is none of these.
    InputError
        The observations cannot be used.

    Examples
    --------
    >>> import relaxspca as rs
    >>> bool(rs.verify(rs.solve(rs.Covariance([[2.0, 1.0], [1.0, 2.0]]), 2).certificate))
    True
    """
    certificate = source if isinstance(source, Certificate) else load_certificate(source)
    if against is not None:  # refused before the work
        against = OwnDigest(against) if isinstance(against, str) else _own(certificate, against)
    return verify(certificate, exact=exact, against=against)


def _own(certificate: Certificate, given: Any) -> Any:
    """Return what the checker compares with what the certificate speaks of."""
    if certificate.claim.kind == "ratio":
        return own_pencil(certificate, given)
    is_pair = isinstance(given, tuple) and any(np.ndim(one) != 1 for one in given)
    values.require(
        not is_pair, "this claim is about one matrix: give no pair, no --denominator and no --response"
    )
    shape: tuple[int, ...] = getattr(given, "shape", ())
    are_observations = len(shape) == 2 and shape[0] != shape[1]
    return own_matrix(_matrix(certificate, given) if are_observations else given)


def variables_of(certificate: Certificate) -> tuple[str, ...]:
    """Return all variables of the data of a certificate, those that were eliminated or deflated too."""
    deflation, eliminated = getattr(certificate.description, "deflation", None), certificate.eliminated
    if deflation is not None:
        return tuple(deflation.names)
    return (*certificate.names, *(() if eliminated is None else eliminated.names))


def _matrix(certificate: Certificate, X: Any) -> Any:
    """Return the covariance of observations, made as that of the certificate was; an array has no names."""
    is_frame = hasattr(X, "columns")
    if is_frame:
        asked = set(variables_of(certificate))
        kept = [name for name in X.columns if label_text(name) in asked]
        if not kept:
            first = in_line(certificate.names[:5])
            raise InputError(f"the observations have no column of the certificate's variables ({first}, ...)")
        X = X[kept]
    of = certificate.description
    with without_data_warnings():  # they were said when the certificate was made
        cov = Covariance.from_data(X, of.kind == "correlation", centred=of.is_centred is not False)
    return cov if is_frame else cov.matrix


def own_matrix(given: Any) -> OwnMatrix:
    """Return a covariance, a certificate, a table or an array as a reader's matrix; else CertificateError.

    Examples
    --------
    >>> own_matrix(np.eye(2)).n
    2
    """
    if isinstance(getattr(given, "description", None), Description):
        is_factor = getattr(given, "is_factored", getattr(given, "matrix", None) is None)
        array = values.checked_array(WHAT, given.factor if is_factor else given.matrix, (None, None))
        whole, factor = (None, array) if is_factor else (array, None)
        return OwnMatrix(whole, factor, tuple(given.names), given.description, given.eliminated)
    is_table = hasattr(given, "columns") and hasattr(given, "to_numpy")
    matrix = values.checked_array(WHAT, given.to_numpy() if is_table else given, (None, None))
    said = "it must be square; for observations write Covariance.from_data(X), perhaps with correlation=True"
    values.require(len(matrix) == matrix.shape[1], f"{WHAT} has shape {matrix.shape}: {said}")
    if not is_table:
        return OwnMatrix(matrix, None)
    names, rows = tuple(map(label_text, given.columns)), tuple(map(label_text, given.index))
    is_numbered = rows == tuple(map(str, range(len(rows))))
    values.require(is_numbered or rows == names, f"rows and columns of {WHAT} have different labels")
    values.require(len(set(names)) == len(names), f"two columns of {WHAT} have the same name")
    return OwnMatrix(matrix, None, names)


def own_pencil(certificate: Certificate, given: Any) -> OwnPencil:
    """Return a pair (A, B) or (X, y), a certificate or a pencil as the reader's; else CertificateError.

    Examples
    --------
    >>> import relaxspca as rs
    >>> made = rs.generalized(np.diag([2.0, 1.0]), np.eye(2), 1).certificate
    >>> own_pencil(made, (np.eye(2), np.eye(2))).n
    2
    """
    own, found = certificate.subject, None
    pair = "(X, y), in a shell --against DATA --response NAME"
    if isinstance(own, Pencil):
        pair = "(A, B), in a shell --against A --denominator B"
    given = given.subject if isinstance(given, Certificate) else given
    if isinstance(given, Pencil | LeastSquares):
        found = OwnPencil(given, given.names)
    elif isinstance(given, tuple) and len(given) == 2:
        is_unlike = isinstance(given[0], Mapping) if isinstance(own, Pencil) else hasattr(given[1], "matrix")
        if not is_unlike:
            found = _matrices(*given) if isinstance(own, Pencil) else _observations(own, *given)
    is_alike = found is not None and isinstance(found.pencil, type(own))
    values.require(is_alike, f"this claim is held against a digest or the pair {pair}")
    assert found is not None
    return found


def _matrices(*pair: Any) -> OwnPencil:
    # The labels of rows and columns of a table are compared where it is held against a claim of any kind.
    (A, above), (B, below) = (_labelled(own_matrix(M) if hasattr(M, "columns") else M) for M in pair)
    if above is not None and below is not None and above != below:
        values.require(sorted(above) == sorted(below), "the two matrices are of different variables")
        at = [below.index(name) for name in above]
        B = np.asarray(B)[np.ix_(at, at)]
    names = above or below
    return OwnPencil(Pencil(names=names or _numbered(A), numerator=A, denominator=B), names)


def _observations(own: Any, X: Any, y: Any) -> OwnPencil:
    array, names = _labelled(X)
    if hasattr(X, "columns") and hasattr(y, "to_numpy"):
        are_alike = list(X.index) == list(y.index)
        values.require(are_alike, "the rows of X and y have different labels: put them in one order")
    values.require(names is None or len(set(names)) == len(names), "two columns of X have the same name")
    response = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else y)
    data = replace(own, names=names or _numbered(array), variables=array, response=response)
    return OwnPencil(data, names)


def _numbered(array: Any) -> tuple[str, ...]:
    """Return names for the columns of an array that has none."""
    shape = np.shape(array)
    return tuple(map(str, range(shape[-1] if shape else 0)))


def _labelled(given: Any) -> tuple[Any, tuple[str, ...] | None]:
    """Return an array, and the names of its columns: those of a table, a covariance or a mapping to columns."""
    if isinstance(given, Mapping):
        columns = [np.asarray(column) for column in given.values()]
        values.require(len({column.shape for column in columns}) == 1, "the columns of X differ in length")
        return np.column_stack(columns), tuple(map(str, given))
    if hasattr(given, "columns") and hasattr(given, "to_numpy"):
        return given.to_numpy(), tuple(map(label_text, given.columns))
    if hasattr(given, "matrix") and hasattr(given, "names"):
        return given.matrix, tuple(given.names)
    return given, None
