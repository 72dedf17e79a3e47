# ruff: noqa: D102 - the methods are documented once, in QuadraticForms.
r"""Least squares as two quadratic forms, A = bb' and B = X'X with b = X'y, and bounds on their rounding.

With an intercept the columns and y are centred; the rounding of the centring is part of the error bounds.
A ridge term adds a multiple of I to B.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from relaxspca.certificate import LeastSquares
from relaxspca.errors import InputError
from relaxspca.numerics.decimals import float_above
from relaxspca.numerics.linalg import UNDERFLOW, UNIT_ROUNDOFF, Array, Indices, as_array
from relaxspca.numerics.long_gram import long_gram
from relaxspca.problem.pencil import Difference, QuadraticForms, powers_of_two
from relaxspca.runtime.deadline import FOREVER, Deadline

LONG = np.longdouble
EPSILON = float(np.finfo(LONG).eps)  # twice the unit roundoff of the longest floats of this machine
SAFE = 1 + 2.0**-20  # covers the rounding in the error bounds themselves
Exact = tuple[Any, Fraction]  # integers, and the power of two by which all are multiplied
ROOM = 16.0  # the checker's bound on the smallest eigenvalue of B may be smaller than ours by this factor


class LeastSquaresPencil(QuadraticForms):
    r"""The ratio :math:`(y'Xw)^2/(|Xw|^2+\lambda|w|^2)`, by which w explains the sum of squares of y.

    No column of X (p, n), nor y, is 0, or constant where both are centred, with an intercept; lambda is
    `ridge`. The sum of squares of y, in its own unit, is `energy`; in ratios y is multiplied by a power of two,
    `y_scaling`. Forming the products is given up at the `deadline`, by `TimeIsOverError`.
    """

    def __init__(
        self,
        X: Array,
        y: Array,
        names: tuple[str, ...],
        *,
        intercept: bool,
        ridge: float = 0.0,
        deadline: Deadline = FOREVER,
    ) -> None:
        deadline.check()
        self.n, self.names, self.intercept, self.ridge = X.shape[1], names, intercept, ridge
        self._given, self.terms = (X, y), len(y)
        centred = X - X.mean(axis=0) if intercept else X
        self.scaling = powers_of_two(_squares(centred) + ridge)
        response = y - y.mean() if intercept else y
        self.y_scaling = float(powers_of_two(_squares(response[:, None]))[0])
        self.unit = Fraction(self.y_scaling) ** 2
        self.X, self.y = X * self.scaling, y * self.y_scaling
        exact = np.array_equal(self.X / self.scaling, X) and np.array_equal(self.y / self.y_scaling, y)
        if not exact or not (np.isfinite(self.X).all() and np.isfinite(self.y).all()):
            raise InputError("the entries of a variable or of y are too far apart in size: rescale the data")
        self._form(deadline)
        self.energy = self._square(_integers(y))

    def _form(self, deadline: Deadline) -> None:
        """Form b and B in the longest floats, and bound the error of each."""
        p = len(self.y)
        X, y = self.X.astype(LONG), self.y.astype(LONG)
        off_X = off_y = 0.0
        if self.intercept:
            X, y = X - X.mean(axis=0), y - y.mean()
            entry = 2 * (p + 4) * EPSILON * math.sqrt(p)
            off_X = entry * float(np.abs(self.X).max())
            off_y = entry * float(np.abs(self.y).max())
        self._b = y @ X
        B = long_gram(X if self.intercept else self.X, look=deadline.check)
        penalties = LONG(self.ridge) * self.scaling.astype(LONG) ** 2
        self._B = np.triu(B) + np.triu(B, 1).T + np.diag(penalties)
        gamma = (p + bool(self.ridge)) * EPSILON * SAFE
        # Upper bounds on the lengths of the exact columns, the ridge counted, and of y.
        width = math.sqrt(float(np.diagonal(self._B).max())) * SAFE + off_X
        length = math.sqrt(float(y @ y)) * SAFE + off_y
        self._reach = width, length
        self._error_b = gamma * width * length + off_X * length + off_y * width
        self._error_B = gamma * width**2 + 2 * off_X * width
        b = self._b.astype(float)
        self.A, self.B = as_array(np.outer(b, b)), as_array(self._B.astype(float))
        self.error_of_B = (self._error_B + UNIT_ROUNDOFF * float(self.B.max())) * SAFE + UNDERFLOW
        # Of these data |y - Xw|^2 has the ridge term in it.
        self.centred = with_ridge(X.astype(float), y.astype(float), np.sqrt(penalties).astype(float))

    @property
    def plain(self) -> LeastSquares:
        X, y = self._given
        return LeastSquares(
            names=self.names, variables=X, response=y, intercept=self.intercept, ridge=self.ridge
        )

    def size(self, mu: float) -> float:
        width, length = self._reach
        return width**2 * (length**2 + abs(mu))

    @property
    def exponents(self) -> tuple[int, ...]:
        response = int(np.frexp(self.y_scaling)[1]) - 1
        return tuple(exponent + response for exponent in super().exponents)

    def difference(self, mu: float) -> Difference:
        exact = np.outer(self._b, self._b) - LONG(mu) * self._B
        matrix = exact.astype(float)
        width, length = self._reach
        error = self._error_b * (2 * width * length + self._error_b) + abs(mu) * self._error_B
        error += 4 * EPSILON * width**2 * (length**2 + abs(mu))
        error += UNIT_ROUNDOFF * float(np.abs(matrix).max())
        return Difference(matrix, error * SAFE + UNDERFLOW)

    def dense_upper(self) -> float:
        found = super().dense_upper()
        # Where rounding hides the sign of A - mu B, this bound may exceed the sum of squares of y.
        return found if found < self.energy * self.unit else min(found, self.fit[0])

    def fit_behind(self, upper: float) -> Array | None:
        return self.fit[1] if "fit" in vars(self) and upper >= self.fit[0] else None

    def fitted(self, indices: Indices) -> tuple[float, Array]:
        X, y = self.centred
        w = as_array(np.linalg.lstsq(X[:, indices], y, rcond=None)[0])
        image = X[:, indices] @ w
        return float(image @ image), w

    def ratio(self, indices: Indices, x: Array) -> Fraction | None:
        (rows, a), (loadings, c) = _integers(self.X[:, indices]), _integers(np.asarray(x, dtype=float))
        (y, e), image, unit = _integers(self.y), rows @ loadings, a * c
        below = self._square((image, unit)) + self._penalty(x, self.scaling[indices])
        # Xw = 0 explains nothing.
        return (self._product(image, y) * unit * e) ** 2 / below if below > 0 else Fraction(0)

    @cached_property
    def fit(self) -> tuple[float, Array]:
        """A proved bound on the ratio over all vectors (infinite if none is found) and the fit that proves it.

        The fit is in the units of the data. The bound covers its distance from the exact optimum, in rationals.
        """
        X, y = self.centred
        w = as_array(np.linalg.lstsq(X, y, rcond=None)[0])
        # The checker must prove B definite in rounded arithmetic, too.
        width, _ = self._reach
        checked = UNIT_ROUNDOFF * self.n * (self.n + 32 + 2 * self.terms) * width**2
        least = (self.least_form() - checked) / ROOM
        response, (rows, a) = _integers(self.y), _integers(self.X)
        left, unit = _left_over((rows, a), response, w)
        ridge, units = Fraction(self.ridge), self.scaling.tolist()
        slopes = sum(
            (self._product(column, left) * a * unit - ridge * Fraction(d) ** 2 * Fraction(v)) ** 2
            for column, d, v in zip(rows.T, units, w.tolist(), strict=True)
        )
        if slopes and not least > 0:
            return math.inf, w
        energy = self._square(response) - self._square((left, unit)) - self._penalty(w, self.scaling)
        own = w * self.scaling / self.y_scaling
        is_exact = np.array_equal(own / self.scaling * self.y_scaling, w) and np.isfinite(own).all()
        bound = energy + (slopes / Fraction(least) if slopes else 0)
        return (float_above(bound) if is_exact else math.inf), own

    def residual(self, w: Array, X: Array, y: Array) -> Fraction:
        """Return |y - Xw|^2 + ridge |w|^2 exactly, centred for an intercept, for data in their own units."""
        used = np.flatnonzero(w)
        left = _left_over(_integers(X[:, used]), _integers(y), w[used])
        return self._square(left) + self._penalty(w, np.ones(len(w)))

    def _penalty(self, w: Array, units: Array) -> Fraction:
        """Return ridge times the sum of squares of coefficients in some units, exactly."""
        if not self.ridge:
            return Fraction(0)
        return Fraction(self.ridge) * sum(
            (Fraction(v) * Fraction(d)) ** 2 for v, d in zip(w.tolist(), units.tolist(), strict=True)
        )

    def _square(self, vector: Exact) -> Fraction:
        """Return the sum of squares of a vector, centred if there is an intercept."""
        integers, unit = vector
        return self._product(integers, integers) * unit**2

    def _product(self, u: Any, v: Any) -> Fraction:
        """Return u'v exactly for vectors of integers, both centred if there is an intercept."""
        return Fraction(u @ v) - (Fraction(u.sum() * v.sum(), len(self.y)) if self.intercept else 0)


