"""The perspective relaxation: (16) of Li and Xie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.certificate import RowsPoint
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import (
    SMALLEST_DENORMAL,
    UNIT_ROUNDOFF,
    Array,
    as_array,
    eigenvalue_upper,
    norm_upper,
    sum_upper,
)
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.perron import formula as perron

__all__ = ["PerspectivePoint", "perron_point", "ratio", "upper_bound"]


@dataclass(frozen=True, eq=False)
class PerspectivePoint:
    r"""Multipliers of the perspective constraints, all in the unit of Sigma.

    Attributes
    ----------
    rows, rows_lam : (n, n), (n,)
        Of :math:`\sum_jX_{ij}^2\le X_{ii}z_i`: any matrix W, and lam >= 0.
    row_sums, row_sums_lam : (n, n), (n,)
        Of :math:`(\sum_j|X_{ij}|)^2\le kX_{ii}z_i`: any matrix U, and mu >= 0.
    """

    rows: Array
    rows_lam: Array
    row_sums: Array
    row_sums_lam: Array

    def __post_init__(self) -> None:
        for name, values in vars(self).items():
            array = as_array(values)
            if not np.isfinite(array).all():
                raise InputError(f"{name} has an entry that is not finite")
            if name.endswith("_lam") and (array < 0).any():
                raise InputError(f"{name} has the negative entry {array.min()}")
            object.__setattr__(self, name, array)


def upper_bound(cov: Covariance, point: PerspectivePoint, k: int) -> float:
    r"""Evaluate the dual of the perspective relaxation at any multipliers.

    .. math::

        v_k \le \lambda_{\max}\bigl(\Sigma - \mathrm{sym}(W+U) + \mathrm{Diag}(\lambda+\mu)\bigr)
        + (\text{sum of the } k \text{ largest } p_i),
        \qquad p_i = \frac{\|w_i\|^2}{4\lambda_i} + \frac{k\|u_i\|_\infty^2}{4\mu_i}.

    Parameters
    ----------
    cov : Covariance of n variables.
    point : PerspectivePoint
    k : cardinality.

    Returns
    -------
    float
        A bound on every support of k variables.

    Notes
    -----
    Each constraint holds for X = xx' with a k-sparse unit x and z the indicator of its support; each
    multiplier bounds its part of the objective: :math:`w_i'X_i\le\|w_i\|\sqrt{X_{ii}z_i}\le
    \lambda_iX_{ii}+\|w_i\|^2z_i/(4\lambda_i)`, and so on.

    References
    ----------
    .. [1] Y. Li and W. Xie, Exact and approximation algorithms for sparse principal component analysis,
       INFORMS Journal on Computing, 2025, equation (16).

    Examples
    --------
    >>> cov, zero = Covariance([[2.0, 1.0], [1.0, 2.0]]), np.zeros((2, 2))
    >>> rows = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> point = PerspectivePoint(rows, np.full(2, 0.5), zero, np.zeros(2))
    >>> round(upper_bound(cov, point, 1), 9)
    3.0
    """
    cov.check_complete("a bound")
    W, U, lam, mu = point.rows, point.row_sums, point.rows_lam, point.row_sums_lam
    N = W + U
    size = np.abs(W) + np.abs(U) + np.diag(lam + mu)
    Sigma = cov.matrix
    M = Sigma - (N + N.T) / 2 + np.diag(lam + mu)
    radius = 16 * UNIT_ROUNDOFF * norm_upper(np.abs(Sigma) + size + size.T) + cov.rounding()
    # A square that underflows loses less than the smallest number.
    squares = np.where(W.any(axis=1), (W**2).sum(axis=1) + len(W) * SMALLEST_DENORMAL, 0.0)
    peaks = np.where(U.any(axis=1), k * (np.abs(U).max(axis=1) ** 2 + SMALLEST_DENORMAL), 0.0)
    charge = ratio(squares, 4 * lam) + ratio(peaks, 4 * mu)
    charge = charge * (1 + 4 * (cov.n + 8) * UNIT_ROUNDOFF) + 4 * SMALLEST_DENORMAL
    return sum_upper(np.array([eigenvalue_upper(M, radius), *np.sort(charge)[cov.n - k :]]))


def perron_point(point: PerspectivePoint, k: int) -> RowsPoint:
    r"""Return the Perron point of multipliers; its bound is at least as good.

    .. math::

        P = \mathrm{offdiag}\,\mathrm{sym}(W+U), \qquad
        N_{ij} = \lambda_i\frac{w_{ij}^2}{\|w_i\|^2} + \frac{\mu_i}{k}
                 + \frac{\|w_j\|^2}{4\lambda_j} + \frac{k\|u_j\|_\infty^2}{4\mu_j}

    Parameters
    ----------
    point : PerspectivePoint
    k : int
        Cardinality.

    Returns
    -------
    RowsPoint

    Notes
    -----
    The charge of row i of W, :math:`\lambda_iw_{ij}^2/\|w_i\|^2`, times the charge of row j for i,
    :math:`\|w_i\|^2/(4\lambda_i)`, is :math:`w_{ij}^2/4`; likewise for U. By Cauchy and Schwarz the
    sums have :math:`N_{ij}N_{ji}\ge P_{ij}^2`. A row of the perspective bound costs at least as much: it pays
    for the largest k variables, and so for itself and any k - 1 others. That row i pays for itself covers the
    diagonal, because :math:`\lambda_iw_{ii}^2/\|w_i\|^2+\|w_i\|^2/(4\lambda_i)\ge|w_{ii}|`, and so on.

    Examples
    --------
    >>> zero = np.zeros((2, 2))
    >>> rows = np.array([[0.0, 1.0], [0.0, 0.0]])
    >>> perron_point(PerspectivePoint(rows, np.ones(2), zero, np.zeros(2)), 1).N.tolist()
    [[0.0, 1.0], [0.25, 0.0]]
    """
    W, U = point.rows, point.row_sums
    squares, peaks = (W**2).sum(axis=1), np.abs(U).max(axis=1) ** 2
    spread = np.where(peaks > 0, point.row_sums_lam, 0.0) / k
    own = point.rows_lam[:, None] * ratio(W**2, squares[:, None]) + spread[:, None]
    others = ratio(squares, 4 * point.rows_lam) + ratio(k * peaks, 4 * point.row_sums_lam)
    N = own + others
    N[~np.isfinite(N)] = 0.0  # such a row makes the perspective bound infinite
    P = W + U
    return perron.perron_point(np.arange(len(P)), (P + P.T) / 2, N)


def ratio(numerator: Array, denominator: Array) -> Array:
    """Divide, with 0/0 = 0 and x/0 = inf."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    with np.errstate(divide="ignore", over="ignore"):
        return np.divide(numerator, denominator, out=np.zeros(numerator.shape), where=numerator > 0)
