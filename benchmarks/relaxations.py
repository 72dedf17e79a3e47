"""Gap to the best value known, and seconds, of every relaxation on every matrix: Markdown, CSV and LaTeX.

    python benchmarks/relaxations.py [--data DIR] [--output DIR] [--only NAME ...]
                                    [--limit SECONDS] [--interior-limit SECONDS]

A cone program goes to Clarabel and to SCS in turn, until one of them says that it has solved it; the bound is
what the better of their dual points proves. The tables in results/ are from `--limit 30 --interior-limit 120`,
for eisen1 and communities from `--limit 60 --interior-limit 1500`, for communities_raw and cov146 from
`--limit 20 --interior-limit 0.01`: there the interior-point method would take many minutes, or fill the memory.
"""

from __future__ import annotations

import argparse
import csv
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tables import write_table

import relaxspca as rs
from relaxspca.relaxations import spectral
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.perron.minimise import minimise
from relaxspca.relaxations.psi import formula as psi
from relaxspca.relaxations.psi.minimise import bound as psi_bound
from relaxspca.relaxations.published import dspca, li_xie, perspective, spartrahedron

INTERIOR_FIRST = 40  # variables up to which Clarabel is tried before SCS
INTERIOR_LAST = 120  # and up to which it is tried at all: at 146 it fills 20 GB before its first step
INSTANCES = {
    "pitprops": range(1, 14),
    "wine": range(2, 13),
    "housing": (5, 10),
    "wdbc": (5, 10, 20),
    "miniboone": (5, 10, 20),
    "digits64": (5, 10, 20),
    "eisen1": (5, 10, 20),
    "communities": (5, 10, 20),
    "communities_raw": (5, 10, 20),
    "cov146": (5, 10, 20),
}


class Limits(NamedTuple):
    """Seconds for one bound by a first-order method or one of ours, and by the interior-point method."""

    first_order: float
    interior: float


def load(name: str, folder: Path) -> rs.Covariance | None:
    """Return a matrix by name, if there is one."""
    if name == "pitprops":
        return rs.datasets.load_pitprops()
    if name == "wine":
        from sklearn.datasets import load_wine

        return rs.Covariance(np.corrcoef(load_wine().data.T))
    file = folder / f"{name}.npz"
    return rs.Covariance(np.load(file)["S"]) if file.exists() else None


def of_cone_program(model_of: Callable, limits: Limits) -> Callable:
    """Return a bound that solves a dual cone program and proves what it left; also whether it is solved."""

    def bound(cov: rs.Covariance, k: int, best: rs.Candidate) -> tuple[float, bool]:
        solvers = {"clarabel": (1e-9, limits.interior), "scs": (1e-8, limits.first_order)}
        found = np.inf
        order = ["clarabel", "scs"] if cov.n <= INTERIOR_FIRST else ["scs", "clarabel"]
        for solver in order if cov.n <= INTERIOR_LAST else ["scs"]:
            model = model_of(cov, k)
            tol, limit = solvers[solver]
            value = solve_cone_program(model.problem, solver=solver, tol=tol, time_limit=limit)
            if np.isnan(value):
                continue
            proved = model.bound().upper
            found = min(found, proved)
            # A solver may be content with a point whose bound is far above its objective.
            if model.problem.status == "optimal" and proved <= value + 1e-6 * abs(proved):
                return found, True
        return found, False

    return bound


def of_method(method: Callable, limit: float) -> Callable:
    """Return a bound of our own with whether it ended before the limit."""

    def bound(cov: rs.Covariance, k: int, best: rs.Candidate) -> tuple[float, bool]:
        began = time.monotonic()
        return method(cov, k, best), time.monotonic() - began < limit

    return bound


def by_spectrum(cov: rs.Covariance, k: int, best: rs.Candidate) -> float:
    """Return the better of the bounds without a dual point."""
    return spectral.best_upper_bound(cov, k)[0]


def relaxations(limits: Limits) -> dict[str, Callable]:
    """Return every relaxation as a function of (covariance, k, best candidate)."""
    limit = limits.first_order

    def by_psi(cov: rs.Covariance, k: int, best: rs.Candidate) -> float:
        solution = psi_bound(cov.factor, k, tol=1e-7, time_limit=limit)
        point = psi.psi_point(cov, range(cov.n), solution.rho, solution.vectors)
        return psi.upper_bound(cov, point, k)

    def by_perron(cov: rs.Covariance, k: int, best: rs.Candidate) -> float:
        return minimise(cov, k, lower=best.value, tol=1e-9, time_limit=limit)[1]

    return {
        "spectral": of_method(by_spectrum, limit),
        "(8) psi": of_method(by_psi, limit),
        "(13)": of_cone_program(partial(li_xie.model, dual=True), limits),
        "(16)": of_cone_program(partial(perspective.model, dual=True), limits),
        "(17) DSPCA": of_cone_program(partial(dspca.model, dual=True), limits),
        "spartrahedron": of_cone_program(partial(spartrahedron.model, dual=True), limits),
        "spartrahedron + l1": of_cone_program(partial(spartrahedron.model, l1=True, dual=True), limits),
        "perron": of_method(by_perron, limit),
    }


