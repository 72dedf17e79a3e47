"""Tasks whose results are taken in the order in which they were added, by this process and by others."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import RLock
from typing import Any, TypeVar

from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.distributed import Pool, Shared, on_workers, workers
from relaxspca.runtime.threads import one_thread

Result = TypeVar("Result")

PATIENCE = 0.5  # seconds before other processes are started, which takes as long; or after Ctrl-C


def ordered_map(
    function: Callable[..., Result],
    items: Iterable[Any],
    *shared: Shared,
    is_last: Callable[[Result], bool] = lambda _: False,
) -> Iterator[Result]:
    """Apply a function to what is shared and each item, here and by `workers`, and yield the results in order.

    At most twice as many items as processors are held at a time. The function and items are picklable. After a
    result that `is_last`, such as that of a search that Ctrl-C stopped, nothing is begun; where others work
    too, it is not yielded, and Ctrl-C is raised.

    Examples
    --------
    >>> list(ordered_map(abs, [-1, 2]))
    [1, 2]
    """
    clock = Deadline.after(None)
    with workers() as pool, TaskQueue(pool, lambda: clock.elapsed > PATIENCE) as queue:
        most = 2 * (os.cpu_count() or 1) if pool else 1
        task = partial(_by_itself, function, is_last) if pool else function
        for item in items:
            if len(queue) == most:
                yield (found := queue.result())
                if is_last(found):
                    return
            queue.add(task, *shared, item)
        while queue:
            yield queue.result()


def _by_itself(function: Callable[..., Result], is_last: Callable[[Result], bool], *arguments: Any) -> Result:
    """Do a task in one process and one thread: the others do other tasks."""
    with on_workers(1), one_thread(0):
        found = function(*arguments)
    if is_last(found):
        raise KeyboardInterrupt
    return found


@dataclass(eq=False)
class Task:
    """A call of a function, which somebody may have begun."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    packed: Any = None  # as it was before anybody began, which may change the arguments
    future: Any = None  # of the result, once somebody has begun

    @property
    def is_done(self) -> bool:
        """Whether there is a result."""
        return self.future is not None and bool(self.future.done())


class TaskQueue:
    """Tasks, sent to a pool as it has room; while the first is not done this process does others.

    What is found, and in which order, does not depend on where it is done. Nothing is sent before `is_worth_it`
    says so. What was under way when the pool is lost is done again.

    Examples
    --------
    >>> with TaskQueue(None) as queue:
    ...     task = queue.add(pow, 2, 3)
    ...     queue.result(task), len(queue)
    (8, 0)
    """

    def __init__(self, pool: Pool | None, is_worth_it: Callable[[], bool] = lambda: True) -> None:
        self._pool, self._is_worth_it = pool, is_worth_it
        self._tasks: deque[Task] = deque()
        self._sent: list[Any] = []  # futures of the pool
        self._has_answered = pool is not None and pool.is_ready
        self._lock = RLock()  # the pool says in a thread of its own that something is done

    def __enter__(self) -> TaskQueue:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Drop all tasks; those that have begun are done in vain."""
        with self._lock, suppress(*self._losses):
            self._tasks.clear()
            for future in self._sent:
                future.cancel()  # unless it has begun

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def room(self) -> int:
        """Number of tasks that the pool works on at a time, 0 as long as nothing is sent."""
        try:
            return self._pool.room if self._pool and self._is_worth_it() else 0
        except self._losses as error:
            self._lose(error)
            return 0

    def add(self, function: Callable[..., Any], *arguments: Any) -> Task:
        """Add a task at the end."""
        with self._lock:
            self._tasks.append(Task(function, arguments))
            return self._tasks[-1]

    def send(self) -> None:
        """Send what the pool has room for."""
        try:
            self._send(may_pack=True)
        except self._losses as error:
            self._lose(error)

    def result(self, of: Task | None = None) -> Any:
        """Return the result of a task, by default the first, which is removed."""
        wanted = of or self._tasks[0]
        while True:
            try:
                self._send(may_pack=True)
                while task := self._next_here(wanted):
                    task.future.set_result(task.function(*task.arguments))
                found = wanted.future.result()
                break
            except self._losses as error:
                self._lose(error)
        with self._lock:
            self._tasks.remove(wanted)
        return found

    @property
    def _losses(self) -> tuple[type[BaseException], ...]:
        return self._pool.losses if self._pool else ()

    def _lose(self, error: BaseException) -> None:
        """Go on after a loss; what this machine has is kept."""
        pool = self._pool and self._pool.after(error)  # without the lock, for which a dying pool may wait
        with self._lock:
            self._pool, self._sent, self._has_answered = pool, [], False
            for task in self._tasks:
                future = task.future
                is_here = isinstance(future, Future) and future.done() and not future.cancelled()
                task.future = future if is_here and future.exception() is None else None

    def _next_here(self, wanted: Task) -> Task | None:
        """Return what this process does now, if anything; before the pool has answered it waits for nothing."""
        with self._lock:
            if wanted.is_done:
                return None
            unbegun = wanted if wanted.future is None else self._waiting()
            task = unbegun or (None if self._has_answered else wanted)
            if task:
                task.future = Future()
            return task

    def _waiting(self) -> Task | None:
        return next((task for task in self._tasks if task.future is None), None)

    def _send(self, *, may_pack: bool = False) -> None:
        """Send what the pool has room for; tasks are packed first, while this process is at none."""
        with self._lock:
            if self._pool is None or not self._is_worth_it():
                return
            for each in self._tasks if may_pack else ():
                if each.future is None and each.packed is None:
                    each.packed = self._pool.packed(each.function, *each.arguments)
            count = len(self._sent)
            self._sent = [future for future in self._sent if not future.done()]
            self._has_answered |= len(self._sent) < count
            while len(self._sent) < self._pool.room and (task := self._waiting()) and task.packed is not None:
                task.future = self._pool.submit(task.packed)
                self._sent.append(task.future)
                task.future.add_done_callback(self._send_more)

    def _send_more(self, _: Any) -> None:
        """Send more, in a thread of the pool; whether it is lost `result` will notice."""
        with self._lock, suppress(*self._losses):
            self._send()
