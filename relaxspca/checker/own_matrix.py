"""The reader's own matrix, whole or as a factor, by blocks in an arithmetic."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate import Description, Eliminated, values

WHAT = "the covariance"


@dataclass(frozen=True, eq=False)
class OwnMatrix:
    """A matrix and what is known of it."""

    matrix: Any
    factor: Any
    names: tuple[str, ...] = ()
    description: Description = Description()
    eliminated: Eliminated | None = None

    @property
    def n(self) -> int:
        """Number of variables."""
        return int((self.factor if self.matrix is None else self.matrix).shape[1])


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


def held(given: Any) -> OwnMatrix:
    """Return a covariance, a certificate, a table or an array as a reader's matrix; else CertificateError."""
    if isinstance(getattr(given, "description", None), Description):
        is_factor = getattr(given, "is_factored", getattr(given, "matrix", None) is None)
        array = values.checked_array(WHAT, given.factor if is_factor else given.matrix, (None, None))
        whole, factor = (None, array) if is_factor else (array, None)
        return OwnMatrix(whole, factor, tuple(given.names), given.description, given.eliminated)
    is_table = hasattr(given, "columns") and hasattr(given, "to_numpy")
    matrix = values.checked_array(WHAT, given.to_numpy() if is_table else given, (None, None))
    said = "it must be square; for observations write Covariance.from_data(X), perhaps with correlation=True"
    values.require(len(matrix) == matrix.shape[1], f"{WHAT} has shape {matrix.shape}: {said}")
    if not is_table:
        return OwnMatrix(matrix, None)
    names, rows = tuple(map(str, given.columns)), tuple(map(str, given.index))
    is_numbered = rows == tuple(map(str, range(len(rows))))
    values.require(is_numbered or rows == names, f"rows and columns of {WHAT} have different labels")
    values.require(len(set(names)) == len(names), f"two columns of {WHAT} have the same name")
    return OwnMatrix(matrix, None, names)
