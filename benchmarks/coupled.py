"""The bound that couples Perron and pairwise by one moment matrix, beside Perron and the whole search.

The cone program of docs/decisions/coupled-bound.md goes to Clarabel; what is shown is the optimal
value that it reports, which is not proved. `linked`: the same without the moment matrix.
Writes coupled.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import cvxpy as cp
import numpy as np
from frontier import covariance
from tables import write_table

import relaxspca as rs
from relaxspca.relaxations.perron.models import product_cone

RESULTS = Path(__file__).parent / "results"
INSTANCES = (
    ("noise 12 12 1", 5), ("noise 12 12 2", 3), ("noise 16 16 0", 5), ("ties 16 4 0", 6),
    ("spiked 20 10 0 6 0.7", 6), ("noise 20 20 0", 8), ("ties 20 5 0", 8),
)  # fmt: skip
HEADER = (
    "matrix", "k", "Perron %", "linked %", "coupled %", "Perron s", "coupled s", "whole proof s", "nodes",
)  # fmt: skip


def main() -> None:
    """Write the table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    rows = [row(name, k) for name, k in INSTANCES]
    note = (
        "`benchmarks/coupled.py`: gaps in % of the optimum of cone programs, by Clarabel at its default "
        "accuracy (about 1e-4 %), not proved; processor seconds, one thread; the whole proof is "
        "`relaxspca.solve`. Matrices as in `benchmarks/frontier.py`."
    )
    write_table(RESULTS / "coupled", HEADER, rows, note)


def row(name: str, k: int) -> tuple[object, ...]:
    """Return a row of the table."""
    cov = covariance(name)
    found, whole = timed(lambda: rs.solve(cov, k))
    assert found.status == "optimal"
    perron, of_perron = timed(lambda: rs.models.perron(cov, k).solve())
    linked, _ = timed(lambda: program(cov.matrix, k, moment=False).solve(solver="CLARABEL"))
    coupled, of_coupled = timed(lambda: program(cov.matrix, k).solve(solver="CLARABEL"))
    gaps = [f"{100 * (value / found.lower - 1):.4f}" for value in (perron, linked, coupled)]
    seconds = [round(spent, 2) for spent in (of_perron, of_coupled, whole)]
    result = (name, k, *gaps, *seconds, found.node_count)
    print(*result, flush=True)
    return result


def program(Sigma: np.ndarray, k: int, *, moment: bool = True) -> Any:
    """Return the cone program; every x with k nonzeros on T is feasible: d = x o x, z the indicator of T."""
    n = len(Sigma)
    X, R = cp.Variable((n, n), PSD=True), cp.Variable((n, n), nonneg=True)
    Q, T = (cp.Variable((n, n), symmetric=True) for _ in range(2))
    d, z = cp.diag(X), cp.Variable(n)
    columns, rows = cp.reshape(z, (1, n), order="C"), cp.reshape(d, (n, 1), order="C")
    ones = np.ones((n, 1))
    above = np.triu_indices(n, 1)
    constraints = [
        cp.trace(X) == 1, z <= 1, cp.sum(z) == k,
        cp.diag(R) == d, rows @ ones.T >= R, ones @ columns >= R,
        cp.sum(R, axis=1) == k * d, cp.sum(R, axis=0) == z, product_cone(X, R),
        Q >= 0, T >= 0, cp.sum(Q, axis=1) == d, cp.sum(T, axis=1) == k * z,
        cp.diag(T) == z, ones @ columns >= T,
        product(X[above], Q[above], T[above]), product(d, cp.diag(Q), z),
        Q <= R, R <= T, Q - R - R.T + T >= 0,
    ]  # fmt: skip
    if moment:
        M = cp.Variable((2 * n + 1, 2 * n + 1), PSD=True)
        first, last = slice(1, n + 1), slice(n + 1, 2 * n + 1)
        constraints += [
            M[0, 0] == 1, M[0, first] == d, M[0, last] == z,
            M[first, first] == Q, M[first, last] == R, M[last, last] == T,
        ]  # fmt: skip
    return cp.Problem(cp.Maximize(cp.trace(Sigma @ X)), constraints)


def product(root: Any, first: Any, second: Any) -> Any:
    """Return root_i^2 <= first_i second_i; the rows are of one shape, or the cone is another."""
    shape = (1, root.shape[0])
    root, first, second = (cp.reshape(each, shape, order="C") for each in (root, first, second))
    return cp.SOC(
        cp.reshape(first + second, (shape[1],), order="C"), cp.vstack([2 * root, first - second]), axis=0
    )


def timed(work: Any) -> tuple[Any, float]:
    """Return what a function returns, and its processor seconds."""
    began = time.process_time()
    return work(), time.process_time() - began


if __name__ == "__main__":
    main()
