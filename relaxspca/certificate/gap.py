"""The relative width of a claim: one formula for certificates and for results."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from relaxspca.certificate.values import Floats
from relaxspca.numerics.decimals import float_above

__all__ = ["is_zero", "largest_entry_of", "relative_width"]

ZERO = 2e-9  # of the largest entry: as near to 0 as a search comes


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


def largest_entry_of(matrix: Floats | None, factor: Floats | None) -> float:
    """Return the largest modulus of the entries of a matrix, or of that of a factor; 0 without either."""
    if matrix is not None:
        return float(max(matrix.max(), -matrix.min()))
    return 0.0 if factor is None else float(np.einsum("ri,ri->i", factor, factor).max())
