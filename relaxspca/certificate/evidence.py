"""Hold the evidence of a certificate: dual points, and the nodes of a proof tree, as plain checked data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from relaxspca.certificate.values import (
    Floats,
    Ints,
    checked_array,
    checked_index,
    checked_indices,
    checked_number,
    require,
    set_field,
)

__all__ = [
    "Evidence",
    "FactorPoint",
    "Leaf",
    "MultiplierPoint",
    "Point",
    "Restrict",
    "RowsPoint",
    "Single",
    "Split",
    "WeightsPoint",
]

MOST_EXPONENT = 1000


@dataclass(frozen=True, eq=False)
class FactorPoint:
    """Hold a dual point on a factor: vectors with v_i v_i' >= a_i a_i' - rho I.

    Parameters
    ----------
    variables : (m,) ints
        The variables that the columns stand for.
    rho : float
        Penalty of a variable, at least 0 (variance).
    vectors : (r, m)
        Columns v_i.
    factor : (r, m) or None
        Columns a_i with A'A = M + shift I on `variables`, up to a residual that is charged.
        None: the columns of the factor that the claim's matrix is given by.
    shift : float
        The shift of `factor`, at least 0 (variance).
    """

    variables: Ints
    rho: float
    vectors: Floats
    factor: Floats | None = None
    shift: float = 0.0

    def __post_init__(self) -> None:
        variables = checked_indices("factor variables", self.variables)
        vectors = checked_array("factor vectors", self.vectors, (None, len(variables)))
        set_field(self, "variables", variables)
        set_field(self, "vectors", vectors)
        set_field(self, "rho", checked_number("factor rho", self.rho, least=0.0))
        set_field(self, "shift", checked_number("factor shift", self.shift, least=0.0))
        if self.factor is not None:
            set_field(self, "factor", checked_array("factor factor", self.factor, vectors.shape))


@dataclass(frozen=True, eq=False)
class WeightsPoint:
    """Hold a point of the rule *rows* by weights: the largest row sum of abs(M_ij) w_j / w_i is the bound.

    Parameters
    ----------
    variables : (m,) ints
        The variables that the weights belong to.
    weights : (m,)
        Positive numbers (no unit).
    """

    variables: Ints
    weights: Floats

    def __post_init__(self) -> None:
        variables = checked_indices("weights variables", self.variables)
        weights = checked_array("weights", self.weights, (len(variables),))
        require(bool((weights > 0).all()), "weights must all be positive")
        set_field(self, "variables", variables)
        set_field(self, "weights", weights)


@dataclass(frozen=True, eq=False)
class RowsPoint:
    """Hold a point of the rule *rows*: P is paid by rows, M - P by its eigenvalue.

    Parameters
    ----------
    variables : (m,) ints
        The variables that rows and columns stand for.
    P : (m, m)
        Symmetric, zero on the diagonal (variance).
    N : (m, m)
        Row charges, at least 0 and zero on the diagonal, with N_ij N_ji >= P_ij^2 (variance).
    """

    variables: Ints
    P: Floats
    N: Floats

    def __post_init__(self) -> None:
        variables = checked_indices("rows variables", self.variables)
        m = len(variables)
        P, N = checked_array("rows P", self.P, (m, m)), checked_array("rows N", self.N, (m, m))
        require(np.array_equal(P, P.T), "rows P is not symmetric")
        require(bool((N >= 0).all()), f"rows N has the negative entry {float(N.min(initial=0))!r}")
        require(not P.diagonal().any() and not N.diagonal().any(), "rows P or N is not 0 on the diagonal")
        set_field(self, "variables", variables)
        set_field(self, "P", P)
        set_field(self, "N", N)


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
        For each part the `RowsPoint`, by its number in the certificate, whose row charges bound it; None where
        all its supports are tried.
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


Point = RowsPoint | WeightsPoint | FactorPoint | MultiplierPoint

# The kinds of leaves, and the points that they may have; those of the second list must have one.
LEAVES = ("rows", "factor", "collatz", "listed", "multipliers", "choices")
POINTS_OF_LEAF: dict[str, tuple[type, ...]] = {
    "rows": (RowsPoint, WeightsPoint),
    "factor": (FactorPoint,),
    "collatz": (WeightsPoint,),
    "listed": (),
    "multipliers": (MultiplierPoint,),
    "choices": (MultiplierPoint,),
}
NEEDED = ("factor", "collatz")


@dataclass(frozen=True)
class Split:
    """Branch on "the variable is in the support of the part": true at node `inside`.

    At node `outside` it is in the support of no part of which the node says the same as of this one.
    """

    part: int
    variable: int
    inside: int
    outside: int
    kind: ClassVar[str] = "split"

    def __post_init__(self) -> None:
        for name in ("part", "variable", "inside", "outside"):
            set_field(self, name, checked_index(f"split {name}", getattr(self, name)))


@dataclass(frozen=True)
class Restrict:
    """Go on with few of the variables that are free in a part.

    Parameters
    ----------
    part : int
    point : int or None
        Number of a `WeightsPoint`; None for weights 1.
    level : float
        What no support exceeds that has one of the other variables.
    kept : tuple of int
        The variables that stay free, increasing.
    child : int
        The node below.
    multipliers : int or None
        Of several components: number of a `MultiplierPoint`, under which the level holds.
    """

    part: int
    point: int | None
    level: float
    kept: tuple[int, ...]
    child: int
    multipliers: int | None = None
    kind: ClassVar[str] = "restrict"

    def __post_init__(self) -> None:
        for name in ("part", "point", "child", "multipliers"):
            own = getattr(self, name)
            if own is not None or name in ("part", "child"):
                set_field(self, name, checked_index(f"{name} of a restrict node", own))
        set_field(self, "level", checked_number("level of a restrict node", self.level))
        set_field(self, "kept", tuple(checked_indices("kept of a restrict node", self.kept).tolist()))


@dataclass(frozen=True)
class Leaf:
    """Bound every support of a node by one rule; `point` indexes the points, of a choices leaf many."""

    kind: str
    point: int | tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        require(isinstance(self.kind, str) and self.kind in LEAVES, f"unknown leaf kind {self.kind!r}")
        if self.kind == "choices":
            listed = self.point if isinstance(self.point, Sequence) else ()
            points = tuple(checked_index("point of a choices leaf", at) for at in listed)
            require(len(points) > 0, "a choices leaf takes a list of points, at least one")
            require(len({*points}) == len(points), "a choices leaf names one point twice")
            set_field(self, "point", points)
        elif self.kind in NEEDED or self.point is not None:
            require(len(POINTS_OF_LEAF[self.kind]) > 0, f"a {self.kind} leaf takes no point")
            set_field(self, "point", checked_index(f"point of a {self.kind} leaf", self.point))

    @property
    def points(self) -> tuple[int, ...]:
        """Numbers of all points that the leaf uses."""
        if self.point is None:
            return ()
        return tuple(self.point) if isinstance(self.point, Sequence) else (self.point,)


TreeNode = Split | Restrict | Leaf


@dataclass(frozen=True, eq=False)
class Single:
    """Hold the tree that bounds what a single component of k variables explains."""

    k: int
    tree: tuple[TreeNode, ...]

    def __post_init__(self) -> None:
        set_field(self, "k", checked_index("k of a single component", self.k))
        require(self.k >= 1, "k of a single component is 0")
        set_field(self, "tree", tuple(self.tree))
        _check_nodes(self.tree)


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """Hold dual points and the tree that proves an upper bound; node 0 is the root.

    Parameters
    ----------
    tree : sequence of Split, Restrict and Leaf
    points : sequence of RowsPoint, WeightsPoint, FactorPoint and MultiplierPoint
    elimination : Leaf or None
        The rule that bounds supports with eliminated variables, in a claim about v_k that has any.
    singles : sequence of Single
        Of several components: what single ones explain, which nodes that restrict one part need.
    mu : float or None
        Of a ratio: the tree is about A - mu B.
    exponents : sequence of n ints
        Of a ratio: variables are multiplied by two to these powers.
    fit : (n,) or None
        Coefficients of a least-squares fit of all variables, which bounds what any of them explain together.
    """

    tree: tuple[TreeNode, ...]
    points: tuple[Point, ...] = ()
    elimination: Leaf | None = None
    singles: tuple[Single, ...] = ()
    mu: float | None = None
    exponents: tuple[int, ...] = ()
    fit: Floats | None = None

    def __post_init__(self) -> None:
        set_field(self, "points", tuple(self.points))
        set_field(self, "tree", tuple(self.tree))
        for at, point in enumerate(self.points):
            require(isinstance(point, Point), f"point {at} is not a dual point")
        _check_nodes(self.tree)
        set_field(self, "singles", tuple(self.singles))
        require(all(isinstance(one, Single) for one in self.singles), "singles are not of class Single")
        require(len({one.k for one in self.singles}) == len(self.singles), "two singles have one k")
        if self.elimination is not None:
            require(isinstance(self.elimination, Leaf), "the elimination rule is not a Leaf")
        if self.mu is not None:
            set_field(self, "mu", checked_number("mu", self.mu))
        for e in self.exponents:
            is_whole = isinstance(e, int | np.integer) and not isinstance(e, bool)
            require(is_whole and abs(int(e)) <= MOST_EXPONENT, f"an exponent must be a whole number, not {e!r}")
        set_field(self, "exponents", tuple(int(e) for e in self.exponents))
        if self.fit is not None:
            set_field(self, "fit", checked_array("fit", self.fit, (None,)))


def _check_nodes(tree: tuple[TreeNode, ...]) -> None:
    require(len(tree) > 0, "the tree has no nodes")
    for at, node in enumerate(tree):
        require(isinstance(node, TreeNode), f"node {at} is neither Split nor Restrict nor Leaf")


def children_of(node: TreeNode) -> tuple[int, ...]:
    """Return the numbers of the nodes below a node."""
    if isinstance(node, Leaf):
        return ()
    return (node.inside, node.outside) if isinstance(node, Split) else (node.child,)
