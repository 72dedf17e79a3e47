"""Hold a claim together with its evidence, as plain data.

Nothing here proves anything: `relaxspca.verify` does, from this data alone. The format on disk is specified in
``certificates/SPEC.md``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from relaxspca.certificate.claim import Claim
from relaxspca.certificate.evidence import (
    LEAVES_OF_CLAIM,
    POINTS_OF_LEAF,
    SINGLE,
    Evidence,
    Leaf,
    Restrict,
    Split,
    TreeNode,
    Witness,
)
from relaxspca.certificate.fields import TEXT, Declared, Scope, either, one, says
from relaxspca.certificate.subject import Matrix
from relaxspca.certificate.values import Floats, Ints, require
from relaxspca.errors import Paragraph, counted

Parts = tuple[tuple[Sequence[int], int], ...]


def _subjects(kind: object) -> tuple[type, ...]:
    """Return the classes of subjects of a kind, all where it is no matrix."""
    if kind == Matrix.kind:
        return (Matrix,)
    from relaxspca.certificate.pencil import LeastSquares, Pencil

    return Matrix, Pencil, LeastSquares


def _read(document: Any, what: str, scope: Scope) -> Any:
    """Return the subject that a document holds, which has to have the digest that it states."""
    require(isinstance(document, dict) and "digest" in document, f"{what} lacks 'digest'")
    fields = {name: own for name, own in document.items() if name != "digest"}
    made = either(_subjects).read(fields, what, scope)
    _check_digest(made, document["digest"])
    return made


def _check_digest(made: Any, digest: object) -> None:
    said = f"the digest {digest!r} is not that of the {made.kind}: one of them was changed"
    require(digest == made.digest, said[:300])


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Certificate(Paragraph, Declared):
    """Hold a claim `lower <= v <= upper` about a matrix or a pencil, and its evidence.

    Parameters
    ----------
    claim : Claim
    subject : Matrix, Pencil or LeastSquares
        What the claim speaks of.
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
    ...     subject=Matrix(names="ab", storage="dense", entries=[[2, 1], [1, 2]]),
    ...     claim=Claim(kind="component", k=2, lower=3.0, upper=3.0001),
    ...     witness=Witness([Vector([0, 1], [1.0, 1.0])]),
    ...     evidence=Evidence(tree=[Leaf("rows")]),
    ... )
    >>> cert.digest[:15]
    'sha256:...'
    """

    # The claim is read first: one of a kind that this reader does not know may need other fields.
    claim: Annotated[Claim, one(Claim)]
    subject: Annotated[Any, either(_subjects)._replace(read=_read)]
    witness: Annotated[Witness, one(Witness)]
    evidence: Annotated[Evidence, one(Evidence)]
    made_by: Annotated[str, TEXT] = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        is_fit = (self.subject.kind == "matrix") == (self.claim.kind != "ratio")
        require(is_fit, f"a claim of the kind {self.claim.kind!r} is not about a {type(self.subject).__name__}")
        self._check_supports()
        self._check_witness()
        if self.claim.kind == "components":
            from relaxspca.certificate.several import check_components

            check_components(self)
        self._check_evidence()
        for at in range(len(self.points)):
            self._check_point(at)
        for at, node in enumerate(self.tree):
            self._check_node(f"node {at}", node, self.claim.n_parts, LEAVES_OF_CLAIM[self.claim.kind])

    def _check_supports(self) -> None:
        """See that indices are below n, and that every smaller set can be padded to a support."""
        claim, n, parts = self.claim, self.n, self.parts
        require(n >= 1, "n must be at least 1")
        listed = () if claim.listed is None else claim.listed.supports
        budgets = [budget.variables for budget in claim.budgets]
        groups = (*claim.one_of_each, *claim.whole_groups)
        for indices in (*claim.forced, claim.exclude, *groups, *budgets, *listed):
            require(bool((indices < n).all()), f"the claim names a variable beyond n = {n}")
        if budgets:
            is_each = sorted(np.concatenate(budgets).tolist()) == list(range(n))
            require(is_each, "the budgets do not hold each variable once")
            require(sum(budget.k for budget in claim.budgets) == claim.k, "the budgets do not add up to k")
        for variables, k in parts:
            self._check_enough(variables, k)
        most = n - len(claim.exclude)
        require(len(claim.sizes) <= most, f"a claim has 1 to {most} components, not {len(claim.sizes)}")
        for support in listed:
            require(len(support) == claim.k, f"a support listed has {len(support)} variables, not {claim.k}")
            has_all = bool(np.isin(claim.include, support).all())
            require(has_all, "a support listed misses a variable to include")
            self._check_support("a support listed", support, parts)

    def _check_enough(self, variables: Sequence[int], k: int) -> None:
        """See that k of some variables, or groups, may be in a support."""
        usable = np.setdiff1d(np.array(variables, dtype=int), self.exclude)
        count = len({*self.labels[usable].tolist()})
        require(k <= count, f"only {self._counted(count)} may be used, not {k}")

    def _check_support(self, what: str, support: Ints, parts: Parts) -> None:
        """See that a set meets the conditions of the claim, but for `include`; then every part of it does."""
        groups = self.claim.whole_groups
        require(not np.isin(support, self.exclude).any(), f"{what} has an excluded variable")
        require(len({*self.labels[support]}) == len(support), f"{what} has two variables of one group")
        if groups:
            is_within = bool(np.isin(support, np.concatenate(groups)).all())
            require(is_within, f"{what} has a variable that is in no group")
            support = np.array([g for g, group in enumerate(groups) if np.isin(group, support).any()])
        for variables, k in parts:
            used = int(np.isin(support, variables).sum())
            require(used <= k, f"{what} has {self._counted(used)}, more than {k}")

    def _counted(self, count: int) -> str:
        return counted(count, "group" if self.claim.whole_groups else "variable")

    def _check_witness(self) -> None:
        """See that every vector meets the conditions of the claim, with what is to be included besides."""
        claim, parts, witness = self.claim, self.parts, self.witness
        count = len(claim.sizes) or 1
        require(len(witness.components) == count, f"{counted(len(witness.components), 'vector')} for {count}")
        with_more = "with what is to be included " if len(claim.include) else ""
        for t, x in enumerate(witness.components):
            what = f"support {t}" if claim.sizes else "the support"
            require(bool((x.support < self.n).all()), f"{what} names a variable beyond n = {self.n}")
            require(len(x.support) > 0 or claim.allows_none, f"{what} is empty")
            together, own = np.union1d(x.support, claim.forced[t % claim.n_parts]), parts[t : t + 1]
            self._check_support(f"{with_more}{what}", together, own if claim.sizes else parts)
            is_fit = not claim.nonnegative or bool((x.loadings >= 0).all())
            require(is_fit, "a loading is negative")
        rows = None if claim.listed is None else (len(claim.listed.supports), claim.k)
        found = None if witness.listed is None else witness.listed.shape
        require(found == rows, f"the loadings listed have shape {found}, not {rows}")

    def _check_evidence(self) -> None:
        """See that there is the evidence that such a claim needs, and no other; trees and points apart."""
        claim, evidence, rule = self.claim, self.evidence, self.evidence.elimination
        is_grouped = bool(claim.one_of_each or claim.whole_groups)
        is_plain = claim.kind == "component" and not (is_grouped or claim.nonnegative)
        require(self.eliminated is None or is_plain, "such a claim has no eliminated variables")
        is_needed = self.eliminated is not None and claim.k is not None
        said = "an elimination rule is for claims about v_k with eliminated variables, and only those"
        require((rule is not None) == is_needed, said)
        if rule is not None:
            self._check_leaf("the elimination rule", rule, SINGLE)
        is_ratio, fit = claim.kind == "ratio", evidence.fit
        require((evidence.mu is not None) == is_ratio, "mu is evidence about ratios, and needed there")
        count = self.n if is_ratio else 0
        require(len(evidence.exponents) == count, f"there must be {count} exponents")
        is_fit = fit is None or (self.subject.kind == "least_squares" and len(fit) == self.n)
        require(is_fit, "a fit is evidence about least squares only, with a coefficient for each variable")
        is_apart = claim.kind == "components" or not (evidence.singles or evidence.fewer)
        require(is_apart, "singles and fewer are evidence about several components")

    def _check_point(self, at: int) -> None:
        what, point, claim = f"point {at}", self.points[at], self.claim
        m = len(claim.whole_groups) or self.n  # the tree and the points speak of groups
        require(bool((point.variables < m).all()), f"{what} names a variable beyond n = {m}")
        is_used = claim.kind == "components" or point.kind != "multipliers"
        require(is_used, f"{what} is of a kind not used here")
        if point.kind == "factor" and point.factor is None:
            own = self.factor
            is_sigma = claim.kind != "ratio" and not (claim.one_of_each or claim.whole_groups)
            fits = is_sigma and own is not None and len(own) == len(point.vectors) and point.shift == 0
            require(fits, f"{what} has no factor of its own, and the claim's factor does not fit it")

    def _check_node(self, what: str, node: TreeNode, parts: int, leaves: tuple[str, ...]) -> None:
        """See that a node of a tree over so many parts, with such leaves, is one of the claim."""
        m = len(self.claim.whole_groups) or self.n
        if isinstance(node, Leaf):
            self._check_leaf(what, node, leaves)
            return
        require(node.part < parts, f"{what} is about part {node.part} of {parts}")
        used = (node.variable,) if isinstance(node, Split) else node.kept
        require(max(used, default=0) < m, f"{what} names a variable beyond n = {m}")
        if isinstance(node, Restrict):
            self._check_use(what, node.point, "rows", "" if node.multipliers is None else "P")
            require(node.multipliers is None or "multipliers" in leaves, f"{what} takes no multipliers")
            self._check_use(what, node.multipliers, "multipliers")

    def _check_leaf(self, what: str, leaf: Leaf, leaves: tuple[str, ...]) -> None:
        claim = self.claim
        asked = {"listed": claim.listed, "collatz": claim.nonnegative, "choices": claim.supports != "common"}
        is_used = leaf.kind in leaves and says(asked.get(leaf.kind, True))
        require(is_used, f"{what} is {leaf.kind}, which proves nothing for such a claim")
        lacks = "P" if leaf.kind == "collatz" else ""
        for at in leaf.points:
            self._check_use(f"{what}, {leaf.kind},", at, POINTS_OF_LEAF[leaf.kind], lacks)

    def _check_use(self, what: str, at: int | None, kind: str, lacks: str = "") -> None:
        """See that a point that is used is there, of a kind, and has not what it is to lack."""
        if at is not None:
            require(at < len(self.points), f"{what} uses a point that is not there")
            point = self.points[at]
            is_one = point.kind == kind and getattr(point, lacks, None) is None
            require(is_one, f"{what} uses a point of another kind")

    @property
    def parts(self) -> Parts:
        """Parts of the variables, or groups, and how many of each a support has; of components one for each."""
        claim = self.claim
        if claim.budgets:
            return tuple((b.variables.tolist(), b.k) for b in claim.budgets)
        sizes = claim.sizes or (self.n - len(claim.exclude) if claim.k is None else claim.k,)
        return tuple((range(len(claim.whole_groups) or self.n), k) for k in sizes)

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
    allows_none = property(lambda self: self.claim.allows_none, doc="Whether no variables are a support.")

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
