"""How far searches go: large cardinalities, many variables, noise, many near ties, and whole paths.

Every instance runs in a process of its own: value, gap, nodes, processor seconds (candidate included) and the
largest memory. Then a grid of random matrices, k against the square root of the number of observations m, where
theory says that proofs must grow hard, time against n and against k, and the gap of large roots while they run.
Writes frontier, frontier_grid, frontier_time and frontier_roots (CSV and Markdown), and a figure of each of the
last three. All of it takes about twenty minutes of one core. With `--only` some rows are run again: they
replace the old ones, and the note says so.
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import resource
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, NullLocator
from matrices import covariance, is_there
from tables import SIZE, size_of, write_table

import relaxspca as rs
from relaxspca.runtime import deadline

RESULTS = Path(__file__).parent / "results"
HEADER = ("matrix", "n", "k", "limit", "lower", "gap %", "status", "nodes", "seconds", "peak MB", *SIZE)
INSTANCES = (
    ("colon500", 20), ("colon500", 50), ("colon500", 100), ("colon500", 200),
    ("reddit2000", 5), ("reddit2000", 10), ("reddit2000", 20),
    ("spiked 500 500 0 20 2", 20), ("spiked 500 500 0 20 2", 30), ("spiked 500 500 0 20 2", 50),
    ("spiked 500 500 0 20 2", 100),
    ("spiked 500 500 0 10 0.7", 10), ("spiked 1000 500 0 10 0.7", 10), ("spiked 4000 500 0 10 2", 10),
    ("noise 100 100 0", 15), ("noise 100 100 1", 15), ("noise 100 100 2", 15),
    ("noise 100 100 0", 20), ("noise 100 100 1", 20), ("noise 100 100 2", 20),
    ("noise 200 200 0", 10), ("noise 200 200 1", 10), ("noise 200 200 2", 10), ("noise 200 200 0", 15),
    ("ties 60 6 0", 10), ("ties 60 6 0", 20), ("ties 120 8 0", 20),
    ("pitprops", 5), ("pitprops", 9), ("noise 30 30 0", 5), ("noise 30 30 0", 15), ("noise 30 30 2", 20),
    ("wide 20000 100 0", 50),
)  # fmt: skip
PATHS = (("pitprops", 13), ("colon500", 30))
RATIOS = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)  # k / sqrt(m)
SIZES = (50, 100, 200)
TIMED = (
    *((f"spiked {n} 500 0 10 2", 10) for n in (125, 250, 500, 1000, 2000, 4000)),
    *(("colon500", k) for k in (5, 10, 20, 30, 50, 75, 100, 150, 200)),
)
ROOTS = (
    ("spiked 500 500 0 20 2", 50), ("spiked 500 500 0 20 2", 100), ("spiked 1000 500 0 10 0.7", 10),
    ("noise 200 200 0", 15),
)  # fmt: skip
STOPS = (5.0, 15.0, 60.0)  # seconds
ROOTS_HEADER = ("matrix", "k", "limit", "gap %", "nodes", "seconds")
GRID_HEADER = ("matrix", "k", "n = m", "k / sqrt(m)", "gap %", "status", "nodes", "seconds")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")  # Okabe and Ito: told apart by all readers
PARTS = ("table", "grid", "time", "roots")

Row = tuple[object, ...]


def main() -> None:
    """Run the table of instances and paths, the grid, and the figures of time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--time-limit", type=float, default=60.0, help="processor seconds a search (default 60)"
    )
    parser.add_argument("--grid-limit", type=float, default=20.0, help="the same in the grid (default 20)")
    parser.add_argument(
        "--only", nargs="*", help="rows whose name, such as `colon500, k = 20`, contains one of these"
    )
    parser.add_argument("--part", choices=PARTS, nargs="*", default=PARTS, help="what to run (default all)")
    options = parser.parse_args()
    if "table" in options.part:
        table(options.time_limit, options.only)
    if "grid" in options.part:
        grid(options.grid_limit, options.only)
    if "time" in options.part:
        timed(options.time_limit, options.only)
    if "roots" in options.part:
        roots()


