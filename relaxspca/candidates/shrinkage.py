"""Thresholded power iterations in feature space, for the rank-one methods with a penalty."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from relaxspca.numerics.linalg import HALVINGS, Array
from relaxspca.problem.covariance import Covariance

__all__ = ["alternate", "hard", "of_cardinality", "skipping_name", "soft"]

Rule = Callable[[Array], Array]


def alternate(
    cov: Covariance,
    start: Array,
    rule: Rule,
    *,
    objective: Callable[[Array], float] | None = None,
    tol: float = 1e-9,
    max_iterations: int = 500,
) -> tuple[Array, list[float]]:
    r"""Alternate a thresholding rule with one multiplication by the covariance.

    .. math:: w = h(c), \qquad c \leftarrow A^T u = \frac{\Sigma w}{\sqrt{w^T \Sigma w}},
              \quad u = A w / \|A w\|

    Parameters
    ----------
    cov : Covariance of n variables; only its products are used.
    start : (n,) first c.
    rule : maps c to w; the iterations end where it gives zero.
    objective : function of c to record; None records nothing.
    tol : relative change of w at which the iterations end.
    max_iterations : most iterations.

    Returns
    -------
    w : (n,) the last w, zero when the rule keeps nothing.
    history : objective at every c.
    """
    c = start
    w = rule(c)
    history = [] if objective is None else [objective(c)]
    for _ in range(max_iterations):
        image = cov.product(w) + cov.shift * w
        size = float(w @ image)
        if size <= 0.0:
            break
        c = image / np.sqrt(size)
        following = rule(c)
        if objective is not None:
            history.append(objective(c))
        done = np.linalg.norm(following - w) <= tol * np.linalg.norm(following)
        w = following
        if done:
            break
    return w, history


def soft(c: Array, level: float | Array) -> Array:
    """Shrink every entry by `level` towards zero."""
    return np.sign(c) * np.maximum(np.abs(c) - level, 0.0)


def hard(c: Array, level: float | Array) -> Array:
    """Keep the entries above `level` in modulus."""
    return np.where(np.abs(c) > level, c, 0.0)


def of_cardinality(solve: Callable[[float], Array], k: int, low: float, high: float) -> tuple[Array, int]:
    """Search for a penalty in [low, high] whose solution has k nonzero entries.

    Parameters
    ----------
    solve : maps a penalty to an (n,) vector, with fewer nonzero entries for a larger penalty.
    k : cardinality wanted.
    low, high : range of the penalty.

    Returns
    -------
    vector : (n,) the solution found of smallest cardinality at least k, or the one at `low`.
    cardinality : its number of nonzero entries: not k where the path of solutions skips k.
    """
    best = solve(low)
    size = int(np.count_nonzero(best))
    for _ in range(HALVINGS):
        if size <= k:
            break
        middle = 0.5 * (low + high)
        vector = solve(middle)
        count = int(np.count_nonzero(vector))
        if count < k:
            high = middle
            continue
        low = middle
        if count < size:
            best, size = vector, count
    return best, size


def skipping_name(method: str, cardinality: int, k: int) -> str:
    """Return the name of a method, with a note if no penalty gives cardinality k."""
    return method if cardinality == k else f"{method} (k = {k} skipped, cut or filled from {cardinality})"
