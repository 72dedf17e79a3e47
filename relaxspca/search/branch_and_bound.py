"""Branch and bound in rounds of the nodes of largest bound; the search tree is kept as the proof."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np

from relaxspca.candidates.conditional import swapped
from relaxspca.certificate import WeightsPoint
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.claim import net_value
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import largest_entry
from relaxspca.problem.size import Size
from relaxspca.relaxations.perron.weights import balance
from relaxspca.results.progress import Progress
from relaxspca.results.settle import closing_width, vanishing
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.search.evaluate import Effort, expand
from relaxspca.search.node import Division, Expansion, OpenNode
from relaxspca.search.proof_tree import Proof, ProofTree

__all__ = ["Search"]

ROUND = 8  # nodes a round, whatever n_jobs, so that the search is the same on any machine
DIVE_ABOVE = 3000  # open nodes above which the newest are taken first, to bound memory


class Search:
    """A search over the supports of a size or at a penalty, its incumbent and its proof.

    Parameters
    ----------
    cov : Covariance.
    size : Cardinality or Penalty.
    candidate : incumbent to begin with.
    root : proof of the root.
    gap : relative gap at which nodes are closed.
    conditions : variables that supports must and must not hold; `candidate` meets them.
    """

    def __init__(
        self,
        cov: Covariance,
        size: Size,
        candidate: Candidate,
        root: Proof,
        *,
        gap: float = 0.0,
        conditions: Conditions = NONE,
    ) -> None:
        self.cov, self.size, self.gap, self.conditions = cov, size, gap, conditions
        self.candidate, self.lower = candidate, self.worth(candidate)
        self._largest = largest_entry(cov, size.parts(cov.n), conditions.include, conditions.exclude)
        # Largest entry that the checker reads; for k = 1 it reads the diagonal alone.
        most = size.most(cov.n)
        self.touched = self._largest if most == 1 else largest_entry(cov, exclude=conditions.outside)
        self.tree = ProofTree(root)
        self.node_count, self.is_open = 0, False
        self._heap: list[tuple[float, int, int, OpenNode]] = []
        self._closed = -np.inf
        self._count = 0

    @property
    def scale(self) -> float:
        """Scale of widths where the value gives none: at a penalty, and where the value is about 0."""
        return self._largest if self.size.margin is not None else vanishing(self.lower, self._largest)

    @property
    def target(self) -> float:
        """Bound at which a node is closed."""
        return self.lower + closing_width(self.lower, scale=self.scale, gap=self.gap)

    @property
    def aim(self) -> float:
        """Value towards which bounds are tightened."""
        return self.lower

    def worth(self, candidate: Candidate) -> float:
        """Return a proved lower bound on the variance of a component less its penalty."""
        return net_value(self.cov, self.size, candidate)

    @property
    def upper(self) -> float:
        """Proved upper bound over all nodes, open and closed."""
        return max([self._closed, self.lower] + [-entry[0] for entry in self._heap])

    def add(self, at: int, node: OpenNode) -> None:
        """Open node `at` of the tree unless its bound is at most the target."""
        bound = self.tree.proof(at).bound
        if bound <= self.target:
            self._closed = max(self._closed, bound)
            return
        self._count += 1
        heapq.heappush(self._heap, (-bound, -self._count, at, node))

    def run(
        self,
        effort: Callable[[OpenNode], Effort],
        *,
        deadline: Deadline = FOREVER,
        node_limit: float = np.inf,
        callback: Callable[[Progress], Any] | None = None,
        parallel: Any = None,
    ) -> Status | None:
        """Search until all nodes are closed, a limit is reached or the callback returns True.

        Returns
        -------
        Status or None
            Why the search stopped; None if all nodes are closed. The bounds hold in every case.
        """
        clock = Deadline.after(None)
        while self._heap:
            if deadline.is_over:
                return Status.TIME_LIMIT
            if self.node_count >= node_limit:
                return Status.NODE_LIMIT
            batch = self._take(int(min(ROUND, node_limit - self.node_count)))
            arguments = [
                (self.cov, self.size, node, self.tree.proof(at), self.aim, self.target, effort(node))
                for at, node in batch
            ]
            try:
                outcomes = parallel(arguments) if parallel else [expand(*a) for a in arguments]
            except KeyboardInterrupt:
                for at, node in batch:
                    self.add(at, node)
                return Status.INTERRUPTED
            self.node_count += len(batch)
            self._absorb(batch, outcomes)
            progress = Progress(self.lower, self.upper, self.node_count, len(self._heap), clock.elapsed)
            if callback is not None and callback(progress):
                return Status.INTERRUPTED
        return None

    def _take(self, count: int) -> list[tuple[int, OpenNode]]:
        """Remove and return the open nodes of largest bound, or the newest when too many are open."""
        if len(self._heap) > DIVE_ABOVE:
            self._heap.sort(key=lambda entry: entry[1])
            taken, self._heap = self._heap[:count], self._heap[count:]
            heapq.heapify(self._heap)
        else:
            taken = [heapq.heappop(self._heap) for _ in range(min(count, len(self._heap)))]
        return [(at, node) for _, _, at, node in taken]

    def _absorb(self, batch: list[tuple[int, OpenNode]], outcomes: list[Expansion]) -> None:
        """Update the incumbent and the tree with the outcomes of a round, and open the children."""
        for outcome in outcomes:
            ends = () if outcome.division is None else outcome.division.ends
            for support in chain(outcome.supports, *(end.supports for _, end in ends)):
                self._consider(support)
        children: list[tuple[int, OpenNode]] = []
        for (at, _), outcome in zip(batch, outcomes, strict=True):
            for fixing in outcome.fixings:
                inside, outside = self.tree.split(at, fixing.variable)
                closed, at = (outside, inside) if fixing.is_inside else (inside, outside)
                self.tree.improve(closed, fixing.proof)
                self._closed = max(self._closed, self.tree.proof(closed).bound)
            self.tree.improve(at, outcome.proof)
            if outcome.division is not None:
                self._divide(at, outcome.division)
                continue
            if outcome.node is None:
                self._close(at, outcome)
                continue
            if outcome.branch is None:
                self.add(at, outcome.node)
                continue
            children += self._children(at, outcome.node, outcome.branch)
        self._bound_together(children)
        for at, node in children:
            self.add(at, node)

    def _divide(self, at: int, division: Division) -> None:
        """Split a node into leaves of one support each, and close them."""
        nodes = [at]
        for parent, variable in division.splits:
            nodes += self.tree.split(nodes[parent], variable)
        for number, end in division.ends:
            self.tree.improve(nodes[number], end.proof)
            self._close(nodes[number], end)

    def _close(self, at: int, outcome: Expansion) -> None:
        """Add the bound of a closed node to the upper bound of the search."""
        self._closed = max(self._closed, self.tree.proof(at).bound)

    def _children(self, at: int, node: OpenNode, branch: int) -> list[tuple[int, OpenNode]]:
        found, one, none = [], np.array([branch]), np.zeros(0, dtype=np.int64)
        for child, sides in zip(self.tree.split(at, branch), ((one, none), (none, one)), strict=True):
            here = self.size.fixed(node, *sides)
            kept = np.isin(node.variables, here.variables)
            B = node.B if node.B is None or kept.all() else node.B[np.ix_(kept, kept)]
            found.append((child, OpenNode(here.inside, here.free, node.depth, node.weights[kept], B)))
        return found

    def _bound_together(self, children: list[tuple[int, OpenNode]]) -> None:
        """Bound all children together by balanced row sums, their blocks padded to one size and stacked."""
        if not children:
            return
        size = max(len(node.variables) for _, node in children)
        blocks = np.zeros((len(children), size, size))
        inside = np.zeros((len(children), size), dtype=bool)
        weights = np.ones((len(children), size))
        for c, (_, node) in enumerate(children):
            m = len(node.variables)
            blocks[c, :m, :m] = self.cov.submatrix(node.variables)
            inside[c, :m] = np.isin(node.variables, node.inside)
            weights[c, :m] = node.weights
            # Padding pays nothing and, with the least variance, is never the largest row.
            blocks[c, range(m, size), range(m, size)] = np.diagonal(blocks[c, :m, :m]).min()
        rounding = max(self.cov.rounding(node.variables) for _, node in children)
        stack = self.size.stacked([node.variables for _, node in children], size)
        found = balance(blocks, inside, stack, weights=weights, iterations=4, rounding=rounding)
        for c, (at, node) in enumerate(children):
            m = len(node.variables)
            point = WeightsPoint(variables=node.variables, weights=_positive(found.weights[c, :m]))
            self.tree.improve(at, Proof("rowsum", point, float(found.bound[c])))

    def _consider(self, support: tuple[int, ...]) -> None:
        """Improve a support by best swaps and make it the incumbent if it is better."""
        found = Candidate.from_support(self.cov, support, method="branch and bound")
        if self.worth(found) <= self.lower:
            return
        if len(self.size.parts(self.cov.n)) > 1:  # swaps would violate the limits of the parts
            self.candidate, self.lower = found, self.worth(found)
            return
        # Swaps keep included variables and leave out excluded ones.
        support_of_swaps = swapped(self.cov, found.indices, self.conditions)
        polished = Candidate.from_support(self.cov, support_of_swaps, method="local_search")
        best = max(found, polished, key=self.worth)
        self.candidate, self.lower = best, self.worth(best)


def _positive(weights: Array) -> Array:
    return np.asarray(np.maximum(weights, 1e-300))
