"""A sparse linear encoder with its decoder, its loss and what a theorem promises of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relaxspca.columns import DataMatrix
from relaxspca.encoders.loss import (
    encoder_loss,
    least_loss,
    loss_ratio,
    optimal_decoder,
    symmetric_variance,
    total_variance,
)
from relaxspca.numerics.linalg import Array, as_array


@dataclass(frozen=True, eq=False)
class Encoder:
    """Encode x as ``H'x`` and decode z as ``G'z``.

    Attributes
    ----------
    loadings : (n, k)
        H, one factor a column.
    decoder : (k, n)
        G, the best decoder for H.
    loss : float
        ``|X - XHG|_F^2``.
    optimum : float
        ``|X - X_k|_F^2``, the loss of k dense principal components.
    total : float
        ``|X|_F^2``.
    symmetric_variance : float
        ``|XHH^+|_F^2 / |X_k|_F^2``.
    bound : float or None
        What a theorem promises the loss not to exceed; None when no theorem applies.
    in_expectation : bool
        Whether the promise is about the mean loss over the random draws.
    method : str
        Who made it.
    """

    loadings: Array
    decoder: Array
    loss: float
    optimum: float
    total: float
    symmetric_variance: float
    bound: float | None
    in_expectation: bool
    method: str

    @classmethod
    def from_loadings(
        cls,
        matrix: DataMatrix,
        H: Array,
        *,
        method: str,
        bound: float | None = None,
        in_expectation: bool = False,
    ) -> Encoder:
        """Fit the decoder to loadings H and measure the loss.

        Parameters
        ----------
        matrix : DataMatrix, shape (m, n)
        H : (n, k) array
        method, bound, in_expectation : recorded in the result.

        Returns
        -------
        Encoder
        """
        return cls(
            loadings=as_array(H),
            decoder=as_array(optimal_decoder(matrix, H)),
            loss=encoder_loss(matrix, H),
            optimum=least_loss(matrix, H.shape[1]),
            total=total_variance(matrix),
            symmetric_variance=symmetric_variance(matrix, H),
            bound=bound,
            in_expectation=in_expectation,
            method=method,
        )

    @property
    def indices(self) -> NDArray[np.intp]:
        """Variables that any factor uses, sorted; their number is the row-sparsity."""
        return np.flatnonzero(np.any(self.loadings != 0.0, axis=1))

    @property
    def indices_by_component(self) -> tuple[NDArray[np.intp], ...]:
        """Variables of every factor."""
        return tuple(np.flatnonzero(column) for column in self.loadings.T)

    @property
    def normalised_loss(self) -> float:
        """Loss over the loss of k dense principal components; at least 1."""
        return loss_ratio(self.loss, self.optimum, self.total)

    def encode(self, X: Any) -> Array:
        """Return the codes ``XH`` of observations (m, n), (m, k)."""
        return np.asarray(X @ self.loadings)

    def decode(self, codes: Array) -> Array:
        """Return the reconstruction ``ZG`` of codes (m, k), (m, n)."""
        return np.asarray(codes @ self.decoder)
