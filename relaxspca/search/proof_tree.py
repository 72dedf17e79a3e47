"""The tree of a search while it grows, and its pruned form for the certificate."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from relaxspca.certificate import Leaf, Point, Restrict, Split, TreeNode
from relaxspca.numerics.linalg import Indices
from relaxspca.problem.certificates import rule_of
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Node


@dataclass(frozen=True)
class Decision:
    """A variable is in the support of a part (`is_inside`), or in that of no part that is equal to it.

    Parts are the components of a set; a single component is part 0. They are equal at a node whose sizes,
    variables forced in and free variables are. Where one of them uses the variable, exchanging two gives a
    table that explains the same and in which `part` uses it.
    """

    part: int
    variable: int
    is_inside: bool


@dataclass(frozen=True, eq=False)
class Proof:
    """Why nothing at a node exceeds `bound`.

    Attributes
    ----------
    kind : the name of the bound in the search; `relaxspca.problem.certificates.rule_of` has the rule of the
        file. "rowsum", "trace", "spectral" or "perron"; "support" or "void" where the node has one support
        or none; "collatz" for nonnegative loadings; "multipliers" and "choices" for several components.
    point : the dual point, as in a certificate; for several components a `MultiplierMatrix`, or some of them
        for "choices"; None where the kind needs none.
    bound : proved, roundings included (variance).
    """

    kind: str
    point: Any
    bound: float


@dataclass(frozen=True, eq=False)
class _Restricted:
    """A node that leaves few of its free variables to its child; `proof` bounds all its other supports."""

    proof: Proof
    kept: Indices
    child: int


_Parting = Split | _Restricted
Path = tuple[Decision | Indices, ...]  # from the root: decisions, and variables kept by restrictions


class Points:
    """The dual points of a certificate of the matrix that was searched, each once."""

    def __init__(self, cov: Covariance) -> None:
        self.cov, self.found = cov, list[Point]()
        self._numbers: dict[Hashable, int] = {}

    def leaf(self, proof: Proof) -> Leaf:
        """Return the leaf of a proof; its point is added unless it is there."""
        kind, point = rule_of(proof.kind, proof.point, self.cov)
        if point is None:
            return Leaf(kind)
        return Leaf(kind, self.number(proof.kind if proof.point is None else id(proof.point), point))

    def number(self, key: Hashable, point: Point) -> int:
        """Return the number of the point of a key, which is added unless it is there."""
        if key not in self._numbers:
            self._numbers[key] = len(self.found)
            self.found.append(point)
        return self._numbers[key]


class ProofTree:
    """Nodes by number, the root being 0; each split on a decision, restricted, or a leaf."""

    def __init__(self, root: Proof) -> None:
        self._partings: list[_Parting | None] = [None]
        self._proofs: list[Proof] = [root]

    def proof(self, at: int) -> Proof:
        """Return the best proof known of a node, without regard to its children."""
        return self._proofs[at]

    def improve(self, at: int, proof: Proof) -> None:
        """Replace the proof of a node by a proof that is no worse."""
        if proof.bound <= self._proofs[at].bound:
            self._proofs[at] = proof

    def split(self, at: int, variable: int, part: int = 0) -> tuple[int, int]:
        """Split a node on a free variable of a part; return the child with it and the child without it."""
        inside = len(self._partings)
        # A proof of a node proves both children: they have fewer supports. The children are there before the
        # split, so that the tree is whole whenever the work is interrupted.
        self._proofs += [self._proofs[at]] * 2
        self._partings += [None, None]
        self._partings[at] = Split(part, variable, inside, inside + 1)
        return inside, inside + 1

    def restrict(self, at: int, proof: Proof, kept: Indices) -> int:
        """Leave some free variables to a node, where `proof` bounds its other supports; return its child."""
        child = len(self._partings)
        self._proofs.append(self._proofs[at])
        self._partings.append(None)
        self._partings[at] = _Restricted(proof, kept, child)
        return child

    def graft(self, at: int, below: ProofTree) -> Callable[[int], int]:
        """Put a tree whose root is an open node in its place; return where each of its nodes is then."""
        first = len(self._partings)

        def place(node: int) -> int:
            return first + node - 1 if node else at

        def placed(parting: _Parting | None) -> _Parting | None:
            if isinstance(parting, _Restricted):
                return replace(parting, child=place(parting.child))
            if isinstance(parting, Split):
                return replace(parting, inside=place(parting.inside), outside=place(parting.outside))
            return None

        self._proofs += below._proofs[1:]
        self._partings += map(placed, below._partings[1:])
        # The node itself comes last, so that the tree is whole whenever the work is interrupted.
        self.improve(at, below._proofs[0])
        self._partings[at] = placed(below._partings[0])
        return place

    @property
    def upper(self) -> float:
        """Upper bound proved by the whole tree: the largest of its leaves, and of what restrictions leave out.

        What is proved of a node holds below it too.
        """
        return self.upper_beside(())

    def upper_beside(self, listed: Container[int]) -> float:
        """Return the upper bound on supports outside the leaves `listed`; minus infinity if there are none."""
        worst, waiting = -math.inf, [(0, math.inf)]
        while waiting:
            at, above = waiting.pop()
            parting, bound = self._partings[at], min(above, self._proofs[at].bound)
            if isinstance(parting, _Restricted):
                worst = max(worst, min(bound, parting.proof.bound))
                waiting.append((parting.child, bound))
            elif parting is not None:
                waiting += [(parting.inside, bound), (parting.outside, bound)]
            elif at not in listed:
                worst = max(worst, bound)
        return worst

    def leaves(self, upper: float) -> Iterator[tuple[int, Path, Proof]]:
        """Yield the number, the path and the proof of every leaf that a proof of `upper` needs.

        A node whose own proof is at most `upper` is a leaf, whatever was searched below it.
        """
        waiting: list[tuple[int, Path]] = [(0, ())]
        while waiting:
            at, path = waiting.pop()
            parting, proof = self._partings[at], self._proofs[at]
            if parting is None or proof.bound <= upper:
                yield at, path, proof
            elif isinstance(parting, _Restricted):
                waiting.append((parting.child, (*path, parting.kept)))
            else:
                for child, is_inside in ((parting.outside, False), (parting.inside, True)):
                    waiting.append((child, (*path, Decision(parting.part, parting.variable, is_inside))))

    def leaves_above(self, upper: float, root: Node) -> list[tuple[int, Node]]:
        """Return the leaves whose bound exceeds `upper`, with what they force in and leave free."""
        return [(at, _below(root, path)) for at, path, proof in self.leaves(upper) if proof.bound > upper]

    def pruned(self, upper: float, points: Points, listed: Container[int] = ()) -> tuple[TreeNode, ...]:
        """Return the part of the tree that proves `upper`, renumbered; its dual points are added to `points`.

        A node whose own bound is at most `upper` becomes a leaf, whatever was searched below it. Nodes in
        `listed` become leaves of that kind.
        """
        nodes: list[TreeNode | None] = [None]
        waiting = [(0, 0)]
        while waiting:
            old, new = waiting.pop()
            parting, proof = self._partings[old], self._proofs[old]
            at = len(nodes)
            if parting is None or proof.bound <= upper:
                is_listed = old in listed and proof.bound > upper
                nodes[new] = Leaf("listed") if is_listed else points.leaf(proof)
            elif isinstance(parting, _Restricted):
                nodes.append(None)
                place = points.leaf(parting.proof).point
                assert not isinstance(place, tuple)
                nodes[new] = Restrict(0, place, parting.proof.bound, tuple(parting.kept.tolist()), at)
                waiting.append((parting.child, at))
            else:
                nodes += [None, None]
                nodes[new] = replace(parting, inside=at, outside=at + 1)
                waiting += [(parting.outside, at + 1), (parting.inside, at)]
        return tuple(node for node in nodes if node is not None)


def at_level(nodes: Sequence[TreeNode], level: float) -> tuple[TreeNode, ...]:
    """Return the nodes of a proof of a level, which restrictions have to prove, too."""
    return tuple(replace(node, level=level) if isinstance(node, Restrict) else node for node in nodes)


def _below(root: Node, path: Path) -> Node:
    """Return the node at the end of a path of one component."""
    free, sides = root.free, dict[bool, list[int]]({True: [], False: []})
    for step in path:
        if isinstance(step, Decision):
            sides[step.is_inside].append(step.variable)
        else:  # what is forced in above is not among the variables kept
            free = np.intersect1d(free, np.union1d(step, root.inside))
    forced, left_out = (np.array(sides[side], dtype=np.int64) for side in (True, False))
    return Node(root.inside, free).fixed(forced, left_out)
