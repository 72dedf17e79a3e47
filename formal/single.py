"""Write a claim about one component in the words that the verified checker reads. Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from integers import dearest, denominator, evidence, gram, scaled, words, written
from points import NotProved, spread
from trees import TreeTranslation

from relaxspca.certificate import Certificate, Eliminated, Leaf, Others

__all__ = ["SingleTranslation"]


class SingleTranslation(TreeTranslation):
    """One certificate in whole numbers: units of 1/unit for factors, 1/D = 1/unit^2 else, D >= least."""

    def __init__(self, certificate: Certificate, least: int = 1) -> None:
        self.certificate: Certificate = certificate
        self.k = certificate.k or 0
        self.include, self.exclude = certificate.include.tolist(), certificate.exclude.tolist()
        penalty = certificate.rho or 0.0
        self.points = [spread(point, certificate) for point in certificate.points]
        own: Any = certificate.matrix if certificate.factor is None else certificate.factor
        factors = [x for point in self.points for x in point.factors()]
        linear = [x for point in self.points for x in point.linear()]
        linear += [certificate.lower, certificate.upper, penalty]
        if certificate.others is not None:
            linear += [certificate.others.most, *certificate.others.lower, *certificate.others.upper]
        if certificate.eliminated is not None:
            linear += [certificate.eliminated.shift, *certificate.eliminated.variances]
        (linear if certificate.factor is None else factors).extend(own.flat)
        least = max([least, denominator(linear), *(point.least(own) for point in self.points)])
        self.unit = denominator(factors)
        while self.unit**2 < least:
            self.unit *= 2
        self.D = self.unit**2
        self.own = scaled(own if certificate.factor is None else own.T, self.unit_of_own)
        self.S = self.own if certificate.factor is None else gram(self.own)
        self.upper, self.penalty = self.whole(certificate.upper), self.whole(penalty)
        for point in self.points:
            point.scale(self.unit, self.S)

    @property
    def unit_of_own(self) -> int:
        return self.D if self.certificate.factor is None else self.unit

    def whole(self, value: float) -> int:
        return int(Fraction(value) * self.D)

    def lines(self) -> Iterator[str]:
        certificate, others = self.certificate, self.certificate.others
        eliminated = certificate.eliminated
        kind = "penalised" if certificate.k is None else "cardinality" if others is None else "near_optimal"
        yield from self.claim(kind if eliminated is None else "eliminated")
        if certificate.k is None:
            yield from self.proofs_for_every_k()
        elif others is None:
            yield from self.tree()
            if eliminated is not None:
                yield from self.with_eliminated(eliminated)
        else:
            yield from self.near_optimal(others)

    def claim(self, kind: str) -> Iterator[str]:
        """Yield the claim, the vector that attains its lower bound, and the dual points."""
        certificate = self.certificate
        scope = " ".join(f"{len(some)} {words(some)}" for some in (self.include, self.exclude))
        yield f"{kind} {certificate.n} {certificate.k or self.penalty} {scope} {self.D}"
        yield "dense" if certificate.factor is None else f"factor {len(certificate.factor)} {self.unit}"
        yield from map(words, self.own)
        yield f"{self.whole(certificate.lower)} {self.upper}"
        yield self.vector(certificate.loadings)
        yield from self.evidence()

    def evidence(self) -> Iterator[str]:
        """Yield the dual points, and after them weights that are all 1."""
        yield str(len(self.points) + 1)
        for point in self.points:
            yield from point.lines()
        yield "weights " + words([1] * self.certificate.n)

    def proofs_for_every_k(self) -> Iterator[str]:
        """phi(rho) <= upper says that v_k <= upper + rho k for every k."""
        upper = self.upper
        for k in range(1, self.certificate.n + 1):
            self.k, self.upper = k, upper + k * self.penalty
            yield from self.tree()

    def with_eliminated(self, eliminated: Eliminated) -> Iterator[str]:
        """Yield the variances, why Sigma + shift I is semidefinite, and a leaf for each number in use."""
        n, k, upper = self.certificate.n, self.k, self.upper
        variances, shift = [self.whole(x) for x in eliminated.variances], self.whole(eliminated.shift)
        yield f"{len(variances)} {words(variances)} {shift}"
        if self.certificate.factor is None:
            found = evidence(self.block(range(n), 1, shift))
            if found is None:
                raise NotProved("no factor shows that the condition on eliminated variables is met")
            yield found
        else:
            yield written("1", self.own)
        most = min(k, len(variances))
        yield str(most)
        free = [i for i in range(n) if i not in {*self.include, *self.exclude}]
        assert self.certificate.elimination is not None
        for b in range(1, most + 1):
            self.k, self.upper = k - b, upper - dearest(variances, b) - b * shift
            if self.upper < -shift:
                raise NotProved(f"{b} eliminated variables alone exceed the claimed upper bound")
            where = f"the rule of supports with {b} eliminated variables"
            yield self.leaf(where, self.certificate.elimination, self.include, free) if b < k else "void"

    def near_optimal(self, others: Others) -> Iterator[str]:
        """Yield the bound that the tree proves, the tree, and what is listed, each with a leaf of its own."""
        upper, self.upper = self.upper, self.whole(others.most)
        yield str(self.upper)
        yield from self.tree()
        yield str(len(others.indices))
        for at, support in enumerate(others.indices):
            least, most = self.whole(others.lower[at]), self.whole(others.upper[at])
            loadings = np.zeros(self.certificate.n)
            loadings[support] = others.loadings[at]
            yield f"{len(support)} {words(support)} {least} {most} {self.vector(loadings)}"
            self.upper = min(most, upper)
            yield self.leaf(f"listed support {at}", Leaf("spectral"), support.tolist(), [])
