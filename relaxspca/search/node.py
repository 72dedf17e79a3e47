"""A node of the search: what is forced in, what is free, and what was found out about it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from relaxspca.numerics.linalg import Array, eigenvalue_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices, Node
from relaxspca.problem.size import Size
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.search.proof_tree import Proof

__all__ = ["Division", "Effort", "Fixing", "OpenNode", "Expansion", "Workspace"]

MOST_ENUMERATED = 128  # supports


@dataclass(frozen=True)
class Effort:
    """How hard to try at one node before branching.

    Attributes
    ----------
    stages : most rounds of quasi-Newton steps on the Perron dual; 0 leaves it at row sums.
    iterations : quasi-Newton iterations a round.
    most_entries : a node is finished by enumeration where the blocks of all its supports have so many together.
    deadline : when to stop.
    by_eigenvalue : whether all the variables of a node are also bounded together, as where a target is fixed.
    """

    stages: int = 3
    iterations: int = 25
    most_entries: int = 12_800
    deadline: Deadline = FOREVER
    by_eigenvalue: bool = False


@dataclass(frozen=True, eq=False)
class OpenNode(Node):
    """A node still to be searched, its depth, and its parent's weights and matrix B to start from."""

    depth: int
    weights: Array
    B: Array | None = None


@dataclass(frozen=True, eq=False)
class Fixing:
    """A variable decided without branching; `proof` closes the child on the other side."""

    variable: int
    is_inside: bool
    proof: Proof


@dataclass(frozen=True, eq=False)
class Division:
    """A node split until every support that is left in it stands alone.

    Attributes
    ----------
    splits : (node, variable), the node itself being 0 and the two halves of a split following those before.
    ends : (node, outcome) of each support.
    """

    splits: tuple[tuple[int, int], ...]
    ends: tuple[tuple[int, Expansion], ...]


@dataclass(frozen=True, eq=False)
class Expansion:
    """What evaluating a node led to.

    Attributes
    ----------
    fixings : decisions taken on the way, in order.
    proof : the best proof of the node that remains after them.
    node : what remains to be searched; None when `proof` closes it.
    branch : the variable to split `node` on; None where time ended before `node` was done with.
    supports : supports met on the way, perhaps better than the incumbent.
    last : the node that remains, where it is closed.
    division : all supports of the node that remains, where these were few.
    """

    fixings: tuple[Fixing, ...]
    proof: Proof
    node: OpenNode | None
    branch: int | None
    supports: tuple[tuple[int, ...], ...]
    last: Node | None = None
    division: Division | None = None


@dataclass(eq=False)
class Workspace:
    """A node while it is being evaluated: it shrinks as variables are fixed."""

    cov: Covariance
    size: Size
    target: float
    here: Node
    weights: Array
    proof: Proof
    B: Array | None = None
    fixings: list[Fixing] = field(default_factory=list)
    supports: list[tuple[int, ...]] = field(default_factory=list)
    is_closed: bool = False

    def __post_init__(self) -> None:
        self.whole = self.size
        self._refresh()

    def _refresh(self) -> None:
        """Form the block, and close the node when at most one support is left."""
        self.variables, self.is_inside = self.here.variables, self.here.is_inside
        self.size = self.whole.on(self.variables)
        everything = len(self.variables) == self.cov.n
        self.Sigma = self.cov.matrix if everything else self.cov.submatrix(self.variables)
        self.rounding = self.cov.rounding(self.variables)
        last = self.whole.last_support(self.here.inside, self.here.free)
        if last is not None:
            self._close_with_support(last)

    def can_enumerate(self, entries: int) -> bool:
        """Say whether so few supports are left that their blocks have at most so many entries together."""
        free, most = len(self.here.free), self.size.most(len(self.variables))
        is_penalised = self.whole.is_penalised  # then any number of variables may be chosen
        count = 2**free if is_penalised else math.comb(free, most - len(self.here.inside))
        return count <= min(MOST_ENUMERATED, entries // max(most, 1) ** 2)

    def improve(self, proof: Proof) -> bool:
        """Keep a proof if it is better; close the node and return True if it is good enough."""
        if proof.bound < self.proof.bound:
            self.proof = proof
        self.is_closed = self.is_closed or self.proof.bound <= self.target
        return self.is_closed

    def fix(self, with_i: Array, without_i: Array, kind: str, point: Any) -> bool:
        """Leave out and force in variables by the bounds of one dual point; say whether any was.

        Parameters
        ----------
        with_i, without_i : (m,) proved bounds with each of `variables` forced in, and with it left out.
        kind, point : the leaf rule and the dual point that prove them.

        Notes
        -----
        A variable is left out when no support with it exceeds the target, and forced in when no support
        without it does; a variable that is both closes the node.
        """
        out = (with_i <= self.target) & ~self.is_inside
        into = (without_i <= self.target) & ~self.is_inside
        if not (out | into).any():
            return False
        for at in np.flatnonzero(out):
            self._record(at, False, Proof(kind, point, float(with_i[at])))
        if (out & into).any():
            self._close(Proof(kind, point, float(without_i[out & into].min())))
            return True
        chosen = np.flatnonzero(into)
        chosen = chosen[self.whole.compatible(self.variables[chosen])]
        chosen = chosen[: self.size.most(len(self.variables)) - len(self.here.inside)]
        for at in chosen:
            self._record(at, True, Proof(kind, point, float(without_i[at])))
        self.shrink(self.variables[out], self.variables[chosen])
        return True

    def _record(self, at: int | np.integer[Any], is_inside: bool, proof: Proof) -> None:
        self.fixings.append(Fixing(int(self.variables[at]), is_inside, proof))

    def shrink(self, left_out: Indices, forced: Indices) -> None:
        """Drop variables and force others in."""
        self.here = self.whole.fixed(self.here, forced, left_out)
        kept = np.isin(self.variables, self.here.variables)
        self.weights = self.weights[kept]
        if self.B is not None:
            self.B = self.B[np.ix_(kept, kept)]
        self._refresh()

    def _close(self, proof: Proof) -> None:
        self.proof, self.is_closed = proof, True

    def _close_with_support(self, support: Indices) -> None:
        if len(support) == 0:
            self._close(Proof("void", None, -np.inf))
            return
        self.supports.append(tuple(int(i) for i in support))
        bound = eigenvalue_upper(self.cov.submatrix(support), self.cov.rounding(support))
        self._close(Proof("support", None, self.size.net_upper(bound, len(support))))

    def note_support(self, value: float, u: Array) -> None:
        """Remember the support that a unit vector of that value suggests, with what is forced in."""
        ranked = np.where(self.is_inside, np.inf, np.abs(u))
        count = self.size.of_ranked(value * u**2, self.is_inside)
        chosen = self.size.picked(ranked, count)
        self.supports.append(tuple(int(i) for i in self.variables[chosen]))

    def expansion(
        self, *, node: OpenNode | None = None, branch: int | None = None, division: Division | None = None
    ) -> Expansion:
        """Return what was found out, with what remains to be searched."""
        last = self.here if node is None else None
        return Expansion(tuple(self.fixings), self.proof, node, branch, tuple(self.supports), last, division)

    def node(self, depth: int) -> OpenNode:
        """Return what remains as a node."""
        return OpenNode(self.here.inside, self.here.free, depth, self.weights, self.B)
