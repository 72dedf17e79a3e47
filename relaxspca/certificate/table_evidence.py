"""Hold the evidence of a certificate of several components: multipliers, and the nodes of its tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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

__all__ = ["ComponentSplit", "MultiplierPoint", "TableLeaf"]

TABLE_LEAVES = ("prices", "choices")


@dataclass(frozen=True, eq=False)
class MultiplierPoint:
    """Hold the multipliers of several components: Z = Sigma - M between them, y for the use of a variable.

    Parameters
    ----------
    variables : (m,) ints
        The variables that rows and columns stand for.
    M : (m, m)
        Symmetric (variance); it defines Z exactly.
    y : (m,)
        Multipliers of the uses of variables (variance).
    rows : sequence of int or None
        For each component the perron point, by its number in the certificate, whose row charges bound its
        part; None where all its supports are tried.
    """

    variables: Ints
    M: Floats
    y: Floats
    rows: tuple[int | None, ...]

    def __post_init__(self) -> None:
        variables = checked_indices("variables of multipliers", self.variables)
        m = len(variables)
        M, y = checked_array("M of multipliers", self.M, (m, m)), checked_array("y", self.y, (m,))
        require(np.array_equal(M, M.T), "M of multipliers is not symmetric")
        set_field(self, "variables", variables)
        set_field(self, "M", M)
        set_field(self, "y", y)
        rows = (None if at is None else checked_index("rows of multipliers", at) for at in self.rows)
        set_field(self, "rows", tuple(rows))


@dataclass(frozen=True)
class ComponentSplit:
    """Branch on "the variable is in the component": true at node `inside`.

    At node `outside` it is in none of the components that are equal to this one at the node: those of the same
    cardinality, of which the splits above say the same.
    """

    component: int
    variable: int
    inside: int
    outside: int

    def __post_init__(self) -> None:
        for name in ("component", "variable", "inside", "outside"):
            set_field(self, name, checked_index(f"split {name}", getattr(self, name)))


@dataclass(frozen=True)
class TableLeaf:
    """Bound every table of a node by one rule.

    `point` is, for a leaf of kind "prices", the number of these, or None for Z = 0 and y = 0; for one of
    kind "choices", whose choices of supports are looked at one by one, the numbers of those that may bound
    each, in the order in which they are tried.
    """

    kind: str
    point: int | tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        require(self.kind in TABLE_LEAVES, f"unknown leaf kind {self.kind!r} in a claim about components")
        if self.kind == "choices":
            listed = self.point if isinstance(self.point, Sequence) else ()
            points = tuple(checked_index("point of a choices leaf", at) for at in listed)
            require(len(points) > 0, "a choices leaf takes a list of points, at least one")
            require(len({*points}) == len(points), "a choices leaf names one point twice")
            set_field(self, "point", points)
        elif self.point is not None:
            set_field(self, "point", checked_index("point of a multipliers leaf", self.point))

    @property
    def points(self) -> tuple[int, ...]:
        """Numbers of all points that the leaf uses."""
        if self.point is None:
            return ()
        return tuple(self.point) if isinstance(self.point, Sequence) else (self.point,)