def table(limit: float, only: Sequence[str] | None) -> None:
    """Run the instances and the paths."""
    note = (
        "`benchmarks/frontier.py`: each instance in its own process, one thread; limit and seconds are of "
        "processor time, candidate included. `spiked n m seed s beta`: m observations of n "
        "variables, variance beta added along s of them; `noise n m seed`: nothing added; `ties n b seed`: "
        "correlations in blocks of b that are nearly equal; `wide n m seed`: variables of unlike variances, "
        "the first 2000 in groups of 100 that share a factor, never formed as n x n. Of a path the largest "
        "gap is shown. kB: of the certificate, matrix included. Parts of scipy that a process loads at its "
        "first search count: 0.2 s of many small rows."
    ) + prepared("frontier", only)
    for name, k in INSTANCES:
        if is_chosen(name, k, only):
            keep("frontier", HEADER, alone(name, k, limit, False), note, same=(0, 2))
    for name, k in PATHS:
        if is_chosen(name, f"1 to {k}", only):
            keep("frontier", HEADER, alone(name, k, limit, True), note, same=(0, 2))


def grid(limit: float, only: Sequence[str] | None) -> None:
    """Prove random matrices of n = m, for growing k against the square root of m."""
    note = (
        f"`benchmarks/frontier.py`: noise, n = m, searches of at most {limit:g} processor seconds, each in "
        "its own process, one thread."
    ) + prepared("frontier_grid", only)
    for n in SIZES:
        for ratio in RATIOS:
            name, k = f"noise {n} {n} 0", max(2, round(ratio * n**0.5))
            if is_chosen(name, k, only):
                found = alone(name, k, limit, False)
                keep("frontier_grid", GRID_HEADER, (name, k, n, ratio, *found[5:9]), note, same=(0, 1))
    draw_grid(stored("frontier_grid"))


def timed(limit: float, only: Sequence[str] | None) -> None:
    """Prove growing matrices with one k, and one matrix with growing k."""
    note = (
        "`benchmarks/frontier.py`: the rows of the figure of time, each in its own process, one thread; limit "
        "and seconds are of processor time, candidate included."
    ) + prepared("frontier_time", only)
    for name, k in TIMED:
        if is_chosen(name, k, only):
            keep("frontier_time", HEADER, alone(name, k, limit, False), note, same=(0, 2))
    draw_time(stored("frontier_time"))


def roots() -> None:
    """Show how the gap of large roots falls with the time that a search has."""
    note = (
        "`benchmarks/frontier.py --part roots`: the gap that a search leaves which is stopped after so many "
        "processor seconds, each in its own process, one thread, candidate included."
    ) + prepared("frontier_roots", None)
    for name, k in ROOTS:
        for limit in STOPS:
            found = alone(name, k, limit, False)
            row = (name, k, limit, found[5], found[7], found[8])
            keep("frontier_roots", ROOTS_HEADER, row, note, same=(0, 1, 2))
    draw_roots(stored("frontier_roots"))


def prepared(table: str, only: Sequence[str] | None) -> str:
    """Begin a table anew, unless some of its rows are run again; then return what its note says of that."""
    if only is not None:
        return " Some rows were run again on their own."
    (RESULTS / table).with_suffix(".csv").unlink(missing_ok=True)
    return ""


def is_chosen(name: str, k: object, only: Sequence[str] | None) -> bool:
    """Say whether a row is to be run: it is asked for, and its matrix is there."""
    return is_there(name) and (only is None or any(part in f"{name}, k = {k}" for part in only))


def keep(table: str, header: Sequence[str], row: Row, note: str, *, same: Sequence[int]) -> None:
    """Write a table with one more row, in place of the one that has the same entries in some columns."""
    rows: list[Sequence[object]] = [[*old, *[""] * (len(header) - len(old))] for old in stored(table)]
    key = [str(row[i]) for i in same]
    at = next((j for j, old in enumerate(rows) if [str(old[i]) for i in same] == key), len(rows))
    rows[at : at + 1] = [row]
    write_table(RESULTS / table, header, [[number(cell) for cell in each] for each in rows], note)


def stored(table: str) -> list[list[str]]:
    """Return the rows that a table has so far."""
    path = (RESULTS / table).with_suffix(".csv")
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.reader(file))[1:]


def number(cell: object) -> object:
    """Return a stored float as one, so that it is shown with as many digits as a new one."""
    try:
        return float(cell) if "." in cell or "e" in cell else cell  # type: ignore[arg-type,operator]
    except (TypeError, ValueError):
        return cell


