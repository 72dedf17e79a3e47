r"""Tables of many variables: rows leave few of them, and a search among these proves the rest.

Let a table explain L, and let :math:`u_k` bound a single component of k variables. In every better table
component t explains more than :math:`L-\sum_{s\ne t}u_{k_s}`, so that its support holds only variables whose
reach exceeds that (`relaxspca.search.heavy_rows`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from relaxspca.candidates.deflation import deflate
from relaxspca.candidates.portfolio import auto
from relaxspca.candidates.several.table import CandidateTable
from relaxspca.certificate import (
    Certificate,
    FactorPoint,
    Leaf,
    MultiplierPoint,
    Point,
    Restrict,
    RowsPoint,
    Single,
    Split,
    Vector,
    WeightsPoint,
    Witness,
)
from relaxspca.certificate import Node as TreeNode
from relaxspca.numerics.linalg import Array, sum_upper
from relaxspca.problem.claim import changed, subject_of
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices, Node
from relaxspca.problem.size import Cardinality
from relaxspca.relaxations.several.shape import Shape
from relaxspca.results.result import Result
from relaxspca.results.settle import closing_width, settle
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.heavy_rows import Restriction, heavy_variables
from relaxspca.search.limits import SearchLimits
from relaxspca.search.reduced import solve_by_rows
from relaxspca.search.several.certificate import table_certificate
from relaxspca.search.several.run import Proved, prove_table

__all__ = ["MANY", "prove_large_table"]

MANY = 500  # variables above which rows come first
MOST = (150, 300)  # variables of the search of a table
NODES = 50  # of the search of a single component, which only has to be bounded


@dataclass(frozen=True, eq=False)
class _Leaving:
    """A restriction of all components to the same variables: by the rows of each size, at a level."""

    by_size: dict[int, Restriction]
    kept: Indices


def prove_large_table(
    cov: Covariance, shape: Shape, *, gap: float, limits: SearchLimits, is_needed: bool
) -> tuple[Proved, Certificate | None] | None:
    """Find the best table of many variables and prove it, on separate supports of full size.

    Parameters
    ----------
    cov, shape, gap, limits : as in `prove_table`.
    is_needed : whether there is no other way; if not, None is returned where rows leave too many variables.
    """
    deadline = limits.deadline
    sizes = tuple(dict.fromkeys(shape.sizes))
    singles = {k: _single(cov, k, deadline.part(4 * len(sizes))) for k in sizes}
    upper = {k: singles[k].certificate.upper for k in sizes}
    table = _one_after_another(cov, shape, singles, deadline.part(4))
    if table is None:
        return None
    steps, is_reached = _steps(cov, shape, upper, table, gap, deadline.part(2))
    if not (is_reached or is_needed):
        return None
    kept = np.union1d(steps[-1].kept if steps else np.arange(cov.n), np.concatenate(table.supports))
    steps = [replace(step, kept=np.union1d(step.kept, kept)) for step in steps]
    block = cov.restrict(kept.tolist())
    proved = prove_table(block, shape, gap=gap, limits=limits)
    inner = table_certificate(block, proved)
    least = max((_bound_beside(step, shape, upper) for step in steps), default=-np.inf)
    whole = _whole(cov, proved, table, kept, least, gap)
    return whole, _certificate(cov, inner, whole, steps, singles, kept, least)


def _bound_beside(step: _Leaving, shape: Shape, upper: dict[int, float]) -> float:
    """Return what tables explain at most that a step leaves out."""
    return max(
        sum_upper(np.array([step.by_size[k].level, *(upper[s] for at, s in enumerate(shape.sizes) if at != t)]))
        for t, k in enumerate(shape.sizes)
    )


def _single(cov: Covariance, k: int, deadline: Deadline) -> Result:
    return solve_by_rows(
        cov, k, auto(cov, k, deadline=deadline.part(2)), limits=SearchLimits(deadline).at_most(NODES)
    )


def _one_after_another(
    cov: Covariance, shape: Shape, singles: dict[int, Result], deadline: Deadline
) -> CandidateTable | None:
    """Return the table on the supports of components found one after another."""
    rest, supports = cov, list[Indices]()
    for t, k in enumerate(shape.sizes):
        found = singles[k].candidate if t == 0 else auto(rest, k, deadline=deadline)
        supports.append(found.indices)
        if t + 1 < len(shape.sizes):
            rest = (
                rest.restrict(np.setdiff1d(np.arange(rest.n), found.indices).tolist())
                if shape.is_disjoint
                else deflate(rest, found.loadings)[0]
            )
    if shape.is_disjoint:
        left = np.arange(cov.n)
        for t, T in enumerate(supports):
            supports[t], left = left[T], np.delete(left, T)
    return CandidateTable.on(cov, supports)


def _steps(
    cov: Covariance,
    shape: Shape,
    upper: dict[int, float],
    table: CandidateTable,
    gap: float,
    deadline: Deadline,
) -> tuple[list[_Leaving], bool]:
    """Return restrictions, each of what the one before leaves, and whether few are left at a table's level."""
    steps, left = list[_Leaving](), np.arange(cov.n)
    target = table.lower + closing_width(table.lower, gap=gap)
    total = float(sum(upper[k] for k in shape.sizes)) * (1 + 1e-14)
    weights = dict[int, Array]()
    while not deadline.is_over:
        found = {}
        for k in upper:
            node, w = Node.of([], left, left), weights.get(k)
            level = target - (total - upper[k])
            found[k] = heavy_variables(
                cov, Cardinality(k), node, level, weights=w, most=MOST, longest=1, deadline=deadline
            )
        if all(rows.chain for rows in found.values()):
            by_size = {k: rows.chain[0] for k, rows in found.items()}
        elif all(rows.chain or rows.looser for rows in found.values()):
            by_size = {k: (*rows.chain, *rows.looser)[0] for k, rows in found.items()}
        else:
            break
        kept = np.unique(np.concatenate([rows.kept for rows in by_size.values()])).astype(np.int64)
        steps.append(_Leaving(by_size, kept))
        left = kept
        weights = {k: rows.weights[np.isin(rows.variables, kept)] for k, rows in by_size.items()}
        if not all(rows.chain for rows in found.values()):
            return steps, False
    return steps, len(left) <= MOST[-1]


