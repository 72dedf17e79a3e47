"""Exact rational arithmetic: arrays of Fractions, and elimination in whole numbers.

A float64 is rational, so all of this is exact; roots and quotients, needed only as upper bounds, are
rounded upwards to short dyadic numbers, which keeps the numbers small.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

BITS, LARGEST = 120, sys.float_info.max


class Exact:
    """Arithmetic on arrays of Fractions, with the methods of `Rounded`; bounds are Fractions, or `inf`."""

    name = "exact"
    zero = Fraction(0)

    def array(self, values: Any) -> Any:
        return np.frompyfunc(Fraction, 1, 1)(np.asarray(values))

    def upper(self, x: Any) -> Any:
        return x

    def magnitude(self, x: Any) -> Any:
        return np.abs(x)

    def total(self, values: Any, axis: int | None = None) -> Any:
        if axis is not None:
            return np.asarray(values).sum(axis=axis)
        infinite = [x for x in (math.inf, -math.inf) if x in values]
        return infinite[0] if infinite else sum((Fraction(x) for x in values), Fraction(0))

    def quotient_upper(self, x: Any, y: Any) -> Any:
        return np.frompyfunc(lambda a, b: dyadic_above(a / b) if b > 0 else math.inf, 2, 1)(x, y)

    def reciprocal(self, x: Any) -> Any:
        return Fraction(1) / x

    def sqrt_upper(self, x: Any) -> Any:
        return np.frompyfunc(_root_above, 1, 1)(x)

    def eigenvalues_upper(self, blocks: Any) -> list[Fraction]:
        return [self.eigenvalue_upper(block) for block in blocks]

    def eigenvalue_upper(self, M: Any) -> Fraction:
        """Return tau with tau I - M proved positive definite by elimination over the integers."""
        n = M.shape[0]
        rows: Fraction = np.abs(M).sum(axis=1).max()
        try:
            estimate = float(np.linalg.eigvalsh(M.astype(np.float64))[-1])
        except (OverflowError, np.linalg.LinAlgError):
            return rows
        margin = n * rows / 2**52
        while math.isfinite(estimate) and margin < rows:
            tau = Fraction(estimate) + dyadic_above(margin, bits=4)
            rest = -M
            rest[np.diag_indices(n)] += tau
            if is_positive_definite(rest):
                return min(tau, rows)
            margin *= 16
        return rows


def exact_form(own: Any) -> Callable[[Any, Any], Any]:
    """Return the function that gives z'S_TT z in rationals."""
    exact = Exact()

    def form(T: Any, z: Any) -> Any:
        if own.factor is None:
            return z @ (exact.array(own.matrix[np.ix_(T, T)]) @ z)
        image = exact.array(own.factor[:, T]) @ z
        return image @ image

    return form


def float_above(value: Any) -> float:
    """Return the least float that is at least `value`."""
    return 0.0 - float_below(-value)


def float_below(value: Any) -> float:
    """Return the greatest float that is at most `value`."""
    if value < -LARGEST:
        return -math.inf
    near = float(min(value, LARGEST) if value < math.inf else value)
    return near if near <= value else math.nextafter(near, -math.inf)


def below(value: Any, digits: int = 17) -> str:
    """Return a bound in decimals, rounded down from the float below it."""
    return _decimal(float_below(value), digits, ROUND_FLOOR)


def above(value: Any, digits: int = 17) -> str:
    """Return the same, rounded up."""
    return _decimal(float_above(value), digits, ROUND_CEILING)


def _decimal(value: float, digits: int, rounding: str) -> str:
    """Return a float in so many digits, with an exponent where it is very small or large."""
    if value == 0 or not math.isfinite(value):
        return f"{value + 0.0:g}"
    exact = Decimal(value)
    last = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    rounded = exact.quantize(last, rounding, Context(digits + 1))  # which may have a digit more
    if -5 <= rounded.adjusted() <= 15:
        return format(rounded, "f")
    mantissa, _, exponent = format(rounded, "e").partition("e")
    return f"{mantissa}e{int(exponent)}"


def is_positive_definite(M: Any) -> bool:
    """Say whether all leading minors are positive, by Bareiss' fraction-free elimination."""
    # Whole numbers of python-flint are faster when they are long.
    whole: Any = import_module("flint").fmpz if find_spec("flint") else int
    scale = math.lcm(*(x.denominator for x in M.ravel()))
    rest: Any = np.frompyfunc(lambda x: whole(x.numerator * (scale // x.denominator)), 1, 1)(M)
    previous = whole(1)
    # The corner is the next leading minor; the division by the one before leaves no remainder.
    while len(rest) and rest[0, 0] > 0:
        minor = rest[0, 0]
        rest = (rest[1:, 1:] * minor - np.outer(rest[1:, 0], rest[0, 1:])) // previous
        previous = minor
    return not len(rest)


def dyadic_above(value: Fraction, bits: int = BITS) -> Fraction:
    """Return a dyadic number at or just above `value`, which is at least 0."""
    places = Fraction(2) ** (bits - value.numerator.bit_length() + value.denominator.bit_length())
    return Fraction(math.ceil(value * places)) / places


def _root_above(value: Fraction) -> Fraction:
    if value <= 0:
        return Fraction(0)
    places = max(0, BITS - (value.numerator.bit_length() - value.denominator.bit_length()) // 2)
    return Fraction(math.isqrt(math.ceil(value * 4**places)) + 1, 2**places)
