"""Branch and bound: the most promising node first, the tree kept as the proof.

With several processes the nodes that come next are searched ahead, as units: an open node is searched by
itself, and the most promising below it. What was found is used when the node is the most promising one, if the
incumbent is still the same. So the tree does not depend on the number of processes.
"""

from __future__ import annotations

import copy
import heapq
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np

from relaxspca.numerics.linalg import Indices
from relaxspca.problem.covariance import Covariance
from relaxspca.results.progress import Progress
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.distributed import Shared, workers
from relaxspca.runtime.task_queue import PATIENCE, Task, TaskQueue
from relaxspca.runtime.threads import one_thread
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.proof_tree import Decision, Proof, ProofTree

C = TypeVar("C")  # an incumbent
N = TypeVar("N", bound="Open")  # an open node
E = TypeVar("E")  # what evaluating it led to

DIVE_ABOVE = 3000  # open nodes above which the newest is taken first, to bound memory


class Open(Protocol):
    """An open node."""

    @property
    def depth(self) -> int:
        """Number of splits above it."""


@dataclass
class Found:
    """What searching a node by itself led to, and what searching some of the nodes that it opened did."""

    parts: dict[str, Any]
    below: dict[int, Found] = field(default_factory=dict)  # by the numbers of the nodes


class Engine(ABC, Generic[C, N, E]):
    """A search, its incumbent and its proof; what a node is and how it is bounded is for subclasses to say."""

    cov: Covariance
    BUDGET: ClassVar[int] = 8  # most nodes of a unit
    MATRICES: ClassVar[tuple[str, ...]] = ("cov",)  # that units share
    # What a unit finds, beside the matrix.
    FOUND: ClassVar[tuple[str, ...]] = ("tree", "node_count", "candidate", "lower", "_heap", "_closed")

    def __init__(self, candidate: C, lower: float, root: Proof) -> None:
        self.candidate, self.lower = candidate, lower
        self.tree = ProofTree(root)
        self.node_count = 0
        self.deadline = FOREVER
        # (-bound, -number, place in the tree, node): the largest bound first, of equal ones the newest.
        self._heap: list[tuple[float, int, int, N]] = []
        self._taken: list[tuple[int, N]] = []  # being searched, one at most
        self._closed = -np.inf  # the largest bound of what is closed, levels of restrictions included
        self._count = 0
        # By the numbers of open nodes: tasks that search them, or what was found, for one `lower` and `target`.
        self._ahead: dict[int, Task | Found] = {}
        self._ahead_of = 0.0, 0.0

    @property
    @abstractmethod
    def target(self) -> float:
        """Bound at which a node is closed."""

    @abstractmethod
    def _expanded(self, at: int, node: N) -> E:
        """Evaluate a node; nothing of the search is changed."""

    @abstractmethod
    def _absorb(self, at: int, outcome: E) -> None:
        """Update the incumbent and the tree with the outcome of a node, and open its children."""

    @property
    def upper(self) -> float:
        """Proved bound over everything, open or closed."""
        return max(self.tree.upper, self.lower)

    @property
    def _upper_of_open(self) -> float:
        """The same from the nodes that are open, without a walk of the tree."""
        taken = (self.tree.proof(at).bound for at, _ in self._taken)
        return max([self._closed, self.lower, *taken, *(-entry[0] for entry in self._heap[:1])])

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
        with workers() as pool, TaskQueue(pool, lambda: clock.elapsed > PATIENCE) as queue:
            return self._run(limits, clock, queue)

    def _run(self, limits: SearchLimits, clock: Deadline, queue: TaskQueue) -> Status | None:
        try:
            while self._is_anything_open():
                if limits.deadline.is_over:
                    return Status.TIME_LIMIT
                if self.node_count >= limits.most_nodes:
                    return Status.NODE_LIMIT
                self._advance(queue)
                progress = Progress(
                    self.lower, self._upper_of_open, self.node_count, len(self._heap), clock.elapsed
                )
                if limits.is_stopped(progress):
                    return Status.INTERRUPTED
        except KeyboardInterrupt:
            return Status.INTERRUPTED
        finally:
            self._ahead = {}
            while self._taken:
                self.add(*self._taken.pop())
        return None

    def _is_anything_open(self) -> bool:
        """Say whether a node waits; all are closed once the incumbent is as good as the largest bound."""
        if self._heap and -self._heap[0][0] <= self.target:
            self._closed = max(self._closed, -self._heap[0][0])
            self._heap = []
        return bool(self._heap)

    def _advance(self, queue: TaskQueue) -> None:
        """Search the most promising node, or use what was found ahead."""
        self._search_ahead(queue)
        number, at, node = self._take()
        self._taken, ahead = [(at, node)], self._ahead.pop(number, None)
        # The last digits depend on the number of threads. Only a large root has all of them.
        with one_thread(0 if node.depth else self.cov.n):
            if ahead is not None:
                found = queue.result(ahead) if isinstance(ahead, Task) else ahead
                self._taken = []
                self._merge(at, found)
                return
            self._search(at, node)

    def _search(self, at: int, node: N) -> None:
        """Evaluate the node that is taken, and open its children."""
        outcome = self._expanded(at, node)
        self._taken = []
        self.node_count += 1
        self._absorb(at, outcome)

    def _next(self, most: int) -> list[tuple[float, int, int, N]]:
        """Return the open nodes of largest bound, or the newest when too many are open."""
        is_dive = len(self._heap) > DIVE_ABOVE
        return heapq.nsmallest(most, self._heap, key=(lambda entry: entry[1]) if is_dive else None)

    def _take(self) -> tuple[int, int, N]:
        """Remove and return the open node that is searched next."""
        if len(self._heap) > DIVE_ABOVE:
            [entry] = self._next(1)
            self._heap.remove(entry)
            heapq.heapify(self._heap)
        else:
            entry = heapq.heappop(self._heap)
        return entry[1:]

    def _search_ahead(self, queue: TaskQueue) -> None:
        """Let the nodes that come next be searched, as many at a time as keep the processes at work."""
        state = self.lower, self.target
        if state != self._ahead_of:
            queue.clear()
            self._ahead, self._ahead_of = {}, state
        tasks = (task for task in self._ahead.values() if isinstance(task, Task))
        missing = 2 * (queue.room + 1) - sum(not task.is_done for task in tasks)
        if not queue.room or len(self._heap) == 1 or missing <= 0 or self.deadline.is_over:
            return
        new = [entry for entry in self._next(missing + len(self._ahead)) if entry[1] not in self._ahead]
        for _, number, at, node in new[:missing]:
            self._ahead[number] = queue.add(searched_unit, self._matrices, self._unit(at, node), self.deadline)
        queue.send()

    def _unit(self, at: int, node: N) -> Self:
        """Return a search of one open node by itself."""
        unit = copy.copy(self)
        unit.tree, unit._heap, unit._taken = ProofTree(self.tree.proof(at)), [], [(0, node)]
        unit.node_count, unit._closed, unit._ahead = 0, -np.inf, {}
        return unit

    def _found(self) -> Found:
        """Search the node of a unit, and return what it led to."""
        self._search(*self._taken[0])
        return Found({name: getattr(self, name) for name in self.FOUND})

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the matrices, which a copy shares and another process has: `using` adds them."""
        left_out = {*self.MATRICES, "_matrices"}
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def using(self, matrices: Shared) -> Self:
        """Return the search itself, of these matrices."""
        vars(self).update(vars(matrices))
        return self

    def _merge(self, at: int, found: Found) -> None:
        """Put what was found below an open node into the tree."""
        parts = found.parts
        place = self.tree.graft(at, parts["tree"])
        self.node_count += parts["node_count"]
        self._closed = max(self._closed, parts["_closed"])
        self.offer(parts["candidate"], parts["lower"])
        for _, number, below, node in sorted(parts["_heap"], key=lambda entry: entry[1], reverse=True):
            self.add(place(below), node)
            if number in found.below:
                self._ahead[-self._count] = found.below[number]

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


def searched_unit(matrices: Shared, unit: Engine[Any, Any, Any], deadline: Deadline) -> Found:
    """Search the node of a unit and the most promising below it, and return what each of them led to."""
    with one_thread(0):
        unit.using(matrices).deadline = deadline
        state, numbers = (unit.lower, unit.target), count()
        first = found = unit._found()
        waiting: list[Any] = []
        for _ in range(unit.BUDGET - 1):
            for entry in sorted(unit._heap):
                heapq.heappush(waiting, (entry[0], next(numbers), entry, unit, found))
            if not waiting or (unit.lower, unit.target) != state or deadline.is_over:
                break
            _, _, (_, number, at, node), above, beside = heapq.heappop(waiting)
            unit = above._unit(at, node).using(matrices)
            beside.below[number] = found = unit._found()
    return first