def _whole(
    cov: Covariance, proved: Proved, table: CandidateTable, kept: Indices, least: float, gap: float
) -> Proved:
    """Return a proof of the table of the variables kept as one of all."""
    found = CandidateTable.on(cov, [kept[T] for T in proved.table.supports])
    best = max((one for one in (found, table) if one is not None), key=lambda one: one.lower)
    upper = max(proved.upper, least, best.lower)
    stopped = Status.ELIMINATION if least > proved.upper else proved.status
    status = settle(stopped, best.lower, upper, gap=gap)
    return replace(
        proved, table=best, lower=best.lower, upper=upper, status=status, root=max(proved.root, upper)
    )


def _certificate(
    cov: Covariance,
    inner: Certificate | None,
    whole: Proved,
    steps: Sequence[_Leaving],
    singles: dict[int, Result],
    kept: Indices,
    least: float,
) -> Certificate | None:
    """Return the certificate of all variables from that of those kept."""
    if inner is None:
        return None
    points, nodes, trees = list[Point](), list[TreeNode](), list[Single]()
    for step in steps:
        at = {k: len(points) + place for place, k in enumerate(step.by_size)}
        points += [WeightsPoint(rows.variables, rows.weights) for rows in step.by_size.values()]
        some = tuple(step.kept.tolist())
        for t, k in enumerate(whole.shape.sizes):
            nodes.append(Restrict(t, at[k], step.by_size[k].level, some, len(nodes) + 1))
    first, before = len(nodes), len(points)
    nodes += [_moved(node, first, before, kept) for node in inner.evidence.tree]
    points += [_placed(point, before, kept) for point in inner.evidence.points]
    for k, result in singles.items():
        evidence = result.certificate.evidence
        trees.append(Single(k, tuple(_moved(node, 0, len(points), None) for node in evidence.tree)))
        points += evidence.points
    table = whole.table
    vectors = tuple(Vector(table.supports[t], table.given[table.supports[t], t]) for t in table.order)
    return replace(
        inner,
        subject=subject_of(cov),
        claim=changed(inner, lower=whole.lower, upper=max(inner.upper, least)).claim,
        witness=Witness(vectors),
        evidence=replace(inner.evidence, points=tuple(points), tree=tuple(nodes), singles=tuple(trees)),
    )


def _moved(node: TreeNode, by: int, points: int, kept: Indices | None) -> TreeNode:
    """Return a node of a tree that stands later in another, beside points that stand later."""
    if isinstance(node, Split):
        i = node.variable if kept is None else int(kept[node.variable])
        return Split(node.part, i, node.inside + by, node.outside + by)
    if isinstance(node, Restrict):
        return replace(node, point=None if node.point is None else node.point + points, child=node.child + by)
    if node.point is None:
        return node
    moved = tuple(at + points for at in node.points)
    return Leaf(node.kind, moved if isinstance(node.point, tuple) else moved[0])


def _placed(point: Point, points: int, kept: Indices) -> Point:
    """Return a point of the variables kept as one of all."""
    if isinstance(point, MultiplierPoint):
        rows = tuple(None if at is None else at + points for at in point.rows)
        return replace(point, variables=kept[point.variables], rows=rows)
    assert isinstance(point, RowsPoint | WeightsPoint | FactorPoint)
    return replace(point, variables=kept[point.variables])
