r"""Several components whose cardinalities add up to a total: every split is bounded, the best are proved.

For each k let u_k be a proved bound on one component of cardinality k. A table of sizes k_1, ..., k_r explains
at most u_{k_1} + ... + u_{k_r}; the largest such sum over all splits of the total is found by a dynamic program
over the components. Splits are then proved jointly, the one with the largest bound first, until none is above
the best table found.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from relaxspca.certificate import Certificate, TableCertificate
from relaxspca.errors import InputError
from relaxspca.numerics.decimals import float_above
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import largest_entry
from relaxspca.problem.observations import whole_number
from relaxspca.relaxations.several.shape import Shape
from relaxspca.results.joint import JointComponents
from relaxspca.results.progress import Progress
from relaxspca.results.settle import closing_width, settle, vanishing
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.limits import SearchLimits
from relaxspca.search.several.certificate import table_certificate
from relaxspca.search.several.opening import proof_at_first
from relaxspca.search.several.run import Proved, prove_table
from relaxspca.search.several.splits import Split, best_total, splits
from relaxspca.search.several.total import total_certificate
from relaxspca.tasks.joint import check_count, check_table, in_order, unless_interrupted
from relaxspca.tasks.solve import solve

__all__ = ["total_components"]

MOST_BEGINNINGS = 1 << 17  # of splits that the checker looks at
MOST_SPLITS = 2000  # splits that are proved one by one; where there are more, the largest alone is


def total_components(
    cov: Covariance, total: int, r: int, *, disjoint: bool = False, gap: float = 0.0, limits: SearchLimits
) -> JointComponents:
    r"""Find and prove the best table of r orthonormal components whose cardinalities add up to at most a total.

    .. math:: \max\{w(k_1,\dots,k_r):\ k_1+\dots+k_r=K,\ k_t\ge 1\}

    Parameters
    ----------
    cov : Covariance of n variables.
    total : K, from r to r n.
    r : number of components.
    disjoint : whether no variable may be used twice.
    gap : relative gap at which to stop.
    limits : when to stop besides.
    """
    total = whole_number(total, "total")
    check_table(cov)
    check_count(cov, r)
    if not r <= total <= r * cov.n:
        raise InputError(f"the cardinalities of {r} components add up to {r} to {r * cov.n}, not {total}")
    most = min(cov.n, total - r + 1)
    claims, interrupted = _singles(cov, most, limits.deadline.part(3), gap)
    within = replace(limits, deadline=Deadline.after(0)) if interrupted else limits
    work = _Splits(cov, disjoint, gap, within, _bounds(claims), total, r)
    proved = work.run()
    if interrupted and proved.status is Status.TIME_LIMIT:
        proved = replace(proved, status=Status.INTERRUPTED)
    kind = "disjoint" if disjoint else "orthogonal"
    certificate, proved = unless_interrupted(lambda: _certificate(work, claims, most, proved.upper), proved)
    if certificate is not None and certificate.upper < proved.upper:
        status = work.settled(proved.status, proved.lower, certificate.upper)
        proved = replace(proved, upper=certificate.upper, status=status)
    found = in_order(
        cov,
        proved,
        sizes=proved.shape.sizes,
        kind=kind,
        place=list(range(r)),
        seconds=limits.deadline.elapsed,
        certificate=certificate,
    )
    return replace(found, budget=total, is_one_split=not work.every, evidence=tuple(work.proofs))


def _certificate(work: _Splits, claims: Sequence[Certificate], most: int, upper: float) -> TableCertificate:
    """Return the claim about all splits, from claims about one component of 1 to `most` variables."""
    tables = [table_certificate(work.cov, proof) for proof in work.proofs]
    sums = {split: work.sum_of(split) for split in work.every}
    # A claim about the largest sizes is held against every split: beginnings of them are at most r a split.
    largest = MOST_BEGINNINGS // work.r
    held = sum(1 for _ in itertools.islice(splits(work.total, work.r, most), largest + 1))
    over_all = _over_all(work.cov, work.shape((most,) * work.r), upper) if held <= largest else None
    return total_certificate([table for table in tables if table], claims, sums, work.root, over_all)


def _over_all(cov: Covariance, shape: Shape, upper: float) -> TableCertificate | None:
    """Return a claim about tables of the largest sizes, which all splits are, if that is a better bound."""
    if proof_at_first(cov, shape).bound >= upper:
        return None
    return table_certificate(cov, prove_table(cov, shape, limits=SearchLimits(Deadline.after(0), 0)))


def _singles(cov: Covariance, most: int, deadline: Deadline, gap: float) -> tuple[list[Certificate], bool]:
    """Return a claim about one component of every cardinality from 1 to `most`, and whether Ctrl-C came."""
    claims, interrupted = [], False
    for k in range(1, most + 1):
        result = solve(cov, k, gap=gap, time_limit=deadline.share(most + 1 - k), verbose=False)
        if result.status is Status.INTERRUPTED:
            deadline, interrupted = Deadline.after(0), True
        claims.append(result.certificate)
    return claims, interrupted


def _bounds(claims: Sequence[Certificate]) -> list[float]:
    """Return what components of 1, 2, ... variables explain at most."""
    # At most k variables are at most k + 1: the bound of the larger cardinality holds for the smaller.
    return list(itertools.accumulate([claim.upper for claim in reversed(claims)], min))[::-1]


@dataclass
class _Splits:
    """Splits by their bounds, the largest first, and the best table found."""

    cov: Covariance
    disjoint: bool
    gap: float
    limits: SearchLimits
    singles: list[float]
    total: int
    r: int
    best: Proved | None = None
    proofs: list[Proved] = field(default_factory=list)
    node_count: int = 0
    is_told: bool = False  # by the callback, to stop

    def __post_init__(self) -> None:
        over_all, self.largest = best_total(self.singles, self.total, self.r)
        self.root = float_above(over_all)
        first = list(itertools.islice(splits(self.total, self.r, self.cov.n), MOST_SPLITS + 1))
        self.every = first if len(first) <= MOST_SPLITS else []

    def run(self) -> Proved:
        """Prove splits until none is above the best table, or a limit is met."""
        # (-bound, stage, split): a split is bounded by its single optima, then at its root, then searched.
        heap = [(-float_above(self.sum_of(split)), 0, split) for split in self.every]
        heap = heap or [(-self.root, 0, self.largest)]
        heapq.heapify(heap)
        status: Status | None = None
        while True:
            bound, stage, split = heap[0]
            if self.best is not None and (-bound <= self._target() or stage == 2):
                break
            if self.best is not None and (status := self._limit()) is not None:
                break
            proved = self._prove(split, stage, len(heap))
            # With too many splits to look at each, the bound of the dynamic program stays.
            new = min(-bound, proved.upper) if self.every else self.root
            is_unfinished = bool(self.every) and proved.status in (Status.NODE_LIMIT, Status.TIME_LIMIT)
            heapq.heapreplace(heap, (-new, stage + 1 if is_unfinished else 2, split))
            if proved.is_interrupted or self.is_told:
                status = Status.INTERRUPTED
                break
        return self._outcome(-heap[0][0], status)

    def sum_of(self, split: Split) -> Fraction:
        """Return what single components of these cardinalities explain at most, added up."""
        return sum((Fraction(self.singles[k - 1]) for k in split), Fraction(0))

    def shape(self, split: Split) -> Shape:
        """Return which supports tables of these cardinalities have."""
        return Shape.disjoint(split, self.cov.n) if self.disjoint else Shape(split)

    def settled(self, stopped: Status | None, lower: float, upper: float) -> Status:
        """Return how work ended that proves two bounds."""
        return settle(stopped, lower, upper, scale=self._scale(lower), gap=self.gap)

    def _target(self) -> float:
        """Return the bound at which a split is closed."""
        assert self.best is not None
        lower = self.best.lower
        return lower + closing_width(lower, scale=self._scale(lower), gap=self.gap)

    def _scale(self, lower: float) -> float:
        return vanishing(lower, largest_entry(self.cov))

    def _limit(self) -> Status | None:
        """Return the limit that is met, if one is."""
        if self.limits.deadline.is_over:
            return Status.TIME_LIMIT
        return Status.NODE_LIMIT if self.node_count >= self.limits.most_nodes else None

    def _prove(self, split: Split, stage: int, waiting: int) -> Proved:
        """Prove one split as far as its stage goes, and no further than the best table asks."""
        left = max(self.limits.most_nodes - self.node_count, 0)
        deadline = self.limits.deadline.part(2 if stage == 0 and waiting > 1 else 1)
        here = replace(self.limits, deadline=deadline, callback=self._told)
        proved = prove_table(
            self.cov,
            self.shape(split),
            gap=self.gap,
            enough=-math.inf if self.best is None else self._target(),
            limits=here.at_most(min(1, left) if stage == 0 else left),
        )
        self.node_count += proved.node_count
        self.proofs.append(proved)
        if self.best is None or proved.lower > self.best.lower:
            self.best = proved
        return proved

    def _told(self, progress: Progress) -> bool:
        """Return whether the caller, or a bound no better than the best table, ends the proof of a split."""
        self.is_told = self.limits.is_stopped(progress)
        return self.is_told or (self.best is not None and progress.upper <= self._target())

    def _outcome(self, upper: float, status: Status | None) -> Proved:
        assert self.best is not None
        best = self.best
        upper = max(upper, best.lower)
        status = self.settled(self._limit() if status is None else status, best.lower, upper)
        return replace(best, upper=upper, status=status, root=self.root, node_count=self.node_count)
