"""Branch and bound: the most promising nodes first, the tree kept as the proof.

Once some nodes are open the search is of units: a unit is an open node that is searched for a few nodes by
itself, with the incumbent of the moment. Another is begun whenever the oldest is merged. Neither the units nor
the order in which they are merged depend on the number of processes, and so the tree does not.
"""

from __future__ import annotations

import copy
import heapq
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from relaxspca.numerics.linalg import Indices
from relaxspca.results.progress import Progress
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.distributed import Shared, workers
from relaxspca.runtime.task_queue import PATIENCE, TaskQueue
from relaxspca.runtime.threads import one_thread
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.proof_tree import Decision, Proof, ProofTree

C = TypeVar("C")  # an incumbent
N = TypeVar("N")  # an open node
E = TypeVar("E")  # what evaluating it led to

DIVE_ABOVE = 3000  # open nodes above which the newest are taken first, to bound memory


class Engine(ABC, Generic[C, N, E]):
    """A search, its incumbent and its proof; what a node is and how it is bounded is for subclasses to say."""

    ROUND: ClassVar[int] = 8  # nodes that are evaluated at once, and of a unit
    FEWEST: ClassVar[int] = 4  # open nodes from which they are searched as units
    UNITS: ClassVar[tuple[int, int]] = 32, 128  # most units at a time, at first and in a large tree
    MATRICES: ClassVar[tuple[str, ...]] = ("cov",)  # that units share
    # What a unit finds, beside the matrix.
    FOUND: ClassVar[tuple[str, ...]] = ("tree", "node_count", "candidate", "lower", "_heap", "_closed")

    def __init__(self, candidate: C, lower: float, root: Proof) -> None:
        self.candidate, self.lower = candidate, lower
        self.tree = ProofTree(root)
        self.node_count, self._is_unit = 0, False
        self.deadline = FOREVER
        # (-bound, -number, place in the tree, node): the largest bound first, of equal ones the newest.
        self._heap: list[tuple[float, int, int, N]] = []
        self._taken: list[tuple[int, N]] = []  # being searched
        self._closed = -np.inf  # the largest bound of what is closed, levels of restrictions included
        self._count = 0

    @property
    @abstractmethod
    def target(self) -> float:
        """Bound at which a node is closed."""

    @abstractmethod
    def _expanded(self, at: int, node: N) -> E:
        """Evaluate a node; nothing of the search is changed."""

    @abstractmethod
    def _absorb(self, batch: list[tuple[int, N]], outcomes: list[E]) -> None:
        """Update the incumbent and the tree with the outcomes of a round, and open the children."""

    @property
    def upper(self) -> float:
        """Proved bound over everything, open or closed."""
        return max(self.tree.upper, self.lower)

    @property
    def _upper_of_open(self) -> float:
        """The same from the nodes that are open, without a walk of the tree."""
        taken = (self.tree.proof(at).bound for at, _ in self._taken)
        return max([self._closed, self.lower, *taken, *(-entry[0] for entry in self._heap)])

    def offer(self, candidate: C, lower: float) -> None:
        """Make a candidate the incumbent if it is better."""
        if lower > self.lower:
            self.candidate, self.lower = candidate, lower

    def add(self, at: int, node: N) -> None:
        """Open node `at` of the tree unless its bound is at most the target."""
        bound = self.tree.proof(at).bound
        if bound <= self.target:
            self._shut(at)
            return
        self._count += 1
        heapq.heappush(self._heap, (-bound, -self._count, at, node))

    def run(self, limits: SearchLimits = UNLIMITED, *, clock: Deadline | None = None) -> Status | None:
        """Search until all nodes are closed, a limit is reached, the callback returns True or Ctrl-C comes.

        Seconds of progress are those of the clock, by default from now on. Returned is why the search stopped,
        None if all nodes are closed; the bounds hold in every case.
        """
        clock, self.deadline = clock or Deadline.after(None), limits.deadline
        self._matrices = Shared(**{name: getattr(self, name) for name in self.MATRICES})
        with (
            nullcontext() if self._is_unit else workers() as pool,
            TaskQueue(pool, lambda: clock.elapsed > PATIENCE) as units,
        ):
            return self._run(limits, clock, units)

    def _run(self, limits: SearchLimits, clock: Deadline, units: TaskQueue) -> Status | None:
        try:
            while self._is_anything_open() or self._taken:
                if limits.deadline.is_over and not self._taken:
                    return Status.TIME_LIMIT
                if self.node_count >= limits.most_nodes:
                    return Status.NODE_LIMIT
                self._advance(limits.most_nodes - self.node_count, units)
                count = len(self._heap) + len(self._taken)
                progress = Progress(self.lower, self._upper_of_open, self.node_count, count, clock.elapsed)
                if limits.is_stopped(progress):
                    return Status.INTERRUPTED
        except KeyboardInterrupt:
            return Status.INTERRUPTED
        finally:
            while self._taken:
                self.add(*self._taken.pop())
        return None

    def _is_anything_open(self) -> bool:
        """Say whether a node waits; all are closed once the incumbent is as good as the largest bound."""
        if self._heap and -self._heap[0][0] <= self.target:
            self._closed = max(self._closed, -self._heap[0][0])
            self._heap = []
        return bool(self._heap)

    def _advance(self, left: float, units: TaskQueue) -> None:
        """Search the most promising nodes a little further, `left` at most."""
        if not self._is_unit and (self._taken or len(self._heap) >= self.FEWEST):
            self._begin_units(left, units)
        if self._taken:
            found = units.result()
            self._merge(self._taken.pop(0)[0], found)
            return
        self._taken = self._take(int(min(self.ROUND, left)))
        outcomes = [self._expanded(at, node) for at, node in self._taken]
        batch, self._taken = self._taken, []
        self.node_count += len(batch)
        self._absorb(batch, outcomes)

    def _begin_units(self, left: float, units: TaskQueue) -> None:
        """Begin as many units as there may be; after the deadline none, and those begun soon end."""
        least, most = self.UNITS
        most = min(max(least, self.node_count // (2 * self.ROUND)), most)  # half as many nodes as are done
        most = min(most, int(left // self.ROUND)) if left < np.inf else most
        while len(self._taken) < most and not self.deadline.is_over and self._is_anything_open():
            [(at, node)] = self._take(1)
            self._taken.append((at, node))
            units.add(searched_unit, self._matrices, self._unit(at, node), self.deadline, self.ROUND)

    def _unit(self, at: int, node: N) -> Self:
        """Return a search of one open node by itself."""
        unit = copy.copy(self)
        unit.tree, unit._heap, unit._taken = ProofTree(self.tree.proof(at)), [], []
        unit.node_count, unit._closed, unit._is_unit = 0, -np.inf, True
        unit.add(0, node)
        return unit

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the matrices, which a copy shares and another process has: `using` adds them."""
        left_out = {*self.MATRICES, "_matrices"}
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def using(self, matrices: Shared) -> Self:
        """Return the search itself, of these matrices."""
        vars(self).update(vars(matrices))
        return self

    def _merge(self, at: int, found: dict[str, Any]) -> None:
        """Put what was found below an open node into the tree."""
        place = self.tree.graft(at, found["tree"])
        self.node_count += found["node_count"]
        self._closed = max(self._closed, found["_closed"])
        self.offer(found["candidate"], found["lower"])
        for _, _, below, node in sorted(found["_heap"], key=lambda entry: entry[1], reverse=True):
            self.add(place(below), node)

    def _take(self, count: int) -> list[tuple[int, N]]:
        """Remove and return the open nodes of largest bound, or the newest when too many are open."""
        if len(self._heap) > DIVE_ABOVE:
            self._heap.sort(key=lambda entry: entry[1])
            taken, self._heap = self._heap[:count], self._heap[count:]
            heapq.heapify(self._heap)
        else:
            taken = [heapq.heappop(self._heap) for _ in range(min(count, len(self._heap)))]
        return [(at, node) for _, _, at, node in taken]

    def _decide(self, at: int, decisions: Sequence[tuple[Decision | Indices, Proof]]) -> int:
        """Split a node on decisions, or variables kept, whose other sides proofs close; return what is left."""
        for decision, proof in decisions:
            if not isinstance(decision, Decision):
                self._closed = max(self._closed, proof.bound)
                at = self.tree.restrict(at, proof, decision)
                continue
            inside, outside = self.tree.split(at, decision.variable, decision.part)
            closed, at = (outside, inside) if decision.is_inside else (inside, outside)
            self.tree.improve(closed, proof)
            self._shut(closed)
        return at

    def _shut(self, at: int) -> None:
        """Count the bound of a closed node towards that of the search."""
        self._closed = max(self._closed, self.tree.proof(at).bound)


def searched_unit(
    matrices: Shared, unit: Engine[Any, Any, Any], deadline: Deadline, budget: int
) -> dict[str, Any]:
    """Search a unit for so many nodes, in whatever process, and return what it found."""
    with one_thread(0):  # the last digits depend on the number of threads
        status = unit.using(matrices).run(SearchLimits(deadline, budget))
    if status is Status.INTERRUPTED:
        raise KeyboardInterrupt  # the other units are not to be searched either
    return {name: getattr(unit, name) for name in unit.FOUND}
