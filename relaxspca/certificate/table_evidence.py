"""Hold the evidence of a certificate of several components: multiplier points, and the nodes of its tree."""

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

__all__ = ["ComponentSplit", "MultiplierPoint", "TableLeaf", "UseSplit"]

TABLE_LEAVES = ("prices", "tables", "spectral", "void", "apart", "uses", "order")


@dataclass(frozen=True, eq=False)
class MultiplierPoint:
    """Hold a dual point of several components: Z = Sigma - M between them, y for the use of a variable.

    Parameters
    ----------
    variables : (m,) ints
        The variables that rows and columns stand for.
    M : (m, m)
        Symmetric (variance); it defines Z exactly.
    y : (m,)
        Multipliers (variance).
    rows : sequence of int or None
        For each component the perron point, by its number in the certificate, whose row charges bound its
        part; None where all its supports are tried.
    """

    variables: Ints
    M: Floats
    y: Floats
    rows: tuple[int | None, ...]

    def __post_init__(self) -> None:
        variables = checked_indices("variables of a multiplier point", self.variables)
        m = len(variables)
        M, y = checked_array("M of a multiplier point", self.M, (m, m)), checked_array("y", self.y, (m,))
        require(np.array_equal(M, M.T), "M of a multiplier point is not symmetric")
        set_field(self, "variables", variables)
        set_field(self, "M", M)
        set_field(self, "y", y)
        rows = (None if at is None else checked_index("rows of a multiplier point", at) for at in self.rows)
        set_field(self, "rows", tuple(rows))


@dataclass(frozen=True)
class ComponentSplit:
    """Branch on "the variable is in the component": true at node `inside`, false at node `outside`.

    With `is_alike` the variable is, at `outside`, also in none of the other components that are equal to this
    one at the node.
    """

    component: int
    variable: int
    inside: int
    outside: int
    is_alike: bool = False

    def __post_init__(self) -> None:
        for name in ("component", "variable", "inside", "outside"):
            set_field(self, name, checked_index(f"split {name}", getattr(self, name)))


@dataclass(frozen=True)
class UseSplit:
    """Branch on "two components or more use the variable": true at node `twice`, false at node `once`."""

    variable: int
    twice: int
    once: int

    def __post_init__(self) -> None:
        for name in ("variable", "twice", "once"):
            set_field(self, name, checked_index(f"split {name}", getattr(self, name)))


@dataclass(frozen=True)
class TableLeaf:
    """Bound every table of a node by one rule, or say why the node has no table.

    `point` is the number of the dual point of a leaf of kind "prices"; for one of kind "tables", whose tables
    are looked at one by one, the numbers of those that may bound each, in the order in which they are tried.
    """

    kind: str
    point: int | tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        require(self.kind in TABLE_LEAVES, f"unknown leaf kind {self.kind!r} in a claim about components")
        if self.kind == "prices":
            set_field(self, "point", checked_index("point of a multipliers leaf", self.point))
        elif self.kind == "tables":
            require(isinstance(self.point, Sequence), "a tables leaf takes a list of points")
            points = tuple(checked_index("point of a tables leaf", at) for at in self.points)
            require(len(points) > 0, "the list of points of a tables leaf is empty")
            require(len({*points}) == len(points), "a tables leaf names one point twice")
            set_field(self, "point", points)
        else:
            require(self.point is None, f"a leaf of kind {self.kind!r} takes no point")

    @property
    def points(self) -> tuple[int, ...]:
        """Numbers of all points that the leaf uses."""
        if self.point is None:
            return ()
        return tuple(self.point) if isinstance(self.point, Sequence) else (self.point,)
