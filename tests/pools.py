"""Pools that show what a queue of tasks does with one: copies in another order, and a thread."""

from concurrent.futures import Future, ThreadPoolExecutor
from copy import deepcopy

import relaxspca as rs
from relaxspca.runtime.distributed import Pool


def agree(alone, together):
    """Check that a search in several places has the tree of the same search in one."""
    assert (alone.lower, alone.upper, alone.node_count) == (together.lower, together.upper, together.node_count)
    assert alone.certificate.tree == together.certificate.tree
    assert len(alone.certificate.points) == len(together.certificate.points)  # what leaves share is there once
    assert alone.node_count > 2
    assert rs.verify(together.certificate)


class Here(Pool):
    """What pools of one process have in common."""

    losses = ()
    is_ready = False

    def place(self, shared):
        return shared

    def packed(self, function, *arguments):
        return function, arguments

    def after(self, error):
        raise AssertionError(error)


class Elsewhere(Here):
    """Does tasks as other processes would: with copies, two at a time, the second first."""

    def __init__(self, room=9):
        self.room, self.done, self._pending = room, 0, []

    def submit(self, packed):
        future = _Late(self)
        self._pending.append((future, deepcopy(packed)))
        if len(self._pending) > 1:
            self.work()
        return future

    def work(self):
        while self._pending:
            future, (function, arguments) = self._pending.pop()
            if future.cancelled():
                continue
            self.done += 1
            try:
                found = deepcopy(function(*arguments))
            except (ArithmeticError, ConnectionError) as error:
                future.set_exception(error)
            else:
                future.set_result(found)


class _Late(Future):
    """What is done at the latest when it is asked for."""

    def __init__(self, pool):
        super().__init__()
        self._pool = pool

    def add_done_callback(self, function):
        pass  # another process would say it later, in a thread

    def result(self, timeout=None):
        self._pool.work()
        return super().result(0)


class Threads(Here):
    """One thread."""

    room = 1

    def __enter__(self):
        self._thread = ThreadPoolExecutor(1)
        return self

    def __exit__(self, *_):
        self._thread.shutdown()

    def submit(self, packed):
        function, arguments = packed
        return self._thread.submit(function, *arguments)
