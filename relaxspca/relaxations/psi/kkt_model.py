"""The optimality conditions of one component for psi, as a cone program for cvxpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.model import Model
from relaxspca.relaxations.psi.closed_form import DualFamily
from relaxspca.relaxations.psi.models import point_reader, proof

__all__ = ["kkt_model"]


def kkt_model(cov: Covariance, candidate: Candidate) -> Model:
    r"""Return a cone program that tests whether a component is optimal for psi at some penalty.

    With :math:`\Sigma=A'A`, the unit vector :math:`x` of the component in the space of the columns
    :math:`a_i`, its support I of k variables and its variance :math:`v`, the pair :math:`X=xx'`,
    :math:`P_i=xx'` for i in I and 0 for the others is optimal for :math:`\psi(\rho)` if and only if there are

    .. math::
        Y_i\succeq a_ia_i'-\rho I,\quad Y_i\succeq0,\quad
        Y_ix=(a_ia_i'-\rho I)x\ (i\in I),\quad Y_ix=0\ (i\notin I),\quad
        \lambda_{\max}\Bigl(\sum_iY_i\Bigr)=v-\rho k.

    The problem minimises :math:`\lambda_{\max}(\sum_iY_i)+\rho k` under all of them but the last. Its value
    is v if and only if they can be met at some penalty, and every solution proves a bound.

    Parameters
    ----------
    cov : Covariance of n variables, of full factor: small n only, there are n matrices.
    candidate : Candidate
        Only its support is used; the loadings are the best on it.

    Returns
    -------
    Model
        With variables Y, tau and rho. `Model.bound` is for the cardinality of the support.

    Raises
    ------
    InputError
        No penalty is admissible: :math:`\max_{j\notin I}(a_j'x)^2\ge\min_{i\in I}(a_i'x)^2`, so that the
        conditions cannot be met.

    Notes
    -----
    Stationarity and complementarity of the pair (model, dual model): :math:`(X-P_i)Y_i=0` and
    :math:`P_i(Y_i-a_ia_i'+\rho I)=0`, which for rank one are the linear conditions above. They give
    :math:`(\sum_iY_i)x=(v-\rho k)x`, so the value is never below v.
    `relaxspca.relaxations.psi.kkt.kkt_test` chooses these matrices in closed form.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, JMLR 9:1269-1294, 2008, Lemma 3.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.make_spiked(6, 2, n_samples=40, strength=3.0)
    >>> best = rs.candidate(cov, 2)
    >>> found = kkt_model(cov, best)
    >>> bool(abs(found.solve() - best.value) < 1e-5 * best.value)
    True
    """
    import cvxpy as cp

    fitted = Candidate.from_support(cov, candidate.indices, method=candidate.method)
    family = DualFamily.of(cov, fitted)
    if not family.rho_lo < family.rho_hi:
        raise InputError(
            "no penalty makes these variables optimal for psi: the squared inner product with the component is "
            f"{family.rho_lo:.6g} for a variable outside and only {family.rho_hi:.6g} for one inside"
        )
    A, x = family.A, family.x
    r, n = A.shape
    tau, rho = cp.Variable(name="tau"), cp.Variable(nonneg=True, name="rho")
    Y = [cp.Variable((r, r), PSD=True, name=f"Y_{i}") for i in range(n)]
    constraints: list[Any] = [tau * np.eye(r) - sum(Y) >> 0]
    for i in range(n):
        a = A[:, i]
        constraints.append(Y[i] - np.outer(a, a) + rho * np.eye(r) >> 0)
        constraints.append(Y[i] @ x == (family.alpha[i] * a - rho * x if family.inside[i] else 0))
    read = point_reader(cov, lambda: [matrix.value for matrix in Y], lambda: float(rho.value))
    return Model(
        name="KKT conditions of psi",
        formula=r"\min_{Y_i, \tau, \rho}\ \tau + \rho k:\quad \sum_iY_i\preceq\tau I,\ "
        r"Y_i\succeq a_ia_i'-\rho I,\ Y_i\succeq0,\ Y_ix=(a_ia_i'-\rho I)x\ (i\in I),\ Y_ix=0\ (i\notin I)",
        cov=cov,
        problem=cp.Problem(cp.Minimize(tau + rho * fitted.k - cov.shift), constraints),
        variables={"Y": Y, "tau": tau, "rho": rho},
        reads=read,
        proves=proof(cov, {"k": cp.Constant(fitted.k)}),
    )
