"""The search over several components: it lists choices of supports, and tries those that are left."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.candidates.several.common import on_common
from relaxspca.certificate import MOST_VARIABLES
from relaxspca.numerics.linalg import Indices, eigenvalue_upper, sum_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import largest_entry
from relaxspca.relaxations.several.dual_cover import Covering
from relaxspca.relaxations.several.formula import MultiplierMatrix, upper_bound
from relaxspca.relaxations.several.minimise import (
    bound_on_supports,
    restricted_factors,
    start,
    to_multiplier_matrix,
    union,
)
from relaxspca.relaxations.several.shape import Part, Shape, everything
from relaxspca.relaxations.several.smooth import Factors
from relaxspca.relaxations.several.support_values import MOST_SETS, Choices, count_sets
from relaxspca.results.status import closing_width, vanishing
from relaxspca.search.engine import Engine
from relaxspca.search.proof_tree import Decision, Proof
from relaxspca.search.several.node import JointEffort, JointExpansion, JointNode, expand_jointly
from relaxspca.search.several.screen import decided, is_void


class JointSearch(Engine[CandidateSet, JointNode, JointExpansion]):
    """A search over the supports of components, its incumbent and its proof; equal sizes stand side by side."""

    def __init__(
        self, cov: Covariance, shape: Shape, table: CandidateSet, root: Proof, *, gap: float = 0.0
    ) -> None:
        self.cov, self.shape, self.gap = cov, shape, gap
        super().__init__(table, table.lower, root)
        self.largest = largest_entry(cov)

    @property
    def target(self) -> float:
        """Bound at which a node is closed."""
        width = closing_width(self.lower, scale=vanishing(self.lower, self.largest), gap=self.gap)
        return self.lower + width

    def open(self, factors: Factors | None = None) -> None:
        """Open the root with factors to begin with, or with those of its row sums."""
        parts = everything(self.shape, self.cov.n)
        self.add(0, JointNode(parts, factors or start(self.cov.matrix, self.shape, parts), 1 if factors else 0))

    def offer(self, candidate: CandidateSet, lower: float) -> None:
        """Make components the incumbent if they are better, in the order of the parts."""
        if self.shape.takes(candidate.order):
            super().offer(candidate, lower)

    def effort(self, node: JointNode) -> JointEffort:
        """Work hard at the root, where every decision taken is taken for good."""
        if node.depth == 0:
            return JointEffort(stages=12, iterations=300, enough=0.05, deadline=self.deadline)
        # Deeper the factors of the parent are near the best: a wide smoothing would lead away from them.
        return JointEffort(stages=2, iterations=20, smoothing=0.05, enough=0.0, deadline=self.deadline)

    def _expanded(self, at: int, node: JointNode) -> JointExpansion:
        proof, effort = self.tree.proof(at), self.effort(node)
        return expand_jointly(
            self.cov, self.shape, node, proof, lower=self.lower, target=self.target, effort=effort
        )

    def _absorb(self, at: int, outcome: JointExpansion) -> None:
        at = self._decide(at, outcome.decisions)
        self.tree.improve(at, outcome.proof if outcome.leaf is None else self._settled(outcome.leaf))
        if outcome.node is not None and can_be_listed(outcome.node.parts, self.shape):
            # One by one: Ctrl-C leaves the last.
            for proof in self._by_choices(outcome.node, outcome.proof):
                self.tree.improve(at, proof)
        if outcome.node is None or self.tree.proof(at).bound <= self.target:
            self._shut(at)
        else:
            self._branch(at, outcome.node, outcome.branch)

    def _by_choices(self, node: JointNode, proof: Proof) -> Iterator[Proof]:
        """Yield proofs of a node by its choices of supports that are better than its proof by one point."""
        variables = union(node.parts)
        first = to_multiplier_matrix(self.cov.submatrix(variables), variables, node.factors, node.parts)
        covering = Covering(
            self.cov,
            Choices(self.shape, node.parts),
            first,
            upper_bound(self.cov, first, self.shape, node.parts),
            target=lambda: self.target,
            settle=self._alone,
            is_root=node.depth <= 1,  # what is left of a node after its decisions counts as one deeper
            deadline=self.deadline.part(2),  # lists may be in vain: half of the time is left for splits
        )
        for points, bound in covering.covers():
            if bound < proof.bound:
                yield Proof("choices", points, bound)

    def _branch(self, at: int, node: JointNode, branch: Decision | None) -> None:
        assert branch is not None
        inside, outside = self.tree.split(at, branch.variable, branch.part)
        for child, is_inside in ((inside, True), (outside, False)):
            self.add(child, _child(node, self.shape, replace(branch, is_inside=is_inside)))

    def _settled(self, supports: tuple[Indices, ...]) -> Proof:
        """Bound one choice of supports; its best components become the incumbent if they are better.

        A common support is given once.
        """
        blocks = np.array([eigenvalue_upper(self.cov.submatrix(T), self.cov.rounding(T)) for T in supports])
        most = sum_upper(blocks) if np.isfinite(blocks).all() else math.inf
        separate, found = Proof("multipliers", None, most), None
        if self.shape.is_common:
            found = on_common(self.cov, supports[0], self.shape.copies)
        elif separate.bound > self.lower:
            found = CandidateSet.on(self.cov, supports)
        if found is not None:
            self.offer(found, found.lower)
        used = np.concatenate(supports)
        if not self.shape.is_common and (len(np.unique(used)) == len(used) or separate.bound <= self.target):
            return separate
        return Proof("multipliers", *bound_on_supports(self.cov, supports, self.shape, target=self.target))

    def _alone(self, supports: tuple[Indices, ...]) -> MultiplierMatrix:
        """Return a dual point of the components on one choice of supports: Z = 0 where these do not meet."""
        point = self._settled(supports).point
        if isinstance(point, MultiplierMatrix):
            return point
        variables = np.unique(np.concatenate(supports))
        rest, y = self.cov.submatrix(variables), np.zeros(len(variables))
        return MultiplierMatrix(variables, rest, y, (None,) * len(supports))


def can_be_listed(parts: Sequence[Part], shape: Shape) -> bool:
    """Say whether the sets of each component of a node are few enough to be tried one by one."""
    if shape.is_common or len(parts) < 2 or len(union(parts)) > MOST_VARIABLES:
        return False
    return all(count_sets(part) <= MOST_SETS for part in parts)


def _child(node: JointNode, shape: Shape, branch: Decision) -> JointNode:
    """Return the child of a node on one side of its branch."""
    parts = decided(node.parts, shape, branch)
    if is_void(parts, shape):
        empty = Factors(node.factors.L[:0], node.factors.multipliers[:0], node.factors.rows)
        return replace(node, parts=parts, factors=empty)
    _, factors = restricted_factors(node.factors, union(node.parts), node.parts, parts)
    return replace(node, parts=parts, factors=factors)
