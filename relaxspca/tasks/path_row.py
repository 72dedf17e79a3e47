"""A row of a path."""

from __future__ import annotations

import math

from relaxspca.certificate import Certificate
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.psi.closed_form import DualFamily
from relaxspca.results.path_table import PathRow

__all__ = ["path_row"]


def path_row(
    cov: Covariance,
    k: int,
    found: Candidate,
    certificate: Certificate,
    *,
    by: str,
    tol: float,
    rho: float | None = None,
) -> PathRow:
    """Return a row from the certificate of its bounds, with the penalties at which its support is proved best.

    `by` says what proved it; `rho` is None where the path is over cardinalities.
    """
    # What penalties are admissible depends on all variables.
    family = DualFamily.of(cov, found) if found.k and cov.eliminated is None else None
    lower, upper = certificate.lower, certificate.upper
    return PathRow(
        k=k,
        rho=rho,
        candidate=found,
        lower=lower,
        upper=upper,
        rho_lo=math.nan if family is None else family.rho_lo,
        rho_hi=math.nan if family is None else family.rho_hi,
        by=by,
        tol=tol,
        certificate=certificate,
    )
