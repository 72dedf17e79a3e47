"""What is asked of an instance: a component, a best subset, or a canonical correlation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import relaxspca as rs
from relaxspca.applications import subset_selection
from relaxspca.certificate import LeastSquares, Pencil


@dataclass(frozen=True)
class Component:
    """The largest variance of a component of k variables."""

    cov: rs.Covariance

    @property
    def n(self) -> int:
        """Number of variables."""
        return self.cov.n

    @property
    def digest(self) -> str:
        """Digest of the matrix."""
        return self.cov.digest

    @property
    def entries(self) -> dict[str, np.ndarray]:
        """What a certificate calls the numbers of this problem, and these numbers."""
        return {"entries": self.cov.factor if self.cov.is_factored else self.cov.matrix}

    def solved(self, k: int, time_limit: float) -> Any:
        """Return the result of a search."""
        return rs.solve(self.cov, k, time_limit=time_limit)

    def value(self, support: list[int]) -> float:
        """Return what a support is worth."""
        return float(np.linalg.eigvalsh(self.cov.matrix[np.ix_(support, support)])[-1])


@dataclass(frozen=True)
class Subset:
    """The largest part of y'y that k variables explain: y'y less the least |y - Xw|^2 + ridge |w|^2."""

    X: np.ndarray
    y: np.ndarray
    ridge: float = 0.0

    @property
    def n(self) -> int:
        """Number of variables."""
        return self.X.shape[1]

    @property
    def digest(self) -> str:
        """Digest of the data."""
        data = {"variables": self.X, "response": self.y, "ridge": self.ridge}
        return LeastSquares(names=names(self.n), **data).digest

    @property
    def entries(self) -> dict[str, np.ndarray]:
        """What a certificate calls the numbers of this problem, and these numbers."""
        return {"variables": self.X, "response": self.y}

    def solved(self, k: int, time_limit: float) -> Any:
        """Return the result of a search."""
        return subset_selection(self.X, self.y, k, ridge=self.ridge, time_limit=time_limit)

    def value(self, support: list[int]) -> float:
        """Return what a support is worth."""
        X = self.X[:, support]
        b = X.T @ self.y
        return float(b @ np.linalg.solve(X.T @ X + self.ridge * np.eye(len(support)), b))


@dataclass(frozen=True)
class Correlation:
    """The largest canonical correlation of k variables of each of two sets."""

    across: np.ndarray
    first: np.ndarray
    second: np.ndarray

    @property
    def n(self) -> int:
        """Number of variables."""
        return sum(self.across.shape)

    @property
    def digest(self) -> str:
        """Digest of the two matrices of the ratio."""
        return Pencil(names=names(self.n), **self.entries).digest

    @property
    def entries(self) -> dict[str, np.ndarray]:
        """What a certificate calls the numbers of this problem, and these numbers."""
        p, q = self.across.shape
        return {
            "numerator": np.block([[np.zeros((p, p)), self.across], [self.across.T, np.zeros((q, q))]]),
            "denominator": np.block([[self.first, np.zeros((p, q))], [np.zeros((q, p)), self.second]]),
        }

    def solved(self, k: int, time_limit: float) -> Any:
        """Return the result of a search."""
        budgets = [(range(len(self.first)), k), (range(len(self.first), self.n), k)]
        return rs.generalized(*self.entries.values(), budgets=budgets, time_limit=time_limit)

    def value(self, support: list[int]) -> float:
        """Return what a support is worth."""
        A, B = (M[np.ix_(support, support)] for M in self.entries.values())
        root = np.linalg.cholesky(B)
        return float(np.linalg.eigvalsh(np.linalg.solve(root, np.linalg.solve(root, A).T))[-1])


Problem = Component | Subset | Correlation
KINDS = {Component: "component", Subset: "best subset", Correlation: "canonical correlation"}


def names(n: int) -> tuple[str, ...]:
    """Return the names of variables that have none."""
    return tuple(f"x{i}" for i in range(n))
