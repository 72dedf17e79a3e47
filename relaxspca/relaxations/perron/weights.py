"""Weights that balance row sums, by the power iteration of a homogeneous monotone map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import AT_ONCE, Array, Mask, raised
from relaxspca.problem.size import RowTotals, Size
from relaxspca.relaxations.perron.formula import weighted_rows
from relaxspca.runtime.deadline import FOREVER, Deadline

SMALLEST_WEIGHT = 1e-9


@dataclass(frozen=True)
class Balanced:
    """Positive weights, their rows |Sigma_ij| w_j / w_i, and the largest: a proved bound (variance)."""

    weights: Array
    bound: float
    charges: RowTotals


def balance(
    Sigma: Array,
    inside: Mask,
    size: Size,
    *,
    weights: Array | None = None,
    iterations: int = 12,
    rounding: float = 0.0,
    deadline: Deadline = FOREVER,
) -> Balanced:
    r"""Balance the weighted row sums of a block until they are nearly equal; the best weights found are kept.

    .. math:: \min_{w>0} \max_i\ \Sigma_{ii} + \frac{1}{w_i}\max_{T\ni i,\,J\subseteq T,\,|T|=k}
              \sum_{j\in T,\,j\ne i}|\Sigma_{ij}|\,w_j

    The first weights are by default the square roots of the variances, at which no row sum exceeds the trace.
    Steps are :math:`w_i \leftarrow w_i (r_i/\max r)^{1/2}` on rows shifted by the most negative variance. By
    how much the block may miss the exact one in spectral norm, `rounding` says.

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
    >>> round(balance(S, np.zeros(13, dtype=bool), Cardinality(3), iterations=60).bound, 4)
    2.4753
    """
    variances = np.diagonal(Sigma)
    if weights is None:
        weights = np.sqrt(np.abs(variances))
    w = floored(weights)
    # The best weights do not change when Sigma is shifted; the iteration needs rows of positive sum.
    shift = max(-float(variances.min()), 0.0)
    best: Balanced | None = None
    for _ in range(max(iterations, 1)):
        parts = _parts(Sigma, w)
        charges = RowTotals.joined([size.row_charges(N, inside, first=rows.start) for rows, N in parts])
        totals = raised(variances + size.proved_totals(charges), 1) + rounding
        bound = float(totals.max())
        best = Balanced(w, bound, charges) if best is None or bound < best.bound else best
        if deadline.is_over:
            break
        w = better_weights(w, totals + shift)
    assert best is not None
    return best


def better_weights(w: Array, totals: Array) -> Array:
    """Return weights nearer to those at which all row totals are equal; infinite ones count as the largest."""
    finite = np.where(np.isfinite(totals), np.maximum(totals, 0.0), 0.0)
    share = np.where(np.isfinite(totals), finite / max(float(finite.max(initial=0.0)), 1e-300), 1.0)
    return floored(w * np.sqrt(np.maximum(share, SMALLEST_WEIGHT)))


def forced_bounds(
    Sigma: Array, inside: Mask, size: Size, found: Balanced, *, rounding: float = 0.0
) -> tuple[Array, Array]:
    """Return proved bounds on the supports of a node with each free variable forced in, and with it left out.

    They are minus infinity for variables that are forced in already. A row that must pay variable i drops its
    least partner for it; a row that cannot pay i pays the next largest partner instead.
    """
    charges = found.charges
    totals = raised(np.diagonal(Sigma) + size.proved_totals(charges), 1)
    # Finite in place of minus infinity: of a single variable no row remains when it is left out.
    with_variable, without = np.full(inside.shape, -np.inf), np.full(inside.shape, -1e300)
    for rows, N in _parts(Sigma, found.weights):
        diagonal = np.eye(len(N), N.shape[1], rows.start, dtype=bool)
        total = totals[rows, None]
        here = charges.some(rows)
        loss = np.where(diagonal, 0.0, here.losses(N))
        with_variable = np.maximum(with_variable, (total - loss).max(axis=0))
        without = np.maximum(without, np.where(diagonal, -1e300, total - here.gains(N)).max(axis=0))
    return (
        np.where(inside, -np.inf, raised(with_variable, 1) + rounding),
        np.where(inside, -np.inf, raised(without, 1) + rounding),
    )


def _parts(Sigma: Array, weights: Array) -> Iterator[tuple[slice, Array]]:
    """Yield the weighted rows in blocks that take little memory."""
    m = len(Sigma)
    step = max(1, AT_ONCE // max(m, 1))
    for start in range(0, m, step):
        rows = slice(start, min(start + step, m))
        yield rows, weighted_rows(Sigma[rows], weights, first=start)


def floored(weights: Array) -> Array:
    """Return weights divided by the largest, none below 1e-9; ones where none is above 0."""
    largest = float(weights.max(initial=0.0))
    return np.maximum(weights / largest, SMALLEST_WEIGHT) if largest > 0 else np.ones_like(weights)
