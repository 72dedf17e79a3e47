"""Hold a claim about several components together with its evidence, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType
from typing import ClassVar

import numpy as np

from relaxspca.certificate import table_statement as statement
from relaxspca.certificate.description import Description
from relaxspca.certificate.digest import VERSION, digest_of
from relaxspca.certificate.evidence import PerronPoint
from relaxspca.certificate.reading_table import table_in
from relaxspca.certificate.stated import Stated, check_matrix
from relaxspca.certificate.table_evidence import ComponentSplit, MultiplierPoint, TableLeaf
from relaxspca.certificate.values import (
    Floats,
    Ints,
    checked_array,
    checked_index,
    checked_indices,
    checked_names,
    checked_number,
    require,
    set_field,
)
from relaxspca.certificate.writing_table import write_table
from relaxspca.errors import counted

__all__ = ["SUPPORTS", "TableCertificate"]

SUPPORTS = ("orthogonal", "disjoint", "common")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TableCertificate(Stated):
    """Hold a claim `lower <= w <= upper` about several orthonormal components, and its evidence.

    w is the largest sum of x_t' Sigma x_t over orthonormal x_1, ..., x_r with Card(x_t) <= k_t; over those
    whose supports have no variable in common where `supports` is "disjoint"; or over those that use at most
    k variables all together where it is "common". ``certificates/SPEC.md``, section 13, has the rules.

    Parameters
    ----------
    names : sequence of n str
        Names of the variables, distinct.
    matrix : (n, n) or None
        The covariance, exactly symmetric (variance); or
    factor : (q, n) or None
        a matrix A that defines it as Sigma = A'A exactly.
    description : Description
        What the matrix is: covariance or correlation, of how many observations, deflated or not.
    supports : str
        "orthogonal", "disjoint" or "common": which supports the claim is about.
    sizes : sequence of r ints
        Cardinalities, none larger than the one before; r times k for a common support.
    lower, upper : float
        The claimed bounds (variance).
    indices : r sequences of ints
        Positions of the variables of each component that together attain `lower`.
    loadings : (n, r)
        Their loadings, 0 outside. The checker makes them exactly orthogonal inside their supports.
    points : sequence of MultiplierPoint and PerronPoint
        Dual points, which leaves and multipliers refer to.
    tree : sequence of ComponentSplit and TableLeaf
        Nodes; node 0 is the root.
    made_by : str
        What made it, for the reader; it is not part of the claim.

    Raises
    ------
    CertificateError
        When sizes, types or indices are wrong. That the bounds hold is for `relaxspca.verify` to say.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.components(rs.datasets.load_pitprops(), [3, 3], joint=True)
    >>> rs.verify(found.certificate).verified
    True
    """

    names: tuple[str, ...]
    matrix: Floats | None = None
    factor: Floats | None = None
    description: Description = field(default_factory=Description)
    supports: str
    sizes: tuple[int, ...]
    lower: float
    upper: float
    indices: tuple[Ints, ...]
    loadings: Floats
    points: tuple[MultiplierPoint | PerronPoint, ...] = ()
    tree: tuple[ComponentSplit | TableLeaf, ...]
    made_by: str = ""

    wording: ClassVar[ModuleType] = statement
    reader = staticmethod(table_in)
    writer = staticmethod(write_table)
    eliminated: ClassVar[None] = None
    version: ClassVar[int] = VERSION

    def __post_init__(self) -> None:
        set_field(self, "names", checked_names("names", self.names))
        require(self.n >= 1, "n must be at least 1")
        require(len(set(self.names)) == self.n, "two variables have one name")
        require(isinstance(self.made_by, str), "made_by is not a string")
        for name in ("sizes", "indices", "points", "tree"):
            set_field(self, name, tuple(getattr(self, name)))
        self._check_matrix()
        self._check_claim()
        self._check_witness()
        self._check_points()
        self._check_nodes()

    def _check_matrix(self) -> None:
        check_matrix(self)
        deflation = self.description.deflation
        is_known = deflation is None or {*self.names} <= {*deflation.names}
        require(is_known, "the matrix that was deflated lacks some of the variables")

    def _check_claim(self) -> None:
        is_known = isinstance(self.supports, str) and self.supports in SUPPORTS
        require(is_known, f"supports are one of {', '.join(SUPPORTS)}, not {self.supports!r}")
        sizes = tuple(checked_index("a cardinality", size) for size in self.sizes)
        set_field(self, "sizes", sizes)
        r, n = len(sizes), self.n
        require(1 <= r <= n, f"{r} components: there are 1 to n = {n}")
        require(all(1 <= size <= n for size in sizes), f"a cardinality is not between 1 and n = {n}")
        require(all(np.diff(sizes) <= 0), "the cardinalities are not sorted, the largest first")
        if self.supports == "common":
            require(len(set(sizes)) == 1, "components on a common support have one cardinality")
            require(r <= sizes[0], f"{sizes[0]} variables have no {r} orthogonal components")
        set_field(self, "lower", checked_number("lower", self.lower))
        set_field(self, "upper", checked_number("upper", self.upper))
        require(self.lower <= self.upper, "the claimed lower bound is above the upper bound")

    def _check_witness(self) -> None:
        r = len(self.sizes)
        indices = tuple(checked_indices("a support", support) for support in self.indices)
        require(len(indices) == r, f"{len(indices)} supports for {counted(r, 'component')}")
        loadings = checked_array("loadings", self.loadings, (self.n, r))
        for t, (support, size) in enumerate(zip(indices, self.sizes, strict=True)):
            require(bool((support < self.n).all()), f"support {t} names a variable beyond n = {self.n}")
            require(len(support) <= size, f"support {t} has {len(support)} variables, more than {size}")
            require(not np.delete(loadings[:, t], support).any(), f"loadings {t} are not 0 off the support")
            require(bool(loadings[:, t].any()), f"loadings {t} are all 0")
        used = np.concatenate(indices)
        if self.supports == "disjoint":
            require(len(np.unique(used)) == len(used), "two supports have a variable in common")
        if self.supports == "common":
            is_one = all(np.array_equal(support, indices[0]) for support in indices)
            require(is_one, "the components are not all on one support")
        set_field(self, "indices", indices)
        set_field(self, "loadings", loadings)

    def _check_points(self) -> None:
        for at, point in enumerate(self.points):
            require(isinstance(point, MultiplierPoint | PerronPoint), f"point {at} is not a dual point")
            require(bool((point.variables < self.n).all()), f"point {at} names a variable beyond n = {self.n}")
            if isinstance(point, PerronPoint):
                continue
            require(len(point.rows) == self.part_count, f"point {at} has {len(point.rows)} entries in rows")
            for row in point.rows:
                is_there = row is None or (row < len(self.points) and isinstance(self.points[row], PerronPoint))
                require(is_there, f"rows of point {at} name no perron point")

    def _check_nodes(self) -> None:
        n, count = self.n, len(self.tree)
        require(count > 0, "the tree has no nodes")
        for at, node in enumerate(self.tree):
            if isinstance(node, ComponentSplit):
                require(node.component < self.part_count, f"node {at} splits a component that is not there")
                require(node.variable < n, f"node {at} splits a variable beyond n = {n}")
                require(max(node.inside, node.outside) < count, f"node {at} has a child beyond the last node")
                continue
            require(isinstance(node, TableLeaf), f"node {at} is neither ComponentSplit nor TableLeaf")
            for point in node.points:
                require(point < len(self.points), f"leaf {at} uses a point that is not there")
                is_usable = isinstance(self.points[point], MultiplierPoint)
                require(is_usable, f"leaf {at} is {node.kind} but its point has no multipliers")
            is_apart = node.kind != "choices" or self.supports != "common"
            require(is_apart, f"leaf {at} is {node.kind}, and the components share one support")

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def part_count(self) -> int:
        """Number of supports: that of the components, 1 where they share one."""
        return 1 if self.supports == "common" else len(self.sizes)

    @property
    def support(self) -> tuple[tuple[str, ...], ...]:
        """Names of the variables of each component."""
        return tuple(tuple(self.names[i] for i in T) for T in self.indices)

    @property
    def digest(self) -> str:
        """Canonical digest of the matrix that the claim speaks of."""
        return digest_of(matrix=self.matrix, factor=self.factor, names=self.names, description=self.description)
