"""One factor for many leaves: what their rows have left, the least of them all, is shown to be enough."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from integers import Matrix, counted, evidence, plus, words
from points import Rows

NEAR = 2.0**-29  # how far from singular a shared matrix stays for each variable, of its largest entry


class Shared:
    """P and N for leaves one after another, and what rows leave of their bounds, the least of each variable.

    P - S with that on its diagonal is positive semidefinite on the variables of these leaves, as floats say.
    """

    def __init__(self, why: str, point: Rows | None, S: Matrix, rest: dict[int, int]) -> None:
        self.why, self.point, self.S, self.rest = why, point, S, rest
        self.linked = [i for i in rest if any(i != j and self.left(i, j) for j in rest)]
        M = self.without(self.linked)
        self.top = max([1, *(max(map(abs, row)) for row in M)])
        self.floats = np.array([[x / self.top for x in row] for row in M]).reshape(len(M), len(M))

    def left(self, i: int, j: int) -> int:
        """Return an entry of P - S."""
        return (0 if self.point is None else self.point.P[i][j]) - self.S[i][j]

    def without(self, used: Sequence[int]) -> Matrix:
        """Return P - S on some variables."""
        return [[self.left(i, j) for j in used] for i in used]

    def serves(self, rest: dict[int, int]) -> bool:
        """Say whether it serves another leaf of some of its variables, too."""
        least = {i: min(x, rest.get(i, x)) for i, x in self.rest.items()}
        if not rest.keys() <= least.keys() or any(x + self.left(i, i) < 0 for i, x in least.items()):
            return False
        diagonal = np.array([least[i] / self.top for i in self.linked]) - NEAR * len(least)
        try:
            np.linalg.cholesky(self.floats + np.diag(diagonal))
        except np.linalg.LinAlgError:
            return False
        self.rest = least
        return True

    def line(self) -> str:
        """Return it in the words of the checker, with the evidence."""
        used = sorted(self.rest)
        number = "none" if self.point is None else self.point.number
        rest = [self.rest[i] for i in used]
        found = evidence(plus(self.without(used), rest), self.why)
        return f"rows one {counted(used)} {number} {counted(used)} {words(rest)} {found}"
