"""What two components lose because they are orthogonal, under one dual point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import UNDERFLOW, UNIT_ROUNDOFF, Array, eigenvalues_upper
from relaxspca.problem.node import Indices

COSINE_ROOM = 2.0**-44  # for roundings of products and lengths of vectors of at most 62 entries
ROOM = 1 - 2.0**-20  # what a reader of the certificate may miss of a loss
TINY = 2.0**40 * UNDERFLOW  # below it roundings are not relative


class OrthogonalityCuts:
    r"""Losses of pairs of sets.

    .. math:: x'Mx+y'My\le\lambda_{\max}(M_{SS})+\lambda_{\max}(M_{S'S'})-\text{loss}

    where x and y are orthogonal unit vectors on S and S'. Let u, v be the leading unit eigenvectors of the two
    blocks, g, g' the distances to their second eigenvalues, t = g + g' and c the inner product of u and v:

    .. math:: \text{loss}=\tfrac12\big(t-\sqrt{t^2-4gg'c^2}\big)\ge\tfrac t{32}\,e\,(8+2e+e^2),
              \quad e=4gg'c^2/t^2.

    Proof: docs/theory/several.md, section 5. What is found is proved: it is lowered by all roundings.

    Parameters
    ----------
    M : (m, m) symmetric.
    bounds : (count,) proved bounds on lambda_max(M_SS) of all sets; what is lost is lost from these.
    by_size : numbers of the sets of each size, and their positions in M, a row each.
    """

    def __init__(self, M: Array, bounds: Array, by_size: Sequence[tuple[Indices, Indices]]) -> None:
        self.M, self.bounds, self.by_size = M, bounds, by_size
        self.vectors = np.zeros((len(bounds), len(M)))
        self.gaps = np.zeros(len(bounds))
        self.excess = np.zeros(len(bounds))
        self.is_found = ~np.isfinite(bounds)

    def prepare(self, numbers: Indices) -> None:
        """Find the vectors of some sets, once."""
        is_wanted = np.zeros(len(self.bounds), dtype=bool)
        is_wanted[numbers] = True
        is_wanted &= ~self.is_found
        for own, rows in self.by_size:
            chosen = is_wanted[own]
            if chosen.any() and rows.shape[1] > 1:
                self._find(own[chosen], rows[chosen])
        self.is_found |= is_wanted

    def of(self, ones: Indices, others: Indices) -> Array:
        """Return the losses of pairs of prepared sets."""
        cosines = np.einsum("ij,ij->i", self.vectors[ones], self.vectors[others])
        return self._lost(cosines, ones, others)

    def table(self, ones: Indices, others: Indices) -> Array:
        """Return the losses of each of some prepared sets with each of others."""
        cosines = self.vectors[ones] @ self.vectors[others].T
        return self._lost(cosines, ones[:, None], others[None, :])

    @np.errstate(over="ignore", invalid="ignore", under="ignore", divide="ignore")
    def _lost(self, cosines: Array, ones: Indices, others: Indices) -> Array:
        g, h = self.gaps[ones], self.gaps[others]
        c = np.abs(cosines) - COSINE_ROOM
        t = g + h
        e = 4 * (g / t) * (h / t) * np.maximum(c, 0) ** 2
        lost = t / 32 * e * (8 + e * (2 + e)) * ROOM
        is_sure = (e > TINY) & (lost > TINY) & np.isfinite(lost)
        return np.where(is_sure, np.maximum(lost - (self.excess[ones] + self.excess[others]), 0), 0.0)

    @np.errstate(over="ignore", invalid="ignore", under="ignore")
    def _find(self, numbers: Indices, rows: Indices) -> None:
        """Find u, g and how much a bound with them is above the one there is.

        B = M - g uu' on S, so M is at most lambda_max(B) I + g uu', and a = lambda_max(B) + g.
        """
        blocks = self.M[rows[:, :, None], rows[:, None, :]]
        try:
            values, bases = np.linalg.eigh(blocks)
        except np.linalg.LinAlgError:
            return
        gaps, u = values[:, -1] - values[:, -2], bases[:, :, -1]
        size = np.abs(blocks).sum(axis=2).max(axis=1) + gaps
        lengths = np.einsum("ij,ij->i", u, u)
        is_sure = (np.abs(lengths - 1) < COSINE_ROOM / 2) & (gaps > 0) & (size < 2.0**1000)
        if not is_sure.any():
            return
        found = numbers, rows, blocks, gaps, u, size
        numbers, rows, blocks, gaps, u, size = (some[is_sure] for some in found)
        B = blocks - gaps[:, None, None] * (u[:, :, None] * u[:, None, :])
        below = eigenvalues_upper(B, 8 * UNIT_ROUNDOFF * rows.shape[1] * float(size.max()))
        a = (below + gaps * (1 + COSINE_ROOM)) + 4 * UNIT_ROUNDOFF * size
        self.gaps[numbers] = gaps
        self.excess[numbers] = np.maximum(a - self.bounds[numbers], 0) * (1 + 4 * UNIT_ROUNDOFF)
        spread: npt.NDArray[np.float64] = np.zeros((len(rows), len(self.M)))
        np.put_along_axis(spread, rows, u, axis=1)
        self.vectors[numbers] = spread
