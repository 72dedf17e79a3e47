"""The cone program whose solution is a dual point for the one-factor loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.certificate import PairwisePoint
from relaxspca.numerics.linalg import Array


def loss_dual(Sigma: Array, r: int, floor: float) -> tuple[float, PairwisePoint] | None:
    r"""Minimise the pairwise bound on ``max h'Sigma^2 h / h'Sigma h`` over g and the dual point.

    .. math:: \min\ g + u/\mu \quad\text{s.t.}\quad
        \Sigma^2 - g\Sigma - V + \mathrm{Diag}\,\lambda + r\,\mathrm{Diag}(\mathrm{diag}W) - W
        \preceq (u - p) I, \quad u \ge 0,\ W \succeq 0,\ \lambda \ge 0

    where p is the price of the dearest r variables as in `relaxspca.relaxations.pairwise.formula`: with
    ``q_ij >= V_ij^2 / (2 (lam_i + lam_j))`` and S antisymmetric, the sum of the r largest of
    ``c_i = q_ii + (sum of the r - 1 largest q_ij + S_ij, j != i)``.

    Parameters
    ----------
    Sigma : (n, n) positive semidefinite
        Covariance.
    r : int
        Number of variables.
    floor : float
        mu, a lower bound on ``h'Sigma h`` over r-sparse unit h; 0 forces u = 0.

    Returns
    -------
    (float, PairwisePoint) or None
        g and the point, in the units of Sigma; None when the solver fails. Nothing is trusted: the
        bound is recomputed from them.
    """
    import cvxpy as cp

    n = Sigma.shape[0]
    scale = float(np.linalg.norm(Sigma, 2))
    T = Sigma / scale
    g, u, V = cp.Variable(), cp.Variable(nonneg=True), cp.Variable((n, n), symmetric=True)
    lam, W = cp.Variable(n, nonneg=True), cp.Variable((n, n), PSD=True)
    price, S, constraints = _price(V, lam, n, r)
    spectral = T @ T - g * T - V + cp.diag(lam) + r * cp.diag(cp.diag(W)) - W
    constraints.append((u - price) * np.eye(n) - spectral >> 0)
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
    if g.value is None or lam.value is None:
        return None
    return float(g.value) * scale, _point(V.value, lam.value, S.value, W.value, scale**2)


def _price(V: Any, lam: Any, n: int, r: int) -> tuple[Any, Any, list[Any]]:
    """Return the price of r variables, the antisymmetric S and the constraints that define them."""
    import cvxpy as cp

    i, j = np.triu_indices(n)
    flat, where = cp.Variable(i.size), np.zeros((n, n), dtype=int)
    where[i, j] = where[j, i] = np.arange(i.size)
    q = cp.reshape(flat[where.ravel()], (n, n), order="C")
    pair = 2 * (lam[i] + lam[j])
    cone = cp.SOC(flat + pair, cp.vstack([2 * V[i, j], flat - pair]), axis=0)
    S = cp.Variable((n, n))
    row, over = cp.Variable((n, 1)), cp.Variable((n, n), nonneg=True)
    off = np.ones((n, n)) - np.eye(n)
    dearest = cp.diag(q) + (r - 1) * row[:, 0] + cp.sum(cp.multiply(over, off), axis=1)
    level, excess = cp.Variable(), cp.Variable(n, nonneg=True)
    constraints = [
        cone,
        S + S.T == 0,
        cp.multiply(off, q + S - row @ np.ones((1, n)) - over) <= 0,
        dearest - level <= excess,
    ]
    return r * level + cp.sum(excess), S, constraints


def _point(V: Any, lam: Any, S: Any, W: Any, unit: float) -> PairwisePoint:
    """Return the solver's values as an exactly symmetric point in the units of Sigma squared."""
    n = lam.size
    values, vectors = np.linalg.eigh((W + W.T) / 2.0)
    kept = values > 1e-12 * max(float(values[-1]), 1e-300)
    L = vectors[:, kept] * np.sqrt(values[kept] * unit)
    # Interior points end a little inside: keep every lam_i + lam_j positive.
    positive = np.maximum(lam, 1e-12) * unit
    return PairwisePoint(
        np.arange(n), V=(V + V.T) * (unit / 2.0), lam=positive, S=(S - S.T) * (unit / 2.0), L=L
    )
