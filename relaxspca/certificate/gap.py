"""The relative width of a claim: one formula for certificates and for results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from relaxspca.certificate.values import Floats, Ints
from relaxspca.numerics.decimals import float_above

__all__ = ["TINY", "is_zero", "largest_beside", "largest_entry_of", "relative_width"]

ZERO = 2e-9  # of the largest entry: as near to 0 as a search comes
TINY = 2.0**-900  # entries below it are of no account


def relative_width(lower: float, upper: float, *, largest: float = 0.0, least: float = 0.0) -> float:
    r"""Return :math:`(\text{upper}-\text{lower})/|\text{lower}|`, rounded up, and 0 where both bounds are 0.

    Parameters
    ----------
    lower, upper : float
        Bounds (variance).
    largest : float
        Largest modulus of an entry: beside it bounds may be 0 up to its rounding.
    least : float
        Denominator where \|lower\| is smaller (variance).

    Examples
    --------
    >>> relative_width(-2.0, -1.0), relative_width(0.0, 0.0), relative_width(0.0, 1.0)
    (0.5, 0.0, inf)
    """
    if lower >= upper:
        return 0.0
    if math.isinf(lower) or math.isinf(upper):
        return math.inf
    width, scale = Fraction(upper) - Fraction(lower), Fraction(max(abs(lower), least))
    if width >= scale and is_zero(max(abs(lower), abs(upper)), largest):
        return 0.0
    return float_above(width / scale) if scale > 0 else math.inf


def is_zero(value: float, largest: float) -> bool:
    """Say whether a value is 0 up to rounding, for a matrix with that largest entry."""
    return abs(value) <= ZERO * largest


def largest_entry_of(matrix: Floats | None, factor: Floats | None, outside: Ints | Sequence[int] = ()) -> float:
    """Return the largest modulus of the entries of a matrix, or of that of a factor; 0 without either.

    Entries of variables `outside` do not count, unless all others are below 2^-900.
    """
    if factor is not None:
        variances = np.einsum("ri,ri->i", factor, factor)
        return largest_beside(variances, outside)
    return 0.0 if matrix is None else largest_beside(matrix, outside)


def largest_beside(entries: Floats, outside: Ints | Sequence[int] = ()) -> float:
    """Return the largest modulus in a vector or a square matrix, as `largest_entry_of`."""
    kept = entries
    for axis in range(entries.ndim) if len(outside) else ():
        kept = np.delete(kept, outside, axis=axis)
    largest = float(max(kept.max(initial=0.0), -kept.min(initial=0.0)))
    return largest if largest >= TINY or not len(outside) else largest_beside(entries)
