"""Hold a claim about a sparse component together with its evidence, as plain data.

A certificate says, for one covariance matrix Sigma and one cardinality k,

    lower <= v_k <= upper,      v_k = max { x' Sigma x : |x|_2 = 1, Card(x) <= k },

or, for one penalty rho, the same of phi(rho) = max { x' Sigma x - rho Card(x) : |x|_2 <= 1 }, or of
max { lambda_max(Sigma_TT) - rho |T| } over the supports T that have some variables and lack others.
The lower bound carries a vector that attains it, the upper bound a tree whose leaves are
dual points. Nothing in this file proves anything: `relaxspca.verify` does, from this data alone.
The format on disk is specified in ``certificates/SPEC.md``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from types import ModuleType
from typing import ClassVar

import numpy as np

from relaxspca.certificate import statement
from relaxspca.certificate.description import Description
from relaxspca.certificate.digest import VERSION, digest_of
from relaxspca.certificate.eliminated import Eliminated
from relaxspca.certificate.evidence import POINT_OF_LEAF, Leaf, Point, PsiPoint, Split
from relaxspca.certificate.gap import largest_entry_of
from relaxspca.certificate.others import Others
from relaxspca.certificate.reading import certificate_in
from relaxspca.certificate.restriction import LEAVES, Restriction
from relaxspca.certificate.stated import Stated, check_matrix, check_used
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
from relaxspca.certificate.writing import write
from relaxspca.errors import CertificateError, counted

__all__ = ["Certificate"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Certificate(Stated):
    """Hold a claim `lower <= v_k <= upper` (or of phi(rho)) and its evidence.

    Parameters
    ----------
    n : int
        Number of variables.
    names : sequence of n str
        Their names, distinct.
    matrix : (n, n) or None
        The covariance, exactly symmetric (variance); or
    factor : (r, n) or None
        a matrix A that defines it as Sigma = A'A exactly.
    description : Description
        What the matrix is: covariance or correlation, of how many observations, deflated or not.
    k : int or None
        Cardinality, of a claim about v_k; or
    rho : float or None
        Penalty, of a claim about phi(rho) (variance).
    lower, upper : float
        The claimed bounds (variance).
    indices, loadings : (s,) ints and (n,)
        The component that attains `lower`: positions of its variables (`support` has their names), and
        loadings of any length, 0 outside them. An empty support is allowed in a penalised claim, and
        stands for the value 0.
    points : sequence of PsiPoint, WeightsPoint and PerronPoint
        Dual points, which leaves refer to.
    tree : sequence of Split and Leaf
        Nodes; node 0 is the root.
    include, exclude : ints
        Variables that every support has that the claim speaks of, and variables that none has. At a penalty
        every variable of a support is paid for, one to include also where its loading is 0.
    others : Others or None
        What is claimed besides: a list of supports of k variables, and a bound on every support of k
        variables that is not in it.
    restriction : Restriction or None
        What vectors besides have to meet: at most one variable of each group, whole groups (which k then
        counts), or no negative loading.
    eliminated : Eliminated or None
        Further variables that supports may use, of which only the variances are known. The claim
        then is about every matrix that agrees with `matrix` and has at most these variances.
    elimination : Leaf or None
        The rule that bounds supports with eliminated variables, in a claim about v_k that has any.
    made_by : str
        What made it, for the reader; it is not part of the claim.
    version : int
        Format that it was read from: 2, or 1, in which the digest binds no names. Writing is always in 2.

    Raises
    ------
    CertificateError
        When sizes, types or indices are wrong. That the bounds hold is for `relaxspca.verify` to say.

    Examples
    --------
    >>> cert = Certificate(n=2, names=("a", "b"), matrix=[[2, 1], [1, 2]], k=2, lower=3.0,
    ...                    upper=3.0001, indices=[0, 1], loadings=[1.0, 1.0], tree=[Leaf("spectral")])
    >>> cert.digest[:15]
    'sha256:...'
    """

    n: int
    names: tuple[str, ...]
    matrix: Floats | None = None
    factor: Floats | None = None
    description: Description = field(default_factory=Description)
    k: int | None = None
    rho: float | None = None
    lower: float
    upper: float
    indices: Ints
    loadings: Floats
    points: tuple[Point, ...] = ()
    tree: tuple[Split | Leaf, ...]
    include: Ints = ()  # type: ignore[assignment]
    exclude: Ints = ()  # type: ignore[assignment]
    others: Others | None = None
    restriction: Restriction | None = None
    eliminated: Eliminated | None = None
    elimination: Leaf | None = None
    made_by: str = ""
    version: int = VERSION

    wording: ClassVar[ModuleType] = statement
    reader = staticmethod(certificate_in)
    writer = staticmethod(write)

    def __post_init__(self) -> None:
        require(type(self.version) is int and 1 <= self.version <= VERSION, f"no version {self.version!r}")
        set_field(self, "n", checked_index("n", self.n))
        require(self.n >= 1, "n must be at least 1")
        set_field(self, "points", tuple(self.points))
        set_field(self, "tree", tuple(self.tree))
        require(isinstance(self.made_by, str), "made_by is not a string")
        self._check_matrix()
        is_known = self.restriction is None or isinstance(self.restriction, Restriction)
        require(is_known, "restriction is not of class Restriction")
        self._check_claim()
        self._check_conditions()
        self._check_restriction()
        self._check_nodes()
        self._check_elimination()

    def _check_matrix(self) -> None:
        set_field(self, "names", checked_names("names", self.names, self.n))
        check_matrix(self)
        if self.eliminated is not None:
            require(isinstance(self.eliminated, Eliminated), "eliminated is not of class Eliminated")
        if self.version > 1:
            self._check_names()

    def _check_names(self) -> None:
        """Names that are bound must tell the variables apart; in version 1 they were for the reader alone."""
        names = self.names if self.eliminated is None else (*self.names, *self.eliminated.names)
        twice = sorted({name for name, count in Counter(names).items() if count > 1})
        require(not twice, f"two variables have the name {', '.join(map(repr, twice[:3]))}")
        deflation = self.description.deflation
        if deflation is not None:
            unknown = sorted(set(names) - set(deflation.names))
            require(not unknown, f"the matrix that was deflated has no variable {', '.join(unknown[:3])}")

    def _check_claim(self) -> None:
        require((self.k is None) != (self.rho is None), "give either k or rho")
        if self.k is not None:
            set_field(self, "k", checked_index("k", self.k))
            require(1 <= self.k <= self.n, f"k = {self.k} is not between 1 and n = {self.n}")
        else:
            set_field(self, "rho", checked_number("rho", self.rho, least=0.0))
        set_field(self, "lower", checked_number("lower", self.lower))
        set_field(self, "upper", checked_number("upper", self.upper))
        require(self.lower <= self.upper, "the claimed lower bound is above the upper bound")
        indices = checked_indices("indices", self.indices)
        loadings = checked_array("loadings", self.loadings, (self.n,))
        require(bool((indices < self.n).all()), f"support names a variable beyond n = {self.n}")
        most = self.n if self.k is None or self._counts_groups else self.k
        require(len(indices) <= most, f"support has {counted(len(indices), 'variable')}, more than {most}")
        outside = np.delete(loadings, indices)
        require(not outside.any(), "loadings are not 0 outside the support")
        is_none = self.allows_none and not len(indices)
        require(bool(loadings.any()) or is_none, "loadings are all 0")
        set_field(self, "indices", indices)
        set_field(self, "loadings", loadings)

    def _check_conditions(self) -> None:
        for name in ("include", "exclude"):
            indices = checked_indices(name, getattr(self, name))
            require(bool((indices < self.n).all()), f"{name} names a variable beyond n = {self.n}")
            set_field(self, name, indices)
        check_used(self)
        if self.others is not None:
            require(isinstance(self.others, Others), "others is not of class Others")
            if self.k is None:
                raise CertificateError("a list of supports needs k, not rho")
            require(self.others.most <= self.upper, "more is claimed of other supports than of all")
            self.others.check(self.n, self.k, self.include, self.exclude)

    def _check_restriction(self) -> None:
        found = self.restriction
        if found is None:
            return
        require(self.eliminated is None and self.others is None, f"{found.kind} goes with nothing else")
        if self.k is None:
            raise CertificateError(f"{found.kind} needs k, not rho")
        found.check(self.n, self.k, self.include, self.exclude, self.indices, self.loadings)

    def _check_nodes(self) -> None:
        n = self.n
        if self.restriction is not None and self.restriction.is_whole:
            n = len(self.restriction.groups)  # the tree and the points speak of groups
        for at, point in enumerate(self.points):
            require(isinstance(point, Point), f"point {at} is not a dual point")
            require(bool((point.variables < n).all()), f"point {at} names a variable beyond n = {n}")
            if isinstance(point, PsiPoint) and point.factor is None:
                own = self.factor
                fits = own is not None and len(own) == len(point.vectors) and point.shift == 0
                require(fits, f"point {at} has no factor of its own, and the claim's factor does not fit it")
        require(len(self.tree) > 0, "the tree has no nodes")
        for at, node in enumerate(self.tree):
            if isinstance(node, Split):
                require(node.variable < n, f"node {at} splits a variable beyond n = {n}")
                require(
                    max(node.inside, node.outside) < len(self.tree),
                    f"node {at} has a child beyond the last node",
                )
                continue
            require(isinstance(node, Leaf), f"node {at} is neither Split nor Leaf")
            self._check_leaf(f"leaf {at}", node)

    def _check_elimination(self) -> None:
        needed = self.eliminated is not None and self.k is not None
        require(
            (self.elimination is not None) == needed,
            "an elimination rule is for claims about v_k with eliminated variables, and only those",
        )
        if self.elimination is not None:
            require(isinstance(self.elimination, Leaf), "the elimination rule is not a Leaf")
            require(self.elimination.kind not in ("listed", "void"), "the elimination rule bounds nothing")
            self._check_leaf("the elimination rule", self.elimination)

    def _check_leaf(self, what: str, leaf: Leaf) -> None:
        if self.restriction is None:
            require(leaf.kind != "collatz", f"{what} is collatz, but loadings may be negative")
        else:
            kind = self.restriction.kind
            require(leaf.kind in LEAVES[kind], f"{what} is {leaf.kind}, which proves nothing for {kind}")
        if leaf.point is not None:
            require(leaf.point < len(self.points), f"{what} uses a point that is not there")
            require(
                isinstance(self.points[leaf.point], POINT_OF_LEAF[leaf.kind]),
                f"{what} is {leaf.kind} but its point is not",
            )

    @property
    def scale(self) -> float:
        """Largest modulus of the entries that a support may hold; beside it a bound may be 0."""
        k = None if self._counts_groups else self.k
        return largest_entry_of(self.matrix, self.factor, k=k, include=self.include, exclude=self.exclude)

    @property
    def allows_none(self) -> bool:
        """Whether no variables at all, of value 0, are a support: at a penalty with none to include."""
        return self.rho is not None and not len(self.include)

    @property
    def _counts_groups(self) -> bool:
        return self.restriction is not None and self.restriction.is_whole

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables of the component, in the order of `indices`."""
        return tuple(self.names[i] for i in self.indices)

    @property
    def digest(self) -> str:
        """Canonical digest of the matrix that the claim speaks of, by the rule of the certificate's version."""
        return digest_of(
            matrix=self.matrix,
            factor=self.factor,
            names=self.names,
            description=self.description,
            eliminated=self.eliminated,
            version=self.version,
        )
