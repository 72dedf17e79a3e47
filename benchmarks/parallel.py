"""What do two processes gain? Searches, a table and a path with one and with two, and what more would gain.

Writes parallel. The same trees, bit for bit, are asserted. More processes are simulated: the seconds of every
unit, measured in one process, are put on so many, of which the first also does what is no unit.
"""

from __future__ import annotations

import argparse
import heapq
import math
import os
import re
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

from distributed import Client, LocalCluster
from matrices import covariance
from tables import write_table

import relaxspca as rs
from relaxspca.runtime.task_queue import TaskQueue
from relaxspca.search import engine

Verb = Callable[..., Any]  # of a covariance, with `n_jobs`, `client` and `time_limit`

RESULTS = Path(__file__).parent / "results"


def search(k: int) -> Verb:
    """Return the search for the best component of k variables."""
    return lambda cov, **how: rs.solve(cov, k, **how)


CASES: tuple[tuple[str, str, Verb], ...] = (
    ("noise 60 60 1", "k = 10", search(10)),
    ("noise 80 80 2", "k = 12", search(12)),
    ("noise 100 100 1", "k = 15", search(15)),
    ("noise 100 100 0", "k = 20", search(20)),
    ("ties 120 8 0", "k = 20", search(20)),
    ("noise 200 200 0", "k = 15", search(15)),
    ("wine", "10, 10, 10 together", lambda cov, **how: rs.components(cov, 10, 3, joint=True, **how)),
    ("colon500", "path, k = 1 to 30", lambda cov, **how: rs.path(cov, k=range(1, 31), **how)),
)
PROCESSES = (2, 4, 16, 64)
REPEATS, ENOUGH = 9, 50  # most runs of every way, in turn; none after so many seconds by one process
# What docs/many_cores.md tells users to set, and why.
ON_DASK = {"MALLOC_TRIM_THRESHOLD_": str(2**28), "MALLOC_MMAP_THRESHOLD_": str(2**25)}


class Timed(TaskQueue):
    """A queue of this process that remembers what was added and done, in order."""

    events: ClassVar[list[float | None]] = []  # None where a task is added, else what the first one took

    def add(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Add a task at the end."""
        self.events.append(None)
        super().add(function, *arguments)

    def result(self) -> Any:
        """Return the result of the first task."""
        begin = time.perf_counter()
        found = super().result()
        self.events.append(time.perf_counter() - begin)
        return found


class Simulated:
    """Processes that do the tasks of a search; the first works while it would wait."""

    def __init__(self, processes: int, lengths: Sequence[float], alone: float) -> None:
        self.lengths, self.now = lengths, alone
        self.free = [alone] * (processes - 1)  # when each of the others is
        self.added: list[float] = []
        self.waiting: deque[int] = deque()  # tasks that nobody has begun
        self.done: dict[int, float] = {}

    def add(self) -> None:
        """Add a task, which others may begin."""
        self.waiting.append(len(self.added))
        self.added.append(self.now)

    def take(self, first: int) -> None:
        """Let the time pass until the first task is done."""
        self._others()
        while self.done.get(first, math.inf) > self.now and self.waiting:
            task = self.waiting.popleft()
            self.now = self.done[task] = self.now + self.lengths[task]
            self._others()
        self.now = max(self.now, self.done[first])

    def _others(self) -> None:
        while self.waiting and self.free and self.free[0] <= self.now:
            task = self.waiting.popleft()
            self.done[task] = max(self.free[0], self.added[task]) + self.lengths[task]
            heapq.heapreplace(self.free, self.done[task])


def simulated(seconds: float, events: Sequence[float | None], processes: int) -> float:
    """Return how long so many processes would take for what takes one process so many seconds."""
    lengths = [event for event in events if event is not None]
    run, first = Simulated(processes, lengths, seconds - sum(lengths)), 0
    for event in events:
        if event is None:
            run.add()
        else:
            run.take(first)
            first += 1
    return run.now


def measured(name: str, what: str, verb: Verb, limit: float) -> dict[str, Any]:
    """Return the row of one case: by one process, by two, and by the two workers of a new cluster."""
    cov = covariance(name)
    ways: dict[str, list[float]] = {"seconds": [], "with two": [], "with dask": []}
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        client.run(prepared)
        for _ in range(REPEATS):
            Timed.events.clear()
            with mock.patch.object(engine, "TaskQueue", Timed):
                alone, last = clocked(verb, cov, n_jobs=1, time_limit=limit)
            others = {"with two": {"n_jobs": 2}, "with dask": {"client": client}}
            found = {way: clocked(verb, cov, **how, time_limit=limit) for way, how in others.items()}
            ways["seconds"].append(last)
            for way, (result, seconds) in found.items():
                assert max(last, seconds) >= limit or trees(alone) == trees(result), "the trees differ"
                ways[way].append(seconds)
            if sum(ways["seconds"]) > ENOUGH:
                break
        peak = max(client.run(memory).values())
    least = {way: min(seconds) for way, seconds in ways.items()}
    row: dict[str, Any] = {"matrix": name, "what": what, "runs": len(ways["seconds"])}
    row |= {way: round(seconds, 2) for way, seconds in least.items()}
    row |= {"ratio": round(least["seconds"] / least["with two"], 2)}
    row |= {"dask to two": round(least["with dask"] / least["with two"], 2), "worker (MB)": round(peak)}
    return row | {f"of {count}": round(last / simulated(last, Timed.events, count), 2) for count in PROCESSES}


def prepared() -> None:
    """Search once, so that all is imported."""
    rs.solve(covariance("noise 60 60 1"), 10)


def memory() -> float:
    """Return the largest memory of this process until now, in MB."""
    # Not of getrusage, which counts what the parent had when it started this process.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def trees(found: Any) -> list[Any]:
    """Return the proof trees of a result."""
    return [certificate.tree for certificate in found._certificates().values()]


def clocked(function: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[Any, float]:
    """Return what a function returns, and its seconds."""
    begin = time.perf_counter()
    found = function(*arguments, **options)
    return found, time.perf_counter() - begin


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=600, help="seconds for a search")
    parser.add_argument("--only", default="", help="cases whose name contains this; nothing is written")
    arguments = parser.parse_args()
    cases = [case for case in CASES if arguments.only in f"{case[0]}, {case[1]}"]
    prepared()
    os.environ |= ON_DASK  # for processes that start later
    rows = []
    for case in cases:
        rows.append(measured(*case, arguments.limit))
        print(rows[-1], flush=True)
    note = (
        "Seconds by the clock of a machine with two cores: one process, two, and dask with two workers, in "
        f"turn; of up to {REPEATS} *runs* of each the least. *ratio* is that of one process to two. "
        "*worker (MB)*: the largest memory of a worker of dask. *of 2* to *of 64* are simulated ratios of so "
        "many processes, from the seconds of every unit in the last run of one; rows of a path are none. "
        "*noise n m s*: m observations of n independent variables, seed s; *ties n b s*: correlations of n "
        "variables in blocks of b that are nearly equal."
    )
    if not arguments.only:
        write_table(RESULTS / "parallel", list(rows[0]), [list(row.values()) for row in rows], note)


if __name__ == "__main__":
    main()
