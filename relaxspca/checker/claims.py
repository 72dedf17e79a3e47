"""Check a certificate of whatever kind of claim, in rational numbers or in floating point rounded outward."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, load_certificate, values
from relaxspca.checker.against_pencil import OwnPencil, verify_pencil
from relaxspca.checker.choices import most_blocks
from relaxspca.checker.component import verify_component
from relaxspca.checker.components import verify_components
from relaxspca.checker.exact import Exact
from relaxspca.checker.own_matrix import OwnMatrix
from relaxspca.checker.rounded import Rounded
from relaxspca.checker.verdict import Outcome, Verdict

EXACT_VARIABLES, EXACT_NODES, EXACT_BLOCKS = 30, 60, 1 << 12  # up to which rational numbers are quick
EXACT_OBSERVATIONS = 2000


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
        Rational arithmetic, or floating point rounded outward. None: exact if quick, n <= 30 at most.
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
        with np.errstate(all="ignore"):
            return check(certificate, arithmetic_for(certificate, exact), against)  # type: ignore[no-any-return]
    except Exception as error:
        return unfinished(certificate, error)


CHECKS = {"component": verify_component, "components": verify_components, "ratio": verify_pencil}


def arithmetic_for(certificate: Certificate, exact: bool | None) -> Any:
    """Return the arithmetic asked for; None asks for the exact one where it is quick."""
    if exact is None:
        is_small = certificate.n <= EXACT_VARIABLES and len(certificate.tree) <= EXACT_NODES
        is_long = len(getattr(certificate.subject, "response", ())) > EXACT_OBSERVATIONS
        exact = is_small and not is_long and most_blocks(certificate) <= EXACT_BLOCKS
    return Exact() if exact else Rounded()


def unfinished(certificate: Certificate, error: Exception) -> Verdict:
    """Return that an error stopped the check."""
    why = (f"the check was stopped by {error!r}",)
    bounds = -math.inf, math.inf, 0
    return Verdict(Outcome.INCONCLUSIVE, certificate, why, "not finished", *bounds, proved_others=math.inf)
