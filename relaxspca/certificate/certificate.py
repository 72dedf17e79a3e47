"""Hold a claim together with its evidence, as plain data.

Nothing here proves anything: `relaxspca.verify` does, from this data alone. The format on disk is specified in
``certificates/SPEC.md``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.certificate.claim import Claim
from relaxspca.certificate.evidence import (
    LEAVES_OF_CLAIM,
    POINTS_OF_LEAF,
    SINGLE,
    Evidence,
    FactorPoint,
    Fewer,
    Leaf,
    MultiplierPoint,
    Point,
    Restrict,
    RowsPoint,
    Split,
    TreeNode,
    WeightsPoint,
)
from relaxspca.certificate.subject import LeastSquares, Matrix, Pencil, Subject
from relaxspca.certificate.values import Floats, Ints, require
from relaxspca.certificate.witness import Vector, Witness
from relaxspca.errors import Paragraph, counted

__all__ = ["Certificate"]

SUBJECTS = {"component": Matrix, "components": Matrix, "ratio": (Pencil, LeastSquares)}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Certificate(Paragraph):
    """Hold a claim `lower <= v <= upper` about a matrix or a pencil, and its evidence.

    Parameters
    ----------
    subject : Matrix, Pencil or LeastSquares
        What the claim speaks of.
    claim : Claim
    witness : Witness
        The vectors that attain the lower bound.
    evidence : Evidence
        The tree, and the dual points of its leaves, that prove the upper bound.
    made_by : str
        What made it, for the reader; it is not part of the claim.

    Raises
    ------
    CertificateError
        When the parts do not fit together. That the bounds hold is for `relaxspca.verify` to say.

    Examples
    --------
    >>> from relaxspca.certificate import Claim, Evidence, Leaf, Matrix, Vector, Witness
    >>> cert = Certificate(
    ...     subject=Matrix.of("ab", matrix=[[2, 1], [1, 2]]),
    ...     claim=Claim(kind="component", k=2, lower=3.0, upper=3.0001),
    ...     witness=Witness([Vector([0, 1], [1.0, 1.0])]),
    ...     evidence=Evidence(tree=[Leaf("rows")]),
    ... )
    >>> cert.digest[:15]
    'sha256:...'
    """

    subject: Subject
    claim: Claim
    witness: Witness
    evidence: Evidence
    made_by: str = ""

    def __post_init__(self) -> None:
        parts = (("subject", Subject), ("claim", Claim), ("witness", Witness), ("evidence", Evidence))
        for name, cls in parts:
            require(isinstance(getattr(self, name), cls), f"the {name} is of no known class")
        require(isinstance(self.made_by, str), "made_by is not a string")
        kind: Any = SUBJECTS[self.claim.kind]
        is_fit = isinstance(self.subject, kind)
        require(is_fit, f"a claim of the kind {self.claim.kind!r} is not about a {type(self.subject).__name__}")
        self._check_supports()
        self._check_witness()
        self._check_eliminated()
        self._check_ratio()
        for at, point in enumerate(self.points):
            self._check_point(f"point {at}", point)
        for at, node in enumerate(self.tree):
            self._check_node(f"node {at}", node, self.claim.n_parts, LEAVES_OF_CLAIM[self.claim.kind])
        is_fit = self.claim.kind == "components" or not (self.evidence.singles or self.evidence.fewer)
        require(is_fit, "singles and fewer are evidence about several components")
        for one in self.evidence.singles:
            for at, node in enumerate(one.tree):
                self._check_node(f"node {at} of the single k = {one.k}", node, 1, SINGLE)
        for own in self.evidence.fewer:
            self.about(own)  # its parts have to fit together likewise

    def about(self, fewer: Fewer) -> Certificate:
        """Return a claim about some of the components, with the evidence for its upper bound."""
        rest, used = [*fewer.sizes], list[Vector]()
        for size, component in zip(self.claim.sizes, self.witness.components, strict=True):
            if size in rest:
                rest.remove(size)
                used.append(component)
        is_fewer = not rest and 1 < len(used) < len(self.claim.sizes) and self.claim.supports != "common"
        require(is_fewer, f"{fewer.sizes} are not the sizes of some components of the claim, two or more")
        claim = replace(
            self.claim,
            sizes=fewer.sizes,
            include=np.zeros(0, dtype=np.int64),
            lower=fewer.upper,
            upper=fewer.upper,
        )
        return replace(self, claim=claim, witness=Witness(tuple(used)), evidence=fewer.evidence)

    def _check_supports(self) -> None:
        """See that indices are below n, and that every smaller set can be padded to a support."""
        claim, n = self.claim, self.n
        listed = () if claim.listed is None else claim.listed.supports
        budgets = tuple(budget.variables for budget in claim.budgets)
        groups = (*claim.one_of_each, *claim.whole_groups)
        for indices in (*claim.forced, claim.exclude, *groups, *budgets, *listed):
            require(bool((indices < n).all()), f"the claim names a variable beyond n = {n}")
        left = np.setdiff1d(np.arange(n), claim.exclude)
        if claim.kind == "components":
            r, most = len(claim.sizes), max([*claim.sizes, *(one.k for one in self.evidence.singles)])
            require(r <= len(left), f"{r} components: there are 1 to {len(left)}")
            require(most <= len(left), f"a cardinality is not between 1 and {len(left)}")
            for part, size in zip(claim.forced, claim.sizes, strict=False):
                require(len(part) <= size, f"{counted(len(part), 'variable')} to include, more than {size}")
            every = [int(i) for part in claim.forced for i in part]
            is_apart = claim.supports != "disjoint" or len({*every}) == len(every)
            require(is_apart, "a variable is to be included in two disjoint supports")
            return
        require(claim.k is None or claim.k <= n, f"k = {claim.k} is not between 1 and n = {n}")
        if claim.budgets:
            every = np.concatenate(budgets).tolist()
            require(sorted(every) == list(range(n)), "the budgets do not hold each variable once")
            require(sum(b.k for b in claim.budgets) == claim.k, "the budgets do not add up to k")
        if claim.whole_groups:
            count = len(claim.whole_groups)
            require((claim.k or 0) <= count, f"{claim.k} of {count} groups cannot be chosen")
            return
        for variables, k in self.parts:
            usable = len({*self.labels[np.intersect1d(variables, left)].tolist()})
            is_enough = claim.k is None or k <= usable
            require(is_enough, f"only {counted(usable, 'variable')} may be used, not {k}")
        self._check_support("include", claim.include)
        for support in listed:
            require(len(support) == claim.k, f"a support listed has {len(support)} variables, not {claim.k}")
            require(
                bool(np.isin(claim.include, support).all()), "a support listed misses a variable to include"
            )
            self._check_support("a support listed", support)

    def _check_support(self, what: str, support: Ints) -> None:
        """See that a set meets the conditions of a claim about one component, but for `include`."""
        claim = self.claim
        require(not np.isin(support, claim.exclude).any(), f"{what} has an excluded variable")
        if claim.whole_groups:
            is_within = np.isin(support, np.concatenate(claim.whole_groups)).all()
            require(bool(is_within), f"{what} has a variable that is in no group")
            used = sum(bool(np.isin(support, group).any()) for group in claim.whole_groups)
            require(used <= (claim.k or 0), f"{what} has variables of {used} groups, more than {claim.k}")
            return
        require(len({*self.labels[support]}) == len(support), f"{what} has two variables of one group")
        for variables, k in self.parts:
            used = int(np.isin(support, variables).sum())
            require(used <= k, f"{what} has {counted(used, 'variable')}, more than {k}")

    def _check_witness(self) -> None:
        claim, components = self.claim, self.witness.components
        count = len(claim.sizes) if claim.kind == "components" else 1
        require(len(components) == count, f"{counted(len(components), 'vector')} for {count}")
        for x in components:
            require(bool((x.support < self.n).all()), f"the support names a variable beyond n = {self.n}")
            require(len(x.support) > 0 or claim.allows_none, "the support is empty")
        if claim.kind == "components":
            self._check_together([x.support for x in components])
        else:
            every = np.union1d(components[0].support, claim.include)
            with_more = "with what is to be included the support"
            self._check_support(with_more if len(claim.include) else "the support", every)
            is_fit = not claim.nonnegative or bool((components[0].loadings >= 0).all())
            require(is_fit, "a loading is negative")
        rows = None if claim.listed is None else (len(claim.listed.supports), claim.k)
        found = None if self.witness.listed is None else self.witness.listed.shape
        require(found == rows, f"the loadings listed have shape {found}, not {rows}")

    def _check_together(self, supports: Sequence[Ints]) -> None:
        claim = self.claim
        forced = claim.forced * (len(supports) // claim.n_parts)
        for t, (support, size, J) in enumerate(zip(supports, claim.sizes, forced, strict=True)):
            used = len(np.union1d(support, J))
            require(used <= size, f"support {t} has {counted(used, 'variable')}, more than {size}")
            require(not np.isin(support, claim.exclude).any(), f"support {t} has an excluded variable")
            others = [J for s, J in enumerate(forced) if s != t and claim.supports == "disjoint"]
            is_apart = not any(np.isin(support, J).any() for J in others)
            require(is_apart, f"support {t} has a variable to include in another")
        every = np.concatenate(supports)
        if claim.supports == "disjoint":
            require(len(np.unique(every)) == len(every), "two supports have a variable in common")
        if claim.supports == "common":
            is_one = all(np.array_equal(support, supports[0]) for support in supports)
            require(is_one, "the components are not all on one support")

    def _check_eliminated(self) -> None:
        claim, rule = self.claim, self.evidence.elimination
        if self.eliminated is not None:
            is_plain = claim.kind == "component" and not (
                claim.one_of_each or claim.whole_groups or claim.nonnegative
            )
            require(is_plain, "such a claim has no eliminated variables")
        needed = self.eliminated is not None and claim.k is not None
        require(
            (rule is not None) == needed,
            "an elimination rule is for claims about v_k with eliminated variables, and only those",
        )
        if rule is not None:
            self._check_leaf("the elimination rule", rule, SINGLE)

    def _check_ratio(self) -> None:
        evidence, is_ratio = self.evidence, self.claim.kind == "ratio"
        require((evidence.mu is not None) == is_ratio, "mu is evidence about ratios, and needed there")
        count = self.n if is_ratio else 0
        require(len(evidence.exponents) == count, f"there must be {count} exponents")
        if evidence.fit is not None:
            is_fit = isinstance(self.subject, LeastSquares) and len(evidence.fit) == self.n
            require(is_fit, "a fit is evidence about least squares only, with a coefficient for each variable")

    def _check_point(self, what: str, point: Point) -> None:
        m = len(self.claim.whole_groups) or self.n  # the tree and the points speak of groups
        require(bool((point.variables < m).all()), f"{what} names a variable beyond n = {m}")
        is_several = self.claim.kind == "components"
        is_used = is_several or not isinstance(point, MultiplierPoint)
        require(is_used, f"{what} is of a kind not used here")
        if isinstance(point, FactorPoint) and point.factor is None:
            own, claim = self.factor, self.claim
            is_sigma = claim.kind != "ratio" and not (claim.one_of_each or claim.whole_groups)
            fits = is_sigma and own is not None and len(own) == len(point.vectors) and point.shift == 0
            require(fits, f"{what} has no factor of its own, and the claim's factor does not fit it")
        if isinstance(point, MultiplierPoint):
            count = self.claim.n_parts
            require(len(point.rows) == count, f"{what} has {len(point.rows)} entries in rows, not {count}")
            for row in point.rows:
                is_there = row is None or (row < len(self.points) and isinstance(self.points[row], RowsPoint))
                require(is_there, f"rows of {what} name no rows point")

    def _check_node(self, what: str, node: TreeNode, parts: int, leaves: tuple[str, ...]) -> None:
        m = len(self.claim.whole_groups) or self.n
        if isinstance(node, Leaf):
            self._check_leaf(what, node, leaves)
            return
        require(node.part < parts, f"{what} is about part {node.part} of {parts}")
        used = (node.variable,) if isinstance(node, Split) else node.kept
        require(max(used, default=0) < m, f"{what} names a variable beyond n = {m}")
        if isinstance(node, Restrict):
            self._check_uses(what, node.point, WeightsPoint)
            require(node.multipliers is None or "multipliers" in leaves, f"{what} takes no multipliers")
            self._check_uses(what, node.multipliers, MultiplierPoint)

    def _check_leaf(self, what: str, leaf: Leaf, leaves: tuple[str, ...]) -> None:
        claim = self.claim
        is_used = leaf.kind in leaves
        is_used = is_used and (leaf.kind != "listed" or claim.listed is not None)
        is_used = is_used and (leaf.kind != "collatz" or claim.nonnegative)
        is_used = is_used and (leaf.kind != "choices" or claim.supports != "common")
        require(is_used, f"{what} is {leaf.kind}, which proves nothing for such a claim")
        for at in leaf.points:
            self._check_uses(f"{what}, {leaf.kind},", at, POINTS_OF_LEAF[leaf.kind])

    def _check_uses(self, what: str, at: int | None, kinds: Any) -> None:
        if at is not None:
            require(at < len(self.points), f"{what} uses a point that is not there")
            require(isinstance(self.points[at], kinds), f"{what} uses a point of another kind")

    @property
    def parts(self) -> tuple[tuple[Sequence[int], int], ...]:
        """Of a claim about one component: parts of the variables, and the number of each in a support."""
        if self.claim.budgets:
            return tuple((b.variables.tolist(), b.k) for b in self.claim.budgets)
        return ((range(self.n), self.n if self.claim.k is None else self.claim.k),)

    @property
    def labels(self) -> Ints:
        """The same number for variables of one group of `one_of_each`, and one of its own for every other."""
        labels = np.arange(self.n)
        for group in self.claim.one_of_each:
            labels[group] = group[0]
        return labels

    # What is asked of often.
    n = property(lambda self: self.subject.n, doc="Number of variables.")
    names = property(lambda self: self.subject.names, doc="Names of the variables.")
    digest = property(lambda self: self.subject.digest, doc="Canonical digest of what the claim is about.")
    matrix = property(lambda self: getattr(self.subject, "matrix", None), doc="Entries of the matrix, or None.")
    factor = property(lambda self: getattr(self.subject, "factor", None), doc="Factor of the matrix, or None.")
    lower = property(lambda self: self.claim.lower, doc="The claimed lower bound.")
    upper = property(lambda self: self.claim.upper, doc="The claimed upper bound.")
    k = property(lambda self: self.claim.k, doc="Cardinality, or None at a penalty.")
    rho = property(lambda self: self.claim.rho, doc="Penalty (variance), or None.")
    sizes = property(lambda self: self.claim.sizes, doc="Cardinalities of several components.")
    include = property(lambda self: self.claim.include, doc="Variables that every support has.")
    exclude = property(lambda self: self.claim.exclude, doc="Variables that no support has.")
    points = property(lambda self: self.evidence.points, doc="Dual points.")
    tree = property(lambda self: self.evidence.tree, doc="Nodes of the proof tree.")
    description = property(lambda self: getattr(self.subject, "description", None), doc="Kind of the matrix.")
    eliminated = property(lambda self: getattr(self.subject, "eliminated", None), doc="Further variables.")
    supports = property(lambda self: self.claim.supports, doc="Kind of supports of several components.")
    allows_none = property(
        lambda self: self.claim.allows_none, doc="Whether no variables at all are a support."
    )

    @property
    def indices(self) -> Any:
        """Positions of the variables of the component; of several a tuple of these."""
        found = tuple(x.support for x in self.witness.components)
        return found if self.claim.kind == "components" else found[0]

    @property
    def loadings(self) -> Floats:
        """The (n,) loadings of the component, 0 outside its support; (n, r) of r components."""
        found = np.zeros((self.n, len(self.witness.components)))
        for t, x in enumerate(self.witness.components):
            found[x.support, t] = x.loadings
        return found if self.claim.kind == "components" else found[:, 0]

    @property
    def support(self) -> tuple[Any, ...]:
        """Names of the variables of the component, in the order of `indices`; of several a tuple of these."""
        found = tuple(tuple(self.names[i] for i in x.support) for x in self.witness.components)
        return found if self.claim.kind == "components" else found[0]

    # Words are made when they are asked for: what is proved does not depend on them.
    statement = property(lambda self: _said("line", self), doc="The claim in one line, rounded outwards.")
    symbol = property(lambda self: _said("symbol", self), doc="The symbol of what is bounded.")
    words = property(lambda self: _said("words", self), doc="The claim in sentences.")
    conditions = property(lambda self: _said("conditions", self), doc="What the claim presupposes.")

    def __repr__(self) -> str:
        nodes, points = counted(len(self.tree), "node"), counted(len(self.points), "dual point")
        return f"Certificate: {self.statement}, {nodes}, {points}"

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Certificate:
        """Read a certificate; raise CertificateError when it is none, whatever the bytes are."""
        found: Certificate = import_module("relaxspca.certificate.reading").load_certificate(path)
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate as JSON, with big arrays in an .npz beside it."""
        import_module("relaxspca.certificate.writing").write(self, Path(path))

    def to_markdown(self) -> str:
        """Return the claim as a short Markdown statement with the digest."""
        return str(import_module("relaxspca.certificate.paragraphs").markdown(self))

    def to_latex(self) -> str:
        """Return the claim as a paragraph of LaTeX, with the digest, that needs no package."""
        return str(import_module("relaxspca.certificate.paragraphs").latex(self))


def _said(form: str, certificate: Certificate) -> Any:
    """Return a certificate in words."""
    return getattr(import_module("relaxspca.certificate.wording"), form)(certificate)
