"""Dual points of DSPCA by a cone program or a first-order method."""

from __future__ import annotations

import numpy as np

from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.published.dspca import dual_model
from relaxspca.relaxations.published.dspca_smooth import smooth_minimise

__all__ = ["solve_dspca"]


def solve_dspca(
    cov: Covariance,
    *,
    k: int | None = None,
    rho: float | None = None,
    solver: str = "auto",
    tol: float = 1e-6,
    time_limit: float | None = None,
) -> Array:
    """Return a matrix U for `published.dspca.upper_bound` (k) or `penalised_upper_bound` (rho).

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality, or
    rho : penalty (variance).
    solver : "auto", "clarabel" or "scs"; or "smooth", a first-order method for the penalised form of
        hundreds of variables (`relaxspca.relaxations.published.dspca_smooth`).
    tol : relative accuracy asked of the solver; the bound is valid whatever it achieves.
    time_limit : seconds for the solver.

    Returns
    -------
    (n, n) symmetric array
        Zero, whose bound is the largest eigenvalue, when the solver fails.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> from relaxspca.relaxations.published.dspca import upper_bound
    >>> cov = load_pitprops()
    >>> round(upper_bound(cov, solve_dspca(cov, k=5), 5), 4)
    3.4581
    """
    if solver == "smooth":
        if rho is None:
            raise InputError("the smooth method solves the penalised form: give rho, or another solver")
        return smooth_minimise(cov, rho, tol=tol, time_limit=time_limit)[0]
    model = dual_model(cov, k=k, rho=rho)
    outcome = solve_cone_program(model.problem, solver=solver, tol=tol, time_limit=time_limit)
    U = model.variables["U"].value
    return np.asarray(U) if outcome.usable and U is not None else np.zeros((cov.n, cov.n))
