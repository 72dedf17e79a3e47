"""What the reader has, a digest or a matrix by blocks, and what comparing it finds: SPEC.md, section 12."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from relaxspca.certificate import Certificate, Deflation
from relaxspca.checker.exact import float_above, float_below


@dataclass(frozen=True)
class AgainstMatrix:
    """Comparison of the matrix of a certificate with another one.

    Parameters
    ----------
    distance : float
        Proved bound on the spectral norm of the difference; `inf` where the two cannot be compared.
    lower, upper : float
        What follows for the matrix that was given (variance).
    note : str
        How the two were compared.
    reasons : tuple of str
        Why the certificate is not one of that matrix; empty if it is.
    is_false : bool
        Whether the claim is false of that matrix, or about another number of variables.
    """

    distance: float
    lower: float
    upper: float
    note: str
    reasons: tuple[str, ...]
    is_false: bool = False

    def __str__(self) -> str:
        return self.note


def another(reason: str) -> AgainstMatrix:
    """Return that the certificate does not speak of what was given."""
    return AgainstMatrix(math.inf, -math.inf, math.inf, reason, (reason,), is_false=True)


@dataclass(frozen=True)
class OwnDigest:
    """The digest of what the reader has, to be held against claims of every kind."""

    digest: str
    kinds: ClassVar[tuple[str, ...]] = ("component", "components", "ratio")

    def compare(self, certificate: Certificate, arithmetic: Any, proved: Any) -> AgainstMatrix:
        """Say what a certificate says of what has this digest."""
        if self.digest == certificate.digest:
            bounds = float_below(proved.lower), float_above(proved.upper)
            return AgainstMatrix(0.0, *bounds, "the digest is that of yours", ())
        speaks = f"the certificate is about {certificate.digest}, "
        deflation = getattr(certificate.description, "deflation", None)
        if deflation is not None and self.digest == deflation.digest:
            return another(f"{speaks}a {certificate.description.words}; those were taken out of {self.digest}")
        return another(f"{speaks}not about {self.digest!r}; give the data themselves to compare their values")


class Side:
    """A matrix by blocks in an arithmetic, and where the certificate's variables stand."""

    def __init__(
        self, arithmetic: Any, matrix: Any, factor: Any, places: Any, names: tuple[str, ...] = ()
    ) -> None:
        self.places, self.names = np.asarray(places), names
        self.whole: Any = None if matrix is None else arithmetic.array(matrix)
        self.factor: Any = None if factor is None else arithmetic.array(factor)
        if self.whole is not None and not np.array_equal(matrix, matrix.T):
            # x'Sx is that of the symmetric part.
            self.whole = (self.whole + self.whole.T) * arithmetic.array(np.full(matrix.shape, 0.5))

    def block(self, rows: Any, columns: Any) -> Any:
        """Return those entries, by the reader's numbers."""
        if self.whole is not None:
            return self.whole[np.ix_(rows, columns)]
        return self.factor[:, rows].T @ self.factor[:, columns]

    def rows(self, at: slice) -> Any:
        """Return those rows of the certificate's variables."""
        return self.block(self.places[at], self.places)


def another_number(certificate: Any, other: Any) -> str:
    """Say that the reader has another number of variables, if that is so, and which are too many."""
    (own, more), (yours, beyond) = _names(certificate), _names(other)
    ours, theirs = certificate.n + len(more), other.n + len(beyond)
    known = {*own, *more}
    extra = [name for name in (*yours, *beyond) if name not in known]
    advice = f": hold it against yours without {_listed(extra)}" if theirs - len(extra) == ours else ""
    return "" if ours == theirs else f"the certificate is about {ours} variables, yours are {theirs}{advice}"


def matched(certificate: Any, other: Any) -> tuple[list[int] | None, list[str]]:
    """Return where the certificate's variables stand in the reader's matrix, if they do, and what is amiss."""
    (own, more), (yours, beyond) = _names(certificate), _names(other)
    by_position = None if more or beyond else list(range(other.n))
    if not yours or len({*own, *more}) < len(own) + len(more):
        said = "which of your variables were eliminated cannot be told without names"
        return by_position, [said] if by_position is None else []
    at = {name: place for place, name in enumerate(yours)}
    missing = sorted({*own} - {*at}) + sorted({*more} - {*at, *beyond})
    if missing:
        return by_position, [f"your matrix has no variable {_listed(missing)}, which the certificate has"]
    return [at[name] for name in own], []


def _names(of: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the variables, and of those eliminated."""
    return of.names or (), () if of.eliminated is None else of.eliminated.names


def _listed(names: list[str]) -> str:
    """Return the first names, quoted, and how many more there are."""
    return ", ".join(map(repr, names[:3])) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def deflated(arithmetic: Any, S: Any, deflation: Deflation) -> Any:
    """Return a matrix after a deflation, by the formulas of Mackey (2008).

    ZeroDivisionError is raised where a component has no variance left.
    """
    orthogonalises, form = FORMS[deflation.method]
    basis: list[Any] = []
    for x in deflation.loadings.T:
        x = arithmetic.array(x[:, None])
        q = x
        for b in basis if orthogonalises else ():
            q = q - b * ((b.T @ x) * arithmetic.reciprocal(b.T @ b))
        basis.append(q)
        S = form(arithmetic, S, q if orthogonalises else x)
    return S


def _hotelling(arithmetic: Any, S: Any, q: Any) -> Any:
    weight = arithmetic.reciprocal(q.T @ q)
    return S - (q @ q.T) * ((q.T @ (S @ q)) * weight * weight)


def _projection(arithmetic: Any, S: Any, q: Any) -> Any:
    image, weight = S @ q, arithmetic.reciprocal(q.T @ q)
    return S - (image @ q.T + q @ image.T) * weight + (q @ q.T) * ((q.T @ image) * weight * weight)


def _schur(arithmetic: Any, S: Any, x: Any) -> Any:
    image = S @ x
    return S - (image @ image.T) * arithmetic.reciprocal(x.T @ image)


# Name: whether each component is made orthogonal to the earlier ones first, and the formula.
FORMS: dict[str, tuple[bool, Callable[[Any, Any, Any], Any]]] = {
    "hotelling": (False, _hotelling),
    "projection": (False, _projection),
    "schur": (False, _schur),
    "orthogonalized_hotelling": (True, _hotelling),
    "orthogonalized_projection": (True, _projection),
    "generalized": (True, _projection),
}
