"""Bound the supports that use variables of which only the variances are known."""

from __future__ import annotations

import math
from typing import Any

from relaxspca.certificate import Eliminated
from relaxspca.verify.leaves import RULES, Evidence
from relaxspca.verify.tree import Node


def elimination_upper(evidence: Evidence, eliminated: Eliminated, kept_upper: Any) -> Any:
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
