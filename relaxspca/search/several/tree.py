"""The tree of a search over several components: splits on (component, variable), leaves with their proofs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from relaxspca.relaxations.several.formula import MultiplierMatrix

__all__ = ["Decision", "JointProof", "Tree"]


@dataclass(frozen=True)
class Decision:
    """Whether component `part` uses a variable; or, with another scope, what is decided of several.

    Attributes
    ----------
    part, variable : int
    is_inside : which side.
    scope : "one", the component uses the variable or not. "alike": it does, or none of the components does
        that are equal to it at this node (size, variables forced in, free): where one of them does, exchanging
        two of them gives a table that explains the same and in which `part` does. "uses": two or more
        components use the variable, or at most one; `part` is 0 and means nothing.
    """

    part: int
    variable: int
    is_inside: bool
    scope: str = "one"


@dataclass(frozen=True, eq=False)
class JointProof:
    """Why no table of a node explains more than `bound` (variance).

    Attributes
    ----------
    kind : "prices", by `point`; "tables", by the one of some points that is best for each choice of
        supports; "sum", by the largest eigenvalues of the components' blocks;
        "spectral", by r times that of the matrix; "void", a component has no support, or all have too few
        variables together; "apart", a variable is in two disjoint supports; "uses", more components use a
        variable, or fewer can, than was decided; "order", the supports of equal sizes are out of order: the
        same table with its components in order is in another node. A tree has leaves of "order" or
        decisions of scope "alike", never both.
    point : MultiplierMatrix, some of them, or None
    bound : float
    """

    kind: str
    point: MultiplierMatrix | tuple[MultiplierMatrix, ...] | None
    bound: float


class Tree:
    """Nodes by number, 0 the root; a node is open, split on a decision, or closed by its proof."""

    def __init__(self, root: JointProof) -> None:
        self._splits: list[tuple[int, int, int, int, str] | None] = [None]
        self._proofs: list[JointProof] = [root]

    def proof(self, at: int) -> JointProof:
        """Return the best proof known for a node itself."""
        return self._proofs[at]

    def node(self, at: int) -> tuple[tuple[int, int, int, int, str] | None, JointProof]:
        """Return how a node is split, (part, variable, inside, outside, scope) or None, and its own proof."""
        return self._splits[at], self._proofs[at]

    def improve(self, at: int, proof: JointProof) -> None:
        """Keep a proof if it is no worse than the one the node has."""
        if proof.bound <= self._proofs[at].bound:
            self._proofs[at] = proof

    def split(self, at: int, part: int, variable: int, scope: str = "one") -> tuple[int, int]:
        """Split a node; return the child whose component has the variable and the one whose has not.

        `scope` is as in `Decision`; of "uses" the first child has the variable twice or more.
        """
        inside = len(self._splits)
        # A proof of a node proves both children. They are there before the split, so that the tree is whole
        # whenever the work is interrupted.
        self._proofs += [self._proofs[at]] * 2
        self._splits += [None, None]
        self._splits[at] = (part, variable, inside, inside + 1, scope)
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
            part, variable, inside, outside, scope = split
            waiting.append((outside, (*taken, Decision(part, variable, False, scope))))
            waiting.append((inside, (*taken, Decision(part, variable, True, scope))))
