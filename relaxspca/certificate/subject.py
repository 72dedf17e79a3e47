"""Hold the matrix that a claim speaks of and what it is; pencils and least-squares data are in pencil.py."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import numpy as np

from relaxspca.certificate.fields import NAMES, TEXT, TRUTH, Declared, Scope, array, later, one, or_null, whole
from relaxspca.certificate.values import Floats, checked_names, require
from relaxspca.errors import counted

KINDS = {
    "matrix": "symmetric matrix",
    "covariance": "covariance matrix",
    "correlation": "correlation matrix",
    "second moments": "matrix of second moments",
}
MOST = 2**53 - 1  # observations: what every reader of JSON keeps whole
CENTRED = {None: "unknown", True: "yes", False: "no"}


def _rows(scope: Scope) -> int | None:
    """Return the number of rows of a matrix; a factor has any number."""
    return scope.length("names") if scope.known["storage"] == "dense" else None


def _optional() -> Any:
    from relaxspca.certificate import optional

    return optional


DEFLATION = later(lambda: _optional().Deflation)
ELIMINATED = later(lambda: _optional().Eliminated)


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
    deflation: Annotated[Any, or_null(DEFLATION)] = None
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


@dataclass(frozen=True, eq=False, kw_only=True)
class Named(Declared):
    """Hold the names of the variables, distinct."""

    names: Annotated[tuple[str, ...], NAMES]

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.names)


@dataclass(frozen=True, eq=False, kw_only=True)
class Matrix(Named):
    """Hold a covariance by its entries or by a factor, and what is known of it.

    Parameters
    ----------
    names : sequence of n str
        Names of the variables, distinct.
    storage : str
        "dense", or "factor" where the matrix is A'A.
    entries : (n, n), exactly symmetric, or (r, n), the factor A
        (variance, or its root).
    description : Description
        Covariance or correlation, of how many observations, deflated or not.
    eliminated : Eliminated or None
        Further variables that supports may use, of which only the variances are known.

    Examples
    --------
    >>> Matrix(names="ab", storage="dense", entries=[[2, 1], [1, 2]]).digest[:15]
    'sha256:...'
    """

    storage: Annotated[str, TEXT]
    entries: Annotated[Floats, array(_rows, "names")]
    description: Annotated[Description, one(Description)] = field(default_factory=Description)
    eliminated: Annotated[Any, or_null(ELIMINATED)] = None
    kind: ClassVar[str] = "matrix"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.storage in ("dense", "factor"), f"unknown storage of a matrix {self.storage!r}"[:200])
        is_symmetric = self.storage == "factor" or np.array_equal(self.entries, self.entries.T)
        require(is_symmetric, "matrix is not symmetric")
        gone = () if self.eliminated is None else self.eliminated.names
        checked_names("the names", (*self.names, *gone))
        if self.description.deflation is not None:
            unknown = sorted({*self.names, *gone} - {*self.description.deflation.names})
            require(not unknown, f"the matrix that was deflated has no variable {', '.join(unknown[:3])}")

    @property
    def matrix(self) -> Floats | None:
        """The entries; None where a factor is given."""
        return self.entries if self.storage == "dense" else None

    @property
    def factor(self) -> Floats | None:
        """The factor A; None where the entries are given."""
        return self.entries if self.storage == "factor" else None

    @property
    def digest(self) -> str:
        """Canonical digest of the matrix, its names and what is known of it."""
        known, gone = self.description, self.eliminated
        taken, count = known.deflation, "unknown" if known.observations is None else known.observations
        size = "{} {}".format(*self.entries.shape)
        parts: list[Any] = ["relaxspca matrix 2", f"{self.storage} {size}", self.entries, self.names]
        parts += [[known.kind], f"observations {count}", f"centred {CENTRED[known.is_centred]}"]
        if taken is None:
            parts += ["deflation none"]
        else:
            size = "{} {}".format(*taken.loadings.shape)
            parts += [f"deflation {size}", [taken.method, taken.digest, *taken.names], taken.loadings]
        if gone is None:
            parts += ["eliminated none"]
        else:
            parts += [f"eliminated {gone.count}", gone.names, np.append(gone.variances, gone.shift)]
        return sha256_of(parts)


def sha256_of(parts: Iterable[str | list[str] | tuple[str, ...] | Floats]) -> str:
    """Return the digest of lines, given as text, of lists of texts, and of arrays.

    Each text comes after its length and every array after its shape: no two subjects give the same bytes.
    """
    state = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            state.update(f"{part}\n".encode("ascii"))
        elif isinstance(part, np.ndarray):
            # 0.0 is added for -0.0, and before the bytes are put in order: an addition would put them back.
            state.update(np.asarray(part + 0.0).astype("<f8").tobytes())
        else:
            for text in part:
                content = text.encode()
                state.update(f"{len(content)}:".encode("ascii") + content + b"\n")
    return "sha256:" + state.hexdigest()
