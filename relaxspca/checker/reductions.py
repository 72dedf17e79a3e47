"""Reduce a claim about one component to a core claim: its M and its family (SPEC.md, section 2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.checker.blocks import largest_eigenvalue
from relaxspca.checker.core import Core
from relaxspca.checker.family import Family, Parts


def core_of(certificate: Certificate, arithmetic: Any) -> Core:
    """Return the core claim that a claim is reduced to."""
    claim = certificate.claim
    if claim.whole_groups:
        return WholeGroups(certificate, arithmetic)
    if claim.nonnegative:
        return Nonnegative(certificate, arithmetic)
    return without_pairs(Core(certificate, arithmetic))


def without_pairs(core: Core) -> Core:
    """Read entries of two variables of one group as 0, if the claim has groups: no support has both."""
    certificate = core.certificate
    if certificate.claim.one_of_each:
        labels = core.labels = certificate.labels
        keep = (labels[:, None] != labels[None, :]) | np.eye(core.n, dtype=bool)
        if certificate.matrix is not None:
            core.matrix = core.arithmetic.array(np.where(keep, certificate.matrix, 0.0))
        else:
            core.matrix = core.block(range(core.n)) * core.arithmetic.array(np.where(keep, 1.0, 0.0))
        core.factor = None
    return core


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


class WholeGroups(Core):
    """The tree and the points speak of groups, and of B, their norms: x'Sx <= y'By with y_G = |x_G|.

    B_GG bounds lambda_max(Sigma_GG), B_GH the norm of Sigma_GH.
    """

    def __init__(self, certificate: Certificate, arithmetic: Any) -> None:
        super().__init__(certificate, arithmetic)
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
