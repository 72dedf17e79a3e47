"""One factor for many leaves: what their rows have left, the least of them all, is shown to be enough."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from integers import Matrix, evidence, plus, words
from points import Rows

NEAR = 2.0**-29  # how far from singular a shared matrix stays for each variable, of its largest entry


class Shared:
    """P and N for leaves one after another, and what rows leave of their bounds, the least of each variable.

    P - S with that on its diagonal is positive semidefinite on the variables of these leaves, as floats say.
    """

    def __init__(self, why: str, point: Rows | None, S: Matrix, rest: dict[int, int]) -> None:
        self.why, self.point, self.S, self.rest = why, point, S, rest
        M = self.without([*rest])
        self.top = max(1, *map(abs, rest.values()), *(max(map(abs, row)) for row in M))
        self.floats = np.array([[x / self.top for x in row] for row in M])

    def without(self, used: Sequence[int]) -> Matrix:
        """Return P - S on some variables."""
        P = [[0] * len(self.S)] * len(self.S) if self.point is None else self.point.P
        return [[P[i][j] - self.S[i][j] for j in used] for i in used]

    def serves(self, rest: dict[int, int]) -> bool:
        """Say whether it serves another leaf of some of its variables, too."""
        least = {i: min(x, rest.get(i, x)) for i, x in self.rest.items()}
        if not rest.keys() <= least.keys():
            return False
        diagonal = np.array([x / self.top for x in least.values()]) - NEAR * len(least)
        try:
            np.linalg.cholesky(self.floats + np.diag(diagonal))
        except np.linalg.LinAlgError:
            return False
        self.rest = least
        return True

    def line(self, n: int) -> str:
        """Return it in the words of the checker, with the evidence."""
        used = sorted(self.rest)
        number = "none" if self.point is None else self.point.number
        rest = [self.rest.get(i, 0) for i in range(n)]
        found = evidence(plus(self.without(used), [rest[i] for i in used]), self.why)
        return f"matrices {number} {len(used)} {words(used)} {words(rest)} {found}"
