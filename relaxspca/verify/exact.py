"""Exact rational arithmetic: arrays of Fractions, and elimination in whole numbers.

Every float64 is a rational number, so all of this is exact; where a root or a quotient is only needed
as an upper bound, it is rounded upwards to a short dyadic number, which keeps the numbers small.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:  # whole numbers of python-flint are faster when they are long
    from flint import fmpz as whole
except ImportError:
    whole = int

Rationals = NDArray[np.object_]
BITS = 120


class Exact:
    """Arithmetic on arrays of Fractions; bounds are Fractions, or `inf`."""

    name = "exact"
    zero = Fraction(0)

    def array(self, values: Any) -> Rationals:
        """Return floats as the rationals that they are."""
        given = np.asarray(values)
        return _objects([Fraction(x) for x in given.ravel().tolist()], given.shape)

    def join(self, A: Rationals, B: Rationals) -> Rationals:
        """Return the columns of A, then those of B."""
        return np.concatenate([A, B], axis=1)

    def upper(self, x: Rationals) -> Rationals:
        """Return x: nothing is rounded."""
        return x

    def magnitude(self, x: Rationals) -> Rationals:
        """Return absolute values."""
        return np.abs(x)

    def diagonal(self, x: Rationals) -> Rationals:
        """Return the diagonal matrix."""
        return np.diag(x)

    def total(self, values: Any, axis: int | None = None) -> Any:
        """Return the sum."""
        if axis is not None:
            return np.asarray(values).sum(axis=axis)
        return math.inf if math.inf in values else sum((Fraction(x) for x in values), Fraction(0))

    def multiple(self, value: Any, count: int) -> Fraction:
        """Return value * count."""
        return Fraction(value) * count

    def ratio(self, x: Rationals, y: Rationals) -> Rationals:
        """Return dyadic numbers near x / y; 0 where y is 0."""
        pairs = zip(x.ravel(), y.ravel(), strict=True)
        return _objects([_dyadic_above(a / b) if b else Fraction(0) for a, b in pairs], x.shape)

    def quotient_upper(self, x: Rationals, y: Rationals) -> Rationals:
        """Return upper bounds on x / y for x >= 0; `inf` where y is not positive."""
        pairs = zip(x.ravel(), y.ravel(), strict=True)
        return _objects([_dyadic_above(a / b) if b > 0 else math.inf for a, b in pairs], x.shape)

    def sqrt_upper(self, x: Rationals) -> Rationals:
        """Return upper bounds on square roots of numbers that are at least 0."""
        return _objects([_root_above(a) for a in x.ravel()], x.shape)

    def eigenvalue_upper(self, M: Rationals) -> Fraction:
        """Return tau with tau I - M proved positive definite by elimination over the integers."""
        n = M.shape[0]
        if n == 1:
            return Fraction(M[0, 0])
        rows: Fraction = np.abs(M).sum(axis=1).max()
        try:
            estimate = float(np.linalg.eigvalsh(M.astype(np.float64))[-1])
        except (OverflowError, np.linalg.LinAlgError):
            return rows
        margin = n * rows / 2**52
        while math.isfinite(estimate) and margin < rows:
            tau = Fraction(estimate) + _dyadic_above(margin, bits=4)
            if _is_positive_definite(tau * np.eye(n, dtype=object) - M):
                return min(tau, rows)
            margin *= 16
        return rows


def quotient(z: Rationals, image: Rationals) -> Fraction:
    """Return z'y / z'z for the image y = Sigma z."""
    return Fraction((z * image).sum()) / Fraction((z * z).sum())


def float_above(value: Any) -> float:
    """Return the least float that is at least `value`."""
    return -float_below(-value)


def float_below(value: Any) -> float:
    """Return the greatest float that is at most `value`."""
    try:
        near = float(value)
    except OverflowError:
        near = math.inf if value > 0 else -math.inf
    return near if near <= value else math.nextafter(near, -math.inf)


def _is_positive_definite(M: Rationals) -> bool:
    """Say whether all leading minors are positive, by Bareiss' division-free elimination."""
    scale = math.lcm(*(x.denominator for x in M.ravel()))
    rest = _objects([whole(int(x * scale)) for x in M.ravel()], M.shape)
    previous = whole(1)
    while True:
        pivot = rest[0, 0]
        if pivot <= 0:
            return False
        if rest.shape[0] == 1:
            return True
        # Bareiss: the division leaves no remainder, and the new pivot is the next leading minor.
        rest = (rest[1:, 1:] * pivot - np.outer(rest[1:, 0], rest[0, 1:])) // previous
        previous = pivot


def _dyadic_above(value: Fraction, bits: int = BITS) -> Fraction:
    """Return a dyadic number at or just above `value`, which is at least 0."""
    places = Fraction(2) ** (bits - value.numerator.bit_length() + value.denominator.bit_length())
    return Fraction(math.ceil(value * places)) / places


def _root_above(value: Fraction) -> Fraction:
    if value <= 0:
        return Fraction(0)
    places = max(0, BITS - (value.numerator.bit_length() - value.denominator.bit_length()) // 2)
    return Fraction(math.isqrt(math.ceil(value * 4**places)) + 1, 2**places)


def _objects(values: list[Any], shape: tuple[int, ...]) -> Rationals:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array.reshape(shape)
