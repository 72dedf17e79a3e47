"""The perspective relaxation, (16) of Li and Xie: its formula and its cone programs for cvxpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import (
    SMALLEST_DENORMAL,
    UNIT_ROUNDOFF,
    Array,
    eigenvalue_upper,
    norm_upper,
    sum_upper,
)
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.model import Model, current_cardinality
from relaxspca.relaxations.perron import formula as perron
from relaxspca.results.bound import Bound


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


def upper_bound(cov: Covariance, point: PerspectivePoint, k: int) -> float:
    r"""Evaluate the dual of the perspective relaxation at any multipliers.

    .. math::

        v_k \le \lambda_{\max}\bigl(\Sigma - \mathrm{sym}(W+U) + \mathrm{Diag}(\lambda+\mu)\bigr)
        + (\text{sum of the } k \text{ largest } p_i),
        \qquad p_i = \frac{\|w_i\|^2}{4\lambda_i} + \frac{k\|u_i\|_\infty^2}{4\mu_i}.

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


def model(cov: Covariance, k: int, *, dual: bool = False) -> Model:
    r"""Return the primal cone program, or the dual one, which is that of `upper_bound`.

    .. math:: \max\ \langle\Sigma,X\rangle:\ &\mathrm{tr}X=1,\ X\succeq0,\ \sum_iz_i=k,\ 0\le z\le1,\\
        &\sum_jX_{ij}^2\le X_{ii}z_i,\ \Bigl(\sum_jS_{ij}\Bigr)^2\le kX_{ii}z_i,\ |X_{ij}|\le S_{ij}

    `Model.point` is a `PerspectivePoint`; for the primal form it is read from the multipliers.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality, 1 to n.
    dual : bool
        The dual form.

    Returns
    -------
    Model
        With variables X, z and S; of the dual form the matrices W, U and weights lambda, mu.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n.

    References
    ----------
    .. [1] Y. Li and W. Xie, INFORMS Journal on Computing, 2025, equation (16).

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> round(model(cov, 1).solve(), 5)
    2.0
    >>> found = model(cov, 1, dual=True)
    >>> round(found.solve(), 4), found.bound()
    (2.0, Largest variance with at most 1 variable: at most 2.0000..., by the relaxation perspective, ...)
    """
    return (_dual if dual else _primal)(cov, checked_cardinality(cov, k))


def _primal(cov: Covariance, k: int) -> Model:
    import cvxpy as cp

    n = cov.n
    most = cp.Parameter(name="k", nonneg=True, value=k)
    X = cp.Variable((n, n), PSD=True, name="X")
    S, z = cp.Variable((n, n), name="S"), cp.Variable(n, name="z")
    sums = cp.reshape(cp.sum(S, axis=1), (1, n), order="C")
    named = {
        "rows": _product_cone(X, cp.diag(X), z),
        "row_sums": _product_cone(sums, most * cp.diag(X), z),
        "above": X <= S,
        "below": -X <= S,
    }
    constraints = [cp.trace(X) == 1, cp.sum(z) == most, z >= 0, z <= 1, *named.values()]
    return Model(
        name="Li and Xie (16), primal form",
        formula=r"\max_{X,z}\ \langle\Sigma,X\rangle:\quad \mathrm{tr}X=1,\ X\succeq0,\ 1'z=k,\ 0\le z\le1"
        r",\ \sum_jX_{ij}^2\le X_{ii}z_i,\ (\sum_j|X_{ij}|)^2\le kX_{ii}z_i",
        cov=cov,
        problem=cp.Problem(cp.Maximize(cp.trace(cov.matrix @ X)), constraints),
        variables={"X": X, "z": z, "S": S},
        parameters={"k": most},
        reads=lambda: _of_multipliers(named, current_cardinality(cov, most)),
        proves=lambda point: proved_bound(cov, point, current_cardinality(cov, most)),
    )


