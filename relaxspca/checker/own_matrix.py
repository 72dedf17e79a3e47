"""The reader's own matrix, whole or as a factor, by blocks in an arithmetic."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate import Description, Eliminated


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
