"""Tasks are done once, here or by a pool, and their results are taken in order."""

import os
import signal
from concurrent.futures import Future
from contextlib import nullcontext
from functools import partial
from threading import Event, current_thread, main_thread

import numpy as np
import pytest
from pools import Elsewhere, Threads

from relaxspca.runtime import task_queue
from relaxspca.runtime.distributed import Shared, _executor, workers
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.task_queue import TaskQueue, ordered_map


def results(queue, bases):
    for base in bases:
        queue.add(pow, base, 2)
    return [queue.result() for _ in bases]


@pytest.mark.parametrize("room", [2, 3, 5])
def test_results_come_in_order_whoever_is_first(room):
    pool = Elsewhere(room)
    with TaskQueue(pool) as queue:
        assert results(queue, range(5)) == [0, 1, 4, 9, 16]
        assert len(queue) == 0
        assert 1 < pool.done <= 5


def test_nothing_is_sent_before_it_is_worth_it():
    """The search is old when the third task is due."""
    pool, young = Elsewhere(9), iter([False, False, *[True] * 9])
    with TaskQueue(pool, lambda: next(young)) as queue:
        assert results(queue, range(5)) == [0, 1, 4, 9, 16]
    assert pool.done == 3


def test_this_process_works_while_the_first_task_is_not_done():
    """The first task waits for the third, which nobody else can do: the pool has room for one."""
    happened = Event()
    with Threads() as pool, TaskQueue(pool) as queue:
        queue.add(happened.wait, 60)
        queue.add(str, 1)
        queue.add(happened.set)
        assert [queue.result() for _ in range(3)] == [True, "1", None]


def test_nothing_is_waited_for_before_the_pool_has_answered_once():
    """The thread of the pool waits for what comes after the first result."""
    happened = Event()
    with Threads() as pool, TaskQueue(pool) as queue:
        queue.add(lambda: current_thread() is main_thread() or happened.wait(60))
        assert queue.result()
        happened.set()


class Lost(Elsewhere):
    """A pool that goes away with what it was sent, once `count` tasks were."""

    losses = (ConnectionError,)

    def __init__(self, count, *, when_sending):
        super().__init__(9)
        self.left, self.when_sending, self.errors = count, when_sending, []

    def submit(self, packed):
        self.left -= 1
        if self.left < 0 and self.when_sending:
            raise ConnectionError
        return super().submit(packed if self.left > 0 else (gone, ()))

    def after(self, error):
        self.errors.append(error)


def gone(*_):
    raise ConnectionError


@pytest.mark.parametrize("when_sending", [True, False])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_what_a_lost_pool_had_is_done_here(count, when_sending):
    pool = Lost(count, when_sending=when_sending)
    with TaskQueue(pool) as queue:
        assert results(queue, range(6)) == [0, 1, 4, 9, 16, 25]
    assert len(pool.errors) == 1


def test_what_this_process_did_is_not_done_again_after_a_loss():
    """The pool is lost with the first task each time it is sent; the others are done here before."""
    calls, pool = [], Lost(0, when_sending=False)
    pool.room, pool.after = 1, lambda error: pool
    with TaskQueue(pool) as queue:
        for number in range(4):
            queue.add(calls.append, number)
        for _ in range(4):
            queue.result()
    assert sorted(calls) == [0, 1, 2, 3]


class Silent(Elsewhere):
    """A pool that never answers."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def submit(self, packed):
        self.asked.append(Future())
        return self.asked[-1]


def test_what_is_not_asked_for_is_dropped():
    pool = Silent()
    with TaskQueue(pool) as queue:
        for base in range(6):
            queue.add(pow, base, 2)
        assert queue.result() == 0
        assert [future.cancelled() for future in pool.asked] == [False] * 6
    assert [future.cancelled() for future in pool.asked] == [True] * 6


def test_an_error_of_a_task_is_raised():
    for pool in (None, Elsewhere(9)):
        with TaskQueue(pool) as queue:
            assert results(queue, [1, 1, 0]) == [1, 1, 0]
            queue.add(pow, 0, -1)
            with pytest.raises(ZeroDivisionError):
                queue.result()


def travelling():
    """Return tasks that reach processes which cannot import the tests."""

    def killed(parent):
        if os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return 7

    def total(shared, factor):
        return factor * shared.numbers.sum(), os.getpid()

    return killed, total


def submitted(pool, function, *arguments):
    return pool.submit(pool.packed(function, *arguments))


@pytest.fixture
def two_processes():
    """New ones, as those of another test may have been killed."""
    joblib = pytest.importorskip("joblib")
    _executor.cache_clear()
    with joblib.parallel_config(n_jobs=2), workers() as pool:
        yield pool


def test_processes_work_where_this_one_does(two_processes, tmp_path, monkeypatch):
    submitted(two_processes, os.getcwd).result()
    monkeypatch.chdir(tmp_path)
    assert os.path.samefile(submitted(two_processes, os.getcwd).result(), tmp_path)


def test_joblib_has_its_own_processes(two_processes):
    import joblib

    assert submitted(two_processes, pow, 2, 3).result() == 8
    assert joblib.Parallel()([joblib.delayed(pow)(3, 2)] * 2) == [9, 9]
    assert submitted(two_processes, pow, 3, 3).result() == 27


def test_tasks_are_done_here_where_there_is_no_room_for_what_is_shared(two_processes, tmp_path):
    two_processes._folder = str(tmp_path / "nowhere")
    with TaskQueue(two_processes) as queue:
        queue.add(travelling()[1], Shared(numbers=np.arange(4.0)), 2)
        assert queue.result() == (12.0, os.getpid())


def test_a_killed_process_is_replaced(two_processes):
    killed, total = travelling()
    future = submitted(two_processes, killed, os.getpid())
    with pytest.raises(two_processes.losses) as caught:
        future.result()
    assert two_processes.after(caught.value) is two_processes
    value, process = submitted(two_processes, total, Shared(numbers=np.arange(4.0)), 2).result()
    assert (value, process != os.getpid()) == (12.0, True)
    with TaskQueue(two_processes) as queue:
        for _ in range(3):
            queue.add(killed, os.getpid())
        assert [queue.result() for _ in range(3)] == [7, 7, 7]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_map_holds_no_more_items_than_twice_the_processors(n_jobs, monkeypatch):
    joblib = pytest.importorskip("joblib")
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    taken = []
    with joblib.parallel_config(n_jobs=n_jobs):
        mapped = ordered_map(abs, (taken.append(item) or item for item in range(-20, 0)))
        assert next(mapped) == 20
        assert len(taken) == (7 if n_jobs > 1 else 2)
        assert list(mapped) == list(range(19, 0, -1))


def test_nothing_follows_the_last_result(monkeypatch):
    """Alone it is kept; beside others, who may not have done what comes before it, Ctrl-C is raised."""
    begun = []

    def squared(number):
        begun.append(number)
        return number**2

    squares = partial(ordered_map, squared, range(9), is_last=lambda square: square == 4)
    assert list(squares()) == [0, 1, 4]
    assert begun == [0, 1, 2]
    monkeypatch.setattr(task_queue, "workers", lambda: nullcontext(Elsewhere(0)))
    kept, is_interrupted = until_interrupted(squares())
    assert (kept, is_interrupted, begun) == ([0, 1], True, [0, 1, 2] * 2)
