r"""Decide whether v_k of a matrix is below 0, by branch and bound with a target fixed beforehand.

The search ends when every node is closed below the target, or as soon as a support above 0 is found.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from relaxspca.certificate import Point, TreeNode
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.problem.one_of_each import OneOfEachSize
from relaxspca.problem.size import Size
from relaxspca.results.progress import Progress
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.branch_and_bound import Search
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.node import Effort, OpenNode
from relaxspca.search.proof_tree import Points
from relaxspca.search.run import effort, first_proof, go_on


@dataclass(frozen=True, eq=False)
class Threshold:
    """The outcome of a search for supports above a target.

    Attributes
    ----------
    upper : proved bound on v_k of the matrix.
    is_below : whether it is at most the target.
    challenger : a component found whose value is above 0; None if there was none.
    status : why the search ended before all nodes were closed; None if it did not.
    nodes, points : the tree that proves `upper`, or the target where that is proved, and its dual points.
    """

    upper: float
    is_below: bool
    challenger: Candidate | None
    status: Status | None
    node_count: int
    nodes: tuple[TreeNode, ...]
    points: tuple[Point, ...]


class _ThresholdSearch(Search):
    """A search with a fixed target that keeps the best support of value above 0."""

    def __init__(
        self, cov: Covariance, size: Size, candidate: Candidate, target: float, conditions: Conditions
    ) -> None:
        self.fixed_target = target
        super().__init__(cov, size, candidate, first_proof(cov, size, "rowsum"), conditions=conditions)

    @property
    def target(self) -> float:
        return self.fixed_target

    @property
    def challenger(self) -> Candidate | None:
        """The incumbent if its value is above 0."""
        return self.candidate if self.lower > 0 else None

    @property
    def aim(self) -> float:
        """Value towards which bounds are tightened."""
        return min(self.lower, self.fixed_target)

    def _consider(self, support: tuple[int, ...]) -> None:
        if isinstance(self.size, OneOfEachSize):  # swaps would bring two of a group together
            chosen = np.array(support, dtype=np.int64)
            found = Candidate.from_support(self.cov, chosen[self.size.compatible(chosen)])
            self.offer(found, self.worth(found))
        else:
            super()._consider(support)


def below(
    matrix: Array,
    size: Size,
    support: Indices,
    target: float,
    *,
    limits: SearchLimits = UNLIMITED,
    conditions: Conditions = NONE,
    is_collinear: bool = False,
) -> Threshold:
    """Search for a support whose block has an eigenvalue above 0, or prove that all are at most `target`.

    The target is below 0, the matrix exact, the size without a penalty, the support the best one known. Where B
    is collinear, nodes below the root are bounded by the eigenvalue of their whole block, not by the Perron
    dual.
    """
    with without_data_warnings():  # the matrix is indefinite on purpose
        cov = Covariance._of_entries(matrix, None)
    incumbent = Candidate.from_support(cov, support)
    search = _ThresholdSearch(cov, size, incumbent, target, conditions)

    def after_step(progress: Progress) -> bool:
        return search.challenger is not None or limits.is_stopped(progress)

    status = go_on(search, limits, after_step, planned=partial(ratio_effort, is_collinear=is_collinear))
    if search.challenger is not None and status is Status.INTERRUPTED:
        status = None
    upper = search.tree.upper
    points = Points(cov)
    nodes = search.tree.pruned(max(upper, target), points)
    return Threshold(
        upper, upper <= target, search.challenger, status, search.node_count, nodes, tuple(points.found)
    )


def ratio_effort(node: OpenNode, deadline: Deadline, *, is_collinear: bool) -> Effort:
    """Return how hard to try at a node of A - mu B."""
    planned = effort(node, deadline)
    # Below the root the eigenvalue of the whole block comes first; one stage of the Perron dual is left.
    stages = planned.stages if node.depth == 0 else int(not is_collinear)
    return replace(planned, by_eigenvalue=True, stages=stages)
