"""What do two processes gain? Searches, a table and a path with one and with two, and what more would gain.

Writes parallel. The same trees, bit for bit, are asserted. More processes are simulated: what they would do is
done here, and the clock of the search counts what the first of them does, and what it waits for.
"""

from __future__ import annotations

import argparse
import heapq
import math
import os
import re
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

from distributed import Client, LocalCluster
from matrices import covariance
from tables import write_table

import relaxspca as rs
from relaxspca.runtime import task_queue
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
PROCESSES = (16, 64)
REPEATS, ENOUGH = 9, 50  # most runs of every way, in turn; none after so many seconds by one process
# What docs/many_cores.md tells users to set, and why.
ON_DASK = {"MALLOC_TRIM_THRESHOLD_": str(2**28), "MALLOC_MMAP_THRESHOLD_": str(2**25)}


class Task(task_queue.Task):
    """A task of a simulated queue: when it was added, and when it is done."""

    added, end, found = 0.0, math.inf, None

    @property
    def is_done(self) -> bool:
        """Whether it is done by now."""
        return self.end <= Simulated.now()


class Simulated(TaskQueue):
    """A queue whose tasks other processes do, each of them here, on a clock that does not count what they do.

    The process of the search does tasks while it would wait.
    """

    processes: ClassVar[int] = 2
    aside: ClassVar[float] = 0.0  # seconds that others work, less those that are waited

    def __init__(self, *_: Any) -> None:
        super().__init__(None)
        self.free = [self.now()] * (self.processes - 1)  # when each of the others is
        self.waiting: deque[Any] = deque()  # tasks that nobody has begun

    @classmethod
    def now(cls) -> float:
        """Return the time of the clock."""
        return time.perf_counter() - cls.aside

    @property
    def room(self) -> int:
        """Number of the others."""
        return self.processes - 1

    def clear(self) -> None:
        """Drop what nobody has begun."""
        self.waiting.clear()

    def add(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Add a task, which others may begin."""
        task = Task(function, arguments)
        task.added = self.now()
        self.waiting.append(task)
        return task

    def send(self) -> None:
        """Let those who are free begin."""
        while self.waiting and self.free[0] <= self.now():
            task, begin = self.waiting.popleft(), time.perf_counter()
            task.found = task.function(*task.arguments)
            seconds = time.perf_counter() - begin
            Simulated.aside += seconds
            task.end = max(self.free[0], task.added) + seconds
            heapq.heapreplace(self.free, task.end)

    def result(self, of: Any = None) -> Any:
        """Return the result of a task; until it is done, others are done here."""
        self.send()
        while not of.is_done:
            if self.waiting:
                task = of if of in self.waiting else self.waiting[0]
                self.waiting.remove(task)
                task.found = task.function(*task.arguments)
                task.end = self.now()
            else:
                Simulated.aside -= of.end - self.now()
            self.send()
        return of.found


def simulated(verb: Verb, cov: Any, processes: int, **limits: Any) -> float:
    """Return the seconds that so many processes would take."""
    begin, Simulated.processes = Simulated.now(), processes
    with mock.patch.object(engine, "TaskQueue", Simulated):
        verb(cov, n_jobs=1, **limits)
    return Simulated.now() - begin


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
    return row | {f"of {count}": round(last / simulated(verb, cov, count), 2) for count in PROCESSES}


def long_search(limit: float) -> None:
    """Print what one process proves in so many seconds, and how long more processes would take for as much."""
    cov, verb = covariance("noise 200 200 0"), search(20)
    alone, seconds = clocked(verb, cov, n_jobs=1, time_limit=limit)
    print(f"{seconds:.0f} s, {alone.node_count} nodes, {100 * alone.gap:.2f} % open", flush=True)
    for count in (16, 64):
        less = simulated(verb, cov, count, node_limit=alone.node_count)
        print(f"{count} processes: {less:.1f} s, {seconds / less:.1f} times as quick", flush=True)


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
    parser.add_argument("--long", type=float, help="seconds of one long search that is simulated, instead")
    arguments = parser.parse_args()
    cases = [case for case in CASES if arguments.only in f"{case[0]}, {case[1]}"]
    prepared()
    if arguments.long:
        long_search(arguments.long)
        return
    os.environ |= ON_DASK  # for processes that start later
    rows = []
    for case in cases:
        rows.append(measured(*case, arguments.limit))
        print(rows[-1], flush=True)
    note = (
        "Seconds by the clock of a machine with two cores: one process, two, and dask with two workers, in "
        f"turn; of up to {REPEATS} *runs* of each the least. *ratio* is that of one process to two. "
        "*worker (MB)*: the largest memory of a worker of dask. *of 16* and *of 64* are simulated ratios of so "
        "many processes, to the last run of one; rows of a path are not simulated. "
        "*noise n m s*: m observations of n independent variables, seed s; *ties n b s*: correlations of n "
        "variables in blocks of b that are nearly equal."
    )
    if not arguments.only:
        write_table(RESULTS / "parallel", list(rows[0]), [list(row.values()) for row in rows], note)


if __name__ == "__main__":
    main()
