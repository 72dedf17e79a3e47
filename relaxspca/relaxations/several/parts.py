"""The smooth maximum of lambda_max(M_TT) + y(T) over the supports of one component."""

from __future__ import annotations

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.shape import Part
from relaxspca.relaxations.soft_eigenvalue import NEGLIGIBLE, SoftLargest
from relaxspca.relaxations.soft_top import SoftTop

Supports = tuple[Indices, ...]


class SoftPart:
    """Equal parts: by a matrix B of Perron multipliers, or by supports tried one by one.

    Parameters
    ----------
    part : Part.
    variables : those of the whole problem; `at` is where the variables of the part are among them.
    width : smoothing (variance).
    count : how many equal parts there are.
    supports : arrays (count, size) of positions among the variables of the part; None for Perron multipliers.
    is_at_most : whether supports may be smaller, so that no row pays a negative multiplier for a free partner.
    """

    def __init__(
        self,
        part: Part,
        variables: Indices,
        width: float,
        *,
        count: int,
        supports: Supports | None,
        is_at_most: bool = False,
    ) -> None:
        self.at = np.searchsorted(variables, part.variables)
        self.m, self.width, self.count, self.supports = len(self.at), width, count, supports
        inside = np.isin(part.variables, part.inside)
        self.off = ~np.eye(self.m, dtype=bool)
        self.entries = 0 if supports is not None else self.m * (self.m - 1)
        if supports is None:
            self.forced = (inside[None, :] & self.off).astype(float)
            self.may_stay_out = ~inside[None, :] & is_at_most
            slots = part.size - inside.sum() - ~inside
            self.largest = SoftLargest(width)
            self.sums = SoftTop(~inside[None, :] & self.off, slots, width / 4)

    def pack(self, B: Array | None) -> Array:
        """Return the entries of B off the diagonal."""
        return np.zeros(0) if B is None else B[self.off]

    def unpack(self, entries: Array) -> Array | None:
        """Return B, or None where there is none."""
        if self.supports is not None:
            return None
        B = np.zeros((self.m, self.m))
        B[self.off] = entries
        return B

    def __call__(self, rest: Array, y: Array, B: Array | None) -> tuple[float, Array, Array, Array]:
        """Return the smooth bound of the parts together, and its gradients in M, y and the entries of B."""
        count = self.count
        if B is None:
            value, X, by_multiplier = self._by_supports(rest, y)
            return count * value, count * X, count * by_multiplier, np.zeros(0)
        multipliers = B * B + y[None, :]
        paid = np.where(self.may_stay_out, np.maximum(multipliers, 0.0), multipliers)
        total, share = self.sums(paid)
        share = np.where(self.may_stay_out & (multipliers < 0), 0.0, share) + self.forced
        M = rest - B * B.T
        M[np.diag_indices(self.m)] += y + total + (self.forced * multipliers).sum(axis=1)
        value, X = self.largest(M)
        variances = np.diagonal(X)
        by_pair = variances[:, None] * share
        by_rows = 2 * (B * by_pair - X * B.T)[self.off]
        by_multiplier = variances + by_pair.sum(axis=0)
        return count * value, count * X, count * by_multiplier, count * by_rows

    def _by_supports(self, rest: Array, y: Array) -> tuple[float, Array, Array]:
        """Return mu log sum_T tr exp((M_TT + y(T) I) / mu), and its gradients in M and y."""
        assert self.supports is not None
        spectra = []
        for some in self.supports:
            values, vectors = np.linalg.eigh(rest[some[:, :, None], some[:, None, :]])
            spectra.append((values + y[some].sum(axis=1)[:, None], vectors))
        top = max(float(values.max()) for values, _ in spectra)
        weights = [np.exp((values - top) / self.width) for values, _ in spectra]
        total = sum(float(weight.sum()) for weight in weights)
        X, by_multiplier = np.zeros_like(rest), np.zeros_like(y)
        for some, weight, (_, vectors) in zip(self.supports, weights, spectra, strict=True):
            share = weight / total
            used, which = np.nonzero(share > NEGLIGIBLE)
            vector = vectors[used, :, which] * np.sqrt(share[used, which])[:, None]
            place = np.zeros((len(used), self.m))
            np.put_along_axis(place, some[used], vector, axis=1)
            X += place.T @ place
            np.add.at(by_multiplier, some, share.sum(axis=1)[:, None])
        return top + self.width * float(np.log(total)), X, by_multiplier
