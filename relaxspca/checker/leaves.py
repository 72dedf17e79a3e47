"""Bound every support of a leaf, rule by rule as in ``certificates/SPEC.md``.

A leaf stands for the supports T with J <= T <= J + F and |T| = k: J is forced in, F is free, and empty when
|J| = k. Each rule yields upper bounds on lambda_max(Sigma_TT), the cheap one first, in either arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.checker.blocks import Blocks
from relaxspca.checker.rounded import Rounded
from relaxspca.checker.rows import DearestPrices
from relaxspca.checker.tree import Case, Defect

Arithmetic = Any  # Exact or Rounded: the same methods on arrays of Fractions or on Balls


class Evidence:
    """The covariance and the points of one certificate, in one arithmetic; what is costly is kept.

    Claims about groups and signs read some of it in another way: `relaxspca.checker.restricted`.
    """

    def __init__(self, certificate: Certificate, arithmetic: Arithmetic) -> None:
        self.certificate, self.arithmetic, self.n, self.rules = certificate, arithmetic, certificate.n, RULES
        self.points: Any = certificate.points
        # What an entry beside the diagonal adds to a row, and which pairs of a Perron point need no price.
        self.magnitude, self.is_free, self.mates = arithmetic.magnitude, np.logical_not, dict[int, int]()
        self.matrix: Any = None if certificate.matrix is None else arithmetic.array(certificate.matrix)
        self.factor: Any = None if certificate.factor is None else arithmetic.array(certificate.factor)
        # Cached per instance, so that the caches go when the evidence goes.
        for method in (self.places, self.sigma, self.pairwise, self.psi, self.sizes, self.perron):
            setattr(self, method.__name__, cache(method))

    def sizes_of(self, node: Case) -> Sequence[int]:
        """Return of which sizes the supports of a leaf are to be bounded."""
        k, least, most = self.certificate.k, len(node.forced), len(node.forced) + len(node.free)
        return [m for m in (range(1, most + 1) if k is None else [k]) if least <= m <= most]

    def block(self, indices: Any) -> Any:
        """Return Sigma on those variables."""
        if self.matrix is not None:
            return self.matrix[np.ix_(indices, indices)]
        return self.factor[:, indices].T @ self.factor[:, indices]

    def sigma(self, sign: int) -> Blocks:
        """Return Sigma or -Sigma, given by its entries, in blocks."""
        return Blocks(self.arithmetic, self.matrix if sign > 0 else -self.matrix)

    def locate(self, node: Case) -> tuple[Any, list[int], list[int]]:
        """Return the point that a leaf uses, and where its forced and free variables stand in it."""
        at = node.leaf.point
        if at is None:
            return at, node.forced, node.free
        where = self.places(at)
        missing = [i for i in node.forced + node.free if i not in where]
        if missing:
            raise Defect(f"point {at} says nothing of the variables {missing[:5]} of the leaf")
        return at, [where[i] for i in node.forced], [where[i] for i in node.free]

    def places(self, at: int) -> dict[int, int]:
        """Return where every variable of a point stands in it."""
        return {variable: place for place, variable in enumerate(self.points[at].variables.tolist())}

    def pairwise(self, at: int, cardinality: int) -> tuple[Blocks, DearestPrices]:
        """Return (M in blocks, prices q + S) of a pairwise point, valid up to that cardinality."""
        point, arithmetic = self.points[at], self.arithmetic
        V, lam = arithmetic.array(point.V), arithmetic.array(point.lam)
        q = arithmetic.quotient_upper(V * V, arithmetic.array(2) * (lam[:, None] + lam[None, :]))
        q = np.where(point.V == 0, arithmetic.zero, q)
        if (q == np.inf).any():
            i, j = point.variables[np.argwhere(q == np.inf)[0]]
            raise Defect(f"point {at}: the pair ({i}, {j}) has no finite price: lam_i + lam_j is too small")
        if point.S is not None:
            q = arithmetic.upper(arithmetic.array(q) + arithmetic.array(point.S))
        M = self.block(point.variables) - V + arithmetic.array(np.diag(point.lam))
        if point.L is not None:
            L = arithmetic.array(point.L)
            weights = arithmetic.array(np.eye(len(point.L)) * cardinality)
            M = M + weights * (L * L).sum(axis=1) - L @ L.T
        return Blocks(arithmetic, M), DearestPrices(arithmetic, q)

    def sizes(self, at: int | None) -> DearestPrices:
        """Return |Sigma_ij| w_j / w_i, and Sigma_ii on the diagonal, for the variables of a weights point."""
        block = self.block(range(self.n) if at is None else self.points[at].variables)
        sizes = self.magnitude(block)
        if at is not None:
            w = self.arithmetic.array(np.tile(self.points[at].weights, (len(sizes), 1)))
            sizes = self.arithmetic.quotient_upper(self.arithmetic.array(sizes) * w, w.T)
        np.fill_diagonal(sizes, np.diagonal(self.arithmetic.upper(block)))
        return DearestPrices(self.arithmetic, sizes)

    def perron(self, at: int) -> Blocks:
        """Return Sigma - P in blocks with row prices N, once N_ij N_ji >= P_ij^2 is seen to hold."""
        point, arithmetic = self.points[at], self.arithmetic
        P, prices = point.P, point.N
        if isinstance(arithmetic, Rounded):
            # Every pair in a unit of its own, a power of two with 1/2 <= |P_ij| < 1, so that no product leaves
            # the range of floats. Prices are exact in it, or cut to 2^500, or too small to pay anything then.
            P, unit = np.frexp(P)
            prices = np.minimum(np.ldexp(prices, -unit), 2.0**500)
        N = arithmetic.array(prices)
        missing = arithmetic.array(P) * arithmetic.array(P) - N * N.T
        for pair in point.variables[np.argwhere(~self.is_free(P) & (arithmetic.upper(missing) > 0))].tolist():
            raise Defect(f"point {at}: the pair {tuple(pair)} is underpaid: N_ij N_ji < P_ij^2 there")
        return Blocks(
            arithmetic,
            self.block(point.variables) - arithmetic.array(point.P),
            arithmetic.upper(arithmetic.array(point.N)),
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


def pairwise(evidence: Evidence, node: Case, k: int) -> Iterator[Any]:
    """Yield lambda_0 plus the price of the dearest support: lambda_0 of all variables, then of the leaf."""
    arithmetic, (at, J, F) = evidence.arithmetic, evidence.locate(node)
    # A penalised claim asks for every size; one lambda_0, for the largest, serves them all.
    largest = k if evidence.certificate.k is not None else len(evidence.points[at].variables)
    M, prices = evidence.pairwise(at, largest)
    fixed, loose = prices.of(J, F, k - len(J))
    price = arithmetic.total([*fixed, _largest(arithmetic, loose, k - len(J))])
    for variables in (range(len(prices.q)), tuple(sorted(J + F))):
        yield arithmetic.total([M.eigenvalue(variables), price])


def psi(evidence: Evidence, node: Case, k: int) -> Iterator[Any]:
    """Yield lambda_max(sum of y y') + rho k + charges, then with only F, and a a' for the forced."""
    arithmetic, (at, J, F) = evidence.arithmetic, evidence.locate(node)
    point = evidence.points[at]
    A, lambda0, residual, charges = evidence.psi(at)

    def bound(value: Any, payers: list[int], count: int) -> Any:
        paid = _largest(arithmetic, charges[payers], count)
        return arithmetic.total([value, *[point.rho] * count, paid, residual, -point.shift])

    yield bound(lambda0, J + F, k)
    B = np.concatenate([A[:, J], point.vectors[:, F]], axis=1)
    yield bound(_gram_eigenvalue(arithmetic, arithmetic.array(B)), F, k - len(J))


def perron(evidence: Evidence, node: Case, k: int) -> Iterator[Any]:
    """Yield lambda_max(Sigma - P + Diag c), c the row prices, with all variables free and then as forced."""
    at, J, F = evidence.locate(node)
    M = evidence.perron(at)
    yield M.eigenvalue((), range(len(evidence.points[at].variables)), k)
    yield M.eigenvalue(tuple(J), tuple(F), k - len(J))


def spectral(evidence: Evidence, node: Case, k: int) -> Iterator[Any]:
    """Yield lambda_max of Sigma on all the variables of the leaf."""
    variables = sorted(node.forced + node.free)
    if evidence.matrix is None:
        yield _gram_eigenvalue(evidence.arithmetic, evidence.factor[:, variables])
    else:
        yield evidence.sigma(1).eigenvalue(tuple(variables))


def trace(evidence: Evidence, node: Case, k: int) -> Iterator[Any]:
    """Yield the largest trace of a support, plus (k - 1) d where only Sigma + d I is semidefinite."""
    arithmetic, at = evidence.arithmetic, range(evidence.certificate.n)
    if evidence.matrix is None:
        diagonal, deficit = arithmetic.upper((evidence.factor * evidence.factor).sum(axis=0)), arithmetic.zero
    else:
        diagonal, deficit = arithmetic.upper(evidence.matrix[at, at]), evidence.sigma(-1).eigenvalue(at)
    dearest = _largest(arithmetic, diagonal[node.free], k - len(node.forced))
    yield arithmetic.total([*diagonal[node.forced], dearest, *[max(deficit, arithmetic.zero)] * (k - 1)])


def rowsum(evidence: Evidence, node: Case, k: int) -> Iterator[Any]:
    """Yield the largest row of a support: Sigma_ii and the largest |Sigma_ij| w_j / w_i, w = 1 if not given."""
    at, J, F = evidence.locate(node)
    fixed, loose = evidence.sizes(at).of(J, F, k - len(J))
    yield max([*fixed, *loose])


def support(evidence: Evidence, node: Case, k: int) -> Iterator[Any]:
    """Yield lambda_max(Sigma_TT) when the leaf has the one support T."""
    if len(node.forced + node.free) != k:
        raise Defect(f"a support leaf has more than one support of size {k}")
    yield from spectral(evidence, node, k)


def void(evidence: Evidence, node: Case, k: int) -> Iterator[Any]:
    """Refuse: only leaves that have supports of size k come here."""
    raise Defect(f"a void leaf has supports of size {k}")


def listed(evidence: Evidence, node: Case, k: int) -> Iterator[Any]:
    """Yield minus infinity when the only support of the leaf is listed: its bounds are checked apart."""
    others, support = evidence.certificate.others, sorted(node.forced + node.free)
    if len(support) != k:
        raise Defect(f"a listed leaf has more than one support of size {k}")
    if others is None or support not in [T.tolist() for T in others.indices]:
        raise Defect(f"a listed leaf has the support {support}, which is not listed")
    yield -math.inf


RULES: dict[str, Callable[[Evidence, Case, int], Iterator[Any]]] = {
    "pairwise": pairwise,
    "psi": psi,
    "perron": perron,
    "spectral": spectral,
    "trace": trace,
    "rowsum": rowsum,
    "support": support,
    "void": void,
    "listed": listed,
}


def _largest(arithmetic: Arithmetic, values: Any, count: int) -> Any:
    """Return the sum of the `count` largest."""
    return arithmetic.total(np.sort(values)[len(values) - count :]) if count > 0 else arithmetic.zero


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
