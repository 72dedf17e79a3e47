"""Bounds in decimals: rounded outwards, or printed as their common digits with an error radius."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

Number = float | Fraction
Rounding = Callable[[Fraction], int]

# Bounds nearer than this fraction are printed as their common digits.
CLOSE = Fraction(1, 10**6)
# Powers of ten outside this range are printed with an exponent.
SMALL, LARGE = -5, 15


def rounded_down(value: Number, digits: int = 7) -> str:
    """Return a lower bound in decimals, rounded down.

    Examples
    --------
    >>> rounded_down(2 / 3), rounded_down(2.0), rounded_down(-2 / 3, 3)
    ('0.6666666', '2.000000', '-0.667')
    """
    return significant(value, digits, math.floor)


def rounded_up(value: Number, digits: int = 7) -> str:
    """Return an upper bound in decimals, rounded up.

    Examples
    --------
    >>> rounded_up(2 / 3), rounded_up(-0.0), rounded_up(12345678.9, 3)
    ('0.6666667', '0', '12400000')
    """
    return significant(value, digits, math.ceil)


def rounded(value: Number, digits: int = 4) -> str:
    """Return the nearest decimal of `digits` significant digits; for measured values, never for bounds.

    Examples
    --------
    >>> rounded(2 / 3), rounded(1e-300, 2)
    ('0.6667', '1.0e-300')
    """
    return significant(value, digits, round)


def exact_decimal(value: float) -> str:
    """Return the shortest decimal that is read back as the same float; for a penalty, for example.

    Examples
    --------
    >>> exact_decimal(0.1234564), exact_decimal(2.0), exact_decimal(1e-9)
    ('0.1234564', '2', '1e-9')
    """
    text = repr(float(value)).removesuffix(".0")
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else text


def float_above(value: Fraction) -> float:
    """Return the smallest float that is at least a rational number.

    Examples
    --------
    >>> float_above(Fraction(1, 3)) > Fraction(1, 3), float_above(Fraction(1, 2))
    (True, 0.5)
    """
    try:
        near = float(value)
    except OverflowError:
        return math.inf if value > 0 else -1.7976931348623157e308
    return near if near >= value else math.nextafter(near, math.inf)


@dataclass(frozen=True)
class Interval:
    """Two bounds in decimals, rounded such that the printed statement holds.

    Attributes
    ----------
    lower, upper : str
        Rounded outwards.
    centre, radius : str or None
        The common digits of the bounds, and the most by which a bound differs from them; None when far apart.
    is_rounded : bool
        Whether both bounds round to `centre`: they differ from it by half a unit of its last digit at most.
    """

    lower: str
    upper: str
    centre: str | None = None
    radius: str | None = None
    is_rounded: bool = False

    def text(self, symbol: str) -> str:
        """Return "lower <= symbol <= upper", or "symbol = centre (±radius)"."""
        if self.centre is not None:
            return f"{symbol} = {self.cell}"
        return f"{self.lower} <= {symbol} <= {self.upper}"

    @property
    def cell(self) -> str:
        """The interval without a symbol, for a table."""
        if self.centre is None:
            return f"{self.lower} to {self.upper}"
        return self.centre if self.radius == "0" else f"{self.centre} (±{self.radius})"

    @property
    def brief(self) -> str:
        """The cell, with no radius where the digits are the nearest to both bounds."""
        return self.centre if self.is_rounded and self.centre is not None else self.cell


def interval(lower: Number, upper: Number, digits: int = 12) -> Interval:
    """Return two bounds in decimals as all outputs print them: common digits if close, else both.

    Either bound may be infinite; there are so many significant digits at most.

    Notes
    -----
    The print holds for every float: the numbers are rounded from their exact binary values, `lower` and `upper`
    outwards, and `radius` up from the larger of the two distances to the decimal that is printed as `centre`.

    Examples
    --------
    >>> interval(3.4061549467, 3.4061549469).text("v_5")
    'v_5 = 3.4061549468 (±1.1e-10)'
    >>> interval(2.5961896443, 2.6010561).text("phi(0.2)")
    '2.596189 <= phi(0.2) <= 2.601057'
    """
    if not (math.isfinite(lower) and math.isfinite(upper)):
        return Interval(rounded_down(lower, digits), rounded_up(upper, digits))
    below, above = Fraction(lower), Fraction(upper)
    middle, half = (below + above) / 2, (above - below) / 2
    if half <= CLOSE * abs(middle) or half == 0:
        return _shared(below, above, digits)
    # Both end three digits after the first in which they differ.
    first = max(_exponent(below), _exponent(above))
    place = max(first - digits + 1, min(_exponent(above - below) - 3, first))
    unit = Fraction(10) ** place
    return Interval(in_digits(math.floor(below / unit), place), in_digits(math.ceil(above / unit), place))


def _shared(below: Fraction, above: Fraction, digits: int) -> Interval:
    middle, half = (below + above) / 2, (above - below) / 2
    if middle == 0:
        return Interval("0", "0", "0", "0", is_rounded=True)
    place = _exponent(middle) - digits + 1
    if half:
        place = max(place, _exponent(half))
    unit = Fraction(10) ** place
    centre = round(middle / unit)
    away = max(above - centre * unit, centre * unit - below)
    lower, upper = significant(below, digits, math.floor), significant(above, digits, math.ceil)
    written = in_digits(centre, place)
    return Interval(
        lower,
        upper,
        written if away else trimmed(written),
        trimmed(significant(away, 2, math.ceil)),
        is_rounded=2 * away <= unit,
    )


def significant(value: Number, digits: int, to: Rounding) -> str:
    """Return a number in so many significant digits, rounded as said."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value:g}"
    exact = Fraction(value)
    if exact == 0:
        return "0"
    place = _exponent(exact) - digits + 1
    return in_digits(to(exact / Fraction(10) ** place), place)


def _exponent(value: Fraction) -> int:
    """Return the power of ten of the first digit; -400 for 0."""
    if value == 0:
        return -400
    size = abs(value)
    guess = len(str(size.numerator)) - len(str(size.denominator))
    return guess if size >= Fraction(10) ** guess else guess - 1


def in_digits(integer: int, place: int) -> str:
    """Return integer * 10^place as text."""
    if integer == 0:
        return "0"
    decimal = Decimal((int(integer < 0), tuple(int(c) for c in str(abs(integer))), place))
    if SMALL <= decimal.adjusted() <= LARGE:
        return format(decimal, "f")
    mantissa, _, exponent = format(decimal, "e").partition("e")
    return f"{mantissa}e{int(exponent)}"


def trimmed(text: str) -> str:
    """Return a decimal without its last zeros."""
    mantissa, mark, exponent = text.partition("e")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + mark + exponent
