"""Claims about groups and signs: what they read for Sigma, for a node and for a rule (SPEC.md, section 12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Leaf
from relaxspca.checker.blocks import Blocks
from relaxspca.checker.family import Family, Parts
from relaxspca.checker.leaves import RULES, Evidence, support
from relaxspca.checker.tree import Case, Defect

__all__ = ["restricted_evidence"]


class OneOfEachRules(Evidence):
    """At most one variable of each group: the entries of two variables of a group are read as 0."""

    def __init__(self, certificate: Certificate, arithmetic: Any) -> None:
        super().__init__(certificate, arithmetic)
        assert certificate.restriction is not None
        self.labels = certificate.restriction.labels(certificate.n)
        keep = (self.labels[:, None] != self.labels[None, :]) | np.eye(self.n, dtype=bool)
        if certificate.matrix is not None:
            self.matrix = arithmetic.array(np.where(keep, certificate.matrix, 0.0))
        else:
            self.matrix = (self.factor.T @ self.factor) * arithmetic.array(np.where(keep, 1.0, 0.0))
            self.factor = None
        groups = {i: group for group in certificate.restriction.groups for i in group.tolist()}
        self.mates = {i: sum(1 << j for j in group.tolist() if j != i) for i, group in groups.items()}

    def parts_of(self, node: Case) -> Iterator[Parts]:
        """Yield k of all variables, unless fewer variables of different groups are left."""
        if len(np.unique(self.labels[node.forced + node.free])) >= (self.certificate.k or 0):
            yield from super().parts_of(node)


class WholeGroupsRules(Evidence):
    """Whole groups: the tree and the points speak of groups, and of B, which bounds the blocks of Sigma."""

    def __init__(self, certificate: Certificate, arithmetic: Any) -> None:
        super().__init__(certificate, arithmetic)
        assert certificate.restriction is not None
        self.own, self.own_factor = self.matrix, self.factor
        self.groups = [group.tolist() for group in certificate.restriction.groups]
        self.n, self.rules = len(self.groups), RULES | {"support": self.support}
        B = np.full((self.n, self.n), arithmetic.zero, dtype=object)
        for a, G in enumerate(self.groups):
            B[a, a] = self.eigenvalue(G)
            for b, H in enumerate(self.groups[:a]):
                B[a, b] = B[b, a] = self.norm(G, H)
        self.matrix, self.factor = arithmetic.array(B), None

    def between(self, G: list[int], H: list[int]) -> Any:
        """Return the entries of Sigma in the rows G and the columns H."""
        if self.own_factor is None:
            return self.own[np.ix_(G, H)]
        return self.own_factor[:, G].T @ self.own_factor[:, H]

    def eigenvalue(self, T: list[int]) -> Any:
        """Bound lambda_max(Sigma_TT)."""
        return Blocks(self.arithmetic, self.between(T, T)).eigenvalue(range(len(T)))

    def norm(self, G: list[int], H: list[int]) -> Any:
        """Bound the spectral norm of Sigma_GH, the root of lambda_max(C C')."""
        C = self.between(G, H)
        gram = C @ C.T if len(G) <= len(H) else C.T @ C
        squared = Blocks(self.arithmetic, gram).eigenvalue(range(gram.shape[0]))
        return self.arithmetic.sqrt_upper(self.arithmetic.array(np.array([squared])))[0]

    def support(self, evidence: Evidence, leaf: Leaf, family: Family) -> Iterator[Any]:
        """Yield lambda_max(Sigma_TT) when the leaf has the one union of groups T."""
        next(support(evidence, leaf, family))  # refuses a leaf with more than one
        yield self.eigenvalue(sorted(i for G in (*family.inside, *family.free) for i in self.groups[G]))


class NonnegativeRules(Evidence):
    """Nonnegative vectors: what is forced in is positive, and no negative entry has to be paid."""

    def __init__(self, certificate: Certificate, arithmetic: Any) -> None:
        super().__init__(certificate, arithmetic)
        self.rules = RULES | {"collatz": collatz}
        # Positive entries are paid, and raising an entry costs nothing.
        self.magnitude = lambda block: np.maximum(arithmetic.upper(block), arithmetic.zero)
        self.is_free = lambda P: P <= 0  # type: ignore[assignment]

    def parts_of(self, node: Case) -> Iterator[Parts]:
        """Yield k of all variables, or all that is left: smaller supports are padded to that."""
        most = len(node.forced) + len(node.free)
        if most:
            yield [(range(self.n), min(self.certificate.k or 0, most))]


def collatz(evidence: Evidence, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield the largest (Sigma w)_i / w_i, w > 0 on variables forced in, where Sigma w <= 0 on all others."""
    point, arithmetic = evidence.points[leaf.point], evidence.arithmetic
    W = point.variables.tolist()
    if not W or not set(W) <= set(family.inside):
        raise Defect(f"point {leaf.point} has to weigh variables that are forced in, and no others")
    rest = [i for i in (*family.inside, *family.free) if i not in set(W)]
    w, S = arithmetic.array(point.weights), evidence.certificate.matrix
    if S is not None:
        image = evidence.matrix[np.ix_(W + rest, W)] @ w
        rest_is_negative = (S[np.ix_(rest, W)] <= 0).all(axis=1)  # then no sum needs to be rounded
    else:
        image = evidence.factor[:, W + rest].T @ (evidence.factor[:, W] @ w)
        rest_is_negative = np.zeros(len(rest), dtype=bool)
    is_positive = (arithmetic.upper(image)[len(W) :] > 0) & ~rest_is_negative
    if is_positive.any():
        found = np.array(rest)[is_positive.astype(bool)].tolist()
        raise Defect(f"point {leaf.point}: Sigma w is not proved to be at most 0 at {found[:5]}")
    yield max(arithmetic.quotient_upper(image[: len(W)], w))


def restricted_evidence(certificate: Certificate, arithmetic: Any) -> Evidence:
    """Return the evidence of a certificate, read as its kind of claim asks for."""
    kinds = {"one_of_each": OneOfEachRules, "whole_groups": WholeGroupsRules, "nonnegative": NonnegativeRules}
    restriction = certificate.restriction
    return (Evidence if restriction is None else kinds[restriction.kind])(certificate, arithmetic)
