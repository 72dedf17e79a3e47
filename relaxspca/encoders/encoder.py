"""A sparse linear encoder with its decoder, its loss and a theorem's bound on the loss."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.columns import DataMatrix
from relaxspca.encoders.loss import (
    encoder_loss,
    least_loss,
    loss_ratio,
    optimal_decoder,
    symmetric_variance,
    total_energy,
)
from relaxspca.errors import in_line
from relaxspca.numerics.decimals import rounded, rounded_up
from relaxspca.numerics.linalg import Array, as_array
from relaxspca.numerics.percent import percent_down, percent_up
from relaxspca.problem.node import Indices
from relaxspca.results.digits import at_least
from relaxspca.results.loadings import Loadings
from relaxspca.results.printable import Printable
from relaxspca.results.status import Status
from relaxspca.results.tables import Table

SHOWN = 12  # loadings of a factor in a printed table; `loadings` has all


@dataclass(frozen=True, eq=False, repr=False)
class Encoder(Printable):
    """A linear encoder, which encodes x as ``H'x`` and decodes z as ``G'z``.

    Attributes
    ----------
    loadings_array : (n, k)
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
        A theorem's upper bound on the loss; None when no theorem applies.
    in_expectation : bool
        Whether the bound is for the mean loss over the random draws.
    method : str
        Name of the method.
    names : tuple of n str
    loss_lower : float or None
        Of `optimal_encoder`: no encoder of one factor on as many variables loses less (variance); proved.
    certificate : Certificate or None
        Of a bound on ``v_r(Sigma^2 - shift Sigma)``, from which that follows; `relaxspca.verify` checks it.
        Variables whose row of Sigma is zero are left out: they encode nothing.
    shift : float or None
        The factor g of Sigma in that matrix.
    status : Status
        "optimal": the bound is within the gap asked for and within 1e-6; "within the gap": only within the gap;
        "open": it is not; "not proved" without a bound.

    Examples
    --------
    >>> import relaxspca as rs
    >>> from relaxspca.encoders import batch_encoder
    >>> batch_encoder(rs.datasets.load_pitprops(), 2, 3).support
    ('length', 'moist', 'ringbut')
    """

    loadings_array: Array
    decoder: Array
    loss: float
    optimum: float
    total: float
    symmetric_variance: float
    bound: float | None
    in_expectation: bool
    method: str
    names: tuple[str, ...]
    loss_lower: float | None = None
    certificate: Certificate | None = None
    shift: float | None = None
    status: Status = Status.UNPROVED

    @property
    def gap(self) -> float:
        """Relative difference of the loss and its lower bound; 0 if the loss is 0, infinite without a bound."""
        if self.loss_lower is None:
            return math.inf
        return max(self.loss - self.loss_lower, 0.0) / self.loss if self.loss > 0.0 else 0.0

    def _certificates(self) -> Mapping[str, Certificate]:
        return {} if self.certificate is None else {"encoder": self.certificate}

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict per factor, each with the loss of all factors together and its bound if proved."""
        together = {"loss": self.loss, "optimum": self.optimum, "total": self.total, "method": self.method}
        if self.loss_lower is not None:
            together |= {"loss_lower": self.loss_lower, "gap": self.gap, "status": str(self.status)}
        return [
            {"factor": j + 1, "k": len(at), "support": in_line([self.names[i] for i in at], "; ")}
            | {"indices": " ".join(map(str, at))}
            | together
            for j, at in enumerate(self.indices_by_component)
        ]

    def _statement(self) -> list[str]:
        kept = f", {percent_down(1 - self.loss / self.total, 4)} % kept" if self.total > 0 else ""
        promise = []
        if self.bound is not None:
            mean = "the mean loss over the draws" if self.in_expectation else "the loss"
            promise = [f"A theorem bounds {mean} by {rounded_up(self.bound, 6)}."]
        return [
            *self._proved(),
            f"Encoder by {self.method}: loss {rounded(self.loss, 6)} of {rounded(self.total, 6)}{kept}.",
            f"As many ordinary PCs lose {rounded(self.optimum, 6)}.",
            *promise,
        ]

    def _proved(self) -> list[str]:
        """State the proved lower bound on the loss of any encoder on as many variables."""
        if self.loss_lower is None:
            return []
        width = f", {percent_up(self.gap)} % below the loss found" if self.gap > 0 else ""
        of = f"No encoder of one factor on {len(self.indices)} variables"
        return [f"{of} loses less than {at_least(self.loss_lower)}{width}."]

    def _tables(self) -> list[Table]:
        rows = [
            [str(j + 1), str(len(factor)), ", ".join(": ".join(cell) for cell in factor.cells()[:SHOWN])]
            for j, factor in enumerate(self.loadings)
        ]
        some = f" (the {SHOWN} largest)" if any(len(factor) > SHOWN for factor in self.loadings) else ""
        return [Table(("factor", "k", f"loadings{some}"), rows, (0, 1), wrapped=(2,))]

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
        """Return the encoder of loadings H (n, k) of a matrix with its best decoder and its loss."""
        return cls(
            loadings_array=as_array(H),
            decoder=as_array(optimal_decoder(matrix, H)),
            loss=encoder_loss(matrix, H),
            optimum=least_loss(matrix, H.shape[1]),
            total=total_energy(matrix),
            symmetric_variance=symmetric_variance(matrix, H),
            bound=bound,
            in_expectation=in_expectation,
            method=method,
            names=matrix.names,
        )

    @property
    def loadings(self) -> tuple[Loadings, ...]:
        """Loadings of every factor by name, the largest first."""
        return tuple(Loadings(self.names, factor) for factor in self.loadings_array.T)

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables that any factor uses."""
        return tuple(self.names[i] for i in self.indices)

    @property
    def indices(self) -> Indices:
        """Variables that any factor uses, sorted; their number is the row-sparsity."""
        return np.flatnonzero(np.any(self.loadings_array != 0.0, axis=1))

    @property
    def indices_by_component(self) -> tuple[Indices, ...]:
        """Variables of every factor."""
        return tuple(np.flatnonzero(column) for column in self.loadings_array.T)

    @property
    def normalised_loss(self) -> float:
        """Loss over the loss of k dense principal components; at least 1."""
        return loss_ratio(self.loss, self.optimum, self.total)

    def encode(self, X: Any) -> Array:
        """Return the codes ``XH`` of observations (m, n), (m, k)."""
        return np.asarray(X @ self.loadings_array)

    def decode(self, codes: Array) -> Array:
        """Return the reconstruction ``ZG`` of codes (m, k), (m, n)."""
        return np.asarray(codes @ self.decoder)
