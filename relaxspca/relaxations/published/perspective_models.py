"""The perspective relaxation as cone programs for cvxpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.model import Model, current_cardinality
from relaxspca.relaxations.published.perspective import PerspectivePoint, perron_point, ratio, upper_bound
from relaxspca.results.bound import Bound

__all__ = ["dual_model", "model", "proved_bound"]


def model(cov: Covariance, k: int) -> Model:
    r"""Return the primal cone program.

    .. math:: \max\ \langle\Sigma,X\rangle:\ \mathrm{tr}X=1,\ X\succeq0,\ \sum_iz_i=k,\ 0\le z\le1,\
        \sum_jX_{ij}^2\le X_{ii}z_i,\ \Bigl(\sum_jS_{ij}\Bigr)^2\le kX_{ii}z_i,\ |X_{ij}|\le S_{ij}

    `Model.bound` reads the point from the multipliers.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int
        Cardinality, 1 to n.

    Returns
    -------
    Model
        With variables X, z and S.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n.

    References
    ----------
    .. [1] Y. Li and W. Xie, INFORMS Journal on Computing, 2025, equation (16).

    Examples
    --------
    >>> found = model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(found.solve(), 5)
    2.0
    """
    import cvxpy as cp

    n = cov.n
    most = cp.Parameter(name="k", nonneg=True, value=cov.check_cardinality(k))
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


def dual_model(cov: Covariance, k: int) -> Model:
    """Return the dual cone program, whose `Model.point` is a `PerspectivePoint`; see `upper_bound`.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int
        Cardinality, 1 to n.

    Returns
    -------
    Model
        With the matrices W, U and weights lambda, mu.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n.

    References
    ----------
    .. [1] Y. Li and W. Xie, INFORMS Journal on Computing, 2025, equation (16).

    Examples
    --------
    >>> found = dual_model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(found.solve(), 4), found.bound()
    (2.0, Largest variance with at most 1 variable: at most 2.0000..., by the relaxation perspective, ...)
    """
    import cvxpy as cp

    k, n = cov.check_cardinality(k), cov.n
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
