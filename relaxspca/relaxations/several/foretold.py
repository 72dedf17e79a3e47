"""Foretell what dual points of their own would prove of many families, from the eigenvectors of one point."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.several.shape import Indices

__all__ = ["foretold"]

FIRST_STEP = 0.05  # length of the first gradient step; the change of the slope gives that of the others
LEAST_STEP, LONGEST_STEP = 1e-3, 2.0


@np.errstate(over="ignore", invalid="ignore")
def foretold(
    Sigma: Array,
    vectors: Array,
    starts: Indices,
    is_named: npt.NDArray[np.bool_],
    named: Array,
    others: Array,
    L: Array,
    *,
    width: float,
    steps: int,
) -> Array:
    r"""Return the least that gradient steps in L come to, for each way to divide the vectors of groups.

    .. math:: \sum_g\Bigl(m_g\max_{v\in A_g}+m_g'\max_{v\in B_g}\Bigr)(v'\Sigma v-|L'v|^2)+\mathrm{tr}\,LL'

    With the leading eigenvectors of sets at one point as vectors this foretells how far the bound of these
    sets falls, for a small part of the work, as no eigenvalues are needed. It is no bound: at another point
    the eigenvectors are others.

    Parameters
    ----------
    Sigma : (m, m) (variance).
    vectors : (N, m) of length 1, group by group.
    starts : (G,) the place where each group begins.
    is_named : (C, N) for each of C ways, whether a vector is in A; the others are in B.
    named, others : (C, G) the numbers m and m' of components; where one is positive there is a vector.
    L : (m, m) to begin with.
    width : of the smooth maxima (variance).
    steps : how many.
    """
    squares = (vectors[:, :, None] * vectors[:, None, :]).reshape(len(vectors), -1)
    heights, unit = squares @ Sigma.ravel(), np.eye(len(Sigma))
    groups = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(vectors)))
    counts = np.where(is_named, named[:, groups], others[:, groups])
    points = np.repeat(L[None], len(named), axis=0)
    least, step = np.full(len(named), np.inf), np.full(len(named), FIRST_STEP)
    before: tuple[Array, Array] | None = None
    for _ in range(steps):
        Z = points @ points.transpose(0, 2, 1)
        values = heights - Z.reshape(len(Z), -1) @ squares.T
        tops, rest = (
            np.maximum.reduceat(np.where(own, values, -np.inf), starts, axis=1)
            for own in (is_named & (counts > 0), ~is_named & (counts > 0))
        )
        tops[named == 0], rest[others == 0] = 0.0, 0.0
        least = np.minimum(least, (named * tops + others * rest).sum(axis=1) + np.trace(Z, axis1=1, axis2=2))
        above = np.where(is_named, tops[:, groups], rest[:, groups])
        shares = np.exp(np.where(counts > 0, values - above, -np.inf) / width)
        sums, sums_rest = (
            np.add.reduceat(np.where(own, shares, 0.0), starts, axis=1) for own in (is_named, ~is_named)
        )
        shares *= counts / np.maximum(np.where(is_named, sums[:, groups], sums_rest[:, groups]), 1.0)
        slopes = (unit - (shares @ squares).reshape(Z.shape)) @ points
        if before is not None:
            step = _length(points - before[0], slopes - before[1])
        before = points, slopes
        points = points - step[:, None, None] * slopes
    return least


def _length(moved: Array, turned: Array) -> Array:
    """Return the length of the next step (Barzilai and Borwein, 1988)."""
    change, square = np.abs((moved * turned).sum(axis=(1, 2))), (turned**2).sum(axis=(1, 2))
    return np.asarray(np.clip(change / np.maximum(square, np.finfo(float).tiny), LEAST_STEP, LONGEST_STEP))
