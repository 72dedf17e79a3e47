"""Exchanges of variables while all components turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.candidates.several.stiefel_newton import StiefelNewton, improved_together
from relaxspca.numerics.linalg import Array, Indices
from relaxspca.problem.gap import RELATIVE_WIDTH

TRIES = 12  # exchanges tried before components are left as they are
LOSS = 1e-3  # of the largest variance: an exchange estimated to lose more is not tried
LARGEST = 0.8  # loading that is estimated for a new variable
FLAT = 1e-2  # of the largest variance, the least curvature estimated


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
    least = table.value + RELATIVE_WIDTH * abs(table.value)
    width = estimated.gains.shape[1]
    for at in np.argsort(-estimated.gains, axis=None, kind="stable")[:TRIES]:
        e, a = divmod(int(at), width)
        if estimated.gains[e, a] < -LOSS * table.scale:
            break
        X, supports = estimated.exchanged(table, e, a)
        found = improved_together(Sigma, X, supports, least=least)
        if found is not None and found.value > least:
            return found
    return None


@dataclass(frozen=True, eq=False)
class _Estimated:
    """The estimated gain of every exchange.

    Attributes
    ----------
    gains : (m, w) array: of the sum of variances, where entry e leaves and entry a enters; -inf in two vectors.
    entering : (m, w) array of new loadings d_a.
    pulls : (m, w) array: how hard the entry that leaves is pulled to 0.
    follow : (m, w) array: how far each entry follows a new one.
    rows, columns : (w,) arrays, where the new entries are.
    """

    gains: Array
    entering: Array
    pulls: Array
    follow: Array
    rows: Indices
    columns: Indices

    def exchanged(self, table: StiefelNewton, e: int, a: int) -> tuple[Array, list[Indices]]:
        """Return the supports after an exchange, and vectors from which to improve them."""
        X, supports = table.X.copy(), list(table.supports)
        given_way = table.curvature.inverse[:, e] * self.pulls[e, a]
        X[table.rows, table.columns] += given_way + self.follow[:, a] * self.entering[e, a]
        i, j, t = int(table.rows[e]), int(self.rows[a]), int(self.columns[a])
        X[i, t], X[j, t] = 0.0, self.entering[e, a]
        supports[t] = np.sort(np.append(np.setdiff1d(supports[t], [i]), j))
        return X, supports


def _estimated(Sigma: Array, table: StiefelNewton) -> _Estimated:
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
    return _Estimated(gains, entering, pulls, follow, j, t)
