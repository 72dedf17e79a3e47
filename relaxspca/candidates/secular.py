"""Largest eigenvalues of symmetric blocks bordered by one more row and column."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import HALVINGS, Array
from relaxspca.problem.node import Indices


def best_border(
    poles: Array, weights: Array, corners: Array, allowed: npt.NDArray[np.bool_]
) -> tuple[Indices, Array]:
    r"""Return, for each block, the border that gives the largest eigenvalue, and this eigenvalue.

    Block :math:`s` has eigenvalues :math:`\mu_{s1} \le \dots \le \mu_{st}`. Bordering it with the column
    :math:`b_j` and the corner :math:`c_j` gives a matrix whose largest eigenvalue is the largest root of

    .. math:: \lambda - c_j - \sum_l \frac{\beta_{slj}^2}{\lambda - \mu_{sl}} = 0,
              \qquad \beta_{s \cdot j} = Q_s^T b_j .

    Given are the (s, t) poles :math:`\mu`, the (s, t, n) weights :math:`\beta^2`, the (n,) corners, and which
    of the (s, n) borders are allowed, at least one a block. Of equal borders the first is returned.

    Notes
    -----
    The left-hand side increases with lambda beyond the last pole. So one evaluation at the value of a good
    border shows which borders are better, and only their roots are computed.
    """
    blocks = np.arange(len(poles))
    guess = np.where(allowed, _two_by_two_root(poles[:, -1, None], weights[:, -1, :], corners), -np.inf)
    index = np.argmax(guess, axis=1)
    value = largest_root(poles, weights[blocks, :, index], corners[index])
    block, border = np.nonzero(allowed & (_excess(poles, weights, corners, value) > 0.0))
    root = largest_root(poles[block], weights[block, :, border], corners[border])
    # Later writes win: the pairs are written in increasing order of value, the first of equal borders last.
    order = np.lexsort((-border, root))
    block, border, root = block[order], border[order], root[order]
    better = root > value[block]
    index[block[better]] = border[better]
    value[block[better]] = root[better]
    return index, value


def largest_root(poles: Array, weights: Array, corners: Array) -> Array:
    """Return the largest root of m secular equations: poles and weights (m, t), corners (m,).

    Newton's method from below: the function is concave and increasing beyond the last pole, so that the steps
    increase and never pass the root.
    """
    if not len(poles):
        return np.empty(0)
    total = weights.sum(axis=1)
    mean = np.einsum("mt,mt->m", poles, weights) / np.where(total > 0.0, total, 1.0)
    mean = np.where(total > 0.0, mean, poles[:, -1])
    # Both starts are largest eigenvalues of compressions, and the first lies beyond every pole that has weight.
    single = _two_by_two_root(poles, weights, corners[:, None]).max(axis=1)
    lam = np.maximum(single, _two_by_two_root(mean, total, corners))
    active = np.arange(len(lam))
    for _ in range(HALVINGS):
        distance = lam[active, None] - poles[active]
        used = (distance > 0.0) & (weights[active] > 0.0)
        term = np.divide(weights[active], distance, out=np.zeros_like(distance), where=used)
        slope = 1.0 + np.divide(term, distance, out=np.zeros_like(distance), where=used).sum(axis=1)
        step = (corners[active] + term.sum(axis=1) - lam[active]) / slope
        lam[active] += np.maximum(step, 0.0)
        active = active[step > 1e-15 * np.abs(lam[active])]
        if not len(active):
            break
    return np.asarray(lam, dtype=np.float64)


def _two_by_two_root(pole: Array, weight: Array, corner: Array) -> Array:
    """Return the largest eigenvalue of [[pole, b], [b, corner]], b^2 = weight: a lower bound of the root."""
    half = 0.5 * (corner - pole)
    return np.asarray(0.5 * (corner + pole) + np.sqrt(half * half + weight))


def _excess(poles: Array, weights: Array, corners: Array, value: Array) -> Array:
    """Return c_j + sum_l beta_lj^2 / (value - mu_l) - value: positive where border j beats the value."""
    # Square root of the least float: if value and pole are both 0, its reciprocal times a weight is finite.
    least = np.finfo(float).tiny ** 0.5
    floor = 4.0 * np.finfo(float).eps * (np.abs(value) + np.abs(poles[:, -1])) + least
    reciprocal = 1.0 / np.maximum(value[:, None] - poles, floor[:, None])
    with np.errstate(over="ignore"):  # an overflow exceeds the value
        total = np.matmul(reciprocal[:, None, :], weights)[:, 0, :]
    margin = 1e-13 * np.maximum(np.abs(value), np.finfo(float).tiny)
    return np.asarray(corners + total - (value + margin)[:, None])
