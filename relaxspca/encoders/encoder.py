"""A sparse linear encoder with its decoder, its loss and a theorem's bound on the loss."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.columns import DataMatrix, as_data_matrix
from relaxspca.columns.data_matrix import orthonormal_basis
from relaxspca.errors import InputError, counted, in_line
from relaxspca.numerics.decimals import rounded, rounded_up
from relaxspca.numerics.linalg import Array, Indices, as_array
from relaxspca.numerics.percent import percent_down, percent_up
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
    data_words : str
        Which matrix is encoded.
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
    data_words: str = ""
    loss_lower: float | None = None
    certificate: Certificate | None = None
    shift: float | None = None
    status: Status = Status.UNPROVED

    _file = "encoder"

    @property
    def gap(self) -> float:
        """Relative difference of the loss and its lower bound; 0 if the loss is 0, infinite without a bound."""
        if self.loss_lower is None:
            return math.inf
        return max(self.loss - self.loss_lower, 0.0) / self.loss if self.loss > 0.0 else 0.0

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
            idle = ", which is above the total" if self.bound > self.total else ""
            promise = [f"A theorem bounds {mean} by {rounded_up(self.bound, 6)}{idle}."]
        return [
            *self._proved(),
            f"Encoder by {self.method} for {self.data_words}: "
            f"loss {rounded(self.loss, 6)} of {rounded(self.total, 6)}{kept}.",
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
            total=matrix.energy(),
            symmetric_variance=symmetric_variance(matrix, H),
            bound=bound,
            in_expectation=in_expectation,
            method=method,
            names=matrix.names,
            data_words=matrix.words,
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
        rounding = 1e-13 * self.total  # what is not above it counts as 0
        if self.optimum > rounding:
            return max(self.loss / self.optimum, 1.0)
        return 1.0 if self.loss <= 10.0 * rounding else math.inf

    def encode(self, X: Any) -> Array:
        """Return the codes ``XH`` of observations (m, n), (m, k)."""
        return np.asarray(X @ self.loadings_array)

    def decode(self, codes: Array) -> Array:
        """Return the reconstruction ``ZG`` of codes (m, k), (m, n)."""
        return np.asarray(codes @ self.decoder)


def encoder_loss(data: Any, H: Array) -> float:
    r"""Return the squared error of encoding the data by H and decoding with the best decoder.

    .. math:: \min_G |X - XHG|_F^2 = |X - XH (XH)^+ X|_F^2

    Parameters
    ----------
    data : array, sparse array, Covariance or DataMatrix, shape (m, n)
        Observations by variables, used as they are: centre them first if they should be. For a
        covariance Sigma = A'A the data are A, and the loss depends on Sigma only.
    H : (n, k)
        Encoder, one factor a column.

    Returns
    -------
    float
        Squared Frobenius norm (variance units for a covariance).

    Raises
    ------
    InputError
        H is not a finite (n, k) array, or the data are unusable.

    Notes
    -----
    For given codes XH the best decoder is least squares, so the loss is that of the projection on their span.

    References
    ----------
    Magdon-Ismail and Boutsidis, "Optimal sparse linear encoders and sparse PCA", NIPS 2016.

    Examples
    --------
    >>> import numpy as np
    >>> encoder_loss(np.diag([3.0, 2.0, 1.0]), np.eye(3)[:, :1])
    5.0
    """
    matrix = as_data_matrix(data)
    return matrix.outside(encoded_basis(matrix, checked_encoder(matrix, H))).energy()


def symmetric_variance(data: Any, H: Array) -> float:
    r"""Return the variance explained by projecting the data on the span of H, divided by the largest possible.

    .. math:: |X H H^+|_F^2 / |X_k|_F^2 \le 1

    Variance-maximising sparse PCA maximises this ratio; the decoder is forced to be ``H^+``.

    Parameters
    ----------
    data, H : as in `encoder_loss`.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> symmetric_variance(np.diag([2.0, 1.0]), np.eye(2)[:, 1:])
    0.25
    """
    matrix = as_data_matrix(data)
    span = orthonormal_basis(checked_encoder(matrix, H))
    values, _ = matrix.leading(H.shape[1])
    best = float(np.square(values).sum())
    return float(np.square(matrix.product(span)).sum()) / best if best > 0.0 else 1.0


def optimal_decoder(data: Any, H: Array) -> Array:
    r"""Return the least-squares decoder of least norm.

    .. math:: G = (XH)^+ X

    Parameters
    ----------
    data, H : as in `encoder_loss`.

    Returns
    -------
    (k, n) array

    Examples
    --------
    >>> import numpy as np
    >>> optimal_decoder(np.diag([3.0, 2.0]), 2.0 * np.eye(2)[:, :1])
    array([[0.5, 0. ]])
    """
    matrix = as_data_matrix(data)
    encoder = checked_encoder(matrix, H)
    codes = matrix.product(encoder)
    is_resolved = np.linalg.norm(codes, axis=0) > negligible_codes(matrix, encoder)
    codes = np.where(is_resolved, codes, 0.0)
    rounding = 8 * matrix.shape[1] * np.finfo(float).eps
    inverse: Array = np.asarray(np.linalg.pinv(codes, rcond=rounding), dtype=np.float64)
    return matrix.adjoint(inverse.T).T


def least_loss(matrix: DataMatrix, k: int) -> float:
    """Return ``|X - X_k|_F^2``, the loss of k dense principal components."""
    _, V = matrix.leading(k)
    return matrix.minus(matrix.product(V), V.T).energy()


def encoded_basis(matrix: DataMatrix, H: Array) -> Array:
    """Return an orthonormal basis of the codes ``XH``, (m, q)."""
    return orthonormal_basis(matrix.product(H), negligible_codes(matrix, H))


def negligible_codes(matrix: DataMatrix, H: Array) -> Array:
    """Return the length below which each code is rounding error, (k,)."""
    return as_array(np.linalg.norm(matrix.negligible[:, None] * H, axis=0))


def checked_encoder(matrix: DataMatrix, H: Array) -> Array:
    """Return H as (n, k) floats; raise `InputError` if its shape is wrong or an entry is not finite."""
    encoder = np.asarray(H, dtype=np.float64)
    n = matrix.shape[1]
    if encoder.ndim != 2 or encoder.shape[0] != n or encoder.shape[1] == 0:
        raise InputError(f"an encoder of {counted(n, 'variable')} has shape ({n}, k); got {encoder.shape}")
    if not np.isfinite(encoder).all():
        raise InputError("the encoder holds NaN or infinite entries")
    return encoder
