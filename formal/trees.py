"""Write the tree of a certificate, with the evidence that every leaf leaves to its reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from integers import Matrix, dearest, denominator, evidence, scaled, words
from points import NotProved, Spread

from relaxspca.certificate import Certificate, ComponentSplit, Leaf, RatioCertificate, Split

__all__ = ["TreeTranslation", "check_reached_once"]


def check_reached_once(tree: Sequence[object]) -> None:
    """Refuse a tree in which a node is reached twice: a walk through it might not end."""
    waiting, reached = [0], set[int]()
    while waiting:
        at = waiting.pop()
        if at in reached:
            raise NotProved(f"node {at} of the tree is reached twice")
        reached.add(at)
        node = tree[at]
        if isinstance(node, Split | ComponentSplit):
            waiting += [node.inside, node.outside]


class TreeTranslation:
    """A matrix S and a bound `upper` in whole numbers, and a tree that proves it of supports of k variables."""

    certificate: Certificate | RatioCertificate
    S: Matrix
    upper: int
    k: int
    include: list[int]
    exclude: list[int]
    points: list[Spread]

    def vector(self, loadings: Any) -> str:
        return words(scaled([loadings], denominator(loadings))[0])

    def tree(self) -> Iterator[str]:
        """Yield the nodes, the inside child before the outside one."""
        check_reached_once(self.certificate.tree)
        waiting: list[tuple[int, list[int], list[int]]] = [(0, self.include, self.free())]
        while waiting:
            at, J, F = waiting.pop()
            node = self.certificate.tree[at]
            if isinstance(node, Leaf):
                yield self.leaf(f"node {at}", node, J, F)
                continue
            yield f"split {node.variable}"
            others = [i for i in F if i != node.variable]
            beside = [i for i in others if not self.are_apart(node.variable, i)]
            waiting += [(node.outside, J, others), (node.inside, [node.variable, *J], beside)]

    def free(self) -> list[int]:
        """Return the variables that are free at the root."""
        return [i for i in range(self.certificate.n) if i not in {*self.include, *self.exclude}]

    def are_apart(self, i: int, j: int) -> bool:
        """Say whether no support has both variables."""
        return False

    def leaf(self, at: str, leaf: Leaf, J: list[int], F: list[int]) -> str:
        room = self.k - len(J)
        if leaf.kind == "void" or not 0 <= room <= len(F):
            return "void"
        if leaf.kind == "listed":
            return "listed"
        F = F if room else []
        if leaf.kind == "rowsum":
            return f"point {len(self.points) if leaf.point is None else leaf.point}"
        if leaf.kind == "trace":
            slack = self.upper - dearest([self.S[i][i] for i in F], room) - sum(self.S[i][i] for i in J)
            d = slack // (self.k - 1) if self.k > 1 else 1 + 2 * max(sum(map(abs, row)) for row in self.S)
            word, M = f"trace {d} ", self.block(J + F, 1, d)
        elif leaf.point is None:
            word, M = "spectral ", self.block(J + F, -1, self.upper)
        else:
            word = f"point {leaf.point} "
            M = self.points[leaf.point].left(self.S, self.upper, J, F, self.k)
        found = evidence(M)
        if found is None:
            raise NotProved(f"{at} does not prove the claimed upper bound")
        return word + found

    def block(self, variables: Sequence[int], sign: int, diagonal: int) -> Matrix:
        """Return sign * Sigma + diagonal * I on the variables."""
        return [[sign * self.S[i][j] + diagonal * (i == j) for j in variables] for i in variables]
