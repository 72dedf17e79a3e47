"""Write a certificate in the words that the verified checker reads.

    python formal/translate.py certificates/pitprops/k05.json > k05.txt

Nothing here is trusted. The checker prints the claim it has proved, and `prove.py` compares it with the file.
All numbers are exact: doubles become whole numbers in units of 1/D, D a power of two. What a certificate leaves
to its reader is found here: a factor L with `g M - LL'` diagonally dominant, so M is positive semidefinite.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from covered import NotCovered, why_not
from integers import Matrix, dearest, denominator, evidence, gram, scaled, words
from points import NotProved, spread
from tables import TableTranslation

from relaxspca.certificate import Certificate, Leaf, Others, RatioCertificate, TableCertificate

__all__ = ["NotCovered", "NotProved", "translate", "why_not"]


def translate(certificate: Certificate | TableCertificate | RatioCertificate) -> str:
    """Return the input of the verified checker.

    Raises
    ------
    NotCovered
        A claim, or a size, that the verified checker does not take.
    NotProved
        A leaf at which no factor L was found, because the claimed bound is not proved there.
    """
    reason = why_not(certificate)
    if reason:
        raise NotCovered(reason)
    assert not isinstance(certificate, RatioCertificate)
    kind = TableTranslation if isinstance(certificate, TableCertificate) else _Translation
    return "\n".join(kind(certificate).lines()) + "\n"


class _Translation:
    """One certificate in whole numbers: in units of 1/unit for factors, of 1/D = 1/unit^2 for all else."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate, self.k = certificate, certificate.k or 0
        self.include, self.exclude = certificate.include.tolist(), certificate.exclude.tolist()
        penalty = certificate.rho or 0.0
        self.points = [spread(point, certificate) for point in certificate.points]
        own = certificate.matrix if certificate.factor is None else certificate.factor
        factors = [x for point in self.points for x in point.factors()]
        linear = [x for point in self.points for x in point.linear()]
        linear += [certificate.lower, certificate.upper, penalty]
        if certificate.others is not None:
            linear += [certificate.others.most, *certificate.others.lower, *certificate.others.upper]
        (linear if certificate.factor is None else factors).extend(own.flat)
        least = max([denominator(linear), *(point.least(own) for point in self.points)])
        self.unit = denominator(factors)
        while self.unit**2 < least:
            self.unit *= 2
        self.D = self.unit**2
        self.own = scaled(own if certificate.factor is None else own.T, self.unit_of_own)
        self.S = self.own if certificate.factor is None else gram(self.own)
        self.upper, self.price = self.whole(certificate.upper), self.whole(penalty)
        for point in self.points:
            point.scale(self.unit, self.S)

    @property
    def unit_of_own(self) -> int:
        return self.D if self.certificate.factor is None else self.unit

    def whole(self, value: float) -> int:
        return int(Fraction(value) * self.D)

    def lines(self) -> Iterator[str]:
        certificate, others = self.certificate, self.certificate.others
        kind = "penalised" if certificate.k is None else "cardinality" if others is None else "near_optimal"
        scope = " ".join(f"{len(some)} {words(some)}" for some in (self.include, self.exclude))
        yield f"{kind} {certificate.n} {certificate.k or self.price} {scope} {self.D}"
        yield "dense" if certificate.factor is None else f"factor {len(certificate.factor)} {self.unit}"
        yield from map(words, self.own)
        yield f"{self.whole(certificate.lower)} {self.upper}"
        yield self.vector(certificate.loadings)
        yield str(len(self.points) + 1)
        for point in self.points:
            yield from point.lines()
        yield "weights " + words([1] * certificate.n)
        if certificate.k is None:
            yield from self.proofs_for_every_k()
        elif others is None:
            yield from self.tree()
        else:
            yield from self.near_optimal(others)

    def vector(self, loadings: Any) -> str:
        return words(scaled([loadings], denominator(loadings))[0])

    def proofs_for_every_k(self) -> Iterator[str]:
        """phi(rho) <= upper says that v_k <= upper + rho k for every k."""
        upper = self.upper
        for k in range(1, self.certificate.n + 1):
            self.k, self.upper = k, upper + k * self.price
            yield from self.tree()

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

    def tree(self) -> Iterator[str]:
        """Yield the nodes, the inside child before the outside one."""
        free = [i for i in range(self.certificate.n) if i not in {*self.include, *self.exclude}]
        waiting: list[tuple[int, list[int], list[int]]] = [(0, self.include, free)]
        reached = 0
        while waiting:
            at, J, F = waiting.pop()
            reached += 1
            if reached > len(self.certificate.tree):
                raise NotProved("a node of the tree is reached twice")
            node = self.certificate.tree[at]
            if isinstance(node, Leaf):
                yield self.leaf(f"node {at}", node, J, F)
                continue
            yield f"split {node.variable}"
            others = [i for i in F if i != node.variable]
            waiting += [(node.outside, J, others), (node.inside, [node.variable, *J], others)]

    def leaf(self, at: str, leaf: Leaf, J: list[int], F: list[int]) -> str:
        room = self.k - len(J)
        if leaf.kind == "void" or not 0 <= room <= len(F):
            return "void"
        if leaf.kind == "listed":
            return "listed"
        F = F if room else []
        if leaf.kind == "rowsum":
            return f"point {len(self.points) if leaf.point is None else leaf.point}"
        if leaf.kind == "trace":
            slack = self.upper - dearest([self.S[i][i] for i in F], room) - sum(self.S[i][i] for i in J)
            d = slack // (self.k - 1) if self.k > 1 else 1 + 2 * max(sum(map(abs, row)) for row in self.S)
            word, M = f"trace {d} ", self.block(J + F, 1, d)
        elif leaf.point is None:
            word, M = "spectral ", self.block(J + F, -1, self.upper)
        else:
            word = f"point {leaf.point} "
            M = self.points[leaf.point].left(self.S, self.upper, J, F, self.k)
        found = evidence(M)
        if found is None:
            raise NotProved(f"{at} does not prove the claimed upper bound")
        return word + found

    def block(self, variables: Sequence[int], sign: int, diagonal: int) -> Matrix:
        """Return sign * Sigma + diagonal * I on the variables."""
        return [[sign * self.S[i][j] + diagonal * (i == j) for j in variables] for i in variables]


if __name__ == "__main__":
    sys.stdout.write(translate(Certificate.load(sys.argv[1])))
