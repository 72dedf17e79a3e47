"""A proved lower bound on the loss of one-factor encoders with r variables, from any bound on v_r."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from relaxspca.certificate import Description
from relaxspca.numerics.linalg import (
    MANY,
    UNIT_ROUNDOFF,
    Array,
    eigenvalue_upper,
    least_eigenvalue,
    norm_upper,
    product_radius,
    round_up,
    sum_upper,
)
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gram import DenseGram


def varying(cov: Covariance) -> npt.NDArray[np.int64]:
    """Return the variables whose row of Sigma is not zero; the others do not affect any loss."""
    return np.flatnonzero(np.abs(cov.matrix).max(axis=1) > 0.0)


def ratio_upper(cov: Covariance, r: int, g: float, bound: Callable[[Covariance, int], float]) -> float:
    r"""Return a proved upper bound on the ratio over r-sparse encoders, from any upper bound on v_r.

    .. math:: \frac{h'\Sigma^2h}{h'\Sigma h} \le g + \frac{\max(0,\ v_r(\Sigma^2 - g\Sigma))}{\mu}

    `bound` is a proved upper bound on v_r of the (indefinite) matrix that it is given, and g any number: the
    closer to the optimum, the tighter the result. That is g when the bound on ``v_r(Sigma^2 - g Sigma)`` is not
    positive, else g plus the bound over `sparse_eigenvalue_floor`; never more than the proved largest
    eigenvalue of Sigma.
    """
    exact = _Exact.of(cov)
    matrix, radius = exact.shifted_square(g)
    excess = sum_upper(np.array([bound(_indefinite(matrix, g), r), radius]))
    if excess <= 0.0:
        return min(g, exact.largest)
    room = exact.largest - g
    floor = sparse_eigenvalue_floor(cov, r, needed=excess / room) if room > 0.0 else 0.0
    if floor <= 0.0:
        return exact.largest
    return min(math.nextafter(g + math.nextafter(excess / floor, math.inf), math.inf), exact.largest)


def loss_from_ratio(cov: Covariance, ratio: float) -> float:
    """Return ``tr Sigma - ratio``, rounded down and at least 0."""
    exact = _Exact.of(cov)
    missing = np.full(cov.n, exact.radius)
    return max(-sum_upper(np.concatenate([-np.diagonal(exact.matrix), missing, [ratio]])), 0.0)


def sparse_eigenvalue_floor(cov: Covariance, r: int, *, needed: float = 0.0) -> float:
    r"""Return a proved :math:`\mu \ge 0` with :math:`h'\Sigma h \ge \mu|h|^2` for every r-sparse h.

    The better of the least eigenvalue of Sigma and of Gershgorin's discs with r - 1 neighbours,
    ``min_i (Sigma_ii - sum of the r - 1 largest |Sigma_ij|)``. Of many variables the eigenvalue, which takes
    long, is left out where it is below what is `needed`.

    Examples
    --------
    >>> cov = Covariance([[1.0, 0.5, 0.5], [0.5, 1.0, -0.5], [0.5, -0.5, 1.0]])
    >>> round(sparse_eigenvalue_floor(cov, 2), 12), round(sparse_eigenvalue_floor(cov, 3), 12)
    (0.5, 0.0)
    """
    exact = _Exact.of(cov)
    neighbours = np.abs(exact.matrix - np.diag(np.diagonal(exact.matrix)))
    largest = np.sort(neighbours, axis=1)[:, cov.n - (r - 1) :]
    discs = [
        sum_upper(np.concatenate([row, [-variance, exact.radius]]))
        for row, variance in zip(largest, np.diagonal(exact.matrix), strict=True)
    ]
    floor = max(-max(discs), 0.0)
    moved = exact.matrix - exact.largest * np.eye(cov.n) if cov.n > MANY else None
    if moved is not None and exact.largest + least_eigenvalue(moved, tol=1e-3) < needed:
        return floor
    return max(floor, -eigenvalue_upper(-exact.matrix, exact.radius))


def _indefinite(matrix: Array, g: float) -> Covariance:
    """Return a matrix with the eigenvalues t^2 - gt, t >= 0, none of which is below -g^2/4."""
    n = len(matrix)
    if n > MANY:
        shift = max(g, 0.0) ** 2 / 4 + 16 * n * np.finfo(float).eps * float(np.abs(matrix).max())
        return Covariance._made(DenseGram(matrix), None, Description(), shift=shift)
    with without_data_warnings():
        # The warning is about a shift that is not used: the bounds take the indefinite matrix.
        return Covariance(matrix)


@dataclass(frozen=True, eq=False)
class _Exact:
    """Sigma as floats, with a proved bound on their error, and its largest eigenvalue.

    A matrix given by its entries may be indefinite by rounding. Bounds are then for Sigma + delta I, with a
    proved delta >= 0 that makes it semidefinite; delta is added to the error of the floats.
    """

    cov: Covariance
    radius: float

    @classmethod
    def of(cls, cov: Covariance) -> _Exact:
        radius = cov.rounding()
        return cls(cov, radius if cov.is_factored else round_up(radius + cov.negative_part))

    @property
    def matrix(self) -> Array:
        return self.cov.matrix

    @property
    def largest(self) -> float:
        """Proved upper bound on the largest eigenvalue."""
        return round_up(self.cov.largest_upper + self.radius)

    def shifted_square(self, g: float) -> tuple[Array, float]:
        """Return ``Sigma^2 - g Sigma`` as floats and a bound on the spectral norm of their error."""
        square = self.matrix @ self.matrix
        square = (square + square.T) / 2.0
        M = square - g * self.matrix
        size = norm_upper(self.matrix)
        rounding = norm_upper(4.0 * UNIT_ROUNDOFF * (np.abs(square) + abs(g) * np.abs(self.matrix)))
        moved = self.radius * (2.0 * size + self.radius + abs(g))
        missed = product_radius(self.matrix, self.matrix) + rounding + moved
        return M, missed * (1.0 + 16.0 * UNIT_ROUNDOFF)
