"""What do two processes gain? Searches with one and with two, and how many more would gain. Writes parallel.

The same tree, bit for bit, is asserted. More workers are simulated: the seconds of every unit, measured in one
process, are put on so many workers, the longest wait counting for the whole round; what is no unit runs alone.
"""

from __future__ import annotations

import argparse
import heapq
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster
from matrices import covariance
from tables import write_table

import relaxspca as rs
from relaxspca.search import run

RESULTS = Path(__file__).parent / "results"
CASES = (
    ("noise 60 60 1", 10), ("noise 80 80 2", 12), ("noise 100 100 1", 15), ("noise 100 100 0", 20),
    ("noise 120 120 1", 12), ("ties 120 8 0", 20), ("noise 200 200 0", 15),
)  # fmt: skip
WORKERS = (2, 4, 16, 64)


class Timed:
    """Work in this process that remembers the seconds of every unit, round by round."""

    def __init__(self) -> None:
        self.rounds: list[list[float]] = []

    def __call__(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        """Yield results in the order of the tasks."""
        self.rounds.append([])
        for task in tasks:
            begin = time.perf_counter()
            result = function(*task)
            self.rounds[-1].append(time.perf_counter() - begin)
            yield result

    def simulated(self, seconds: float, workers: int) -> float:
        """Return the seconds that so many workers would take, each given the next unit when it is free."""
        alone = seconds - sum(map(sum, self.rounds))
        return alone + sum(_finished(units, workers) for units in self.rounds)


def _finished(units: list[float], workers: int) -> float:
    free = [0.0] * workers
    for seconds in units:
        heapq.heappush(free, heapq.heappop(free) + seconds)
    return max(free)


def measured(name: str, k: int, limit: float, client: Any) -> dict[str, Any]:
    """Return the row of one search: by one process, by two, and by the two workers of a cluster."""
    cov, timed = covariance(name), Timed()
    kept, run.starmap = run.starmap, timed  # type: ignore[assignment]
    try:
        alone, seconds = clocked(rs.solve, cov, k, n_jobs=1, time_limit=limit)
    finally:
        run.starmap = kept
    two, seconds_of_two = clocked(rs.solve, cov, k, n_jobs=2, time_limit=limit)
    cluster, seconds_of_cluster = clocked(rs.solve, cov, k, client=client, time_limit=limit)
    for found in (two, cluster):
        is_stopped = "time limit" in (alone.status, found.status)
        assert is_stopped or alone.certificate.tree == found.certificate.tree, "the trees differ"
    row = {"matrix": name, "k": k, "status": str(alone.status), "nodes": alone.node_count}
    row |= {"seconds": round(seconds, 2), "with two": round(seconds_of_two, 2)}
    row |= {"with dask": round(seconds_of_cluster, 2), "ratio": round(seconds / seconds_of_two, 2)}
    return row | {f"{w} workers": round(seconds / timed.simulated(seconds, w), 2) for w in WORKERS}


def clocked(function: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[Any, float]:
    """Return what a function returns, and its seconds."""
    begin = time.perf_counter()
    found = function(*arguments, **options)
    return found, time.perf_counter() - begin


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=600, help="seconds for a search")
    parser.add_argument("--only", default="", help="matrices whose name contains this; nothing is written")
    arguments = parser.parse_args()
    rows = []
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        for name, k in CASES:
            if arguments.only in name:
                rows.append(measured(name, k, arguments.limit, client))
                print(rows[-1], flush=True)
    note = (
        "Seconds by the clock of a quiet machine with two cores; dask: two workers on the same machine. "
        "Columns of workers are simulated ratios, from the seconds of every unit in one process."
    )
    if not arguments.only:
        write_table(RESULTS / "parallel", list(rows[0]), [list(row.values()) for row in rows], note)


if __name__ == "__main__":
    main()
