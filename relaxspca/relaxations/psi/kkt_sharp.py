"""The sharper test of a sparse component: the dual vectors outside the support are optimised."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.scaling import EXTREME, normalised
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.psi.closed_form import MARGIN, DualFamily
from relaxspca.relaxations.psi.formula import psi_point
from relaxspca.relaxations.psi.kkt import KKTTest, priced, rescaled
from relaxspca.relaxations.psi.rank_one import rank_one_part

__all__ = ["sharp_test"]


def sharp_test(
    cov: Covariance,
    candidate: Candidate,
    *,
    solver: str = "auto",
    tol: float = 1e-8,
    time_limit: float | None = None,
) -> KKTTest:
    r"""Say whether a support is optimal for psi at some price, by one semidefinite program.

    With x, alpha and p_j as in `relaxspca.relaxations.psi.closed_form`, and :math:`y_i` for i in I as there,

    .. math::
        \min_{\rho,\,Z_j}\ & \lambda_{\max}\Bigl(\sum_{i\in I}y_i(\rho)y_i(\rho)' + \sum_{j\notin I}Z_j\Bigr)
            + \rho k \\
        \text{s.t.}\ & Z_jx=0,\quad Z_j\succeq0,\quad
            Z_j\succeq\frac{\rho}{\rho-\alpha_j^2}\,p_jp_j' - \rho I \text{ on } x^\perp .

    Parameters
    ----------
    cov : Covariance of n variables; n matrices of the size of its rank are optimised, so n up to about 30.
    candidate : Candidate
        Only its support is used; the loadings are fitted anew.
    solver : "auto", "clarabel" or "scs".
    tol : relative accuracy asked of the solver.
    time_limit : seconds for the solver.

    Returns
    -------
    KKTTest
        `dual` is None when no price is admissible or the solver failed.

    Notes
    -----
    For i in I the vector :math:`y_i` is the least feasible choice, and complementarity forces
    :math:`Z_jx=0`, so a gap of 0 is necessary and sufficient for xx' to be optimal for psi(rho). The
    program is convex in rho and the Z_j together: :math:`y_iy_i'` is a matrix-fractional function of rho
    and :math:`\rho/(\rho-\alpha_j^2)` is convex. Each Z_j is replaced by a feasible :math:`y_jy_j'\preceq
    Z_j`, and the bound is evaluated with a proof at those vectors.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, JMLR 9:1269-1294, 2008, Lemma 3 (the optimality
       conditions of a rank-one solution).

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> sharp_test(cov, rs.candidate(cov, 12)).gap < 1e-6
    True
    """
    cov.check_complete("a bound")
    cov, q = normalised(cov, beyond=EXTREME)
    fitted = Candidate.from_support(cov, candidate.indices, method=candidate.method)
    family = DualFamily.of(cov, fitted)
    low, high = family.rho_lo, family.rho_hi
    failed = rescaled(KKTTest(fitted, low, high, math.nan, math.inf, None), q)
    if not family.has_price:
        return failed
    basis = _orthogonal_complement(family.x)
    problem, price, outside, Z = _model(family, basis)
    outcome = solve_cone_program(problem, solver=solver, tol=tol, time_limit=time_limit)
    if not outcome.usable or price.value is None:
        return failed
    margin = MARGIN * (high - low)
    rho = float(np.clip(family.value * float(price.value), low + margin, high - margin))
    Y = family.vectors(rho)
    for j, Z_j in zip(outside, Z, strict=True):
        Y[:, j] = rank_one_part(family.value * basis @ Z_j.value @ basis.T, family.A[:, j], rho)
    dual = priced(cov, psi_point(cov, range(cov.n), rho, Y))
    gap = max(dual.upper(family.k) + cov.shift - family.value, 0.0)
    return rescaled(KKTTest(fitted, low, high, rho, gap, dual), q)


def _model(family: DualFamily, basis: Array) -> tuple[Any, Any, list[int], list[Any]]:
    """Return the program for the matrix divided by the component's value, its price and its Z_j."""
    import cvxpy as cp

    A, alpha = family.A / math.sqrt(family.value), family.alpha / math.sqrt(family.value)
    low, high = family.rho_lo / family.value, family.rho_hi / family.value
    r, k = A.shape[0], family.k
    rho, tau = cp.Variable(), cp.Variable()
    inside = np.flatnonzero(family.inside)
    outside = [int(j) for j in np.flatnonzero(~family.inside & (family.norms > family.rho_lo))]
    M = cp.Variable((r, r), symmetric=True)
    b = A[:, inside] * alpha[inside] - rho * np.outer(family.x, np.ones(k))
    beta = cp.diag(alpha[inside] ** 2 - rho)
    constraints = [rho >= low, rho <= high, cp.bmat([[M, b], [b.T, beta]]) >> 0]
    Z = []
    for j in outside:
        p = basis.T @ A[:, j]
        Z_j = cp.Variable((r - 1, r - 1), PSD=True)
        excess = cp.quad_over_lin(alpha[j], rho - alpha[j] ** 2)
        s = cp.Variable()
        constraints += [s >= 1 + excess, Z_j - s * np.outer(p, p) + rho * np.eye(r - 1) >> 0]
        Z.append(Z_j)
    total = M + basis @ sum(Z) @ basis.T if Z else M
    constraints.append(tau * np.eye(r) - total >> 0)
    return cp.Problem(cp.Minimize(tau + k * rho), constraints), rho, outside, Z


def _orthogonal_complement(x: Array) -> Array:
    """Return an orthonormal basis of the vectors orthogonal to a unit vector, (r, r - 1)."""
    Q, _ = np.linalg.qr(np.column_stack([x, np.eye(x.size)]))
    return np.asarray(Q[:, 1:])
