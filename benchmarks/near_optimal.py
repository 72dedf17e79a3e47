"""Is it the only answer? Every support within .1 % and 1 % of the best, and how stable the best is.

For each matrix at k = 5 and 10: supports within a fraction and whether that is all, variables in all of them,
the radius of stability, processor seconds of the list beside those of `solve`, and the verdict of the checker.
Conditions: processor seconds with one variable of the best support excluded, and with one other included, as
a ratio to the search without conditions. Rounding: for pitprops, three decimals. Writes near_optimal and
near_optimal_rounding (CSV and Markdown).
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
from matrices import DATA, SCIKIT, matrix
from tables import write_table

import relaxspca as rs

RESULTS = Path(__file__).parent / "results"
STORED = ("communities", "eisen1", "colon500")
REPEATS = 5  # of searches that are compared with each other
T = TypeVar("T")
HEADER = (
    "matrix", "n", "k", "within %", "supports", "complete within %", "core", "optional", "radius", "nodes",
    "seconds", "solve seconds", "excluded / solve", "included / solve", "verified", "check seconds",
)  # fmt: skip
ROUNDING = (
    "k",
    "second best below %",
    "radius",
    "entries",
    "entries, diagonal kept",
    "optimal as printed",
    "seconds",
)


def main() -> None:
    """Run both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds a search (default 60)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the stored matrices")
    options = parser.parse_args()
    limit = options.time_limit
    note = (
        f"`benchmarks/near_optimal.py`: one core, at most {limit:g} s a search and 1000 supports; seconds are "
        f"processor time, of solve and the two beside it the least of {REPEATS}. The radius is of the spectral "
        "norm, by `relaxspca.stability` of the list."
    )
    write_table(
        RESULTS / "near_optimal_rounding", ROUNDING, list(rounding()), "pitprops, printed with 3 decimals."
    )
    rows = [row for name, cov in matrices(options.data) for k in (5, 10) for row in lists(name, cov, k, limit)]
    write_table(RESULTS / "near_optimal", HEADER, rows, note)


def lists(name: str, cov: rs.Covariance, k: int, limit: float) -> Iterator[tuple[object, ...]]:
    """Yield a row for each fraction."""
    solved, seconds = timed(lambda: rs.solve(cov, k, time_limit=limit), REPEATS)
    inside = int(solved.indices[0])
    outside = next(i for i in np.argsort(-cov.diagonal) if i not in solved.indices)
    _, without = timed(lambda: rs.solve(cov, k, exclude=[inside], time_limit=limit), REPEATS)
    _, with_one = timed(lambda: rs.solve(cov, k, include=[int(outside)], time_limit=limit), REPEATS)
    for within in (0.001, 0.01):
        found, taken = timed(lambda: rs.near_optimal(cov, k, within=within, time_limit=limit))  # noqa: B023
        verdict, check = timed(lambda: rs.verify(found.certificate))  # noqa: B023
        complete = found.complete_within
        row = (
            name, cov.n, k, 100 * within, len(found.supports),
            "none" if complete is None else round(100 * complete, 4), len(found.core), len(found.optional),
            float(f"{rs.stability(found).radius:.3g}"), found.node_count, round(taken, 2),
            round(seconds, 2), round(without / seconds, 2), round(with_one / seconds, 2),
            "yes" if verdict else verdict.reasons[0], round(check, 2),
        )  # fmt: skip
        print(*row, flush=True)
        yield row


def rounding() -> Iterator[tuple[object, ...]]:
    """Yield a row for each cardinality of pitprops."""
    cov = rs.datasets.load_pitprops()
    for k in range(1, cov.n + 1):
        found, seconds = timed(lambda: rs.stability(rs.solve(cov, k), decimals=3))  # noqa: B023
        answer = {True: "yes", False: "no", None: "not decided"}[found.is_optimal_as_printed]
        below = max(100 * (found.lower - found.runner_up) / found.lower, 0.0)
        loss = round(below, 4) if k < cov.n else "no other"
        radii = [float(f"{radius:.3g}") for radius in found.radii.values()]
        row = (k, loss, *radii, answer, round(seconds, 2))
        print(*row, flush=True)
        yield row


def matrices(folder: Path) -> Iterator[tuple[str, rs.Covariance]]:
    """Yield every matrix by name; those that are not there are left out."""
    for name in ("pitprops", *SCIKIT, *STORED):
        cov = matrix(name, folder)
        if cov is not None:
            yield name, cov


def timed(work: Callable[[], T], repeats: int = 1) -> tuple[T, float]:
    """Return what some work yields and its processor seconds, the least of several times."""
    seconds = math.inf
    for _ in range(repeats):
        began = time.process_time()
        found = work()
        seconds = min(seconds, time.process_time() - began)
    return found, seconds


if __name__ == "__main__":
    main()
