"""What a claim with groups, signs or eliminated variables is reduced to: SPEC.md, section 2."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Eliminated
from relaxspca.checker.blocks import largest_eigenvalue
from relaxspca.checker.core import Core
from relaxspca.checker.exact import above
from relaxspca.checker.family import Defect, Family, Parts
from relaxspca.checker.tree import bits_of


class OneOfEach(Core):
    """No support has two variables of one group: entries of two such variables are read as 0."""

    def __init__(self, certificate: Certificate, arithmetic: Any, matrix: Any = None) -> None:
        super().__init__(certificate, arithmetic, matrix)
        labels = self.labels = certificate.labels
        keep = (labels[:, None] != labels[None, :]) | np.eye(self.n, dtype=bool)
        if certificate.matrix is not None:
            self.matrix = arithmetic.array(np.where(keep, certificate.matrix, 0.0))
        else:
            self.matrix = self.block(range(self.n)) * arithmetic.array(np.where(keep, 1.0, 0.0))
        self.factor = None
        for group in certificate.claim.one_of_each:
            self.conflicts |= {int(i): bits_of(group) & ~(1 << int(i)) for i in group}


class WholeGroups(Core):
    """The tree and the points speak of groups, and of B, their norms: x'Sx <= y'By with y_G = |x_G|.

    B_GG bounds lambda_max(Sigma_GG), B_GH the norm of Sigma_GH.
    """

    def __init__(self, certificate: Certificate, arithmetic: Any, matrix: Any = None) -> None:
        super().__init__(certificate, arithmetic, matrix)
        self.own = Core(certificate, arithmetic)
        self.groups = [group.tolist() for group in certificate.claim.whole_groups]
        self.n = len(self.groups)
        B = np.full((self.n, self.n), arithmetic.zero, dtype=object)
        for a, G in enumerate(self.groups):
            B[a, a] = largest_eigenvalue(arithmetic, self.own.block(G))
            for b, H in enumerate(self.groups[:a]):
                square = arithmetic.array(np.array([self.gram_eigenvalue(self.own.between(G, H))]))
                B[a, b] = B[b, a] = arithmetic.sqrt_upper(square)[0]
        self.matrix, self.factor = arithmetic.array(B), None

    def eigenvalue(self, family: Family) -> Any:
        """Bound lambda_max of B; of the one union of groups, where a leaf has one, that of Sigma on it."""
        if family.is_single:
            T = sorted(i for G in (*family.inside, *family.free) for i in self.groups[G])
            return largest_eigenvalue(self.arithmetic, self.own.block(T))
        return super().eigenvalue(family)


class Nonnegative(Core):
    """What is forced in is positive; supports are padded to k variables of a node, or to all that it has."""

    def magnitude(self, block: Any) -> Any:
        """Return the entries above 0: raising an entry costs nothing."""
        return np.maximum(self.arithmetic.upper(block), self.arithmetic.zero)

    def is_unpaid(self, P: Any) -> Any:
        """Only what is above 0 has to be paid."""
        return P > 0

    def parts_of(self, J: list[int], F: list[int]) -> Iterator[Parts]:
        """Yield k of all variables, or all that is left."""
        if J or F:
            yield [(range(self.n), min(self.certificate.k, len(J) + len(F)))]


def over_eliminated(core: Core, kept_upper: Any, level: float, reasons: list[str]) -> Any:
    """Return a bound for every support with eliminated variables; say so if it is above a level."""
    try:
        bound, lacking = _upper(core, core.certificate.eliminated, kept_upper, level), ""
    except Defect as defect:
        bound, lacking = math.inf, str(defect)
    if bound > level:
        reasons.append(lacking or f"of supports with eliminated variables only {above(bound)} is proved")
    return bound


def _upper(core: Core, eliminated: Eliminated, kept_upper: Any, level: float) -> Any:
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
