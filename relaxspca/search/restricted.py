r"""Search under a restriction: one variable of each group, or no negative loading.

Bounds come from a matrix that agrees with :math:`\Sigma` on all vectors that are meant, or exceeds it there
(docs/theory/beyond.md, sections 5 to 7); what is attained comes from :math:`\Sigma` itself.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from relaxspca.certificate import Point
from relaxspca.certificate.restriction import Restriction
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
    """A search that bounds one matrix and evaluates vectors on another.

    Parameters
    ----------
    own : Covariance Sigma of which the claim speaks.
    bounded : Covariance that is at least Sigma on the vectors that are meant; row sums bound its root.
    size : Cardinality.
    candidate : incumbent, on Sigma.
    restriction : which vectors are meant.
    gap, conditions : as in `Search`.
    """

    def __init__(
        self,
        own: Covariance,
        bounded: Covariance,
        size: Cardinality,
        candidate: Candidate,
        restriction: Restriction,
        *,
        gap: float,
        conditions: Conditions,
    ) -> None:
        self.own, self.restriction = own, restriction
        super().__init__(
            bounded, size, candidate, first_proof(bounded, size, "rowsum"), gap=gap, conditions=conditions
        )

    def worth(self, candidate: Candidate) -> float:
        """Return what a component is proved to attain on Sigma."""
        return candidate.proved_value(self.own)

    def points(self, points: tuple[Point, ...]) -> tuple[Point, ...]:
        """Return dual points of the matrix that is bounded as points of the claim."""
        return points

    def found(self, limits: SearchLimits) -> Result:
        """Search until everything is closed or a limit is met."""
        return self._result(advance(self, limits, limits.told), limits.deadline.elapsed)

    def _result(self, status: Status | None, seconds: float) -> Result:
        upper = max(min(self.tree.upper, self.tree.proof(0).bound), self.lower)
        nodes, points = self.tree.pruned(upper)
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
            restriction=self.restriction,
            made_by="relaxspca solve",
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
    """Return a covariance given by the changed entries, with what a factor's entries may be off by added."""
    entries = cov.matrix.copy()
    if cov.is_factored:
        entries = entries + cov.rounding() * (1 + 1e-12) * np.eye(cov.n)
    with without_data_warnings():
        # It may be 0, or smaller than what a user's matrix may be: where no entry that counts is above 0.
        return Covariance._of_entries(change(entries), cov.names)
