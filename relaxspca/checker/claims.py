"""Check a certificate of whatever kind of claim."""

from __future__ import annotations

import math
import os
from typing import Any

from relaxspca.certificate import Certificate, load_certificate, values
from relaxspca.checker.against_pencil import OwnPencil, verify_pencil
from relaxspca.checker.component import verify_component
from relaxspca.checker.components import verify_components
from relaxspca.checker.own_matrix import OwnMatrix
from relaxspca.checker.verdict import Outcome, Verdict


def verify(
    source: str | os.PathLike[str] | Certificate,
    *,
    exact: bool | None = None,
    against: Any = None,
) -> Verdict:
    """Check a certificate, with nothing taken from what made it.

    `lower <= v_k <= upper` is verified if and only if the vector attains `lower`, in exact rationals, and
    the leaves of the tree cover every support and are all at most `upper`. Of several components the
    vectors are made exactly orthogonal first.

    Parameters
    ----------
    source : path or Certificate
    exact : bool, optional
        Rational arithmetic, or floating point rounded outward. None: exact if n <= 30 with <= 60 nodes.
    against : str, OwnMatrix or OwnPencil, optional
        What it must be about, or its digest; `relaxspca.verify` takes tables.

    Returns
    -------
    Verdict

    Raises
    ------
    CertificateError
        The file cannot be read as a certificate.

    Examples
    --------
    >>> import relaxspca as rs
    >>> bool(verify(rs.solve(rs.Covariance([[2.0, 1.0], [1.0, 2.0]]), 2).certificate))
    True
    """
    certificate = source if isinstance(source, Certificate) else load_certificate(source)
    check: Any = CHECKS[certificate.claim.kind]
    fitting = None | str | (OwnPencil if check is verify_pencil else OwnMatrix)
    values.require(isinstance(against, fitting), f"held against a {type(against).__name__}")
    try:
        return check(certificate, exact, against)  # type: ignore[no-any-return]
    except Exception as error:
        return unfinished(certificate, error)


CHECKS = {"component": verify_component, "components": verify_components, "ratio": verify_pencil}


def unfinished(certificate: Certificate, error: Exception) -> Verdict:
    """Return that an error stopped the check."""
    why = (f"the check was stopped by {error!r}",)
    bounds = -math.inf, math.inf, 0
    return Verdict(Outcome.INCONCLUSIVE, certificate, why, "not finished", *bounds, proved_others=math.inf)
