"""Many components of many variables, one after another: how far a number of seconds goes.

    python benchmarks/many_components.py [--variables 1000] [--components 50] [--seconds 300]

A seeded factor model with noise: 20 factors, each of about one variable in twenty. Its covariance, and that of
2000 observations drawn from it. The components have 5 variables each, and every one is proved to a gap of 1 %
for what the earlier ones leave; progress is on stderr. For each matrix: components found, how many of them
within 1 %, the widest gap, the part of the trace that they explain, seconds, and the most memory so far.
"""

from __future__ import annotations

import argparse
import resource
import signal
import time
from pathlib import Path

import numpy as np
from tables import write_table

import relaxspca as rs

HEADER = (
    "matrix", "components", "within 1 %", "widest gap %", "adjusted variance, % of the trace",
    "processor seconds", "seconds", "MiB at most",
)  # fmt: skip
RESULTS = Path(__file__).parent / "results"
OBSERVATIONS = 2000


def main() -> None:
    """Take both matrices, each until all components are found or its time is over."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--variables", type=int, default=1000)
    arguments.add_argument("--components", type=int, default=50)
    arguments.add_argument("--seconds", type=int, default=300, help="wall clock a matrix (default 300)")
    arguments.add_argument("--output", type=Path, default=RESULTS)
    options = arguments.parse_args()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    note = (
        f"`benchmarks/many_components.py`: {options.components} components of 5 variables among "
        f"{options.variables}, one after another, on one core; 20 sparse factors with noise."
    )
    rows = []
    for name, cov in matrices(options.variables):
        rows.append((name, *measured(cov, options.components, options.seconds)))
        print(*rows[-1], sep=", ", flush=True)
        write_table(options.output / "many_components", HEADER, rows, note)


def matrices(n: int) -> list[tuple[str, rs.Covariance]]:
    """Return the covariance of the model and that of observations, with what they are called."""
    rng = np.random.default_rng(0)
    L = rng.normal(size=(n, 20)) * (rng.random((n, 20)) < 0.05)
    noise = rng.uniform(0.5, 1.0, n)
    drawn = rng.normal(size=(OBSERVATIONS, 20)) @ L.T
    drawn += rng.normal(size=(OBSERVATIONS, n)) * np.sqrt(noise)
    return [
        ("the model", rs.Covariance(L @ L.T + np.diag(noise))),
        (f"{OBSERVATIONS} observations", rs.Covariance.from_data(drawn)),
    ]


def measured(cov: rs.Covariance, count: int, seconds: int) -> tuple[float, ...]:
    """Return what the header names, of one matrix."""
    signal.alarm(seconds)
    wall, processor = time.perf_counter(), time.process_time()
    found = rs.components(cov, 5, count, gap=0.01, verbose=True)
    signal.alarm(0)
    gaps = [result.gap for result in found.results]
    return (
        len(gaps),
        sum(gap <= 0.01 for gap in gaps),
        100 * max(gaps),
        100 * found.adjusted.sum() / found.total,
        round(time.process_time() - processor, 1),
        round(time.perf_counter() - wall, 1),
        round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    )


if __name__ == "__main__":
    main()
