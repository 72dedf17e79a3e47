"""Which arithmetic a claim is checked in: rational numbers, or floating point rounded outward."""

from __future__ import annotations

from typing import Any

from relaxspca.certificate import Certificate, RatioCertificate, TableCertificate
from relaxspca.checker.choices import most_blocks
from relaxspca.checker.exact import Exact
from relaxspca.checker.rounded import Rounded

EXACT_VARIABLES, EXACT_NODES, EXACT_BLOCKS = 30, 60, 1 << 12  # up to which rational numbers are quick


def arithmetic_for(certificate: Certificate | RatioCertificate | TableCertificate, exact: bool | None) -> Any:
    """Return the arithmetic asked for; None asks for the exact one where it is quick."""
    if exact is None:
        beside = certificate.beside if isinstance(certificate, TableCertificate) else ()
        claims = (certificate, *beside)
        blocks = sum(most_blocks(claim) for claim in claims if isinstance(claim, TableCertificate))
        is_quick = certificate.n <= EXACT_VARIABLES and sum(len(claim.tree) for claim in claims) <= EXACT_NODES
        exact = is_quick and blocks <= EXACT_BLOCKS
    return Exact() if exact else Rounded()
