"""The cone program for a dual point of the one-factor loss bound."""

from __future__ import annotations

import numpy as np

from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.perron.formula import perron_point
from relaxspca.relaxations.perron.models import dual_constraints


def loss_dual(Sigma: Array, r: int, floor: float) -> tuple[float, RowsPoint] | None:
    r"""Minimise the Perron bound on ``max h'Sigma^2 h / h'Sigma h`` over g and the dual point.

    .. math:: \min\ g + u/\mu \quad\text{s.t.}\quad
        \Sigma^2 - g\Sigma - P + \mathrm{Diag}\,c \preceq uI, \quad u \ge 0, \quad N_{ij}N_{ji} \ge P_{ij}^2

    where c_i is the sum of the r - 1 largest N_ij, as in `relaxspca.relaxations.perron.formula`.

    Parameters
    ----------
    Sigma : (n, n) positive semidefinite, n at least 2
        Covariance.
    r : int
        Number of variables.
    floor : float
        mu, a lower bound on ``h'Sigma h`` over r-sparse unit h; 0 forces u = 0.

    Returns
    -------
    (float, RowsPoint) or None
        g and the point, in the units of Sigma; None when the solver fails. Nothing is trusted: the
        bound is recomputed from them.
    """
    import cvxpy as cp

    n = Sigma.shape[0]
    scale = float(np.linalg.norm(Sigma, 2))
    T = Sigma / scale
    g, u, c = cp.Variable(), cp.Variable(nonneg=True), cp.Variable(n, nonneg=True)
    P, N = cp.Variable((n, n), symmetric=True), cp.Variable((n, n), nonneg=True)
    constraints = dual_constraints(P, N, c, r)
    constraints.append(u * np.eye(n) - (T @ T - g * T - P + cp.diag(c)) >> 0)
    if floor > 0.0:
        objective = g + u * (scale / floor)
    else:
        objective = g
        constraints.append(u == 0)
    problem = cp.Problem(cp.Minimize(objective), constraints)
    try:
        problem.solve(solver=cp.CLARABEL)
    except cp.SolverError:
        return None
    if g.value is None or P.value is None:
        return None
    unit = scale**2
    return float(g.value) * scale, perron_point(np.arange(n), P.value * unit, np.maximum(N.value, 0.0) * unit)
