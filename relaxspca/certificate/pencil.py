"""Hold what a claim about a ratio speaks of: two matrices, or the data of a least-squares problem."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np

from relaxspca.certificate.fields import TRUTH, array, number
from relaxspca.certificate.subject import Named, sha256_of
from relaxspca.certificate.values import Floats, require


@dataclass(frozen=True, eq=False, kw_only=True)
class Pencil(Named):
    """Hold the matrices of x'Ax / x'Bx by their entries.

    Parameters
    ----------
    names : sequence of n str
        Names of the variables, distinct.
    numerator, denominator : (n, n)
        A and B, exactly symmetric.
    """

    numerator: Annotated[Floats, array("names", "names", is_symmetric=True)]
    denominator: Annotated[Floats, array("names", "names", is_symmetric=True)]
    kind: ClassVar[str] = "pencil"

    @property
    def digest(self) -> str:
        """Canonical digest of both matrices with the names of the variables."""
        parts = "relaxspca pencil 1", f"dense {self.n}", self.numerator, self.denominator, self.names
        return sha256_of(parts)


@dataclass(frozen=True, eq=False, kw_only=True)
class LeastSquares(Named):
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

    variables: Annotated[Floats, array(None, "names")]
    response: Annotated[Floats, array("variables")]
    intercept: Annotated[bool, TRUTH] = False
    ridge: Annotated[float, number(least=0.0)] = 0.0
    kind: ClassVar[str] = "least_squares"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(len(self.variables) > 0, "there are no observations")

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
