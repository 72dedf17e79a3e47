r"""Scaling of Sigma by exact powers of four to entries near 1, for methods with absolute tolerances.

Cone solvers have absolute tolerances, and products of variances leave the floating range long before Sigma
does. With c a power of four, c Sigma has the same floats but for their exponents, and
:math:`v_k(c\Sigma)=c\,v_k(\Sigma)` holds without any rounding.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeVar

import numpy as np

from relaxspca.certificate import FactorPoint, Point, RowsPoint
from relaxspca.numerics.linalg import Array, round_up
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance

AnyPoint = TypeVar("AnyPoint", bound=Point | None)

# Beyond 4**20, about 1e12, or below its inverse: products of a few variances, some of them far smaller than
# others, may leave the floating range.
EXTREME = 20
LARGEST_PENALTY = 2.0**400  # beyond every variance of a normalised Sigma; larger penalties change nothing


def normalised(cov: Covariance, *, beyond: int = 0) -> tuple[Covariance, int]:
    r"""Return :math:`4^{-q}\Sigma` with a largest entry between about 1 and 4, and q.

    Sigma itself, with q = 0, is returned where \|q\| would be no more than `beyond`, or digits of tiny entries
    would be lost.

    Examples
    --------
    >>> scaled, q = normalised(Covariance([[32.0, 16.0], [16.0, 64.0]]))
    >>> scaled.matrix.tolist(), q
    ([[0.5, 0.25], [0.25, 1.0]], 3)
    """
    size = float(np.abs(cov.diagonal).max()) + cov.shift
    q = (math.frexp(size)[1] - 1) // 2 if size > 0 else 0
    if abs(q) <= beyond:
        return cov, 0
    scaled = cov.scaled(-q)
    return (cov, 0) if scaled is None else (scaled, q)


def value_times(value: float, q: int) -> float:
    """Return value * 4**q in floating point, infinite on overflow."""
    with np.errstate(over="ignore", under="ignore"):
        return float(np.ldexp(value, 2 * q))


def penalty_times(rho: float, q: int) -> float:
    r"""Return a penalty rounded down from rho * 4**q; a bound on :math:`\phi` or psi there holds at both.

    Both fall as the penalty grows, so a bound at the rounded penalty holds at rho 4**q too.

    Examples
    --------
    >>> penalty_times(1.5, -2), penalty_times(5e-324, -1), penalty_times(1e300, 300) == LARGEST_PENALTY
    (0.09375, 0.0, True)
    """
    penalty = value_times(rho, q)
    if value_times(penalty, -q) > rho:
        penalty = math.nextafter(penalty, 0.0)
    return min(penalty, LARGEST_PENALTY)


def upper_times(upper: float, q: int) -> float:
    """Return upper * 4**q, rounded upwards.

    Examples
    --------
    >>> upper_times(1.5, 2), upper_times(1.5, -600) > 0
    (24.0, True)
    """
    product = value_times(upper, q)
    return product if value_times(product, -q) == upper else round_up(product)


def candidate_times(found: Candidate, q: int) -> Candidate:
    """Return a component of Sigma as a component of 4**q Sigma: only its value changes."""
    return found if q == 0 else replace(found, value=value_times(found.value, q))


def point_times(point: AnyPoint, q: int) -> AnyPoint:
    """Return a dual point for Sigma as one for 4**q Sigma; weights and None stay as they are."""
    if q == 0:
        return point
    if isinstance(point, FactorPoint):
        # The vectors stay feasible at a higher penalty.
        return replace(
            point,
            rho=upper_times(point.rho, q),
            vectors=_times(point.vectors, q),
            factor=None if point.factor is None else _times(point.factor, q),
            shift=float(np.ldexp(point.shift, 2 * q)),
        )
    if isinstance(point, RowsPoint) and point.P is not None:
        return replace(point, P=_times(point.P, 2 * q), N=_times(point.N, 2 * q))
    return point


def _times(values: Array, exponent: int) -> Array:
    with np.errstate(under="ignore"):
        return np.asarray(np.ldexp(values, exponent))
