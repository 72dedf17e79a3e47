"""The search tree while it grows, and its pruned form for the certificate."""

from __future__ import annotations

import math
from collections.abc import Callable, Container
from dataclasses import dataclass

from relaxspca.certificate import Leaf, Point, Split
from relaxspca.problem.claim import rule_of
from relaxspca.problem.covariance import Covariance

__all__ = ["Proof", "ProofTree"]


@dataclass(frozen=True, eq=False)
class Proof:
    """A leaf rule and its dual point, which prove that no support of a node exceeds `bound` (variance)."""

    kind: str
    point: Point | None
    bound: float


class ProofTree:
    """Nodes by number, the root being 0; a node is either split on a variable or a leaf with a proof."""

    def __init__(self, root: Proof) -> None:
        self._splits: list[tuple[int, int, int] | None] = [None]
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

    def graft(self, at: int, below: ProofTree) -> Callable[[int], int]:
        """Put a tree whose root is an open node in its place; return where each of its nodes is then."""
        first = len(self._splits)

        def place(node: int) -> int:
            return first + node - 1 if node else at

        self._proofs += below._proofs[1:]
        self._splits += [
            None if split is None else (split[0], place(split[1]), place(split[2]))
            for split in below._splits[1:]
        ]
        # The node itself comes last, so that the tree is whole whenever the work is interrupted.
        self.improve(at, below._proofs[0])
        if below._splits[0] is not None:
            variable, inside, outside = below._splits[0]
            self._splits[at] = variable, place(inside), place(outside)
        return place

    @property
    def upper(self) -> float:
        """Upper bound proved by the whole tree: the largest bound of a leaf."""
        leaves = (p.bound for s, p in zip(self._splits, self._proofs, strict=False) if s is None)
        return max(leaves)

    def upper_beside(self, listed: Container[int]) -> float:
        """Return the upper bound on supports outside the leaves `listed`; minus infinity if there are none."""
        pairs = enumerate(zip(self._splits, self._proofs, strict=False))
        return max((p.bound for at, (s, p) in pairs if s is None and at not in listed), default=-math.inf)

    def lines_above(self, upper: float) -> list[tuple[int, list[int], list[int]]]:
        """Return the leaves whose bound exceeds `upper`, with the variables forced in and left out there."""
        parent: dict[int, tuple[int, int, bool]] = {}
        found = []
        for at, split in enumerate(self._splits):
            if split is not None:
                variable, inside, outside = split
                parent[inside], parent[outside] = (at, variable, True), (at, variable, False)
        for at, split in enumerate(self._splits):
            if split is not None or self._proofs[at].bound <= upper:
                continue
            sides: dict[bool, list[int]] = {True: [], False: []}
            above = at
            while above in parent:
                above, variable, is_inside = parent[above]
                sides[is_inside].append(variable)
            found.append((at, sides[True], sides[False]))
        return found

    def pruned(
        self, upper: float, cov: Covariance, listed: Container[int] = ()
    ) -> tuple[tuple[Split | Leaf, ...], tuple[Point, ...]]:
        """Return the part of the tree that proves `upper`, renumbered, and the dual points of its leaves.

        A node whose own bound is at most `upper` becomes a leaf, whatever was searched below it. Nodes in
        `listed` become leaves of that kind. `cov` is the matrix that was searched.
        """
        nodes: list[Split | Leaf | None] = [None]
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
            variable, inside, outside = split
            at = len(nodes)
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
