"""Bound the supports that use variables of which only the variances are known.

Let T = A + B with A among the variables kept and B, of b variables, among those eliminated, and let
Sigma + d I be positive semidefinite. Then Sigma_TT + d I = M'M with M = [M_A M_B], and
|M|^2 <= |M_A|^2 + |M_B|^2 says

    lambda_max(Sigma_TT) <= lambda_max(Sigma_AA) + lambda_max(Sigma_BB) + d
                         <= lambda_max(Sigma_AA) + (the b largest eliminated variances) + b d,

without the first term when A is empty.
"""

from __future__ import annotations

import math
from typing import Any

from relaxspca.certificate import Eliminated
from relaxspca.verify.leaves import RULES, Evidence


def elimination_upper(evidence: Evidence, eliminated: Eliminated, kept_upper: Any) -> Any:
    """Return a bound for every support that has an eliminated variable.

    For v_k, the certificate's rule bounds the supports of k - b variables kept. If penalised, an
    eliminated variable adds at most what its variance and d exceed the penalty by to `kept_upper`, a
    bound on the part of any size that is kept, and on 0.
    """
    arithmetic, price = evidence.arithmetic, evidence.certificate.penalty
    variances = eliminated.largest(eliminated.count).tolist()
    if price is not None:
        gains = [arithmetic.total([v, eliminated.shift, -price]) for v in variances]
        return arithmetic.total([kept_upper, *(max(gain, arithmetic.zero) for gain in gains)])
    assert evidence.certificate.cardinality is not None
    kept, added, worst = evidence.certificate.cardinality, arithmetic.zero, -math.inf
    for variance in variances[:kept]:
        kept, added = kept - 1, arithmetic.total([added, variance, eliminated.shift])
        worst = max(worst, arithmetic.total([_kept(evidence, kept), added]))
    return worst


def _kept(evidence: Evidence, size: int) -> Any:
    """Bound the value of the supports of so many variables kept."""
    if size == 0:
        return evidence.arithmetic.zero
    leaf = evidence.certificate.elimination
    assert leaf is not None
    return min(RULES[leaf.kind](evidence, leaf, [], list(range(evidence.certificate.n)), size))
