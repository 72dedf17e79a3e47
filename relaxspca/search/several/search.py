"""Branch and bound over several components: rounds of the most promising nodes, the tree kept as the proof."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from relaxspca.candidates.several.table import CandidateTable
from relaxspca.numerics.linalg import eigenvalue_upper, sum_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import largest_entry
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.fixed import bound_on_supports, suggested
from relaxspca.relaxations.several.minimise import restricted_factors, union
from relaxspca.relaxations.several.shape import Shape
from relaxspca.relaxations.several.smooth import Factors
from relaxspca.results.progress import Progress
from relaxspca.results.settle import closing_width, vanishing
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.limits import SearchLimits
from relaxspca.search.several.evaluate import JointEffort, expand_jointly
from relaxspca.search.several.listing import by_choices, can_be_listed
from relaxspca.search.several.node import JointExpansion, JointNode
from relaxspca.search.several.parts import decided, is_void
from relaxspca.search.several.tree import Decision, JointProof, Tree

__all__ = ["JointSearch"]

Propose = Callable[[tuple[Indices, ...]], CandidateTable | None]


class JointSearch:
    """A search over the supports of a table, its incumbent and its proof.

    Parameters
    ----------
    cov : Covariance of n variables.
    shape : Shape, equal sizes beside each other.
    table : incumbent to begin with.
    root : proof of the root.
    propose : turns supports into a table that is allowed.
    gap : relative gap at which nodes are closed.
    """

    def __init__(
        self,
        cov: Covariance,
        shape: Shape,
        table: CandidateTable,
        root: JointProof,
        *,
        propose: Propose,
        gap: float = 0.0,
    ) -> None:
        self.cov, self.shape, self.table, self.gap = cov, shape, table, gap
        self._propose = propose
        self.largest = largest_entry(cov)
        self.tree = Tree(root)
        self.node_count = 0
        self._heap: list[tuple[float, int, int, JointNode]] = []
        self._count = 0
        self._tried: set[tuple[bytes, ...]] = set()

    @property
    def lower(self) -> float:
        """What the best table is proved to explain."""
        return self.table.lower

    @property
    def target(self) -> float:
        """Bound at which a node is closed."""
        width = closing_width(self.lower, scale=vanishing(self.lower, self.largest), gap=self.gap)
        return self.lower + width

    @property
    def upper(self) -> float:
        """Proved bound over everything."""
        return max(self.tree.upper, self.lower)

    def add(self, at: int, node: JointNode) -> None:
        """Open node `at` of the tree, unless its proof closes it."""
        bound = self.tree.proof(at).bound
        if bound > self.target:
            self._count += 1
            heapq.heappush(self._heap, (-bound, -self._count, at, node))

    def run(self, effort: Callable[[JointNode], JointEffort], limits: SearchLimits) -> Status | None:
        """Search until everything is closed, a limit is met or the callback returns True.

        Returns
        -------
        Status or None
            What stopped it, None when everything is closed; bounds hold at any of them.
        """
        while self._heap:
            if limits.deadline.is_over:
                return Status.TIME_LIMIT
            if self.node_count >= limits.most_nodes:
                return Status.NODE_LIMIT
            _, _, at, node = heapq.heappop(self._heap)
            proof = self.tree.proof(at)
            if proof.bound <= self.target:
                continue
            try:
                outcome = expand_jointly(
                    self.cov,
                    self.shape,
                    node,
                    proof,
                    lower=self.lower,
                    target=self.target,
                    effort=effort(node),
                )
                self.node_count += 1
                self._absorb(at, outcome, limits.deadline)
            except KeyboardInterrupt:
                self.add(at, node)
                return Status.INTERRUPTED
            if limits.is_stopped(self._state(limits.deadline)):
                return Status.INTERRUPTED
        return None

    def _state(self, deadline: Deadline) -> Progress:
        return Progress(self.lower, self.upper, self.node_count, len(self._heap), deadline.elapsed)

    def _absorb(self, at: int, outcome: JointExpansion, deadline: Deadline) -> None:
        """Write an outcome into the tree, take a better table, open the children."""
        for supports in outcome.supports:
            self.consider(supports)
        for decision, proof in outcome.decisions:
            inside, outside = self.tree.split(at, decision.part, decision.variable)
            closed, at = (outside, inside) if decision.is_inside else (inside, outside)
            self.tree.improve(closed, proof)
        if outcome.is_leaf:
            self.tree.improve(at, self._leaf(outcome.supports[-1]))
            return
        self.tree.improve(at, outcome.proof)
        if outcome.node is None:
            return
        if can_be_listed(outcome.node.parts, self.shape):
            for proof in self._listed(outcome, deadline):  # one by one: Ctrl-C leaves the last
                self.tree.improve(at, proof)
            if self.tree.proof(at).bound <= self.target:
                return
        assert outcome.branch is not None
        branch = outcome.branch
        inside, outside = self.tree.split(at, branch.part, branch.variable)
        for child, is_inside in ((inside, True), (outside, False)):
            self.add(child, _child(outcome.node, self.shape, replace(branch, is_inside=is_inside)))

    def consider(self, supports: tuple[Indices, ...]) -> None:
        """Take the best table on a choice of supports as the incumbent if it is better."""
        key = tuple(support.tobytes() for support in supports)
        if key in self._tried:
            return
        self._tried.add(key)
        if not self.shape.is_common and _sum_of_blocks(self.cov, supports) <= self.lower:
            return
        self._take(self._propose(supports))

    def _take(self, table: CandidateTable | None) -> None:
        """Make a table the incumbent if it is better, and its components stand as the parts do."""
        if table is not None and table.lower > self.lower and self.shape.takes(table.order):
            self.table = table

    def _listed(self, outcome: JointExpansion, deadline: Deadline) -> Iterator[JointProof]:
        """Bound a node by its choices of supports, as far as they can be listed."""
        assert outcome.node is not None
        return by_choices(
            self.cov,
            self.shape,
            outcome.node,
            outcome.proof,
            target=lambda: self.target,
            settle=self._settled,
            deadline=deadline,
        )

    def _settled(self, supports: tuple[Indices, ...]) -> JointProof:
        """Take the best table on one choice of supports if it is better, and bound them."""
        self.consider(supports)
        return self._leaf(supports)

    def _leaf(self, supports: tuple[Indices, ...]) -> JointProof:
        """Bound one choice of supports."""
        separate = JointProof("multipliers", None, _sum_of_blocks(self.cov, supports))
        used = np.concatenate(supports)
        if not self.shape.is_common and (len(np.unique(used)) == len(used) or separate.bound <= self.target):
            return separate
        if self.shape.is_common:
            return JointProof(
                "multipliers", *bound_on_supports(self.cov, supports, self.shape, None, target=self.target)
            )
        table = CandidateTable.on(self.cov, supports)
        X = None if table is None else table.loadings
        point, bound = bound_on_supports(self.cov, supports, self.shape, X, target=self.target)
        if bound > self.target:
            table = CandidateTable.on(self.cov, supports, start=suggested(self.cov, point, supports))
            self._take(table)
            if table is not None and bound > self.target:
                again = bound_on_supports(self.cov, supports, self.shape, table.loadings, target=self.target)
                point, bound = min((point, bound), again, key=lambda pair: pair[1])
        return JointProof("multipliers", point, bound)


def _child(node: JointNode, shape: Shape, branch: Decision) -> JointNode:
    """Return the child of a node on one side of its branch."""
    parts = decided(node.parts, shape, branch)
    if is_void(parts, shape):
        empty = Factors(node.factors.L[:0], node.factors.multipliers[:0], node.factors.rows)
        return replace(node, parts=parts, factors=empty)
    _, factors = restricted_factors(node.factors, union(node.parts), node.parts, parts)
    return replace(node, parts=parts, factors=factors)


def _sum_of_blocks(cov: Covariance, supports: Sequence[Indices]) -> float:
    """Return a proved bound on the sum of the largest eigenvalues of blocks."""
    blocks = [eigenvalue_upper(cov.submatrix(T), cov.rounding(T)) for T in supports]
    return sum_upper(np.array(blocks)) if np.isfinite(blocks).all() else math.inf
