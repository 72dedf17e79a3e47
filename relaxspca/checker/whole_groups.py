"""Reduce claims about whole groups: the tree and the points speak of groups, and of B, their norms."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.checker.blocks import largest_eigenvalue
from relaxspca.checker.core import Core
from relaxspca.checker.family import Family


class WholeGroups(Core):
    """B_GG bounds lambda_max(Sigma_GG), B_GH the norm of Sigma_GH: x'Sx <= y'By with y_G = |x_G|."""

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
