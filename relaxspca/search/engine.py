"""Branch and bound: the most promising node first, the tree kept as the proof.

Other processes search nodes ahead of the search (`search.ahead`). What they find is used when the node is the
most promising one, so that the tree does not depend on the number of processes.
"""

from __future__ import annotations

import copy
import heapq
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from relaxspca.numerics.linalg import Indices
from relaxspca.problem.covariance import Covariance
from relaxspca.results.progress import Progress
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.distributed import workers
from relaxspca.runtime.task_queue import PATIENCE, TaskQueue
from relaxspca.runtime.threads import one_thread
from relaxspca.search.ahead import Ahead, Open
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.proof_tree import Decision, Proof, ProofTree

C = TypeVar("C")  # an incumbent
N = TypeVar("N")  # what a node is
E = TypeVar("E")  # what evaluating it led to

DIVE_ABOVE = 3000  # open nodes above which the newest is taken first, to bound memory


class Engine(ABC, Generic[C, N, E]):
    """A search, its incumbent and its proof; what a node is and how it is bounded is for subclasses to say."""

    cov: Covariance
    MATRICES: ClassVar[tuple[str, ...]] = ("cov",)  # that other processes are sent once
    # What the search of a node by itself finds.
    FOUND: ClassVar[tuple[str, ...]] = ("tree", "candidate", "lower", "open_nodes", "_closed")

    def __init__(self, candidate: C, lower: float, root: Proof) -> None:
        self.candidate, self.lower = candidate, lower
        self.tree = ProofTree(root)
        self.node_count = 0
        self.deadline = FOREVER
        # (-bound, -number, open node): the largest bound first, of equal ones the newest.
        self._heap: list[tuple[float, int, Open]] = []
        self._taken: list[Open] = []  # being searched, one at most
        self._closed = -np.inf  # the largest bound of what is closed, levels of restrictions included
        self._count = 0
        self._ahead: Ahead | None = None
        self.history: list[Progress] = []  # after every node

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
        taken = (self.tree.proof(each.at).bound for each in self._taken)
        return max([self._closed, self.lower, *taken, *(-entry[0] for entry in self._heap[:1])])

    def offer(self, candidate: C, lower: float) -> None:
        """Make a candidate the incumbent if it is better."""
        if lower > self.lower:
            self.candidate, self.lower = candidate, lower

    def add(self, at: int, node: N) -> None:
        """Open node `at` of the tree unless its bound is at most the target."""
        self._open(Open(at, node, self.tree.proof(at)))

    def _open(self, each: Open) -> None:
        bound = each.proof.bound
        if bound <= self.target:
            self._shut(each.at)
            return
        self._count += 1
        heapq.heappush(self._heap, (-bound, -self._count, each))
        if self._ahead:
            self._ahead.add(each)

    def run(self, limits: SearchLimits = UNLIMITED, *, clock: Deadline | None = None) -> Status | None:
        """Search until all nodes are closed, a limit is reached, the callback returns True or Ctrl-C comes.

        Seconds of progress are those of the clock, by default from now on. Returned is why the search stopped,
        None if all nodes are closed; the bounds hold in every case.
        """
        clock, self.deadline = clock or Deadline.after(None), limits.deadline
        with workers() as pool, TaskQueue(pool, lambda: clock.elapsed > PATIENCE) as queue:
            self._ahead = Ahead(self, queue)
            try:
                while self._is_anything_open():
                    if limits.deadline.is_over:
                        return Status.TIME_LIMIT
                    if self.node_count >= limits.most_nodes:
                        return Status.NODE_LIMIT
                    self._advance(self._ahead)
                    count = len(self._heap)
                    progress = Progress(self.lower, self._upper_of_open, self.node_count, count, clock.elapsed)
                    self.history.append(progress)
                    if limits.is_stopped(progress):
                        return Status.INTERRUPTED
            except KeyboardInterrupt:
                return Status.INTERRUPTED
            finally:
                self._ahead = None
                while self._taken:
                    each = self._taken.pop()
                    self.add(each.at, each.node)
        return None

    def _is_anything_open(self) -> bool:
        """Say whether a node waits; all are closed once the incumbent is as good as the largest bound."""
        if self._heap and -self._heap[0][0] <= self.target:
            self._closed = max(self._closed, -self._heap[0][0])
            self._heap = []
        return bool(self._heap)

    def _advance(self, ahead: Ahead) -> None:
        """Search the most promising node, or use what was found ahead."""
        ahead.advance()
        each = self._take()
        self._taken, each.is_taken = [each], True
        # The last digits depend on the number of threads. Only a large root has all of them.
        with one_thread(0 if each.node.depth else self.cov.n):
            found = ahead.result(each)
            if found is None:
                self._search(each)
            else:
                self._merge(each, found)
        self.node_count += 1

    def _take(self) -> Open:
        """Remove and return the open node of largest bound, or the newest when too many are open."""
        if len(self._heap) <= DIVE_ABOVE:
            return heapq.heappop(self._heap)[-1]
        entry = min(self._heap, key=lambda entry: entry[1])
        self._heap.remove(entry)
        heapq.heapify(self._heap)
        return entry[-1]

    def _search(self, each: Open) -> None:
        """Evaluate a node and open its children."""
        outcome = self._expanded(each.at, each.node)
        self._taken = []
        self._absorb(each.at, outcome)

    @property
    def open_nodes(self) -> list[Open]:
        """The open nodes, the oldest first."""
        return [each for _, _, each in sorted(self._heap, key=lambda entry: entry[1], reverse=True)]

    def by_itself(self, each: Open) -> Self:
        """Return a search of one open node by itself, without the matrices."""
        alone = copy.copy(self)
        alone.tree, alone._heap, alone._taken = ProofTree(each.proof), [], [Open(0, each.node, each.proof)]
        alone._closed, alone._ahead, alone.history = -np.inf, None, []
        return alone

    def search_alone(self) -> dict[str, Any]:
        """Search the node of a search by itself, and return what is found."""
        self._search(self._taken[0])
        return {name: getattr(self, name) for name in self.FOUND}

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the matrices, which another process has (`search.ahead`)."""
        return {name: value for name, value in vars(self).items() if name not in self.MATRICES}

    def _merge(self, each: Open, found: dict[str, Any]) -> None:
        """Put what was found below an open node into the tree."""
        self._taken, place = [], self.tree.graft(each.at, found["tree"])
        self._closed = max(self._closed, found["_closed"])
        self.offer(found["candidate"], found["lower"])
        for below in found["open_nodes"]:
            below.at = place(below.at)
            self._open(below)

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
