# ruff: noqa: D102 - the methods are documented once, in QuadraticForms.
r"""The ratio x'Ax / x'Bx of two quadratic forms: exact values, and A - mu B with a bound on its rounding.

Supports do not change when variables are given other units, so the forms are held with the variables multiplied
by powers of two that bring the diagonal of B near 1: that is exact.
"""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np

from relaxspca.certificate import pencil
from relaxspca.errors import InputError
from relaxspca.numerics.decimals import float_above
from relaxspca.numerics.linalg import (
    UNDERFLOW,
    UNIT_ROUNDOFF,
    Array,
    Indices,
    as_array,
    is_proved_below,
    least_eigenvalue,
)
from relaxspca.problem.checks import warn_of_data
from relaxspca.problem.conditions import positions
from relaxspca.problem.observations import checked_dense, checked_names, row_labels
from relaxspca.problem.slack import slack
from relaxspca.problem.symmetry import SYMMETRY_TOLERANCE


@dataclass(frozen=True)
class Difference:
    """A float matrix near A - mu B, and a bound on the error of every entry."""

    matrix: Array
    error: float


class QuadraticForms(ABC):
    """Two symmetric forms of n variables.

    Attributes
    ----------
    n : int
    names : tuple of n str
    scaling : (n,) powers of two by which the variables are multiplied in `A`, `B` and `difference`.
    A, B : (n, n) the forms in these units, up to rounding; only heuristics use them.
    used : variables whose entries are measured, all of them by default.
    terms : number of terms in the sums that form an entry; 0 if entries are given.
    unit : factor by which ratios are multiplied in these units.
    error_of_B : bound on the error of the entries of `B`.
    """

    used: Any = slice(None)
    terms: int = 0
    unit: Fraction = Fraction(1)
    error_of_B: float = 0.0

    n: int
    names: tuple[str, ...]
    scaling: Array
    A: Array
    B: Array

    @abstractmethod
    def difference(self, mu: float) -> Difference:
        """Return A - mu B as floats, with a bound on the error of the entries of the variables used."""

    def among(self, used: Indices) -> Self:
        """Return the same forms with errors and sizes measured on `used`; no support has other variables."""
        found = copy.copy(self)
        found.used = used
        return found

    def largest(self, M: Array) -> float:
        """Return the largest modulus of the entries of the variables used."""
        return float(np.abs(M[self.used][:, self.used]).max())

    def slack(self, mu: float) -> float:
        """Return about how much a checker's roundings add to a bound on A - mu B."""
        return slack(self.size(mu), n=self.n, block=self.n, terms=self.terms)

    def size(self, mu: float) -> float:
        """Return about the largest modulus of an entry of A plus that of mu B."""
        return self.largest(self.A) + abs(mu) * self.largest(self.B)

    @property
    @abstractmethod
    def plain(self) -> pencil.Pencil | pencil.LeastSquares:
        """The matrices or the data as they were given, for the certificate."""

    @property
    def exponents(self) -> tuple[int, ...]:
        """Exponents of the powers of two by which `difference` multiplies the variables of A - mu B."""
        return tuple((np.frexp(self.scaling)[1] - 1).tolist())

    @abstractmethod
    def ratio(self, indices: Indices, x: Array) -> Fraction | None:
        """Return x'Ax / x'Bx exactly for loadings of some variables; None where x'Bx is not above 0."""

    def fitted(self, indices: Indices) -> tuple[float, Array]:
        """Return the largest ratio on a support, on the range of B, and loadings that attain it, in floats."""
        block = np.ix_(indices, indices)
        values, vectors = np.linalg.eigh(self.B[block])
        kept = values > 1e-15 * max(float(values[-1]), 0.0)
        if not kept.any():
            return -math.inf, np.ones(len(values))
        R = vectors[:, kept] / np.sqrt(values[kept])
        inner, outer = np.linalg.eigh(R.T @ self.A[block] @ R)
        return float(inner[-1]), np.asarray(R @ outer[:, -1])

    @cached_property
    def smallest(self) -> float:
        """About the smallest eigenvalue of B in these units."""
        return least_eigenvalue(self.B, tol=1e-3)

    def least_form(self) -> float:
        """Return a proved lower bound on the smallest eigenvalue of B in these units; 0 if none is found."""
        radius, estimate = self.n * self.error_of_B, self.smallest
        for share in (0.999, 0.9, 0.5, 0.1):
            if estimate > 0 and is_proved_below(-self.B, -share * estimate, radius):
                return share * estimate
        return 0.0

    def fit_behind(self, upper: float) -> Array | None:
        """Return the least-squares fit on all variables that proves a bound; None if the bound needs none."""
        return None

    def dense_upper(self) -> float:
        """Return a proved upper bound on the ratio over all vectors; infinite if none is found."""
        return self.upper_on(np.arange(self.n))

    def upper_on(self, support: Indices) -> float:
        """Return a proved upper bound on the ratio over the vectors on a support; infinite if none is found."""
        from scipy.linalg import LinAlgError, eigh

        block, last = np.ix_(support, support), len(support) - 1
        try:
            values = eigh(self.A[block], self.B[block], eigvals_only=True, subset_by_index=(last, last))
            mu = float(values[0])
        except (LinAlgError, IndexError):
            return math.inf
        # A block of A may be 0 or all but 0; what roundings of the other entries need is far above it then.
        margin = max(1e-13 * (abs(mu) + float(np.abs(self.A[block]).max())), self.slack(mu) / 256)
        for _ in range(40):
            tried = mu + margin
            found = self.difference(tried)
            if is_proved_below(found.matrix[block], 0.0, len(support) * found.error + self.slack(tried)):
                return tried
            margin *= 16
        return math.inf


