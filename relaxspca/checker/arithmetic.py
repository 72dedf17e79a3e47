"""Which arithmetic a claim is checked in: rational numbers, or floating point rounded outward."""

from __future__ import annotations

from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.checker.choices import most_blocks
from relaxspca.checker.exact import Exact
from relaxspca.checker.rounded import Rounded

EXACT_VARIABLES, EXACT_NODES, EXACT_BLOCKS = 30, 60, 1 << 12  # up to which rational numbers are quick
EXACT_OBSERVATIONS = 2000


def arithmetic_for(certificate: Certificate, exact: bool | None) -> Any:
    """Return the arithmetic asked for; None asks for the exact one where it is quick."""
    if exact is None:
        is_small = certificate.n <= EXACT_VARIABLES and len(certificate.tree) <= EXACT_NODES
        is_long = len(getattr(certificate.subject, "response", ())) > EXACT_OBSERVATIONS
        exact = is_small and not is_long and most_blocks(certificate) <= EXACT_BLOCKS
    return Exact() if exact else Rounded()
