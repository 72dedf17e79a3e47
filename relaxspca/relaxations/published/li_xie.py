"""Li and Xie's continuous relaxation (13): weights on the rank-one terms of the covariance."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, eigenvalue_upper, norm_upper, sum_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Node

__all__ = ["dual_model", "model", "upper_bound"]


def upper_bound(
    cov: Covariance, mu: Array, k: int, *, inside: Iterable[int] = (), free: Iterable[int] | None = None
) -> float:
    r"""Evaluate the dual at any mu, clipped to its box.

    With :math:`\Sigma=\sum_ia_ia_i'` in factor space and :math:`D=\mathrm{Diag}(1-\mu_i/\Sigma_{ii})`,

    .. math:: v_k \le \min_{0\le\mu_i\le\Sigma_{ii}}\ \lambda_{\max}(D^{1/2}\Sigma D^{1/2})
              + (\text{sum of the } k \text{ largest } \mu_i).

    Parameters
    ----------
    cov : Covariance of n variables.
    mu : (n,) array (variance).
    k : cardinality.
    inside, free : variables that a support must and may hold; by default every variable is free.

    Returns
    -------
    float
        A bound on every such support of k variables; ``-inf`` when there is none.

    Notes
    -----
    For a support T, :math:`\sum_{i\in T}a_ia_i'` is the sum of :math:`\sum_{i\in T}D_{ii}a_ia_i'`, at most
    :math:`\sum_iD_{ii}a_ia_i'` since :math:`D\ge0`, and of terms whose norms are :math:`\mu_i`. The nonzero
    eigenvalues of the first are those of :math:`D^{1/2}\Sigma D^{1/2}`, so no factor is needed.

    References
    ----------
    .. [1] Y. Li and W. Xie, Exact and approximation algorithms for sparse principal component analysis,
       INFORMS Journal on Computing, 2024, equation (13).

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> round(upper_bound(cov, np.array([2.0, 2.0]), 1), 9), round(upper_bound(cov, np.zeros(2), 1), 9)
    (2.0, 3.0)
    """
    cov.check_complete("a bound")
    node = Node.of(inside, free, range(cov.n))
    if not node.has_supports(k):
        return -math.inf
    variables = node.variables
    Sigma = cov.submatrix(variables)
    # The argument needs a semidefinite matrix: shift by what is proved to make it so.
    shift = max(0.0, eigenvalue_upper(-Sigma, cov.rounding(variables)))
    Sigma = Sigma + shift * np.eye(len(variables))
    price = np.clip(np.asarray(mu, dtype=np.float64)[variables], 0, np.diagonal(Sigma))
    if not np.isfinite(price).all():
        raise InputError("mu has an entry that is not finite")
    weight = np.sqrt(1 - np.divide(price, np.diagonal(Sigma), out=np.zeros_like(price), where=price > 0))
    # The weights are what they are; the prices that go with them exactly are 1 - weight^2 of the variance.
    price = (1 - weight**2 + 4 * UNIT_ROUNDOFF) * np.diagonal(Sigma) * (1 + 4 * UNIT_ROUNDOFF)
    scaled = Sigma * np.outer(weight, weight)
    radius = 8 * UNIT_ROUNDOFF * (norm_upper(scaled) + shift) + cov.rounding(variables)
    price = price + cov.rounding(variables)
    must = node.is_inside
    chosen = np.concatenate([price[must], -np.sort(-price[~must])[: k - len(node.inside)]])
    return sum_upper(np.array([eigenvalue_upper(scaled, radius), *chosen, -shift]))


def model(cov: Covariance, k: int) -> tuple[Any, Any]:
    r"""Return the primal cvxpy problem and its variable X in factor space.

    .. math:: \max\ \sum_i\min(a_i'Xa_i,\ |a_i|^2z_i):\ \mathrm{tr}X=1,\ X\succeq0,\ \sum_iz_i=k,\ 0\le z\le1

    Examples
    --------
    >>> problem, X = model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(float(problem.solve(solver="CLARABEL")), 6)
    2.0
    """
    import cvxpy as cp

    A = cov.factor
    X = cp.Variable((cov.rank, cov.rank), PSD=True)
    z = cp.Variable(cov.n)
    explained = cp.minimum(cp.diag(A.T @ X @ A), cp.multiply((A**2).sum(axis=0), z))
    constraints = [cp.trace(X) == 1, cp.sum(z) == k, z >= 0, z <= 1]
    return cp.Problem(cp.Maximize(cp.sum(explained) - cov.shift), constraints), X


def dual_model(cov: Covariance, k: int) -> tuple[Any, Any]:
    """Return the dual cvxpy problem and its variable mu, for `upper_bound`.

    Examples
    --------
    >>> problem, mu = dual_model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(float(problem.solve(solver="CLARABEL")), 6)
    2.0
    """
    import cvxpy as cp

    A = cov.factor
    sizes = (A**2).sum(axis=0)
    mu = cp.Variable(cov.n)
    # A variable without variance has mu = 0 and no column to weigh.
    inverse = np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes > 0)
    weighted = A @ cp.diag(1 - cp.multiply(mu, inverse)) @ A.T
    objective = cp.lambda_max((weighted + weighted.T) / 2) + cp.sum_largest(mu, k) - cov.shift
    return cp.Problem(cp.Minimize(objective), [mu >= 0, mu <= sizes]), mu
