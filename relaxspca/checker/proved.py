"""See what is proved of a claim, whatever its kind: its bounds, and those of the supports that it lists.

``certificates/SPEC.md``, sections 3 and 8.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.checker.defect import Defect
from relaxspca.checker.exact import above, below
from relaxspca.checker.verdict import MOST_REASONS, Checked


def checked(
    certificate: Certificate,
    attained: Callable[[], Any],
    upper: Callable[[float, list[str]], tuple[Any, int]],
    on_listed: tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]] | None = None,
    *,
    vectors: str = "vector attains",
    optimum: str = "optimum",
) -> Checked:
    """Return what is proved of a claim.

    Parameters
    ----------
    attained : returns what the vectors of the file attain, exactly, or raises Defect.
    upper : bounds every support that is not listed, and counts the leaves; says what is above a level.
    on_listed : what loadings attain on a support that is listed, and a bound for it, which need not be sharper
        than a level.
    vectors, optimum : what attains, and what is bounded, in words.
    """
    reasons, short, contradictions, lower = list[str](), list[str](), list[str](), -math.inf
    try:
        lower = attained()
        if lower < certificate.lower:
            short.append(f"the {vectors} only {below(lower)}, below the claimed lower bound")
    except Defect as why:
        short.append(str(why))
    listed, worst = certificate.claim.listed, -math.inf
    others, count = upper(certificate.upper if listed is None else listed.others, reasons)
    if listed is not None:
        worst = _listed(certificate, on_listed, contradictions, reasons)
        if max(others, worst) > certificate.upper:
            reasons.append(f"the largest bound is {above(max(others, worst))}, above the claimed upper bound")
    most = max(others, worst)
    least = math.nextafter(certificate.lower, -math.inf)
    if lower < certificate.lower and math.isfinite(least):  # perhaps nothing attains it
        most = min(most, max(upper(least, [])[0], worst))
    if listed is not None and lower > listed.others and len(certificate.indices) == certificate.k:
        support = certificate.indices.tolist()
        said = f"{support} is not listed, and attains {below(lower)}, more than is claimed of others"
        contradictions += [said] if listed.place(support) is None else []
    if lower > certificate.upper:
        contradictions.append(f"the {optimum} is at least {below(lower)}, above the claimed upper bound")
    if most < certificate.lower:
        contradictions.append(f"the {optimum} is at most {above(most)}, below the claimed lower bound")
    return Checked(lower, most, count, contradictions, reasons + short, others)


def _listed(certificate: Certificate, on_listed: Any, contradictions: list[str], reasons: list[str]) -> Any:
    """Return the largest of the bounds proved for the supports listed; say which claims are not proved."""
    (attained, proved), worst, short = on_listed, -math.inf, list[str]()
    listed, loadings = certificate.claim.listed, certificate.witness.listed
    assert listed is not None
    assert loadings is not None
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
