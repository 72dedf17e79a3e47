"""Dual points of psi by a cone program: the independent check of the first-order route, for few variables."""

from __future__ import annotations

import numpy as np

from relaxspca.certificate.evidence import PsiPoint
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.psi.formula import psi_point
from relaxspca.relaxations.psi.models import dual_model

__all__ = ["solve_conic"]


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
    model = dual_model(cov, rho=rho, k=k)
    solve_cone_program(model.problem, solver=solver, tol=tol, time_limit=time_limit)
    if any(variable.value is None for variable in model.problem.variables()):
        return psi_point(cov, np.arange(cov.n), 0.0, cov.factor)
    point: PsiPoint = model.point()
    return point
