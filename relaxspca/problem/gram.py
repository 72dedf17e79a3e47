"""Storage of Sigma: by its entries, by a thin factor, or by sparse observations and column means."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.numerics.linalg import FEW, Array, Indices, as_array, product_radius

MOST_ENTRIES = 900_000_000  # of an array that is formed; 7.2 GB
LEAST_FACTOR = math.sqrt(np.finfo(np.float64).tiny)  # its square is a normal number


class Gram(ABC):
    """Operations on Sigma that every storage provides.

    Attributes
    ----------
    n : int
    diagonal : (n,) variances.
    factor : (r, n) array A that defines Sigma as A'A; storage by entries has none.
    """

    n: int
    diagonal: Array
    factor: Array

    @cached_property
    def matrix(self) -> Array:
        """(n, n) entries."""
        return self.block(np.arange(self.n))

    @abstractmethod
    def block(self, indices: Indices) -> Array:
        """(k, k) block on the given variables."""

    @abstractmethod
    def columns(self, indices: Indices) -> Array:
        """(n, k) columns."""

    @abstractmethod
    def product(self, v: Array) -> Array:
        """Sigma @ v for v of shape (n,) or (n, s)."""

    def rounding(self, indices: Indices) -> float:
        """Bound on the spectral norm of the rounding error in `block`; 0 where its floats define Sigma."""
        return 0.0

    @abstractmethod
    def restrict(self, indices: Indices) -> Gram:
        """Storage of some of the variables."""

    @abstractmethod
    def scaled(self, q: int) -> Gram | None:
        """Storage of exactly 4**q Sigma; None where a digit would be lost."""


class DenseGram(Gram):
    """Sigma by its n x n entries, which are exact by definition."""

    def __init__(self, matrix: Array) -> None:
        self.matrix, self.n = as_array(matrix), len(matrix)
        self.diagonal = as_array(np.diagonal(matrix))

    def block(self, indices: Indices) -> Array:
        return self.matrix[np.ix_(indices, indices)]

    def columns(self, indices: Indices) -> Array:
        return self.matrix[:, indices]

    def product(self, v: Array) -> Array:
        return self.matrix @ v

    def restrict(self, indices: Indices) -> Gram:
        return DenseGram(self.block(indices))

    def scaled(self, q: int) -> Gram | None:
        matrix = shifted_exponents(self.matrix, 2 * q)
        return None if matrix is None else DenseGram(matrix)


class FactorGram(Gram):
    """Sigma defined as A'A by a dense factor."""

    def __init__(self, factor: Array) -> None:
        self.factor, self.n = as_array(factor), factor.shape[1]
        self.diagonal = as_array(np.einsum("ri,ri->i", self.factor, self.factor))

    def block(self, indices: Indices) -> Array:
        A = self.factor[:, indices]
        return as_array(A.T @ A)

    def columns(self, indices: Indices) -> Array:
        return self.factor.T @ self.factor[:, indices]

    def product(self, v: Array) -> Array:
        return self.factor.T @ (self.factor @ v)

    def rounding(self, indices: Indices) -> float:
        A = self.factor[:, indices]
        return product_radius(A, A)

    def restrict(self, indices: Indices) -> Gram:
        return FactorGram(self.factor[:, indices])

    def scaled(self, q: int) -> Gram | None:
        factor = shifted_exponents(self.factor, q)
        return None if factor is None else FactorGram(factor)


class SparseGram(Gram):
    r"""Sigma :math:`= X'X - m\,cc'` for sparse, already scaled observations X with column means c.

    Sigma is defined by the floats that `block` computes: entry (i, j) sums the products of columns i
    and j in the order of the observations, whichever other variables are asked for. Centring is a
    rank-one term, so X stays sparse.
    """

    def __init__(self, X: Any, centre: Array) -> None:
        self._X = X.tocsc()
        self._X.sort_indices()
        self._centre = as_array(centre)
        self._m, self.n = X.shape

    @cached_property
    def diagonal(self) -> Array:  # type: ignore[override]
        everything = np.arange(self.n)
        parts = [everything[first : first + FEW] for first in range(0, self.n, FEW)]
        return as_array(np.concatenate([np.diagonal(self.block(part)) for part in parts]))

    @cached_property
    def factor(self) -> Array:  # type: ignore[override]
        """(m, n) dense factor X - 1c', formed only when asked for."""
        if self._m * self.n > MOST_ENTRIES:
            raise InputError(
                f"a dense factor of {self._m} x {self.n} entries is too large; restrict the variables "
                "first, or keep those of largest variance with Covariance.from_sparse(X, limit=...)"
            )
        return as_array(self._X.toarray() - self._centre)

    @property
    def factor_residual(self) -> float:
        """Bound on ||Sigma - A'A||_2: both sides round like sums of m + 4 products."""
        size = float(self._X.multiply(self._X).sum()) + self._m * float(self._centre @ self._centre)
        return float(16 * (self._m + 8) * np.finfo(float).eps * size)

    def block(self, indices: Indices) -> Array:
        return self._cross(indices, indices)

    def columns(self, indices: Indices) -> Array:
        return self._cross(np.arange(self.n), indices)

    def _cross(self, rows: Indices, columns: Indices) -> Array:
        products = (self._X[:, rows].T.tocsr() @ self._X[:, columns].tocsr()).toarray()
        return np.asarray(products - self._m * np.outer(self._centre[rows], self._centre[columns]))

    def product(self, v: Array) -> Array:
        image = np.asarray(self._X.T @ (self._X @ v))
        return np.asarray(image - self._m * np.multiply.outer(self._centre, self._centre @ v))

    def restrict(self, indices: Indices) -> Gram:
        return SparseGram(self._X[:, indices], self._centre[indices])

    def scaled(self, q: int) -> Gram | None:
        sizes = np.abs(np.concatenate([self._X.data, self._centre]))
        least = float(sizes[sizes > 0].min(initial=np.inf))
        # Products of entries that are smaller than this may lose digits, before or after.
        if min(least, math.ldexp(least, q)) < LEAST_FACTOR:
            return None
        return SparseGram(self._X * 2.0**q, np.ldexp(self._centre, q))


def shifted_exponents(values: Array, exponent: int) -> Array | None:
    """Return values * 2**exponent; None where that is not exact."""
    with np.errstate(over="ignore", under="ignore"):
        shifted = np.ldexp(values, exponent)
        return shifted if np.array_equal(np.ldexp(shifted, -exponent), values) else None
