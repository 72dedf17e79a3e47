"""Hold the evidence of a certificate, as plain checked data.

Vectors attain the lower bound; dual points, and the nodes of a proof tree, prove the upper bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from relaxspca.certificate import fields
from relaxspca.certificate.fields import (
    INDICES,
    NUMBER,
    TEXT,
    Codec,
    Declared,
    Scope,
    later,
    left_out,
    many,
    one,
    whole,
)
from relaxspca.certificate.values import Floats, Ints, checked_indices, list_of, require

MOST_EXPONENT = 1000
# Of a leaf *choices*: variables, whose sets are bits of a number; first points, which may drop partial choices.
MOST_VARIABLES, HEADS = 62, 8


@dataclass(frozen=True, eq=False)
class Vector(Declared):
    """Hold a vector by its entries that may be other than 0.

    Parameters
    ----------
    support : (s,) ints
    loadings : (s,)
        An entry for each variable of the support, not all of them 0.
    """

    support: Annotated[Ints, INDICES]
    loadings: Annotated[Floats, fields.numbers("support")]

    def __post_init__(self) -> None:
        super().__post_init__()
        require(bool(self.loadings.any()) or not len(self.support), "loadings are all 0")


@dataclass(frozen=True, eq=False)
class Witness(Declared):
    """Hold the components that attain a lower bound, and a vector on each support that a claim lists.

    Parameters
    ----------
    components : sequence of Vector
        One, or of several components one for each.
    listed : (s, k) or None
        Loadings on the supports that are listed, a row for each.
    """

    components: Annotated[tuple[Vector, ...], many(one(Vector))]
    listed: Annotated[Floats | None, left_out(fields.array("claim.listed.supports", "claim.k"), "list")] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        is_sound = self.listed is None or bool(self.listed.any(axis=1).all())
        require(is_sound, "a support is listed with loadings that are all 0")


def _paid(scope: Scope) -> int:
    """Return of how many variables P and N are."""
    paid = scope.known.get("paid")
    return len(scope.known["variables"] if paid is None else paid)


@dataclass(frozen=True, eq=False)
class RowsPoint(Declared):
    """Hold a point of the rule *rows*: P is paid by rows, M - P by its eigenvalue.

    Pairs of variables in `paid` have P_ij and N_ij; any other pair is paid whole by weights, P_ij = M_ij and
    N_ij = abs(M_ij) w_j / w_i.

    Parameters
    ----------
    variables : (m,) ints
        The variables that the point speaks of.
    P : (p, p) or None
        Symmetric, zero on the diagonal (variance). None: weights pay for every pair.
    N : (p, p) or None
        Row charges, at least 0 and zero on the diagonal, with N_ij N_ji >= P_ij^2 (variance).
    weights : (m,) or None
        Positive numbers (no unit). None: every pair has P_ij and N_ij.
    paid : (p,) ints
        With P, N and weights: the variables that rows and columns of P and N stand for.
    """

    variables: Annotated[Ints, INDICES]
    paid: Annotated[Ints | None, left_out(INDICES)] = field(default=None, kw_only=True)
    P: Annotated[Any, left_out(fields.array(_paid, _paid, is_symmetric=True))] = None
    N: Annotated[Any, left_out(fields.array(_paid, _paid, least=0.0))] = None
    weights: Annotated[Floats | None, left_out(fields.array("variables", least=math.ulp(0.0)))] = None
    kind: ClassVar[str] = "rows"

    def __post_init__(self) -> None:
        super().__post_init__()
        has_pairs, has_weights = self.P is not None, self.weights is not None
        is_either = has_pairs == (self.N is not None) and (has_pairs or has_weights)
        require(is_either, "rows has P and N, or weights, or both")
        is_named = (self.paid is not None) == (has_pairs and has_weights)
        require(is_named, "rows says of which variables P and N are beside weights, and only there")
        is_there = self.paid is None or {*self.paid} <= {*self.variables}
        require(is_there, "rows has P and N of a variable that it does not have")
        is_off = not has_pairs or not (self.P.diagonal().any() or self.N.diagonal().any())
        require(is_off, "rows P or N is not 0 on the diagonal")


def _points(kind: object) -> tuple[type, ...]:
    """Return the classes of points of a kind, all where it is not *rows*."""
    if kind == RowsPoint.kind:
        return (RowsPoint,)
    from relaxspca.certificate.points import FactorPoint, MultiplierPoint

    return RowsPoint, FactorPoint, MultiplierPoint


# The kinds of leaves, and of the points that they may have; those of the second list must have one.
LEAVES = ("rows", "factor", "collatz", "listed", "multipliers", "choices")
POINTS_OF_LEAF = {
    "rows": "rows",
    "factor": "factor",
    "collatz": "rows",
    "multipliers": "multipliers",
    "choices": "multipliers",
}
NEEDED = ("factor", "collatz")
# The leaves of a tree by the kind of its claim, and those that bound a single component.
LEAVES_OF_CLAIM = {
    "component": ("rows", "factor", "collatz", "listed"),
    "ratio": ("rows", "factor", "listed"),
    "components": ("multipliers", "choices"),
}
SINGLE = ("rows", "factor")


KEPT = INDICES._replace(check=lambda value, what, scope: tuple(checked_indices(what, value).tolist()))


@dataclass(frozen=True)
class Split(Declared):
    """Branch on "the variable is in the support of the part": true at node `inside`.

    At node `outside` it is in the support neither of this part nor of any that the node treats alike.
    """

    part: Annotated[int, whole()]
    variable: Annotated[int, whole()]
    inside: Annotated[int, whole()]
    outside: Annotated[int, whole()]
    kind: ClassVar[str] = "split"


@dataclass(frozen=True)
class Restrict(Declared):
    """Leave few free variables to a part; supports with others are bounded by a level.

    Parameters
    ----------
    part : int
    point : int or None
        Number of a `RowsPoint`, under multipliers one with weights alone; None for weights 1.
    level : float
        Bound on every support that has one of the other variables (variance).
    kept : tuple of int
        The variables that stay free, increasing.
    child : int
        The node below.
    multipliers : int or None
        Of several components: number of a `MultiplierPoint`, under which the level holds.
    """

    part: Annotated[int, whole()]
    point: Annotated[int | None, fields.or_null(whole())]
    level: Annotated[float, NUMBER]
    kept: Annotated[tuple[int, ...], KEPT]
    child: Annotated[int, whole()]
    multipliers: Annotated[int | None, left_out(whole())] = None
    kind: ClassVar[str] = "restrict"


def _point(value: Any, what: str, scope: Scope) -> Any:
    """Return the number of a point, or those of several."""
    of = many(whole()) if isinstance(value, Sequence) else whole()
    return of.check(value, what, scope)


@dataclass(frozen=True)
class Leaf(Declared):
    """Bound every support of a node by one rule; `point` is the number of its point, or those of several."""

    kind: Annotated[str, TEXT]
    point: Annotated[int | tuple[int, ...] | None, fields.or_null(Codec(_point))] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.kind in LEAVES, f"unknown leaf kind {self.kind!r}"[:300])
        if self.kind == "choices":
            is_list = isinstance(self.point, tuple) and 0 < len(self.point) == len({*self.point})
            require(is_list, "a choices leaf takes a list of points, at least one and none twice")
        elif self.kind in NEEDED or self.point is not None:
            is_one = isinstance(self.point, int) and self.kind in POINTS_OF_LEAF
            require(is_one, f"the point of a {self.kind} leaf is not one that it takes")

    @property
    def points(self) -> tuple[int, ...]:
        """Numbers of all points that the leaf uses."""
        if self.point is None:
            return ()
        return self.point if isinstance(self.point, tuple) else (self.point,)


TreeNode = Split | Restrict | Leaf


def _read_node(value: object, what: str, scope: Scope) -> TreeNode:
    kind, *row = list_of(value, "a node") or [None]
    for make in (Split, Restrict):
        if kind == make.kind:
            return fields.read_row(make, row, f"a {kind} node", scope)  # type: ignore[no-any-return]
    return fields.read_row(Leaf, [kind, *row], "a leaf", scope)  # type: ignore[no-any-return]


NODE = fields.instance((Split, Restrict, Leaf), _read_node)


@dataclass(frozen=True, eq=False)
class Single(Declared):
    """Hold a tree that bounds the variance of a single component of k variables."""

    k: Annotated[int, whole(least=1)]
    tree: Annotated[tuple[TreeNode, ...], many(NODE, least=1)]


EVIDENCE = later(lambda: Evidence)  # evidence has such evidence, too


@dataclass(frozen=True, eq=False)
class Fewer(Declared):
    """Hold a bound, `upper`, on what components of `sizes` explain together, and the evidence of it."""

    sizes: Annotated[tuple[int, ...], many(whole())]
    upper: Annotated[float, NUMBER]
    evidence: Annotated[Any, EVIDENCE]


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence(Declared):
    """Hold dual points and the tree that proves an upper bound; node 0 is the root.

    Parameters
    ----------
    tree : sequence of Split, Restrict and Leaf
    points : sequence of RowsPoint, FactorPoint and MultiplierPoint
    elimination : Leaf or None
        The rule that bounds supports with eliminated variables, in a claim about v_k that has any.
    singles : sequence of Single
        Of several components: what single ones explain, which nodes that restrict one part need.
    fewer : sequence of Fewer
        Of several components: what fewer ones explain together, for the same nodes.
    mu : float or None
        Of a ratio: the tree is about A - mu B.
    exponents : sequence of n ints
        Of a ratio: variables are multiplied by two to these powers.
    fit : (n,) or None
        Coefficients of a least-squares fit of all variables, which bounds what any of them explain together.
    """

    points: Annotated[tuple[Any, ...], many(fields.either(_points))] = ()
    tree: Annotated[tuple[TreeNode, ...], many(NODE, least=1)]
    elimination: Annotated[Leaf | None, left_out(fields.instance((Leaf,), _read_node))] = None
    singles: Annotated[tuple[Single, ...], left_out(many(one(Single)))] = ()
    fewer: Annotated[tuple[Fewer, ...], left_out(many(one(Fewer)))] = ()
    mu: Annotated[float | None, left_out(NUMBER)] = None
    exponents: Annotated[tuple[int, ...], left_out(many(whole(least=-MOST_EXPONENT, most=MOST_EXPONENT)))] = ()
    fit: Annotated[Floats | None, left_out(fields.array("subject.names"))] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        require(len({one.k for one in self.singles}) == len(self.singles), "two singles have one k")
        are_distinct = len({one.sizes for one in self.fewer}) == len(self.fewer)
        require(are_distinct, "two sets of fewer have the same sizes")
