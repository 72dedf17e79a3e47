"""Check a certificate, held perhaps against a reader's own observations."""

from __future__ import annotations

import os
from typing import Any

from relaxspca.certificate import Certificate, load_certificate
from relaxspca.checker import Verdict, verify
from relaxspca.errors import InputError, in_line
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import label_text
from relaxspca.tasks.own_data import own_matrix, own_pencil


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
        Rational arithmetic, or floating point rounded outward. None: exact if n <= 30 with <= 60 nodes.
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
    if against is not None and not isinstance(against, str):  # refused before the work
        against = _own(certificate, against)
    return verify(certificate, exact=exact, against=against)


def _own(certificate: Certificate, given: Any) -> Any:
    """Return what the checker compares with what the certificate speaks of."""
    if certificate.claim.kind == "ratio":
        return own_pencil(certificate, _named(given))
    return own_matrix(_named(_matrix(certificate, given) if _are_observations(given) else given))


def _named(given: Any) -> Any:
    """Return a frame, or each of a pair, with the names of variables where its labels have several levels."""
    if isinstance(given, tuple):
        return tuple(map(_named, given))
    if getattr(getattr(given, "columns", None), "nlevels", 1) == 1:
        return given
    rows, columns = ([*map(label_text, labels)] for labels in (given.index, given.columns))
    return given.set_axis(columns, axis=1).set_axis(rows, axis=0)


def variables_of(certificate: Certificate) -> tuple[str, ...]:
    """Return all variables of the data of a certificate, those that were eliminated or deflated too."""
    deflation, eliminated = certificate.description.deflation, certificate.eliminated
    if deflation is not None:
        return tuple(deflation.names)
    return (*certificate.names, *(() if eliminated is None else eliminated.names))


def _are_observations(given: Any) -> bool:
    shape: tuple[int, ...] = getattr(given, "shape", ())
    return len(shape) == 2 and shape[0] != shape[1]


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
