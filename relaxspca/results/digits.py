"""How values are printed, six digits unless others are asked for, and how much one is above another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from fractions import Fraction

from relaxspca.numerics.decimals import Interval, interval, rounded_down, rounded_up
from relaxspca.numerics.percent import percent_down, percent_up
from relaxspca.problem.observations import whole_number

MOST_DIGITS = 17
_DIGITS: ContextVar[int] = ContextVar("digits", default=6)
Bounds = tuple[float, float]
LEAST = 1e-8  # part of a value: a smaller gap is printed "< 1e-6" and drawn there
MOST = 100  # times the value: a larger gain is not said in percent, nor is one over a value that may be 0


@contextmanager
def printed_with(digits: int | None) -> Iterator[None]:
    """Print values with so many significant digits within; None changes nothing.

    Examples
    --------
    >>> with printed_with(3):
    ...     at_least(2 / 3)
    '0.666'
    """
    asked = _DIGITS.get() if digits is None else whole_number(digits, "digits", most=MOST_DIGITS)
    token = _DIGITS.set(asked)
    try:
        yield
    finally:
        _DIGITS.reset(token)


def between(lower: float | Fraction, upper: float | Fraction, *, whole: float = math.inf) -> Interval:
    """Return two bounds as they are printed: one rounded value where both round to it, else both.

    Bounds on a part of a whole that are less than it are not rounded to it.

    Examples
    --------
    >>> between(0.25, 0.25).brief, between(0.9999999, 0.9999999, whole=1).brief, between(1, 1, whole=1).brief
    ('0.25', '0.999999 to 1.000000', '1')
    """
    found = interval(lower, upper, _DIGITS.get())
    is_less = upper < whole and found.centre is not None and Fraction(found.centre) == whole
    return replace(found, centre=None) if is_less else found


def at_least(value: float | Fraction) -> str:
    """Return a lower bound as it is printed, rounded down."""
    return rounded_down(value, _DIGITS.get())


def at_most(value: float | Fraction) -> str:
    """Return an upper bound as it is printed, rounded up."""
    return rounded_up(value, _DIGITS.get())


def gain_at_least(value: float, reference: Bounds) -> str:
    """Return how much more a proved lower bound is than another value, rounded down; empty if not proved more.

    It is in percent of the other value where that says anything, else in variance.

    Examples
    --------
    >>> gain_at_least(1.5, (1.0, 1.0)), gain_at_least(1.0, (-0.5, 0.5)), gain_at_least(1.0, (0.5, 1.5))
    ('50 %', '0.500 of variance', '')
    """
    low, high = reference
    if not (math.isfinite(value) and math.isfinite(low) and math.isfinite(high)) or value <= high:
        return ""
    relative = least_relative(value, reference)
    if relative is None or relative > MOST:
        return f"{rounded_down(Fraction(value) - Fraction(high), 3)} of variance"
    return f"{percent_down(relative)} %"


def gain_at_most(value: float, reference: Bounds) -> str:
    """Return how much more a proved upper bound is than another value, rounded up, as `gain_at_least` does.

    Examples
    --------
    >>> gain_at_most(1.5, (1.0, 1.0)), gain_at_most(1.0, (0.0, 0.1)), gain_at_most(math.inf, (1.0, 1.0))
    ('50 %', '1.0 of variance', 'inf %')
    """
    low, high = reference
    if not (math.isfinite(value) and math.isfinite(low) and math.isfinite(high)):
        return "inf %"
    gain = max(Fraction(value) - Fraction(low), Fraction(0))
    relative = None if low <= 0 <= high else max(_relative(value, low), _relative(value, high), Fraction(0))
    if relative is None or relative > MOST:
        return f"{rounded_up(gain, 2)} of variance"
    return f"{percent_up(relative)} %"


def least_relative(value: float, reference: Bounds) -> Fraction | None:
    r"""Return the least of :math:`(v-r)/|r|` over all r between two bounds; None where r may be 0.

    It falls or rises with r as long as r keeps its sign, so that an end of the interval has the least.
    """
    low, high = reference
    return None if low <= 0 <= high else min(_relative(value, low), _relative(value, high))


def _relative(value: float, reference: float) -> Fraction:
    return (Fraction(value) - Fraction(reference)) / abs(Fraction(reference))


def gap_cell(lower: float, upper: float, gap: float) -> str:
    """Return a relative width in percent as a table has it, and that it is 0 where both bounds count as 0.

    Examples
    --------
    >>> gap_cell(1.0, 1.5, 0.5), gap_cell(1.0, 1.0, 4e-13), gap_cell(0.0, 1e-16, 0.0)
    ('50', '< 1e-6', '0 up to rounding')
    """
    if gap == 0 and upper > lower:
        return "0 up to rounding"
    return "< 1e-6" if 0 < gap < LEAST else percent_up(gap)
