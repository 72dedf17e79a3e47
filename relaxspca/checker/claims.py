"""Check a certificate of whatever kind of claim, in rational numbers or in floating point rounded outward."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, load_certificate, values
from relaxspca.checker.exact import Exact
from relaxspca.checker.verdict import Checked, Outcome, Verdict, verdict_on

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
    against : OwnDigest, OwnMatrix or OwnPencil, optional
        What it must be about, or its digest; `relaxspca.verify` takes tables and texts.

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
    kind = certificate.claim.kind
    fits = against is None or kind in getattr(against, "kinds", ())
    values.require(fits, f"a claim of the kind {kind!r} is not held against a {type(against).__name__}")
    try:
        with np.errstate(all="ignore"):
            arithmetic = arithmetic_for(certificate, exact)
            proved = check_of(kind)(certificate, arithmetic)
            compared = None if against is None else against.compare(certificate, arithmetic, proved)
            return verdict_on(certificate, arithmetic, proved, compared)
    except Exception as error:
        return unfinished(certificate, error)


def check_of(kind: str) -> Callable[[Certificate, Any], Checked]:
    """Return the check of claims of a kind; what only other kinds need is not imported."""
    if kind == "component":
        from relaxspca.checker.component import check_component as check
    elif kind == "components":
        from relaxspca.checker.components import check_components as check
    else:
        from relaxspca.checker.ratio import check_ratio as check
    return check


def arithmetic_for(certificate: Certificate, exact: bool | None) -> Any:
    """Return the arithmetic asked for; None asks for the exact one where it is quick."""
    if exact is None:
        exact = certificate.n <= EXACT_VARIABLES and len(certificate.tree) <= EXACT_NODES
        exact = exact and len(getattr(certificate.subject, "response", ())) <= EXACT_OBSERVATIONS
        if exact and certificate.claim.kind == "components":
            from relaxspca.checker.choices import most_blocks

            exact = most_blocks(certificate) <= EXACT_BLOCKS
    if exact:
        return Exact()
    from relaxspca.checker.rounded import Rounded

    return Rounded()


def unfinished(certificate: Certificate, error: Exception) -> Verdict:
    """Return that an error stopped the check."""
    why = (f"the check was stopped by {error!r}",)
    bounds = -math.inf, math.inf, 0
    return Verdict(Outcome.INCONCLUSIVE, certificate, why, "not finished", *bounds, proved_others=math.inf)
