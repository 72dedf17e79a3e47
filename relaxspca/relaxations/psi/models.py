"""The cone programs of psi and of its optimality conditions, for cvxpy: n matrix variables each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.certificate.points import FactorPoint
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.arguments import checked_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.model import Model, current_cardinality, named_size
from relaxspca.relaxations.psi.formula import psi_point, repair, upper_bound
from relaxspca.relaxations.psi.kkt import DualFamily
from relaxspca.results.bound import Bound


def model(cov: Covariance, k: int | None = None, *, rho: float | None = None, dual: bool = False) -> Model:
    r"""Return the primal cone program of psi, or the dual one.

    .. math:: \max\ &\sum_i\langle P_i, a_ia_i'\rangle - \rho\,\mathrm{tr}P_i
        \quad\text{s.t.}\quad 0\preceq P_i\preceq X,\ \mathrm{tr}X=1,\\
        \min\ &\tau\ (+\,\rho k) \quad\text{s.t.}\quad \sum_iY_i\preceq\tau I,\
        Y_i\succeq a_ia_i'-\rho I,\ Y_i\succeq0.

    The primal form is that of :math:`\psi(\rho)` without positive parts: by the identity
    :math:`\mathrm{Tr}(X^{1/2}BX^{1/2})_+=\max_{0\preceq P\preceq X}\langle P,B\rangle` it equals the form
    :math:`\max_X\sum_i\mathrm{Tr}(X^{1/2}B_iX^{1/2})_+`, which
    `relaxspca.relaxations.psi.formula.evaluate` computes.
    With k in place of rho the penalty is the multiplier of :math:`\sum_i\mathrm{tr}P_i\le k`, and the value is
    :math:`\min_\rho\psi(\rho)+\rho k`.

    Parameters
    ----------
    cov : Covariance of n variables; with A'A = Sigma + shift I, and the shift is subtracted.
    k : int, for the best penalty, or
    rho : float, at least 0 (variance).
    dual : bool
        The dual form.

    Returns
    -------
    Model
        With variables X and P; of the dual form Y, tau, and rho where k is given. `Model.point` has rank-one
        vectors compressed from Y, the multipliers of :math:`P_i\preceq X`, and repaired.

    Raises
    ------
    InputError
        Not exactly one of rho and k is given, or it has no such value.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, JMLR 9:1269-1294, 2008, section 3.

    Examples
    --------
    >>> cov = Covariance([[2.0, 0.0], [0.0, 1.0]])
    >>> round(model(cov, rho=0.5).solve(), 4)
    1.5
    >>> found = model(cov, k=1, dual=True)
    >>> round(found.solve(), 4), found.bound()
    (2.0, Largest variance with at most 1 variable: at most 2.0000..., by the relaxation psi, ...)
    """
    return (_dual if dual else _primal)(cov, *named_size(cov, k, rho))


def _primal(cov: Covariance, most: Any, penalty: Any) -> Model:
    import cvxpy as cp

    A = cov.factor
    r, n = A.shape
    X = cp.Variable((r, r), PSD=True, name="X")
    P = [cp.Variable((r, r), PSD=True, name=f"P_{i}") for i in range(n)]
    explained = sum(cp.quad_form(A[:, i], P[i]) for i in range(n)) - cov.shift
    used = sum(cp.trace(P[i]) for i in range(n))
    below = [X - P[i] >> 0 for i in range(n)]
    budget = [used <= most] if penalty is None else []
    explained = explained if penalty is None else explained - penalty * used
    parameters = {"k": most} if penalty is None else {"rho": penalty}

    def read() -> FactorPoint:
        rho = penalty.value if penalty is not None else budget[0].dual_value
        return _point(cov, [constraint.dual_value for constraint in below], float(rho))

    return Model(
        name="psi, primal form",
        formula=r"\max_{X, P_i}\ \sum_i\langle P_i, a_ia_i'\rangle"
        + (r" - \rho\,\mathrm{tr}P_i" if penalty is not None else "")
        + r":\quad 0\preceq P_i\preceq X,\ \mathrm{tr}X=1"
        + (r",\ \sum_i\mathrm{tr}P_i\le k" if penalty is None else ""),
        cov=cov,
        problem=cp.Problem(cp.Maximize(explained), [cp.trace(X) == 1, *below, *budget]),
        variables={"X": X, "P": P},
        parameters=parameters,
        reads=read,
        proves=lambda point: proved_bound(cov, point, parameters),
    )


def _dual(cov: Covariance, most: Any, given: Any) -> Model:
    import cvxpy as cp

    A = cov.factor
    r, n = A.shape
    penalty: Any = given if given is not None else cp.Variable(nonneg=True, name="rho")
    tau = cp.Variable(name="tau")
    Y = [cp.Variable((r, r), PSD=True, name=f"Y_{i}") for i in range(n)]
    identity = np.eye(r)
    above = [Y[i] - np.outer(A[:, i], A[:, i]) + penalty * identity >> 0 for i in range(n)]
    cost = tau - cov.shift if most is None else tau - cov.shift + most * penalty
    parameters = {"rho": given} if most is None else {"k": most}
    return Model(
        name="psi, dual form",
        formula=r"\min_{Y_i, \tau"
        + (r", \rho\ge0}\ \tau + \rho k" if given is None else r"}\ \tau")
        + r":\quad \sum_iY_i\preceq\tau I,\ Y_i\succeq a_ia_i'-\rho I,\ Y_i\succeq0",
        cov=cov,
        problem=cp.Problem(cp.Minimize(cost), [tau * identity - sum(Y) >> 0, *above]),
        variables={"Y": Y, "tau": tau} | ({"rho": penalty} if given is None else {}),
        parameters=parameters,
        reads=lambda: _point(cov, [matrix.value for matrix in Y], float(penalty.value)),
        proves=lambda point: proved_bound(cov, point, parameters),
    )


def kkt_model(cov: Covariance, candidate: Candidate) -> Model:
    r"""Return a cone program that tests whether a component is optimal for psi at some penalty.

    With :math:`\Sigma=A'A`, the unit vector :math:`x` of the component in the space of the columns
    :math:`a_i`, its support I of k variables and its variance :math:`v`, the pair :math:`X=xx'`,
    :math:`P_i=xx'` for i in I and 0 for the others is optimal for :math:`\psi(\rho)` if and only if there are

    .. math::
        Y_i&\succeq a_ia_i'-\rho I,\quad Y_i\succeq0,\quad \lambda_{\max}\Bigl(\sum_iY_i\Bigr)=v-\rho k,\\
        Y_ix&=(a_ia_i'-\rho I)x\ (i\in I),\quad Y_ix=0\ (i\notin I).

    The problem minimises :math:`\lambda_{\max}(\sum_iY_i)+\rho k` under all of them but the third. Its value
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
        The arguments are no covariance and no candidate.
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
    cov = checked_covariance(cov)
    if not isinstance(candidate, Candidate):
        raise InputError(f"candidate must be a Candidate such as rs.candidate(cov, k), not {candidate!r}")
    fitted = Candidate.from_support(cov, candidate.indices, method=candidate.method)
    family = DualFamily.of(cov, fitted)
    if not family.rho_lo < family.rho_hi:
        raise InputError(
            "no penalty makes these variables optimal for psi: the squared inner product with the component is "
            f"{family.rho_lo:.6g} for a variable outside and only {family.rho_hi:.6g} for one inside"
        )
    form, x = model(cov, fitted.k, dual=True), family.x
    images = (alpha * a - form.variables["rho"] * x for alpha, a in zip(family.alpha, family.A.T, strict=True))
    wanted = (image if is_in else 0 for image, is_in in zip(images, family.inside, strict=True))
    tied = [Y @ x == image for Y, image in zip(form.variables["Y"], wanted, strict=True)]
    return replace(
        form.with_constraints(*tied),
        name="KKT conditions of psi",
        formula=r"\min_{Y_i, \tau, \rho}\ \tau + \rho k:\quad \sum_iY_i\preceq\tau I,\ "
        r"Y_i\succeq a_ia_i'-\rho I,\ Y_i\succeq0,\ Y_ix=(a_ia_i'-\rho I)x\ (i\in I),\ Y_ix=0\ (i\notin I)",
        parameters={},
    )


def _point(cov: Covariance, matrices: Iterable[Array], rho: float) -> FactorPoint:
    """Return the dual point of a solver's matrices Y_i."""
    rho = max(rho, 0.0)
    vectors = [rank_one_part(Y, a, rho) for Y, a in zip(matrices, cov.factor.T, strict=True)]
    return psi_point(cov, np.arange(cov.n), rho, repair(cov.factor, np.column_stack(vectors), rho))


def rank_one_part(Y: Array, a: Array, rho: float) -> Array:
    r"""Return y with :math:`yy'\preceq Y_+` and :math:`yy'\succeq aa'-\rho I`, for Y that satisfies the latter.

    Notes
    -----
    With :math:`q=(Y+\rho I)^{-1}a` and :math:`y=Yq/\sqrt{q'Yq}`: :math:`(yy'+\rho I)q=a`, so
    :math:`a'(yy'+\rho I)^{-1}a=a'q\le1`.

    Examples
    --------
    >>> rank_one_part(np.diag([1.0, 5.0]), np.array([1.0, 1.0]), 1.0).round(6).tolist()
    [0.801784, 1.336306]
    """
    values, vectors = np.linalg.eigh((Y + Y.T) / 2)
    values = np.maximum(values, 0.0)
    total = values + rho
    q = (vectors.T @ a) / np.where(total > 0, total, math.inf)
    size = float(values @ q**2)
    if size <= 0:
        return np.zeros_like(a)
    return np.asarray(vectors @ (values * q) / math.sqrt(size))


def proved_bound(cov: Covariance, point: FactorPoint, parameters: Mapping[str, Any]) -> Bound:
    """Return the bound that a dual point proves, for the current value of the parameter k or rho."""
    if "k" not in parameters:
        # The point was read at the current penalty.
        return Bound(None, max(upper_bound(cov, point, 0), 0.0), "psi", point, rho=point.rho)
    k = current_cardinality(cov, parameters["k"])
    return Bound(k, upper_bound(cov, point, k), "psi", point)
