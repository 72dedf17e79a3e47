"""Hold a claim about the largest ratio of two quadratic forms together with its evidence, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar

import numpy as np

from relaxspca.certificate import ratio_statement as statement
from relaxspca.certificate.evidence import POINT_OF_LEAF, Leaf, PerronPoint, Split, WeightsPoint
from relaxspca.certificate.pencil import Budget, LeastSquaresData, Pencil, digest_of_pencil
from relaxspca.certificate.reading_ratio import ratio_in
from relaxspca.certificate.stated import Stated, check_used
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
from relaxspca.certificate.writing_ratio import write_ratio
from relaxspca.errors import counted

__all__ = ["Budget", "RatioCertificate"]

LEAVES = ("spectral", "support", "trace", "rowsum", "perron", "void")
MOST_EXPONENT = 1000


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RatioCertificate(Stated):
    """Hold a claim `lower <= r_k <= upper` about the largest x'Ax / x'Bx, and its evidence.

    ``certificates/SPEC.md`` says in its section on ratios what is claimed and how it is checked.

    Parameters
    ----------
    names : sequence of n str
        Names of the variables, distinct.
    pencil : DensePencil or LeastSquaresData
        A and B, or the data that they are formed from.
    k : int
        Cardinality.
    lower, upper : float
        The claimed bounds.
    indices, loadings : (s,) ints and (n,)
        The vector that attains `lower`: positions of its variables, and loadings, 0 outside them.
    mu : float
        The evidence is of A - mu B.
    exponents : (n,) ints
        Variables are multiplied by two to these powers in the evidence.
    points : sequence of WeightsPoint and PerronPoint
    tree : sequence of Split and Leaf
    fit : (n,) floats or None
        Coefficients of a least-squares fit of all variables, which bounds what any of them explain together;
        for `LeastSquaresData` only.
    include, exclude : ints
        Variables that every support has that the claim speaks of, and variables that none has.
    budgets : sequence of Budget
        Parts of the variables, every variable in one, and how many of each part a support has at most.
    made_by : str
        What made it, for the reader.

    Raises
    ------
    CertificateError
        When sizes, types or indices are wrong. That the bounds hold is for `relaxspca.verify` to say.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.generalized([[4.0, 1.0], [1.0, 1.0]], [[2.0, 0.0], [0.0, 1.0]], 1)
    >>> rs.verify(found.certificate).verified
    True
    """

    names: tuple[str, ...]
    pencil: Pencil
    k: int
    lower: float
    upper: float
    indices: Ints
    loadings: Floats
    mu: float
    exponents: tuple[int, ...]
    points: tuple[WeightsPoint | PerronPoint, ...] = ()
    tree: tuple[Split | Leaf, ...]
    include: Ints = ()  # type: ignore[assignment]
    exclude: Ints = ()  # type: ignore[assignment]
    budgets: tuple[Budget, ...] = ()
    fit: Floats | None = None
    made_by: str = ""

    wording: ClassVar[ModuleType] = statement
    reader = staticmethod(ratio_in)
    writer = staticmethod(write_ratio)

    # What other kinds of claims have.
    rho: ClassVar[None] = None
    matrix: ClassVar[None] = None
    factor: ClassVar[None] = None
    others: ClassVar[None] = None
    restriction: ClassVar[None] = None
    eliminated: ClassVar[None] = None

    def __post_init__(self) -> None:
        require(isinstance(self.pencil, Pencil), "the pencil is of no known class")
        set_field(self, "names", checked_names("names", self.names, self.n))
        require(self.n >= 1, "n must be at least 1")
        require(len(set(self.names)) == self.n, "two variables have one name")
        require(isinstance(self.made_by, str), "made_by is not a string")
        for name in ("points", "tree", "budgets"):
            set_field(self, name, tuple(getattr(self, name)))
        self._check_claim()
        self._check_budgets()
        self._check_evidence()

    def _check_claim(self) -> None:
        set_field(self, "k", checked_index("k", self.k))
        require(1 <= self.k <= self.n, f"k = {self.k} is not between 1 and n = {self.n}")
        for name in ("lower", "upper", "mu"):
            set_field(self, name, checked_number(name, getattr(self, name)))
        require(self.lower <= self.upper, "the claimed lower bound is above the upper bound")
        for name in ("include", "exclude", "indices"):
            found = checked_indices(name, getattr(self, name))
            require(bool((found < self.n).all()), f"{name} names a variable beyond n = {self.n}")
            set_field(self, name, found)
        set_field(self, "loadings", checked_array("loadings", self.loadings, (self.n,)))
        require(not np.delete(self.loadings, self.indices).any(), "loadings are not 0 outside the support")
        require(bool(self.loadings.any()), "loadings are all 0")
        used = counted(len(self.indices), "variable")
        require(len(self.indices) <= self.k, f"support has {used}, more than {self.k}")
        check_used(self)

    def _check_budgets(self) -> None:
        if not self.budgets:
            return
        require(all(isinstance(b, Budget) for b in self.budgets), "a budget is not of class Budget")
        every = np.concatenate([b.variables for b in self.budgets])
        require(sorted(every.tolist()) == list(range(self.n)), "the budgets are not of each variable once")
        require(sum(b.k for b in self.budgets) == self.k, "the budgets do not add up to k")
        used = np.union1d(self.indices, self.include)
        for b in self.budgets:
            left = len(np.setdiff1d(b.variables, self.exclude))
            require(b.k <= left, f"a budget of {b.k} is more than the {left} variables it is for")
            require(int(np.isin(b.variables, used).sum()) <= b.k, "the support has more than a budget allows")

    def _check_evidence(self) -> None:
        exponents = tuple(self.exponents)
        require(len(exponents) == self.n, f"there must be {self.n} exponents")
        for e in exponents:
            is_whole = isinstance(e, int | np.integer) and not isinstance(e, bool)
            require(is_whole and abs(int(e)) <= MOST_EXPONENT, f"an exponent must be a whole number, not {e!r}")
        set_field(self, "exponents", tuple(int(e) for e in exponents))
        if self.fit is not None:
            require(isinstance(self.pencil, LeastSquaresData), "a fit is evidence about least squares only")
            set_field(self, "fit", checked_array("fit", self.fit, (self.n,)))
        for at, point in enumerate(self.points):
            require(isinstance(point, WeightsPoint | PerronPoint), f"point {at} is of a kind not used here")
            require(bool((point.variables < self.n).all()), f"point {at} names a variable beyond n = {self.n}")
        require(len(self.tree) > 0, "the tree has no nodes")
        for at, node in enumerate(self.tree):
            if isinstance(node, Split):
                inside = node.variable < self.n and max(node.inside, node.outside) < len(self.tree)
                require(inside, f"node {at} names a variable or a node that is not there")
                continue
            require(isinstance(node, Leaf) and node.kind in LEAVES, f"node {at} is of a kind not used here")
            if node.point is not None:
                found = node.point < len(self.points) and isinstance(
                    self.points[node.point], POINT_OF_LEAF[node.kind]
                )
                require(found, f"leaf {at} is {node.kind} and has no such point")

    @property
    def n(self) -> int:
        """Number of variables."""
        return self.pencil.n

    @property
    def units(self) -> Floats:
        """What the variables are multiplied by in the evidence."""
        return np.asarray(np.ldexp(1.0, np.array(self.exponents)))

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables of the vector, in the order of `indices`."""
        return tuple(self.names[i] for i in self.indices)

    @property
    def digest(self) -> str:
        """Canonical digest of the pencil with the names of its variables."""
        return digest_of_pencil(self.pencil, self.names)
