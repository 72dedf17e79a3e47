"""One BLAS thread for small matrices, beside the threads that numpy and scipy take by default.

    python benchmarks/threads.py [--output DIR]

Do not set OMP_NUM_THREADS. The peer is the same code with `relaxspca.runtime.threads.one_thread` doing nothing.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from tables import write_table

import relaxspca as rs
from relaxspca.runtime import threads


def wishart(n: int) -> rs.Covariance:
    """Return A'A/n for a square Gaussian A: its search branches."""
    A = np.random.default_rng(0).standard_normal((n, n))
    return rs.Covariance(A.T @ A / n)


TASKS: dict[str, Callable[[], object]] = {
    "solve, Wishart n = 40, k = 10": lambda: rs.solve(wishart(40), 10),
    "solve, Wishart n = 60, k = 15": lambda: rs.solve(wishart(60), 15),
    "Perron bound, Wishart n = 100, k = 10": lambda: rs.upper_bound(wishart(100), 10, relaxation="perron"),
    "pairwise bound, Wishart n = 100, k = 10": lambda: rs.upper_bound(wishart(100), 10, relaxation="pairwise"),
    "psi bound, Wishart n = 100, k = 10": lambda: rs.upper_bound(wishart(100), 10, relaxation="psi"),
    "Perron bound, Wishart n = 300, k = 5": lambda: rs.upper_bound(wishart(300), 5, relaxation="perron"),
}


def seconds(task: Callable[[], object], largest: int) -> float:
    """Time a task with matrices of at most so many rows kept to one thread."""
    usual, threads.LARGEST = threads.LARGEST, largest
    began = time.perf_counter()
    try:
        task()
    finally:
        threads.LARGEST = usual
    return time.perf_counter() - began


def main() -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path(__file__).resolve().parent / "results")
    arguments = parser.parse_args()
    rs.upper_bound(rs.datasets.load_pitprops(), 5, relaxation="pairwise")  # imports are not what is timed
    rows = []
    for name, task in TASKS.items():
        one, default = seconds(task, threads.LARGEST), seconds(task, 0)
        rows.append([name, one, default, default / one])
        print(*rows[-1], flush=True)
    note = f"Seconds on the clock, {os.cpu_count()} cores."
    write_table(arguments.output / "threads", ["task", "one thread", "default", "ratio"], rows, note)


if __name__ == "__main__":
    main()
