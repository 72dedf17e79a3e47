"""Bound supports with a variable outside those of a multiplier point: ``certificates/SPEC.md``, section 10.

Let W be the variables of the point. All else has Z = 0 and y = 0, so that its rows are those of Sigma.
For a support T with a variable outside W, lambda_max(M_TT) + y(T) is at most lambda_max(M - P + Diag c) on W,
c the row charges over supports that have such a variable, or the largest row charge outside W.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.checker.core import Core
from relaxspca.checker.defect import Defect
from relaxspca.checker.family import Family
from relaxspca.checker.parts import ComponentPart
from relaxspca.checker.restrict import charged_with

if TYPE_CHECKING:
    from relaxspca.checker.multipliers import SeveralEvidence


def bound_beside(
    evidence: SeveralEvidence, at: int, row: int | None, weights: int | None, part: ComponentPart
) -> Any:
    """Return a bound on lambda_max(M_TT) + y(T) over the supports of a part with a variable outside a point."""
    J, F, W = part.forced, part.free, evidence.points[at].variables
    family = Family.at(J, F, [(range(evidence.certificate.n), part.size)])
    if family is None or np.isin(family.free, W).all():
        return -math.inf
    if row is None:
        raise Defect(f"point {at} has no rows for a part with variables beside it")
    core = _RowsBeside(evidence, at, row, part.size)
    rows, charged = charged_with(core, weights, family, None, core.place < 0)
    is_in = core.place[rows] >= 0
    worst, here = charged[~is_in].max(initial=-math.inf), rows[is_in]
    if not len(here):
        return worst
    return max(worst, evidence.eigenvalue(at, row, tuple(here.tolist()), charged[is_in]))


class _RowsBeside(Core):
    """The numbers p_ij of a part: of N on the variables of a point, of Sigma with weights elsewhere."""

    def __init__(self, evidence: SeveralEvidence, at: int, row: int, k: int) -> None:
        super().__init__(evidence.certificate, evidence.arithmetic, k)
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
