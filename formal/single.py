"""Write the evidence for a claim about one component in the words that the verified checker reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from integers import (
    Matrix,
    NotProved,
    block,
    counted,
    dearest,
    denominator,
    evidence,
    plus,
    scaled,
    whole,
    words,
    written,
)
from points import Factor, fine
from trees import TreeTranslation

from relaxspca.certificate import Certificate, Eliminated, Leaf


class SingleTranslation(TreeTranslation):
    """One certificate in whole numbers: units of 1/unit for factors, 1/D = 1/unit^2 else."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        penalty = certificate.rho or 0.0
        own: Any = certificate.matrix if certificate.factor is None else certificate.factor
        factors = [x for point in self.points for x in point.factors()]
        linear = [x for point in self.points for x in point.linear()]
        linear += [*self.bounds(), penalty]
        if certificate.eliminated is not None:
            linear += [certificate.eliminated.shift, *certificate.eliminated.variances]
        (linear if certificate.factor is None else factors).extend(own.flat)
        is_fine = certificate.claim.kind == "components" or any(isinstance(p, Factor) for p in self.points)
        least = max(denominator(linear), fine(own) if is_fine else 1)
        self.unit = denominator(factors)
        while self.unit**2 < least:
            self.unit *= 2
        self.D = self.unit**2
        self.own = scaled(own, self.D) if certificate.factor is None else scaled(own.T, self.unit)
        self.S = self.own if certificate.factor is None else self.own @ self.own.T
        self.prepare()
        self.upper, self.penalty = self.whole(self.others), self.whole(penalty)
        for point in self.points:
            point.scale(self.unit, self.S)

    def prepare(self) -> None:
        """Replace S where the tree is about another matrix."""
        self.S = self.parted(self.S)

    def floats(self, rows: Matrix) -> Any:
        return (rows / self.D).astype(float)

    def lines(self) -> Iterator[str]:
        """Yield the unit, what attains the lower bound, the dual points, and the trees."""
        trees = [*self.trees()]
        yield str(self.unit.bit_length() - 1)
        yield from self.vectors()
        yield from self.evidence()
        yield from trees

    def vectors(self) -> Iterator[str]:
        yield self.vector(self.certificate.loadings)

    def trees(self) -> Iterator[str]:
        if self.certificate.k is None:
            yield from self.proofs_for_every_k()
            return
        if self.certificate.eliminated is not None:
            yield from self.with_eliminated(self.certificate.eliminated)
            return
        yield from self.tree()
        yield from self.listed()

    def proofs_for_every_k(self) -> Iterator[str]:
        """phi(rho) <= upper says that v_k <= upper + rho k for every k."""
        upper = self.upper
        yield "rows 0"  # of the empty support
        for k in range(1, self.certificate.n + 1):
            self.parts.parts, self.upper = [(range(self.certificate.n), k)], upper + k * self.penalty
            yield from self.tree()

    def with_eliminated(self, eliminated: Eliminated) -> Iterator[str]:
        """Yield why Sigma + shift I is semidefinite, and a tree for each number of eliminated variables."""
        n, k, upper = self.certificate.n, self.certificate.k or 0, self.upper
        variances, shift = [self.whole(x) for x in eliminated.variances], self.whole(eliminated.shift)
        if self.certificate.factor is None:
            why = "no factor shows that the condition on eliminated variables is met"
            yield evidence(plus(self.S, shift), why)
        else:
            yield f"1 1 {written(self.own)}"
        most, rule = min(k, len(variances)), self.certificate.evidence.elimination
        yield str(most + 1)
        yield from self.tree()
        assert rule is not None
        for b in range(1, most + 1):
            self.parts.parts = [(range(n), k - b)]
            self.upper = upper - dearest(variances, b) - b * shift
            if self.upper < -shift:
                raise NotProved(f"{b} eliminated variables alone exceed the claimed upper bound")
            where = f"the rule of supports with {b} eliminated variables"
            yield self.leaf(where, rule, self.include, self.free()) if b < k else "rows 0"


class NonnegativeTranslation(SingleTranslation):
    """A claim about entries of one sign, of which a support may have fewer."""

    def leaf(self, at: str, leaf: Leaf, J: list[int], F: list[int]) -> str:
        n, most = self.certificate.n, self.certificate.k or 0
        if not J + F:
            return "rows 0"  # no support has a variable
        if leaf.kind == "collatz" and isinstance(leaf.point, int):
            none_free = "".join(f"split {i} listed " for i in F if len(J) == most)  # no support has one more
            return f"{none_free}collatz {words(self.points[leaf.point].whole)}"
        self.parts.parts = [(range(n), min(most, len(J) + len(F)))]
        return super().leaf(at, leaf, J, F)


class WholeGroupsTranslation(SingleTranslation):
    """A claim about whole groups: the norms of blocks between groups take the place of covariances."""

    def count(self) -> int:
        return len(self.certificate.claim.whole_groups)

    def prepare(self) -> None:
        self.groups = [group.tolist() for group in self.certificate.claim.whole_groups]
        self.whole_S = self.S
        margin = (abs(self.S).max() >> 46) + 1
        floats = self.floats(self.S)
        norms = [[self.norm(floats, *sorted((G, H))) for H in self.groups] for G in self.groups]
        self.S = whole(norms) + margin

    def norm(self, floats: Any, G: list[int], H: list[int]) -> int:
        """Return about the largest eigenvalue of a block on the diagonal, or the norm of another."""
        block = floats[np.ix_(G, H)]
        return self.whole(float(np.linalg.eigvalsh(block)[-1] if G == H else np.linalg.norm(block, 2)))

    def trees(self) -> Iterator[str]:
        self.unions = list[str]()
        yield from map(words, self.S)
        yield from self.tree()
        yield str(len(self.unions))
        yield from self.unions

    def leaf(self, at: str, leaf: Leaf, J: list[int], F: list[int]) -> str:
        family = self.parts.at(J, F)
        if family is None or leaf.point is not None or not family.is_single:
            return super().leaf(at, leaf, J, F)
        used = [*J, *family.free]
        M = plus(-block(self.whole_S, [i for g in used for i in self.groups[g]]), self.upper)
        self.unions.append(f"{counted(used)} {evidence(M, f'{at} does not prove the claimed upper bound')}")
        return "listed"
