"""Reduce claims about nonnegative loadings: what is forced in is positive, and no negative entry is paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from relaxspca.checker.core import Core
from relaxspca.checker.family import Parts


class Nonnegative(Core):
    """Supports are padded to k variables within a node, or to all that it has."""

    def magnitude(self, block: Any) -> Any:
        """Return the entries above 0: raising an entry costs nothing."""
        return np.maximum(self.arithmetic.upper(block), self.arithmetic.zero)

    def is_unpaid(self, P: Any) -> Any:
        """Only what is above 0 has to be paid."""
        return P > 0

    def parts_of(self, J: list[int], F: list[int]) -> Iterator[Parts]:
        """Yield k of all variables, or all that is left."""
        if J or F:
            yield [(range(self.n), min(self.certificate.k, len(J) + len(F)))]