def _dual(cov: Covariance, k: int) -> Model:
    import cvxpy as cp

    n = cov.n
    W, U = cp.Variable((n, n), name="W"), cp.Variable((n, n), name="U")
    lam, mu = cp.Variable(n, name="lambda"), cp.Variable(n, name="mu")
    charges = cp.hstack([cp.quad_over_lin(W[i], 4 * lam[i]) for i in range(n)]) + cp.hstack(
        [k * cp.quad_over_lin(cp.norm_inf(U[i]), 4 * mu[i]) for i in range(n)]
    )
    N = W + U
    M = cov.matrix - (N + N.T) / 2 + cp.diag(lam + mu)
    return Model(
        name="Li and Xie (16), dual form",
        formula=r"\min\ \lambda_{\max}\bigl(\Sigma-\mathrm{sym}(W+U)+\mathrm{Diag}(\lambda+\mu)\bigr)"
        r"+(\text{sum of the } k \text{ largest } p_i),\quad "
        r"p_i=\tfrac{\|w_i\|^2}{4\lambda_i}+\tfrac{k\|u_i\|_\infty^2}{4\mu_i}",
        cov=cov,
        problem=cp.Problem(cp.Minimize(cp.lambda_max(M) + cp.sum_largest(charges, k)), [lam >= 0, mu >= 0]),
        variables={"W": W, "U": U, "lambda": lam, "mu": mu},
        reads=lambda: _point(W.value, lam.value, U.value, mu.value, k),
        proves=lambda point: proved_bound(cov, point, k),
    )


def proved_bound(cov: Covariance, point: PerspectivePoint, k: int) -> Bound:
    """Return the bound that multipliers prove, with a Perron point for a certificate."""
    return Bound(k, upper_bound(cov, point, k), "perspective", perron_point(point, k))


def _product_cone(columns: Any, first: Any, second: Any) -> Any:
    """Return the constraints |columns_i|^2 <= first_i second_i for all i as second-order cones."""
    import cvxpy as cp

    difference = cp.reshape(first - second, (1, first.shape[0]), order="C")
    return cp.SOC(first + second, cp.vstack([2 * columns, difference]), axis=0)


def _of_multipliers(named: dict[str, Any], k: int) -> PerspectivePoint:
    r"""Return the dual point from the multipliers of the primal program.

    Multipliers :math:`s\ge\|u\|` of a cone add :math:`2u_1'X_i+(s+u_2)X_{ii}+(s-u_2)z_i` to the objective:
    :math:`w_i=-2u_1`, :math:`\lambda_i=s+u_2` and the charge of z_i is at least
    :math:`\|w_i\|^2/(4\lambda_i)`.
    """
    weights = {name: np.ravel(s) + u[-1] for name in ("rows", "row_sums") for s, u in [named[name].dual_value]}
    rows = -2 * named["rows"].dual_value[1][:-1].T
    row_sums = named["above"].dual_value - named["below"].dual_value
    return _point(rows, weights["rows"], row_sums, k * weights["row_sums"], k)


def _point(rows: Array, rows_lam: Array, row_sums: Array, row_sums_lam: Array, k: int) -> PerspectivePoint:
    """Return the dual point from a solver's matrices and weights.

    The weights of rows of large charge are raised to half of their size, a lower bound on optimal weights.
    Only a row whose charge is below the k largest may have a smaller weight; a solver that stops early leaves
    other rows with weights near zero and unbounded charges.
    """
    sizes = np.array([np.linalg.norm(rows, axis=1), np.sqrt(k) * np.abs(row_sums).max(axis=1)])
    weights = np.maximum([rows_lam, row_sums_lam], 0.0)
    charges = ratio(sizes**2, 4 * weights)
    balanced = np.minimum(charges, sizes / 2).sum(axis=0)
    dear = charges.sum(axis=0) > np.sort(balanced)[-k]
    weights = np.where(dear, np.maximum(weights, sizes / 2), weights)
    return PerspectivePoint(rows, weights[0], row_sums, weights[1])
