"""The search tree while it grows, and its pruned form for the certificate."""

from __future__ import annotations

import math
from collections.abc import Callable, Container
from dataclasses import dataclass, replace

import numpy as np

from relaxspca.certificate import Leaf, Point, Restrict, Split
from relaxspca.problem.claim import rule_of
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices, Node

__all__ = ["Proof", "ProofTree"]


@dataclass(frozen=True, eq=False)
class Proof:
    """A leaf rule and its dual point, which prove that no support of a node exceeds `bound` (variance)."""

    kind: str
    point: Point | None
    bound: float


@dataclass(frozen=True, eq=False)
class _Restricted:
    """A node that leaves few of its free variables to its child; `proof` bounds all its other supports."""

    proof: Proof
    kept: Indices
    child: int


_Parting = tuple[int, int, int] | _Restricted  # a variable and two children, or a restriction


class ProofTree:
    """Nodes by number, the root being 0; each split on a variable, restricted, or a leaf."""

    def __init__(self, root: Proof) -> None:
        self._splits: list[_Parting | None] = [None]
        self._proofs: list[Proof] = [root]

    def proof(self, at: int) -> Proof:
        """Return the best proof known of a node, without regard to its children."""
        return self._proofs[at]

    def improve(self, at: int, proof: Proof) -> None:
        """Replace the proof of a node by a proof that is no worse."""
        if proof.bound <= self._proofs[at].bound:
            self._proofs[at] = proof

    def split(self, at: int, variable: int) -> tuple[int, int]:
        """Split a node on a free variable; return the child with it and the child without it."""
        inside = len(self._splits)
        # A proof of a node proves both children: they have fewer supports. The children are there before the
        # split, so that the tree is whole whenever the work is interrupted.
        self._proofs += [self._proofs[at]] * 2
        self._splits += [None, None]
        self._splits[at] = (variable, inside, inside + 1)
        return inside, inside + 1

    def restrict(self, at: int, proof: Proof, kept: Indices) -> int:
        """Leave some free variables to a node, where `proof` bounds its other supports; return its child."""
        child = len(self._splits)
        self._proofs.append(self._proofs[at])
        self._splits.append(None)
        self._splits[at] = _Restricted(proof, kept, child)
        return child

    def graft(self, at: int, below: ProofTree) -> Callable[[int], int]:
        """Put a tree whose root is an open node in its place; return where each of its nodes is then."""
        first = len(self._splits)

        def place(node: int) -> int:
            return first + node - 1 if node else at

        def placed(split: _Parting | None) -> _Parting | None:
            if isinstance(split, _Restricted):
                return replace(split, child=place(split.child))
            return None if split is None else (split[0], place(split[1]), place(split[2]))

        self._proofs += below._proofs[1:]
        self._splits += map(placed, below._splits[1:])
        # The node itself comes last, so that the tree is whole whenever the work is interrupted.
        self.improve(at, below._proofs[0])
        self._splits[at] = placed(below._splits[0])
        return place

    @property
    def upper(self) -> float:
        """Upper bound proved by the whole tree: the largest bound of a leaf, or of what is in no block."""
        return self.upper_beside(())

    def upper_beside(self, listed: Container[int]) -> float:
        """Return the upper bound on supports outside the leaves `listed`; minus infinity if there are none."""
        bounds = [
            proof.bound if split is None else split.proof.bound
            for at, (split, proof) in enumerate(zip(self._splits, self._proofs, strict=False))
            if at not in listed and (split is None or isinstance(split, _Restricted))
        ]
        return max(bounds, default=-math.inf)

    def leaves_above(self, upper: float, root: Node) -> list[tuple[int, Node]]:
        """Return the leaves whose bound exceeds `upper`, with what they force in and leave free."""
        parent: dict[int, tuple[int, int | Indices, bool]] = {}
        for at, split in enumerate(self._splits):
            if isinstance(split, _Restricted):
                parent[split.child] = at, split.kept, True
            elif split is not None:
                variable, inside, outside = split
                parent[inside], parent[outside] = (at, variable, True), (at, variable, False)
        found = []
        for leaf, split in enumerate(self._splits):
            if split is not None or self._proofs[leaf].bound <= upper:
                continue
            sides: dict[bool, list[int]] = {True: [], False: []}
            free, above = root.free, leaf
            while above in parent:
                above, by, is_inside = parent[above]
                if isinstance(by, int):
                    sides[is_inside].append(by)
                else:  # what is forced in above is not among the variables kept
                    free = np.intersect1d(free, np.union1d(by, root.inside))
            forced, left_out = (np.array(sides[side], dtype=np.int64) for side in (True, False))
            found.append((leaf, Node(root.inside, free).fixed(forced, left_out)))
        return found

    def pruned(
        self, upper: float, cov: Covariance, listed: Container[int] = ()
    ) -> tuple[tuple[Split | Restrict | Leaf, ...], tuple[Point, ...]]:
        """Return the part of the tree that proves `upper`, renumbered, and the dual points of its leaves.

        A node whose own bound is at most `upper` becomes a leaf, whatever was searched below it. Nodes in
        `listed` become leaves of that kind. `cov` is the matrix that was searched.
        """
        nodes: list[Split | Restrict | Leaf | None] = [None]
        points: list[Point] = []
        index_of: dict[object, int] = {}
        waiting = [(0, 0)]
        while waiting:
            old, new = waiting.pop()
            split, proof = self._splits[old], self._proofs[old]
            if split is None or proof.bound <= upper:
                is_listed = old in listed and proof.bound > upper
                nodes[new] = Leaf("listed") if is_listed else _leaf(proof, points, index_of, cov)
                continue
            at = len(nodes)
            if isinstance(split, _Restricted):
                nodes.append(None)
                place = _leaf(split.proof, points, index_of, cov).point
                assert not isinstance(place, tuple)
                nodes[new] = Restrict(0, place, split.proof.bound, tuple(split.kept.tolist()), at)
                waiting.append((split.child, at))
                continue
            variable, inside, outside = split
            nodes += [None, None]
            nodes[new] = Split(0, variable, at, at + 1)
            waiting += [(outside, at + 1), (inside, at)]
        return tuple(node for node in nodes if node is not None), tuple(points)


def _leaf(proof: Proof, points: list[Point], index_of: dict[object, int], cov: Covariance) -> Leaf:
    kind, point = rule_of(proof.kind, proof.point, cov)
    if point is None:
        return Leaf(kind)
    key = proof.kind if proof.point is None else id(proof.point)
    if key not in index_of:
        index_of[key] = len(points)
        points.append(point)
    return Leaf(kind, index_of[key])
