"""Exchanges of variables while all components turn."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.several.stiefel_newton import StiefelNewton, improved_together
from relaxspca.numerics.linalg import Array, Indices
from relaxspca.problem.gap import RELATIVE_WIDTH

TRIES = 12  # exchanges tried before components are left as they are
LOSS = 1e-3  # of the largest variance: an exchange estimated to lose more is not tried
LARGEST = 0.8  # loading that is estimated for a new variable
FLAT = 1e-2  # of the largest variance, the least curvature estimated

# For each entry that leaves and each that enters (m, w): the gain, -inf in two vectors; the new loading; how
# hard the one that leaves is pulled to 0; how far each entry follows the new one. And where new entries are.
Estimated = tuple[Array, Array, Array, Array, tuple[Indices, Indices]]


def exchanged_together(Sigma: Array, table: StiefelNewton) -> StiefelNewton | None:
    r"""Return better components one exchange away, estimated by second derivatives; None if there are none.

    Notes
    -----
    Let an entry a, 0 so far, enter a vector, and an entry e leave it. In the quadratic model of the Lagrangian
    all the other entries follow: with :math:`d_a` the new loading, :math:`g_a` the slope there, :math:`\kappa`
    the curvature, :math:`\rho_e` how far e follows a, and :math:`A_{ee}` how far it gives way to a pull, the
    model gains

    .. math:: 2 g_a d_a - \kappa d_a^2 - (x_e + \rho_e d_a)^2 / A_{ee},

    a number for each pair of entries from one decomposition. The best few are tried in earnest, and the first
    that helps is taken.

    References
    ----------
    B. Hassibi and D. G. Stork, Second order derivatives for network pruning: Optimal Brain Surgeon, NIPS 1992:
    such a multiplier of an entry that leaves, without constraints and without entries that enter.
    """
    estimated = _estimated(Sigma, table)
    gains, least = estimated[0], table.value + RELATIVE_WIDTH * abs(table.value)
    for at in np.argsort(-gains, axis=None, kind="stable")[:TRIES]:
        e, a = divmod(int(at), gains.shape[1])
        if gains[e, a] < -LOSS * table.scale:
            break
        found = improved_together(Sigma, *_exchanged(table, estimated, e, a), least=least)
        if found is not None and found.value > least:
            return found
    return None


def _exchanged(table: StiefelNewton, estimated: Estimated, e: int, a: int) -> tuple[Array, list[Indices]]:
    """Return vectors from which to improve after an exchange, and their supports."""
    _, entering, pulls, follow, (rows, columns) = estimated
    X, supports = table.X.copy(), list(table.supports)
    given_way = table.curvature.inverse[:, e] * pulls[e, a]
    X[table.rows, table.columns] += given_way + follow[:, a] * entering[e, a]
    i, j, t = int(table.rows[e]), int(rows[a]), int(columns[a])
    X[i, t], X[j, t] = 0.0, entering[e, a]
    supports[t] = np.sort(np.append(np.setdiff1d(supports[t], [i]), j))
    return X, supports


def _estimated(Sigma: Array, table: StiefelNewton) -> Estimated:
    """Return what is estimated of every exchange."""
    X, rows, columns, derivatives = table.X, table.rows, table.columns, table.curvature
    outside = np.ones(X.shape, dtype=bool)
    outside[rows, columns] = False
    j, t = np.nonzero(outside)
    lengths = derivatives.multipliers.diagonal()
    mixed = derivatives.multipliers - np.diag(lengths)
    slope = (Sigma @ X - X @ mixed)[j, t]
    is_same = columns[:, None] == t
    with_old = Sigma[np.ix_(rows, j)] * is_same - mixed[np.ix_(columns, t)] * (rows[:, None] == j)
    first, second = np.triu_indices(X.shape[1])
    J = (first[:, None] == t) * X[j][:, second].T + (second[:, None] == t) * X[j][:, first].T
    J[first == second] = 0.0
    given_way = derivatives.back(J)
    bent = derivatives.hessian @ given_way + with_old
    among = Sigma[np.ix_(j, j)] * (t[:, None] == t) - mixed[np.ix_(t, t)] * (j[:, None] == j)
    own = among - np.diag(lengths[t]) + with_old.T @ given_way + given_way.T @ bent
    answer = derivatives.inverse @ bent
    scale = table.scale
    curved = -own.diagonal() - (bent * answer).sum(axis=0)
    curvature = np.maximum(curved, FLAT * scale)
    follow = given_way + answer
    ease = np.maximum(derivatives.inverse.diagonal(), 1e-6 / scale)[:, None]
    x = X[rows, columns][:, None]
    entering = (slope - follow * x / ease) / (curvature + follow**2 / ease)
    entering = np.clip(entering, -LARGEST, LARGEST)
    pulls = -(x + follow * entering) / ease
    gains = 2 * slope * entering - curvature * entering**2 - ease * pulls**2
    # No step of the others makes room for a variable that another vector has, where they share no second one.
    has_room = np.abs(J + derivatives.slopes @ given_way).max(axis=0) < 1e-6
    gains = np.where(is_same & has_room, gains, -np.inf)
    return gains, entering, pulls, follow, (j, t)
