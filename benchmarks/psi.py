"""Bounds from psi(rho): cost in eigendecompositions, against cone solvers, and against first-order methods.

    python benchmarks/psi.py cone cost fixed whole methods [--data DIR] [--output DIR]

Set OMP_NUM_THREADS=1: times are CPU seconds, which are then those of one core. One unit of cost is the time,
in the same run, of one `numpy.linalg.eigh` of size r plus one product of r x r by r x n. DIR holds
covariances as ``name.npz`` with an array ``S``.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from psi_methods import METHODS
from tables import write_table

from relaxspca import Covariance
from relaxspca.candidates import candidate
from relaxspca.candidates.approximate_greedy import approximate_greedy
from relaxspca.relaxations.psi.conic import solve_conic
from relaxspca.relaxations.psi.formula import psi_point, upper_bound
from relaxspca.relaxations.psi.minimise import bound, minimise

NAMES = ("digits64", "eisen1", "colon500", "communities", "communities_raw", "cov146")
CARDINALITIES = (5, 10, 20)


def seconds(call: Callable[[], Any], least: float = 0.2) -> float:
    """Return the least CPU time of one call among those that fit in a moment."""
    best, total = np.inf, 0.0
    while total < least:
        start = time.process_time()
        call()
        spent = time.process_time() - start
        best, total = min(best, spent), total + spent
    return best


def unit(r: int, n: int) -> float:
    """Return the time of one eigendecomposition of size r and one product r x r by r x n."""
    rng = np.random.default_rng(0)
    A, M = rng.normal(size=(r, n)), rng.normal(size=(r, r))
    M = M + M.T
    return seconds(lambda: np.linalg.eigh(M)) + seconds(lambda: M @ A)


def covariances(data: Path) -> Iterator[tuple[str, Covariance]]:
    """Yield the covariances that are there."""
    for name in NAMES:
        if (data / f"{name}.npz").exists():
            yield name, Covariance(np.load(data / f"{name}.npz")["S"])


def cone(data: Path, output: Path) -> None:
    """Compare with the cone program through Clarabel and SCS on small random covariances."""
    rows = []
    for n in (8, 12, 16, 20):
        cov = Covariance.from_factor(np.random.default_rng(n).normal(size=(n, n)))
        rho = 0.3 * float(cov.diagonal.max())
        own = seconds(lambda cov=cov, rho=rho: minimise(cov.factor, rho))
        value = minimise(cov.factor, rho, tol=1e-8).lower
        rows.append([n, "barrier", own, 1.0, (minimise(cov.factor, rho).value - value) / value])
        for solver in ("clarabel", "scs"):
            if solver == "clarabel" and n > 12:
                continue  # n = 16 and 20 together did not finish in two minutes
            tol = 1e-8 if solver == "clarabel" else 1e-6
            start = time.process_time()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                point = solve_conic(cov, rho=rho, solver=solver, tol=tol, time_limit=300)
            spent = time.process_time() - start
            rows.append([n, solver, spent, spent / own, (upper_bound(cov, point, 0) - value) / value])
    header = ["n", "method", "seconds", "times the barrier method", "proved bound above psi, relative"]
    note = "One psi(rho), rho = 0.3 of the largest variance; Clarabel up to n = 12; beyond it takes minutes."
    write_table(output / "psi_cone", header, rows, note)


def cost(data: Path, output: Path) -> None:
    """Measure one evaluation and one whole solve in units, over r."""
    rows = []
    for r in (25, 50, 100, 200, 350, 500):
        n = 2 * r
        A = np.random.default_rng(r).normal(size=(r, n))
        A /= np.sqrt(r)
        rho = 0.6
        solution = minimise(A, rho, tol=1e-4)
        spent = seconds(lambda A=A, rho=rho: minimise(A, rho, tol=1e-4))
        gap = (solution.value - solution.lower) / solution.lower
        rows.append([r, n, gap, solution.iterations, solution.evaluations, spent, spent / unit(r, n)])
    header = ["r", "n", "relative gap", "Newton steps", "evaluations", "seconds", "units"]
    write_table(output / "psi_cost", header, rows, "One psi(rho) to a relative gap of 1e-4, Gaussian factors.")


def fixed(data: Path, output: Path) -> None:
    """Measure one psi(rho) at the best price of k, to 1e-4 and 1e-6, in units of the whole covariance."""
    rows = []
    for name, cov in covariances(data):
        A = cov.factor
        for k in CARDINALITIES:
            rho = bound(A, k, tol=1e-6).rho
            for tol in (1e-4, 1e-6):
                found = minimise(A, rho, tol=tol)
                spent = seconds(lambda A=A, rho=rho, tol=tol: minimise(A, rho, tol=tol))
                gap = (found.value - found.lower) / found.lower
                rows.append([name, *A.shape, k, rho, gap, found.evaluations, spent, spent / unit(*A.shape)])
    header = ["data", "r", "n", "k", "rho", "relative gap", "evaluations", "seconds", "units"]
    write_table(output / "psi_fixed", header, rows, "One psi(rho), from nothing.")


def whole(data: Path, output: Path) -> None:
    """Measure the proved bound for k, search over rho included, against the best component known."""
    rows = []
    for name, cov in covariances(data):
        for k in CARDINALITIES:
            best = max(candidate(cov, k).value, approximate_greedy(cov, k).value)
            start = time.process_time()
            found = bound(cov.factor, k)
            spent = time.process_time() - start
            point = psi_point(cov, range(cov.n), found.rho, found.vectors)
            upper = upper_bound(cov, point, k)
            accuracy = (found.bound(k) - found.lower) / found.lower
            rows.append([name, cov.rank, cov.n, k, best, upper, 100 * (upper / best - 1), accuracy, spent])
    header = ["data", "r", "n", "k", "value known", "bound", "gap in percent", "accuracy", "seconds"]
    write_table(output / "psi_whole", header, rows, "min over rho of psi(rho) + rho k, from nothing.")


def methods(data: Path, output: Path) -> None:
    """Compare methods for one psi(rho): the gap that each reaches, and when it passes 1e-2 and 1e-4."""
    rows = []
    for name, cov in covariances(data):
        if name not in ("digits64", "colon500", "communities"):
            continue
        A = cov.factor
        rho = bound(A, 10, tol=1e-6).rho
        active = A[:, np.einsum("ji,ji->i", A, A) > rho]
        if active.shape[1] < active.shape[0]:
            active = np.linalg.qr(active)[1]
        for label, method in METHODS.items():
            trace = method(active, rho, seconds=8.0, tol=1e-6)
            reached = [next((t for t, gap in trace if gap <= goal), float("nan")) for goal in (1e-2, 1e-4)]
            rows.append([name, label, trace[-1][1], *reached, trace[-1][0]])
    header = ["data", "method", "relative gap", "seconds to 1e-2", "to 1e-4", "in all"]
    note = (
        "One psi(rho) at the best price of k = 10; every method from the identity, 8 s at most; –: not reached."
    )
    write_table(output / "psi_methods", header, rows, note)


PARTS = {"cone": cone, "cost": cost, "fixed": fixed, "whole": whole, "methods": methods}


def main() -> None:
    """Run the parts named on the command line, all by default."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="default: all")
    here = Path(__file__).resolve().parent
    parser.add_argument("--data", type=Path, default=here.parents[1] / "shared" / "data")
    parser.add_argument("--output", type=Path, default=here / "results")
    options = parser.parse_args()
    for part in options.parts or PARTS:
        PARTS[part](options.data, options.output)
        print((options.output / f"psi_{part}.md").read_text())


if __name__ == "__main__":
    main()
