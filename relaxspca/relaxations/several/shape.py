"""What a table of components may look like, and what a node of a search decides about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int64]

__all__ = ["Part", "Shape", "everything"]


@dataclass(frozen=True)
class Shape:
    r"""The supports that a table of r orthonormal components may have.

    Attributes
    ----------
    sizes : cardinality of each component; of the one support when it is common.
    is_disjoint : no variable is used twice.
    copies : components on each support: 1, or r when `sizes` is the one common support.
    is_at_most : supports may be smaller than their sizes, as disjoint ones must that are too large together.

    Examples
    --------
    >>> Shape((5, 2)).count, Shape((5,), copies=3).count
    (2, 3)
    >>> Shape.disjoint((2, 2), 4).is_at_most, Shape.disjoint((2, 2), 3).is_at_most
    (False, True)
    """

    sizes: tuple[int, ...]
    is_disjoint: bool = False
    copies: int = 1
    is_at_most: bool = False

    @classmethod
    def disjoint(cls, sizes: Sequence[int], n: int) -> Shape:
        """Return the shape of disjoint supports among n variables."""
        return cls(tuple(sizes), is_disjoint=True, is_at_most=sum(sizes) > n)

    @property
    def is_common(self) -> bool:
        """Whether all components share one support."""
        return self.copies > 1

    @property
    def count(self) -> int:
        """Number r of components."""
        return len(self.sizes) * self.copies


@dataclass(frozen=True, eq=False)
class Part:
    """The supports T of one component at a node: inside <= T <= inside + free, with `size` variables.

    Attributes
    ----------
    size : int
    inside, free : sorted, without a common variable.
    """

    size: int
    inside: Indices
    free: Indices

    @property
    def variables(self) -> Indices:
        """Variables forced in or free, sorted."""
        return np.union1d(self.inside, self.free)

    @property
    def is_settled(self) -> bool:
        """Whether one support is left."""
        return len(self.free) == 0

    @property
    def key(self) -> tuple[int, bytes, bytes]:
        """Equal for parts with the same supports."""
        return self.size, self.inside.tobytes(), self.free.tobytes()


def everything(shape: Shape, n: int) -> tuple[Part, ...]:
    """Return the parts of the root: nothing is decided.

    Examples
    --------
    >>> [part.free.tolist() for part in everything(Shape((1, 2)), 3)]
    [[0, 1, 2], [0, 1, 2]]
    """
    nothing = np.zeros(0, dtype=np.int64)
    return tuple(Part(size, nothing, np.arange(n)) for size in shape.sizes)
