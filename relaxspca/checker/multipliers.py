"""Bound what several components explain at a node of a tree: *multipliers*, SPEC.md, section 10.

The multipliers are a matrix Z = Sigma - M, for the orthogonality of the components, and a number y_j for every
use of a variable. What they leave is one component after another: the largest lambda_max(M_TT) + y(T) over the
supports of each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, islice
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Restrict
from relaxspca.checker.core import Core
from relaxspca.checker.family import Defect, Family, charged, charges_of
from relaxspca.checker.restrict import BEYOND, charged_with
from relaxspca.checker.tree import members
from relaxspca.checker.units import CHUNK

MOST_SUPPORTS = 1 << 17  # of one component that are tried one by one


@dataclass(frozen=True)
class ComponentPart:
    """The supports T of a component at a node: J <= T <= J + F with `size` variables, or at most so many."""

    size: int
    forced: tuple[int, ...]
    free: tuple[int, ...]


class SeveralEvidence:
    """The matrix and the points of one certificate, in one arithmetic; what is costly is kept."""

    def __init__(self, certificate: Certificate, arithmetic: Any) -> None:
        self.certificate, self.arithmetic = certificate, arithmetic
        self.points: Any = certificate.points
        core = Core(certificate, arithmetic)
        self.block, self.places = core.block, core.places_of
        self.together = dict[tuple[int, ...], list[str]]()  # what is not proved of fewer components
        # Cached per instance, so that the caches go when the evidence goes.
        for method in (self.spectral, self.excess, self.rows, self.part, self.beside, self.single, self.proved):
            setattr(self, method.__name__, cache(method))

    def single(self, k: int) -> Core:
        """Return the core claim about one component of k variables."""
        return _Single(self.certificate, self.arithmetic, k)

    def proved(self, k: int) -> Any:
        """Return what the evidence proves of one component of k variables."""
        if not self.single(k).tree:
            raise Defect(f"no tree proves what a single component of {k} variables explains")
        reasons, short = list[str](), list[str]()
        # Of every leaf the sharpest bound is asked for, which none is below.
        bound, _ = self.single(k).upper(-math.inf, reasons, short)
        if bound == math.inf:
            raise Defect([*reasons, *short][0])
        return bound

    def spectral(self, V: tuple[int, ...]) -> Any:
        """Return lambda_max of Sigma on those variables."""
        return self.arithmetic.eigenvalue_upper(self.block(V))

    def excess(self, at: int, V: tuple[int, ...]) -> tuple[Any, Any]:
        """Return delta >= 0 with Z + delta I semidefinite on V, and the diagonal of Z + delta I."""
        arithmetic, here = self.arithmetic, self.places(at, V)
        Z = self.block(V) - arithmetic.array(self.points[at].M[np.ix_(here, here)])
        delta = max(arithmetic.zero, arithmetic.eigenvalue_upper(-Z)) if V else arithmetic.zero
        if delta == math.inf:
            raise Defect(f"point {at}: nothing proves how far Z is from semidefinite")
        diagonal = Z[np.arange(len(V)), np.arange(len(V))] + arithmetic.array([delta] * len(V))
        return delta, diagonal

    def rows(self, at: int) -> tuple[Any, Any]:
        """Return P and N of a rows point, once N_ij N_ji >= P_ij^2 is seen to hold."""
        return charged(self.arithmetic, self.points[at], at, lambda P: P != 0)

    def part(self, at: int, row: int | None, part: ComponentPart) -> Any:
        """Return a bound on the largest lambda_max(M_TT) + y(T) over the supports of a part."""
        return self.by_supports(at, part) if row is None else self.by_rows(at, row, part)

    def by_supports(self, at: int, part: ComponentPart) -> Any:
        """Return the largest over all supports, tried one by one."""
        J, F = part.forced, part.free
        most = min(part.size - len(J), len(F))
        least = most if not may_be_smaller(self.certificate) else 0 if J else 1
        if sum(math.comb(len(F), more) for more in range(least, most + 1)) > MOST_SUPPORTS:
            raise Defect(f"point {at}: more than {MOST_SUPPORTS} supports are to be tried one by one")
        here, inside, worst = self.places(at, J + F), list(range(len(J))), -math.inf
        M, y = (
            self.arithmetic.array(x) for x in (self.points[at].M[np.ix_(here, here)], self.points[at].y[here])
        )
        for more in range(least, most + 1):
            chosen = combinations(range(len(J), len(here)), more)
            while some := list(islice(chosen, CHUNK)):
                supports = np.array([[*inside, *added] for added in some])
                bounds = self.arithmetic.eigenvalues_upper(M[supports[:, :, None], supports[:, None, :]])
                paid = self.arithmetic.array(bounds) + y[supports].sum(axis=1)
                worst = max(worst, self.arithmetic.upper(paid).max())
        return worst

    def by_rows(self, at: int, row: int, part: ComponentPart) -> Any:
        """Return lambda_max(M - P + Diag c), c the row charges of N_ij + y_j.

        Where supports may be smaller a multiplier below 0 is paid by none of the partners.
        """
        arithmetic, J, F = self.arithmetic, part.forced, part.free
        there, V = self.places(row, J + F), np.arange(len(J + F))
        N, y = self.rows(row)[1][np.ix_(there, there)], self.points[at].y[self.places(at, J + F)]
        q = arithmetic.upper(N + arithmetic.array(np.tile(y, (len(V), 1))))
        if may_be_smaller(self.certificate):
            may_stay_out = (V[None, :] >= len(J)) & (V[None, :] != V[:, None])
            q = np.where(may_stay_out, np.maximum(q, arithmetic.zero), q)
        room = min(part.size - len(J), len(F))
        charges = charges_of(arithmetic, q, V[: len(J)].tolist(), [(V[len(J) :].tolist(), room)])
        return self.eigenvalue(at, row, J + F, charges)

    def eigenvalue(self, at: int, row: int, V: tuple[int, ...], charges: Any) -> Any:
        """Return lambda_max(M - P + Diag charges) on some variables."""
        here, there, arithmetic = self.places(at, V), self.places(row, V), self.arithmetic
        M = arithmetic.array(self.points[at].M[np.ix_(here, here)]) - self.rows(row)[0][np.ix_(there, there)]
        return arithmetic.eigenvalue_upper(M + arithmetic.array(np.diag(charges)))

    def bound(self, parts: tuple[ComponentPart, ...], at: int | None = None) -> Any:
        """Return the sum of the bounds on the parts, the paid e_j, and -r delta; by default Z and y are 0."""
        count = len(self.certificate.sizes)
        if at is None:
            values = [self.spectral(tuple(sorted(part.forced + part.free))) for part in parts]
            return self.arithmetic.total(values * (count // len(parts)))
        paid, delta = self.paid(parts, at, tuple(variables_of(parts)))
        values = [self.part(at, row, part) for row, part in zip(self.points[at].rows, parts, strict=True)]
        return self.arithmetic.total([*paid, *[-delta] * count, *values * (count // len(parts))])

    def paid(self, parts: tuple[ComponentPart, ...], at: int, V: tuple[int, ...]) -> tuple[list[Any], Any]:
        """Return the e_j that are paid of the variables V of a point, and delta."""
        certificate, arithmetic = self.certificate, self.arithmetic
        uses = len(certificate.sizes) // len(parts)
        delta, diagonal = self.excess(at, V)
        y = self.points[at].y[self.places(at, V)]
        forced = [sum(i in part.forced for part in parts) for i in V]
        times = [uses] * len(V)
        if certificate.supports == "orthogonal":
            times = [max(least, 1) for least in forced]
            most = [sum(i in part.forced + part.free for part in parts) for i in V]
            if any(y[j] < 0 and most[j] > times[j] for j in range(len(V))):
                raise Defect(f"point {at}: a multiplier is below 0 where a variable may be used more than once")
        excess = arithmetic.upper(diagonal - arithmetic.array(y) * arithmetic.array(times))
        is_used = np.array(forced) > 0
        open_places = sum(part.size - len(part.forced) for part in parts)
        others = np.sort(excess[~is_used])
        paid = others[max(len(others) - open_places, 0) :]
        if certificate.supports != "common":  # of other supports fewer variables may be in use
            paid = np.maximum(paid, arithmetic.zero)
        return [*excess[is_used], *paid], delta

    def restricted(self, parts: tuple[ComponentPart, ...], node: Restrict) -> Any:
        """Return a bound under multipliers of a few variables, where a part has one that is left out."""
        at, values = node.multipliers, [node.level]
        assert at is not None
        point, W = self.points[at], {*self.points[at].variables.tolist()}
        if self.certificate.supports == "common" or not {*node.kept} >= W:
            raise Defect(f"supports are common, or variables of point {at} are left out")
        for t, (row, part) in enumerate(zip(point.rows, parts, strict=True)):
            within = replace(part, free=tuple(i for i in part.free if i in W))
            if not W.issuperset(part.forced):
                raise Defect(f"point {at} says nothing of a variable that is forced in")
            beside = self.beside(at, row, node.point, part)
            if t != node.part:
                has_any = len(within.forced + within.free) >= part.size
                values.append(max(beside, self.part(at, row, within)) if has_any else beside)
            elif beside > node.level:
                raise Defect(f"supports with a variable that is left out {BEYOND} {node.level}")
        # Of delta nothing is taken back: components may have no entries on W.
        paid, _ = self.paid(parts, at, tuple(i for i in variables_of(parts) if i in W))
        return self.arithmetic.total([*values, *paid])

    def beside(self, at: int, row: int | None, weights: int | None, part: ComponentPart) -> Any:
        """Return a bound on lambda_max(M_TT) + y(T) over the supports of a part with a variable beside a point.

        Let W be the variables of the point. All else has Z = 0 and y = 0, so that its rows are those of Sigma.
        The bound is lambda_max(M - P + Diag c) on W, c the row charges over supports that have such a variable,
        or the largest row charge outside W.
        """
        J, F, W = part.forced, part.free, self.points[at].variables
        family = Family.at(J, F, [(range(self.certificate.n), part.size)])
        if family is None or np.isin(family.free, W).all():
            return -math.inf
        if row is None:
            raise Defect(f"point {at} has no rows for a part with variables beside it")
        core = _RowsBeside(self, at, row)
        rows, charged = charged_with(core, weights, family, core.place < 0)
        is_in = core.place[rows] >= 0
        worst, here = charged[~is_in].max(initial=-math.inf), rows[is_in]
        if not len(here):
            return worst
        return max(worst, self.eigenvalue(at, row, tuple(here.tolist()), charged[is_in]))


class _Single(Core):
    """One component of k variables, and the tree that bounds it, if there is one."""

    def __init__(self, certificate: Certificate, arithmetic: Any, k: int) -> None:
        super().__init__(certificate, arithmetic)
        singles = {one.k: one.tree for one in certificate.evidence.singles}
        self.tree, self.include, self.parts = singles.get(k, ()), np.zeros(0), ((range(self.n), k),)


class _RowsBeside(Core):
    """The numbers p_ij of a part: of N on the variables of a point, of Sigma with weights elsewhere."""

    def __init__(self, evidence: SeveralEvidence, at: int, row: int) -> None:
        super().__init__(evidence.certificate, evidence.arithmetic)
        point, self.N = evidence.points[at], self.arithmetic.upper(evidence.rows(row)[1])
        self.y, self.place = np.zeros(self.n), np.full(self.n, -1)
        self.y[point.variables] = point.y
        # Where the variables of the point stand in its rows.
        self.place[point.variables] = evidence.places(row, tuple(point.variables.tolist()))

    def weighed(self, rows: Any, columns: Any, row_weights: Any, column_weights: Any) -> Any:
        """Return p_ij, rounded up."""
        found = np.array(super().weighed(rows, columns, row_weights, column_weights))
        here, there = self.place[rows], self.place[columns]
        found[np.ix_(here >= 0, there >= 0)] = self.N[np.ix_(here[here >= 0], there[there >= 0])]
        y = self.arithmetic.array(self.y[columns])
        return self.arithmetic.upper(self.arithmetic.array(found) + y[None, :])


def may_be_smaller(certificate: Certificate) -> bool:
    """Say whether supports smaller than their sizes count: disjoint ones whose sizes do not fit together."""
    usable = certificate.n - len(certificate.exclude)
    return bool(certificate.supports == "disjoint" and sum(certificate.sizes) > usable)


def part_of(size: int, side: tuple[int, int], is_smaller: bool) -> ComponentPart:
    """Return a part with the same supports, where nothing is free that the sizes decide."""
    J, F = (tuple(members(bits)) for bits in side)
    if len(J) == size:
        return ComponentPart(size, J, ())
    if len(J) + len(F) == size and not is_smaller:
        return ComponentPart(size, tuple(sorted(J + F)), ())
    return ComponentPart(size, J, F)


def variables_of(parts: tuple[ComponentPart, ...]) -> list[int]:
    """Return the variables that some component may use."""
    return sorted({i for part in parts for i in part.forced + part.free})


def has_no_supports(parts: tuple[ComponentPart, ...], certificate: Certificate) -> bool:
    """Say whether no components have such parts.

    One has no support, all have too few variables for orthogonal vectors, or disjoint supports were to share a
    variable.
    """
    for part in parts:
        least = 1 if may_be_smaller(certificate) else part.size
        if len(part.forced) > part.size or len(part.forced + part.free) < least:
            return True
    forced = [i for part in parts for i in part.forced]
    is_shared = certificate.supports == "disjoint" and len({*forced}) < len(forced)
    return is_shared or len(variables_of(parts)) < len(certificate.sizes)
