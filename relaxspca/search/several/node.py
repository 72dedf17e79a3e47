"""Bound one node of the search over several components, and say what to branch on if it stays open."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from relaxspca.numerics.linalg import Indices, magnitude
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.several.formula import MOST, Evaluated, count_supports, evaluated
from relaxspca.relaxations.several.minimise import (
    descend_jointly,
    restricted_factors,
    smoothest,
    to_multiplier_matrix,
    union,
)
from relaxspca.relaxations.several.shape import Part, Shape
from relaxspca.relaxations.several.smooth import Factors
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.search.proof_tree import Decision, Proof
from relaxspca.search.several.screen import (
    alike,
    branch,
    decided,
    follows,
    has_no_table,
    is_void,
    scores,
    settled_by,
)

NO_TABLE = Proof("multipliers", None, -math.inf)  # a checker sees that a node has none


@dataclass(frozen=True)
class JointEffort:
    """How hard to try before branching.

    Attributes
    ----------
    stages : most rounds of decreasing smoothing.
    iterations : quasi-Newton iterations in each.
    smoothing : width of the soft maxima to begin with, in parts of what is missing.
    enough : part of what is missing that two rounds running must close, or it is time to branch.
    deadline : when to stop.
    """

    stages: int = 3
    iterations: int = 40
    smoothing: float = 0.3
    enough: float = 0.1
    deadline: Deadline = FOREVER


def expand_jointly(
    cov: Covariance,
    shape: Shape,
    node: JointNode,
    proof: Proof,
    *,
    lower: float,
    target: float,
    effort: JointEffort,
) -> JointExpansion:
    """Bound a node from the proof that it inherits, and say what to branch on if it stays open."""
    work = JointWorkspace(
        cov,
        shape,
        lower,
        target,
        node.parts,
        union(node.parts),
        node.factors,
        proof,
        effort.deadline,
    )
    if proof.bound <= target:
        work.is_closed = True
    work.propagate()
    work.bound()
    scale = magnitude(cov.submatrix(work.variables), lower)
    _descend(work, scale, effort)
    return _outcome(work, node.depth)


def _descend(work: JointWorkspace, scale: float, effort: JointEffort) -> None:
    """Take quasi-Newton steps with less and less smoothing, while they lead down."""
    lower = work.lower
    smoothing, stalled = smoothest(work.factors), 0
    # What these factors reach counts, not the proof inherited: that may be better for a while.
    if math.isfinite(work.reached):
        smoothing = min(smoothing, effort.smoothing * max((work.reached - lower) / scale, 1e-7))
    for _ in range(effort.stages):
        if work.is_closed or work.is_settled or stalled == 2 or effort.deadline.is_over:
            break
        before = work.reached
        work.factors = descend_jointly(
            work.cov.submatrix(work.variables),
            work.variables,
            work.shape,
            work.parts,
            work.factors,
            scale=scale,
            smoothing=smoothing,
            iterations=effort.iterations,
            deadline=effort.deadline,
        )
        count = len(work.decisions)
        work.bound()
        missing = work.reached - work.target
        has_crept = len(work.decisions) == count and before - work.reached < effort.enough * missing
        stalled = stalled + 1 if has_crept else 0
        smoothing /= 3


def _outcome(work: JointWorkspace, depth: int) -> JointExpansion:
    decisions = tuple(work.decisions)
    if work.is_closed:
        return JointExpansion(decisions, work.proof, None, None)
    if work.is_settled:
        leaf = tuple(part.inside for part in work.parts)
        return JointExpansion(decisions, work.proof, None, None, leaf)
    factors = work.factors if work.best is None else work.best[1]
    rest = JointNode(work.parts, factors, depth + 1)
    chosen = branch(work.found, work.parts, cap=abs(work.proof.bound))
    return JointExpansion(decisions, work.proof, rest, chosen)


@dataclass(frozen=True, eq=False)
class JointNode:
    """Parts, and the factors of the parent to begin with; `factors` speak of the union of the parts."""

    parts: tuple[Part, ...]
    factors: Factors
    depth: int


@dataclass(frozen=True, eq=False)
class JointExpansion:
    """What evaluating a node led to.

    Attributes
    ----------
    decisions : taken on the way, in order, each with the proof that closes its other side.
    proof : of the node that remains.
    node : what remains; None when `proof` closes it, or when only one choice of supports is left.
    branch : decision to split `node` on.
    leaf : the one choice of supports that is left, whose bound is still to be found.
    """

    decisions: tuple[tuple[Decision, Proof], ...]
    proof: Proof
    node: JointNode | None
    branch: Decision | None
    leaf: tuple[Indices, ...] | None = None


@dataclass(eq=False)
class JointWorkspace:
    """A node while it is evaluated."""

    cov: Covariance
    shape: Shape
    lower: float
    target: float
    parts: tuple[Part, ...]
    variables: Indices
    factors: Factors
    proof: Proof
    deadline: Deadline = FOREVER
    decisions: list[tuple[Decision, Proof]] = field(default_factory=list)
    is_closed: bool = False
    found: Evaluated | None = None
    best: tuple[float, Factors] | None = None

    def close(self, proof: Proof) -> None:
        """Close the node by a proof."""
        self.proof, self.is_closed = proof, True

    def take(self, decision: Decision, proof: Proof) -> None:
        """Take a decision whose other side is closed by a proof, if it is still open."""
        if decision.variable not in self.parts[decision.part].free:
            return
        self.decisions.append((decision, proof))
        before = self.parts
        self.parts = decided(before, self.shape, decision)
        if is_void(self.parts, self.shape):
            self.close(NO_TABLE)
            return
        if self.best is not None:
            bound, factors = self.best
            self.best = bound, restricted_factors(factors, self.variables, before, self.parts)[1]
        self.variables, self.factors = restricted_factors(self.factors, self.variables, before, self.parts)

    def propagate(self) -> None:
        """Take all decisions that disjointness forces."""
        while not self.is_closed:
            if has_no_table(self.parts, self.shape):
                self.close(NO_TABLE)
            elif (found := follows(self.parts, self.shape)) is not None:
                self.take(found, NO_TABLE)
            else:
                return

    @property
    def reached(self) -> float:
        """The least bound that the factors have given."""
        return math.inf if self.best is None else self.best[0]

    @property
    def is_settled(self) -> bool:
        """Whether one choice of supports is left."""
        return all(part.is_settled for part in self.parts)

    def bound(self) -> None:
        """Evaluate the factors, and take the decisions that they prove."""
        while not self.is_closed and not self.is_settled:
            # Rows lose their multipliers where few enough supports are left to try them all.
            counts = [count_supports(part, is_at_most=self.shape.is_at_most) for part in self.parts]
            pairs = zip(self.factors.rows, counts, strict=True)
            self.factors = replace(self.factors, rows=tuple(B if count > MOST else None for B, count in pairs))
            Sigma = self.cov.submatrix(self.variables)
            point = to_multiplier_matrix(Sigma, self.variables, self.factors, self.parts)
            self.found = evaluated(self.cov, point, self.shape, self.parts)
            if self.best is None or self.found.upper <= self.best[0]:
                self.best = self.found.upper, self.factors
            if self.found.upper < self.proof.bound:
                self.proof = Proof("multipliers", point, self.found.upper)
            self.is_closed = self.is_closed or self.proof.bound <= self.target
            if self.is_closed or not self.found.parts:  # numbers that overflow say nothing of the parts
                return
            estimates = scores(self.found, self.parts)
            count = len(self.decisions)
            before = self.parts
            settled = settled_by(self.found, before, self.shape, estimates, self.target, self.deadline)
            for decision, bound in settled:
                # The bound of the other side holds where the variable is left out of all parts that were equal.
                is_known = {*alike(before, decision.part)} <= {*alike(self.parts, decision.part)}
                if not self.is_closed and (is_known or not decision.is_inside):
                    self.take(decision, Proof("multipliers", point, bound))
                    self.propagate()
            if len(self.decisions) == count:
                return
