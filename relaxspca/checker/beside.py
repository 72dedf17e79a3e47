"""Restrict several components under multipliers that few variables have: ``certificates/SPEC.md``, section 10.

What the point says nothing of has Z = 0 and y = 0: its rows are those of Sigma. Let W be the variables of the
point. For a support T with a variable beside W, lambda_max(M_TT) + y(T) is at most lambda_max of M - P + Diag c
on W, c the row charges over supports that have such a variable, or the largest row charge of what is beside W.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from relaxspca.certificate import Leaf, Restrict, Single
from relaxspca.checker.core import Core
from relaxspca.checker.defect import Defect
from relaxspca.checker.family import Family
from relaxspca.checker.multipliers import SeveralEvidence
from relaxspca.checker.parts import ComponentPart, variables_of
from relaxspca.checker.restrict import charges


def bound_beside(evidence: SeveralEvidence, parts: tuple[ComponentPart, ...], node: Restrict) -> Any:
    """Return a bound on components of which that of a part has a variable that the node leaves out."""
    certificate, arithmetic, at = evidence.certificate, evidence.arithmetic, node.multipliers
    assert at is not None
    if certificate.supports == "common":
        raise Defect("common supports are not restricted under multipliers")
    point, own = evidence.points[at], parts[node.part]
    W = {*point.variables.tolist()}
    if not W.intersection(own.free) <= {*node.kept}:
        raise Defect(f"variables of point {at} are left out")
    within = [_within(part, W) for part in parts]
    values, beside = list[Any](), list[Any]()
    for row, part, inner in zip(point.rows, parts, within, strict=True):
        values.append(evidence.part(at, row, inner))
        beside.append(_beside(evidence, at, row, node.point, part, inner))
    if beside[node.part] > node.level:
        raise Defect(f"supports with a variable that is left out are not proved to be at most {node.level}")
    V = tuple(i for i in variables_of(parts) if i in W)
    others = [max(values[t], beside[t]) for t in range(len(parts)) if t != node.part]
    return arithmetic.total([*evidence.paid(parts, at, V)[0], node.level, *others])


def _within(part: ComponentPart, W: set[int]) -> ComponentPart:
    return ComponentPart(part.size, part.forced, tuple(i for i in part.free if i in W))


def _beside(
    evidence: SeveralEvidence,
    at: int,
    row: int | None,
    weights: int | None,
    part: ComponentPart,
    within: ComponentPart,
) -> Any:
    """Return a bound on lambda_max(M_TT) + y(T) over the supports of a part with a variable beside the point."""
    family = Family.at(part.forced, part.free, [(range(evidence.certificate.n), part.size)])
    if family is None or not set(family.free) - set(within.free):
        return -math.inf
    if row is None:
        raise Defect(f"point {at} has no rows for a part that is restricted")
    arithmetic, core = evidence.arithmetic, _Rows(evidence, at, row, part.size)
    here, charged, worst = list[int](), list[Any](), -math.inf
    for rows, columns, charge, with_each in charges(core, weights, part.forced, part.free, family, None):
        is_in = core.place[rows] >= 0
        worst = max([worst, *charge[~is_in]])
        most = with_each[is_in][:, core.place[columns] < 0].max(axis=1)
        is_met = most > -math.inf  # the others have no support with a variable beside the point
        here += rows[is_in][is_met].tolist()
        charged += most[is_met].tolist()
    M = arithmetic.array(evidence.points[at].M[np.ix_(*[evidence.places(at, tuple(here))] * 2)])
    P = evidence.rows(row)[0][np.ix_(*[core.place[here]] * 2)]
    return max(worst, arithmetic.eigenvalue_upper(M - P + arithmetic.array(np.diag(charged)))) if here else worst


class _Rows(Core):
    """Row charges of a part: N and y of a point, and beside its variables those of Sigma with weights."""

    def __init__(self, evidence: SeveralEvidence, at: int, row: int, k: int) -> None:
        super().__init__(evidence.certificate, evidence.arithmetic, Single(k, (Leaf("rows"),)))
        point, N = evidence.points[at], evidence.rows(row)[1]
        self.N, self.y = evidence.arithmetic.upper(N), np.zeros(self.n)
        self.y[point.variables] = point.y
        self.place = np.full(self.n, -1)  # of the variables of the point among those of its rows
        self.place[point.variables] = evidence.places(row, tuple(point.variables.tolist()))

    def weighed(self, rows: Any, columns: Any, row_weights: Any, column_weights: Any) -> Any:
        """Return p_ij, rounded up."""
        found = np.array(super().weighed(rows, columns, row_weights, column_weights))
        here, there = self.place[rows], self.place[columns]
        found[np.ix_(here >= 0, there >= 0)] = self.N[np.ix_(here[here >= 0], there[there >= 0])]
        y = self.arithmetic.array(np.tile(self.y[columns], (len(rows), 1)))
        return self.arithmetic.upper(self.arithmetic.array(found) + y)
