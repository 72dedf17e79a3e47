"""Check what a claim says of supports one by one: those that it lists beside a bound on all others."""

from __future__ import annotations

import math
from typing import Any

from relaxspca.certificate import Leaf, Others
from relaxspca.checker.family import Family
from relaxspca.checker.leaves import Evidence, spectral
from relaxspca.checker.verdict import MOST_REASONS, above, below
from relaxspca.checker.witness import attained


def check_supports(evidence: Evidence, others: Others, reasons: list[str], contradictions: list[str]) -> Any:
    """Return the largest of the bounds proved for the supports listed; say which claims are not proved."""
    worst: Any = -math.inf
    short: list[str] = []
    for at, support in enumerate(others.indices):
        value = attained(evidence.certificate, support, others.loadings[at])
        if value < float(others.lower[at]):
            short.append(f"listed support {at}: its vector attains only {below(value)}")
        if value > float(others.upper[at]):
            contradictions.append(f"listed support {at} explains {below(value)}, above what is claimed")
        bound = next(spectral(evidence, Leaf("support"), Family(tuple(support.tolist()), ())))
        if bound > float(others.upper[at]):
            short.append(f"listed support {at}: its bound is {above(bound)}, above the claimed one")
        worst = max(worst, bound)
    reasons += short[:MOST_REASONS]
    if len(short) > MOST_REASONS:
        reasons.append(f"{len(short) - MOST_REASONS} more bounds of supports listed are not proved")
    return worst
