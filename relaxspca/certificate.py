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
import math
import os
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relaxspca.errors import CertificateError

POINT_LEAVES = ("psi", "pairwise")
CHEAP_LEAVES = ("spectral", "trace", "rowsum", "support", "void")

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PsiPoint:
    """Hold a dual point of psi(rho): vectors with y_i y_i' >= a_i a_i' - rho I.

    Parameters
    ----------
    variables : (m,) ints
        The variables that the columns stand for.
    rho : float
        Price of a variable, at least 0 (variance).
    vectors : (r, m)
        Columns y_i.
    factor : (r, m) or None
        Columns a_i with A'A = Sigma + shift I on `variables`, up to a residual that is charged.
        None: the columns of the factor that defines the claim's covariance.
    shift : float
        The shift of `factor` (variance).
    """

    variables: Ints
    rho: float
    vectors: Floats
    factor: Floats | None = None
    shift: float = 0.0

    def __post_init__(self) -> None:
        variables = _index_array("psi variables", self.variables)
        vectors = _array("psi vectors", self.vectors, (None, len(variables)))
        _set(self, "variables", variables)
        _set(self, "vectors", vectors)
        _set(self, "rho", _number("psi rho", self.rho, least=0.0))
        _set(self, "shift", _number("psi shift", self.shift))
        if self.factor is not None:
            _set(self, "factor", _array("psi factor", self.factor, vectors.shape))


@dataclass(frozen=True, eq=False)
class PairwisePoint:
    """Hold a dual point of the pairwise relaxation.

    Parameters
    ----------
    variables : (m,) ints
        The variables that rows and columns stand for.
    V : (m, m)
        Symmetric (variance).
    lam : (m,)
        At least 0 (variance), with lam_i + lam_j > 0 wherever V_ij is not 0.
    S : (m, m) or None
        Antisymmetric shift of the prices; None is 0.
    L : (m, p) or None
        Spartrahedral term W = L L'; None is 0.
    """

    variables: Ints
    V: Floats
    lam: Floats
    S: Floats | None = None
    L: Floats | None = None

    def __post_init__(self) -> None:
        variables = _index_array("pairwise variables", self.variables)
        m = len(variables)
        V, lam = _array("pairwise V", self.V, (m, m)), _array("pairwise lam", self.lam, (m,))
        _require(np.array_equal(V, V.T), "pairwise V is not symmetric")
        _require(bool((lam >= 0).all()), f"pairwise lam has the negative entry {lam.min(initial=0)!r}")
        _set(self, "variables", variables)
        _set(self, "V", V)
        _set(self, "lam", lam)
        if self.S is not None:
            S = _array("pairwise S", self.S, (m, m))
            _require(np.array_equal(S, -S.T), "pairwise S is not antisymmetric")
            _set(self, "S", S)
        if self.L is not None:
            _set(self, "L", _array("pairwise L", self.L, (m, None)))


@dataclass(frozen=True)
class Split:
    """Branch on one free variable: forced in at node `inside`, excluded at node `outside`."""

    variable: int
    inside: int
    outside: int

    def __post_init__(self) -> None:
        for name in ("variable", "inside", "outside"):
            _set(self, name, _index(f"split {name}", getattr(self, name)))


@dataclass(frozen=True)
class Leaf:
    """Bound every support of a node by one rule; `point` indexes the certificate's points."""

    kind: str
    point: int | None = None

    def __post_init__(self) -> None:
        _require(self.kind in POINT_LEAVES + CHEAP_LEAVES, f"unknown leaf kind {self.kind!r}")
        if self.kind in POINT_LEAVES:
            _set(self, "point", _index(f"point of a {self.kind} leaf", self.point))
        else:
            _require(self.point is None, f"a {self.kind} leaf takes no point")


