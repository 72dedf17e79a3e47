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

from matrices import covariance
from tables import write_table

import relaxspca as rs
from relaxspca.search import run

RESULTS = Path(__file__).parent / "results"
CASES = (
    ("noise 60 60 1", 10), ("noise 80 80 2", 12), ("noise 100 100 1", 15), ("noise 100 100 2", 15),
    ("noise 120 120 1", 12),
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


def measured(name: str, k: int, limit: float) -> dict[str, Any]:
    """Return the row of one search."""
    cov, timed = covariance(name), Timed()
    kept, run.starmap = run.starmap, timed  # type: ignore[assignment]
    try:
        begin = time.perf_counter()
        alone = rs.solve(cov, k, n_jobs=1, time_limit=limit)
        seconds = time.perf_counter() - begin
    finally:
        run.starmap = kept
    begin = time.perf_counter()
    two = rs.solve(cov, k, n_jobs=2, time_limit=limit)
    seconds_of_two = time.perf_counter() - begin
    is_same = alone.certificate.tree == two.certificate.tree
    assert is_same or "time limit" in (alone.status, two.status), "the trees differ"
    simulated = {f"{w} workers": round(seconds / timed.simulated(seconds, w), 2) for w in WORKERS}
    row = {"matrix": name, "k": k, "status": str(alone.status), "nodes": alone.node_count}
    row |= {"seconds": round(seconds, 2), "with two": round(seconds_of_two, 2)}
    return row | {"ratio": round(seconds / seconds_of_two, 2)} | simulated


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=600, help="seconds for a search")
    arguments = parser.parse_args()
    rows = []
    for name, k in CASES:
        rows.append(measured(name, k, arguments.limit))
        print(rows[-1], flush=True)
    note = "Seconds by the clock of a quiet machine with two cores. Columns of workers are simulated ratios."
    write_table(RESULTS / "parallel", list(rows[0]), [list(row.values()) for row in rows], note)
