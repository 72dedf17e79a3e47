"""Bound every support of a leaf, rule by rule as in ``certificates/SPEC.md``.

A leaf stands for the supports T with J <= T <= J + F and |T| = k: J is forced in, F is free. Each
rule yields one or more upper bounds on lambda_max(Sigma_TT), the cheap one first, so that the
caller stops at the first that is enough. The rules are written once, for both arithmetics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Leaf, PairwisePoint, PerronPoint, PsiPoint, WeightsPoint
from relaxspca.verify.tree import Defect

Arithmetic = Any  # Exact or Rounded: the same methods on arrays of Fractions or on Balls


class Evidence:
    """The covariance and the points of one certificate, in one arithmetic; what is costly is kept."""

    def __init__(self, certificate: Certificate, arithmetic: Arithmetic) -> None:
        self.certificate, self.arithmetic = certificate, arithmetic
        self.points = certificate.points
        self.factor: Any = None if certificate.factor is None else arithmetic.array(certificate.factor)
        self.matrix: Any = None if certificate.matrix is None else arithmetic.array(certificate.matrix)
        # Cached per instance, so that the caches go when the evidence goes.
        self.negative_part = cache(self._negative_part)
        self.pairwise = cache(self._pairwise)
        self.psi = cache(self._psi)
        self.row_prices = cache(self._row_prices)
        self.perron = cache(self._perron)
        self.perron_prices = cache(self._perron_prices)
        self.block_eigenvalue = cache(self._block_eigenvalue)

    def block(self, indices: Any) -> Any:
        """Return Sigma on those variables."""
        if self.matrix is not None:
            return self.matrix[np.ix_(indices, indices)]
        columns = self.factor[:, indices]
        return columns.T @ columns

    def _block_eigenvalue(self, indices: tuple[int, ...]) -> Any:
        """Bound lambda_max(Sigma_II); A_I A_I' has the same value as A_I' A_I."""
        if self.matrix is not None:
            return self.arithmetic.eigenvalue_upper(self.block(list(indices)))
        return _gram_eigenvalue(self.arithmetic, self.factor[:, list(indices)])

    def _negative_part(self) -> Any:
        """Bound d >= 0 with Sigma + d I positive semidefinite."""
        if self.matrix is None:
            return self.arithmetic.zero
        return max(self.arithmetic.eigenvalue_upper(-self.matrix), self.arithmetic.zero)

    def _pairwise(self, at: int, cardinality: int) -> tuple[Any, Any]:
        """Return (lambda_0, prices q + S) of a pairwise point, valid up to that cardinality."""
        point, arithmetic = self.points[at], self.arithmetic
        assert isinstance(point, PairwisePoint)
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
            W = L @ L.T
            M = M + arithmetic.diagonal(cardinality * (L * L).sum(axis=1)) - W
        return arithmetic.eigenvalue_upper(M), q

    def _row_prices(self, at: int, cardinality: int) -> Any:
        """Return the row prices c of a pairwise point when every one of its variables is free."""
        _, q = self.pairwise(at, self.largest(at, cardinality))
        return _row_prices(self.arithmetic, q, [], list(range(len(q))), cardinality)[1]

    def largest(self, at: int, cardinality: int) -> int:
        """Return a cardinality that lambda_0 of the point must hold for: all of them if penalised."""
        if self.certificate.cardinality is not None:
            return cardinality
        return len(self.points[at].variables)

    def _perron_prices(self, at: int) -> Any:
        """Return the row prices N of a perron point, once N_ij N_ji >= P_ij^2 is seen to hold."""
        point, arithmetic = self.points[at], self.arithmetic
        assert isinstance(point, PerronPoint)
        N, P = arithmetic.array(point.N), arithmetic.array(point.P)
        missing = np.where(point.P == 0, arithmetic.zero, arithmetic.upper(P * P - N * N.T))
        if (missing > 0).any():
            i, j = point.variables[np.argwhere(missing > 0)[0]]
            raise Defect(f"point {at}: the pair ({i}, {j}) is underpaid: N_ij N_ji < P_ij^2 there")
        return arithmetic.upper(N)

    def perron_eigenvalue(self, at: int, positions: list[int], prices: Any) -> Any:
        """Bound lambda_max(Sigma - P + Diag c) on some variables of a perron point."""
        point, arithmetic = self.points[at], self.arithmetic
        assert isinstance(point, PerronPoint)
        P = arithmetic.array(point.P[np.ix_(positions, positions)])
        M = self.block(point.variables[positions]) - P + arithmetic.diagonal(arithmetic.array(prices))
        return arithmetic.eigenvalue_upper(M)

    def _perron(self, at: int, cardinality: int) -> Any:
        """Bound a perron point when every one of its variables is free."""
        everything = list(range(len(self.points[at].variables)))
        prices = _row_prices(self.arithmetic, self.perron_prices(at), [], everything, cardinality)[1]
        return self.perron_eigenvalue(at, everything, prices)

    def _psi(self, at: int) -> tuple[Any, Any, Any, Any, Any]:
        """Return (A, Y, lambda_max(Y Y'), residual norm, charges) of a psi point."""
        point, arithmetic = self.points[at], self.arithmetic
        assert isinstance(point, PsiPoint)
        Y = arithmetic.array(point.vectors)
        if point.factor is not None:
            A = arithmetic.array(point.factor)
            m = len(point.variables)
            shift = arithmetic.diagonal(arithmetic.array(np.full(m, point.shift)))
            E = self.block(point.variables) + shift - A.T @ A
            residual = arithmetic.total(arithmetic.magnitude(E), axis=1).max()
        elif self.factor is not None and self.factor.shape[0] == Y.shape[0] and point.shift == 0:
            A, residual = self.factor[:, point.variables], arithmetic.zero
        else:
            raise Defect(f"point {at}: has no factor of its own, and the claim's factor does not fit it")
        charges = _charges(arithmetic, A, Y, point.rho)
        return A, Y, _gram_eigenvalue(arithmetic, Y), residual, charges


def pairwise(evidence: Evidence, leaf: Leaf, forced: list[int], free: list[int], k: int) -> Iterator[Any]:
    """Yield lambda_0 plus the price of the dearest support, by whole rows and then by the leaf's own."""
    arithmetic, at = evidence.arithmetic, _point_index(leaf)
    lambda0, q = evidence.pairwise(at, evidence.largest(at, k))
    J, F = _positions(evidence, at, forced), _positions(evidence, at, free)
    rows = evidence.row_prices(at, k)
    yield arithmetic.total([lambda0, *rows[J], _largest(arithmetic, rows[F], k - len(J))])
    fixed, loose = _row_prices(arithmetic, q, J, F, k)
    yield arithmetic.total([lambda0, *fixed, _largest(arithmetic, loose, k - len(J))])


def psi(evidence: Evidence, leaf: Leaf, forced: list[int], free: list[int], k: int) -> Iterator[Any]:
    """Yield lambda_max(sum of y y') + rho k + charges, then with a a' for the forced variables."""
    arithmetic, at = evidence.arithmetic, _point_index(leaf)
    point = evidence.points[at]
    assert isinstance(point, PsiPoint)
    J, F = _positions(evidence, at, forced), _positions(evidence, at, free)
    A, Y, lambda0, residual, charges = evidence.psi(at)
    paid = _largest(arithmetic, charges[J + F], k)
    yield arithmetic.total([lambda0, arithmetic.multiple(point.rho, k), paid, residual,
                            arithmetic.multiple(-point.shift, 1)])
    if not forced:
        return
    sharper = _gram_eigenvalue(arithmetic, arithmetic.join(A[:, J], Y[:, F]))
    paid = _largest(arithmetic, charges[F], k - len(J))
    yield arithmetic.total([sharper, arithmetic.multiple(point.rho, k - len(J)), paid, residual,
                            arithmetic.multiple(-point.shift, 1)])


def spectral(evidence: Evidence, leaf: Leaf, forced: list[int], free: list[int], k: int) -> Iterator[Any]:
    """Yield lambda_max of Sigma on all the variables of the leaf."""
    yield evidence.block_eigenvalue(tuple(sorted(forced + free)))


def trace(evidence: Evidence, leaf: Leaf, forced: list[int], free: list[int], k: int) -> Iterator[Any]:
    """Yield the largest trace of a support, plus (k - 1) d where only Sigma + d I is semidefinite."""
    arithmetic, at = evidence.arithmetic, np.arange(evidence.certificate.n)
    if evidence.matrix is None:
        diagonal = arithmetic.upper((evidence.factor * evidence.factor).sum(axis=0))
    else:
        diagonal = arithmetic.upper(evidence.matrix[at, at])
    d = evidence.negative_part()
    yield arithmetic.total([*diagonal[forced], _largest(arithmetic, diagonal[free], k - len(forced)),
                            arithmetic.multiple(d, k - 1)])


def rowsum(evidence: Evidence, leaf: Leaf, forced: list[int], free: list[int], k: int) -> Iterator[Any]:
    """Yield the largest row of a support: Sigma_ii and the largest |Sigma_ij| w_j / w_i, w = 1 if not given."""
    arithmetic = evidence.arithmetic
    block = evidence.block(forced + free)
    sizes = arithmetic.magnitude(block)
    at = np.arange(len(sizes))
    if leaf.point is not None:
        point = evidence.points[leaf.point]
        assert isinstance(point, WeightsPoint)
        w = arithmetic.array(point.weights[_positions(evidence, leaf.point, forced + free)])
        sizes = arithmetic.quotient_upper(arithmetic.array(sizes) * w[None, :], w[:, None])
    sizes[at, at] = arithmetic.upper(block)[at, at]
    J, F = list(range(len(forced))), list(range(len(forced), len(sizes)))
    fixed, loose = _row_prices(arithmetic, sizes, J, F, k)
    yield max([*fixed, *(loose if k > len(J) else [])])


def perron(evidence: Evidence, leaf: Leaf, forced: list[int], free: list[int], k: int) -> Iterator[Any]:
    """Yield lambda_max(Sigma - P + Diag c), c the row prices, with all variables free and then as forced."""
    at = _point_index(leaf)
    J, F = _positions(evidence, at, forced), _positions(evidence, at, free)
    yield evidence.perron(at, k)
    fixed, loose = _row_prices(evidence.arithmetic, evidence.perron_prices(at), J, F, k)
    if k == len(J):
        F, loose = [], loose[:0]
    yield evidence.perron_eigenvalue(at, J + F, np.concatenate([fixed, loose]))


def support(evidence: Evidence, leaf: Leaf, forced: list[int], free: list[int], k: int) -> Iterator[Any]:
    """Yield lambda_max(Sigma_TT) when the leaf has the one support T."""
    if len(forced) != k and len(forced) + len(free) != k:
        raise Defect(f"a support leaf has more than one support of size {k}")
    chosen = forced if len(forced) == k else forced + free
    yield evidence.block_eigenvalue(tuple(sorted(chosen)))


def void(evidence: Evidence, leaf: Leaf, forced: list[int], free: list[int], k: int) -> Iterator[Any]:
    """Refuse: a leaf with a support of size k is not void, and others never come here."""
    raise Defect(f"a void leaf has supports of size {k}")


Rule = Callable[[Evidence, Leaf, list[int], list[int], int], Iterator[Any]]
RULES: dict[str, Rule] = {"pairwise": pairwise, "psi": psi, "spectral": spectral, "trace": trace,
                          "rowsum": rowsum, "perron": perron, "support": support, "void": void}


def _row_prices(arithmetic: Arithmetic, q: Any, J: list[int], F: list[int], k: int) -> tuple[Any, Any]:
    """Return what each row in J, and each row in F, costs at most in a support that has it.

    Row i pays its diagonal, all of J, and its dearest free partners: k - |J| of them when i is in J,
    k - |J| - 1 besides itself when i is in F.
    """
    more = k - len(J)
    fixed = [arithmetic.total([*q[i, J], _largest(arithmetic, q[i, F], more)]) for i in J]
    loose = [arithmetic.total([q[i, i], *q[i, J], _largest(arithmetic, np.delete(q[i, F], at), more - 1)])
             for at, i in enumerate(F)]
    return np.array(fixed, dtype=q.dtype), np.array(loose, dtype=q.dtype)


def _largest(arithmetic: Arithmetic, values: Any, count: int) -> Any:
    """Return the sum of the `count` largest."""
    return arithmetic.total(np.sort(values)[len(values) - count:]) if count > 0 else arithmetic.zero


def _charges(arithmetic: Arithmetic, A: Any, Y: Any, rho: float) -> Any:
    """Return the least s_i >= 0 (rounded up) with y_i y_i' + (rho + s_i) I >= a_i a_i'.

    lambda_max(a a' - y y') is the positive root (p + sqrt(p^2 + 4 D)) / 2 with p = |a|^2 - |y|^2 and
    the Gram determinant D = |a|^2 |y|^2 - (a'y)^2, or 0. D is unchanged when a multiple of a is
    taken off y; with w what is then left, D <= |a|^2 |w|^2, which does not cancel.
    """
    aa, yy, ay = ((x * y).sum(axis=0) for x, y in ((A, A), (Y, Y), (A, Y)))
    w = Y - A * arithmetic.ratio(ay, aa)[None, :]
    p = aa - yy
    roots = arithmetic.sqrt_upper(p * p + 4 * (aa * (w * w).sum(axis=0)))
    twice = arithmetic.upper(p + arithmetic.array(roots))
    excess = arithmetic.upper(arithmetic.array(twice) - 2 * arithmetic.array(np.full(len(twice), rho)))
    return np.array([max(x, arithmetic.zero) / 2 for x in excess], dtype=excess.dtype)


def _gram_eigenvalue(arithmetic: Arithmetic, B: Any) -> Any:
    """Bound lambda_max(B'B) = lambda_max(B B') by the smaller of the two."""
    return arithmetic.eigenvalue_upper(B @ B.T if B.shape[0] <= B.shape[1] else B.T @ B)


def _point_index(leaf: Leaf) -> int:
    assert leaf.point is not None
    return leaf.point


def _positions(evidence: Evidence, at: int, indices: list[int]) -> list[int]:
    """Return where the variables of a leaf stand in the point it uses."""
    where = {int(variable): position for position, variable in enumerate(evidence.points[at].variables)}
    missing = [i for i in indices if i not in where]
    if missing:
        raise Defect(f"point {at} says nothing of the variables {missing[:5]} of the leaf")
    return [where[i] for i in indices]
