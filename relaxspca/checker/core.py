"""The core claim: lambda_max(M_TT) + y(T) is at most a level for every support T of a family.

``certificates/SPEC.md``, section 1, says what a family is, and section 2 which one, and which M, a claim is
reduced to. What differs from claim to claim is a subclass of `Core` in a file of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Restrict
from relaxspca.checker.blocks import Blocks, largest_eigenvalue, norm
from relaxspca.checker.defect import Defect
from relaxspca.checker.family import Family, Parts
from relaxspca.checker.restrict import rows_left
from relaxspca.checker.rows import charged
from relaxspca.checker.rules import MOST_ROWS, RULES
from relaxspca.checker.tree import Case, Sides, bits_of, leaves, members, over_leaves


class Core:
    """The matrix M, the family and the points of one certificate, in one arithmetic; what is costly is kept.

    Attributes
    ----------
    n : number of variables of the family.
    matrix, factor : M by its entries, or as A'A.
    penalty : what a variable of a support costs: y is minus that.
    labels : the number of each variable's class; None where every variable is a class of its own.
    """

    def __init__(self, certificate: Certificate, arithmetic: Any, k: int | None = None) -> None:
        """With `k`, of several components: one of k variables, and the tree that bounds it, if there is one."""
        self.certificate, self.arithmetic, self.n = certificate, arithmetic, certificate.n
        singles = {one.k: one.tree for one in certificate.evidence.singles}
        self.tree = certificate.tree if k is None else singles.get(k, ())
        self.include = certificate.include if k is None else ()
        self.parts: Any = certificate.parts if k is None else [(range(self.n), k)]
        self.points: Any = certificate.points
        self.penalty: Any = certificate.rho
        self.labels: Any = None
        self.matrix: Any = None if certificate.matrix is None else arithmetic.array(certificate.matrix)
        self.factor: Any = None if certificate.factor is None else arithmetic.array(certificate.factor)
        # Cached per instance, so that the caches go when it goes.
        for method in (self.places, self.factored, self.sizes, self.paid_rows):
            setattr(self, method.__name__, cache(method))

    def magnitude(self, block: Any) -> Any:
        """Return what entries off the diagonal add to the charge of a row."""
        return self.arithmetic.magnitude(block)

    def is_unpaid(self, P: Any) -> Any:
        """Say which entries of P have to be paid by rows."""
        return P != 0

    @property
    def root(self) -> Sides:
        """What is forced in, and what is free, at the root."""
        claim = self.certificate.claim
        J, gone = bits_of(self.include), bits_of(claim.exclude)
        for i in self.include:
            gone |= self.conflicts.get(int(i), 0)
        return ((J, ((1 << self.n) - 1) & ~J & ~gone),)

    @property
    def conflicts(self) -> dict[int, int]:
        """The variables that conflict with each, the others of its class, as bits."""
        groups = () if self.labels is None else self.certificate.claim.one_of_each
        bits = [bits_of(group) for group in groups]
        return {int(i): own & ~(1 << int(i)) for group, own in zip(groups, bits, strict=True) for i in group}

    def parts_of(self, J: list[int], F: list[int]) -> Iterator[Parts]:
        """Yield parts of the variables, and how many of each the supports of a node have."""
        if self.penalty is None:
            yield self.parts
        else:
            for size in range(max(1, len(J)), len(J) + len(F) + 1):
                yield [(range(self.n), size)]

    def families(self, J: list[int], F: list[int]) -> Iterator[Family]:
        """Yield the supports of a node, those of one size after the other."""
        found = (Family.at(J, F, whole, self.labels) for whole in self.parts_of(J, F))
        yield from (family for family in found if family is not None)

    def upper(self, level: Any, reasons: list[str], short: list[str] | None = None) -> tuple[Any, int]:
        """Return the largest bound of the tree, and the number of leaves; say what is above a level."""
        found = leaves(self.tree, self.root, self.conflicts)
        return over_leaves(found, lambda case: self.bound(case, level), level, reasons, short)

    def bound(self, case: Case, level: Any) -> Any:
        """Return a bound for the supports of a leaf, or for those that a restriction leaves out."""
        J, F = map(members, case.sides[0])
        if isinstance(case.node, Restrict):
            return rows_left(self, case.node, J, F)
        y = [] if self.penalty is None else [-self.penalty]
        bounds = (self.least(case.node, family, level, y * family.size) for family in self.families(J, F))
        return max(bounds, default=-math.inf)

    def least(self, leaf: Any, family: Family, level: Any, added: list[Any]) -> Any:
        """Return the least bound of a rule, something added; the first that is at most a level is enough."""
        least = math.inf
        for bound in RULES[leaf.kind](self, leaf, family):
            least = min(least, self.arithmetic.total([bound, *added]))
            if least <= level:
                break
        return least

    def block(self, indices: Any) -> Any:
        """Return M on those variables."""
        return self.between(indices, indices)

    def between(self, rows: Any, columns: Any) -> Any:
        """Return those entries of M."""
        if self.matrix is not None:
            return self.matrix[np.ix_(rows, columns)]
        return self.factor[:, rows].T @ self.factor[:, columns]

    @cached_property
    def blocks(self) -> Blocks:
        """M, given by its entries, in blocks."""
        return Blocks(self.arithmetic, self.matrix)

    def eigenvalue(self, family: Family) -> Any:
        """Bound lambda_max of M on all the variables of a family."""
        variables = sorted([*family.inside, *family.free])
        if self.matrix is None:
            return self.gram_eigenvalue(self.factor[:, variables])
        return self.blocks.eigenvalue(tuple(variables))

    def located(self, at: int, family: Family) -> Family:
        """Return a family by the places of its variables in a point."""
        self.places_of(at, (*family.inside, *family.free))
        return family.placed(self.places(at))

    def places_of(self, at: int, variables: Sequence[int]) -> list[int]:
        """Return where variables stand in a point; raise Defect where it lacks one."""
        where = self.places(at)
        missing = [i for i in variables if i not in where]
        if missing:
            raise Defect(f"point {at} says nothing of the variables {missing[:5]} of the node")
        return [where[i] for i in variables]

    def places(self, at: int) -> dict[int, int]:
        """Return where every variable of a point stands in it."""
        return {variable: place for place, variable in enumerate(self.points[at].variables.tolist())}

    def weighed(self, rows: Any, columns: Any, row_weights: Any, column_weights: Any) -> Any:
        """Return M_ij on the diagonal and |M_ij| w_j / w_i off it, rounded up; weights may be None."""
        arithmetic, block = self.arithmetic, self.between(rows, columns)
        sizes = self.magnitude(block)
        if row_weights is not None:
            w, v = arithmetic.array(column_weights), arithmetic.array(row_weights)
            sizes = arithmetic.quotient_upper(arithmetic.array(sizes) * w[None, :], v[:, None])
        is_diagonal = np.asarray(rows)[:, None] == np.asarray(columns)[None, :]
        sizes[is_diagonal] = arithmetic.upper(block[is_diagonal])
        return sizes

    def sizes(self, at: int) -> Any:
        """Return the numbers p_ij of a weights point."""
        point = self.points[at]
        return self.weighed(point.variables, point.variables, point.weights, point.weights)

    def paid_rows(self, at: int) -> Blocks:
        """Return M - P in blocks with row charges N, once N_ij N_ji >= P_ij^2 is seen to hold."""
        point, arithmetic, V = self.points[at], self.arithmetic, self.points[at].variables
        if len(V) > MOST_ROWS:
            raise Defect(f"point {at} has P and N, and more than {MOST_ROWS} variables")
        _, N = charged(arithmetic, point, at, self.is_unpaid)
        # Weights pay for pairs that are not both in `paid`: of these M - P has nothing.
        is_paid, own = np.isin(V, V if point.paid is None else point.paid), np.eye(len(V), dtype=bool)
        pairs, P = np.outer(is_paid, is_paid), np.zeros(own.shape)
        charges = np.where(own, arithmetic.zero, self.weighed(V, V, point.weights, point.weights))
        charges[pairs], P[pairs] = arithmetic.upper(N).ravel(), point.P.ravel()
        M = self.block(V) * arithmetic.array(pairs | own) - arithmetic.array(P)
        return Blocks(arithmetic, M, charges, None if self.labels is None else self.labels[V])

    def factored(self, at: int) -> tuple[Any, Any, Any, Any]:
        """Return (A, lambda_max(V V'), residual norm, charges) of a factor point; A as floats."""
        point, arithmetic = self.points[at], self.arithmetic
        residual, A = arithmetic.zero, point.factor
        if A is not None:
            shift = arithmetic.array(np.diag(np.full(A.shape[1], point.shift)))
            E = self.block(point.variables) + shift - arithmetic.array(A).T @ arithmetic.array(A)
            residual = norm(arithmetic, E)
        else:
            A = self.certificate.factor[:, point.variables]
        charges = factor_charges(arithmetic, A, point.vectors, point.rho)
        return A, self.gram_eigenvalue(arithmetic.array(point.vectors)), residual, charges

    def gram_eigenvalue(self, B: Any) -> Any:
        """Bound lambda_max(B'B) = lambda_max(B B') by the smaller of the two."""
        return largest_eigenvalue(self.arithmetic, B @ B.T if B.shape[0] <= B.shape[1] else B.T @ B)


def factor_charges(arithmetic: Any, A: Any, V: Any, rho: float) -> Any:
    """Return the least s_i >= 0 (rounded up) with v_i v_i' + (rho + s_i) I >= a_i a_i'.

    lambda_max(a a' - v v') is the positive root (p + sqrt(p^2 + 4 D)) / 2 with p = |a|^2 - |v|^2 and
    the Gram determinant D = |a|^2 |v|^2 - (a'v)^2, or 0. D is unchanged when a multiple t a is taken
    off v; with w what is then left, D <= |a|^2 |w|^2, which does not cancel. Any t is valid.
    """
    t = (A * V).sum(axis=0) / (A * A).sum(axis=0)
    t = arithmetic.array(np.where(np.isfinite(t), t, 0.0))
    A, V = arithmetic.array(A), arithmetic.array(V)
    w = V - A * t[None, :]
    a2, v2, w2 = ((x * x).sum(axis=0) for x in (A, V, w))
    p = a2 - v2
    roots = arithmetic.array(arithmetic.sqrt_upper(p * p + arithmetic.array(4) * a2 * w2))
    excess = arithmetic.upper((p + roots) * arithmetic.array(0.5) - arithmetic.array(rho))
    return np.maximum(excess, arithmetic.zero)
