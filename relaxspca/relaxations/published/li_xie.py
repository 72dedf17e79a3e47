"""Li and Xie's continuous relaxation (13): weights on the rank-one terms of the covariance."""

from __future__ import annotations

import numpy as np

from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, eigenvalue_upper, norm_upper, sum_upper
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.model import Model, current_cardinality
from relaxspca.results.bound import Bound


def upper_bound(cov: Covariance, mu: Array, k: int) -> float:
    r"""Evaluate the dual at any mu, clipped to its box.

    With :math:`\Sigma=\sum_ia_ia_i'` in factor space and :math:`D=\mathrm{Diag}(1-\mu_i/\Sigma_{ii})`,

    .. math:: v_k \le \min_{0\le\mu_i\le\Sigma_{ii}}\ \lambda_{\max}(D^{1/2}\Sigma D^{1/2})
              + (\text{sum of the } k \text{ largest } \mu_i).

    Notes
    -----
    For a support T, :math:`\sum_{i\in T}a_ia_i'` is the sum of :math:`\sum_{i\in T}D_{ii}a_ia_i'`, at most
    :math:`\sum_iD_{ii}a_ia_i'` since :math:`D\ge0`, and of terms whose norms are :math:`\mu_i`. The nonzero
    eigenvalues of the first are those of :math:`D^{1/2}\Sigma D^{1/2}`, so no factor is needed.

    References
    ----------
    .. [1] Y. Li and W. Xie, Exact and approximation algorithms for sparse principal component analysis,
       INFORMS Journal on Computing, 2025, equation (13).

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> round(upper_bound(cov, np.array([2.0, 2.0]), 1), 9), round(upper_bound(cov, np.zeros(2), 1), 9)
    (2.0, 3.0)
    """
    cov.check_complete("a bound")
    error, shift = cov.rounding(), cov.negative_part
    # The proof needs a semidefinite matrix: this shift is proved to make it one.
    Sigma = cov.matrix + shift * np.eye(cov.n)
    charge = np.clip(np.asarray(mu, dtype=np.float64), 0, np.diagonal(Sigma))
    weight = np.sqrt(1 - np.divide(charge, np.diagonal(Sigma), out=np.zeros_like(charge), where=charge > 0))
    # The rounded weights are taken as exact; their exact charges are 1 - weight^2 of the variance.
    charge = (1 - weight**2 + 4 * UNIT_ROUNDOFF) * np.diagonal(Sigma) * (1 + 4 * UNIT_ROUNDOFF)
    scaled = Sigma * np.outer(weight, weight)
    radius = 8 * UNIT_ROUNDOFF * (norm_upper(scaled) + shift) + error
    chosen = np.sort(charge + error)[cov.n - k :]
    return sum_upper(np.array([eigenvalue_upper(scaled, radius), *chosen, -shift]))


def model(cov: Covariance, k: int, *, dual: bool = False) -> Model:
    r"""Return the primal cone program in factor space, or the dual one.

    .. math:: \max\ &1't:\quad t_i\le a_i'Xa_i,\ t_i\le|a_i|^2z_i,\ \mathrm{tr}X=1,\ X\succeq0,\
              \sum_iz_i=k,\ 0\le z\le1\\
              \min\ &\lambda_{\max}\Bigl(\sum_i(1-\mu_i/|a_i|^2)a_ia_i'\Bigr)
              + (\text{sum of the } k \text{ largest } \mu_i):\quad 0\le\mu_i\le|a_i|^2

    `Model.bound` of the primal form reads mu as :math:`|a_i|^2` times the multipliers of
    :math:`t_i\le|a_i|^2z_i`.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality, 1 to n.
    dual : bool
        The dual form.

    Returns
    -------
    Model
        With variables X, z and t; of the dual form mu, which `upper_bound` evaluates.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n.

    References
    ----------
    .. [1] Y. Li and W. Xie, Exact and approximation algorithms for sparse principal component analysis,
       INFORMS Journal on Computing, 2025, equation (13).

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> found = model(cov, 1)
    >>> round(found.solve(), 6), found.bound()
    (2.0, Largest variance with at most 1 variable: at most 2.0000..., by the relaxation li_xie, ...)
    >>> round(model(cov, 1, dual=True).solve(), 6)
    2.0
    """
    return (_dual if dual else _primal)(cov, checked_cardinality(cov, k))


def _primal(cov: Covariance, k: int) -> Model:
    import cvxpy as cp

    A = cov.factor
    sizes = (A**2).sum(axis=0)
    X = cp.Variable((cov.rank, cov.rank), PSD=True, name="X")
    z, t = cp.Variable(cov.n, name="z"), cp.Variable(cov.n, name="t")
    most = cp.Parameter(name="k", nonneg=True, value=k)
    by_choice = t <= cp.multiply(sizes, z)
    constraints = [t <= cp.diag(A.T @ X @ A), by_choice, cp.trace(X) == 1, cp.sum(z) == most, z >= 0, z <= 1]
    return Model(
        name="Li and Xie (13), primal form",
        formula=r"\max_{X, z, t}\ 1't:\quad t_i\le a_i'Xa_i,\ t_i\le\|a_i\|^2z_i,\ \mathrm{tr}X=1,\ "
        r"X\succeq0,\ "
        r"1'z=k,\ 0\le z\le1",
        cov=cov,
        problem=cp.Problem(cp.Maximize(cp.sum(t) - cov.shift), constraints),
        variables={"X": X, "z": z, "t": t},
        parameters={"k": most},
        reads=lambda: sizes * by_choice.dual_value,
        proves=lambda mu: proved_bound(cov, mu, current_cardinality(cov, most)),
    )


def _dual(cov: Covariance, k: int) -> Model:
    import cvxpy as cp

    A = cov.factor
    sizes = (A**2).sum(axis=0)
    mu = cp.Variable(cov.n, name="mu")
    # A variable without variance has mu = 0 and no column to weigh.
    inverse = np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes > 0)
    weighted = A @ cp.diag(1 - cp.multiply(mu, inverse)) @ A.T
    objective = cp.lambda_max((weighted + weighted.T) / 2) + cp.sum_largest(mu, k) - cov.shift
    return Model(
        name="Li and Xie (13), dual form",
        formula=r"\min_{\mu}\ \lambda_{\max}\bigl(\sum_i(1-\mu_i/\|a_i\|^2)a_ia_i'\bigr)"
        r"+(\text{sum of the } k \text{ largest } \mu_i):\quad 0\le\mu_i\le\|a_i\|^2",
        cov=cov,
        problem=cp.Problem(cp.Minimize(objective), [mu >= 0, mu <= sizes]),
        variables={"mu": mu},
        reads=lambda: np.array(mu.value),
        proves=lambda mu: proved_bound(cov, mu, k),
    )


def proved_bound(cov: Covariance, mu: Array, k: int) -> Bound:
    """Return the bound that mu proves; a certificate cannot show it."""
    return Bound(k, upper_bound(cov, mu, k), "li_xie")
