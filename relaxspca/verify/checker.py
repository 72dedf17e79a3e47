"""Decide whether a certificate proves its claim."""

from __future__ import annotations

import enum
import math
import os
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from relaxspca.certificate import Certificate, Leaf, digest_of
from relaxspca.verify.elimination import elimination_upper
from relaxspca.verify.exact import Exact, float_above, float_below, quotient
from relaxspca.verify.leaves import RULES, Evidence
from relaxspca.verify.rounded import Rounded
from relaxspca.verify.tree import Defect, leaves

EXACT_VARIABLES, EXACT_NODES = 30, 60
MOST_REASONS = 10


class Outcome(enum.Enum):
    """What the checker found; the value is the sentence."""

    VERIFIED = "the evidence proves the claim"
    REFUTED = "the claim is false: what the certificate itself proves contradicts it"
    INCONCLUSIVE = "the evidence does not prove the claim"
    UNREADABLE = "the file is not a certificate"


@runtime_checkable
class HasDigest(Protocol):
    """Anything that knows its canonical digest, such as a covariance."""

    @property
    def digest(self) -> str:
        """Canonical digest."""


@dataclass(frozen=True)
class Verdict:
    """What the checker proved about one certificate.

    Parameters
    ----------
    outcome : Outcome
        Verified, refuted or inconclusive.
    claim : str
        The claim in one line.
    reasons : tuple of str
        Why it is not verified; empty when it is.
    arithmetic : str
        "exact" or "rounded outward".
    proved_lower, proved_upper : float
        The bounds that were proved, rounded outward to floats (variance). `proved_upper` is `inf` when
        some support is not covered.
    leaf_count : int
        Number of leaves that were checked.
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


def verify(source: str | os.PathLike[str] | Certificate, *, exact: bool | None = None,
           against: str | HasDigest | ArrayLike | None = None) -> Verdict:
    """Check a certificate, with nothing taken from what made it.

    The claim `lower <= v_k <= upper` is verified if and only if the vector in the certificate attains
    at least `lower`, computed in exact rationals, and every leaf of the tree is proved to be at most
    `upper`, with the leaves covering every support.

    Parameters
    ----------
    source : path or Certificate
        What to check.
    exact : bool, optional
        True: rational arithmetic; False: floating point rounded outward. None: exact when the
        certificate is small (n at most 30, at most 60 nodes).
    against : str, covariance or (n, n) array, optional
        The matrix that the certificate must speak of, or its digest.

    Returns
    -------
    Verdict
        True as a boolean if and only if it is verified.

    Raises
    ------
    CertificateError
        The file cannot be read as a certificate.

    Notes
    -----
    ``certificates/SPEC.md`` states and proves every rule that is applied here.

    Examples
    --------
    >>> from relaxspca.certificate import Certificate, Leaf
    >>> cert = Certificate(n=2, names=("a", "b"), matrix=[[2, 1], [1, 2]], cardinality=2, lower=3.0,
    ...                    upper=3.0001, support=[0, 1], loadings=[1.0, 1.0], tree=[Leaf("spectral")])
    >>> bool(verify(cert))
    True
    """
    certificate = source if isinstance(source, Certificate) else Certificate.load(source)
    if exact is None:
        exact = certificate.n <= EXACT_VARIABLES and len(certificate.tree) <= EXACT_NODES
    arithmetic = Exact() if exact else Rounded()
    reasons: list[str] = []
    with np.errstate(all="ignore"):
        lower = _lower(certificate)
        upper, count = _upper(Evidence(certificate, arithmetic), reasons)
    outcome = Outcome.VERIFIED
    if lower < certificate.lower:
        reasons.append(f"the vector attains only {float_below(lower)!r}, below the claimed lower bound")
    if reasons:
        outcome = Outcome.INCONCLUSIVE
    contradictions = _contradictions(certificate, lower, upper, against)
    if contradictions:
        outcome = Outcome.REFUTED
    return Verdict(outcome, _claim(certificate), tuple(contradictions + reasons), arithmetic.name,
                   float_below(lower), float_above(upper), count)


def _lower(certificate: Certificate) -> Any:
    """Return z' Sigma z / z'z, less the penalty, for the z in the certificate, in exact rationals."""
    exact, T = Exact(), certificate.support
    if not len(T):
        return exact.zero
    z = exact.array(certificate.loadings[T])
    if certificate.matrix is not None:
        image = exact.array(certificate.matrix[np.ix_(T, T)]) @ z
    else:
        assert certificate.factor is not None
        A = exact.array(certificate.factor[:, T])
        image = A.T @ (A @ z)
    return quotient(z, image) - exact.multiple(certificate.penalty or 0.0, len(T))


def _upper(evidence: Evidence, reasons: list[str]) -> tuple[Any, int]:
    """Return the largest of the leaves' bounds and their number; say which leaves fall short."""
    certificate, count = evidence.certificate, 0
    worst: Any = -math.inf if certificate.penalty is None else evidence.arithmetic.zero
    try:
        for at, leaf, forced, free in leaves(certificate.tree, certificate.n):
            count += 1
            try:
                bound = _leaf_upper(evidence, leaf, forced, free)
            except Defect as defect:
                bound = math.inf
                reasons.append(f"node {at}: {defect}")
            else:
                if bound > certificate.upper:
                    reasons.append(f"node {at}: its {leaf.kind} bound is {float_above(bound)!r}, above the "
                                   "claimed upper bound")
            worst = max(worst, bound)
            if len(reasons) >= MOST_REASONS:
                reasons.append("and perhaps more: the check stopped here")
                return math.inf, count
        if certificate.eliminated is not None:
            beyond = elimination_upper(evidence, certificate.eliminated, worst)
            if beyond > certificate.upper:
                reasons.append("the bound for supports with eliminated variables is "
                               f"{float_above(beyond)!r}, above the claimed upper bound")
            worst = max(worst, beyond)
    except Defect as defect:
        reasons.append(str(defect))
        return math.inf, count
    return worst, count


