"""Check a claim about one component, by the rules that ``certificates/SPEC.md`` proves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Eliminated, statement
from relaxspca.checker.against import compare, unmet_condition
from relaxspca.checker.arithmetic import arithmetic_for
from relaxspca.checker.exact import Exact, float_above
from relaxspca.checker.family import Family
from relaxspca.checker.leaves import Evidence, least_bound
from relaxspca.checker.others import check_supports
from relaxspca.checker.restricted import restricted_evidence
from relaxspca.checker.tree import Case, Defect, leaves, over_leaves
from relaxspca.checker.verdict import Verdict, above, below, contradicting, verdict_on
from relaxspca.checker.witness import attained, paid


def verify_component(certificate: Certificate, exact: bool | None, against: Any) -> Verdict:
    """Check a claim about one component; the parameters are those of `verify`."""
    arithmetic, reasons, contradictions = arithmetic_for(certificate, exact), list[str](), list[str]()
    with np.errstate(all="ignore"):
        lower = _lower(certificate)
        evidence = restricted_evidence(certificate, arithmetic)
        upper, count = _upper(evidence, reasons, _limit(certificate))
        others = upper
        if certificate.others is not None:
            upper = max(upper, check_supports(evidence, certificate.others, reasons, contradictions))
            if upper > certificate.upper:
                reasons.append(f"the largest bound is {above(upper)}, above the claimed upper bound")
        if lower < certificate.lower:
            reasons.append(f"the vector attains only {below(lower)}, below the claimed lower bound")
            upper = min(upper, _sharper(evidence))
        compared, unmet = None, unmet_condition(certificate, arithmetic)
        if against is not None:
            listed = None if certificate.others is None else others
            compared = compare(certificate, against, arithmetic, lower, upper, listed)
    contradictions += _unlisted(certificate, lower) + contradicting(certificate, lower, upper)
    if unmet:
        contradictions, reasons = [], [*reasons, unmet]  # of no matrix nothing is false
    return verdict_on(
        certificate,
        arithmetic,
        (lower, upper, count),
        (contradictions, reasons),
        compared,
        conditions=statement.conditions(certificate),
        proved_others=None if certificate.others is None else float_above(others),
    )


def _lower(certificate: Certificate) -> Any:
    """Return z' Sigma z / z'z less what is paid, in exact rationals; or 0, that of no variables, if allowed."""
    T = certificate.indices
    least: Any = Exact.zero if certificate.allows_none else -math.inf
    if not len(T):
        return least
    return max(least, attained(certificate, T, certificate.loadings[T]) - paid(certificate))


def _sharper(evidence: Evidence) -> Any:
    """Return a bound below the claimed lower one, if one is proved."""
    certificate = evidence.certificate
    bound, _ = _upper(evidence, [], math.nextafter(certificate.lower, -math.inf))
    if certificate.others is not None:
        bound = max(bound, check_supports(evidence, certificate.others, [], []))
    return bound


def _upper(evidence: Evidence, reasons: list[str], limit: float) -> tuple[Any, int]:
    """Return the largest bound proved and the number of leaves; say which bounds are above a limit."""
    c = evidence.certificate
    cases = leaves(c.tree, evidence.n, c.include, c.exclude, evidence.mates)
    worst, count = over_leaves(cases, lambda node: _leaf_upper(evidence, node, limit), limit, reasons)
    worst = max(worst, evidence.arithmetic.zero) if c.allows_none else worst
    if c.eliminated is not None:
        try:
            beyond = _elimination_upper(evidence, c.eliminated, worst, limit)
        except Defect as defect:
            reasons.append(str(defect))
            return math.inf, count
        if beyond > limit:
            said = f"the bound for supports with eliminated variables is {above(beyond)}"
            reasons.append(f"{said}, above the claimed upper bound")
        worst = max(worst, beyond)
    return worst, count


def _limit(certificate: Certificate) -> float:
    """Return what the tree has to prove: the upper bound, or that on the supports that are not listed."""
    return certificate.upper if certificate.others is None else certificate.others.most


def _leaf_upper(evidence: Evidence, node: Case, limit: float) -> Any:
    """Return a bound for the supports of a leaf, of size k or, if penalised, of every size but 0."""
    penalty = evidence.certificate.rho or 0.0
    bounds = (
        least_bound(evidence, node.leaf, family, limit, [-penalty] * family.size)
        for family in evidence.families(node)
    )
    return max(bounds, default=-math.inf)


def _elimination_upper(evidence: Evidence, eliminated: Eliminated, kept_upper: Any, limit: float) -> Any:
    """Return a bound for every support of A, kept, and B, b >= 1 eliminated variables.

    With Sigma + d I positive semidefinite, lambda_max(Sigma_TT) is at most lambda_max(Sigma_AA), bounded by
    a rule, plus the b largest eliminated variances and b d. If penalised, an eliminated variable adds what its
    variance and d exceed the penalty by to `kept_upper`, a bound on kept parts of any size, 0 if allowed.
    """
    arithmetic, penalty = evidence.arithmetic, evidence.certificate.rho
    variances = eliminated.largest(eliminated.count).tolist()
    if penalty is not None:
        gains = [arithmetic.total([v, eliminated.shift, -penalty]) for v in variances]
        return arithmetic.total([kept_upper, *(max(gain, arithmetic.zero) for gain in gains)])
    rule: Any = evidence.certificate.elimination
    everything, added, worst = tuple(range(evidence.certificate.n)), arithmetic.zero, -math.inf
    for size, variance in zip(reversed(range(evidence.certificate.k or 0)), variances, strict=False):
        added, kept = arithmetic.total([added, variance, eliminated.shift]), ((everything, size),)
        worst = max(
            worst, least_bound(evidence, rule, Family((), kept, kept), limit, [added]) if size else added
        )
    return worst


def _unlisted(certificate: Certificate, lower: Any) -> list[str]:
    """Return that the witness makes a list false, where it does."""
    others, support = certificate.others, certificate.indices.tolist()
    if others is None or lower <= others.most or len(support) != certificate.k:
        return []
    if support in [T.tolist() for T in others.indices]:
        return []
    return [f"{support} is not listed, and explains {below(lower)}, more than is claimed of others"]
