"""The relative gap between two bounds, one definition for every result."""

from __future__ import annotations

import math

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.problem.covariance import Covariance

__all__ = ["is_zero", "largest_entry", "relative_gap"]

ZERO = 2e-9  # of the largest entry: as near to 0 as a search comes


def relative_gap(
    lower: float, upper: float, source: Covariance | Certificate | None = None, *, least: float = 0.0
) -> float:
    r"""Return :math:`(\text{upper}-\text{lower})/|\text{lower}|`, and 0 where both bounds are 0.

    Parameters
    ----------
    lower, upper : float
        Proved bounds (variance).
    source : Covariance or Certificate, optional
        What the bounds speak of: beside it bounds may be 0 up to its rounding. None is no rounding.
    least : float
        Denominator where \|lower\| is smaller (variance).

    Notes
    -----
    A semidefinite matrix has no component of cardinality k and variance 0, but the optimum of an indefinite
    one (an adjacency matrix, k = 1) or of a penalised problem may be 0, where no width is a fraction of it.

    Examples
    --------
    >>> relative_gap(-2.0, -1.0), relative_gap(0.0, 0.0), relative_gap(0.0, 1.0)
    (0.5, 0.0, inf)
    """
    width, scale = max(upper - lower, 0.0), max(abs(lower), least)
    if width == 0:
        return 0.0
    if width >= scale and source is not None and is_zero(max(abs(lower), abs(upper)), largest_entry(source)):
        return 0.0
    return width / scale if scale > 0 else math.inf


def is_zero(value: float, largest: float) -> bool:
    """Say whether a value is 0 up to rounding, for a matrix with that largest entry."""
    return abs(value) <= ZERO * largest


def largest_entry(source: Covariance | Certificate) -> float:
    """Return the largest modulus of the entries; it is a variance where the matrix is semidefinite."""
    if isinstance(source, Covariance):
        entries = source.matrix if source.shift else source.diagonal
    elif source.matrix is not None:
        entries = source.matrix
    else:
        assert source.factor is not None
        entries = np.einsum("ri,ri->i", source.factor, source.factor)
    return float(np.abs(entries).max())
