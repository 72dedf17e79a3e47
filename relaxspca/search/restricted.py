r"""Branch and bound under a restriction: at most one variable of each group, or nonnegative loadings.

Upper bounds come from a matrix M with :math:`x'Mx\ge x'\Sigma x` for every feasible x (docs/theory/beyond.md,
sections 5 to 7); lower bounds come from :math:`\Sigma` itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from relaxspca.certificate import Point
from relaxspca.errors import without_data_warnings
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.claim import claimed
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap
from relaxspca.problem.size import Cardinality
from relaxspca.problem.slack import slack
from relaxspca.results.result import Result
from relaxspca.results.settle import settle
from relaxspca.results.status import Status
from relaxspca.search.branch_and_bound import Search
from relaxspca.search.limits import SearchLimits
from relaxspca.search.run import advance, first_proof

__all__ = ["RestrictedSearch", "dominating"]


class RestrictedSearch(Search):
    """A search that takes upper bounds from one matrix and values from another.

    Parameters
    ----------
    own : Covariance Sigma of the claim.
    bounded : Covariance M with x'Mx >= x'Sigma x for every feasible x; row sums bound its root.
    size : Cardinality.
    candidate : incumbent, on Sigma.
    asked : what the claim says of the feasible vectors, as in `Claim`.
    gap, conditions : as in `Search`.
    """

    can_restrict: ClassVar[bool] = False
    MATRICES: ClassVar[tuple[str, ...]] = ("cov", "own")

    def __init__(
        self,
        own: Covariance,
        bounded: Covariance,
        size: Cardinality,
        candidate: Candidate,
        asked: dict[str, Any],
        *,
        gap: float,
        conditions: Conditions,
    ) -> None:
        self.own, self.asked = own, asked
        super().__init__(
            bounded, size, candidate, first_proof(bounded, size, "rowsum"), gap=gap, conditions=conditions
        )

    def worth(self, candidate: Candidate) -> float:
        """Return a proved lower bound on the variance of a component under Sigma."""
        return candidate.proved_value(self.own)

    def points(self, points: tuple[Point, ...]) -> tuple[Point, ...]:
        """Return dual points of the matrix `bounded` as dual points for the certificate."""
        return points

    def found(self, limits: SearchLimits) -> Result:
        """Search until everything is closed or a limit is met."""
        return self._result(advance(self, limits, limits.told), limits.deadline.elapsed)

    def _result(self, status: Status | None, seconds: float) -> Result:
        upper = max(min(self.tree.upper, self.tree.proof(0).bound), self.lower)
        nodes, points = self.tree.pruned(upper, self.cov)
        added = slack(max(abs(upper), self.touched), n=self.own.n, points=points)
        added += 4 * self.own.n * self.own.rounding()
        upper += added
        certificate = claimed(
            self.own,
            self.size,
            self.candidate,
            upper,
            self.points(points),
            nodes,
            conditions=self.conditions,
            made_by="relaxspca solve",
            **self.asked,
        )
        status = settle(
            status,
            self.lower,
            upper,
            scale=self.scale,
            slack=added,
            gap=self.gap,
            width=relative_gap(self.lower, upper, certificate),
        )
        return Result(
            candidate=self.candidate,
            lower=self.lower,
            upper=upper,
            status=status,
            certificate=certificate,
            node_count=self.node_count,
            seconds=seconds,
        )


def dominating(cov: Covariance, change: Callable[[Array], Array]) -> Covariance:
    """Return the covariance of the changed entries; the rounding error of a factor is added to the diagonal."""
    entries = cov.matrix.copy()
    if cov.is_factored:
        entries = entries + cov.rounding() * (1 + 1e-12) * np.eye(cov.n)
    with without_data_warnings():
        # Unchecked: the matrix may be 0, or below the smallest entry that a user's matrix may have.
        return Covariance._of_entries(change(entries), cov.names)
