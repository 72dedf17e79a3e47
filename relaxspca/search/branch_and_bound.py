"""Branch and bound: rounds of the most promising nodes, the tree kept as the proof.

Once some nodes are open a round is of units: a unit is an open node that is searched for a few nodes by itself,
with the incumbent of the round. The units and the order in which they are merged do not depend on the number
of processes, and neither does the tree.
"""

from __future__ import annotations

import copy
import heapq
from collections.abc import Callable, Iterator
from itertools import chain, starmap
from typing import Any, ClassVar, Self

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
from relaxspca.runtime.distributed import Shared, Spread
from relaxspca.search.evaluate import Effort, expand
from relaxspca.search.heavy_rows import Restriction
from relaxspca.search.node import Division, Expansion, OpenNode
from relaxspca.search.proof_tree import Proof, ProofTree

__all__ = ["Plan", "Search", "searched_unit"]

Plan = Callable[[OpenNode, Deadline], Effort]

ROUND = 8  # nodes that are evaluated at once
FEWEST, MOST, BUDGET = 4, 32, ROUND  # units a round, and nodes of each
PATIENCE = 1.0  # seconds before other processes are started, which takes about as long
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

    can_restrict: ClassVar[bool] = True  # whether claims of this kind know blocks of heavy rows
    MATRICES: ClassVar[tuple[str, ...]] = ("cov",)
    FOUND: ClassVar[tuple[str, ...]] = ("tree", "node_count", "candidate", "lower", "_heap", "_closed")

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
        self.node_count, self.is_open, self._is_unit = 0, False, False
        self.deadline = FOREVER
        self._heap: list[tuple[float, int, int, OpenNode]] = []
        self._taken: list[tuple[int, OpenNode]] = []  # being searched
        self._closed = -np.inf
        self._count = 0

    @property
    def scale(self) -> float:
        """Denominator of the relative width where the value cannot serve: at a penalty, or where it is 0."""
        return self._largest if self.size.is_penalised else vanishing(self.lower, self._largest)

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
        """Proved bound over everything, open or closed."""
        taken = (self.tree.proof(at).bound for at, _ in self._taken)
        return max([self._closed, self.lower, *taken, *(-entry[0] for entry in self._heap)])

    @property
    def upper_of_closed(self) -> float:
        """Proved bound over what is closed; minus infinity if nothing is."""
        return float(self._closed)

    def add(self, at: int, node: OpenNode) -> None:
        """Open node `at` of the tree unless its bound is at most the target."""
        bound = self.tree.proof(at).bound
        if bound <= self.target:
            self._closed = max(self._closed, bound)
            return
        self._count += 1
        heapq.heappush(self._heap, (-bound, -self._count, at, node))

    def restrict(self, at: int, restriction: Restriction) -> int:
        """Leave few variables to a node; return its child."""
        point = WeightsPoint(variables=restriction.variables, weights=restriction.weights)
        self._closed = max(self._closed, restriction.level)
        return self.tree.restrict(at, Proof("rowsum", point, restriction.level), restriction.kept)

    def run(
        self,
        plan: Plan,
        *,
        deadline: Deadline = FOREVER,
        node_limit: float = np.inf,
        callback: Callable[[Progress], Any] | None = None,
        spread: Spread = starmap,
    ) -> Status | None:
        """Search until all nodes are closed, a limit is reached or the callback returns True.

        Parameters
        ----------
        plan : how hard to try at a node, given a deadline.
        deadline, node_limit, callback : when to stop.
        spread : applies a function to lists of arguments and yields the results in their order.

        Returns
        -------
        Status or None
            Why the search stopped; None if all nodes are closed. The bounds hold in every case.
        """
        clock, self.deadline = Deadline.after(None), deadline
        self._matrices = Shared(**{name: getattr(self, name) for name in self.MATRICES})
        while self._heap:
            if deadline.is_over:
                return Status.TIME_LIMIT
            if self.node_count >= node_limit:
                return Status.NODE_LIMIT
            try:
                where = spread if clock.elapsed > PATIENCE else starmap
                for _ in self._round(plan, node_limit - self.node_count, where):
                    count = len(self._heap) + len(self._taken)
                    progress = Progress(self.lower, self.upper, self.node_count, count, clock.elapsed)
                    if callback is not None and callback(progress):
                        return Status.INTERRUPTED
            except KeyboardInterrupt:
                return Status.INTERRUPTED
            finally:
                while self._taken:
                    self.add(*self._taken.pop())
        return None

    def _round(self, plan: Plan, left: float, spread: Spread) -> Iterator[None]:
        """Search the most promising nodes a little further; yield whenever some of it is in the tree."""
        if self._is_unit or len(self._heap) < FEWEST:
            self._taken = self._take(int(min(ROUND, left)))
            outcomes = [self._expanded(at, node, plan) for at, node in self._taken]
            batch, self._taken = self._taken, []
            self.node_count += len(batch)
            self._absorb(batch, outcomes)
            yield
            return
        budget = int(min(BUDGET, left))
        self._taken = self._take(int(min(MOST, left // budget)))
        units = [self._unit(at, node) for at, node in self._taken]
        tasks = ((self._matrices, unit, plan, self.deadline, budget) for unit in units)
        for found in spread(searched_unit, tasks):
            at, _ = self._taken.pop(0)
            self._merge(at, found)
            yield

    def _expanded(self, at: int, node: OpenNode, plan: Plan) -> Expansion:
        effort = plan(node, self.deadline)
        return expand(self.cov, self.size, node, self.tree.proof(at), self.aim, self.target, effort)

    def _unit(self, at: int, node: OpenNode) -> Self:
        """Return a search of one open node by itself."""
        unit = copy.copy(self)
        unit.tree, unit._heap, unit._taken = ProofTree(self.tree.proof(at)), [], []
        unit.node_count, unit._closed, unit._is_unit = 0, -np.inf, True
        unit.add(0, node)
        for name in (*self.MATRICES, "_matrices"):
            delattr(unit, name)
        return unit

    def findings(self) -> dict[str, Any]:
        """Return what a unit found, without the matrix."""
        return {name: getattr(self, name) for name in self.FOUND}

    def _merge(self, at: int, found: dict[str, Any]) -> None:
        """Put what was found below an open node into the tree."""
        place = self.tree.graft(at, found["tree"])
        self.node_count += found["node_count"]
        self._closed = max(self._closed, found["_closed"])
        if found["lower"] > self.lower:
            self.candidate, self.lower = found["candidate"], found["lower"]
        for _, _, below, node in sorted(found["_heap"], key=lambda entry: entry[1], reverse=True):
            self.add(place(below), node)

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


def searched_unit(
    matrices: Shared, unit: Search, plan: Plan, deadline: Deadline, budget: int
) -> dict[str, Any]:
    """Search a unit for so many nodes, in whatever process, and return what it found."""
    vars(unit).update(vars(matrices))
    if unit.run(plan, deadline=deadline, node_limit=budget) is Status.INTERRUPTED:
        raise KeyboardInterrupt  # what is left of the round is not to be searched either
    return unit.findings()


def _positive(weights: Array) -> Array:
    return np.asarray(np.maximum(weights, 1e-300))
