"""The Perron relaxation as cone programs for cvxpy: its primal form and its dual form."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import Array
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.model import Model, current_cardinality
from relaxspca.relaxations.perron.formula import perron_point, upper_bound
from relaxspca.results.bound import Bound


def model(cov: Covariance, k: int, *, dual: bool = False) -> Model:
    r"""Return the primal cone program, (3) of docs/theory/perron.md, or the dual one.

    .. math:: \max\ &\langle\Sigma,X\rangle:\quad X\succeq0,\ \mathrm{tr}X=1,\ X_{ij}^2\le R_{ij}R_{ji},\
              0\le R_{ij}\le X_{ii}=R_{ii},\ \sum_jR_{ij}\le kX_{ii}\\
              \min\ &\lambda_{\max}(\Sigma-P+\mathrm{Diag}\,c):\ P_{ij}^2\le N_{ij}N_{ji},\
              c_i=\text{the sum of the } k-1 \text{ largest } N_{ij},\ j\ne i

    `Model.point` is (P, N); for the primal form it is read from the multipliers of the products.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality, 1 to n.
    dual : bool
        The dual form.

    Returns
    -------
    Model
        With variables X and R; of the dual form P, N and c.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n.

    Notes
    -----
    With x feasible, :math:`X=xx'` and :math:`R_{ij}=x_i^2z_j` are feasible: on the support
    :math:`X_{ij}^2=x_i^2x_j^2=R_{ij}R_{ji}`.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> found = model(cov, 1)
    >>> round(found.solve(), 5), found.bound()
    (2.0, Largest variance with at most 1 variable: at most 2.0000..., by the relaxation perron, ...)
    >>> found = model(cov, 1, dual=True)
    >>> round(found.solve(), 5), found.point().P.shape
    (2.0, (2, 2))
    """
    return (_dual if dual else _primal)(cov, checked_cardinality(cov, k))


def _primal(cov: Covariance, k: int) -> Model:
    import cvxpy as cp

    n = cov.n
    most = cp.Parameter(name="k", nonneg=True, value=k)
    X = cp.Variable((n, n), PSD=True, name="X")
    R = cp.Variable((n, n), nonneg=True, name="R")
    variances = cp.diag(X)
    constraints = [
        cp.trace(X) == 1,
        cp.diag(R) == variances,
        cp.reshape(variances, (n, 1), order="C") @ np.ones((1, n)) >= R,
        cp.sum(R, axis=1) <= most * variances,
    ]
    cone = product_cone(X, R) if n > 1 else None
    return Model(
        name="Perron, primal form",
        formula=r"\max_{X,R}\ \langle\Sigma,X\rangle:\quad X\succeq0,\ \mathrm{tr}X=1,\ "
        r"X_{ij}^2\le R_{ij}R_{ji},\ "
        r"0\le R_{ij}\le X_{ii}=R_{ii},\ \sum_jR_{ij}\le kX_{ii}",
        cov=cov,
        problem=cp.Problem(cp.Maximize(cp.trace(cov.matrix @ X)), constraints + [cone] * (n > 1)),
        variables={"X": X, "R": R},
        parameters={"k": most},
        reads=lambda: perron_point(np.arange(n), *multiplied(cone, n)),
        proves=lambda point: proved_bound(cov, point, current_cardinality(cov, most)),
    )


def _dual(cov: Covariance, k: int) -> Model:
    import cvxpy as cp

    n = cov.n
    P = cp.Variable((n, n), symmetric=True, name="P")
    N = cp.Variable((n, n), nonneg=True, name="N")
    c = cp.Variable(n, nonneg=True, name="c")  # a variable, since lambda_max takes affine matrices only
    constraints = [cp.diag(P) == 0, cp.diag(N) == 0]
    constraints += [product_cone(P, N)] if n > 1 else []
    constraints += [c[i] >= cp.sum_largest(N[i], k - 1) for i in range(n) if k > 1]
    return Model(
        name="Perron, dual form",
        formula=r"\min_{P,N}\ \lambda_{\max}(\Sigma-P+\mathrm{Diag}\,c):\quad P_{ij}^2\le N_{ij}N_{ji},\ "
        r"c_i=\text{the sum of the } k-1 \text{ largest } N_{ij}",
        cov=cov,
        problem=cp.Problem(cp.Minimize(cp.lambda_max(cov.matrix - P + cp.diag(c))), constraints),
        variables={"P": P, "N": N, "c": c},
        reads=lambda: perron_point(np.arange(n), np.asarray(P.value), np.maximum(N.value, 0.0)),
        proves=lambda point: proved_bound(cov, point, k),
    )


def proved_bound(cov: Covariance, point: RowsPoint, k: int) -> Bound:
    """Return the bound that (P, N) proves."""
    return Bound(k, upper_bound(cov, point, k), "perron", point)


def product_cone(root: Any, factors: Any) -> Any:
    """Return the constraints root_ij^2 <= factors_ij factors_ji, i < j, as second-order cones."""
    import cvxpy as cp

    above = np.triu_indices(factors.shape[0], 1)
    first, second = factors[above], factors.T[above]
    return cp.SOC(first + second, cp.vstack([2 * root[above], first - second]), axis=0)


def multiplied(cone: Any, n: int) -> tuple[Array, Array]:
    r"""Return (P, N) from the multipliers of `product_cone` in a problem that maximises over its factors.

    With multipliers :math:`s\ge\|u\|` of :math:`(R_{ij}+R_{ji},\ (2X_{ij},R_{ij}-R_{ji}))` the pair (i, j) adds
    :math:`2u_1X_{ij}+(s+u_2)R_{ij}+(s-u_2)R_{ji}` to the objective, so that :math:`P_{ij}=-u_1`,
    :math:`N_{ij}=s+u_2`, :math:`N_{ji}=s-u_2`, and :math:`P_{ij}^2\le N_{ij}N_{ji}`.
    """
    P, N = np.zeros((n, n)), np.zeros((n, n))
    if n > 1:
        above = np.triu_indices(n, 1)
        s, u = cone.dual_value
        P[above] = -u[0]
        N[above], N.T[above] = np.ravel(s) + u[1], np.ravel(s) - u[1]
    return P + P.T, np.maximum(N, 0.0)
