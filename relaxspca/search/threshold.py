r"""Decide whether v_k of a matrix is below 0, by branch and bound with a target fixed beforehand.

The search ends when every node is closed below the target, or as soon as a support above 0 is found.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from functools import partial

import numpy as np

from relaxspca.certificate import Evidence
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.problem.one_of_each import OneOfEachSize
from relaxspca.problem.size import Size
from relaxspca.results.progress import Progress
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.branch_and_bound import Search
from relaxspca.search.limits import SearchLimits
from relaxspca.search.node import Effort, OpenNode
from relaxspca.search.proof_tree import Points, at_level
from relaxspca.search.run import effort, first_proof, go_on


class Threshold(Search):
    """A search for a support whose block has an eigenvalue above 0, or a proof that all are at most a target.

    The target is below 0, the matrix exact, the size without a penalty, the support the best one known. When it
    has ended, `status` says why before all nodes were closed; None if they were, or a challenger was found.
    """

    def __init__(
        self, matrix: Array, size: Size, support: Indices, target: float, conditions: Conditions
    ) -> None:
        self.fixed_target = target
        self.status: Status | None = None
        cov = indefinite(matrix)
        candidate = Candidate.from_support(cov, support)
        super().__init__(cov, size, candidate, first_proof(cov, size, "rowsum"), conditions=conditions)

    @property
    def target(self) -> float:
        """Bound at which a node is closed."""
        return self.fixed_target

    @property
    def aim(self) -> float:
        """Value towards which bounds are tightened."""
        return min(self.lower, self.fixed_target)

    @property
    def challenger(self) -> Candidate | None:
        """The incumbent if its value is above 0."""
        return self.candidate if self.lower > 0 else None

    @property
    def is_below(self) -> bool:
        """Whether all supports are proved to be at most the target."""
        return self.tree.upper <= self.target

    def decide(self, limits: SearchLimits, *, is_collinear: bool) -> None:
        """Search within limits; how hard to try at a node, `ratio_effort` says."""

        def after_step(progress: Progress) -> bool:
            return self.challenger is not None or limits.is_stopped(progress)

        status = go_on(self, limits, after_step, planned=partial(ratio_effort, is_collinear=is_collinear))
        is_found = self.challenger is not None and status is Status.INTERRUPTED
        self.status = None if is_found else status

    def _consider(self, support: tuple[int, ...]) -> None:
        if isinstance(self.size, OneOfEachSize):  # swaps would bring two of a group together
            chosen = np.array(support, dtype=np.int64)
            found = Candidate.from_support(self.cov, chosen[self.size.compatible(chosen)])
            self.offer(found, self.worth(found))
        else:
            super()._consider(support)


def indefinite(matrix: Array) -> Covariance:
    """Return a matrix that is indefinite on purpose."""
    with without_data_warnings():
        return Covariance._of_entries(matrix, None)


def ratio_evidence(search: Search, mu: float, level: float, listed: Container[int] = ()) -> Evidence:
    """Return the tree of a search of A - mu B that proves a level, or its target where that is proved."""
    points = Points(search.cov)
    nodes = search.tree.pruned(max(search.tree.upper_beside(listed), search.target), points, listed)
    return Evidence(points=tuple(points.found), tree=at_level(nodes, level), mu=mu)


def ratio_effort(node: OpenNode, deadline: Deadline, *, is_collinear: bool) -> Effort:
    """Return how hard to try at a node of A - mu B.

    Where B is collinear, nodes below the root are bounded by the eigenvalue of their whole block, not by the
    Perron dual.
    """
    planned = effort(node, deadline)
    # Below the root the eigenvalue of the whole block comes first; one stage of the Perron dual is left.
    stages = planned.stages if node.depth == 0 else int(not is_collinear)
    return replace(planned, by_eigenvalue=True, stages=stages)
