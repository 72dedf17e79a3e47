"""What a matrix is and where it comes from, in the words that a printed claim needs: plain data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relaxspca.errors import CertificateError

__all__ = ["KINDS", "Deflation", "Description"]

KINDS = {
    "matrix": "symmetric matrix",
    "covariance": "covariance matrix",
    "correlation": "correlation matrix",
    "second moments": "matrix of second moments",
}


@dataclass(frozen=True, eq=False)
class Deflation:
    """Components that were taken out of a matrix before.

    Parameters
    ----------
    method : str
        How, as `relaxspca.components` names it.
    digest : str
        Digest of the matrix that they were taken out of.
    loadings : (n, m)
        The m components, a column each.
    """

    method: str
    digest: str
    loadings: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Description:
    """What is known of a matrix beyond its entries.

    Parameters
    ----------
    kind : str
        A key of `KINDS`; "matrix" where nobody said which it is.
    observations : int, optional
        How many observations it was computed from.
    is_centred : bool, optional
        Whether the columns of the observations were centred.
    deflation : Deflation, optional
        What was taken out of it before.

    Raises
    ------
    CertificateError
        The kind is unknown or the number of observations is not positive.

    Examples
    --------
    >>> Description("correlation", observations=180).words
    'correlation matrix of 180 observations'
    """

    kind: str = "matrix"
    observations: int | None = None
    is_centred: bool | None = None
    deflation: Deflation | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise CertificateError(f"a matrix is one of {', '.join(KINDS)}, not {self.kind!r}")
        count = self.observations
        if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 1):
            raise CertificateError(f"the number of observations is {count!r}: it must be a positive integer")

    @property
    def words(self) -> str:
        """The matrix in words, without an article."""
        of = f" of {self.observations} observations" if self.observations is not None else ""
        about_zero = " about zero" if self.is_centred is False else ""
        after = ""
        if self.deflation is not None:
            count = self.deflation.loadings.shape[1]
            after = f" after {count} component{'s' if count > 1 else ''} were taken out"
            after = after.replace("component were", "component was")
        return f"{KINDS[self.kind]}{of}{about_zero}{after}"