def with_ridge(X: Array, y: Array, roots: Array) -> tuple[Array, Array]:
    """Return data with a row for each penalty, whose square root is given: their residual has the penalties."""
    if not roots.any():
        return X, y
    return np.vstack([X, np.diag(roots)]), np.concatenate([y, np.zeros(len(roots))])


def _left_over(X: Exact, y: Exact, w: Array) -> Exact:
    """Return y - Xw exactly."""
    (rows, a), (response, e), (loadings, c) = X, y, _integers(w)
    unit = min(a * c, e)
    return response * int(e / unit) - rows @ loadings * int(a * c / unit), unit


def _squares(X: Array) -> Array:
    """Return the sums of squares of the columns, clipped to the range of floats."""
    squares = np.einsum("pi,pi->i", X, X)
    return np.asarray(np.clip(squares, 2.0**-900, 2.0**900))


def _integers(values: Array) -> Exact:
    """Return floats as integers of Python, in an array of objects, times a power of two."""
    mantissas, exponents = np.frexp(values)
    used = exponents[mantissas != 0]
    least = int(used.min()) - 53 if used.size else 0
    flat = [
        int(m) << (int(e) - 53 - least) if m else 0
        for m, e in zip(np.ldexp(mantissas, 53).ravel().tolist(), exponents.ravel().tolist(), strict=True)
    ]
    integers = np.empty(len(flat), dtype=object)
    integers[:] = flat
    return integers.reshape(values.shape), Fraction(2) ** least
