"""DSPCA: the semidefinite relaxation with an l1 ball, for a penalty and for a cardinality."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.size import Penalty
from relaxspca.relaxations.model import Model, current_cardinality, named_size
from relaxspca.relaxations.perron import formula as perron
from relaxspca.results.bound import Bound


def perron_point(U: Array) -> RowsPoint:
    r"""Return the Perron point of any matrix U, whose symmetric part is used: it proves both forms.

    .. math::
        P = -\mathrm{offdiag}\,U, \qquad N = |P|

        v_k \le \max\{\langle\Sigma,X\rangle : \operatorname{tr}X=1,\ X\succeq 0,\ \|X\|_1\le k\}
        = \min_U\ \lambda_{\max}(\Sigma+U) + k\max_{ij}|U_{ij}|

        \phi(\rho) \le \max\{\langle\Sigma,X\rangle - \rho\|X\|_1 : \operatorname{tr}X=1,\ X\succeq 0\}
        = \min_{|U_{ij}|\le\rho} \lambda_{\max}(\Sigma+U)

    Its bound is at most the one displayed, for every k and every rho, and :math:`v_k\le d+\rho k` with d the
    value of the second, which is at least 0.

    Notes
    -----
    A row pays for k - 1 partners, so at most (k - 1) rho with rho the largest modulus in U. The rest of U is
    its diagonal, which is at least -rho: k rho in all, as in DSPCA. At a penalty rho no partner costs more.

    The variables with :math:`\Sigma_{ii}\le\rho` may be left out before this bound is computed: that keeps
    it a bound on phi(rho), but not the optimum of DSPCA itself. With Sigma = [[3, 1.73205], [1.73205, 1]]
    and rho = 1.069 the optimum is 2.1308, and 1.9310 without the second variable.

    References
    ----------
    .. [1] A. d'Aspremont, L. El Ghaoui, M. Jordan and G. Lanckriet, A direct formulation for sparse PCA
       using semidefinite programming, SIAM Review 49:434-448, 2007, problem (6), its dual, and (7).

    Examples
    --------
    >>> perron_point(np.array([[3.0, -1.0], [-1.0, 0.0]])).P.round(9).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    U = _symmetric_part(U)
    return perron.perron_point(np.arange(len(U)), -U, np.abs(U))


def model(cov: Covariance, k: int | None = None, *, rho: float | None = None, dual: bool = False) -> Model:
    r"""Return the primal cone program, or the dual one, with a cardinality k or a penalty rho.

    .. math:: \max\ &\langle\Sigma,X\rangle\ (-\rho\,1'S1):\quad \mathrm{tr}X=1,\ X\succeq0,\
              -S\le X\le S\ (,\ 1'S1\le k)\\
              \min\ &\tau\ (+\ k\rho):\quad \Sigma+U\preceq\tau I,\ |U_{ij}|\le\rho

    `Model.bound` of the primal form reads U as the difference of the multipliers of both inequalities; X is the
    multiplier of the first constraint of the dual form.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, cardinality from 1 to n, or
    rho : float, penalty of a variable, at least 0 (variance).
    dual : bool
        The dual form.

    Returns
    -------
    Model
        With variables X and S; of the dual form U and tau, and rho where k is given.

    Raises
    ------
    InputError
        Not exactly one of k and rho is given, or it has no such value.

    References
    ----------
    .. [1] A. d'Aspremont, L. El Ghaoui, M. Jordan and G. Lanckriet, SIAM Review 49:434-448, 2007.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> found = model(cov, k=1)
    >>> round(found.solve(), 6), found.bound()
    (2.0, Largest variance with at most 1 variable: at most 2.0000..., by the relaxation dspca, ...)
    >>> round(model(cov, rho=0.25, dual=True).solve(), 6)
    2.5
    """
    return (_dual if dual else _primal)(cov, *named_size(cov, k, rho))


def _primal(cov: Covariance, most: Any, penalty: Any) -> Model:
    import cvxpy as cp

    X = cp.Variable((cov.n, cov.n), PSD=True, name="X")
    S = cp.Variable((cov.n, cov.n), name="S")
    above, below = X <= S, -X <= S
    explained, size = cp.trace(cov.matrix @ X), cp.sum(S)
    constraints = [cp.trace(X) == 1, above, below]
    if penalty is None:
        constraints.append(size <= most)
    else:
        explained = explained - penalty * size
    return Model(
        name="DSPCA, primal form",
        formula=r"\max_{X, S}\ \langle\Sigma,X\rangle"
        + (r" - \rho\,1'S1" if most is None else "")
        + r":\quad \mathrm{tr}X=1,\ X\succeq0,\ -S\le X\le S"
        + (r",\ 1'S1\le k" if penalty is None else ""),
        cov=cov,
        problem=cp.Problem(cp.Maximize(explained), constraints),
        variables={"X": X, "S": S},
        parameters={"rho": penalty} if most is None else {"k": most},
        reads=lambda: _symmetric_part(below.dual_value - above.dual_value),
        proves=lambda U: proved_bound(cov, U, most, penalty),
    )


def _dual(cov: Covariance, most: Any, given: Any) -> Model:
    import cvxpy as cp

    n = cov.n
    U = cp.Variable((n, n), symmetric=True, name="U")
    tau = cp.Variable(name="tau")
    penalty: Any = given if most is None else cp.Variable(nonneg=True, name="rho")
    cost = tau if most is None else tau + most * penalty
    return Model(
        name="DSPCA, dual form",
        formula=(r"\min_{U, \tau}\ \tau" if most is None else r"\min_{U, \tau, \rho}\ \tau + k\rho")
        + r":\quad \Sigma+U\preceq\tau I,\ |U_{ij}|\le\rho",
        cov=cov,
        problem=cp.Problem(cp.Minimize(cost), [tau * np.eye(n) - cov.matrix - U >> 0, cp.abs(U) <= penalty]),
        variables={"U": U, "tau": tau} | ({} if most is None else {"rho": penalty}),
        parameters={"rho": given} if most is None else {"k": most},
        reads=lambda: _symmetric_part(U.value),
        proves=lambda U: proved_bound(cov, U, most, given),
    )


def proved_bound(cov: Covariance, U: Array, most: Any, penalty: Any) -> Bound:
    """Return the bound that U proves for the current value of the parameter k or rho."""
    point = perron_point(U)
    if most is None:
        rho = float(penalty.value)
        return Bound(None, max(0.0, perron.upper_bound(cov, point, Penalty(rho))), "dspca", rho=rho)
    k = current_cardinality(cov, most)
    return Bound(k, perron.upper_bound(cov, point, k), "dspca", point)


def _symmetric_part(U: Array) -> Array:
    U = np.asarray(U, dtype=np.float64)
    return (U + U.T) / 2