def _leaf_upper(evidence: Evidence, leaf: Leaf, forced: list[int], free: list[int]) -> Any:
    """Return a bound for the supports of a leaf, of size k or, if penalised, of every size."""
    certificate, arithmetic = evidence.certificate, evidence.arithmetic
    if certificate.cardinality is not None:
        sizes = range(certificate.cardinality, certificate.cardinality + 1)
    else:
        sizes = range(max(1, len(forced)), len(forced) + len(free) + 1)
    worst: Any = -math.inf
    for k in sizes:
        if not len(forced) <= k <= len(forced) + len(free):
            continue
        best: Any = math.inf
        discount = arithmetic.multiple(-(certificate.penalty or 0.0), k)
        for bound in RULES[leaf.kind](evidence, leaf, forced, free, k):
            best = min(best, arithmetic.total([bound, discount]))
            if best <= certificate.upper:
                break
        worst = max(worst, best)
    return worst


def _contradictions(certificate: Certificate, lower: Any, upper: Any,
                    against: str | HasDigest | ArrayLike | None) -> list[str]:
    """Return what makes the claim false, not only unproved."""
    found = []
    if lower > certificate.upper:
        found.append(f"the vector attains {float_below(lower)!r}, above the claimed upper bound")
    if upper < certificate.lower:
        found.append(f"the optimum is at most {float_above(upper)!r}, below the claimed lower bound")
    if against is not None:
        if isinstance(against, str):
            digest = against
        elif isinstance(against, HasDigest):
            digest = against.digest
        else:
            digest = digest_of(matrix=np.asarray(against, dtype=np.float64))
        if digest != certificate.digest:
            found.append(f"the certificate speaks of the matrix {certificate.digest}, not of {digest}")
    return found


def _claim(certificate: Certificate) -> str:
    quantity = (f"v_{certificate.cardinality}" if certificate.cardinality is not None
                else f"phi({certificate.penalty!r})")
    beyond = "" if certificate.eliminated is None else f" and {certificate.eliminated.count} eliminated"
    return f"{certificate.lower!r} <= {quantity} <= {certificate.upper!r} (n = {certificate.n}{beyond})"