@dataclass(frozen=True, eq=False, kw_only=True)
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
    points : sequence of PsiPoint and PairwisePoint
        Dual points, which leaves refer to.
    tree : sequence of Split and Leaf
        Nodes; node 0 is the root.
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
    points: tuple[PsiPoint | PairwisePoint, ...] = ()
    tree: tuple[Split | Leaf, ...]
    made_by: str = ""

    def __post_init__(self) -> None:
        _require(_index("n", self.n) >= 1, "n must be at least 1")
        for name in ("names", "points", "tree"):
            _set(self, name, tuple(getattr(self, name)))
        _require(len(self.names) == self.n and all(isinstance(s, str) for s in self.names),
                 f"names must be {self.n} strings")
        _require((self.matrix is None) != (self.factor is None), "give either matrix or factor")
        if self.matrix is not None:
            _set(self, "matrix", _array("matrix", self.matrix, (self.n, self.n)))
            _require(np.array_equal(self.matrix, self.matrix.T), "matrix is not symmetric")
        else:
            _set(self, "factor", _array("factor", self.factor, (None, self.n)))
        self._check_claim()
        self._check_nodes()

    def _check_claim(self) -> None:
        _require((self.cardinality is None) != (self.penalty is None),
                 "give either cardinality or penalty")
        if self.cardinality is not None:
            _set(self, "cardinality", _index("cardinality", self.cardinality))
            _require(1 <= self.cardinality <= self.n,
                     f"cardinality {self.cardinality} is not between 1 and n = {self.n}")
        else:
            _set(self, "penalty", _number("penalty", self.penalty, least=0.0))
        _set(self, "lower", _number("lower", self.lower))
        _set(self, "upper", _number("upper", self.upper))
        _require(self.lower <= self.upper, "the claimed lower bound is above the upper bound")
        support = _index_array("support", self.support)
        loadings = _array("loadings", self.loadings, (self.n,))
        _require(bool((support < self.n).all()), f"support names a variable beyond n = {self.n}")
        most = self.n if self.cardinality is None else self.cardinality
        _require(len(support) <= most, f"support has {len(support)} variables, more than {most}")
        outside = np.delete(loadings, support)
        _require(not outside.any(), "loadings are not 0 outside the support")
        _require(bool(loadings.any()) or (self.penalty is not None and not len(support)),
                 "loadings are all 0")
        _set(self, "support", support)
        _set(self, "loadings", loadings)

    def _check_nodes(self) -> None:
        for at, point in enumerate(self.points):
            _require(isinstance(point, PsiPoint | PairwisePoint), f"point {at} is not a dual point")
            _require(bool((point.variables < self.n).all()),
                     f"point {at} names a variable beyond n = {self.n}")
        for at, node in enumerate(self.tree):
            if isinstance(node, Split):
                _require(node.variable < self.n, f"node {at} splits a variable beyond n = {self.n}")
                _require(max(node.inside, node.outside) < len(self.tree),
                         f"node {at} has a child beyond the last node")
                continue
            _require(isinstance(node, Leaf), f"node {at} is neither Split nor Leaf")
            if node.point is not None:
                _require(node.point < len(self.points), f"leaf {at} uses a point that is not there")
                wanted = PsiPoint if node.kind == "psi" else PairwisePoint
                _require(isinstance(self.points[node.point], wanted),
                         f"leaf {at} is {node.kind} but its point is not")

    @property
    def digest(self) -> str:
        """Canonical digest of the covariance that the claim speaks of."""
        return digest_of(matrix=self.matrix, factor=self.factor)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate as JSON, with big arrays in an .npz beside it."""
        from relaxspca.certificate_file import write

        write(self, Path(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Certificate:
        """Read a certificate; raise CertificateError when it is not one, whatever the bytes are."""
        from relaxspca.certificate_file import read

        return read(Path(path))

    def to_markdown(self) -> str:
        """Return the claim as a short Markdown statement with the digest."""
        names = ", ".join(f"`{self.names[i]}`" for i in self.support)
        return (f"**Certified bound.** For the {self.n} x {self.n} covariance matrix with digest "
                f"`{self.digest}`,\n\n"
                f"{_decimal(self.lower, ROUND_FLOOR)} <= {self._symbol('v_{}', 'phi({})')} <= "
                f"{_decimal(self.upper, ROUND_CEILING)}.\n\n"
                f"The lower bound is attained on {{{names}}}, which is therefore optimal to within "
                f"{self._width()}.\n")

    def to_latex(self) -> str:
        """Return the claim as a LaTeX proposition with the digest."""
        names = ", ".join(_latex(self.names[i]) for i in self.support)
        symbol = self._symbol("v_{{{}}}(\\Sigma)", "\\varphi({})")
        return ("\\begin{proposition}\n"
                f"Let $\\Sigma$ be the ${self.n}\\times{self.n}$ covariance matrix with digest "
                f"\\texttt{{{self.digest}}}. Then\n"
                f"\\[ {_decimal(self.lower, ROUND_FLOOR)} \\le {symbol} \\le "
                f"{_decimal(self.upper, ROUND_CEILING)}, \\]\n"
                f"and the support $\\{{$\\text{{{names}}}$\\}}$ attains the lower bound: it is optimal "
                f"to within ${self._width()}$.\n"
                "\\end{proposition}\n")

    def _symbol(self, cardinality: str, penalty: str) -> str:
        if self.cardinality is not None:
            return cardinality.format(self.cardinality)
        assert self.penalty is not None
        return penalty.format(_decimal(self.penalty, ROUND_FLOOR))

    def _width(self) -> str:
        width = Decimal(self.upper) - Decimal(self.lower)
        return str(Context(prec=2, rounding=ROUND_CEILING).plus(width).normalize())


def digest_of(*, matrix: Floats | None = None, factor: Floats | None = None) -> str:
    """Return the canonical SHA-256 digest of a covariance given as a matrix or as its factor.

    It is taken over the ASCII line ``relaxspca covariance dense R C`` (or ``factor R C``), a line
    feed, and the entries by rows as little-endian IEEE doubles, with -0.0 written as 0.0.
    """
    kind, array = ("dense", matrix) if factor is None else ("factor", factor)
    entries = np.ascontiguousarray(array, dtype="<f8") + 0.0
    header = f"relaxspca covariance {kind} {entries.shape[0]} {entries.shape[1]}\n"
    return "sha256:" + hashlib.sha256(header.encode("ascii") + entries.tobytes()).hexdigest()


def _decimal(value: float, rounding: str) -> str:
    """Return at most 12 significant digits, rounded the given way from the exact binary value."""
    return str(Context(prec=12, rounding=rounding).plus(Decimal(value)))


def _latex(name: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {c: "\\" + c for c in "&%$#_{}"}
    return "".join(special.get(c, c) for c in name)


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise CertificateError(message)


def _set(instance: object, name: str, value: object) -> None:
    object.__setattr__(instance, name, value)


def _number(name: str, value: object, *, least: float = -math.inf) -> float:
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        raise CertificateError(f"{name} must be a number, not {value!r}")
    number = float(value)
    _require(math.isfinite(number), f"{name} is {number!r}: only finite numbers are allowed")
    _require(number >= least, f"{name} is {number!r}, below {least!r}")
    return number


def _index(name: str, value: object) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise CertificateError(f"{name} must be an integer, not {value!r}")
    _require(int(value) >= 0, f"{name} is {value}, below 0")
    return int(value)


def _index_array(name: str, values: ArrayLike) -> Ints:
    """Return read-only strictly increasing non-negative indices."""
    given = np.asarray(values)
    _require(given.ndim == 1 and (given.size == 0 or given.dtype.kind in "iu"),
             f"{name} must be a list of integers")
    indices = given.astype(np.int64)
    _require(bool((indices >= 0).all()), f"{name} has a negative index")
    _require(bool((np.diff(indices) > 0).all()), f"{name} are not strictly increasing (a duplicate?)")
    indices.flags.writeable = False
    return indices


def _array(name: str, values: ArrayLike | None, shape: tuple[int | None, ...]) -> Floats:
    """Return a read-only float copy of that shape (None matches any length), all finite."""
    given = np.asarray(values)
    _require(given.dtype.kind in "iuf", f"{name} must hold numbers")
    fits = given.ndim == len(shape) and all(
        want in (None, have) for want, have in zip(shape, given.shape, strict=True))
    wanted = " x ".join("any" if want is None else str(want) for want in shape)
    _require(fits, f"{name} has shape {given.shape}, not {wanted}")
    array = np.array(given, dtype=np.float64, order="C")
    _require(bool(np.isfinite(array).all()), f"{name} has an entry that is not finite")
    array.flags.writeable = False
    return array
