"""Write the tree of a certificate, with the evidence that every leaf leaves to its reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from integers import Matrix, NotCovered, NotProved, block, counted, denominator, evidence, plus, scaled, words
from points import Factor, Multipliers, Parts, Rows, Shared, Weights, spread

from relaxspca.certificate import Certificate, Leaf, Restrict, TreeNode, claim_about

Side = tuple[list[int], list[int]]  # of a component: the variables that are forced in, and those that are free


def groups_of(sizes: Sequence[object], sides: Sequence[Side]) -> list[int]:
    """Return a number for each component, the same for those that may exchange their sets."""
    kinds = [(k, set(J), set(F)) for k, (J, F) in zip(sizes, sides, strict=True)]
    first = [kind for at, kind in enumerate(kinds) if kind not in kinds[:at]]
    return [first.index(kind) for kind in kinds]


def walked(
    tree: Sequence[TreeNode], root: list[Side], sizes: Sequence[object], are_apart: Callable[[int, int], bool]
) -> Iterator[tuple[str, Any, list[Side]]]:
    """Yield every node with what holds there, the inside child before the outside one.

    Beside a variable nothing is free that is apart from it. Parts of which the same is said have one group: in
    the outside child none of them has the variable.
    """
    waiting, reached = [(0, root)], set[int]()
    while waiting:
        at, sides = waiting.pop()
        if at in reached:
            raise NotProved(f"node {at} of the tree is reached twice")  # a walk through it might not end
        reached.add(at)
        node = tree[at]
        yield f"node {at}", node, sides
        if isinstance(node, Leaf):
            continue
        (J, F), before, after = sides[node.part], sides[: node.part], sides[node.part + 1 :]
        if isinstance(node, Restrict):
            kept = {*node.kept}
            waiting.append((node.child, [*before, (J, [j for j in F if j in kept]), *after]))
            continue
        i, groups = node.variable, groups_of(sizes[: len(sides)], sides)
        pairs = zip(sides, [g == groups[node.part] for g in groups], strict=True)
        outside = [(K, [j for j in G if j != i] if is_alike else G) for (K, G), is_alike in pairs]
        beside = [j for j in F if j != i and not are_apart(i, j)]
        waiting += [(node.outside, outside), (node.inside, [*before, ([i, *J], beside), *after])]


def about_fewer(certificate: Certificate) -> Iterator[Certificate]:
    """Yield the claims about fewer components on which one rests, each before those on which it rests."""
    for fewer in certificate.evidence.fewer:
        claim = claim_about(certificate, fewer)
        yield from (claim, *about_fewer(claim))


class TreeTranslation:
    """A matrix S and a bound `upper` in whole numbers, and a tree that proves it of some supports."""

    S: Matrix
    upper: int
    D: int

    def __init__(self, certificate: Certificate) -> None:
        self.claims = [certificate, *about_fewer(certificate)]  # each rests on those after it
        self.certificate = certificate
        self.include, self.exclude = certificate.claim.forced[0].tolist(), certificate.exclude.tolist()
        self.parts = Parts(certificate.parts, certificate.labels[: self.count()])
        self.own_points = [[spread(p, claim, self.parts) for p in claim.points] for claim in self.claims]
        self.points: list[Any] = [point for own in self.own_points for point in own]
        # Weights, and what leaves share, have numbers where they are met.
        self.row_points = list[str | Shared]()
        self.kinds: list[list[Any]] = [
            [p for p in self.points if isinstance(p, kind)] for kind in (Rows, Factor, Multipliers)
        ]
        for kind in self.kinds:
            for at, own in enumerate(kind):
                own.number = at

    @property
    def others(self) -> float:
        """What the tree proves: the bound on the supports that are not listed, if some are."""
        listed = self.certificate.claim.listed
        return float(self.certificate.upper if listed is None else listed.others)

    def bounds(self) -> list[float]:
        """Return all numbers of the claim that are in units of 1/D."""
        claim, listed = self.certificate.claim, self.certificate.claim.listed
        own = [] if listed is None else [listed.others, *listed.lower, *listed.upper]
        return [claim.lower, claim.upper, *own]

    def beyond(self, upper: int, support: list[int]) -> Matrix:
        """Return upper I - Sigma on a support."""
        return plus(-block(self.S, support), upper)

    def listed(self) -> Iterator[str]:
        """Yield for each support listed a vector that attains its lower bound, and why its upper one holds."""
        listed, loadings = self.certificate.claim.listed, self.certificate.witness.listed
        if listed is None or loadings is None:
            return
        for at, support in enumerate(listed.supports):
            own = np.zeros(self.certificate.n)
            own[support] = loadings[at]
            yield self.vector(own)
            most = self.whole(min(listed.upper[at], self.certificate.upper))
            yield evidence(self.beyond(most, support.tolist()), f"listed support {at}: its bound is not proved")

    def whole(self, value: float) -> int:
        return int(Fraction(value) * self.D)

    def vector(self, loadings: Any) -> str:
        return words(scaled([loadings], denominator(loadings))[0])

    def evidence(self) -> Iterator[str]:
        """Yield the dual points, after the trees that say what they are for."""
        for kind in self.kinds[:2]:
            yield str(len(kind))
            for point in kind:
                yield from point.lines()
        yield str(len(self.row_points))
        yield from map(str, self.row_points)

    def rows(self, why: str, point: Rows | None, rest: dict[int, int]) -> int:
        """Return the number of a point whose rows may cost so much, that of the leaves before if it will do."""
        shared = [own for own in self.row_points if isinstance(own, Shared)]
        own = [s for s in shared if s.point is point and s.S is self.S]
        if not own or not own[-1].serves(rest):
            own.append(Shared(why, point, self.S, rest))
            self.row_points.append(own[-1])
        return self.row_points.index(own[-1])

    def weights(self, at: int | None) -> int:
        """Return the number of the weights of a point, or of those that are 1."""
        line = f"{words(self.weights_of(at))} none 0 1 0 0"
        if line not in self.row_points:
            self.row_points.append(line)
        return self.row_points.index(line)

    def count(self) -> int:
        """Return of how many variables the tree speaks."""
        return int(self.certificate.n)

    def keeps(self, at: str, node: Restrict, J: list[int], F: list[int]) -> Iterator[str]:
        """Yield nodes that leave variables out: at once by weights, else a split and a leaf for each."""
        kept, point = {*node.kept}, node.point
        if self.certificate.claim.nonnegative or not (point is None or isinstance(self.points[point], Weights)):
            for i in [i for i in F if i not in kept]:
                F = [j for j in F if j != i]
                beside = [j for j in F if not self.are_apart(i, j)]
                ones = f"rows {self.weights(None)}" if point is None else ""
                yield f"split {i} {ones or self.leaf(at, Leaf('rows', point), [i, *J], beside)}"
        else:
            yield f"keep {self.weights(point)} {counted(node.kept)}"

    def weights_of(self, at: int | None) -> list[int]:
        point = None if at is None else self.points[at]
        if not isinstance(point, Weights | None):
            raise NotCovered("P and N where they leave variables out of one of several components")
        return [1] * self.count() if point is None else point.whole

    def tree(self, nodes: Sequence[TreeNode] | None = None) -> Iterator[str]:
        """Yield the nodes, the inside child before the outside one."""
        nodes = self.certificate.tree if nodes is None else nodes
        root = [(self.include, self.free())]
        for where, node, [(J, F)] in walked(nodes, root, [None], self.are_apart):
            if isinstance(node, Leaf):
                yield self.leaf(where, node, J, F)
            elif isinstance(node, Restrict):
                yield from self.keeps(where, node, J, F)
            else:
                yield f"split {node.variable}"

    def free(self) -> list[int]:
        """Return the variables that are free at the root."""
        gone = {*self.exclude, *(i for i in range(self.count()) for j in self.include if self.are_apart(i, j))}
        return [i for i in range(self.count()) if i not in gone]

    def are_apart(self, i: int, j: int) -> bool:
        """Say whether two variables are of one class, of which no support has two."""
        return self.parts.classes[i] == self.parts.classes[j]

    def parted(self, S: Matrix) -> Matrix:
        """Return S without what two variables of one class share, as no support has both."""
        if not self.certificate.claim.one_of_each:
            return S
        labels = self.parts.labels
        return np.where((labels[:, None] == labels) & ~np.eye(len(S), dtype=bool), 0, S)

    def leaf(self, at: str, leaf: Leaf, J: list[int], F: list[int]) -> str:
        family = self.parts.at(J, F)
        if family is None or leaf.kind == "listed":
            return "listed"  # a leaf without supports is not looked at
        number = leaf.point if isinstance(leaf.point, int) else None
        point = None if number is None else self.points[number]
        if isinstance(point, Weights):
            return f"rows {self.weights(number)}"
        why = f"{at} does not prove the claimed upper bound"
        if isinstance(point, Factor):
            return f"factor {point.number} {evidence(point.left(self.S, self.upper, family), why)}"
        used = dict.fromkeys([*J, *family.free], self.upper)
        return f"rows {self.rows(why, point, used if point is None else point.rest(self.upper, family))}"