class MatrixPencil(QuadraticForms):
    """A pencil of two matrices whose entries are exact; B is proved positive definite.

    Before that `ridge` is added to its diagonal, and the rounded sum is taken as the exact B.
    """

    def __init__(self, A: Any, B: Any, names: Sequence[str] | None = None, ridge: float | None = None) -> None:
        self.numerator, found = _symmetric(A, "A")
        self.denominator, others = _symmetric(B, "B")
        self.n = len(self.numerator)
        if self.denominator.shape != self.numerator.shape:
            raise InputError(f"A has {self.n} variables and B {len(self.denominator)}: they must be the same")
        if found is not None and others is not None and list(found) != list(others):
            self.denominator = _in_order(self.denominator, others, found)
        self.names = checked_names(names if names is not None else (found or others), self.n)
        if ridge:
            self.denominator = self.denominator + np.diag(np.full(self.n, ridge))
        variances = np.diagonal(self.denominator)
        if variances.min() <= 0:
            at = int(np.argmin(variances))
            raise InputError(
                f"B is not positive definite: B[{at}, {at}] = {variances[at]:.6g}. Give a ridge= to add"
            )
        self.scaling = powers_of_two(variances)
        self.A, self.B = self._scaled(self.numerator), self._scaled(self.denominator)
        self.least = self.least_form()
        if self.least <= 0:
            raise InputError(
                "B is not proved positive definite: its smallest eigenvalue is about "
                f"{self.smallest:.3g} with variables scaled to about 1. Give a ridge= to add to its diagonal"
            )

    @property
    def plain(self) -> pencil.Pencil:
        return pencil.Pencil(names=self.names, numerator=self.numerator, denominator=self.denominator)

    def _scaled(self, M: Array) -> Array:
        scaled = M * self.scaling[:, None] * self.scaling[None, :]
        with np.errstate(all="ignore"):
            again = scaled / self.scaling[:, None] / self.scaling[None, :]
        if not np.array_equal(again, M) or not np.isfinite(scaled).all():
            raise InputError("the entries of A or B are too far apart in size: give the variables other units")
        return as_array(scaled)

    def difference(self, mu: float) -> Difference:
        product = mu * self.B
        matrix = self.A - product
        # One product and one difference, each rounded to nearest.
        error = UNIT_ROUNDOFF * (self.largest(product) + self.largest(matrix))
        return Difference(matrix, error * (1 + 2.0**-20) + UNDERFLOW)

    def ratio(self, indices: Indices, x: Array) -> Fraction | None:
        z = [Fraction(float(entry)) for entry in x]
        forms = [_form(M[np.ix_(indices, indices)], z) for M in (self.A, self.B)]
        return forms[0] / forms[1] if forms[1] > 0 else None


def powers_of_two(squares: Array) -> Array:
    """Return powers of two whose squares, times the given positive numbers, are nearest to 1."""
    return np.asarray(np.ldexp(1.0, -np.round(np.log2(squares) / 2).astype(int)))


def float_below(value: Fraction) -> float:
    """Return the largest float that is at most a rational number.

    Examples
    --------
    >>> float_below(Fraction(1, 3)) < Fraction(1, 3), float_below(Fraction(1, 2))
    (True, 0.5)
    """
    return 0.0 - float_above(-value)


def _form(M: Array, z: list[Fraction]) -> Fraction:
    rows = [sum((Fraction(float(m)) * b for m, b in zip(row, z, strict=True)), Fraction(0)) for row in M]
    return sum((a * b for a, b in zip(z, rows, strict=True)), Fraction(0))


def _in_order(B: Array, names: Sequence[str], wanted: Sequence[str]) -> Array:
    """Return B with its variables in the order of those of A."""
    strange = sorted(set(names) ^ set(wanted))
    if strange:
        lacks = "B" if strange[0] in wanted else "A"
        raise InputError(f"A and B are not of the same variables: {lacks} has no {strange[0]!r}")
    warn_of_data("the variables of B stood in another order than those of A: they were put in the order of A")
    order = positions(wanted, names)
    return as_array(B[np.ix_(order, order)])


def _symmetric(M: Any, what: str) -> tuple[Array, tuple[str, ...] | None]:
    if hasattr(M, "check_complete"):  # a Covariance
        M.check_complete("a ratio")
        if not M.matrix.any():
            raise InputError(f"the matrix {what} is zero: there is no variance to explain")
        return M.matrix, M.names
    dense, names = checked_dense(M, what=f"matrix {what}")
    if dense.shape[0] != dense.shape[1]:
        raise InputError(f"the matrix {what} is {dense.shape[0]} x {dense.shape[1]}, and must be square")
    labels = row_labels(M)
    if names is not None and labels is not None and tuple(labels) != tuple(names):
        raise InputError(f"the row names of {what} differ from its column names, or are in another order")
    largest = float(np.abs(dense).max())
    apart = float(np.abs(dense - dense.T).max())
    if apart > SYMMETRY_TOLERANCE * largest:
        raise InputError(f"the matrix {what} is not symmetric: entries (i, j) and (j, i) differ by {apart:.3g}")
    return as_array(dense / 2 + dense.T / 2), names
