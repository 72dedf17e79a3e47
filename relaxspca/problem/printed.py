r"""Bounds on the variance and the inner products of all loadings that round to given printed ones.

Printed loadings c have d decimals, and x rounds to them: :math:`|x_i-c_i|\le h=\tfrac12 10^{-d}` where
:math:`c_i\ne0`, and :math:`x_i=0` where 0 is printed. That hypothesis (the same variables) is part of every
claim. As :math:`|c_i|\ge2h`, no :math:`x_i` on the support T is 0. With S the block of Sigma on the k variables
of T, any t, and :math:`g=(S-tI)c`,

.. math:: x'(S-tI)x = c'g + 2g'(x-c) + (x-c)'(S-tI)(x-c),

where :math:`|2g'(x-c)|\le2h\|g\|_1`, and the last term lies between :math:`-kh^2(t-\lambda_{\min}(S))_+` and
:math:`kh^2(\lambda_{\max}(S)-t)_+`. Divided by :math:`x'x\ge\sum_i(|c_i|-h)^2`, this says how far
:math:`x'Sx/x'x` is from t. Every t is allowed; with :math:`t=c'Sc/c'c` the term :math:`c'g` is about 0.

The inner product of two such vectors is a sum of products of independent entries of known sign: both ends of
its range are sums of the ends for each variable, whole numbers of :math:`h^2`. All values between are attained.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from relaxspca.errors import InputError, counted
from relaxspca.numerics.decimals import float_above
from relaxspca.numerics.linalg import (
    SMALLEST_DENORMAL,
    UNIT_ROUNDOFF,
    Array,
    eigenvalue_upper,
    sum_upper,
)
from relaxspca.problem.covariance import Covariance

__all__ = ["cosine_at_least", "printed_places", "variance_range"]

EXACT = 2**52  # whole numbers up to twice this are floats


def printed_places(loadings: Array, decimals: int, names: Sequence[str]) -> dict[int, int]:
    """Return the nonzero printed loadings as integer multiples of their last decimal place, by variable.

    Raises
    ------
    InputError
        A loading has more decimals than that, or so many digits that a float does not hold them.

    Examples
    --------
    >>> printed_places(np.array([-0.25, 0.0, 1.0]), 2, "abc")
    {0: -25, 2: 100}
    """
    places = {}
    for i in np.flatnonzero(loadings).tolist():
        name, value = names[i], float(loadings[i])
        text = f"{value:.{decimals}f}"
        if float(text) != value:
            raise InputError(
                f"the loading {value!r} of {name} has more than {counted(decimals, 'decimal')}: these are not "
                "the loadings as they were printed. Give those, with the most decimals that any of them has"
            )
        places[i] = int(text.replace(".", ""))
        if abs(places[i]) > EXACT:
            raise InputError(f"the loading {value!r} of {name} is too large for {counted(decimals, 'decimal')}")
    return places


def variance_range(cov: Covariance, places: Mapping[int, int]) -> tuple[float, float]:
    """Return bounds on x'Sx / x'x over all loadings x that round to the printed ones.

    Parameters
    ----------
    cov : Covariance of n variables.
    places : result of `printed_places`, with at least one loading.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> low, high = variance_range(cov, {0: 70, 1: 30})  # (70.5, 29.5) explains 2.712, (69.5, 30.5) 2.736
    >>> 2.711 < low < 2.713, 2.735 < high < 2.737, variance_range(cov, {1: -1})
    (True, True, (2.0, 2.0))
    """
    used = np.array(list(places))
    S, off = cov.submatrix(used), cov.rounding(used)
    if len(used) == 1:
        value = float(S[0, 0])
        return (value, value) if off == 0 else _widened(value, value, off)
    c = 2.0 * np.array(list(places.values()))  # in units of h
    h = math.ldexp(1.0, -math.frexp(float(np.abs(c).max()))[1])  # a power of two, so that c h is exact
    low, high = -eigenvalue_upper(-S), eigenvalue_upper(S)
    least, most = _range(S, c * h, h, low, high)
    return _widened(max(least, low), min(most, high), off)


def _widened(low: float, high: float, by: float) -> tuple[float, float]:
    return math.nextafter(low - by, -math.inf), math.nextafter(high + by, math.inf)


def _range(S: Array, c: Array, h: float, low: float, high: float) -> tuple[float, float]:
    """Return the same bounds for the float matrix S, whose eigenvalues lie between low and high."""
    k = len(c)
    gamma = 4 * (k + 8) * UNIT_ROUNDOFF  # some four times the errors of inner products of length k
    tiny = 8 * k * SMALLEST_DENORMAL
    size = np.abs(c)
    t = float(c @ S @ c / (c @ c))
    g = S @ c - t * c
    errors = gamma * (np.abs(S) @ size + abs(t) * size) + tiny
    slope = sum_upper(np.abs(g) + errors)
    centre = float(c @ g)
    error = sum_upper(size * (errors + gamma * np.abs(g))) * (1 + gamma) + tiny
    if not all(map(math.isfinite, (t, low, high, slope, centre, error))):
        return -math.inf, math.inf
    inner = size - h  # exact: whole numbers of h
    length = Fraction(float(inner @ inner) * (1 - gamma))
    middle, away = Fraction(centre), Fraction(error) + 2 * Fraction(h) * Fraction(slope)
    curved = k * Fraction(h) ** 2
    below = middle - away - curved * max(Fraction(t) - Fraction(low), Fraction(0))
    above = middle + away + curved * max(Fraction(high) - Fraction(t), Fraction(0))
    return (
        -float_above(max(-below, Fraction(0)) / length - Fraction(t)),
        float_above(max(above, Fraction(0)) / length + Fraction(t)),
    )


def cosine_at_least(first: Mapping[int, int], second: Mapping[int, int]) -> float | None:
    """Return a lower bound on |cosine| over all pairs of vectors that round to two printed ones.

    Returns
    -------
    float or None
        More than 0 if no two such vectors are orthogonal; 0 if some are; None if all are.

    Examples
    --------
    >>> cosine_at_least({0: 70, 1: 30}, {1: 20}) > 0.3, cosine_at_least({0: 7, 1: 3}, {0: -3, 1: 7})
    (True, 0.0)
    """
    low = high = 0
    shared = first.keys() & second.keys()
    if not shared:
        return None
    for a, b in ((first[i], second[i]) for i in shared):
        small, large = [(2 * abs(a) + e) * (2 * abs(b) + e) for e in (-1, 1)]
        low, high = (low + small, high + large) if a * b > 0 else (low - large, high - small)
    least = max(low, -high, 0)
    lengths = [sum((2 * abs(a) + 1) ** 2 for a in places.values()) for places in (first, second)]
    square = -float_above(Fraction(-(least**2), lengths[0] * lengths[1]))
    return max(math.nextafter(math.sqrt(square), -math.inf), SMALLEST_DENORMAL) if least else 0.0
