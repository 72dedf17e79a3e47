"""Search nodes in other processes before the search comes to them.

A node is searched by itself, and then the nodes that it opens are, the most promising first. What is found
serves as long as the incumbent and the target are the same: it is what the search would find.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count
from typing import Any

from relaxspca.runtime.distributed import Shared
from relaxspca.runtime.task_queue import TaskQueue
from relaxspca.runtime.threads import one_thread
from relaxspca.search.proof_tree import Proof


@dataclass(eq=False)
class Open:
    """An open node, its place in the tree, its proof, the task that searches it ahead, and what that found."""

    at: int
    node: Any
    proof: Proof
    task: Any = None
    found: Any = None
    is_taken: bool = False


class Ahead:
    """The nodes that a search will come to, those that are being searched, and the tasks that do it."""

    def __init__(self, search: Any, queue: TaskQueue) -> None:
        self._search, self._queue, self._numbers = search, queue, count()
        self._matrices = Shared(**{name: getattr(search, name) for name in search.MATRICES})
        # The incumbent's value and the target of what is found; None where no others work.
        self._state: tuple[float, float] | None = None
        self._waiting: list[tuple[float, int, Open]] = []  # the most promising first
        self._begun: list[Open] = []

    def add(self, each: Open) -> None:
        """Add a node that was opened."""
        if self._state:
            heapq.heappush(self._waiting, (-each.proof.bound, next(self._numbers), each))

    def advance(self) -> None:
        """Let as many nodes be searched at a time as keep the processes at work."""
        room, search = self._queue.room, self._search
        state = (search.lower, search.target) if room else None
        if state != self._state:
            self._begin_anew(state)
        for each in [each for each in self._begun if each.task.is_done]:
            self.result(each)
        # One at work and one to come for each process, where there are others. A root has all threads here.
        while room and self._waiting and len(self._begun) < 2 * (room + 1):
            each = heapq.heappop(self._waiting)[-1]
            if each.task is None and not each.is_taken and each.node.depth:
                alone = search.by_itself(each)
                each.task = self._queue.add(searched, self._matrices, alone, search.deadline)
                self._begun.append(each)
        self._queue.send()

    def _begin_anew(self, state: tuple[float, float] | None) -> None:
        """Forget what was found for another incumbent or target."""
        self._queue.clear()
        self._state, self._waiting, self._begun = state, [], []
        for each in self._search.open_nodes:
            each.task = each.found = None
            self.add(each)

    def result(self, each: Open) -> Any:
        """Return what was found of a node, None if nobody has begun; what is under way is waited for."""
        if each in self._begun:
            each.found = self._queue.result(each.task)
            self._begun.remove(each)
            for below in each.found["open_nodes"]:
                self.add(below)
        return each.found


def searched(matrices: Shared, alone: Any, deadline: Any) -> Any:
    """Search a node by itself, in whatever process, and return what is found."""
    with one_thread(0):
        vars(alone).update(vars(matrices), deadline=deadline)
        return alone.search_alone()
