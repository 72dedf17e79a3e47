"""How many digits of a value are printed: six, unless a caller asks for others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction

from relaxspca.errors import InputError
from relaxspca.numerics.decimals import Interval, interval, rounded_down, rounded_up

USUAL, MOST = 6, 17
_DIGITS: ContextVar[int] = ContextVar("digits", default=USUAL)


@contextmanager
def printed_with(digits: int | None) -> Iterator[None]:
    """Print values with so many significant digits within; None changes nothing.

    Examples
    --------
    >>> with printed_with(3):
    ...     at_least(2 / 3)
    '0.666'
    """
    if digits is None:
        yield
        return
    if isinstance(digits, bool) or digits != int(digits) or not 1 <= digits <= MOST:
        raise InputError(f"digits must be a whole number from 1 to {MOST}, not {digits!r}")
    token = _DIGITS.set(int(digits))
    try:
        yield
    finally:
        _DIGITS.reset(token)


def between(lower: float | Fraction, upper: float | Fraction) -> Interval:
    """Return two bounds as they are printed: one rounded value where both round to it, else both."""
    return interval(lower, upper, _DIGITS.get())


def at_least(value: float | Fraction) -> str:
    """Return a lower bound as it is printed, rounded down."""
    return rounded_down(value, _DIGITS.get())


def at_most(value: float | Fraction) -> str:
    """Return an upper bound as it is printed, rounded up."""
    return rounded_up(value, _DIGITS.get())
