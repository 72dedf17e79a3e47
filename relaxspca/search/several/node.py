"""A node of the search over several components: what it decided, and what a dual point proves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.enumerated import MOST, count_supports
from relaxspca.relaxations.several.formula import Evaluated, evaluated
from relaxspca.relaxations.several.minimise import restricted_factors, to_multiplier_matrix
from relaxspca.relaxations.several.shape import Part, Shape
from relaxspca.relaxations.several.smooth import Factors
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.search.proof_tree import Decision, Proof
from relaxspca.search.several.parts import alike, decided, follows, has_no_table, is_void
from relaxspca.search.several.screen import scores, settled_by

NO_TABLE = Proof("multipliers", None, -math.inf)  # a checker sees that a node has none


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
            self.factors = _listing(self.factors, self.parts, self.shape)
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


def _listing(factors: Factors, parts: Sequence[Part], shape: Shape) -> Factors:
    """Drop the multipliers of rows where few enough supports are left to try them all."""
    rows = tuple(
        None if B is None or count_supports(part, is_at_most=shape.is_at_most) <= MOST else B
        for B, part in zip(factors.rows, parts, strict=True)
    )
    return Factors(factors.L, factors.multipliers, rows)
