"""Dual points of psi by a cone program: the independent check of the first-order route, for few variables."""

from __future__ import annotations

import math

import numpy as np

from relaxspca.certificate.evidence import PsiPoint
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.psi.formula import psi_point, repair
from relaxspca.relaxations.psi.models import dual_model

__all__ = ["rank_one_part", "solve_conic"]


def solve_conic(
    cov: Covariance,
    *,
    rho: float | None = None,
    k: int | None = None,
    solver: str = "auto",
    tol: float = 1e-8,
    time_limit: float | None = None,
) -> PsiPoint:
    """Return a dual point of psi for `relaxspca.relaxations.psi.formula.upper_bound`.

    Parameters
    ----------
    cov : Covariance of n variables; the program has n matrix variables.
    rho : float, at least 0 (variance), or
    k : cardinality, for the best price.
    solver : "auto", "clarabel" or "scs".
    tol : relative accuracy asked of the solver; the bound is valid whatever it achieves.
    time_limit : seconds for the solver.

    Returns
    -------
    PsiPoint
        Rank-one vectors compressed from the solver's matrices and repaired; the trivial point
        y_i = a_i at price 0, whose bound is the largest eigenvalue, when the solver fails.

    Examples
    --------
    >>> from relaxspca.relaxations.psi.formula import upper_bound
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> round(upper_bound(cov, solve_conic(cov, k=1), 1), 5)
    2.0
    """
    problem, matrices, price = dual_model(cov, rho=rho, k=k)
    outcome = solve_cone_program(problem, solver=solver, tol=tol, time_limit=time_limit)
    everything = np.arange(cov.n)
    if not outcome.usable or any(Y.value is None for Y in matrices):
        return psi_point(cov, everything, 0.0, cov.factor)
    found = float(rho if rho is not None else max(price.value, 0.0))
    vectors = np.column_stack([rank_one_part(Y.value, cov.factor[:, i], found) for i, Y in enumerate(matrices)])
    return psi_point(cov, everything, found, repair(cov.factor, vectors, found))


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