def draw_grid(rows: list[list[str]]) -> None:
    """Draw seconds and gaps of the grid; a hollow point is a search that its limit stopped."""
    figure = Figure(figsize=(8, 3.4), layout="constrained")
    time_axes, gap_axes = figure.subplots(1, 2)
    for n, colour in zip(SIZES, COLOURS, strict=False):
        own = [row for row in rows if int(row[2]) == n]
        ratio, gap, seconds = ([float(row[i]) for row in own] for i in (3, 4, 7))
        curve(time_axes, ratio, seconds, [row[5] for row in own], f"n = m = {n}", colour)
        gap_axes.plot(ratio, np.maximum(gap, 0), marker="o", color=colour, label=f"n = m = {n}")
    time_axes.set(yscale="log", xlabel="k / √m", ylabel="processor seconds", title="time (hollow: stopped)")
    gap_axes.set(xlabel="k / √m", ylabel="%", title="gap left")
    time_axes.legend(frameon=False, loc="lower right")
    finished(figure, "frontier_grid")


def draw_time(rows: list[list[str]]) -> None:
    """Draw seconds against n and against k."""
    figure = Figure(figsize=(8, 3.4), layout="constrained")
    by_n, by_k = figure.subplots(1, 2)
    for axes, column, chosen in ((by_n, 1, "spiked"), (by_k, 2, "colon500")):
        own = [row for row in rows if row[0].startswith(chosen)]
        at, seconds = ([float(row[i]) for row in own] for i in (column, 8))
        axes.set(xscale="log", yscale="log", ylim=(0.02, 20))
        curve(axes, at, seconds, [row[6] for row in own], chosen, COLOURS[0])
        axes.set_xticks(at, [f"{x:g}" for x in at], rotation=45)
        axes.xaxis.set_minor_locator(NullLocator())
    by_n.set(xlabel="variables n", ylabel="processor seconds", title="spiked, m = 500, k = 10")
    by_k.set(xlabel="cardinality k", title="colon500, n = 500")
    finished(figure, "frontier_time")


def draw_roots(rows: list[list[str]]) -> None:
    """Draw the gap against the limit; a curve that leaves the frame ends with a proof."""
    figure = Figure(figsize=(8, 3.4), layout="constrained")
    axes = figure.subplots()
    for (name, k), colour in zip(ROOTS, COLOURS, strict=True):
        own = [row for row in rows if row[0] == name and int(row[1]) == k]
        seconds, gap = ([float(row[i]) for row in own] for i in (2, 3))
        axes.plot(seconds, np.maximum(gap, 1e-9), marker="o", color=colour, label=f"{name}, k = {k}")
    axes.set(xscale="log", yscale="log", xlabel="limit, processor seconds", ylabel="gap left, %")
    axes.set_ylim(0.01, 40)
    axes.set_xticks(STOPS, [f"{s:g}" for s in STOPS])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.legend(frameon=False)
    finished(figure, "frontier_roots")


def curve(axes: Any, x: list[float], y: list[float], status: list[str], label: str, colour: str) -> None:
    """Draw one curve, its points hollow where the search was stopped."""
    axes.plot(x, y, color=colour, label=label)
    faces = [colour if word == "optimal" else "white" for word in status]
    axes.scatter(x, y, c=faces, edgecolors=colour, zorder=3)


def finished(figure: Figure, name: str) -> None:
    """Save a figure, without frames at the top and at the right."""
    for axes in figure.axes:
        if axes.get_yscale() == "log":
            axes.yaxis.set_major_formatter("{x:g}")
            axes.yaxis.set_minor_formatter(NullFormatter())
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(RESULTS / f"{name}.png", dpi=150)


def alone(name: str, k: int, limit: float, is_path: bool) -> tuple[object, ...]:
    """Run one instance in a fresh process, so that its memory is its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
        row = pool.submit(run_path if is_path else run, name, k, limit).result()
    print(*row, flush=True)
    return row


def by_processor() -> None:
    """Let limits count processor time in this process: on a busy machine the clock says little."""
    deadline.time = SimpleNamespace(monotonic=time.process_time)  # type: ignore[attr-defined,assignment]


def run(name: str, k: int, limit: float) -> tuple[object, ...]:
    """Solve one instance."""
    by_processor()
    cov = covariance(name)
    began = time.process_time()
    found = rs.solve(cov, k, time_limit=limit)
    seconds = time.process_time() - began
    return (
        name, cov.n, k, limit, found.lower, 100 * found.gap, str(found.status), found.node_count,
        round(seconds, 2), peak(), *size_of(found.certificate),
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
    return (
        name,
        cov.n,
        f"1 to {largest}",
        limit,
        "",
        100 * worst,
        proved,
        "",
        round(seconds, 2),
        peak(),
        "",
        "",
    )


def peak() -> int:
    """Return the largest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
