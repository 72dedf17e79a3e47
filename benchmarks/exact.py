"""Prove the best component of every matrix in the published tables, and of random ones that are harder.

For each matrix at k = 5, 10 and 20: value, bound, gap, nodes and processor seconds of `solve`, and how the
checker judged its certificate and how long it took. Writes exact and exact_hard (CSV and Markdown).
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
from matrices import SCIKIT, matrix
from tables import SIZE, size_of, write_table

import relaxspca as rs

RESULTS = Path(__file__).parent / "results"
STORED = (
    "housing", "wdbc", "miniboone", "digits64", "eisen1", "communities", "communities_raw", "cov146",
    "colon500",
)  # fmt: skip
T = TypeVar("T")
HEADER = (
    "matrix", "n", "k", "lower", "upper", "gap %", "status", "nodes", "seconds", "verified", "check seconds",
    *SIZE,
)  # fmt: skip


def main() -> None:
    """Run both tables."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--time-limit", type=float, default=120.0, help="seconds a search (default 120)")
    limit = arguments.parse_args().time_limit
    note = (
        f"`benchmarks/exact.py`: searches of at most {limit:g} s on one core, candidate included; seconds are "
        "processor time. Verified: by `relaxspca.verify`, which shares no code with the search. kB: of the "
        "certificate, matrix included."
    )
    rows = [row(name, cov, k, limit) for name, cov in published() for k in (5, 10, 20) if k < cov.n]
    write_table(RESULTS / "exact", HEADER, rows, note)
    rows = [row(name, cov, k, limit) for name, cov, k in hard()]
    write_table(RESULTS / "exact_hard", HEADER, rows, note)


def row(name: str, cov: rs.Covariance, k: int, limit: float) -> tuple[object, ...]:
    """Solve and verify one instance."""
    result, seconds = timed(lambda: rs.solve(cov, k, time_limit=limit))
    verdict, check_seconds = timed(lambda: rs.verify(result.certificate))
    found = (
        name, cov.n, k, result.lower, result.upper, 100 * result.gap, result.status, result.node_count,
        round(seconds, 2), "yes" if verdict else verdict.reasons[0], round(check_seconds, 2),
        *size_of(result.certificate),
    )  # fmt: skip
    print(*found, flush=True)
    return found


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return a result and the processor time that it took."""
    began = time.process_time()
    return work(), time.process_time() - began


def published() -> Iterator[tuple[str, rs.Covariance]]:
    """Yield the matrices that are there: pitprops always, others with scikit-learn or the shared data."""
    for name in ("pitprops", *SCIKIT, *STORED):
        cov = matrix(name)
        if cov is not None:
            yield f"{name} (correlation)" if name in SCIKIT else name, cov


def hard() -> Iterator[tuple[str, rs.Covariance, int]]:
    """Yield noise, where nothing stands out, and structure at the edge of what can be seen."""
    for n, k in ((30, 10), (50, 10), (70, 10)):
        for seed in range(2):
            X = np.random.default_rng(seed).normal(size=(n, n))
            yield f"Wishart, m = n, seed {seed}", rs.Covariance(X.T @ X / n), k
    for seed in range(2):
        rng = np.random.default_rng(seed)
        v = np.zeros(60)
        v[:10] = 1 / np.sqrt(10)
        X = rng.normal(size=(60, 60)) + 1.0 * rng.normal(size=(60, 1)) * v
        yield f"spiked, seed {seed}", rs.Covariance(X.T @ X / 60), 10
    for n, k in ((40, 9), (60, 11)):
        rng = np.random.default_rng(n)
        A = np.triu(rng.random((n, n)) < 0.5, 1).astype(float)
        A[:k, :k] = np.triu(np.ones((k, k)), 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.DataWarning)  # an adjacency matrix is indefinite
            yield f"planted clique of {k}", rs.Covariance(A + A.T + np.eye(n)), k
    S, rng = np.zeros((1000, 1000)), np.random.default_rng(0)
    for start in range(0, 1000, 25):
        X = rng.normal(size=(40, 25))
        S[start : start + 25, start : start + 25] = X.T @ X / 40
    yield "40 blocks of 25", rs.Covariance(S), 10


if __name__ == "__main__":
    main()
