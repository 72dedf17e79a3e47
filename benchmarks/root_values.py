"""What is the relaxation at the root of a search worth, however long it is minimised? Writes root_values.

Splitting ends in a dual point, a bound on the relaxation from above, and a matrix X that nearly meets its
constraints. X with its off-diagonal entries times a factor f <= 1 meets them, if charges R_ij R_ji = X_ij^2 are
at most x_i / f, x = diag X, and those of a row add up to at most (k - 1) x_i / f: it stays semidefinite. So the
value of that matrix is a bound on the relaxation from below. Both are given above the best component known, and
in floating point. Where the lower one is above a target no root of this relaxation reaches the target.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from matrices import covariance
from tables import write_table

import relaxspca as rs
from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.perron.formula import perron_point, upper_bound
from relaxspca.relaxations.perron.splitting import Splitting

RESULTS = Path(__file__).parent / "results"
CASES = (
    ("noise 200 200 0", 15, 600),
    ("spiked 400 200 0 10 0.7", 10, 600),
    ("spiked 1000 500 0 10 0.7", 10, 420),
)  # matrix, cardinality, steps
SHARES = (1.0, 0.9, 0.75, 0.6, 0.4, 0.2)  # of the variables that keep their part of X
HEADER = ("matrix", "k", "steps", "seconds", "at least, %", "at most, %")


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="matrices whose name contains this; nothing is written")
    only = parser.parse_args().only
    rows = []
    for name, k, steps in CASES:
        if only in name:
            rows.append(bracket(name, k, steps))
            print(*rows[-1], flush=True)
    note = (
        "`benchmarks/root_values.py`: the value of the relaxation at the root, all variables, above the best "
        "component known, between a feasible matrix and a dual point; processor seconds, one thread."
    )
    if not only:
        write_table(RESULTS / "root_values", HEADER, rows, note)


def bracket(name: str, k: int, steps: int) -> tuple[object, ...]:
    """Return the row of a matrix."""
    cov, began = covariance(name), time.process_time()
    best = rs.candidate(cov, k).value
    state = Splitting(cov.matrix, k, scale=best)
    state.advance(steps)
    upper = upper_bound(cov, perron_point(np.arange(cov.n), *state.point()), k)
    lower = attained(cov.matrix, state.X.astype(float), state.R.astype(float), k)
    above = [round(100 * (value / best - 1), 2) for value in (lower, upper)]
    return name, k, steps, round(time.process_time() - began, 1), *above


def attained(Sigma: Array, X: Array, R: Array, k: int) -> float:
    """Return the largest value of a feasible matrix among those of the variables of large variance in X."""
    values, vectors = np.linalg.eigh((X + X.T) / 2)
    X = (vectors * np.maximum(values, 0.0)) @ vectors.T
    order = np.argsort(-np.diagonal(X), kind="stable")
    blocks = [order[: int(share * len(order))] for share in SHARES]
    return max(feasible_value(*(M[np.ix_(kept, kept)] for M in (Sigma, X, R)), k) for kept in blocks)


def feasible_value(Sigma: Array, X: Array, R: Array, k: int) -> float:
    """Return the value of X, its off-diagonal entries shrunk until charges in the proportions of R are met."""
    x, R = np.diagonal(X), np.maximum(R, 1e-300)
    charges = np.abs(X) * np.sqrt(R / R.T)
    np.fill_diagonal(charges, 0.0)
    t = np.ones(len(x))
    for _ in range(30):  # any positive t gives charges R_ij R_ji = X_ij^2
        own = charges * t[:, None] / t
        excess = np.maximum(own.sum(axis=1) / ((k - 1) * x), own.max(axis=1) / x)
        found = min(1.0, 1 / float(excess.max()))
        t = np.clip(t * np.maximum(excess, 1e-12) ** -0.3, 1e-3, 1e3)
    return float(found * (Sigma * X).sum() + (1 - found) * (np.diagonal(Sigma) * x).sum()) / float(x.sum())


if __name__ == "__main__":
    main()
