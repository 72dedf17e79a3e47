"""Fix the variables of a node by balanced row sums."""

from __future__ import annotations

from relaxspca.certificate import WeightsPoint
from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.perron.weights import balance, forced_bounds
from relaxspca.search.node import Workspace
from relaxspca.search.proof_tree import Proof

__all__ = ["fix_by_rows"]


def fix_by_rows(work: Workspace) -> tuple[Array, Array]:
    """Fix variables by row sums until none is fixed; return the bounds with each variable in and out."""
    while True:
        found = balance(
            work.Sigma, work.is_inside, work.size, weights=work.weights, iterations=8, rounding=work.rounding
        )
        work.weights = found.weights
        with_i, without_i = forced_bounds(work.Sigma, work.is_inside, work.size, found, rounding=work.rounding)
        point = WeightsPoint(variables=work.variables, weights=found.weights)
        if work.improve(Proof("rowsum", point, float(found.bound))):
            return with_i, without_i
        if not work.fix(with_i, without_i, "rowsum", point) or work.is_closed:
            return with_i, without_i
