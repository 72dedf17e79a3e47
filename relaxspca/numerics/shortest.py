"""Floats whose shortest decimals, as CSV and JSON have them, are bounds."""

from __future__ import annotations

import math
from fractions import Fraction


def decimal_below(value: float) -> float:
    """Return the largest float whose shortest decimal, as in CSV and JSON, is at most `value`.

    Examples
    --------
    >>> decimal_below(0.3), decimal_below(0.1)  # the float 0.3 is less than 3/10
    (0.29999999999999993, 0.1)
    """
    if not math.isfinite(value) or Fraction(repr(value)) <= Fraction(value):
        return value
    return math.nextafter(value, -math.inf)


def decimal_above(value: float) -> float:
    """Return the smallest float whose shortest decimal, as in CSV and JSON, is at least `value`.

    Examples
    --------
    >>> decimal_above(0.1), decimal_above(0.3)  # the float 0.1 is more than 1/10
    (0.10000000000000002, 0.3)
    """
    if not math.isfinite(value) or Fraction(repr(value)) >= Fraction(value):
        return value
    return math.nextafter(value, math.inf)
