"""Hold what a claim about a ratio speaks of: two matrices, or the data of a least-squares problem."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from relaxspca.certificate.values import (
    Floats,
    Ints,
    checked_array,
    checked_index,
    checked_indices,
    require,
    set_field,
)

__all__ = ["Budget", "DensePencil", "LeastSquaresData", "Pencil"]


@dataclass(frozen=True, eq=False)
class DensePencil:
    """Hold the matrices of x'Ax / x'Bx by their entries.

    Parameters
    ----------
    numerator, denominator : (n, n)
        A and B, exactly symmetric.
    """

    numerator: Floats
    denominator: Floats

    def __post_init__(self) -> None:
        for name in ("numerator", "denominator"):
            matrix = checked_array(name, getattr(self, name), (None, None))
            require(np.array_equal(matrix, matrix.T), f"the {name} is not symmetric")
            set_field(self, name, matrix)
        require(self.numerator.shape == self.denominator.shape, "A and B are not of the same variables")

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.numerator)

    def parts(self) -> Iterator[bytes]:
        """Yield what is hashed."""
        yield f"dense {self.n}\n".encode()
        yield from (_doubles(self.numerator), _doubles(self.denominator))


@dataclass(frozen=True, eq=False)
class LeastSquaresData:
    """Hold variables and a response: A = X'yy'X and B = X'X, with columns and y centred for an intercept.

    Parameters
    ----------
    variables : (p, n)
        X, an observation a row.
    response : (p,)
        y.
    intercept : bool
        Whether a constant is fitted beside the variables.
    """

    variables: Floats
    response: Floats
    intercept: bool = False

    def __post_init__(self) -> None:
        X = checked_array("variables", self.variables, (None, None))
        set_field(self, "variables", X)
        set_field(self, "response", checked_array("response", self.response, (len(X),)))
        require(isinstance(self.intercept, bool), "intercept must be true or false")
        require(len(X) > 0, "there are no observations")

    @property
    def n(self) -> int:
        """Number of variables."""
        return int(self.variables.shape[1])

    @property
    def energy(self) -> Fraction:
        """The sum of squares of the response, centred where a constant is fitted, exactly."""
        y = [Fraction(float(value)) for value in self.response]
        total = sum((value * value for value in y), Fraction(0))
        return total - sum(y, Fraction(0)) ** 2 / len(y) if self.intercept else total

    def parts(self) -> Iterator[bytes]:
        """Yield what is hashed."""
        p, n = self.variables.shape
        yield f"least_squares {p} {n} {'intercept' if self.intercept else 'origin'}\n".encode()
        yield from (_doubles(self.variables), _doubles(self.response))


@dataclass(frozen=True, eq=False)
class Budget:
    """Hold how many of some variables a support has at most.

    Parameters
    ----------
    variables : ints
    k : int
    """

    variables: Ints
    k: int

    def __post_init__(self) -> None:
        set_field(self, "variables", checked_indices("the variables of a budget", self.variables))
        set_field(self, "k", checked_index("a budget", self.k))


Pencil = DensePencil | LeastSquaresData


def digest_of_pencil(pencil: Pencil, names: tuple[str, ...]) -> str:
    """Return the digest of a pencil with the names of its variables (``certificates/SPEC.md``)."""
    state = hashlib.sha256(b"relaxspca pencil 1\n")
    for part in pencil.parts():
        state.update(part)
    for name in names:
        content = name.encode()
        state.update(f"{len(content)}:".encode() + content + b"\n")
    return "sha256:" + state.hexdigest()


def _doubles(array: Floats) -> bytes:
    return np.asarray(array + 0.0).astype("<f8").tobytes()
