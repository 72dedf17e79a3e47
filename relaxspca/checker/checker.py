"""Decide whether a certificate proves its claim, by the rules that ``certificates/SPEC.md`` proves."""

from __future__ import annotations

import enum
import math
import os
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Eliminated, digest_of
from relaxspca.checker.exact import Exact, float_above, float_below
from relaxspca.checker.leaves import RULES, Evidence
from relaxspca.checker.rounded import Rounded
from relaxspca.checker.tree import Defect, Node, leaves

EXACT_VARIABLES, EXACT_NODES, MOST_REASONS = 30, 60, 10


class Outcome(enum.Enum):
    """What the checker found; the value is the sentence."""

    VERIFIED = "the evidence proves the claim"
    REFUTED = "what the certificate proves contradicts its claim, or it speaks of another matrix"
    INCONCLUSIVE = "the evidence does not prove the claim"


@dataclass(frozen=True)
class Verdict:
    """What the checker proved about one certificate.

    Parameters
    ----------
    outcome : Outcome
    claim : str
    reasons : tuple of str
        Why it is not verified; empty when it is.
    arithmetic : str
        "exact" or "rounded outward".
    proved_lower, proved_upper : float
        The bounds that were proved (variance); `inf` when some support is not covered.
    leaf_count : int
    """

    outcome: Outcome
    claim: str
    reasons: tuple[str, ...]
    arithmetic: str
    proved_lower: float
    proved_upper: float
    leaf_count: int

    @property
    def verified(self) -> bool:
        """Whether the evidence proves the claim as stated."""
        return self.outcome is Outcome.VERIFIED

    def __bool__(self) -> bool:
        return self.verified


def verify(
    source: str | os.PathLike[str] | Certificate, *, exact: bool | None = None, against: Any = None
) -> Verdict:
    """Check a certificate, with nothing taken from what made it.

    The claim `lower <= v_k <= upper` is verified if and only if the vector in the certificate attains
    `lower`, in exact rationals, and the leaves of the tree cover every support and are all proved to be
    at most `upper`.

    Parameters
    ----------
    source : path or Certificate
        What to check.
    exact : bool, optional
        Rational arithmetic, or floating point rounded outward. None: exact if n <= 30 with <= 60 nodes.
    against : str, covariance or (n, n) array, optional
        The matrix that the certificate must speak of, or its digest.

    Returns
    -------
    Verdict
        True as a boolean if and only if it is verified.

    Raises
    ------
    CertificateError
        The file cannot be read as a certificate, or `against` is no matrix of doubles.

    Examples
    --------
    >>> from relaxspca.certificate import Certificate, Leaf
    >>> bool(verify(Certificate(n=2, names="ab", matrix=[[2, 1], [1, 2]], cardinality=2, lower=3, upper=3.01,
    ...                         support=[0, 1], loadings=[1, 1], tree=[Leaf("spectral")])))
    True
    """
    certificate = source if isinstance(source, Certificate) else Certificate.load(source)
    if exact is None:
        exact = certificate.n <= EXACT_VARIABLES and len(certificate.tree) <= EXACT_NODES
    arithmetic, reasons = Exact() if exact else Rounded(), list[str]()
    with np.errstate(all="ignore"):
        lower = _lower(certificate)
        upper, count = _upper(Evidence(certificate, arithmetic), reasons)
    if lower < certificate.lower:
        reasons.append(f"the vector attains only {float_below(lower)!r}, below the claimed lower bound")
    contradictions = _contradictions(certificate, lower, upper, against)
    outcome = Outcome.REFUTED if contradictions else Outcome.INCONCLUSIVE if reasons else Outcome.VERIFIED
    return Verdict(
        outcome,
        certificate.claim,
        tuple(contradictions + reasons),
        arithmetic.name,
        float_below(lower),
        float_above(upper),
        count,
    )


def _lower(certificate: Certificate) -> Any:
    """Return z' Sigma z / z'z in exact rationals; if penalised less the penalty, or 0, that of no variables."""
    exact, T = Exact(), certificate.support
    least = -math.inf if certificate.penalty is None else exact.zero
    if not len(T):
        return least
    z = exact.array(certificate.loadings[T])
    if certificate.factor is not None:
        image = exact.array(certificate.factor[:, T]) @ z
        value = Fraction((image * image).sum()) / (z * z).sum()
    elif certificate.matrix is not None:
        value = z @ (exact.array(certificate.matrix[np.ix_(T, T)]) @ z) / (z * z).sum()
    return max(least, value - Fraction(certificate.penalty or 0.0) * len(T))


