"""One clock: what is left of a limit, what was spent, and both on a machine whose clock counts differently."""

import pickle
import time

import pytest

from relaxspca.runtime.deadline import FOREVER, Deadline, TimeIsOverError


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is moved."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_a_limit_runs_out(clock):
    deadline = Deadline.after(10)
    assert (deadline.left, deadline.elapsed, deadline.is_over) == (10, 0, False)
    clock[0] += 4
    assert (deadline.left, deadline.elapsed, deadline.share(3), deadline.is_over) == (6, 4, 2, False)
    part = deadline.part(3)
    assert (part.left, part.elapsed, deadline.part(1).left) == (2, 0, 6)
    clock[0] += 6
    assert (deadline.left, deadline.is_over, part.is_over) == (0, True, True)
    clock[0] += 5
    assert (deadline.left, deadline.share(2), deadline.elapsed) == (0, 0, 15)


def test_no_limit_never_runs_out(clock):
    deadline = Deadline.after(None)
    clock[0] += 1e9
    assert (deadline.left, deadline.share(5), deadline.is_over) == (None, None, False)
    assert (FOREVER.left, FOREVER.is_over, FOREVER.part(2).left) == (None, False, None)


def test_on_another_machine_the_seconds_count_and_not_the_clock(clock):
    limited, free = Deadline.after(10), Deadline.after(None)
    clock[0] += 3
    sent = pickle.dumps((limited, free))
    clock[0] = 5.0
    there, free_there = pickle.loads(sent)
    assert (there.left, there.elapsed, there.is_over) == (7, 3, False)
    assert free_there.left is None
    clock[0] += 8
    assert there.is_over


def test_time_in_the_queue_of_another_process_of_the_machine_counts(clock, monkeypatch):
    monkeypatch.setattr(time, "time", lambda: clock[0] + 1e9)
    sent = pickle.dumps((Deadline.after(10), Deadline.after(None)))
    clock[0] += 11
    there, free_there = pickle.loads(sent)
    assert (there.left, there.elapsed, there.is_over, free_there.left) == (0, 11, True, None)


def test_a_decomposition_is_begun_only_if_there_is_time_for_it(clock):
    deadline = Deadline.after(1.5)
    assert deadline.allows(1700)
    assert not deadline.allows(2000)
    assert not deadline.allows(1700, times=2)
    deadline.check()
    clock[0] += 1
    assert not deadline.allows(1700)
    assert FOREVER.allows(10**6)
    clock[0] += 1
    with pytest.raises(TimeIsOverError):
        deadline.check()
