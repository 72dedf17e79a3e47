"""Decide whether a certificate proves its claim, by the rules that ``certificates/SPEC.md`` proves."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Eliminated, RatioCertificate, TableCertificate, statement
from relaxspca.checker.against import AgainstMatrix, compare, unmet_condition
from relaxspca.checker.choices import most_blocks
from relaxspca.checker.environment import SOUND, floating_environment
from relaxspca.checker.exact import Exact, float_above, float_below
from relaxspca.checker.leaves import Evidence
from relaxspca.checker.others import above, attained, below, check_supports
from relaxspca.checker.restricted import restricted_evidence
from relaxspca.checker.rounded import Rounded
from relaxspca.checker.tree import Case, Defect, leaves
from relaxspca.checker.witness import paid

EXACT_VARIABLES, EXACT_NODES, EXACT_BLOCKS, MOST_REASONS = 30, 60, 1 << 12, 10


class Outcome(enum.Enum):
    """What the checker found; the value is the sentence."""

    VERIFIED = "the evidence proves the claim"
    REFUTED = "the claim is false, of its own matrix or of yours"
    INCONCLUSIVE = "the evidence does not prove the claim, or not of your matrix"


@dataclass(frozen=True)
class Verdict:
    """What the checker proved about one certificate; printed, it says all of it.

    Parameters
    ----------
    outcome : Outcome
    claim : str
        In one line, its bounds rounded outwards.
    reasons : tuple of str
        Why it is not verified; empty when it is.
    arithmetic : str
        "exact" or "rounded outward".
    proved_lower, proved_upper : float
        The bounds that were proved (variance); `inf` when some support is not covered.
    leaf_count : int
    statement : tuple of str
        The claim in words: what is bounded, of which matrix, and which variables attain the lower bound.
    conditions : tuple of str
        What the claim presupposes.
    comparison : AgainstMatrix or None
        What was found on holding it `against` a matrix.
    environment : str
        How this process computes with doubles.
    proved_others : float or None
        What no support exceeds that is not listed, in a claim that lists some (variance).
    about : str
        What attains the lower bound: "component", "table" of components, or "vector" of a ratio.
    """

    outcome: Outcome
    claim: str
    reasons: tuple[str, ...]
    arithmetic: str
    proved_lower: float
    proved_upper: float
    leaf_count: int
    statement: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    comparison: AgainstMatrix | None = None
    environment: str = SOUND
    proved_others: float | None = None
    about: str = "component"

    @property
    def verified(self) -> bool:
        """Whether the evidence proves the claim as stated."""
        return self.outcome is Outcome.VERIFIED

    def __bool__(self) -> bool:
        return self.verified

    @property
    def details(self) -> tuple[str, ...]:
        """What is to be said beside the outcome and the reasons, a sentence each."""
        compared = () if self.comparison is None or self.reasons else (self.comparison.note,)
        # A claim about all other supports says in its own words how far they are.
        silent = (f"that no other {self.about} attains as much is neither claimed nor proved",)
        unique = silent if self.proved_others is None else ()
        how = f"arithmetic: {self.arithmetic}; {self.environment}"
        return (*self.statement, *compared, *self.conditions, *unique, how)

    def __str__(self) -> str:
        """Return the verdict as lines of text."""
        return "\n  ".join([f"{self.outcome.name}: {self.outcome.value}", *self.reasons, *self.details])


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
        compared, unmet = None, "unproved"
        try:
            unmet = unmet_condition(certificate, arithmetic)
            if against is not None:
                listed = None if certificate.others is None else others
                compared = compare(certificate, against, arithmetic, lower, upper, listed)
        except MemoryError as error:
            reasons.append(str(error))
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


def contradicting(certificate: Any, lower: Any, upper: Any, optimum: str = "optimum") -> list[str]:
    """Return what makes the bounds of a claim false, not only unproved."""
    found = []
    if lower > certificate.upper:
        found.append(f"the {optimum} is at least {below(lower)}, above the claimed upper bound")
    if upper < certificate.lower:
        found.append(f"the {optimum} is at most {above(upper)}, below the claimed lower bound")
    return found


def verdict_on(
    certificate: Any,
    arithmetic: Any,
    proved: tuple[Any, Any, int],
    wrong: tuple[list[str], list[str]],
    compared: AgainstMatrix | None = None,
    **more: Any,
) -> Verdict:
    """Return the verdict on a claim: the bounds proved and the leaves, what is false and what not proved."""
    (lower, upper, count), (contradictions, reasons) = proved, wrong
    environment, faults = floating_environment()
    if compared is not None:
        (contradictions if compared.is_false else reasons).extend(compared.reasons)
    outcome = Outcome.REFUTED if contradictions else Outcome.INCONCLUSIVE if reasons else Outcome.VERIFIED
    return Verdict(
        Outcome.INCONCLUSIVE if faults else outcome,
        certificate.claim,
        tuple(faults + contradictions + reasons),
        arithmetic.name,
        float_below(lower),
        float_above(upper),
        count,
        certificate.wording.words(certificate),
        comparison=compared,
        environment=environment,
        **more,
    )


def arithmetic_for(certificate: Certificate | RatioCertificate | TableCertificate, exact: bool | None) -> Any:
    """Return the arithmetic asked for; None asks for the exact one where it is quick."""
    if exact is None:
        beside = certificate.beside if isinstance(certificate, TableCertificate) else ()
        claims = (certificate, *beside)
        blocks = sum(most_blocks(claim) for claim in claims if isinstance(claim, TableCertificate))
        is_quick = certificate.n <= EXACT_VARIABLES and sum(len(claim.tree) for claim in claims) <= EXACT_NODES
        exact = is_quick and blocks <= EXACT_BLOCKS
    return Exact() if exact else Rounded()


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
        except (Defect, MemoryError) as defect:
            reasons.append(str(defect))
            return math.inf, count
        if beyond > limit:
            said = f"the bound for supports with eliminated variables is {above(beyond)}"
            reasons.append(f"{said}, above the claimed upper bound")
        worst = max(worst, beyond)
    return worst, count


def over_leaves(
    cases: Iterable[Any], bound_of: Callable[[Any], Any], limit: float, reasons: list[str]
) -> tuple[Any, int]:
    """Return the largest bound over the leaves of a tree and their number; say which are above a limit."""
    worst, count = -math.inf, 0
    try:
        for case in cases:
            count += 1
            try:
                bound, said = bound_of(case), ""
            except (Defect, MemoryError) as defect:
                bound, said = math.inf, str(defect)
            if bound > limit:
                short = f"its {case.leaf.kind} bound is {above(bound)}, above the claimed upper bound"
                reasons.append(f"node {case.index}: {said or short}")
            worst = max(worst, bound)
            if len(reasons) >= MOST_REASONS:
                raise Defect("there may be more: the check stopped here")
    except (Defect, MemoryError) as defect:
        worst = math.inf
        reasons.append(str(defect))
    return worst, count


def _limit(certificate: Certificate) -> float:
    """Return what the tree has to prove: the upper bound, or that on the supports that are not listed."""
    return certificate.upper if certificate.others is None else certificate.others.most


def _leaf_upper(evidence: Evidence, node: Case, limit: float) -> Any:
    """Return a bound for the supports of a leaf, of size k or, if penalised, of every size but 0."""
    worst: Any = -math.inf
    for k in evidence.sizes_of(node):
        here = node if k > len(node.forced) else Case(node.index, node.leaf, node.forced, [])
        worst = max(worst, _least(evidence, here, k, [-(evidence.certificate.rho or 0.0)] * k, limit))
    return worst


def _least(evidence: Evidence, node: Case, k: int, added: list[Any], limit: float) -> Any:
    """Return the least bound of a leaf's rule, something added; the first that is at most a limit is enough."""
    least = math.inf
    for bound in evidence.rules[node.leaf.kind](evidence, node, k):
        least = min(least, bound if bound == -math.inf else evidence.arithmetic.total([bound, *added]))
        if least <= limit:
            break
    return least


