"""A node of the search over several components, and how it is bounded, narrowed and branched."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from relaxspca.numerics.linalg import magnitude
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.formula import Evaluated, evaluated
from relaxspca.relaxations.several.listed import MOST, Listed, count_supports
from relaxspca.relaxations.several.minimise import (
    descend_jointly,
    restricted_factors,
    smoothest,
    to_price_matrix,
    union,
)
from relaxspca.relaxations.several.shape import ANY_USES, Part, Shape, Uses
from relaxspca.relaxations.several.smooth import Factors
from relaxspca.relaxations.several.tried import Multipliers, descend_by_program
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.search.several.branching import branch
from relaxspca.search.several.parts import contradiction, decided, follows, is_void
from relaxspca.search.several.proposal import proposal
from relaxspca.search.several.screen import scores, settled_by
from relaxspca.search.several.tree import Decision, JointProof

__all__ = ["JointEffort", "JointNode", "JointExpansion", "expand_jointly"]

FAR = 1.2
LARGE = 100  # entries of a dual point, in units of the optimum, beyond which its roundings would be felt
FEW = 30  # variables up to which the program of listed supports is solved


@dataclass(frozen=True, eq=False)
class JointNode:
    """Parts, and the factors of the parent to begin with; `factors` speak of the union of the parts.

    `uses` is what is decided of how many components use a variable; `multipliers` those that belong to the
    factors, if the program of listed supports gave them.
    """

    parts: tuple[Part, ...]
    factors: Factors
    depth: int
    uses: Uses = ANY_USES
    multipliers: Multipliers | None = None


@dataclass(frozen=True)
class JointEffort:
    """How hard to try before branching.

    Attributes
    ----------
    stages : most rounds of decreasing smoothing.
    iterations : quasi-Newton iterations in each.
    smoothing : width of the soft maxima to begin with, in parts of what is missing.
    shrink : by how much the smoothing falls from round to round.
    enough : part of what is missing that two rounds running must close, or it is time to branch.
    share : part of what is missing to which the program of listed supports is solved.
    deadline : when to stop.
    """

    stages: int = 3
    iterations: int = 40
    smoothing: float = 0.3
    shrink: float = 3.0
    enough: float = 0.1
    share: float = 0.05
    deadline: Deadline = FOREVER


@dataclass(frozen=True, eq=False)
class JointExpansion:
    """What evaluating a node led to.

    Attributes
    ----------
    decisions : taken on the way, in order, each with the proof that closes its other side.
    proof : of the node that remains.
    node : what remains; None when `proof` closes it, or when only one choice of supports is left.
    branch : decision to split `node` on.
    supports : choices of supports met on the way, perhaps better than the incumbent.
    is_leaf : one choice of supports is left, the last of `supports`; its bound is still to be found.
    """

    decisions: tuple[tuple[Decision, JointProof], ...]
    proof: JointProof
    node: JointNode | None
    branch: Decision | None
    supports: tuple[tuple[Indices, ...], ...]
    is_leaf: bool = False


@dataclass(eq=False)
class _NodeWork:
    """A node while it is evaluated."""

    cov: Covariance
    shape: Shape
    order: Indices
    lower: float
    target: float
    uses: Uses
    parts: tuple[Part, ...]
    variables: Indices
    factors: Factors
    proof: JointProof
    multipliers: Multipliers | None = None
    deadline: Deadline = FOREVER
    decisions: list[tuple[Decision, JointProof]] = field(default_factory=list)
    supports: list[tuple[Indices, ...]] = field(default_factory=list)
    is_closed: bool = False
    found: Evaluated | None = None
    best: tuple[float, Factors] | None = None

    def close(self, proof: JointProof) -> None:
        self.proof, self.is_closed = proof, True

    def take(self, decision: Decision, proof: JointProof) -> None:
        """Take a decision whose other side is closed by a proof, if it is still open."""
        if decision.variable not in self.parts[decision.part].free:
            return
        self.decisions.append((decision, proof))
        before = self.parts
        self.parts = decided(before, self.shape, decision)
        if is_void(self.parts, self.shape):
            self.close(JointProof("void", None, -math.inf))
            return
        if self.best is not None:
            bound, factors = self.best
            self.best = bound, restricted_factors(factors, self.variables, before, self.parts)[1]
        self.variables, self.factors = restricted_factors(self.factors, self.variables, before, self.parts)

    def propagate(self) -> None:
        """Take what disjointness, the order of equal components and the uses leave no choice about."""
        while not self.is_closed:
            kind = contradiction(self.parts, self.shape, self.uses, self.order)
            if kind is not None:
                self.close(JointProof(kind, None, -math.inf))
            elif (found := follows(self.parts, self.shape, self.uses, self.order)) is not None:
                self.take(found[1], JointProof(found[0], None, -math.inf))
            else:
                return

    @property
    def reached(self) -> float:
        """The least bound that the factors have given."""
        return math.inf if self.best is None else self.best[0]

    @property
    def is_settled(self) -> bool:
        return all(part.is_settled for part in self.parts)

    def bound(self) -> None:
        """Evaluate the factors, and take the decisions that they prove."""
        while not self.is_closed and not self.is_settled:
            self.factors = _listing(self.factors, self.parts, self.shape)
            Sigma = self.cov.submatrix(self.variables)
            point = to_price_matrix(Sigma, self.variables, self.factors, self.parts)
            self.found = evaluated(self.cov, point, self.shape, self.parts, self.uses)
            if self.best is None or self.found.upper <= self.best[0]:
                self.best = self.found.upper, self.factors
            self._improve(JointProof("prices", point, self.found.upper))
            if self.is_closed or not self.found.parts:  # numbers that overflow say nothing of the parts
                return
            self.propose()
            estimates = scores(self.found, self.parts)
            count = len(self.decisions)
            settled = settled_by(
                self.found, self.parts, self.shape, self.uses, estimates, self.target, self.deadline
            )
            for decision, bound in settled:
                if not self.is_closed:
                    self.take(decision, JointProof("prices", point, bound))
                    self.propagate()
            if len(self.decisions) == count:
                return

    def _improve(self, proof: JointProof) -> None:
        if proof.bound < self.proof.bound:
            self.proof = proof
        self.is_closed = self.is_closed or self.proof.bound <= self.target

    def propose(self) -> None:
        """Note the most promising choice of supports that the dual point suggests."""
        assert self.found is not None
        found = proposal(self.cov, self.found, self.parts, self.shape)
        if found is not None:
            self.supports.append(found)


def expand_jointly(
    cov: Covariance,
    shape: Shape,
    order: Indices,
    node: JointNode,
    proof: JointProof,
    lower: float,
    target: float,
    effort: JointEffort,
) -> JointExpansion:
    """Bound a node, decide what can be decided, and say what to branch on if it stays open.

    Parameters
    ----------
    cov : Covariance.
    shape : Shape.
    order : variables in the order by which supports of equal sizes are compared.
    node : JointNode.
    proof : the proof that it inherits.
    lower : value of the incumbent (variance).
    target : bound at which a node is closed, at least `lower` (variance).
    effort : JointEffort.
    """
    work = _NodeWork(
        cov,
        shape,
        order,
        lower,
        target,
        node.uses,
        node.parts,
        union(node.parts),
        node.factors,
        proof,
        node.multipliers,
        effort.deadline,
    )
    if proof.bound <= target:
        work.is_closed = True
    work.propagate()
    work.bound()
    scale = magnitude(cov.submatrix(work.variables), lower)
    if _can_be_tried(work):
        _descend_by_program(work, scale, effort)
    else:
        _descend_by_steps(work, scale, effort)
    return _outcome(work, node.depth)


def _can_be_tried(work: _NodeWork) -> bool:
    """Say whether the supports of every part are listed, of few variables."""
    return (
        work.found is not None
        and len(work.variables) <= FEW
        and len(work.found.parts) == len(work.parts)
        and all(isinstance(how, Listed) for how in work.found.parts)
    )


def _descend_by_program(work: _NodeWork, scale: float, effort: JointEffort) -> None:
    """Find the best factors over the supports near the best, until those left out do not matter."""
    for _ in range(effort.stages):
        if work.is_closed or work.is_settled or effort.deadline.is_over:
            return
        assert work.found is not None
        missing = work.reached - work.target
        factors, value, multipliers = descend_by_program(
            work.cov.submatrix(work.variables),
            work.variables,
            work.shape,
            work.parts,
            [how for how in work.found.parts if isinstance(how, Listed)],
            work.factors,
            scale=scale,
            missing=missing,
            target=work.target,
            share=effort.share,
            uses=work.uses,
            before=work.multipliers,
        )
        if max((factors.L**2).max(), np.abs(factors.prices).max()) > LARGE * scale:
            # The best is far away, as where variables are free of charge: roundings would be felt there.
            _descend_by_steps(work, scale, effort)
            return
        work.factors, work.multipliers = factors, multipliers
        count = len(work.decisions)
        work.bound()
        if len(work.decisions) == count and work.reached - value <= effort.share * (value - work.target):
            return


def _descend_by_steps(work: _NodeWork, scale: float, effort: JointEffort) -> None:
    """Take quasi-Newton steps with less and less smoothing, while they lead down."""
    lower = work.lower
    smoothing, stalled = smoothest(work.factors), 0
    if math.isfinite(work.proof.bound):
        smoothing = min(smoothing, effort.smoothing * max((work.proof.bound - lower) / scale, 1e-7))
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
            uses=work.uses,
        )
        count = len(work.decisions)
        work.bound()
        if work.best is not None and work.found is not None and work.found.upper > FAR * work.best[0]:
            work.factors = work.best[1]  # a smooth maximum over too few supports may have led astray
        # What these factors reach counts, not the proof inherited: that may be better for a while.
        missing = work.reached - work.target
        has_crept = len(work.decisions) == count and before - work.reached < effort.enough * missing
        stalled = stalled + 1 if has_crept else 0
        smoothing /= effort.shrink


def _outcome(work: _NodeWork, depth: int) -> JointExpansion:
    decisions = tuple(work.decisions)
    if work.is_closed:
        return JointExpansion(decisions, work.proof, None, None, tuple(work.supports))
    if work.is_settled:
        supports = (*work.supports, tuple(part.inside for part in work.parts))
        return JointExpansion(decisions, work.proof, None, None, supports, is_leaf=True)
    factors = work.factors if work.best is None else work.best[1]
    rest = JointNode(work.parts, factors, depth + 1, work.uses, work.multipliers)
    chosen = branch(work.found, work.parts, shape=work.shape, uses=work.uses, cap=abs(work.proof.bound))
    return JointExpansion(decisions, work.proof, rest, chosen, tuple(work.supports))


def _listing(factors: Factors, parts: Sequence[Part], shape: Shape) -> Factors:
    """Drop the prices of rows where few enough supports are left to try them all."""
    rows = tuple(
        None if B is None or count_supports(part, is_at_most=shape.is_at_most) <= MOST else B
        for B, part in zip(factors.rows, parts, strict=True)
    )
    return Factors(factors.L, factors.prices, rows)
