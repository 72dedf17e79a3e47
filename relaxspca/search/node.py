"""A node of the search while it is evaluated: variables forced in, free variables, bounds and fixings."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from relaxspca.numerics.linalg import Array, Indices, eigenvalue_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Node
from relaxspca.problem.size import Size
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.search.proof_tree import Decision, Proof

MOST_ENUMERATED = 128  # supports
Fixing = tuple[Decision | Indices, Proof]  # a decision, or the free variables that are kept


@dataclass(frozen=True)
class Effort:
    """The effort spent on one node before branching.

    Attributes
    ----------
    stages : most rounds of quasi-Newton steps on the Perron dual; 0 means row sums only.
    iterations : quasi-Newton iterations a round.
    most_entries : a node is finished by enumeration where the blocks of all its supports have so many together.
    deadline : when to stop.
    by_eigenvalue : whether nodes are also bounded by the largest eigenvalue of their whole block.
    """

    stages: int = 3
    iterations: int = 25
    most_entries: int = 12_800
    deadline: Deadline = FOREVER
    by_eigenvalue: bool = False


@dataclass(frozen=True, eq=False)
class OpenNode(Node):
    """A node still to be searched: its depth, and the weights and matrix B (`Workspace`) of its parent."""

    depth: int
    weights: Array
    B: Array | None = None


@dataclass(frozen=True, eq=False)
class Division:
    """A node split into leaves of one support each, the outcomes at whose ends are numbered.

    The node itself is 0, and the two halves of a split follow those before.
    """

    splits: tuple[tuple[int, int], ...]
    ends: tuple[tuple[int, Expansion], ...]


@dataclass(frozen=True, eq=False)
class Expansion:
    """The outcome of evaluating a node.

    Attributes
    ----------
    fixings : what is fixed without branching, in order, each with the proof that closes its other side.
    proof : the best proof of the node that remains after them.
    node : the node after the fixings; None if `proof` closes it.
    branch : the variable to split `node` on; None if time ended before `node` was evaluated.
    supports : supports found, perhaps better than the incumbent.
    last : the node after the fixings, if it is closed.
    division : all supports of the node after the fixings, if they are few.
    """

    fixings: tuple[Fixing, ...]
    proof: Proof
    node: OpenNode | None
    branch: int | None
    supports: tuple[tuple[int, ...], ...]
    last: Node | None = None
    division: Division | None = None


def proof_of_support(cov: Covariance, size: Size, support: Indices) -> Proof:
    """Bound a node that has one support, or none: the empty one."""
    if not len(support):
        return Proof("void", None, -np.inf)
    bound = eigenvalue_upper(cov.submatrix(support), cov.rounding(support))
    return Proof("support", None, size.net_upper(bound, len(support)))


@dataclass(eq=False)
class Workspace:
    """A node while it is being evaluated: it shrinks as variables are fixed.

    Attributes
    ----------
    cov, target : of the search.
    here : the node as it is now, after `fixings`.
    variables, is_inside : its m variables, and which of them are forced in.
    Sigma, rounding : their block, and a bound on the norm of what it misses.
    size : Cardinality or Penalty on that block; `size_of_all` speaks of all n variables.
    weights : (m,) of the weighted row sums |Sigma_ij| w_j / w_i.
    B : (m, m) of the Perron dual, P = B o B' and N_ij = B_ij^2 (`relaxspca.relaxations.perron.minimise`); None
        until the dual has been tightened.
    proof, is_closed : the best proof of `here`, and whether it closes it.
    fixings, supports : as in `Expansion`.
    """

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
        self.size_of_all = self.size
        self._refresh()

    def _refresh(self) -> None:
        """Form the block of Sigma, and close the node if it has at most one support."""
        self.variables, self.is_inside = self.here.variables, self.here.is_inside
        self.size = self.size_of_all.on(self.variables)
        everything = len(self.variables) == self.cov.n
        self.Sigma = self.cov.matrix if everything else self.cov.submatrix(self.variables)
        self.rounding = self.cov.rounding(self.variables)
        last = self.size_of_all.last_support(self.here.inside, self.here.free)
        if last is None:
            return
        if len(last):
            self.supports.append(tuple(int(i) for i in last))
        self._close(proof_of_support(self.cov, self.size, last))

    def can_enumerate(self, entries: int) -> bool:
        """Say whether so few supports are left that their blocks have at most so many entries together."""
        free, most = len(self.here.free), self.size.most(len(self.variables))
        is_penalised = self.size_of_all.is_penalised  # then any number of variables may be chosen
        count = 2**free if is_penalised else math.comb(free, most - len(self.here.inside))
        return count <= min(MOST_ENUMERATED, entries // max(most, 1) ** 2)

    def is_done(self, effort: Effort) -> bool:
        """Say whether bounds need no tightening: the node is closed, time is over, or few supports are left."""
        return self.is_closed or effort.deadline.is_over or self.can_enumerate(effort.most_entries)

    def improve(self, proof: Proof) -> bool:
        """Keep a proof if it is better than the current one; return whether the node is now closed."""
        if proof.bound < self.proof.bound:
            self.proof = proof
        self.is_closed = self.is_closed or self.proof.bound <= self.target
        return self.is_closed

    def fix(self, with_i: Array, without_i: Array, kind: str, point: Any) -> bool:
        """Fix variables by the bounds of one dual point; return whether any was fixed.

        The bounds are proved with each of `variables` forced in, and with it left out, by the leaf rule `kind`
        and its point. A variable is left out when no support with it exceeds the target, and forced in when no
        support without it does; a variable that is both closes the node.
        """
        out = (with_i <= self.target) & ~self.is_inside
        into = (without_i <= self.target) & ~self.is_inside
        if not (out | into).any():
            return False
        gone, proof = self.variables[out], Proof(kind, point, float(with_i[out].max(initial=-np.inf)))
        kept = np.setdiff1d(self.here.free, gone)
        if len(gone) > 1:
            self.fixings.append((kept, proof))
        else:
            self.fixings += [(Decision(0, int(i), False), proof) for i in gone]
        if (out & into).any():
            self._close(Proof(kind, point, float(without_i[out & into].min())))
            return True
        chosen = np.flatnonzero(into)
        chosen = chosen[self.size_of_all.compatible(self.variables[chosen])]
        chosen = chosen[: self.size.most(len(self.variables)) - len(self.here.inside)]
        for at in chosen:
            decision = Decision(0, int(self.variables[at]), True)
            self.fixings.append((decision, Proof(kind, point, float(without_i[at]))))
        self.here = self.size_of_all.fixed(self.here, self.variables[chosen], gone)
        left = np.isin(self.variables, self.here.variables)
        self.weights = self.weights[left]
        if self.B is not None:
            self.B = self.B[np.ix_(left, left)]
        self._refresh()
        return True

    def _close(self, proof: Proof) -> None:
        self.proof, self.is_closed = proof, True

    def note_support(self, value: float, u: Array) -> None:
        """Keep the support of the forced variables and the largest entries of a unit vector u of this value."""
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
        """Return the node in its current state as an open node."""
        return OpenNode(self.here.inside, self.here.free, depth, self.weights, self.B)
