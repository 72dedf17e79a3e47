"""Widths and fractions in print: few digits, percent; floats whose shortest decimals are bounds."""

from __future__ import annotations

import math
from fractions import Fraction

from relaxspca.numerics.decimals import Number, Rounding, rounded, rounded_up, significant, trimmed


def brief_up(value: Number, digits: int = 2) -> str:
    """Return a width in few digits, rounded up and without trailing zeros.

    Examples
    --------
    >>> brief_up(1e-6), brief_up(0.12345)
    ('1e-6', '0.13')
    """
    return trimmed(rounded_up(value, digits))


def percent_up(fraction: Number, digits: int = 2) -> str:
    """Return a fraction in percent, rounded up and without trailing zeros.

    Examples
    --------
    >>> percent_up(0.05712), percent_up(0.5), percent_up(1e-12), percent_up(math.inf)
    ('5.8', '50', '1e-10', 'inf')
    """
    return _percent(fraction, digits, math.ceil)


def percent_down(fraction: Number, digits: int = 3) -> str:
    """Return a fraction in percent, rounded down and without trailing zeros.

    Examples
    --------
    >>> percent_down(0.9999999), percent_down(1.0)
    ('99.9', '100')
    """
    return _percent(fraction, digits, math.floor)


def percent(fraction: float, digits: int = 4) -> str:
    """Return a measured part of a whole in percent, to the nearest decimal; less than the whole is not 100.

    Examples
    --------
    >>> percent(0.2620155), percent(0.9999999), percent(1.0)
    ('26.20', '99.99', '100.0')
    """
    # A measured part is a quotient of sums of floats: nearer to 1 it cannot be told from it.
    return rounded(100 * (min(fraction, 1 - 10.0**-digits) if fraction < 1 - 1e-12 else fraction), digits)


def exact_percent(value: float) -> str:
    """Return a float in percent, exactly: 100 times the shortest decimal that is read back as the float.

    Examples
    --------
    >>> exact_percent(0.07), exact_percent(1 / 3), exact_percent(1.0)
    ('7', '33.33333333333333', '100')
    """
    return trimmed(significant(100 * Fraction(repr(float(value))), 17, round))


def _percent(fraction: Number, digits: int, to: Rounding) -> str:
    return trimmed(significant(100 * Fraction(fraction) if math.isfinite(fraction) else fraction, digits, to))


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
    return -decimal_below(-value)
