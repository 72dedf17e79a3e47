"""Floating point with outward rounding: every number is a midpoint and a radius that holds it.

The one assumption about the machine is IEEE binary64 with rounding to nearest, in which an inner
product of length r, summed in any order and with or without fused multiply-add, errs by at most
gamma_r |x|'|y| + r eta, where gamma_r = r u / (1 - r u), u = 2^-53 and eta = 2^-1074.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

UNIT, ETA = 2.0**-53, 2.0**-1074
# More than the relative rounding error of the few operations that make up a radius.
INFLATE = 1.0 + 2.0**-48


class Ball:
    """An array of real numbers, each within `radius` of `middle`."""

    __array_ufunc__ = None

    def __init__(self, middle: Any, radius: Any = 0.0) -> None:
        self.middle: Floats = np.asarray(middle, dtype=np.float64)
        self.radius: Floats = np.asarray(radius, dtype=np.float64)
        if self.radius.shape != self.middle.shape:
            self.radius = np.broadcast_to(self.radius, self.middle.shape)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.middle.shape

    @property
    def T(self) -> Ball:
        return Ball(self.middle.T, self.radius.T)

    def __getitem__(self, key: Any) -> Ball:
        return Ball(self.middle[key], self.radius[key])

    def __neg__(self) -> Ball:
        return Ball(-self.middle, self.radius)

    def __add__(self, other: Ball) -> Ball:
        return _rounded(self.middle + other.middle, self.radius + other.radius)

    def __sub__(self, other: Ball) -> Ball:
        return self + -other

    def __mul__(self, other: Ball) -> Ball:
        a, b = np.abs(self.middle), np.abs(other.middle)
        spread = a * other.radius + self.radius * b + self.radius * other.radius
        return _rounded(self.middle * other.middle, spread)

    def __matmul__(self, other: Ball) -> Ball:
        a, b, r = np.abs(self.middle), np.abs(other.middle), self.shape[-1]
        spread = _gamma(r) * (a @ b)
        if self.radius.any() or other.radius.any():
            spread = spread + a @ other.radius + self.radius @ (b + other.radius)
        return Ball(self.middle @ other.middle, spread * (1 + 4 * (r + 8) * UNIT) + 4 * (r + 4) * ETA)

    def sum(self, axis: int) -> Ball:
        ones = Ball(np.ones(self.shape[axis]))
        return self @ ones if axis else ones @ self


class Rounded:
    """Arithmetic on `Ball` arrays; bounds are floats rounded upwards, `inf` when one overflows.

    `magnitude` and `total` bound absolute values and sums; `quotient_upper` is `inf` where y may not be > 0.
    """

    name = "rounded outward"
    zero = 0.0

    def array(self, values: Any) -> Ball:
        return Ball(values)

    def upper(self, x: Ball) -> Floats:
        bound = np.nextafter(x.middle + x.radius, np.inf)
        return np.where(np.isnan(bound), np.inf, bound)

    def magnitude(self, x: Ball) -> Floats:
        return self.upper(Ball(np.abs(x.middle), x.radius))

    def total(self, values: Any, axis: int | None = None) -> Any:
        if axis is not None:
            return self.upper(Ball(np.asarray(values, dtype=np.float64)).sum(axis))
        try:
            total = math.fsum(values)
        except (OverflowError, ValueError):
            return math.inf
        above = total if total == -math.inf else math.nextafter(total, math.inf)
        return math.inf if math.isnan(total) else above

    def quotient_upper(self, x: Ball, y: Ball) -> Floats:
        largest, least, most = self.upper(x), -self.upper(-y), self.upper(y)
        divisor = np.where(largest >= 0, least, most)  # a negative quotient is largest for the largest y
        return np.where(least > 0, np.nextafter(largest / divisor, np.inf), np.inf)

    def reciprocal(self, x: Ball) -> Ball:
        """Return what holds 1/x for every x > 0 in the ball; all numbers where it is not positive."""
        least, most = -self.upper(-x), self.upper(x)
        middle = 1 / most
        radius = np.nextafter(np.nextafter(1 / least, np.inf) - np.nextafter(middle, -np.inf), np.inf)
        return Ball(middle, np.where((least > 0) & np.isfinite(radius), radius, np.inf))

    def sqrt_upper(self, x: Ball) -> Floats:
        return np.nextafter(np.sqrt(np.maximum(self.upper(x), 0.0)), np.inf)

    def eigenvalue_upper(self, M: Ball) -> float:
        return self.eigenvalues_upper(M[None])[0]

    def eigenvalues_upper(self, M: Ball) -> list[float]:
        """Return upper bounds on the largest eigenvalues of every symmetric matrix in each of a stack.

        For any tau and any L, tau I - M = L L' + E gives lambda_max(M) <= tau + |E|, as L L' is positive
        semidefinite. tau and L (Cholesky) are what LAPACK finds: neither is trusted, |E| is bounded.
        """
        n = M.shape[1]
        rows = self.total(self.magnitude(M), axis=1).max(axis=1)
        with contextlib.suppress(np.linalg.LinAlgError):
            if np.isfinite(rows).all():
                estimate = np.linalg.eigvalsh(M.middle)[:, -1]
                slack = np.maximum(estimate[:, None] - np.diagonal(M.middle, axis1=1, axis2=2), 0.0).sum(axis=1)
                tau = estimate + 2 * (n + 2) * UNIT * slack + 8 * n * UNIT * rows + 2.0**-1000
                rest = tau[:, None, None] * np.eye(n) - M.middle
                L = np.linalg.cholesky(rest)
                E, sizes = np.abs(rest - L @ np.swapaxes(L, 1, 2)), np.abs(L)
                # Of |L||L'|, and so of what is rounded in LL', the row sums are enough.
                product = self.total(sizes * self.total(np.swapaxes(sizes, 1, 2), axis=1)[:, None], axis=1)
                spread = self.total(M.radius, axis=1) + 2 * UNIT * np.abs(np.diagonal(rest, axis1=1, axis2=2))
                error = self.total(E, axis=1) + spread + _gamma(n + 2) * product + 4 * (n + 4) ** 2 * ETA
                rows = np.minimum(rows, self.upper(Ball(tau) + Ball(error.max(axis=1) * INFLATE)))
        return rows.tolist()  # type: ignore[no-any-return]


def _rounded(middle: Floats, spread: Floats) -> Ball:
    """Enclose the result of one rounded operation whose operands spread it by that much."""
    return Ball(middle, spread * INFLATE + 2 * UNIT * np.abs(middle) + 4 * ETA)


def _gamma(length: int) -> float:
    return length * UNIT / (1 - length * UNIT) * INFLATE
