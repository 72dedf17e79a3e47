"""Write claims about groups and signs in the words that the verified checker reads. Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from covered import classes_of
from integers import Matrix, evidence, words
from points import NotProved, Perron
from single import SingleTranslation

from relaxspca.certificate import Certificate, Leaf

__all__ = ["RESTRICTED"]


class OneOfEachTranslation(SingleTranslation):
    """A claim about vectors with at most one variable of each group: what two of them share does not count."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        self.classes = classes_of(certificate)
        for point in self.points:
            point.classes = self.classes
        self.S = [
            [0 if i != j and self.are_apart(i, j) else x for j, x in enumerate(row)]
            for i, row in enumerate(self.S)
        ]

    def lines(self) -> Iterator[str]:
        yield from self.claim("one_of_each")
        yield words(self.classes)
        yield from self.tree()

    def free(self) -> list[int]:
        return [i for i in super().free() if not any(self.are_apart(i, j) for j in self.include)]

    def are_apart(self, i: int, j: int) -> bool:
        return self.classes[i] == self.classes[j]

    def leaf(self, at: str, leaf: Leaf, J: list[int], F: list[int]) -> str:
        if len({self.classes[i] for i in J + F}) < self.k:
            return "void"
        return super().leaf(at, leaf, J, F)


class NonnegativeTranslation(SingleTranslation):
    """A claim about entries of one sign: rules may be those of a matrix that is nowhere smaller."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        self.most = self.k
        positive = [[x if i == j else max(x, 0) for j, x in enumerate(row)] for i, row in enumerate(self.S)]
        self.raised = [self.S, positive, *(self.without_negative(point) for point in self.points)]

    def without_negative(self, point: object) -> Matrix:
        """Return the matrix that is larger where P is below 0; there, P becomes 0."""
        if not isinstance(point, Perron):
            return self.S
        rows = zip(self.S, point.P, strict=True)
        raised = [[x - min(p, 0) for x, p in zip(row, own, strict=True)] for row, own in rows]
        point.P = [[max(p, 0) for p in row] for row in point.P]
        return raised

    def lines(self) -> Iterator[str]:
        yield from self.claim("nonnegative")
        yield str(len(self.raised))
        for matrix in self.raised:
            yield from map(words, matrix)
        yield from self.tree()

    def leaf(self, at: str, leaf: Leaf, J: list[int], F: list[int]) -> str:
        if leaf.kind == "collatz":
            assert leaf.point is not None
            point: Any = self.certificate.points[leaf.point]
            weights = np.zeros(self.certificate.n)
            weights[point.variables] = point.weights
            return "collatz " + self.vector(weights)
        self.k = min(self.most, len(J) + len(F))
        if len(J) > self.most or not self.k:
            return "raised 0 void"
        which = {"rowsum": 1, "perron": 2 + (leaf.point or 0)}.get(leaf.kind, 0)
        self.S = self.raised[which]
        return f"raised {which} " + super().leaf(at, leaf, J, F)


class WholeGroupsTranslation(SingleTranslation):
    """A claim about whole groups: the norms of blocks between groups take the place of covariances."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate)
        assert certificate.restriction is not None
        self.groups = [group.tolist() for group in certificate.restriction.groups]
        self.whole_S = self.S
        margin = max(abs(x) for row in self.S for x in row) >> 46
        floats = np.array([[float(Fraction(x, self.D)) for x in row] for row in self.S])
        self.S = [[self.norm(floats, *sorted((G, H))) + margin + 1 for H in self.groups] for G in self.groups]

    def norm(self, floats: Any, G: list[int], H: list[int]) -> int:
        """Return about the largest eigenvalue of a block on the diagonal, or the norm of another."""
        block = floats[np.ix_(G, H)]
        return self.whole(float(np.linalg.eigvalsh(block)[-1] if G == H else np.linalg.norm(block, 2)))

    def lines(self) -> Iterator[str]:
        yield from self.claim("whole_groups")
        yield str(len(self.groups))
        yield from (f"{len(group)} {words(group)}" for group in self.groups)
        yield from map(words, self.S)
        yield from self.tree()

    def free(self) -> list[int]:
        return list(range(len(self.groups)))

    def leaf(self, at: str, leaf: Leaf, J: list[int], F: list[int]) -> str:
        room = self.k - len(J)
        if leaf.kind != "support" or not 0 <= room <= len(F):
            return super().leaf(at, leaf, J, F)
        chosen = [i for g in (J + F if room else J) for i in self.groups[g]]
        found = evidence([[self.upper * (i == j) - self.whole_S[i][j] for j in chosen] for i in chosen])
        if found is None:
            raise NotProved(f"{at} does not prove the claimed upper bound")
        return f"union {found}"


RESTRICTED = {
    "one_of_each": OneOfEachTranslation,
    "nonnegative": NonnegativeTranslation,
    "whole_groups": WholeGroupsTranslation,
}
