"""Write the evidence for claims about whole groups and signs in the words that the verified checker reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from integers import below, block, evidence, words
from single import SingleTranslation

from relaxspca.certificate import Leaf


class NonnegativeTranslation(SingleTranslation):
    """A claim about entries of one sign, of which a support may have fewer."""

    def leaf(self, at: str, leaf: Leaf, J: list[int], F: list[int]) -> str:
        n, most = self.certificate.n, self.certificate.k or 0
        if leaf.kind == "collatz" and isinstance(leaf.point, int):
            none_free = "".join(f"split {i} listed " for i in F if len(J) == most)  # no support has one more
            return f"{none_free}collatz {words(self.points[leaf.point].whole)}"
        k = min(most, len(J) + len(F))
        if len(J) > most or not k:
            return "listed"
        self.parts.parts = [(range(n), k)]
        return super().leaf(at, leaf, J, F)


class WholeGroupsTranslation(SingleTranslation):
    """A claim about whole groups: the norms of blocks between groups take the place of covariances."""

    def count(self) -> int:
        return len(self.certificate.claim.whole_groups)

    def prepare(self) -> None:
        self.groups = [group.tolist() for group in self.certificate.claim.whole_groups]
        self.whole_S = self.S
        margin = max(abs(x) for row in self.S for x in row) >> 46
        floats = self.floats(self.S)
        self.S = [[self.norm(floats, *sorted((G, H))) + margin + 1 for H in self.groups] for G in self.groups]

    def norm(self, floats: Any, G: list[int], H: list[int]) -> int:
        """Return about the largest eigenvalue of a block on the diagonal, or the norm of another."""
        block = floats[np.ix_(G, H)]
        return self.whole(float(np.linalg.eigvalsh(block)[-1] if G == H else np.linalg.norm(block, 2)))

    def trees(self) -> Iterator[str]:
        yield from map(words, self.S)
        yield from self.tree()

    def leaf(self, at: str, leaf: Leaf, J: list[int], F: list[int]) -> str:
        family = self.parts.at(J, F)
        if family is None or leaf.point is not None or not family.is_single:
            return super().leaf(at, leaf, J, F)
        chosen = [i for g in (*J, *family.free) for i in self.groups[g]]
        M = below(self.upper, block(self.whole_S, chosen))
        return "union " + evidence(M, f"{at} does not prove the claimed upper bound")
