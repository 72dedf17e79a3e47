"""Which supports several components may have, and what a node of a search decides about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from relaxspca.numerics.linalg import Indices


@dataclass(frozen=True)
class Shape:
    r"""The supports that r orthonormal components may have.

    Attributes
    ----------
    sizes : cardinality of each component; of the one support when it is common.
    is_disjoint : no variable is used twice.
    copies : components on each support: 1, or r when `sizes` is the one common support.
    is_at_most : supports may be smaller than their sizes, as disjoint ones must that are too large together.
    forced : variables that each support must hold; nothing for none.

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
    forced: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def disjoint(cls, sizes: Sequence[int], n: int, forced: tuple[tuple[int, ...], ...] = ()) -> Shape:
        """Return the shape of disjoint supports among n variables."""
        return cls(tuple(sizes), is_disjoint=True, is_at_most=sum(sizes) > n, forced=forced)

    @property
    def is_common(self) -> bool:
        """Whether all components share one support."""
        return self.copies > 1

    def takes(self, order: Sequence[int]) -> bool:
        """Say whether a certificate may list components in an order: in any, or as here if some are forced."""
        return not self.forced or list(order) == sorted(order)

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

    @cached_property
    def variables(self) -> Indices:
        """Variables forced in or free, sorted."""
        return np.union1d(self.inside, self.free)

    @property
    def is_settled(self) -> bool:
        """Whether one support is left."""
        return len(self.free) == 0

    @cached_property
    def key(self) -> tuple[int, bytes, bytes]:
        """Equal for parts with the same supports."""
        return self.size, self.inside.tobytes(), self.free.tobytes()


def use_ranges(variables: Indices, shape: Shape, parts: Sequence[Part]) -> tuple[Indices, Indices]:
    """Return the least and the largest number of components that use each variable, supports being separate.

    Examples
    --------
    >>> parts = (Part(2, np.array([0]), np.array([1, 2])), Part(1, np.array([]), np.array([0, 2])))
    >>> least, most = use_ranges(np.arange(3), Shape((2, 1)), parts)
    >>> least.tolist(), most.tolist()
    ([1, 0, 0], [2, 1, 2])
    """
    least, most = np.zeros(len(variables), dtype=np.int64), np.zeros(len(variables), dtype=np.int64)
    for part in parts:
        for count, some in ((least, part.inside), (most, part.variables)):  # quicker than `numpy.isin`
            count += np.searchsorted(some, variables, side="right") - np.searchsorted(some, variables)
    return least, np.minimum(most, 1) if shape.is_disjoint else most


def everything(shape: Shape, n: int) -> tuple[Part, ...]:
    """Return the parts of the root: nothing is decided but what is forced.

    Examples
    --------
    >>> [part.free.tolist() for part in everything(Shape((1, 2)), 3)]
    [[0, 1, 2], [0, 1, 2]]
    """
    forced = shape.forced or ((),) * len(shape.sizes)
    insides = [np.array(J, dtype=np.int64) for J in forced]
    return tuple(
        Part(size, J, np.arange(n) if not len(J) else np.setdiff1d(np.arange(n if len(J) < size else 0), J))
        for size, J in zip(shape.sizes, insides, strict=True)
    )
