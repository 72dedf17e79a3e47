r"""The bound of several components over lists of supports, as a semidefinite program.

In Z, y, a value tau_g for the equal parts g, and what is paid p_j:

    min  sum_g count_g tau_g + sum_{j used} (Z_jj - times_j y_j) + sum_{other j} p_j
    s.t. (tau_g - y(T)) I - Sigma_TT + Z_TT >= 0  for every support T of g,   Z >= 0,
         p_j >= 0,   p_j >= Z_jj - times_j y_j,   y_j >= 0 where its sign matters.

That only as many others are paid for as there are places changes nothing here: the K largest payments are the
least of K s + sum_j (e_j - s)_+ over s, and adding s to all multipliers pays the K s in the parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.several.shape import Indices, Part, Shape, marked, use_ranges

__all__ = ["Program", "Stack"]


@dataclass(frozen=True, eq=False)
class Stack:
    """Supports of one size: (count, k) positions among the variables, and whose they are, (count,)."""

    supports: Indices
    owner: Indices


class Program:
    """The program, as maps between its vector of unknowns and its blocks.

    Blocks are stacks of symmetric matrices that have to be semidefinite: Z alone, then one stack for each
    `Stack`, then the inequalities as matrices of one entry.

    Parameters
    ----------
    Sigma : (m, m) array.
    variables : (m,) what its rows are.
    shape, parts : as in `formula.upper_bound`.
    counts : how many parts there are of each kind.
    stacks : supports of the kinds.
    """

    def __init__(
        self,
        Sigma: Array,
        variables: Indices,
        shape: Shape,
        parts: Sequence[Part],
        counts: Sequence[int],
        stacks: Sequence[Stack],
    ) -> None:
        self.m, self.stacks = len(Sigma), tuple(stacks)
        self.rows, self.columns = np.triu_indices(self.m)
        self.weights = np.where(self.rows == self.columns, 1.0, 2.0)
        kinds = len(counts)
        self._at = [self._place(stack.supports) for stack in self.stacks]
        self._signs = [_signs(stack, self.m, kinds) for stack in self.stacks]
        self._blocks = [Sigma[at] for at in self._at]
        self._multiplier(variables, shape, parts, np.array(counts, dtype=float))

    @staticmethod
    def _place(supports: Indices) -> tuple[Indices, Indices]:
        return supports[:, :, None], supports[:, None, :]

    def _multiplier(self, variables: Indices, shape: Shape, parts: Sequence[Part], counts: Array) -> None:
        """Write down the objective and the inequalities."""
        forced = sum((marked(variables, part.inside) for part in parts), np.zeros_like(variables))
        places = sum(part.size - len(part.inside) for part in parts)
        if shape.is_common:
            used, times, self.has_sign = forced > 0, np.full(self.m, shape.copies), np.zeros(self.m, dtype=bool)
        else:
            least, most = use_ranges(variables, shape, parts)
            used, times = least > 0, np.maximum(least, 1)
            self.has_sign = most > times
        if shape.is_common and places >= int((~used).sum()):
            used = np.ones_like(used)  # all others are used, whatever they cost
        others = np.flatnonzero(~used)
        self.y = len(self.rows)
        self.tau = self.y + self.m
        self.paid = self.tau + len(counts)
        self.size = self.paid + len(others)
        diagonal = np.flatnonzero(self.rows == self.columns)
        self.objective = np.zeros(self.size)
        self.objective[diagonal[used]] = 1.0
        self.objective[self.y : self.tau] = np.where(used, -times, 0.0)
        self.objective[self.tau : self.paid] = counts
        self.objective[self.paid :] = 1.0
        rows = np.zeros((2 * len(others), self.size))
        at = np.arange(len(others))
        rows[at, self.paid + at] = rows[len(others) + at, self.paid + at] = 1.0
        rows[len(others) + at, diagonal[others]] = -1.0
        rows[len(others) + at, self.y + others] = times[others]
        signs = np.zeros((int(self.has_sign.sum()), self.size))
        signs[np.arange(len(signs)), self.y + np.flatnonzero(self.has_sign)] = 1.0
        self.inequalities = np.concatenate([rows, signs])
        self.excess = rows[len(others) :]
        # The number of eigenvalues of all blocks.
        self.order = self.m + sum(stack.supports.size for stack in self.stacks) + len(self.inequalities)

    def vector(self, Z: Array, y: Array, tau: Array, mu: float) -> Array:
        """Return unknowns with the given Z, y, tau, and the rest near the central path at mu."""
        v = np.zeros(self.size)
        y = np.where(self.has_sign, np.maximum(y, mu), y)
        v[: self.y], v[self.y : self.tau], v[self.tau : self.paid] = Z[self.rows, self.columns], y, tau
        excess = -self.excess @ v
        v[self.paid :] = (excess + 2 * mu + np.sqrt(excess**2 + 4 * mu**2)) / 2
        return v

    def parted(self, v: Array) -> tuple[Array, Array]:
        """Return Z and y."""
        Z = np.zeros((self.m, self.m))
        Z[self.rows, self.columns] = Z[self.columns, self.rows] = v[: self.y]
        return Z, v[self.y : self.tau]

    def blocks(self, v: Array, *, is_change: bool = False) -> list[Array]:
        """Return the blocks at a vector; or by how much they change along it."""
        Z = self.parted(v)[0]
        found = [Z[None]]
        for at, signs, block in zip(self._at, self._signs, self._blocks, strict=True):
            S = Z[at] if is_change else Z[at] - block
            k = S.shape[1]
            S[:, np.arange(k), np.arange(k)] += (signs @ v[self.y : self.paid])[:, None]
            found.append(S)
        found.append((self.inequalities @ v)[:, None, None])
        return found

    def adjoint(self, Y: Sequence[Array]) -> Array:
        """Return the gradient of sum <Y, blocks> in the unknowns."""
        total, rest = Y[0][0].copy(), np.zeros(self.paid - self.y)
        for (row, column), signs, block in zip(self._at, self._signs, Y[1:-1], strict=True):
            entries = np.bincount((self.m * row + column).ravel(), block.ravel(), self.m**2)
            total += entries.reshape(self.m, self.m)
            rest += signs.T @ np.trace(block, axis1=1, axis2=2)
        found = self.inequalities.T @ Y[-1][:, 0, 0]
        found[: self.y] += total[self.rows, self.columns] * self.weights
        found[self.y : self.paid] += rest
        return np.asarray(found)

    def hessian(self, X: Sequence[Array], P: Sequence[Array]) -> Array:
        """Return the matrix of tr(A X B P), A and B the changes of the blocks along two unknowns."""
        m, y = self.m, self.y
        H = (self.inequalities * (X[-1] * P[-1])[:, :, 0]).T @ self.inequalities
        products = np.outer(X[0][0], P[0][0])
        for at, signs, a, b in zip(self._at, self._signs, X[1:-1], P[1:-1], strict=True):
            products += self._spread(at, a).T @ self._spread(at, b)
            both = a @ b
            both = (both + np.swapaxes(both, 1, 2)) / 2
            cross = (signs.T @ self._spread(at, both)).reshape(-1, m, m)[:, self.rows, self.columns]
            H[y : self.paid, :y] += cross * self.weights
            H[y : self.paid, y : self.paid] += (signs * np.trace(both, axis1=1, axis2=2)[:, None]).T @ signs
        H[:y, y : self.paid] = H[y : self.paid, :y].T
        products += products.T
        four = products.reshape(m, m, m, m)
        four = four.transpose(0, 2, 1, 3) + four.transpose(0, 2, 3, 1)
        both = four[self.rows, self.columns][:, self.rows, self.columns]
        H[:y, :y] += np.outer(self.weights / 2, self.weights / 2) * both
        return np.asarray(H)

    def _spread(self, at: tuple[Indices, Indices], blocks: Array) -> Array:
        """Return blocks as rows of m * m entries, 0 off their supports."""
        spread = np.zeros((len(blocks), self.m, self.m))
        spread[np.arange(len(blocks))[:, None, None], *at] = blocks
        return spread.reshape(len(blocks), -1)


def _signs(stack: Stack, m: int, kinds: int) -> Array:
    """Return how each support's multiple of I depends on y and tau."""
    signs = np.zeros((len(stack.supports), m + kinds))
    np.put_along_axis(signs, stack.supports, -1.0, axis=1)
    signs[np.arange(len(signs)), m + stack.owner] = 1.0
    return signs
