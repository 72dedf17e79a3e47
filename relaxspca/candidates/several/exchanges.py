"""Exchanges of variables while all components turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.candidates.several.together import Together, improved_together
from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices

__all__ = ["exchanged_together"]

TRIES = 12  # exchanges tried before a table is left as it is
LOSS = 1e-3  # of the largest variance: an exchange foretold to lose more is not tried
LARGEST = 0.8  # loading that is foretold for a new variable
FLAT = 1e-2  # of the largest variance, the least curvature foretold
GAIN = 1e-8  # relative gain for which a table is left


def exchanged_together(Sigma: Array, table: Together, metric: Array | None = None) -> Together | None:
    r"""Return a better table one exchange away, as far as second derivatives foretell it; None without any.

    Parameters
    ----------
    Sigma : (n, n) symmetric array (variance).
    table : where to begin.
    metric : (n, n) array C; x_s'Cx_t = 0 is asked for. None for orthogonal vectors.

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
    such a price of an entry that leaves, without constraints and without entries that enter.
    """
    metric = np.eye(len(Sigma)) if metric is None else metric
    foretold = _foretold(Sigma, table, metric)
    least = table.value + GAIN * abs(table.value)
    width = foretold.gains.shape[1]
    for at in np.argsort(-foretold.gains, axis=None, kind="stable")[:TRIES]:
        e, a = divmod(int(at), width)
        if foretold.gains[e, a] < -LOSS * table.scale:
            break
        X, supports = foretold.exchanged(table, e, a)
        found = improved_together(Sigma, X, supports, metric, least=least)
        if found is not None and found.value > least:
            return found
    return None


@dataclass(frozen=True, eq=False)
class _Foretold:
    """What exchanges promise.

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

    def exchanged(self, table: Together, e: int, a: int) -> tuple[Array, list[Indices]]:
        """Return vectors to begin with, and supports, after an exchange."""
        X, supports = table.X.copy(), list(table.supports)
        moved = table.bends.inverse[:, e] * self.pulls[e, a] + self.follow[:, a] * self.entering[e, a]
        X[table.rows, table.columns] += moved
        i, j, t = int(table.rows[e]), int(self.rows[a]), int(self.columns[a])
        X[i, t], X[j, t] = 0.0, self.entering[e, a]
        supports[t] = np.sort(np.append(np.setdiff1d(supports[t], [i]), j))
        return X, supports


def _foretold(Sigma: Array, table: Together, metric: Array) -> _Foretold:
    X, rows, columns, bends = table.X, table.rows, table.columns, table.bends
    outside = np.ones(X.shape, dtype=bool)
    outside[rows, columns] = False
    j, t = np.nonzero(outside)
    lengths = bends.multipliers.diagonal()
    mixed = bends.multipliers - np.diag(lengths)
    image = metric @ X
    slope = (Sigma @ X - image @ mixed)[j, t]
    is_same = columns[:, None] == t
    with_old = Sigma[np.ix_(rows, j)] * is_same - mixed[np.ix_(columns, t)] * metric[np.ix_(rows, j)]
    first, second = np.triu_indices(X.shape[1])
    J = (first[:, None] == t) * image[j][:, second].T + (second[:, None] == t) * image[j][:, first].T
    J[first == second] = 0.0
    given_way = bends.back(J)
    bent = bends.hessian @ given_way + with_old
    own = Sigma[j, j] - lengths[t] + ((with_old + bent) * given_way).sum(axis=0)
    answer = bends.inverse @ bent
    scale = table.scale
    curvature = np.maximum(-own - (bent * answer).sum(axis=0), FLAT * scale)
    follow = given_way + answer
    ease = np.maximum(bends.inverse.diagonal(), 1e-6 / scale)[:, None]
    x = X[rows, columns][:, None]
    entering = (slope - follow * x / ease) / (curvature + follow**2 / ease)
    entering = np.clip(entering, -LARGEST, LARGEST)
    pulls = -(x + follow * entering) / ease
    gains = 2 * slope * entering - curvature * entering**2 - ease * pulls**2
    # No step of the others makes room for a variable that another vector has, where they share no second one.
    has_room = np.abs(J + bends.slopes @ given_way).max(axis=0) < 1e-6
    return _Foretold(np.where(is_same & has_room, gains, -np.inf), entering, pulls, follow, j, t)
