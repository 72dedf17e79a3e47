"""Prove a set of components: first components, a bound at the root, and the search between the two."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.candidates.several.local_search import InterruptedSearch
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import MANY, norm_upper, sum_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.size import Cardinality
from relaxspca.problem.slack import slack
from relaxspca.relaxations.perron.minimise import start_from_weights, to_point
from relaxspca.relaxations.perron.weights import balance
from relaxspca.relaxations.several.formula import MultiplierMatrix, upper_bound
from relaxspca.relaxations.several.minimise import union
from relaxspca.relaxations.several.shape import Shape, everything
from relaxspca.relaxations.several.smooth import Factors
from relaxspca.results.progress import Progress
from relaxspca.results.status import Status, settle, vanishing
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.proof_tree import Decision, Path, Proof, ProofTree
from relaxspca.search.several.incumbent import first_set, set_at_once
from relaxspca.search.several.screen import decided
from relaxspca.search.several.search import JointSearch


@dataclass(frozen=True, eq=False)
class Proved:
    """Components with proved bounds.

    Attributes
    ----------
    shape : Shape, which supports were allowed.
    table : CandidateSet, the components in the order of `shape`.
    lower, upper : proved bounds on the best sum of variances.
    stopped : what ended the search; None where nothing was left of it.
    tree : the proof of `upper`.
    node_count : nodes evaluated.
    root : bound after the root node alone.
    history : state after every node.
    gap : relative gap that was asked for.
    largest : entry of the covariance in use (variance).
    slack : what the certificate adds to the upper bound for roundings.
    """

    shape: Shape
    table: CandidateSet
    lower: float
    upper: float
    stopped: Status | None
    tree: ProofTree
    node_count: int
    root: float
    history: tuple[Progress, ...]
    gap: float = 0.0
    largest: float = 0.0
    slack: float = 0.0

    @property
    def status(self) -> Status:
        """How it ended; "open" where the bound of some overlapping supports is not tight."""
        scale = vanishing(self.lower, self.largest)
        return settle(self.stopped, self.lower, self.upper, scale=scale, slack=self.slack, gap=self.gap)


def prove_table(
    cov: Covariance,
    shape: Shape,
    *,
    gap: float = 0.0,
    limits: SearchLimits = UNLIMITED,
    known: tuple[CandidateSet, Factors] | None = None,
) -> Proved:
    """Find the best components of a shape, equal sizes beside each other, and prove them.

    The callback is called after every node. What is `known` are good components and factors of a dual point.
    """
    # Half of the time for the components, half for their proof.
    table, is_interrupted = (known[0], False) if known else _begun(cov, shape, limits.deadline.part(2))
    search = JointSearch(cov, shape, table, proof_at_first(cov, shape), gap=gap)
    stopped: Status | None = Status.INTERRUPTED
    if not is_interrupted:
        told = replace(limits, callback=limits.reported)
        stopped = _until_interrupted(search, told, known[1] if known else None)
    if stopped is not None and cov.n <= MANY:  # a search that was stopped may prove less than row sums do
        try:
            alone = proof_one_by_one(cov, shape)
            # With the room that a certificate of it needs: much where entries of its rows are large.
            if Room(cov, shape).above((), alone) < search.upper:
                search.tree.improve(0, alone)
        except KeyboardInterrupt:
            stopped = Status.INTERRUPTED
    return Proved(
        shape,
        search.candidate,
        search.lower,
        search.upper,
        stopped,
        search.tree,
        node_count=search.node_count,
        root=search.history[0].upper if search.history else search.upper,
        history=tuple(search.history),
        gap=gap,
        largest=search.largest,
    )


def _begun(cov: Covariance, shape: Shape, deadline: Deadline) -> tuple[CandidateSet, bool]:
    """Return components to begin with, and whether Ctrl-C came before they were found."""
    try:
        return first_set(cov, shape, deadline), False
    except KeyboardInterrupt as stop:
        found = stop.table if isinstance(stop, InterruptedSearch) else None
        return set_at_once(cov, shape, found), True


def _until_interrupted(search: JointSearch, limits: SearchLimits, factors: Factors | None) -> Status | None:
    try:
        if limits.deadline.is_over:
            return Status.TIME_LIMIT
        search.open(factors)
        return search.run(limits, clock=limits.deadline)
    except KeyboardInterrupt:
        return Status.INTERRUPTED


def proof_at_first(cov: Covariance, shape: Shape) -> Proof:
    """Return a bound that costs next to nothing: Z is what exceeds the r-th eigenvalue (Ky Fan)."""
    values, vectors = leading_eigenpairs(cov, min(shape.count, cov.n))
    Z = (vectors * (values - values[-1])) @ vectors.T
    rest = cov.matrix - (Z + Z.T) / 2
    free = RowsPoint(np.arange(cov.n), np.zeros((cov.n, cov.n)), np.zeros((cov.n, cov.n)))
    point = MultiplierMatrix(np.arange(cov.n), (rest + rest.T) / 2, np.zeros(cov.n), (free,) * len(shape.sizes))
    largest = Proof("multipliers", None, sum_upper(np.full(shape.count, cov.largest_upper)))
    all_of_it = Proof("multipliers", point, upper_bound(cov, point, shape, everything(shape, cov.n)))
    return min(largest, all_of_it, key=lambda proof: proof.bound)


def proof_one_by_one(cov: Covariance, shape: Shape) -> Proof:
    """Return what balanced row sums prove of each component by itself, whether orthogonal or not (Z = 0)."""
    variables, Sigma = np.arange(cov.n), cov.matrix
    nothing = np.zeros(cov.n, dtype=bool)
    rows = {
        k: to_point(variables, start_from_weights(Sigma, balance(Sigma, nothing, Cardinality(k)).weights))
        for k in set(shape.sizes)
    }
    point = MultiplierMatrix(variables, Sigma, np.zeros(cov.n), tuple(rows[k] for k in shape.sizes))
    return Proof("multipliers", point, upper_bound(cov, point, shape, everything(shape, cov.n)))


class Room:
    """What the checker's own roundings may add to the bound of a leaf, more where its point is large.

    The checker sees the variables that components may use at the leaf, and no others.
    """

    def __init__(self, cov: Covariance, shape: Shape) -> None:
        self.cov, self.shape, self.least = cov, shape, norm_upper(cov.matrix)
        self._sizes: dict[int, float] = {}

    def above(self, taken: Path, proof: Proof) -> float:
        """Return the bound of the leaf after some decisions, with that room."""
        parts, bound = everything(self.shape, self.cov.n), proof.bound
        for one in taken:
            assert isinstance(one, Decision)  # several components are not restricted
            parts = decided(parts, self.shape, one)
        n = len(union(parts))
        used = min(n, sum(self.shape.sizes)) + self.shape.count
        size = max(self.least, self._size(proof.point), abs(bound))
        return bound + used * slack(size, n=n, block=n)

    def _size(self, point: MultiplierMatrix | tuple[MultiplierMatrix, ...] | None) -> float:
        if isinstance(point, tuple):
            return max(self._size(one) for one in point)
        if point is None:
            return 0.0
        if id(point) not in self._sizes:
            rows = [norm_upper(row.P) + norm_upper(row.N) for row in point.rows if row is not None]
            multipliers = float(np.abs(point.multipliers).max(initial=0.0)) * self.cov.n
            self._sizes[id(point)] = max([norm_upper(point.rest) + multipliers, *rows])
        return self._sizes[id(point)]