def _upper(evidence: Evidence, reasons: list[str]) -> tuple[Any, int]:
    """Return the largest of the leaves' bounds and their number; say which leaves fall short."""
    certificate, count = evidence.certificate, 0
    worst = -math.inf if certificate.penalty is None else evidence.arithmetic.zero
    try:
        for node in leaves(certificate.tree, certificate.n):
            count += 1
            try:
                bound = _leaf_upper(evidence, node)
                if bound > certificate.upper:
                    reasons.append(
                        f"node {node.index}: its {node.leaf.kind} bound is {float_above(bound)!r}, "
                        "above the claimed upper bound"
                    )
            except (Defect, MemoryError) as defect:
                bound = math.inf
                reasons.append(f"node {node.index}: {defect}")
            worst = max(worst, bound)
            if len(reasons) >= MOST_REASONS:
                raise Defect("there may be more: the check stopped here")
        if certificate.eliminated is not None:
            beyond = _elimination_upper(evidence, certificate.eliminated, worst)
            if beyond > certificate.upper:
                reasons.append(
                    "the bound for supports with eliminated variables is "
                    f"{float_above(beyond)!r}, above the claimed upper bound"
                )
            worst = max(worst, beyond)
    except (Defect, MemoryError) as defect:
        worst = math.inf
        reasons.append(str(defect))
    return worst, count


def _leaf_upper(evidence: Evidence, node: Node) -> Any:
    """Return a bound for the supports of a leaf, of size k or, if penalised, of every size but 0."""
    certificate, arithmetic, worst = evidence.certificate, evidence.arithmetic, -math.inf
    least, most = len(node.forced), len(node.forced) + len(node.free)
    sizes = [certificate.cardinality] if certificate.cardinality is not None else range(1, most + 1)
    for k in (k for k in sizes if least <= k <= most):
        best, discount = math.inf, [-(certificate.penalty or 0.0)] * k
        here = node if k > least else Node(node.index, node.leaf, node.forced, [])
        for bound in RULES[node.leaf.kind](evidence, here, k):
            best = min(best, arithmetic.total([bound, *discount]))
            if best <= certificate.upper:
                break
        worst = max(worst, best)
    return worst


def _elimination_upper(evidence: Evidence, eliminated: Eliminated, kept_upper: Any) -> Any:
    """Return a bound for every support of A, kept, and B, b >= 1 eliminated variables.

    With Sigma + d I positive semidefinite, lambda_max(Sigma_TT) is at most lambda_max(Sigma_AA), bounded by
    a rule, plus the b largest eliminated variances and b d. If penalised, an eliminated variable adds what its
    variance and d exceed the penalty by to `kept_upper`, a bound on kept parts of any size, and on 0.
    """
    arithmetic, price = evidence.arithmetic, evidence.certificate.penalty
    variances = eliminated.largest(eliminated.count).tolist()
    if price is not None:
        gains = [arithmetic.total([v, eliminated.shift, -price]) for v in variances]
        return arithmetic.total([kept_upper, *(max(gain, arithmetic.zero) for gain in gains)])
    rule: Any = evidence.certificate.elimination
    node, added, worst = Node(-1, rule, [], list(range(evidence.certificate.n))), arithmetic.zero, -math.inf
    for size, variance in zip(reversed(range(evidence.certificate.cardinality or 0)), variances, strict=False):
        kept = min(RULES[rule.kind](evidence, node, size)) if size else arithmetic.zero
        added = arithmetic.total([added, variance, eliminated.shift])
        worst = max(worst, arithmetic.total([kept, added]))
    return worst


def _contradictions(certificate: Certificate, lower: Any, upper: Any, against: Any) -> list[str]:
    """Return what makes the claim false, not only unproved."""
    found = []
    if lower > certificate.upper:
        found.append(f"the optimum is at least {float_below(lower)!r}, above the claimed upper bound")
    if upper < certificate.lower:
        found.append(f"the optimum is at most {float_above(upper)!r}, below the claimed lower bound")
    if against is not None:
        digest = against if isinstance(against, str) else getattr(against, "digest", None)
        digest = digest if isinstance(digest, str) else digest_of(matrix=against)
        if digest != certificate.digest:
            found.append(
                f"the certificate speaks of the matrix {certificate.digest}, not of {digest}: "
                "other data, rows or variables in another order, or covariance against correlation?"
            )
    return found
