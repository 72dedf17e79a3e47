"""The cone programs of psi, for cvxpy: small problems only, n matrix variables each."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.problem.covariance import Covariance

__all__ = ["dual_model", "model"]


def model(cov: Covariance, *, rho: float | None = None, k: int | None = None) -> tuple[Any, Any]:
    r"""Return the primal cone program and its variable X.

    .. math:: \max\ \sum_i\langle P_i, a_ia_i'\rangle - \rho\,\mathrm{tr}P_i
        \quad\text{s.t.}\quad 0\preceq P_i\preceq X,\ \mathrm{tr}X=1,

    the form of :math:`\psi(\rho)` without positive parts: by the identity
    :math:`\mathrm{Tr}(X^{1/2}BX^{1/2})_+=\max_{0\preceq P\preceq X}\langle P,B\rangle` it equals the form
    :math:`\max_X\sum_i\mathrm{Tr}(X^{1/2}B_iX^{1/2})_+`, which
    `relaxspca.relaxations.psi.formula.evaluate` computes.
    With k in place of rho the price is the multiplier of :math:`\sum_i\mathrm{tr}P_i\le k`, and the value is
    :math:`\min_\rho\psi(\rho)+\rho k`.

    Parameters
    ----------
    cov : Covariance; the factor's matrix is bounded, so subtract `cov.shift` from a value for k.
    rho : float, at least 0 (variance), or
    k : int

    Returns
    -------
    problem : cvxpy.Problem
    X : cvxpy.Variable, (r, r)

    Examples
    --------
    >>> problem, X = model(Covariance([[2.0, 0.0], [0.0, 1.0]]), rho=0.5)
    >>> round(float(problem.solve(solver="CLARABEL")), 4)
    1.5
    """
    import cvxpy as cp

    A = cov.factor
    r, n = A.shape
    X = cp.Variable((r, r), PSD=True)
    P = [cp.Variable((r, r), PSD=True) for _ in range(n)]
    explained = sum(cp.quad_form(A[:, i], P[i]) for i in range(n))
    used = sum(cp.trace(P[i]) for i in range(n))
    constraints = [cp.trace(X) == 1, *(X - P[i] >> 0 for i in range(n))]
    if rho is not None:
        return cp.Problem(cp.Maximize(explained - rho * used), constraints), X
    return cp.Problem(cp.Maximize(explained), [*constraints, used <= k]), X


def dual_model(
    cov: Covariance, *, rho: float | None = None, k: int | None = None
) -> tuple[Any, list[Any], Any]:
    r"""Return the dual cone program, its variables Y_i and its price.

    .. math:: \min\ \tau\ (+\,\rho k) \quad\text{s.t.}\quad \sum_iY_i\preceq\tau I,\
        Y_i\succeq a_ia_i'-\rho I,\ Y_i\succeq0.

    Parameters
    ----------
    cov : Covariance
    rho : float, at least 0 (variance), or
    k : int, for the best price.

    Returns
    -------
    problem : cvxpy.Problem
    Y : list of n cvxpy.Variable, (r, r)
    price : float or cvxpy.Variable, rho.

    Examples
    --------
    >>> problem, Y, price = dual_model(Covariance([[2.0, 0.0], [0.0, 1.0]]), k=1)
    >>> round(float(problem.solve(solver="CLARABEL")), 4)
    2.0
    """
    import cvxpy as cp

    A = cov.factor
    r, n = A.shape
    price: Any = rho if rho is not None else cp.Variable(nonneg=True)
    tau = cp.Variable()
    Y = [cp.Variable((r, r), PSD=True) for _ in range(n)]
    identity = np.eye(r)
    above = [Y[i] - np.outer(A[:, i], A[:, i]) + price * identity >> 0 for i in range(n)]
    problem_constraints = [tau * identity - sum(Y) >> 0, *above]
    cost = tau if rho is not None else tau + price * k
    return cp.Problem(cp.Minimize(cost), problem_constraints), Y, price
