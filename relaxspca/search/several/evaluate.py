"""Bound one node of the search over several components, and say what to branch on if it stays open."""

from __future__ import annotations

import math
from dataclasses import dataclass

from relaxspca.numerics.linalg import magnitude
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.several.minimise import descend_jointly, smoothest, union
from relaxspca.relaxations.several.shape import Shape
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.search.proof_tree import Proof
from relaxspca.search.several.node import JointExpansion, JointNode, JointWorkspace
from relaxspca.search.several.screen import branch


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


def joint_effort(node: JointNode, deadline: Deadline) -> JointEffort:
    """Work hard at the root, where every decision taken is taken for good."""
    if node.depth == 0:
        return JointEffort(stages=12, iterations=300, enough=0.05, deadline=deadline)
    # Deeper the factors of the parent are near the best: a wide smoothing would lead away from them.
    return JointEffort(stages=2, iterations=60, smoothing=0.05, enough=0.0, deadline=deadline)


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
