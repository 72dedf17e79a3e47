"""Bound every support of a leaf, rule by rule as in ``certificates/SPEC.md``.

A leaf stands for a `Family` of supports T with J <= T <= J + F: J is forced in, F is free. Each rule yields
upper bounds on lambda_max(Sigma_TT), the cheap one first, in either arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Leaf
from relaxspca.checker.blocks import Blocks
from relaxspca.checker.family import Family, Parts
from relaxspca.checker.rounded import Rounded
from relaxspca.checker.rows import RowCharges
from relaxspca.checker.tree import Case, Defect

Arithmetic = Any  # Exact or Rounded: the same methods on arrays of Fractions or on Balls


class Evidence:
    """The covariance and the points of one certificate, in one arithmetic; what is costly is kept.

    Claims about groups and signs read some of it in another way: `relaxspca.checker.restricted`.
    """

    def __init__(self, certificate: Certificate, arithmetic: Arithmetic) -> None:
        self.certificate, self.arithmetic, self.n, self.rules = certificate, arithmetic, certificate.n, RULES
        self.points: Any = certificate.points
        # What an entry beside the diagonal adds to a row, and which pairs of a Perron point need no charge.
        self.magnitude, self.is_free = arithmetic.magnitude, np.logical_not
        # No support has two variables of one label, nor a variable and its mates, given as bits.
        self.labels: Any = None
        self.mates = dict[int, int]()
        self.matrix: Any = None if certificate.matrix is None else arithmetic.array(certificate.matrix)
        self.factor: Any = None if certificate.factor is None else arithmetic.array(certificate.factor)
        # Cached per instance, so that the caches go when the evidence goes.
        for method in (self.places, self.sigma, self.psi, self.sizes, self.perron):
            setattr(self, method.__name__, cache(method))

    def families(self, node: Case) -> Iterator[Family]:
        """Yield the supports of a leaf, those of one size after the other."""
        for whole in self.parts_of(node):
            family = Family.at(node.forced, node.free, whole)
            if family is not None:
                yield family

    def parts_of(self, node: Case) -> Iterator[Parts]:
        """Yield parts of the variables, and how many of each the supports of a leaf have."""
        k = self.certificate.k
        for size in range(1, self.n + 1) if k is None else [k]:
            yield [(range(self.n), size)]

    def block(self, indices: Any) -> Any:
        """Return Sigma on those variables."""
        if self.matrix is not None:
            return self.matrix[np.ix_(indices, indices)]
        return self.factor[:, indices].T @ self.factor[:, indices]

    def sigma(self, sign: int) -> Blocks:
        """Return Sigma or -Sigma, given by its entries, in blocks."""
        return Blocks(self.arithmetic, self.matrix if sign > 0 else -self.matrix)

    def located(self, leaf: Leaf, family: Family) -> tuple[Any, Family]:
        """Return the point that a leaf uses, and the family by the places of its variables in it."""
        if leaf.point is None:
            return None, family
        where = self.places(leaf.point)
        missing = [i for i in (*family.inside, *family.free) if i not in where]
        if missing:
            raise Defect(f"point {leaf.point} says nothing of the variables {missing[:5]} of the leaf")
        return leaf.point, family.placed(where)

    def places(self, at: int) -> dict[int, int]:
        """Return where every variable of a point stands in it."""
        return {variable: place for place, variable in enumerate(self.points[at].variables.tolist())}

    def sizes(self, at: int | None) -> RowCharges:
        """Return |Sigma_ij| w_j / w_i, and Sigma_ii on the diagonal, for the variables of a weights point."""
        block = self.block(range(self.n) if at is None else self.points[at].variables)
        sizes = self.magnitude(block)
        if at is not None:
            w = self.arithmetic.array(np.tile(self.points[at].weights, (len(sizes), 1)))
            sizes = self.arithmetic.quotient_upper(self.arithmetic.array(sizes) * w, w.T)
        np.fill_diagonal(sizes, np.diagonal(self.arithmetic.upper(block)))
        return RowCharges(self.arithmetic, sizes, self.labels_of(at))

    def labels_of(self, at: int | None) -> Any:
        """Return the labels of the variables of a point, or of all."""
        return self.labels if at is None or self.labels is None else self.labels[self.points[at].variables]

    def perron(self, at: int) -> Blocks:
        """Return Sigma - P in blocks with row charges N, once N_ij N_ji >= P_ij^2 is seen to hold."""
        point, arithmetic = self.points[at], self.arithmetic
        P, N = point.P, point.N
        if isinstance(arithmetic, Rounded):
            # Every pair in a unit of its own, a power of two with 1/2 <= |P_ij| < 1, so that no product leaves
            # the range of floats. Charges are exact in it, or cut to 2^500, or too small to pay anything then.
            P, unit = np.frexp(P)
            N = np.minimum(np.ldexp(N, -unit), 2.0**500)
        N = arithmetic.array(N)
        missing = arithmetic.array(P) * arithmetic.array(P) - N * N.T
        for pair in point.variables[np.argwhere(~self.is_free(P) & (arithmetic.upper(missing) > 0))].tolist():
            raise Defect(f"point {at}: the pair {tuple(pair)} is underpaid: N_ij N_ji < P_ij^2 there")
        return Blocks(
            arithmetic,
            self.block(point.variables) - arithmetic.array(point.P),
            arithmetic.upper(arithmetic.array(point.N)),
            self.labels_of(at),
        )

    def psi(self, at: int) -> tuple[Any, Any, Any, Any]:
        """Return (A, lambda_max(Y Y'), residual norm, charges) of a psi point; A as floats."""
        point, arithmetic, own = self.points[at], self.arithmetic, self.certificate.factor
        residual = arithmetic.zero
        if point.factor is not None:
            A = point.factor
            shift = arithmetic.array(np.diag(np.full(A.shape[1], point.shift)))
            E = self.block(point.variables) + shift - arithmetic.array(A).T @ arithmetic.array(A)
            residual = arithmetic.total(arithmetic.magnitude(E), axis=1).max()
        else:
            assert own is not None  # a certificate whose points do not fit is not made
            A = own[:, point.variables]
        charges = _charges(arithmetic, A, point.vectors, point.rho)
        return A, _gram_eigenvalue(arithmetic, arithmetic.array(point.vectors)), residual, charges


def psi(evidence: Evidence, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield lambda_max(sum of y y') + rho k + charges, then with only F, and a a' for the forced."""
    arithmetic, (at, here) = evidence.arithmetic, evidence.located(leaf, family)
    point, J, F = evidence.points[at], list(here.inside), here.free
    A, lambda0, residual, charges = evidence.psi(at)

    def bound(value: Any, parts: Parts) -> Any:
        count = sum(taken for _, taken in parts)
        paid = _largest(arithmetic, charges, parts)
        return arithmetic.total([value, *[point.rho] * count, paid, residual, -point.shift])

    yield bound(lambda0, [(J + F, here.size)])
    B = np.concatenate([A[:, J], point.vectors[:, F]], axis=1)
    yield bound(_gram_eigenvalue(arithmetic, arithmetic.array(B)), here.parts)


def perron(evidence: Evidence, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield lambda_max(Sigma - P + Diag c), c the row charges, with all variables free and then as forced."""
    at, here = evidence.located(leaf, family)
    M = evidence.perron(at)
    yield M.eigenvalue((), here.whole)
    yield M.eigenvalue(here.inside, here.parts)


def spectral(evidence: Evidence, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield lambda_max of Sigma on all the variables of the leaf."""
    variables = sorted([*family.inside, *family.free])
    if evidence.matrix is None:
        yield _gram_eigenvalue(evidence.arithmetic, evidence.factor[:, variables])
    else:
        yield evidence.sigma(1).eigenvalue(tuple(variables))


def trace(evidence: Evidence, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield the largest trace of a support, plus (k - 1) d where only Sigma + d I is semidefinite."""
    arithmetic, at = evidence.arithmetic, range(evidence.certificate.n)
    if evidence.matrix is None:
        diagonal, deficit = arithmetic.upper((evidence.factor * evidence.factor).sum(axis=0)), arithmetic.zero
    else:
        diagonal, deficit = arithmetic.upper(evidence.matrix[at, at]), evidence.sigma(-1).eigenvalue(at)
    charged = [max(deficit, arithmetic.zero)] * (family.size - 1)
    largest = _largest(arithmetic, diagonal, family.parts)
    yield arithmetic.total([*diagonal[list(family.inside)], largest, *charged])


def rowsum(evidence: Evidence, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield the largest row of a support: Sigma_ii and the largest |Sigma_ij| w_j / w_i, w = 1 if not given."""
    at, here = evidence.located(leaf, family)
    fixed, loose = evidence.sizes(at).of(here.inside, here.parts)
    yield max([*fixed, *loose])


def support(evidence: Evidence, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield lambda_max(Sigma_TT) when the leaf has the one support T."""
    if not family.is_single:
        raise Defect(f"a support leaf has more than one support of size {family.size}")
    yield from spectral(evidence, leaf, family)


def void(evidence: Evidence, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Refuse: only leaves that have supports come here."""
    raise Defect(f"a void leaf has supports of size {family.size}")


def listed(evidence: Evidence, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield minus infinity when the only support of the leaf is listed: its bounds are checked apart."""
    others, support = evidence.certificate.others, sorted([*family.inside, *family.free])
    if not family.is_single:
        raise Defect(f"a listed leaf has more than one support of size {family.size}")
    if others is None or support not in [T.tolist() for T in others.indices]:
        raise Defect(f"a listed leaf has the support {support}, which is not listed")
    yield -math.inf


RULES: dict[str, Callable[[Evidence, Leaf, Family], Iterator[Any]]] = {
    "psi": psi,
    "perron": perron,
    "spectral": spectral,
    "trace": trace,
    "rowsum": rowsum,
    "support": support,
    "void": void,
    "listed": listed,
}


def least_bound(evidence: Evidence, leaf: Leaf, family: Family, limit: float, added: Sequence[Any] = ()) -> Any:
    """Return the least bound of a leaf's rule, something added; the first that is at most a limit is enough."""
    least = math.inf
    for bound in evidence.rules[leaf.kind](evidence, leaf, family):
        least = min(least, evidence.arithmetic.total([bound, *added]))
        if least <= limit:
            break
    return least


def _largest(arithmetic: Arithmetic, values: Any, parts: Parts) -> Any:
    """Return the sum of the largest values among what is free, of every part as many as are taken."""
    chosen = [np.sort(values[list(free)])[len(free) - count :] for free, count in parts if count > 0]
    return arithmetic.total(np.concatenate(chosen)) if chosen else arithmetic.zero


def _charges(arithmetic: Arithmetic, A: Any, Y: Any, rho: float) -> Any:
    """Return the least s_i >= 0 (rounded up) with y_i y_i' + (rho + s_i) I >= a_i a_i'.

    lambda_max(a a' - y y') is the positive root (p + sqrt(p^2 + 4 D)) / 2 with p = |a|^2 - |y|^2 and
    the Gram determinant D = |a|^2 |y|^2 - (a'y)^2, or 0. D is unchanged when a multiple t a is taken
    off y; with w what is then left, D <= |a|^2 |w|^2, which does not cancel. Any t is valid.
    """
    t = (A * Y).sum(axis=0) / (A * A).sum(axis=0)
    t = arithmetic.array(np.where(np.isfinite(t), t, 0.0))
    A, Y = arithmetic.array(A), arithmetic.array(Y)
    w = Y - A * t[None, :]
    a2, y2, w2 = ((x * x).sum(axis=0) for x in (A, Y, w))
    p = a2 - y2
    roots = arithmetic.array(arithmetic.sqrt_upper(p * p + arithmetic.array(4) * a2 * w2))
    excess = arithmetic.upper((p + roots) * arithmetic.array(0.5) - arithmetic.array(rho))
    return np.maximum(excess, arithmetic.zero)


def _gram_eigenvalue(arithmetic: Arithmetic, B: Any) -> Any:
    """Bound lambda_max(B'B) = lambda_max(B B') by the smaller of the two."""
    G = B @ B.T if B.shape[0] <= B.shape[1] else B.T @ B
    return Blocks(arithmetic, G).eigenvalue(range(G.shape[0]))
