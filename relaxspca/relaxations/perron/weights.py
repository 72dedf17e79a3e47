"""Weights for row sums: the power iteration of a homogeneous monotone map."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array, raised
from relaxspca.problem.node import Mask
from relaxspca.problem.size import RowTotals, Size
from relaxspca.relaxations.perron.formula import weighted_rows

__all__ = ["Balanced", "balance", "forced_bounds"]

SMALLEST_WEIGHT = 1e-9


@dataclass(frozen=True)
class Balanced:
    """Weights and what they prove; a stack of nodes has one more leading axis everywhere.

    Attributes
    ----------
    weights : (..., m) positive weights.
    bound : (...) largest row: a proved bound on every support of the node (variance).
    rows : (..., m, m) prices |Sigma_ij| w_j / w_i.
    prices : RowTotals of those rows.
    """

    weights: Array
    bound: Array
    rows: Array
    prices: RowTotals


def balance(
    Sigma: Array,
    inside: Mask,
    size: Size,
    *,
    weights: Array | None = None,
    iterations: int = 12,
    rounding: float = 0.0,
) -> Balanced:
    r"""Balance the weighted row sums of a block until they are nearly equal.

    .. math:: \min_{w>0} \max_i\ \Sigma_{ii} + \frac{1}{w_i}\max_{T\ni i,\,J\subseteq T,\,|T|=k}
              \sum_{j\in T,\,j\ne i}|\Sigma_{ij}|\,w_j

    Parameters
    ----------
    Sigma : (..., m, m) symmetric blocks (variance); leading axes are a stack of nodes.
    inside : (..., m) variables forced in.
    size : Cardinality or Penalty.
    weights : (..., m) start; by default the square roots of the variances, which make no row dearer than
        the trace.
    iterations : int
        Steps :math:`w_i \leftarrow w_i (r_i/\max r)^{1/2}` on rows shifted by the most negative variance;
        the best weights met are kept.
    rounding : float
        Bound on the spectral norm by which `Sigma` misses the exact block.

    Notes
    -----
    Every positive w gives a true bound, so the iteration may stop anywhere. The map is monotone and
    homogeneous of degree one: with a positive eigenvector w, f(w) = mu w, any weights u > 0 and
    t = min u_i / w_i, attained at i, have f_i(u) >= t f_i(w) = mu u_i. So w attains the minimum, which is
    attained in any case [1]_.

    References
    ----------
    .. [1] docs/theory/perron.md, Theorem 3.

    Examples
    --------
    >>> import relaxspca as rs
    >>> from relaxspca.problem.size import Cardinality
    >>> S = rs.datasets.load_pitprops().matrix
    >>> round(float(balance(S, np.zeros(13, dtype=bool), Cardinality(3), iterations=60).bound), 4)
    2.4753
    """
    variances = np.diagonal(Sigma, axis1=-2, axis2=-1)
    if weights is None:
        weights = np.sqrt(np.abs(variances))
    w = _floored(weights)
    # The best weights do not change when Sigma is shifted; the iteration needs rows of positive sum.
    shift = np.maximum(-variances.min(axis=-1), 0.0)[..., None]
    best: Balanced | None = None
    for _ in range(max(iterations, 1)):
        rows = weighted_rows(Sigma, w)
        prices = size.row_prices(rows, inside)
        totals = raised(variances + size.proved_totals(prices), 1) + rounding
        bound = totals.max(axis=-1)
        found = Balanced(w, bound, rows, prices)
        best = found if best is None else _better(best, found)
        largest = np.maximum(bound[..., None] + shift, 1e-300)
        share = np.maximum(totals + shift, 0.0) / largest
        w = _floored(w * np.sqrt(np.maximum(share, SMALLEST_WEIGHT)))
    assert best is not None
    return best


def forced_bounds(
    Sigma: Array, inside: Mask, size: Size, found: Balanced, *, rounding: float = 0.0
) -> tuple[Array, Array]:
    """Bound the supports of a node with each free variable forced in, and with it left out.

    Parameters
    ----------
    Sigma : (..., m, m) blocks (variance).
    inside : (..., m) variables forced in.
    size : Cardinality or Penalty.
    found : Balanced weights of these blocks.
    rounding : as in `balance`.

    Returns
    -------
    with_variable, without_variable : (..., m) proved bounds (variance); minus infinity for variables
        that are forced in already.

    Notes
    -----
    A row that must pay variable i drops its least partner for it; a row that may not pay i takes the
    next partner instead.
    """
    m = Sigma.shape[-1]
    prices, N = found.prices, found.rows
    totals = raised(np.diagonal(Sigma, axis1=-2, axis2=-1) + size.proved_totals(prices), 1)
    diagonal = np.eye(m, dtype=bool)
    loss = np.maximum(prices.least[..., :, None] - N, 0.0)
    with_variable = np.where(diagonal, totals[..., :, None], totals[..., :, None] - loss).max(axis=-2)
    gain = np.where(prices.least[..., :, None] <= N, N - prices.following[..., :, None], 0.0)
    # A finite stand-in for minus infinity: with one variable only, no row is left when it is.
    without = np.where(diagonal, -1e300, totals[..., :, None] - np.maximum(gain, 0.0)).max(axis=-2)
    return (
        np.where(inside, -np.inf, raised(with_variable, 1) + rounding),
        np.where(inside, -np.inf, raised(without, 1) + rounding),
    )


def _better(best: Balanced, found: Balanced) -> Balanced:
    """Keep, node by node, whichever bound is lower."""
    if best.bound.ndim == 0:
        return found if found.bound < best.bound else best
    is_lower = found.bound < best.bound
    vector, square = is_lower[..., None], is_lower[..., None, None]
    return Balanced(
        np.where(vector, found.weights, best.weights),
        np.where(is_lower, found.bound, best.bound),
        np.where(square, found.rows, best.rows),
        RowTotals(
            np.where(vector, found.prices.total, best.prices.total),
            np.where(vector, found.prices.least, best.prices.least),
            np.where(vector, found.prices.following, best.prices.following),
        ),
    )


def _floored(weights: Array) -> Array:
    largest = weights.max(axis=-1, keepdims=True)
    return np.asarray(
        np.where(largest > 0, np.maximum(weights / np.maximum(largest, 1e-300), SMALLEST_WEIGHT), 1.0)
    )
