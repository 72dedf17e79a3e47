"""Heuristic subsets for least squares: backward, matching pursuit, swaps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array
from relaxspca.runtime.deadline import FOREVER, Deadline

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CentredData:
    """A response y (p,) and variables M (p, n), with the products that the methods share."""

    M: Array
    y: Array

    @cached_property
    def products(self) -> Array:
        """M'y."""
        return np.asarray(self.M.T @ self.y)

    @cached_property
    def lengths(self) -> Array:
        """Lengths of the columns of M."""
        return np.asarray(np.sqrt(np.maximum(_squares(self.M), np.finfo(float).tiny)))

    @cached_property
    def energy(self) -> float:
        """Sum of squares of y."""
        return float(self.y @ self.y)

    def coefficients(self, support: Indices) -> Array:
        """Return the least-squares coefficients on a support, zero elsewhere."""
        w = np.zeros(self.M.shape[1])
        w[support] = np.linalg.lstsq(self.M[:, support], self.y, rcond=None)[0]
        return w

    def value(self, support: Indices) -> float:
        """Return y'M_u (M_u'M_u)^-1 M_u'y, the explained sum of squares of support u."""
        explained = self.M @ self.coefficients(support)
        return float(explained @ explained)

    def completed(self, support: Indices, k: int) -> Indices:
        """Return a support filled up to k variables by those most correlated with the response."""
        worth = np.abs(self.products) / self.lengths
        worth[support] = np.inf
        return np.sort(np.argsort(-worth, kind="stable")[:k])

    def improved(self, support: Indices, deadline: Deadline = FOREVER) -> Indices:
        """Improve a support by best swaps of one variable until no swap helps or the deadline."""
        best, value = np.sort(support), self.value(support)
        while True:
            outside = np.setdiff1d(np.arange(self.M.shape[1]), best)
            if not outside.size:
                return best
            swaps = []
            for at in range(best.size):
                if deadline.is_over:
                    return best
                swaps.append(self._after_best_entry(np.delete(best, at), outside))
            challenger = max(swaps, key=self.value)
            if self.value(challenger) <= value * (1 + 1e-12):
                return best
            best, value = challenger, self.value(challenger)

    def _after_best_entry(self, support: Indices, outside: Indices) -> Indices:
        """Return a support with the outside variable that explains most of the residual."""
        columns = self.M[:, outside]
        residual = self.y
        if support.size:
            basis = np.linalg.qr(self.M[:, support])[0]
            residual = self.y - basis @ (basis.T @ self.y)
            columns = columns - basis @ (basis.T @ columns)
        lengths = _squares(columns)
        independent = lengths > 1e-12 * self.lengths[outside] ** 2
        gains = np.where(independent, (columns.T @ residual) ** 2 / np.where(independent, lengths, 1.0), -1.0)
        return np.sort(np.append(support, outside[int(np.argmax(gains))]))


def backward(problem: CentredData, k: int, deadline: Deadline = FOREVER) -> Indices:
    """Start from at most as many variables as rows, drop the one of least loss until k are left; then swap."""
    p, n = problem.M.shape
    support = np.arange(n if n <= p else 0)
    while support.size < min(p, n):
        if deadline.is_over:
            return problem.completed(support[:0], k)
        support = problem._after_best_entry(support, np.setdiff1d(np.arange(n), support))
    while support.size > k:
        if deadline.is_over:
            return problem.completed(support[:0], k)
        support = max((np.delete(support, at) for at in range(support.size)), key=problem.value)
    return problem.improved(support, deadline)


def matching_pursuit(problem: CentredData, k: int, deadline: Deadline = FOREVER) -> Indices:
    """Add the variable most correlated with the residual, k times (orthogonal matching pursuit); then swap."""
    support = np.empty(0, dtype=np.int64)
    for _ in range(k):
        if deadline.is_over:
            return problem.completed(support, k)
        residual = problem.y - problem.M @ problem.coefficients(support) if support.size else problem.y
        correlations = np.abs(problem.M.T @ residual) / problem.lengths
        correlations[support] = -1.0
        support = np.append(support, int(np.argmax(correlations)))
    return problem.improved(support, deadline)


def _squares(columns: Array) -> Array:
    return np.asarray(np.einsum("pi,pi->i", columns, columns))


METHODS: dict[str, Callable[[CentredData, int, Deadline], Indices]] = {
    "backward": backward,
    "orthogonal matching pursuit": matching_pursuit,
}
