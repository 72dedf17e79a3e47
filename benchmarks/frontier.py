"""How far searches go: large cardinalities, many variables, noise, many near ties, and whole paths.

Every instance runs in a process of its own: value, gap, nodes, processor seconds (candidate included) and the
largest memory. Then a grid of random matrices, k against the square root of the number of observations m, where
theory says that proofs must grow hard. Writes frontier and frontier_grid (CSV and Markdown), and a figure.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from tables import write_table

import relaxspca as rs
from relaxspca.runtime import deadline

RESULTS = Path(__file__).parent / "results"
DATA = Path(__file__).parents[2] / "shared" / "data"
HEADER = ("matrix", "n", "k", "limit", "lower", "gap %", "status", "nodes", "seconds", "peak MB")
INSTANCES = (
    ("colon500", 20), ("colon500", 50), ("colon500", 100), ("colon500", 200),
    ("reddit2000", 5), ("reddit2000", 10), ("reddit2000", 20),
    ("spiked 500 500 0 20 2", 20), ("spiked 500 500 0 20 2", 30), ("spiked 500 500 0 20 2", 50),
    ("spiked 500 500 0 10 0.7", 10), ("spiked 1000 500 0 10 0.7", 10), ("spiked 4000 500 0 10 2", 10),
    ("noise 100 100 0", 15), ("noise 100 100 1", 15), ("noise 100 100 2", 15),
    ("noise 100 100 0", 20), ("noise 100 100 1", 20), ("noise 100 100 2", 20), ("noise 200 200 0", 10),
    ("ties 60 6 0", 10), ("ties 60 6 0", 20), ("ties 120 8 0", 20),
    ("pitprops", 5), ("pitprops", 9), ("noise 30 30 0", 5), ("noise 30 30 0", 15),
)  # fmt: skip
PATHS = (("pitprops", 13), ("colon500", 30))
RATIOS = (0.5, 0.75, 1.0, 1.5, 2.0)  # k / sqrt(m)
SIZES = (50, 100)


def main() -> None:
    """Run the table of instances and paths, and the grid."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--time-limit", type=float, default=60.0, help="processor seconds a search (default 60)"
    )
    parser.add_argument("--grid-limit", type=float, default=20.0, help="the same in the grid (default 20)")
    parser.add_argument("--only", default="", help="instances whose name contains this; no grid then")
    options = parser.parse_args()
    limit = options.time_limit
    jobs = [(name, k, limit, False) for name, k in INSTANCES] + [(name, k, limit, True) for name, k in PATHS]
    rows: list[tuple[object, ...]] = []
    note = (
        "`benchmarks/frontier.py`: each instance in its own process, one thread; limit and seconds are of "
        "processor time, candidate included. `spiked n m seed s beta`: m observations of n "
        "variables, variance beta added along s of them; `noise n m seed`: nothing added; `ties n b seed`: "
        "correlations in blocks of b that are nearly equal. Of a path the largest gap is shown."
    )
    for job in jobs:
        if is_there(job[0]) and options.only in job[0]:
            rows.append(alone(*job))
            write_table(RESULTS / "frontier", HEADER, rows, note)  # what is done is kept
    if not options.only:
        grid(options.grid_limit)


def grid(limit: float) -> None:
    """Prove random matrices of n = m, for growing k against the square root of m."""
    rows = []
    for n in SIZES:
        for ratio in RATIOS:
            found = alone(f"noise {n} {n} 0", max(2, round(ratio * n**0.5)), limit, False)
            rows.append((n, ratio, *found[2:3], *found[5:9]))
    note = f"`benchmarks/frontier.py`: noise, n = m, searches of at most {limit:g} processor seconds."
    header = ("n = m", "k / sqrt(m)", "k", "gap %", "status", "nodes", "seconds")
    write_table(RESULTS / "frontier_grid", header, rows, note)
    draw(rows)


def draw(rows: list[tuple[object, ...]]) -> None:
    """Draw seconds and gaps of the grid."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.4), layout="constrained")
    time_axes, gap_axes = figure.subplots(1, 2)
    for n in SIZES:
        own = np.array([[row[1], row[6], max(row[3], 0.0)] for row in rows if row[0] == n], dtype=float)
        time_axes.plot(own[:, 0], own[:, 1], marker="o", label=f"n = m = {n}")
        gap_axes.plot(own[:, 0], own[:, 2], marker="o", label=f"n = m = {n}")
    time_axes.set(yscale="log", xlabel="k / √m", ylabel="processor seconds")
    gap_axes.set(xlabel="k / √m", ylabel="gap left, %", ylim=(-0.5, None))
    gap_axes.legend(frameon=False)
    figure.savefig(RESULTS / "frontier_grid.png", dpi=150)


def alone(name: str, k: int, limit: float, is_path: bool) -> tuple[object, ...]:
    """Run one instance in a fresh process, so that its memory is its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
        row = pool.submit(run_path if is_path else run, name, k, limit).result()
    print(*row, flush=True)
    return row


def by_processor() -> None:
    """Let limits count processor time in this process: on a busy machine the clock says little."""
    deadline.time = SimpleNamespace(monotonic=time.process_time)  # type: ignore[assignment]


def run(name: str, k: int, limit: float) -> tuple[object, ...]:
    """Solve one instance."""
    by_processor()
    cov = covariance(name)
    began = time.process_time()
    found = rs.solve(cov, k, time_limit=limit)
    seconds = time.process_time() - began
    return (
        name, cov.n, k, limit, found.lower, 100 * found.gap, str(found.status), found.node_count,
        round(seconds, 2), peak(),
    )  # fmt: skip


def run_path(name: str, largest: int, limit: float) -> tuple[object, ...]:
    """Prove a path of cardinalities."""
    by_processor()
    cov = covariance(name)
    began = time.process_time()
    found = rs.path(cov, k=range(1, largest + 1), time_limit=limit)
    seconds = time.process_time() - began
    proved = f"{sum(row.certified for row in found.rows)} of {len(found.rows)} rows proved"
    worst = max(row.gap for row in found.rows)
    return (name, cov.n, f"1 to {largest}", limit, "", 100 * worst, proved, "", round(seconds, 2), peak())


def peak() -> int:
    """Return the largest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def is_there(name: str) -> bool:
    """Say whether an instance can be made: stored matrices may be missing."""
    return " " in name or name == "pitprops" or (DATA / f"{name}.npz").exists()


def covariance(name: str) -> rs.Covariance:
    """Return the matrix of a name."""
    kind, *numbers = name.split()
    if name == "pitprops":
        return rs.datasets.load_pitprops()
    if kind == "noise":
        n, m, seed = map(int, numbers)
        return spiked(n, m, seed, 1, 0.0)
    if kind == "spiked":
        n, m, seed, size = map(int, numbers[:4])
        return spiked(n, m, seed, size, float(numbers[4]))
    if kind == "ties":
        n, block, seed = map(int, numbers)
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((4 * n, n // block)).repeat(block, axis=1)
        return rs.Covariance(np.corrcoef((X + 0.7 * rng.standard_normal(X.shape)).T))
    return rs.Covariance(np.load(DATA / f"{name}.npz")["S"])


def spiked(n: int, m: int, seed: int, size: int, beta: float) -> rs.Covariance:
    """Return X'X/m of noise with variance beta added along the first `size` variables."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((m, n))
    if beta:
        v = np.where(np.arange(n) < size, size**-0.5, 0.0)
        X = X + np.sqrt(beta) * rng.standard_normal((m, 1)) * v
    return rs.Covariance(X.T @ X / m)


if __name__ == "__main__":
    main()
