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

from relaxspca.certificate import Certificate, Leaf, Restrict
from relaxspca.checker.blocks import Blocks, largest_eigenvalue
from relaxspca.checker.family import Defect, Family, Parts, charged, charges_of
from relaxspca.checker.tree import Case, Sides, bits_of, leaves, members, over_leaves

WIDE, MOST_ROWS = 4096, 2**14  # variables of a point; and of one with P and N


class Core:
    """The matrix M, the family and the points of one certificate, in one arithmetic; what is costly is kept.

    Attributes
    ----------
    n : number of variables of the family.
    matrix, factor : M by its entries, or as A'A.
    penalty : what a variable of a support costs: y is minus that.
    labels : the number of each variable's class; None where every variable is a class of its own.
    conflicts : the other variables of the class of each, as bits.
    """

    def __init__(self, certificate: Certificate, arithmetic: Any, matrix: Any = None) -> None:
        """With `matrix`, which is M where M is not the matrix of the certificate."""
        self.certificate, self.arithmetic, self.n = certificate, arithmetic, certificate.n
        self.tree, self.include, self.parts = certificate.tree, certificate.include, certificate.parts
        self.points: Any = certificate.points
        self.penalty: Any = certificate.rho
        self.labels: Any = None
        self.conflicts: dict[int, int] = {}
        self.matrix: Any = matrix if certificate.matrix is None else arithmetic.array(certificate.matrix)
        self.factor: Any = None if certificate.factor is None else arithmetic.array(certificate.factor)
        self.factored: dict[int, Any] = {}  # what the rule *factor* finds of a point
        # Cached per instance, so that the caches go when it goes.
        for method in (self.places, self.sizes, self.paid_rows):
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
        cases = leaves(self.tree, self.root, self.conflicts)
        return over_leaves(cases, lambda case: self.bound(case, level), level, reasons, short)

    def bound(self, case: Case, level: Any) -> Any:
        """Return a bound for the supports of a leaf, or for those that a restriction leaves out."""
        J, F = map(members, case.sides[0])
        if isinstance(case.node, Restrict):
            from relaxspca.checker.restrict import rows_left

            return rows_left(self, case.node, J, F)
        y = [] if self.penalty is None else [-self.penalty]
        bounds = (self.least(case.node, family, level, y * family.size) for family in self.families(J, F))
        return max(bounds, default=-math.inf)

    def least(self, leaf: Any, family: Family, level: Any, added: list[Any]) -> Any:
        """Return the least bound of a rule, something added; the first that is at most a level is enough."""
        least = math.inf
        rule: Any = _rows
        if leaf.kind != "rows":
            from relaxspca.checker.rules import RULES

            rule = RULES[leaf.kind]
        for bound in rule(self, leaf, family):
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

    def gram_eigenvalue(self, B: Any) -> Any:
        """Bound lambda_max(B'B) = lambda_max(B B') by the smaller of the two."""
        return largest_eigenvalue(self.arithmetic, B @ B.T if B.shape[0] <= B.shape[1] else B.T @ B)


def _rows(core: Core, leaf: Leaf, family: Family) -> Iterator[Any]:
    """Yield lambda_max(M) without a point; the largest row charge; or lambda_max(M - P + Diag c)."""
    at: Any = leaf.point
    if at is None:
        yield core.eigenvalue(family)
        return
    here = core.located(at, family)
    if core.points[at].P is not None:
        M = core.paid_rows(at)
        yield M.eigenvalue((), here.whole, True)
        yield M.eigenvalue(here.inside, here.parts, True)
        yield M.eigenvalue(here.inside, here.parts)
    elif len(core.points[at].variables) > WIDE:  # its matrix is never whole in memory
        from relaxspca.checker.restrict import charges

        yield max(charge.max() for _, _, charge, _ in charges(core, at, family))
    else:
        labels = None if core.labels is None else core.labels[core.points[at].variables]
        yield max(charges_of(core.arithmetic, core.sizes(at), here.inside, here.parts, labels))
