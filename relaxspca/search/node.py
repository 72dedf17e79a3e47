"""A node of the search: what is forced in, what is free, and what was found out about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array, eigenvalue_upper, round_up
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.perron.formula import Penalty, Size
from relaxspca.search.proof_tree import Proof

Indices = npt.NDArray[np.int64]

__all__ = ["Fixing", "Node", "Outcome", "Workspace"]


@dataclass(frozen=True, eq=False)
class Node:
    """Supports T with inside <= T <= inside + free; `warm` is the parent's matrix B or its weights."""

    inside: Indices
    free: Indices
    depth: int
    weights: Array
    B: Array | None = None

    @property
    def variables(self) -> Indices:
        """Variables forced in or free, sorted; `weights` and `B` are indexed by them."""
        return np.union1d(self.inside, self.free)


@dataclass(frozen=True, eq=False)
class Fixing:
    """A variable decided without branching; `proof` closes the child on the other side."""

    variable: int
    is_inside: bool
    proof: Proof


@dataclass(frozen=True, eq=False)
class Outcome:
    """What evaluating a node led to.

    Attributes
    ----------
    fixings : decisions taken on the way, in order.
    proof : the best proof of the node that remains after them.
    node : what remains to be searched; None when `proof` closes it.
    branch : the variable to split `node` on.
    supports : supports met on the way, perhaps better than the incumbent.
    """

    fixings: tuple[Fixing, ...]
    proof: Proof
    node: Node | None
    branch: int | None
    supports: tuple[tuple[int, ...], ...]


@dataclass(eq=False)
class Workspace:
    """A node while it is being evaluated: it shrinks as variables are fixed."""

    cov: Covariance
    k: Size
    target: float
    inside: Indices
    free: Indices
    weights: Array
    proof: Proof
    B: Array | None = None
    fixings: list[Fixing] = field(default_factory=list)
    supports: list[tuple[int, ...]] = field(default_factory=list)
    is_closed: bool = False

    def __post_init__(self) -> None:
        self._refresh()

    def _refresh(self) -> None:
        """Form the block, and close the node when at most one support is left."""
        self.variables = np.union1d(self.inside, self.free)
        self.is_inside = np.isin(self.variables, self.inside)
        self.Sigma = self.cov.submatrix(self.variables)
        self.rounding = self.cov.rounding(self.variables)
        if isinstance(self.k, Penalty):
            if len(self.free) == 0:
                self._close_with_support(self.inside)
        elif len(self.variables) < self.k:
            self._close(Proof("void", None, -np.inf))
        elif len(self.inside) == self.k:
            self._close_with_support(self.inside)
        elif len(self.variables) == self.k:
            self._close_with_support(self.variables)

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
        if not isinstance(self.k, Penalty):
            chosen = chosen[: self.k - len(self.inside)]
        for at in chosen:
            self._record(at, True, Proof(kind, point, float(without_i[at])))
        self.shrink(self.variables[out], self.variables[chosen])
        return True

    def _record(self, at: int | np.integer[Any], is_inside: bool, proof: Proof) -> None:
        self.fixings.append(Fixing(int(self.variables[at]), is_inside, proof))

    def shrink(self, left_out: Indices, forced: Indices) -> None:
        """Drop variables and force others in."""
        kept = ~np.isin(self.variables, left_out)
        self.weights = self.weights[kept]
        if self.B is not None:
            self.B = self.B[np.ix_(kept, kept)]
        self.inside = np.union1d(self.inside, forced)
        self.free = np.setdiff1d(self.free, np.concatenate([left_out, forced]))
        self._refresh()

    def _close(self, proof: Proof) -> None:
        self.proof, self.is_closed = proof, True

    def _close_with_support(self, support: Indices) -> None:
        if len(support) == 0:
            self._close(Proof("void", None, -np.inf))
            return
        self.supports.append(tuple(int(i) for i in support))
        bound = eigenvalue_upper(self.cov.submatrix(support), self.cov.rounding(support))
        paid = self.k.rho * len(support) if isinstance(self.k, Penalty) else 0.0
        self._close(Proof("support", None, round_up(bound - paid)))

    def note_support(self, value: float, u: Array) -> None:
        """Remember the support that a unit vector of that value suggests, with what is forced in."""
        ranked = np.where(self.is_inside, np.inf, np.abs(u))
        if isinstance(self.k, Penalty):
            count = max(1, int(np.count_nonzero(self.is_inside | (value * u**2 > self.k.rho))))
        else:
            count = self.k
        chosen = np.sort(np.argsort(-ranked, kind="stable")[:count])
        self.supports.append(tuple(int(i) for i in self.variables[chosen]))

    def node(self, depth: int) -> Node:
        """Return what remains as a node."""
        return Node(self.inside, self.free, depth, self.weights, self.B)
