"""Check what a claim says of supports one by one: those that it lists beside a bound on all others."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.checker.exact import below
from relaxspca.checker.verdict import MOST_REASONS


def check_supports(
    certificate: Certificate,
    attained: Callable[[Any, Any], Any],
    proved: Callable[[list[int], float], Any],
    wrong: tuple[list[str], list[str]],
) -> Any:
    """Return the largest of the bounds proved for the supports listed; say which claims are not proved.

    `attained` is what loadings attain on a support, `proved` a bound on what it explains, which need not be
    sharper than a level.
    """
    listed, loadings = certificate.claim.listed, certificate.witness.listed
    assert listed is not None
    assert loadings is not None
    (contradictions, reasons), worst, short = wrong, -math.inf, list[str]()
    for at, support in enumerate(listed.supports):
        value, upper = attained(support, loadings[at]), float(listed.upper[at])
        if value < float(listed.lower[at]):
            short.append(f"listed support {at}: its vector attains only {below(value)}")
        if value > min(upper, certificate.upper):
            contradictions.append(f"listed support {at} attains {below(value)}, above what is claimed")
        bound = proved(support.tolist(), upper)
        if bound > upper:
            short.append(f"listed support {at}: the claimed bound is not proved")
        worst = max(worst, bound if bound <= certificate.upper else proved(support.tolist(), certificate.upper))
    reasons += short[:MOST_REASONS]
    if len(short) > MOST_REASONS:
        reasons.append(f"{len(short) - MOST_REASONS} more bounds of supports listed are not proved")
    return worst


def unlisted(certificate: Certificate, lower: Any) -> list[str]:
    """Return that the witness makes a list false, where it does."""
    listed, support = certificate.claim.listed, certificate.indices.tolist()
    if listed is None or lower <= listed.others or len(support) != certificate.k:
        return []
    said = f"{support} is not listed, and attains {below(lower)}, more than is claimed of others"
    return [said] if listed.place(support) is None else []
