"""Bound every support of a leaf, rule by rule as in ``certificates/SPEC.md``.

A leaf stands for the supports T with J <= T <= J + F and |T| = k: J is forced in, F is free, and empty when
|J| = k. Each rule yields upper bounds on lambda_max(Sigma_TT), the cheap one first, in either arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.verify.tree import Defect, Node

LARGEST_GRAM = 2000  # variables
Arithmetic = Any  # Exact or Rounded: the same methods on arrays of Fractions or on Balls


class Evidence:
    """The covariance and the points of one certificate, in one arithmetic; what is costly is kept."""

    def __init__(self, certificate: Certificate, arithmetic: Arithmetic) -> None:
        self.certificate, self.arithmetic = certificate, arithmetic
        self.points: Any = certificate.points
        self.matrix: Any = None if certificate.matrix is None else arithmetic.array(certificate.matrix)
        self.factor: Any = None if certificate.factor is None else arithmetic.array(certificate.factor)
        # Cached per instance, so that the caches go when the evidence goes.
        for method in (self.gram, self.eigenvalue, self.deficit, self.pairwise, self.row_prices, self.psi,
                       self.sizes, self.perron, self.perron_max):
            setattr(self, method.__name__, cache(method))

    def block(self, indices: Any) -> Any:
        """Return Sigma on those variables; that of a factor is formed once, unless it is too large."""
        if self.matrix is None and self.certificate.n > LARGEST_GRAM:
            return self.factor[:, indices].T @ self.factor[:, indices]
        return self.gram()[np.ix_(indices, indices)]

    def gram(self) -> Any:
        """Return Sigma."""
        return self.factor.T @ self.factor if self.matrix is None else self.matrix

    def eigenvalue(self, indices: tuple[int, ...]) -> Any:
        """Bound lambda_max(Sigma_II)."""
        if self.matrix is not None:
            return self.arithmetic.eigenvalue_upper(self.block(list(indices)))
        return _gram_eigenvalue(self.arithmetic, self.factor[:, list(indices)])

    def deficit(self) -> Any:
        """Bound d >= 0 with Sigma + d I positive semidefinite."""
        zero = self.arithmetic.zero
        return zero if self.matrix is None else max(self.arithmetic.eigenvalue_upper(-self.matrix), zero)

    def locate(self, node: Node) -> tuple[Any, list[int], list[int]]:
        """Return the point that a leaf uses, and where its forced and free variables stand in it."""
        at = node.leaf.point
        if at is None:
            return at, node.forced, node.free
        where = {int(variable): position for position, variable in enumerate(self.points[at].variables)}
        missing = [i for i in node.forced + node.free if i not in where]
        if missing:
            raise Defect(f"point {at} says nothing of the variables {missing[:5]} of the leaf")
        return at, [where[i] for i in node.forced], [where[i] for i in node.free]

    def pairwise(self, at: int, cardinality: int) -> tuple[Any, Any, Any]:
        """Return (M, lambda_max(M), prices q + S) of a pairwise point, valid up to that cardinality."""
        point, arithmetic = self.points[at], self.arithmetic
        V, lam = arithmetic.array(point.V), arithmetic.array(point.lam)
        q = arithmetic.quotient_upper(V * V, 2 * (lam[:, None] + lam[None, :]))
        q = np.where(point.V == 0, arithmetic.zero, q)
        if (q == np.inf).any():
            i, j = point.variables[np.argwhere(q == np.inf)[0]]
            raise Defect(f"point {at}: the pair ({i}, {j}) has no finite price: V is not 0 there, "
                         "and lam_i + lam_j is 0 or the quotient overflows")
        if point.S is not None:
            q = arithmetic.upper(arithmetic.array(q) + arithmetic.array(point.S))
        M = self.block(point.variables) - V + arithmetic.diagonal(lam)
        if point.L is not None:
            L = arithmetic.array(point.L)
            M = M + arithmetic.diagonal(cardinality * (L * L).sum(axis=1)) - L @ L.T
        return M, arithmetic.eigenvalue_upper(M), q

    def row_prices(self, at: int, cardinality: int, largest: int) -> Any:
        """Return the row prices c of a pairwise point when every one of its variables is free."""
        q = self.pairwise(at, largest)[2]
        return _row_prices(self.arithmetic, q, [], list(range(len(q))), cardinality)[1]

    def sizes(self, at: int | None) -> Any:
        """Return |Sigma_ij| w_j / w_i, and Sigma_ii on the diagonal, for the variables of a weights point."""
        block = self.block(range(self.certificate.n) if at is None else self.points[at].variables)
        sizes = self.arithmetic.magnitude(block)
        if at is not None:
            w = self.arithmetic.array(np.tile(self.points[at].weights, (len(sizes), 1)))
            sizes = self.arithmetic.quotient_upper(self.arithmetic.array(sizes) * w, w.T)
        np.fill_diagonal(sizes, np.diagonal(self.arithmetic.upper(block)))
        return sizes

    def perron(self, at: int) -> tuple[Any, Any]:
        """Return (Sigma - P, row prices N) of a perron point, once N_ij N_ji >= P_ij^2 is seen to hold."""
        point, arithmetic = self.points[at], self.arithmetic
        N, P = arithmetic.array(point.N), arithmetic.array(point.P)
        missing = np.where(point.P == 0, arithmetic.zero, arithmetic.upper(P * P - N * N.T))
        if (missing > 0).any():
            i, j = point.variables[np.argwhere(missing > 0)[0]]
            raise Defect(f"point {at}: the pair ({i}, {j}) is underpaid: N_ij N_ji < P_ij^2 there")
        return self.block(point.variables) - P, arithmetic.upper(N)

    def perron_max(self, at: int, J: tuple[int, ...], F: tuple[int, ...], k: int) -> Any:
        """Bound lambda_max(Sigma - P + Diag c) on J and F, with c the row prices."""
        M, N = self.perron(at)
        prices = np.concatenate(_row_prices(self.arithmetic, N, list(J), list(F), k))
        M = M[np.ix_(J + F, J + F)] + self.arithmetic.diagonal(self.arithmetic.array(prices))
        return self.arithmetic.eigenvalue_upper(M)

    def psi(self, at: int) -> tuple[Any, Any, Any, Any]:
        """Return (A, lambda_max(Y Y'), residual norm, charges) of a psi point; A as floats."""
        point, arithmetic, own = self.points[at], self.arithmetic, self.certificate.factor
        residual = arithmetic.zero
        if point.factor is not None:
            A = point.factor
            shift = arithmetic.diagonal(arithmetic.array(np.full(len(point.variables), point.shift)))
            E = self.block(point.variables) + shift - arithmetic.array(A).T @ arithmetic.array(A)
            residual = arithmetic.total(arithmetic.magnitude(E), axis=1).max()
        elif own is not None and len(own) == len(point.vectors) and point.shift == 0:
            A = own[:, point.variables]
        else:
            raise Defect(f"point {at}: has no factor of its own, and the claim's factor does not fit it")
        charges = _charges(arithmetic, A, point.vectors, point.rho)
        return A, _gram_eigenvalue(arithmetic, arithmetic.array(point.vectors)), residual, charges


def pairwise(evidence: Evidence, node: Node, k: int) -> Iterator[Any]:
    """Yield lambda_0 plus the price of the dearest support: by whole rows, by the leaf's, then its lambda_0."""
    arithmetic, (at, J, F) = evidence.arithmetic, evidence.locate(node)
    # A penalised claim asks for every size; one lambda_0, for the largest, serves them all.
    largest = k if evidence.certificate.cardinality is not None else len(evidence.points[at].variables)
    M, lambda0, q = evidence.pairwise(at, largest)
    rows = evidence.row_prices(at, k, largest)
    yield arithmetic.total([lambda0, *rows[J], _largest(arithmetic, rows[F], k - len(J))])
    fixed, loose = _row_prices(arithmetic, q, J, F, k)
    price = arithmetic.total([*fixed, _largest(arithmetic, loose, k - len(J))])
    yield arithmetic.total([lambda0, price])
    if len(J + F) < len(q):
        yield arithmetic.total([arithmetic.eigenvalue_upper(M[np.ix_(J + F, J + F)]), price])


def psi(evidence: Evidence, node: Node, k: int) -> Iterator[Any]:
    """Yield lambda_max(sum of y y') + rho k + charges, then with only F, and a a' for the forced."""
    arithmetic, (at, J, F) = evidence.arithmetic, evidence.locate(node)
    point = evidence.points[at]
    A, lambda0, residual, charges = evidence.psi(at)

    def bound(value: Any, payers: list[int], count: int) -> Any:
        paid, shift = _largest(arithmetic, charges[payers], count), arithmetic.multiple(-point.shift, 1)
        return arithmetic.total([value, arithmetic.multiple(point.rho, count), paid, residual, shift])

    yield bound(lambda0, J + F, k)
    if J or len(F) < len(point.variables):
        B = np.concatenate([A[:, J], point.vectors[:, F]], axis=1)
        yield bound(_gram_eigenvalue(arithmetic, arithmetic.array(B)), F, k - len(J))


def perron(evidence: Evidence, node: Node, k: int) -> Iterator[Any]:
    """Yield lambda_max(Sigma - P + Diag c), c the row prices, with all variables free and then as forced."""
    at, J, F = evidence.locate(node)
    yield evidence.perron_max(at, (), tuple(range(len(evidence.points[at].variables))), k)
    yield evidence.perron_max(at, tuple(J), tuple(F), k)


def spectral(evidence: Evidence, node: Node, k: int) -> Iterator[Any]:
    """Yield lambda_max of Sigma on all the variables of the leaf."""
    yield evidence.eigenvalue(tuple(sorted(node.forced + node.free)))


def trace(evidence: Evidence, node: Node, k: int) -> Iterator[Any]:
    """Yield the largest trace of a support, plus (k - 1) d where only Sigma + d I is semidefinite."""
    arithmetic, at = evidence.arithmetic, np.arange(evidence.certificate.n)
    if evidence.matrix is None:
        diagonal = arithmetic.upper((evidence.factor * evidence.factor).sum(axis=0))
    else:
        diagonal = arithmetic.upper(evidence.matrix[at, at])
    lack = arithmetic.multiple(evidence.deficit(), k - 1)
    dearest = _largest(arithmetic, diagonal[node.free], k - len(node.forced))
    yield arithmetic.total([*diagonal[node.forced], lack, dearest])


def rowsum(evidence: Evidence, node: Node, k: int) -> Iterator[Any]:
    """Yield the largest row of a support: Sigma_ii and the largest |Sigma_ij| w_j / w_i, w = 1 if not given."""
    at, J, F = evidence.locate(node)
    fixed, loose = _row_prices(evidence.arithmetic, evidence.sizes(at), J, F, k)
    yield max([*fixed, *loose])


def support(evidence: Evidence, node: Node, k: int) -> Iterator[Any]:
    """Yield lambda_max(Sigma_TT) when the leaf has the one support T."""
    if len(node.forced + node.free) != k:
        raise Defect(f"a support leaf has more than one support of size {k}")
    yield from spectral(evidence, node, k)


def void(evidence: Evidence, node: Node, k: int) -> Iterator[Any]:
    """Refuse: only leaves that have supports of size k come here."""
    raise Defect(f"a void leaf has supports of size {k}")


RULES: dict[str, Callable[[Evidence, Node, int], Iterator[Any]]] = {
    "pairwise": pairwise, "psi": psi, "perron": perron, "spectral": spectral, "trace": trace,
    "rowsum": rowsum, "support": support, "void": void}


def _row_prices(arithmetic: Arithmetic, q: Any, J: list[int], F: list[int], k: int) -> tuple[Any, Any]:
    """Return what each row in J, and each row in F, costs at most in a support that has it.

    Row i pays its diagonal, all of J, and its dearest free partners: k - |J| of them when i is in J,
    k - |J| - 1 besides itself when i is in F.
    """
    least = len(F) - (k - len(J))  # where the dearest partners begin
    partners = q[np.ix_(J + F, F)]
    partners[len(J) + np.arange(len(F)), np.arange(len(F))] = -np.inf
    if F:
        partners = np.partition(partners, least, axis=1)
    forced = arithmetic.total(q[np.ix_(J + F, J)], axis=1)
    fixed = np.column_stack([forced[:len(J)], partners[:len(J), least:]])
    loose = np.column_stack([forced[len(J):], q[F, F], partners[len(J):, least + 1:]])
    return arithmetic.total(fixed, axis=1), arithmetic.total(loose, axis=1)


def _largest(arithmetic: Arithmetic, values: Any, count: int) -> Any:
    """Return the sum of the `count` largest."""
    return arithmetic.total(np.sort(values)[len(values) - count:]) if count > 0 else arithmetic.zero


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
    roots = arithmetic.array(arithmetic.sqrt_upper(p * p + 4 * (a2 * w2)))
    excess = arithmetic.upper(p + roots - 2 * arithmetic.array(np.full(A.shape[1], rho)))
    return np.array([max(x, arithmetic.zero) / 2 for x in excess], dtype=excess.dtype)


def _gram_eigenvalue(arithmetic: Arithmetic, B: Any) -> Any:
    """Bound lambda_max(B'B) = lambda_max(B B') by the smaller of the two."""
    return arithmetic.eigenvalue_upper(B @ B.T if B.shape[0] <= B.shape[1] else B.T @ B)
