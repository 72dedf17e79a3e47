"""Where the pairwise dual starts: from a candidate's optimality conditions, or from nothing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array, leading_eigenpair
from relaxspca.problem.node import Mask
from relaxspca.relaxations.pairwise.exact import closed_form_point, exact_interval

__all__ = ["plain_start", "support_start", "thresholds"]


def support_start(Sigma: Array, support: npt.NDArray[np.int64]) -> list[tuple[Array, Array]]:
    """Return dual points (V, lam) that meet the optimality conditions of a component on its support.

    Parameters
    ----------
    Sigma : (m, m) array.
    support : (k,) positions of T.

    Returns
    -------
    list of (V, lam)
        `closed_form_point` for several c up to half the gap under v in the spectrum of the block, and for
        the middle of `exact_interval` if there is one.
    """
    block = np.linalg.eigvalsh(Sigma[np.ix_(support, support)])
    second = block[-2] if len(support) > 1 else 0.0
    reach = max((block[-1] - second) / 2, 1e-3 * abs(block[-1]))
    levels = [share * reach for share in (0.1, 0.2, 0.35, 0.5, 0.7, 1.0)]
    if 2 <= len(support) < len(Sigma):
        low, high = exact_interval(Sigma, support)
        if low <= high:
            levels.append((low + high) / 2)
    return [closed_form_point(Sigma, support, c) for c in levels]


def plain_start(Sigma: Array, k: int) -> list[tuple[Array, Array]]:
    r"""Return the dual point :math:`V=\Sigma/2,\ \lambda=\lambda_{\max}(\Sigma)/k`."""
    value, _ = leading_eigenpair(Sigma)
    return [(Sigma / 2, np.full(len(Sigma), max(value, np.abs(Sigma).max()) / k))]


def thresholds(prices: Array, k: int, inside: Mask) -> tuple[Array, float]:
    """Return, for each row, a level between the last price it counts and the next, and one for the rows.

    Parameters
    ----------
    prices : (m, m) array.
    k : int, the size of a set; more than the variables inside and less than m.
    inside : (m,) bool array, the variables forced in.
    """
    free = np.flatnonzero(~inside)
    room = k - int(inside.sum())
    to_free = prices[:, free].copy()
    to_free[free, np.arange(free.size)] = -np.inf
    ordered = -np.sort(-to_free, axis=1)
    counts = np.where(inside, room, room - 1)
    every = np.arange(len(prices))
    last = ordered[every, np.maximum(counts - 1, 0)]
    following = ordered[every, np.minimum(counts, free.size - 1)]
    levels = np.where(np.isfinite(following), (last + following) / 2, last)
    counted = np.where(np.arange(free.size) < counts[:, None], ordered, 0.0)
    rows = counted.sum(axis=1) + np.diagonal(prices) + prices[:, inside].sum(axis=1)
    decreasing = -np.sort(-rows[free])
    return levels, float(decreasing[room - 1] + decreasing[min(room, free.size - 1)]) / 2
