"""Perspective relaxations: (16) of Li and Xie, (18) and (18s) of Bertsimas, Cory-Wright and Pauphilet."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from relaxspca.certificate import PairwisePoint
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
from relaxspca.problem.node import Node

__all__ = ["KINDS", "PerspectivePoint", "pairwise_point", "ratio", "upper_bound"]

# Which of the rows, row_sums, boxes and total constraints each published relaxation has.
KINDS = {
    "li_xie_16": ("rows", "row_sums"),
    "bertsimas_18": ("boxes",),
    "bertsimas_18s": ("rows", "boxes", "total"),
}


@dataclass(frozen=True, eq=False)
class PerspectivePoint:
    r"""Hold multipliers of the perspective constraints, all in the unit of Sigma.

    Attributes
    ----------
    rows, rows_lam : (n, n), (n,)
        Of :math:`\sum_jX_{ij}^2\le X_{ii}z_i`: any matrix W, and lam >= 0.
    row_sums, row_sums_lam : (n, n), (n,)
        Of :math:`(\sum_j|X_{ij}|)^2\le kX_{ii}z_i`: any matrix U, and mu >= 0.
    boxes : (n, n)
        Of :math:`X_{ii}\le z_i`, :math:`|X_{ij}|\le z_i/2`: any matrix B.
    total : (n, n)
        Of :math:`\|X\|_1\le k`: any matrix Q.
    """

    rows: Array
    rows_lam: Array
    row_sums: Array
    row_sums_lam: Array
    boxes: Array
    total: Array

    def __post_init__(self) -> None:
        for name, values in vars(self).items():
            array = as_array(values)
            if not np.isfinite(array).all():
                raise InputError(f"{name} has an entry that is not finite")
            if name.endswith("_lam") and (array < 0).any():
                raise InputError(f"{name} has the negative entry {array.min()}")
            object.__setattr__(self, name, array)


def upper_bound(
    cov: Covariance,
    point: PerspectivePoint,
    k: int,
    *,
    inside: Iterable[int] = (),
    free: Iterable[int] | None = None,
) -> float:
    r"""Evaluate the dual of every perspective relaxation at any multipliers.

    .. math::

        v_k \le \lambda_{\max}\bigl(\Sigma - \mathrm{sym}(W+U+B+Q) + \mathrm{Diag}(\lambda+\mu)\bigr)
        + k\max|Q_{ij}| + (\text{sum of the } k \text{ largest } p_i),

        p_i = \frac{\|w_i\|^2}{4\lambda_i} + \frac{k\|u_i\|_\infty^2}{4\mu_i} + |B_{ii}|
              + \tfrac12\sum_{j\ne i}|B_{ij}|.

    Parameters
    ----------
    cov : Covariance of n variables.
    point : PerspectivePoint
    k : cardinality.
    inside, free : variables that a support must and may hold; by default every variable is free.

    Returns
    -------
    float
        A bound on every such support of k variables; ``-inf`` when there is none.

    Notes
    -----
    Each constraint holds for X = xx' with a k-sparse unit x and z the indicator of its support; each
    multiplier bounds its part of the objective: :math:`w_i'X_i\le\|w_i\|\sqrt{X_{ii}z_i}\le
    \lambda_iX_{ii}+\|w_i\|^2z_i/(4\lambda_i)`, and so on.

    References
    ----------
    .. [1] Y. Li and W. Xie, Exact and approximation algorithms for sparse principal component analysis,
       INFORMS Journal on Computing, 2024, equation (16).
    .. [2] D. Bertsimas, R. Cory-Wright and J. Pauphilet, Solving large-scale sparse PCA to certifiable
       (near) optimality, Journal of Machine Learning Research 23, 2022, equation (18).

    Examples
    --------
    >>> cov, zero = Covariance([[2.0, 1.0], [1.0, 2.0]]), np.zeros((2, 2))
    >>> boxes = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> point = PerspectivePoint(zero, np.zeros(2), zero, np.zeros(2), boxes, zero)
    >>> round(upper_bound(cov, point, 1), 9)
    2.5
    """
    cov.check_complete("a bound")
    node = Node.of(inside, free, range(cov.n))
    if not node.has_supports(k):
        return -math.inf
    variables = node.variables
    block = np.ix_(variables, variables)
    W, U, B, Q = point.rows[block], point.row_sums[block], point.boxes[block], point.total[block]
    lam, mu = point.rows_lam[variables], point.row_sums_lam[variables]
    N = W + U + B + Q
    size = np.abs(W) + np.abs(U) + np.abs(B) + np.abs(Q) + np.diag(lam + mu)
    Sigma = cov.submatrix(variables)
    M = Sigma - (N + N.T) / 2 + np.diag(lam + mu)
    radius = 16 * UNIT_ROUNDOFF * norm_upper(np.abs(Sigma) + size + size.T) + cov.rounding(variables)
    # |B_ii| plus half of the others: half of the row sum plus half of the diagonal.
    boxes = (np.abs(B).sum(axis=1) + np.abs(np.diagonal(B))) / 2
    # A square that underflows loses less than the smallest number.
    squares = np.where(W.any(axis=1), (W**2).sum(axis=1) + len(W) * SMALLEST_DENORMAL, 0.0)
    peaks = np.where(U.any(axis=1), k * (np.abs(U).max(axis=1) ** 2 + SMALLEST_DENORMAL), 0.0)
    price = ratio(squares, 4 * lam) + ratio(peaks, 4 * mu) + boxes
    price = price * (1 + 4 * (len(variables) + 8) * UNIT_ROUNDOFF) + 4 * SMALLEST_DENORMAL
    must = node.is_inside
    chosen = np.concatenate([price[must], -np.sort(-price[~must])[: k - len(node.inside)]])
    whole = math.nextafter(k * np.abs(Q).max(), math.inf)
    return sum_upper(np.array([eigenvalue_upper(M, radius), whole, *chosen]))


def pairwise_point(point: PerspectivePoint, k: int) -> PairwisePoint:
    r"""Turn multipliers of (16) into a pairwise dual point whose bound is never worse.

    .. math:: N=W+U,\quad V=\mathrm{sym}N,\quad \lambda\leftarrow\lambda+\mu,\quad
              S=\tfrac12(r-r'),\ r_{ij}=\frac{N_{ij}^2}{4(\lambda_i+\mu_i)}

    Parameters
    ----------
    point : PerspectivePoint without boxes; its `total` term, if any, is mapped as DSPCA's.
    k : int
        Cardinality.

    Returns
    -------
    PairwisePoint

    Notes
    -----
    By convexity :math:`V_{ij}^2/(2(\lambda_i+\lambda_j))\le(r_{ij}+r_{ji})/2`, so S makes every price at most
    :math:`r_{ij}`. And k entries of row i of N have norm at most :math:`\|w_i\|+\sqrt k\|u_i\|_\infty`,
    whose square over :math:`4(\lambda_i+\mu_i)` is at most the price of (16), by convexity again.

    Examples
    --------
    >>> zero = np.zeros((2, 2))
    >>> rows = np.array([[1.0, 1.0], [0.0, 0.0]])
    >>> pairwise_point(PerspectivePoint(rows, np.ones(2), zero, np.zeros(2), zero, zero), 1).V.tolist()
    [[1.0, 0.5], [0.5, 0.0]]
    """
    if point.boxes.any():
        raise InputError("the box constraints of (18) have no pairwise counterpart: use (16)")
    ceiling = float(np.abs(point.total).max(initial=0.0))
    N = point.rows + point.row_sums + point.total
    lam = point.rows_lam + point.row_sums_lam + k * ceiling / 2
    r = ratio(N**2, 4 * lam[:, None])
    r[~np.isfinite(r)] = 0.0  # such a row makes both bounds infinite
    return PairwisePoint(np.arange(len(N)), V=(N + N.T) / 2, lam=lam, S=(r - r.T) / 2)


def ratio(numerator: Array, denominator: Array) -> Array:
    """Divide, with 0/0 = 0 and x/0 = inf."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    with np.errstate(divide="ignore", over="ignore"):
        return np.divide(numerator, denominator, out=np.zeros(numerator.shape), where=numerator > 0)
