"""Check a claim about one component: SPEC.md, sections 2 to 8."""

from __future__ import annotations

import math
from typing import Any

from relaxspca.certificate import Certificate, Eliminated
from relaxspca.checker.core import Core
from relaxspca.checker.defect import Defect
from relaxspca.checker.exact import above, below
from relaxspca.checker.family import Family
from relaxspca.checker.reductions import core_of
from relaxspca.checker.supports import check_supports, unlisted
from relaxspca.checker.verdict import Checked, contradicting
from relaxspca.checker.witness import attained_by, exact_form, quotient


def check_component(certificate: Certificate, arithmetic: Any) -> Checked:
    """Return what is proved of a claim about one component, in an arithmetic."""
    reasons, contradictions = list[str](), list[str]()
    listed = certificate.claim.listed
    lower, core = attained_by(certificate, exact_form(certificate)), core_of(certificate, arithmetic)
    others, count = _tree(core, certificate.upper if listed is None else listed.others, reasons)
    upper = _with_list(core, others, (contradictions, reasons))
    if lower < certificate.lower:
        reasons.append(f"the vector attains only {below(lower)}, below the claimed lower bound")
        sharper, _ = _tree(core, math.nextafter(certificate.lower, -math.inf), [])
        upper = min(upper, _with_list(core, sharper, ([], [])))
    contradictions += unlisted(certificate, lower) + contradicting(certificate, lower, upper)
    return Checked(lower, upper, count, contradictions, reasons, others)


def _with_list(core: Core, others: Any, wrong: tuple[list[str], list[str]]) -> Any:
    """Return the largest bound of the tree and of the supports listed, if some are."""
    certificate = core.certificate
    if certificate.claim.listed is None:
        return others
    worst = check_supports(
        certificate,
        lambda T, z: quotient(exact_form(certificate), T, z),
        lambda T, _: core.eigenvalue(Family(tuple(T), ())),
        wrong,
    )
    upper = max(others, worst)
    if upper > certificate.upper:
        wrong[1].append(f"the largest bound is {above(upper)}, above the claimed upper bound")
    return upper


def _tree(core: Core, level: float, reasons: list[str]) -> tuple[Any, int]:
    """Return the largest bound proved and the number of leaves; say which bounds are above a level."""
    worst, count = core.upper(level, reasons)
    worst = max(worst, core.arithmetic.zero) if core.certificate.allows_none else worst
    if core.certificate.eliminated is not None:
        try:
            beyond, lacking = _elimination_upper(core, core.certificate.eliminated, worst, level), ""
        except Defect as defect:
            beyond, lacking = math.inf, str(defect)
        if beyond > level:
            reasons.append(lacking or f"of supports with eliminated variables only {above(beyond)} is proved")
        worst = max(worst, beyond)
    return worst, count


def _elimination_upper(core: Core, eliminated: Eliminated, kept_upper: Any, level: float) -> Any:
    """Return a bound for every support of A, kept, and B, b >= 1 eliminated variables.

    With Sigma + d I positive semidefinite, lambda_max(Sigma_TT) is at most lambda_max(Sigma_AA), which a rule
    bounds for as many variables or more, plus the b largest eliminated variances and b d. If penalised, an
    eliminated variable adds what its variance and d exceed the penalty by to `kept_upper`, for any size of A.
    """
    arithmetic, penalty, k = core.arithmetic, core.penalty, core.certificate.k
    variances = eliminated.largest(eliminated.count).tolist()
    if penalty is not None:
        gains = [arithmetic.total([v, eliminated.shift, -penalty]) for v in variances]
        return arithmetic.total([kept_upper, *(max(gain, arithmetic.zero) for gain in gains)])
    rule: Any = core.certificate.evidence.elimination
    everything, added, bound, worst = tuple(range(core.n)), arithmetic.zero, math.inf, -math.inf
    for size, variance in zip(reversed(range(k)), variances, strict=False):
        added, bound = (arithmetic.total([x, variance, eliminated.shift]) for x in (added, bound))
        if bound > level or not size:
            kept = ((everything, size),)
            bound = core.least(rule, Family((), kept, kept), level, [added]) if size else added
        worst = max(worst, bound)
    return worst
