"""What a matrix is, where it comes from, and which variables it leaves out: plain data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from relaxspca.certificate.fields import NAMES, TEXT, TRUTH, Declared, array, number, one, or_null, whole
from relaxspca.certificate.values import Floats, require
from relaxspca.errors import counted

KINDS = {
    "matrix": "symmetric matrix",
    "covariance": "covariance matrix",
    "correlation": "correlation matrix",
    "second moments": "matrix of second moments",
}
MOST = 2**53 - 1  # observations: what every reader of JSON keeps whole


@dataclass(frozen=True, eq=False)
class Deflation(Declared):
    """Components that were taken out of a matrix, one after the other.

    Parameters
    ----------
    method : str
        How, as `relaxspca.components` names it.
    digest : str
        Digest of the matrix that they were taken out of.
    names : tuple of n str
        The variables of that matrix.
    loadings : (n, m)
        The m components, a column each, in the order in which they were taken out.

    Raises
    ------
    CertificateError
        A field is not what it is said to be here.
    """

    method: Annotated[str, TEXT]
    digest: Annotated[str, TEXT]
    names: Annotated[tuple[str, ...], NAMES]
    loadings: Annotated[Floats, array("names", None)]

    def __post_init__(self) -> None:
        super().__post_init__()
        is_digest = re.fullmatch("sha256:[0-9a-f]{64}", self.digest) is not None
        require(is_digest, f"{self.digest!r} is not the digest of a deflated matrix")
        require(self.loadings.shape[1] > 0, "a deflation takes out at least one component")
        require(bool(self.loadings.any(axis=0).all()), "a component that was taken out is 0")


@dataclass(frozen=True, eq=False)
class Description(Declared):
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
    dropped : int, optional
        Observations that were left out for missing cells; it is printed, and no file holds it.

    Raises
    ------
    CertificateError
        The kind is unknown or the number of observations is not positive.

    Examples
    --------
    >>> Description("correlation", observations=180).words
    'correlation matrix of 180 observations'
    """

    kind: Annotated[str, TEXT] = "matrix"
    observations: Annotated[int | None, or_null(whole(least=1, most=MOST))] = None
    is_centred: Annotated[bool | None, or_null(TRUTH)] = None
    deflation: Annotated[Deflation | None, or_null(one(Deflation))] = None
    dropped: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.kind in KINDS, f"a matrix is one of {', '.join(KINDS)}, not {self.kind!r}")

    @property
    def words(self) -> str:
        """The matrix in words, without an article."""
        of = f" of {counted(self.observations, 'observation')}" if self.observations is not None else ""
        if self.observations is not None and self.dropped:
            of += f" ({self.dropped} incomplete left out)"
        about_zero = " about zero" if self.is_centred is False else ""
        taken = 0 if self.deflation is None else self.deflation.loadings.shape[1]
        verb = "was" if taken == 1 else "were"
        after = f" after {counted(taken, 'component')} {verb} taken out" if taken else ""
        return f"{KINDS[self.kind]}{of}{about_zero}{after}"


@dataclass(frozen=True, eq=False)
class Eliminated(Declared):
    r"""Variables outside a covariance of which only the variances are known.

    A claim that carries them speaks of *every* symmetric matrix :math:`\Sigma\succeq-\text{shift}\,I` over all
    variables that has the given block on those kept and at most these variances on those left out.

    Parameters
    ----------
    names : tuple of e str
    variances : (e,)
        Upper bounds on their variances, at least 0.
    shift : float
        How far the smallest eigenvalue may lie below 0: a bound on the rounding of the block, at least 0.

    Raises
    ------
    CertificateError
        Lengths do not agree, or a number is negative or not finite.

    Examples
    --------
    >>> Eliminated(("of", "and"), np.array([0.3, 0.2])).largest(3)
    array([0.3, 0.2])
    """

    names: Annotated[tuple[str, ...], NAMES]
    variances: Annotated[Floats, array("names", least=0.0)]
    shift: Annotated[float, number(least=0.0)] = 0.0

    @property
    def count(self) -> int:
        """Number of eliminated variables."""
        return len(self.names)

    def largest(self, b: int) -> Floats:
        """Return the b largest variances, decreasing; all of them when there are fewer."""
        return np.sort(self.variances)[::-1][:b]
