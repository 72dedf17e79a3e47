r"""Several components of many variables: row sums leave few variables, and a search among these proves all.

Let components explain L together, and let :math:`u_k` bound a single one of k variables. In every better set
component t explains more than :math:`L-\sum_{s\ne t}u_{k_s}`, so that its support holds only variables whose
reach exceeds that (`relaxspca.search.heavy_rows`). Where these are too many, those of largest reach are
searched, and a number between L and :math:`\sum_tu_{k_t}` bounds the sets that use others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from relaxspca.candidates.deflation import deflate
from relaxspca.candidates.portfolio import auto
from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.certificate import (
    Certificate,
    Fewer,
    Point,
    Restrict,
    RowsPoint,
    Single,
    TreeNode,
    Vector,
    Witness,
)
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, Indices, sum_upper
from relaxspca.problem.certificates import changed
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Node
from relaxspca.problem.size import Cardinality
from relaxspca.relaxations.several.shape import Shape
from relaxspca.results.result import Result
from relaxspca.results.status import Status, closing_width
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.search.heavy_rows import PASSES, Restriction, heavy_variables
from relaxspca.search.limits import SearchLimits
from relaxspca.search.proof_tree import Proof
from relaxspca.search.reduced import solve_by_rows
from relaxspca.search.several.beside import Beside, widened
from relaxspca.search.several.certificate import TablePoints, moved, placed, table_certificate
from relaxspca.search.several.incumbent import single_variables
from relaxspca.search.several.run import Proved, prove_table

MOST = (150, 300, 600)  # variables of the search for components
NEAR = 0.05  # of what is explained: bounds of single components, added up, are no tighter
NODES = 50  # of the search of a single component, which only has to be bounded


@dataclass(frozen=True, eq=False)
class _Leaving:
    """A restriction of all components to the same variables: by the rows of each size, at a level."""

    by_size: dict[int, Restriction]
    kept: Indices

    def bound(self, others: dict[int, float]) -> float:
        """Return a bound on sets of components of which one uses a variable that is left out."""
        sums = [sum_upper(np.array([rows.level, others[k]])) for k, rows in self.by_size.items()]
        return max(sums) + 8 * len(sums) * UNIT_ROUNDOFF * max(map(abs, sums))


@dataclass(frozen=True, eq=False)
class _Start:
    """What is known before a search: components, and bounds on a single one and on fewer together."""

    singles: dict[int, Result]
    table: CandidateSet
    fewer: tuple[Fewer, ...] = ()

    def others(self, shape: Shape) -> dict[int, float]:
        """Return what the others than a component of each size explain at most."""
        upper = {k: single.certificate.upper for k, single in self.singles.items()}
        together = {one.sizes: one.upper for one in self.fewer}
        rest = {k: _without(shape, k).sizes for k in upper}
        alone = {k: sum_upper(np.array([upper[s] for s in rest[k]])) for k in upper}
        return {k: together.get(rest[k], alone[k]) for k in upper}


def _without(shape: Shape, k: int) -> Shape:
    """Return a shape with one component of k variables fewer."""
    at = shape.sizes.index(k)
    return replace(shape, sizes=shape.sizes[:at] + shape.sizes[at + 1 :])


def prove_large_table(
    cov: Covariance, shape: Shape, *, gap: float, limits: SearchLimits
) -> tuple[Proved, Certificate | None]:
    """Find the best components of many variables and prove them, on separate supports of full size.

    The parameters are those of `prove_table`. The certificate comes with what is proved: Ctrl-C may come in
    between.
    """
    try:
        return _proved(cov, shape, gap, limits)
    except KeyboardInterrupt:
        proved, certificate = _proved(cov, shape, gap, replace(limits, deadline=Deadline.after(0)))
        return replace(proved, stopped=Status.INTERRUPTED), certificate


def _proved(
    cov: Covariance,
    shape: Shape,
    gap: float,
    limits: SearchLimits,
    known: dict[int, Result] | None = None,
) -> tuple[Proved, Certificate | None]:
    start, found = _start(cov, shape, limits.deadline, known or {}), list[tuple[Proved, Certificate | None]]()
    target = start.table.lower + closing_width(start.table.lower, gap=gap)
    choices = _steps(cov, shape, start, target, limits.deadline.part(2))
    left, most = (len(choices[0][-1].kept), MOST[0]) if choices[0] else (cov.n, MOST[-1])  # all at once
    are_few = len(choices) == 1 and left <= most
    is_open = not (are_few or _is_far(cov, shape, start, choices[0]) or limits.deadline.is_over)
    if len(shape.sizes) > 2 and is_open:
        start = replace(start, fewer=_fewer(cov, shape, start, gap, limits))
        choices = _steps(cov, shape, start, target, limits.deadline.part(2))
    for steps in choices:
        found.append(_among(cov, shape, start, steps, gap, limits))
        start = replace(start, table=found[-1][0].table)
        if found[-1][0].status is not Status.ELIMINATION or limits.deadline.is_over:
            break
    stopped = found[-1][0].stopped
    if stopped is Status.ELIMINATION and limits.deadline.is_over:
        stopped = Status.TIME_LIMIT
    proved, certificate = min(found, key=lambda one: one[0].upper - one[0].lower)
    return replace(proved, stopped=stopped), certificate


def _fewer(cov: Covariance, shape: Shape, start: _Start, gap: float, limits: SearchLimits) -> tuple[Fewer, ...]:
    """Bound what all components but one of each size explain together, which is less than each alone."""
    found = []
    for k, alone in start.others(shape).items():
        some = replace(limits, deadline=limits.deadline.part(2 * len(start.singles)))
        certificate = _proved(cov, _without(shape, k), gap, some, start.singles)[1]
        if certificate is not None and certificate.upper < alone:
            found.append(Fewer(certificate.sizes, certificate.upper, certificate.evidence))
    return tuple(found)


def _beside(shape: Shape, start: _Start, steps: Sequence[_Leaving]) -> float:
    """Return a bound on sets of components of which one uses a variable that some steps leave out."""
    return max((step.bound(start.others(shape)) for step in steps), default=-np.inf)


def _is_far(cov: Covariance, shape: Shape, start: _Start, steps: Sequence[_Leaving]) -> bool:
    """Say whether multipliers are tried for what is left out, since others alone leave much open."""
    ranked = np.argsort(-cov.diagonal, kind="stable")[: MOST[0]]
    is_alike = cov.diagonal[ranked[-1]] > (1 - NEAR) * cov.diagonal[ranked[0]]  # no variances tell what matters
    return not is_alike and _beside(shape, start, steps) > start.table.lower + NEAR * abs(start.table.lower)


def _start(cov: Covariance, shape: Shape, deadline: Deadline, known: dict[int, Result]) -> _Start:
    sizes, singles = tuple(dict.fromkeys(shape.sizes)), dict[int, Result]()
    for k in sizes:
        if k in known:
            singles[k] = known[k]
            continue
        some = deadline.part(4 * len(sizes))
        candidate = auto(cov, k, deadline=some.part(2))
        singles[k] = solve_by_rows(cov, k, candidate, limits=SearchLimits(some).at_most(NODES))
    return _Start(singles, _one_after_another(cov, shape, singles, deadline.part(4)))


def _one_after_another(
    cov: Covariance, shape: Shape, singles: dict[int, Result], deadline: Deadline
) -> CandidateSet:
    """Return the best orthogonal components on the supports of those found one after another."""
    rest, supports, left = cov, list[Indices](), np.arange(cov.n)
    for t, k in enumerate(shape.sizes):
        found = singles[k].candidate if t == 0 else auto(rest, k, deadline=deadline)
        supports.append(left[found.indices])
        if t + 1 == len(shape.sizes):
            break
        if shape.is_disjoint:
            kept = np.setdiff1d(np.arange(rest.n), found.indices)
            rest, left = rest.restrict(kept.tolist()), left[kept]
            continue
        try:
            rest = deflate(rest, found.loadings)[0]
        except InputError:  # no variance is left: the others are variables without a use
            unused = np.setdiff1d(left, np.concatenate(supports))
            supports += [unused[at : at + 1] for at in range(len(shape.sizes) - t - 1)]
            break
    table = CandidateSet.on(cov, supports) if all(map(len, supports)) else None
    # Components of one variable each may have the same one.
    return single_variables(cov, shape) if table is None else table


def _steps(
    cov: Covariance, shape: Shape, start: _Start, target: float, deadline: Deadline
) -> list[list[_Leaving]]:
    """Return restrictions, each of what the one before leaves, that leave few variables at last, then more."""
    steps, left, weights, others = list[_Leaving](), np.arange(cov.n), dict[int, Array](), start.others(shape)
    while True:
        is_late, node = deadline.is_over, Node.of([], left, left)
        found = {
            k: heavy_variables(
                cov,
                Cardinality(k),
                node,
                target - others[k],
                weights=weights.get(k),
                most=MOST,
                longest=1,
                passes=1 if is_late or target - others[k] < NEAR * single.certificate.upper else PASSES,
                deadline=FOREVER if is_late else deadline,
            )
            for k, single in start.singles.items()
        }
        if not all(rows.chain for rows in found.values()):
            if is_late or not deadline.is_over or all(rows.chain or rows.higher for rows in found.values()):
                break
            continue  # it was over before the first pass
        steps.append(_leaving({k: rows.chain[0] for k, rows in found.items()}))
        # The nodes of a certificate have the variables of the table besides, for which there must be weights.
        before, left = left, np.union1d(steps[-1].kept, np.concatenate(start.table.supports))
        if len(left) == len(before):
            break
        weights = {k: rows.weights[np.isin(rows.variables, left)] for k, rows in steps[-1].by_size.items()}
    cuts = {k: rows.chain or rows.higher for k, rows in found.items()}
    if not all(cuts.values()) or not any(rows.higher for rows in found.values()):
        return [steps]
    at = [{k: some[min(count, len(some) - 1)] for k, some in cuts.items()} for count in range(len(MOST))]
    return [[*steps, _leaving(one)] for one in at]


def _leaving(by_size: dict[int, Restriction]) -> _Leaving:
    kept = np.unique(np.concatenate([rows.kept for rows in by_size.values()]))
    return _Leaving(by_size, kept.astype(np.int64))


def _among(
    cov: Covariance,
    shape: Shape,
    start: _Start,
    steps: Sequence[_Leaving],
    gap: float,
    limits: SearchLimits,
) -> tuple[Proved, Certificate | None]:
    """Search what is left, as far as that lowers the bound of all; return that, and its certificate."""
    table, left, under, known = start.table, steps[-1].kept if steps else np.arange(cov.n), None, None
    kept = np.union1d(left, np.concatenate(table.supports))
    beside = _beside(shape, start, steps)
    most = beside if steps else sum_upper(np.array([start.singles[k].certificate.upper for k in shape.sizes]))
    is_far = _is_far(cov, shape, start, steps)
    if (is_far or len(kept) == cov.n > MOST[0]) and not limits.deadline.is_over:
        some, begun, found = widened(cov, shape, _likely(cov, table), gap, limits.deadline, most=MOST[-1])
        if len(some) == cov.n or (found is not None and found.upper < most):
            kept, known, under, steps = some, begun, found, []
            beside = -np.inf if found is None else found.upper
    steps = [replace(step, kept=np.union1d(step.kept, kept)) for step in steps]
    block = cov.restrict(kept.tolist())
    proved = prove_table(block, shape, gap=gap, limits=limits, known=known)
    # What sets beside may reach is left in the certificate: no node has to be proved below it.
    inner = table_certificate(block, replace(proved, upper=max(proved.upper, beside)))
    whole = _whole(cov, proved, table, kept, beside, gap)
    return whole, _certificate(cov, inner, whole, steps, start, kept, beside, under)


def _likely(cov: Covariance, table: CandidateSet) -> Indices:
    """Return the variables of largest variance, as many that components are nearest to taking, and theirs."""
    images = ((x, cov.product(x)) for x in table.loadings.T)
    worth = np.max([y**2 / max(float(x @ y), 1e-300) for x, y in images], axis=0)  # explained with one of them
    ranked = (np.argsort(-values, kind="stable")[: MOST[0] // 2] for values in (cov.diagonal, worth))
    return np.unique(np.concatenate([*ranked, *table.supports]))


def _whole(
    cov: Covariance, proved: Proved, table: CandidateSet, kept: Indices, beside: float, gap: float
) -> Proved:
    """Return a proof about components of the variables kept as one about all variables."""
    found = CandidateSet.on(cov, [kept[T] for T in proved.table.supports])
    best = table if found is None else max(found, table, key=lambda one: one.lower)
    upper = max(proved.upper, beside, best.lower)
    is_left = proved.status in (Status.OPTIMAL, Status.WITHIN_GAP)
    return replace(
        proved,
        table=best,
        lower=best.lower,
        upper=upper,
        stopped=Status.ELIMINATION if is_left else proved.stopped,
        gap=gap,
        root=max(proved.root, upper),
    )


def _certificate(
    cov: Covariance,
    inner: Certificate | None,
    whole: Proved,
    steps: Sequence[_Leaving],
    start: _Start,
    kept: Indices,
    beside: float,
    under: Beside | None,
) -> Certificate | None:
    """Return the certificate of all variables from that of those kept."""
    if inner is None:
        return None
    points, nodes, trees = list[Point](), list[TreeNode](), list[Single]()
    for step in steps:
        at = {k: len(points) + place for place, k in enumerate(step.by_size)}
        points += [RowsPoint(rows.variables, weights=rows.weights) for rows in step.by_size.values()]
        some = tuple(step.kept.tolist())
        for t, k in enumerate(whole.shape.sizes):
            nodes.append(Restrict(t, at[k], step.by_size[k].level, some, len(nodes) + 1))
    if under is not None:
        points, nodes = _under(cov, whole.shape, kept, under)
    first, before = len(nodes), len(points)
    nodes += [moved(node, first, before, kept) for node in inner.evidence.tree]
    points += [placed(point, before, kept) for point in inner.evidence.points]
    for k, result in start.singles.items():
        evidence = result.certificate.evidence
        trees.append(Single(k, tuple(moved(node, 0, len(points), None) for node in evidence.tree)))
        points += evidence.points
    table, fewer = whole.table, start.fewer if steps else ()
    vectors = tuple(Vector(table.supports[t], table.given[table.supports[t], t]) for t in table.order)
    return replace(
        inner,
        subject=cov.subject,
        claim=changed(inner, lower=whole.lower, upper=max(inner.upper, beside)).claim,
        witness=Witness(vectors),
        evidence=replace(
            inner.evidence, points=tuple(points), tree=tuple(nodes), singles=tuple(trees), fewer=fewer
        ),
    )


def _under(cov: Covariance, shape: Shape, kept: Indices, under: Beside) -> tuple[list[Point], list[TreeNode]]:
    """Return the restrictions of all components under multipliers, and the points of these."""
    inner = TablePoints(cov)
    (multipliers,) = inner.leaf(Proof("multipliers", under.point, under.upper)).points
    points = [placed(point, 0, under.variables) for point in inner.found]
    at = {k: len(points) + place for place, k in enumerate(under.weights)}
    points += [RowsPoint(np.arange(cov.n), weights=w) for w in under.weights.values()]
    some, levels = tuple(kept.tolist()), under.levels
    nodes = (Restrict(t, at[k], levels[k], some, t + 1, multipliers) for t, k in enumerate(shape.sizes))
    return points, [*nodes]