def measure(names: list[str], folder: Path, limits: Limits) -> tuple[list[list], list[list]]:
    """Return the rows of the table of gaps and of the table of seconds."""
    gaps, seconds = [], []
    bounds = relaxations(limits)
    minimise(rs.datasets.load_pitprops(), 5, lower=3.0)  # imports are not what is timed
    for name in names:
        cov = load(name, folder)
        if cov is None:
            print(f"{name}: no file in {folder}")
            continue
        for k in INSTANCES[name]:
            best = rs.candidate(cov, k)
            gap, spent = [name, k, best.value], [name, k]
            for bound in bounds.values():
                began = time.process_time()
                upper, solved = bound(cov, k, best)
                spent.append(round(time.process_time() - began, 3))
                gap.append(percent(upper, best.value, solved))
            gaps.append(gap)
            seconds.append(spent)
            print(*gap, flush=True)
    return gaps, seconds


def percent(upper: float, value: float, solved: bool) -> float | str:
    """Return the gap of a bound in %, marked if the bound is from a point that is not called optimal."""
    if not np.isfinite(upper):
        return "-"
    digits = f"{100 * (upper / value - 1):.3g}"
    return float(digits) if solved else f"{digits}*"


def with_kept(stem: Path, header: list[str], rows: list[list]) -> list[list]:
    """Return new rows among those of other matrices that an earlier run of the same columns left."""
    kept = []
    if stem.with_suffix(".csv").exists():
        with stem.with_suffix(".csv").open(newline="") as file:
            found = list(csv.reader(file))
        if found and found[0] == header:
            fresh = {row[0] for row in rows}
            kept = [[number(cell) for cell in row] for row in found[1:] if row[0] not in fresh]
    order = list(INSTANCES)
    return sorted(kept + rows, key=lambda row: order.index(row[0]))


def number(cell: str) -> str | int | float:
    """Return a cell of a table as the number that it spells, if it does."""
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            continue
    return cell


def write_latex(path: Path, header: list[str], rows: list[list]) -> None:
    """Write a table as LaTeX tabular."""
    lines = [r"\begin{tabular}{l" + "r" * (len(header) - 1) + "}", r"\hline"]
    for row in [header, *rows]:
        cells = [f"{cell:.4g}" if isinstance(cell, float) else str(cell).replace("_", r"\_") for cell in row]
        lines.append(" & ".join(cells) + r" \\")
        if row is header:
            lines.append(r"\hline")
    path.write_text("\n".join([*lines, r"\hline", r"\end{tabular}"]) + "\n")


def write(stem: Path, header: list[str], rows: list[list], note: str) -> None:
    """Write a table as CSV, Markdown and LaTeX, with the rows of matrices that were not run again."""
    rows = with_kept(stem, header, rows)
    write_table(stem, header, rows, note)
    write_latex(stem.with_suffix(".tex"), header, rows)


def main() -> None:
    """Run the benchmark from the command line."""
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=here.parent.parent / "shared" / "data")
    parser.add_argument("--output", type=Path, default=here / "results")
    parser.add_argument("--only", nargs="+", choices=list(INSTANCES), default=list(INSTANCES))
    parser.add_argument("--limit", type=float, default=30.0, help="seconds for one bound")
    parser.add_argument("--interior-limit", type=float, help="the same for Clarabel, when it is not the same")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", rs.DataWarning)
    limits = Limits(arguments.limit, arguments.interior_limit or arguments.limit)
    gaps, seconds = measure(arguments.only, arguments.data, limits)
    names = list(relaxations(limits))
    note = (
        "Gap in % of the best value known. "
        "*: a valid bound, from a point not called optimal in time. -: no point."
    )
    write(arguments.output / "relaxations_gaps", ["matrix", "k", "value", *names], gaps, note)
    note = "Processor seconds, one run, building the problem and evaluating the bound included."
    write(arguments.output / "relaxations_seconds", ["matrix", "k", *names], seconds, note)


if __name__ == "__main__":
    main()
