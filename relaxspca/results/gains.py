"""How much more one value is than another: in percent, or in variance where no percentage says anything."""

from __future__ import annotations

import math
from fractions import Fraction

from relaxspca.numerics.decimals import percent_down, percent_up, rounded_down, rounded_up

__all__ = ["gain_at_least", "gain_at_most", "gap_cell"]

MOST = 100  # times the value: a larger gain is not said in percent, nor is one over a value that is not known
ROUNDING = Fraction(1, 10**12)  # of the values, which are floats near to the truth


def gain_at_least(value: float, reference: float, *, in_percent: bool = True) -> str:
    """Return how much more a value is than another, rounded down, in percent of it where that says anything.

    Examples
    --------
    >>> gain_at_least(1.5, 1.0), gain_at_least(1.0, 1e-30)
    ('49.9 %', '0.999 of variance')
    """
    if not (math.isfinite(value) and math.isfinite(reference)):
        return "nothing that is known"
    over, under = Fraction(value), Fraction(reference)
    gain = max(over - under - ROUNDING * (abs(over) + abs(under)), Fraction(0))
    if not in_percent or gain > MOST * abs(under):
        return f"{rounded_down(gain, 3)} of variance"
    return f"{percent_down(gain / abs(under) if under else gain)} %"


def gain_at_most(value: float, reference: float, *, in_percent: bool = True) -> str:
    """Return how much more a value is than another, rounded up, in percent of it where that says anything.

    Examples
    --------
    >>> gain_at_most(1.5, 1.0), gain_at_most(1.0, 0.0), gain_at_most(math.inf, 1.0)
    ('51 %', '1.1 of variance', 'inf %')
    """
    if not (math.isfinite(value) and math.isfinite(reference)):
        return "inf %"
    over, under = Fraction(value), Fraction(reference)
    gain = max(over - under, Fraction(0)) + ROUNDING * (abs(over) + abs(under))
    if not in_percent or gain > MOST * abs(under):
        return f"{rounded_up(gain, 2)} of variance"
    return f"{percent_up(gain / abs(under) if under else gain)} %"


def gap_cell(lower: float, upper: float, gap: float) -> str:
    """Return a relative width in percent as a table has it.

    Parameters
    ----------
    lower, upper : proved bounds.
    gap : their relative width, which is 0 where both are 0 beside the entries of the matrix.

    Examples
    --------
    >>> gap_cell(1.0, 1.5, 0.5), gap_cell(0.0, 1e-16, 0.0)
    ('50', '0 up to rounding')
    """
    return "0 up to rounding" if gap == 0 and upper > lower else percent_up(gap)