def _elimination_upper(evidence: Evidence, eliminated: Eliminated, kept_upper: Any, limit: float) -> Any:
    """Return a bound for every support of A, kept, and B, b >= 1 eliminated variables.

    With Sigma + d I positive semidefinite, lambda_max(Sigma_TT) is at most lambda_max(Sigma_AA), bounded by
    a rule, plus the b largest eliminated variances and b d. If penalised, an eliminated variable adds what its
    variance and d exceed the penalty by to `kept_upper`, a bound on kept parts of any size, 0 if allowed.
    """
    arithmetic, price = evidence.arithmetic, evidence.certificate.rho
    variances = eliminated.largest(eliminated.count).tolist()
    if price is not None:
        gains = [arithmetic.total([v, eliminated.shift, -price]) for v in variances]
        return arithmetic.total([kept_upper, *(max(gain, arithmetic.zero) for gain in gains)])
    rule: Any = evidence.certificate.elimination
    node, added, worst = Case(-1, rule, [], list(range(evidence.certificate.n))), arithmetic.zero, -math.inf
    for size, variance in zip(reversed(range(evidence.certificate.k or 0)), variances, strict=False):
        added = arithmetic.total([added, variance, eliminated.shift])
        worst = max(worst, _least(evidence, node, size, [added], limit) if size else added)
    return worst


def _unlisted(certificate: Certificate, lower: Any) -> list[str]:
    """Return that the witness makes a list false, where it does."""
    others, support = certificate.others, certificate.indices.tolist()
    if others is None or lower <= others.most or len(support) != certificate.k:
        return []
    if support in [T.tolist() for T in others.indices]:
        return []
    return [f"{support} is not listed, and explains {below(lower)}, more than is claimed of others"]
