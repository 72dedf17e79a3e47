"""Hold a claim about a sparse component together with its evidence, as plain data.

A certificate says, for one covariance matrix Sigma and one cardinality k,

    lower <= v_k <= upper,      v_k = max { x' Sigma x : |x|_2 = 1, Card(x) <= k },

or, for one penalty rho, the same of phi(rho) = max { x' Sigma x - rho Card(x) : |x|_2 <= 1 }.
The lower bound carries a vector that attains it, the upper bound a tree whose leaves are
dual points. Nothing in this file proves anything: `relaxspca.verify` does, from this data alone.
The format on disk is specified in ``certificates/SPEC.md``.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from pathlib import Path

import numpy as np

from relaxspca.certificate.eliminated import Eliminated
from relaxspca.certificate.evidence import (
    POINT_OF_LEAF,
    Floats,
    Ints,
    Leaf,
    Point,
    Split,
    checked_array,
    checked_index,
    checked_indices,
    checked_number,
    require,
    set_field,
)
from relaxspca.certificate.reading import read
from relaxspca.certificate.writing import write
from relaxspca.errors import counted

__all__ = ["Certificate", "digest_of"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Certificate:
    """Hold a claim `lower <= v_k <= upper` (or of phi(rho)) and its evidence.

    Parameters
    ----------
    n : int
        Number of variables.
    names : sequence of n str
        Their names.
    matrix : (n, n) or None
        The covariance, exactly symmetric (variance); or
    factor : (r, n) or None
        a matrix A that defines it as Sigma = A'A exactly.
    cardinality : int or None
        k of a claim about v_k; or
    penalty : float or None
        rho of a claim about phi(rho) (variance).
    lower, upper : float
        The claimed bounds (variance).
    support, loadings : (s,) ints and (n,)
        The component that attains `lower`: loadings of any length, 0 outside the support. An empty
        support is allowed in a penalised claim, and stands for the value 0.
    points : sequence of PsiPoint, PairwisePoint, WeightsPoint and PerronPoint
        Dual points, which leaves refer to.
    tree : sequence of Split and Leaf
        Nodes; node 0 is the root.
    eliminated : Eliminated or None
        Further variables that supports may use, of which only the variances are known. The claim
        then is about every matrix that agrees with `matrix` and with them.
    elimination : Leaf or None
        The rule that bounds supports with eliminated variables, in a claim about v_k that has any.
    made_by : str
        What made it, for the reader; it is not part of the claim.

    Raises
    ------
    CertificateError
        When sizes, types or indices are wrong. That the bounds hold is for `relaxspca.verify` to say.

    Examples
    --------
    >>> cert = Certificate(n=2, names=("a", "b"), matrix=[[2, 1], [1, 2]], cardinality=2, lower=3.0,
    ...                    upper=3.0001, support=[0, 1], loadings=[1.0, 1.0], tree=[Leaf("spectral")])
    >>> cert.digest[:15]
    'sha256:d977ecc7'
    """

    n: int
    names: tuple[str, ...]
    matrix: Floats | None = None
    factor: Floats | None = None
    cardinality: int | None = None
    penalty: float | None = None
    lower: float
    upper: float
    support: Ints
    loadings: Floats
    points: tuple[Point, ...] = ()
    tree: tuple[Split | Leaf, ...]
    eliminated: Eliminated | None = None
    elimination: Leaf | None = None
    made_by: str = ""

    def __post_init__(self) -> None:
        require(checked_index("n", self.n) >= 1, "n must be at least 1")
        for name in ("names", "points", "tree"):
            set_field(self, name, tuple(getattr(self, name)))
        require(
            len(self.names) == self.n and all(isinstance(s, str) for s in self.names),
            f"names must be {self.n} strings",
        )
        require((self.matrix is None) != (self.factor is None), "give either matrix or factor")
        if self.matrix is not None:
            set_field(self, "matrix", checked_array("matrix", self.matrix, (self.n, self.n)))
            require(np.array_equal(self.matrix, self.matrix.T), "matrix is not symmetric")
        else:
            set_field(self, "factor", checked_array("factor", self.factor, (None, self.n)))
        self._check_claim()
        self._check_nodes()
        self._check_elimination()

    def _check_claim(self) -> None:
        require((self.cardinality is None) != (self.penalty is None), "give either cardinality or penalty")
        if self.cardinality is not None:
            set_field(self, "cardinality", checked_index("cardinality", self.cardinality))
            require(
                1 <= self.cardinality <= self.n,
                f"cardinality {self.cardinality} is not between 1 and n = {self.n}",
            )
        else:
            set_field(self, "penalty", checked_number("penalty", self.penalty, least=0.0))
        set_field(self, "lower", checked_number("lower", self.lower))
        set_field(self, "upper", checked_number("upper", self.upper))
        require(self.lower <= self.upper, "the claimed lower bound is above the upper bound")
        support = checked_indices("support", self.support)
        loadings = checked_array("loadings", self.loadings, (self.n,))
        require(bool((support < self.n).all()), f"support names a variable beyond n = {self.n}")
        most = self.n if self.cardinality is None else self.cardinality
        require(len(support) <= most, f"support has {counted(len(support), 'variable')}, more than {most}")
        outside = np.delete(loadings, support)
        require(not outside.any(), "loadings are not 0 outside the support")
        require(bool(loadings.any()) or (self.penalty is not None and not len(support)), "loadings are all 0")
        set_field(self, "support", support)
        set_field(self, "loadings", loadings)

    def _check_nodes(self) -> None:
        for at, point in enumerate(self.points):
            require(isinstance(point, Point), f"point {at} is not a dual point")
            require(bool((point.variables < self.n).all()), f"point {at} names a variable beyond n = {self.n}")
        for at, node in enumerate(self.tree):
            if isinstance(node, Split):
                require(node.variable < self.n, f"node {at} splits a variable beyond n = {self.n}")
                require(
                    max(node.inside, node.outside) < len(self.tree),
                    f"node {at} has a child beyond the last node",
                )
                continue
            require(isinstance(node, Leaf), f"node {at} is neither Split nor Leaf")
            self._check_leaf(f"leaf {at}", node)

    def _check_elimination(self) -> None:
        needed = self.eliminated is not None and self.cardinality is not None
        require(
            (self.elimination is not None) == needed,
            "an elimination rule is for claims about v_k with eliminated variables, and only those",
        )
        if self.eliminated is not None:
            require(isinstance(self.eliminated, Eliminated), "eliminated is not of class Eliminated")
        if self.elimination is not None:
            require(isinstance(self.elimination, Leaf), "the elimination rule is not a Leaf")
            self._check_leaf("the elimination rule", self.elimination)

    def _check_leaf(self, what: str, leaf: Leaf) -> None:
        if leaf.point is not None:
            require(leaf.point < len(self.points), f"{what} uses a point that is not there")
            require(
                isinstance(self.points[leaf.point], POINT_OF_LEAF[leaf.kind]),
                f"{what} is {leaf.kind} but its point is not",
            )

    @property
    def digest(self) -> str:
        """Canonical digest of the covariance that the claim speaks of."""
        return digest_of(matrix=self.matrix, factor=self.factor, eliminated=self.eliminated)

    @property
    def claim(self) -> str:
        """The claim in one line, with every digit."""
        quantity = f"v_{self.cardinality}" if self.cardinality is not None else f"phi({self.penalty!r})"
        beyond = "" if self.eliminated is None else f" and {self.eliminated.count} eliminated"
        return f"{self.lower!r} <= {quantity} <= {self.upper!r} (n = {self.n}{beyond})"

    def __repr__(self) -> str:
        nodes, points = counted(len(self.tree), "node"), counted(len(self.points), "dual point")
        return f"Certificate: {self.claim}, {nodes}, {points}"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate as JSON, with big arrays in an .npz beside it."""
        write(self, Path(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Certificate:
        """Read a certificate; raise CertificateError when it is not one, whatever the bytes are."""
        require(
            isinstance(path, str | os.PathLike),
            f"a certificate is read from a path, not from a {type(path).__name__}",
        )
        return read(Path(path), cls)

    def to_markdown(self) -> str:
        """Return the claim as a short Markdown statement with the digest."""
        names = ", ".join(f"`{self.names[i]}`" for i in self.support)
        return (
            f"**Certified bound.** For the {self.n} x {self.n} covariance matrix with digest "
            f"`{self.digest}`{self._beyond()},\n\n"
            f"{_decimal(self.lower, ROUND_FLOOR)} <= {self._symbol('v_{}', 'phi({})')} <= "
            f"{_decimal(self.upper, ROUND_CEILING)}.\n\n"
            f"The lower bound is attained on {{{names}}}, which is therefore optimal to within "
            f"{self._width()}.\n"
        )

    def to_latex(self) -> str:
        """Return the claim as a LaTeX proposition with the digest."""
        names = ", ".join(_latex(self.names[i]) for i in self.support)
        symbol = self._symbol("v_{{{}}}(\\Sigma)", "\\varphi({})")
        return (
            "\\begin{proposition}\n"
            f"Let $\\Sigma$ be the ${self.n}\\times{self.n}$ covariance matrix with digest "
            f"\\texttt{{{self.digest}}}{self._beyond()}. Then\n"
            f"\\[ {_latex_number(_decimal(self.lower, ROUND_FLOOR))} \\le {symbol} \\le "
            f"{_latex_number(_decimal(self.upper, ROUND_CEILING))}, \\]\n"
            f"and the support $\\{{${names}$\\}}$ attains the lower bound: it is optimal "
            f"to within ${_latex_number(self._width())}$.\n"
            "\\end{proposition}\n"
        )

    def _beyond(self) -> str:
        if self.eliminated is None:
            return ""
        return f" and {self.eliminated.count} further variables of which only the variances are known"

    def _symbol(self, cardinality: str, penalty: str) -> str:
        if self.cardinality is not None:
            return cardinality.format(self.cardinality)
        assert self.penalty is not None
        return penalty.format(_decimal(self.penalty, ROUND_FLOOR))

    def _width(self) -> str:
        width = Decimal(self.upper) - Decimal(self.lower)
        return str(Context(prec=2, rounding=ROUND_CEILING).plus(width).normalize())


def digest_of(
    *, matrix: Floats | None = None, factor: Floats | None = None, eliminated: Eliminated | None = None
) -> str:
    """Return the canonical SHA-256 digest of a covariance given as a matrix or as its factor.

    It is taken over the ASCII line ``relaxspca covariance dense R C`` (or ``factor R C``), a line
    feed, and the entries by rows as little-endian IEEE doubles, with -0.0 written as 0.0. Where e
    variables are eliminated, ``eliminated e`` and a line feed follow, their variances and the shift.
    """
    kind, array = ("dense", matrix) if factor is None else ("factor", factor)
    entries = checked_array("the covariance", array, (None, None)).astype("<f8") + 0.0
    header = f"relaxspca covariance {kind} {entries.shape[0]} {entries.shape[1]}\n"
    state = hashlib.sha256(header.encode("ascii") + entries.tobytes())
    if eliminated is not None:
        state.update(f"eliminated {eliminated.count}\n".encode("ascii"))
        state.update((np.append(eliminated.variances, eliminated.shift) + 0.0).astype("<f8").tobytes())
    return "sha256:" + state.hexdigest()


def _decimal(value: float, rounding: str) -> str:
    """Return at most 12 significant digits, rounded the given way from the exact binary value."""
    return str(Context(prec=12, rounding=rounding).plus(Decimal(value)))


def _latex_number(text: str) -> str:
    mantissa, _, exponent = text.partition("E")
    return mantissa if not exponent else f"{mantissa}\\times10^{{{int(exponent)}}}"


def _latex(name: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {c: "\\" + c for c in "&%$#_{}"}
    return "".join(special.get(c, c) for c in name)
