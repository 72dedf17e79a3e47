"""Check a certificate of whatever kind of claim."""

from __future__ import annotations

import math
import os
from typing import Any

from relaxspca.certificate import Certificate, RatioCertificate, TableCertificate, load_certificate
from relaxspca.checker.against_pencil import given_pencil, verify_pencil
from relaxspca.checker.component import verify_component
from relaxspca.checker.own_matrix import held
from relaxspca.checker.tables import verify_table
from relaxspca.checker.verdict import Outcome, Verdict

__all__ = ["verify"]


def verify(
    source: str | os.PathLike[str] | Certificate | RatioCertificate | TableCertificate,
    *,
    exact: bool | None = None,
    against: Any = None,
) -> Verdict:
    """Check a certificate, with nothing taken from what made it.

    The claim `lower <= v_k <= upper` is verified if and only if the vector in the certificate attains
    `lower`, in exact rationals, and the leaves of the tree cover every support and are all proved to be
    at most `upper`. Of several components the vectors are made exactly orthogonal first.

    Parameters
    ----------
    source : path, Certificate, RatioCertificate or TableCertificate
        What to check.
    exact : bool, optional
        Rational arithmetic, or floating point rounded outward. None: exact if n <= 30 with <= 60 nodes.
    against : str, Covariance, Certificate, DataFrame or (n, n) array, or a pair, optional
        The matrix that the certificate must speak of, or its digest. Variables are matched by their names;
        a matrix that differs by rounding is accepted, with the proved distance and what then follows for it.
        Of a claim about a ratio: the pair (A, B), or (X, y) with X a table or a mapping of names to columns.

    Returns
    -------
    Verdict
        True as a boolean if and only if it is verified. An error in it is INCONCLUSIVE.

    Raises
    ------
    CertificateError
        The file cannot be read as a certificate, or `against` is no square matrix of doubles.

    Examples
    --------
    >>> from relaxspca.certificate import Certificate, Leaf
    >>> bool(verify(Certificate(n=2, names="ab", matrix=[[2, 1], [1, 2]], k=2, lower=3, upper=3.01,
    ...                         indices=[0, 1], loadings=[1, 1], tree=[Leaf("spectral")])))
    True
    """
    kinds = Certificate | RatioCertificate | TableCertificate
    certificate: Any = source if isinstance(source, kinds) else load_certificate(source)
    is_ratio = isinstance(certificate, RatioCertificate)
    check = verify_table if isinstance(certificate, TableCertificate) else verify_component
    if against is not None and not isinstance(against, str):
        against = given_pencil(certificate, against) if is_ratio else held(against)  # refused before the work
    try:
        return (verify_pencil if is_ratio else check)(certificate, exact, against)
    except Exception as error:
        return unfinished(certificate, error)


def unfinished(certificate: Any, error: Exception) -> Verdict:
    """Return that an error stopped the check."""
    reason = f"the check was stopped by {error!r}"
    found = certificate.claim, (reason,), "not finished", -math.inf, math.inf, 0
    return Verdict(Outcome.INCONCLUSIVE, *found, certificate.wording.words(certificate), proved_others=math.inf)
