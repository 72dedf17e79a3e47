"""Hold what a claim speaks of: a matrix, a pencil of two matrices, or the data of a least-squares problem."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from relaxspca.certificate.description import Description
from relaxspca.certificate.digest import digest_of, sha256_of
from relaxspca.certificate.eliminated import Eliminated
from relaxspca.certificate.values import (
    Floats,
    checked_array,
    checked_names,
    checked_number,
    require,
    set_field,
)

__all__ = ["LeastSquares", "Matrix", "Pencil", "Subject"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Matrix:
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
    >>> Matrix.of("ab", matrix=[[2, 1], [1, 2]]).digest[:15]
    'sha256:...'
    """

    names: tuple[str, ...]
    storage: str
    entries: Floats
    description: Description = field(default_factory=Description)
    eliminated: Eliminated | None = None

    @classmethod
    def of(
        cls,
        names: tuple[str, ...] | str,
        *,
        matrix: object = None,
        factor: object = None,
        description: Description | None = None,
        eliminated: Eliminated | None = None,
    ) -> Matrix:
        """Return the matrix of these entries or of this factor."""
        require((matrix is None) != (factor is None), "give either matrix or factor")
        return cls(
            names=tuple(names),
            storage="dense" if factor is None else "factor",
            entries=matrix if factor is None else factor,  # type: ignore[arg-type]
            description=Description() if description is None else description,
            eliminated=eliminated,
        )

    def __post_init__(self) -> None:
        set_field(self, "names", _distinct(self.names))
        require(self.storage in ("dense", "factor"), f"unknown storage of a matrix {self.storage!r}"[:200])
        rows = self.n if self.storage == "dense" else None
        entries = checked_array("matrix" if rows else "factor", self.entries, (rows, self.n))
        require(rows is None or np.array_equal(entries, entries.T), "matrix is not symmetric")
        set_field(self, "entries", entries)
        require(isinstance(self.description, Description), "description is not of class Description")
        gone = self.eliminated
        require(gone is None or isinstance(gone, Eliminated), "eliminated is not of class Eliminated")
        names = _distinct(self.names if gone is None else (*self.names, *gone.names))
        if self.description.deflation is not None:
            unknown = sorted({*names} - {*self.description.deflation.names})
            require(not unknown, f"the matrix that was deflated has no variable {', '.join(unknown[:3])}")

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.names)

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
        return digest_of(
            matrix=self.matrix,
            factor=self.factor,
            names=self.names,
            description=self.description,
            eliminated=self.eliminated,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Pencil:
    """Hold the matrices of x'Ax / x'Bx by their entries.

    Parameters
    ----------
    names : sequence of n str
        Names of the variables, distinct.
    numerator, denominator : (n, n)
        A and B, exactly symmetric.
    """

    names: tuple[str, ...]
    numerator: Floats
    denominator: Floats

    def __post_init__(self) -> None:
        set_field(self, "names", _distinct(self.names))
        for name in ("numerator", "denominator"):
            matrix = checked_array(name, getattr(self, name), (self.n, self.n))
            require(np.array_equal(matrix, matrix.T), f"the {name} is not symmetric")
            set_field(self, name, matrix)

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def digest(self) -> str:
        """Canonical digest of both matrices with the names of the variables."""
        parts = "relaxspca pencil 1", f"dense {self.n}", self.numerator, self.denominator, self.names
        return sha256_of(parts)


@dataclass(frozen=True, eq=False, kw_only=True)
class LeastSquares:
    """Hold variables and a response: A = bb' with b = X'Cy and B = X'CX + ridge I, C centring for an intercept.

    Parameters
    ----------
    names : sequence of n str
        Names of the variables, distinct.
    variables : (p, n)
        X, an observation a row.
    response : (p,)
        y.
    intercept : bool
        Whether a constant is fitted beside the variables.
    ridge : float
        What the squared coefficients are multiplied by and added to the residual sum of squares, at least 0.
    """

    names: tuple[str, ...]
    variables: Floats
    response: Floats
    intercept: bool = False
    ridge: float = 0.0

    def __post_init__(self) -> None:
        set_field(self, "names", _distinct(self.names))
        X = checked_array("variables", self.variables, (None, self.n))
        set_field(self, "variables", X)
        set_field(self, "response", checked_array("response", self.response, (len(X),)))
        require(isinstance(self.intercept, bool), "intercept must be true or false")
        require(len(X) > 0, "there are no observations")
        set_field(self, "ridge", checked_number("ridge", self.ridge, least=0.0))

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def energy(self) -> Fraction:
        """The sum of squares of the response, centred where a constant is fitted, exactly."""
        y = [Fraction(float(value)) for value in self.response]
        total = sum((value * value for value in y), Fraction(0))
        return total - sum(y, Fraction(0)) ** 2 / len(y) if self.intercept else total

    @property
    def digest(self) -> str:
        """Canonical digest of the data with the names of the variables."""
        p, n = self.variables.shape
        ridge = np.array([self.ridge] if self.ridge else [])
        line = (
            f"least_squares {p} {n} {'intercept' if self.intercept else 'origin'}{' ridge' * bool(self.ridge)}"
        )
        return sha256_of(["relaxspca pencil 1", line, self.variables, self.response, ridge, self.names])


Subject = Matrix | Pencil | LeastSquares


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names that tell variables apart, at least one."""
    found = checked_names("names", names)
    require(len(found) >= 1, "n must be at least 1")
    twice = sorted(name for name, count in Counter(found).items() if count > 1)
    require(not twice, f"two variables have the name {', '.join(map(repr, twice[:3]))}")
    return found
