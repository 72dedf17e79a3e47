"""What the roundings of a checker may add to the bound of a leaf."""

from __future__ import annotations

import numpy as np

from relaxspca.numerics.linalg import norm_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.slack import slack
from relaxspca.relaxations.several.formula import MultiplierMatrix
from relaxspca.relaxations.several.minimise import union
from relaxspca.relaxations.several.shape import Shape, everything
from relaxspca.search.proof_tree import Decision, Path, Proof
from relaxspca.search.several.parts import decided

Point = MultiplierMatrix | tuple[MultiplierMatrix, ...] | None


class Room:
    """What the checker's own roundings may add to the bound of a leaf, more where its point is large.

    The checker sees the variables that components may use at the leaf, and no others.
    """

    def __init__(self, cov: Covariance, shape: Shape) -> None:
        self.cov, self.shape, self.least = cov, shape, norm_upper(cov.matrix)
        self._sizes: dict[int, float] = {}

    def above(self, taken: Path, proof: Proof) -> float:
        """Return the bound of the leaf after some decisions, with that room."""
        parts, bound = everything(self.shape, self.cov.n), proof.bound
        for one in taken:
            assert isinstance(one, Decision)  # several components are not restricted
            parts = decided(parts, self.shape, one)
        n = len(union(parts))
        used = min(n, sum(self.shape.sizes)) + self.shape.count
        size = max(self.least, self._size(proof.point), abs(bound))
        return bound + used * slack(size, n=n, block=n)

    def _size(self, point: Point) -> float:
        if isinstance(point, tuple):
            return max(self._size(one) for one in point)
        if point is None:
            return 0.0
        if id(point) not in self._sizes:
            rows = [norm_upper(row.P) + norm_upper(row.N) for row in point.rows if row is not None]
            multipliers = float(np.abs(point.multipliers).max(initial=0.0)) * self.cov.n
            self._sizes[id(point)] = max([norm_upper(point.rest) + multipliers, *rows])
        return self._sizes[id(point)]
