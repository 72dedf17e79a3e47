"""The tree of a search over several components: splits on (component, variable), leaves with their proofs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from relaxspca.relaxations.several.formula import MultiplierMatrix

__all__ = ["NO_TABLE", "Decision", "JointProof", "Tree"]


@dataclass(frozen=True)
class Decision:
    """Whether component `part` uses a variable, or none of the components that are equal to it does.

    Components are equal at a node whose sizes, variables forced in and free variables are. Where one of them
    uses the variable, exchanging two gives a table that explains the same and in which `part` uses it.

    Attributes
    ----------
    part, variable : int
    is_inside : which side.
    """

    part: int
    variable: int
    is_inside: bool


@dataclass(frozen=True, eq=False)
class JointProof:
    """Why no table of a node explains more than `bound` (variance).

    Attributes
    ----------
    kind : "multipliers", by `point`, where that is None by the largest eigenvalues of the components' blocks;
        "choices", by the one of some points that is best for each choice of supports.
    point : MultiplierMatrix, some of them, or None
    bound : float
    """

    kind: str
    point: MultiplierMatrix | tuple[MultiplierMatrix, ...] | None
    bound: float


NO_TABLE = JointProof("multipliers", None, -math.inf)  # a checker sees that a node has none


class Tree:
    """Nodes by number, 0 the root; a node is open, split on a decision, or closed by its proof."""

    def __init__(self, root: JointProof) -> None:
        self._splits: list[tuple[int, int, int, int] | None] = [None]
        self._proofs: list[JointProof] = [root]

    def proof(self, at: int) -> JointProof:
        """Return the best proof known for a node itself."""
        return self._proofs[at]

    def node(self, at: int) -> tuple[tuple[int, int, int, int] | None, JointProof]:
        """Return how a node is split, (part, variable, inside, outside) or None, and its own proof."""
        return self._splits[at], self._proofs[at]

    def improve(self, at: int, proof: JointProof) -> None:
        """Keep a proof if it is no worse than the one the node has."""
        if proof.bound <= self._proofs[at].bound:
            self._proofs[at] = proof

    def split(self, at: int, part: int, variable: int) -> tuple[int, int]:
        """Split a node; return the child whose component has the variable, and the other one."""
        inside = len(self._splits)
        # A proof of a node proves both children. They are there before the split, so that the tree is whole
        # whenever the work is interrupted.
        self._proofs += [self._proofs[at]] * 2
        self._splits += [None, None]
        self._splits[at] = (part, variable, inside, inside + 1)
        return inside, inside + 1

    @property
    def upper(self) -> float:
        """What the whole tree proves: the largest bound of a node that is not split, or of one above it."""
        worst, waiting = -math.inf, [(0, math.inf)]
        while waiting:
            at, above = waiting.pop()
            split, bound = self._splits[at], min(above, self._proofs[at].bound)
            if split is None:
                worst = max(worst, bound)
            else:
                waiting += [(split[2], bound), (split[3], bound)]
        return worst

    def leaves(self, upper: float) -> Iterator[tuple[tuple[Decision, ...], JointProof]]:
        """Yield the decisions and the proof of every leaf that a proof of `upper` needs.

        A node whose own proof is at most `upper` is a leaf, whatever was searched below it.
        """
        waiting: list[tuple[int, tuple[Decision, ...]]] = [(0, ())]
        while waiting:
            at, taken = waiting.pop()
            split, proof = self._splits[at], self._proofs[at]
            if split is None or proof.bound <= upper:
                yield taken, proof
                continue
            part, variable, inside, outside = split
            waiting.append((outside, (*taken, Decision(part, variable, False))))
            waiting.append((inside, (*taken, Decision(part, variable, True))))
