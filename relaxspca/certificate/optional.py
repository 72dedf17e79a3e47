"""Hold what only some claims and matrices have: budgets and lists, and what was taken out of a matrix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from relaxspca.certificate.fields import (
    INDICES,
    NAMES,
    NUMBER,
    TEXT,
    Declared,
    array,
    many,
    number,
    numbers,
    whole,
)
from relaxspca.certificate.values import Floats, Ints, require


@dataclass(frozen=True, eq=False)
class Budget(Declared):
    """Hold a limit: a support has at most k of some variables.

    Parameters
    ----------
    variables : ints
    k : int
    """

    variables: Annotated[Ints, INDICES]
    k: Annotated[int, whole()]


@dataclass(frozen=True, eq=False)
class ListedSupports(Declared):
    """Hold supports that are listed with their bounds, and a bound on every other support of k variables.

    Parameters
    ----------
    supports : sequence of (k,) ints
        By position; distinct.
    lower, upper : (s,)
        Bounds on what each of them explains.
    others : float
        What no other support exceeds.
    """

    supports: Annotated[tuple[Ints, ...], many(INDICES, least=1)]
    lower: Annotated[Floats, numbers("supports")]
    upper: Annotated[Floats, numbers("supports")]
    others: Annotated[float, NUMBER]

    def __post_init__(self) -> None:
        super().__post_init__()
        distinct = {tuple(support.tolist()) for support in self.supports}
        require(len(distinct) == len(self.supports), "a support is listed twice")
        require(bool((self.lower <= self.upper).all()), "a support is listed with lower above upper")

    def place(self, support: Sequence[int]) -> int | None:
        """Return where a support stands in the list, if it does."""
        found = [T.tolist() for T in self.supports]
        return found.index([*support]) if [*support] in found else None


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
