"""What verification costs: seconds, and how many eigenvalue decompositions of numpy that is.

    python benchmarks/verification.py [--output DIR]

Writes verification (CSV and Markdown). Certificates with one leaf on random covariances, in either arithmetic,
and of searches with hundreds of leaves. Seconds are those of the processor. The peer is `numpy.linalg.eigvalsh`
of the same matrix, in the same run: what an unproved spectral bound costs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import exact as searches
from tables import write_table

import relaxspca as rs
from relaxspca.certificate import Certificate, FactorPoint, Leaf, RowsPoint
from relaxspca.checker import verify
from relaxspca.relaxations.perron.formula import perron_point

CASES = [
    ("perron", 30, 10, True),
    ("psi", 30, 10, True),
    ("perron", 100, 10, True),
    ("perron", 100, 10, False),
    ("psi", 100, 10, False),
    ("perron", 500, 20, False),
    ("psi", 500, 20, False),
    ("perron", 1000, 20, False),
]
SEARCHES = ("spiked, seed 1", "40 blocks of 25")
REPEATS = 3


def main(arguments: list[str] | None = None) -> None:
    """Time every case and write the table."""
    parser = argparse.ArgumentParser(description="What verification costs.")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    options = parser.parse_args(arguments)
    rows = [row(kind, single_leaf(kind, n, k), exact) for kind, n, k, exact in CASES]
    rows += [row(name, rs.solve(cov, k).certificate, False) for name, cov, k in searched()]
    write_table(
        options.output / "verification",
        ["evidence", "n", "k", "leaves", "arithmetic", "seconds", "times eigvalsh"],
        rows,
    )


def searched() -> Iterator[tuple[str, rs.Covariance, int]]:
    """Yield what to search: a tree of hundreds of leaves, a matrix in blocks, and colon500 if it is there."""
    yield from (case for case in searches.hard() if case[0] in SEARCHES)
    yield from ((name, cov, 20) for name, cov in searches.published() if name == "colon500")


def row(name: str, certificate: Certificate, exact: bool) -> list[object]:
    """Return one line: the best of a few runs."""
    verdict = verify(certificate, exact=exact)
    assert verdict, verdict.reasons
    seconds = best_of(lambda: verify(certificate, exact=exact))
    peer = best_of(lambda: np.linalg.eigvalsh(certificate.matrix))
    claim = [name, certificate.n, certificate.k, verdict.leaf_count, verdict.arithmetic]
    return [*claim, seconds, seconds / peer]


def best_of(run: Callable[[], object]) -> float:
    """Return the least seconds of a few runs."""
    found = []
    for _ in range(REPEATS):
        began = time.process_time()
        run()
        found.append(time.process_time() - began)
    return min(found)


def single_leaf(kind: str, n: int, k: int) -> Certificate:
    """Return a certificate of one leaf: P half of Sigma off its diagonal, or y_i a multiple of a_i."""
    X = np.random.default_rng(0).normal(size=(2 * n, n))
    S = X.T @ X / len(X)
    S = (S + S.T) / 2
    T = np.sort(np.argsort(-np.diag(S))[:k])
    loadings = np.zeros(n)
    loadings[T] = np.linalg.eigh(S[np.ix_(T, T)])[1][:, -1]
    if kind == "perron":
        P = (S - np.diag(np.diag(S))) / 2
        point: RowsPoint | FactorPoint = perron_point(np.arange(n), P, np.abs(P))
    else:
        A = np.linalg.cholesky(S).T
        rho = float(np.median(np.diag(S)))
        point = FactorPoint(np.arange(n), rho, A * np.sqrt(np.maximum(0, 1 - rho / (A * A).sum(axis=0))), A)
    return Certificate(
        n=n,
        names=tuple(f"x{i}" for i in range(n)),
        matrix=S,
        k=k,
        lower=0.0,
        upper=1e3,
        indices=T,
        loadings=loadings,
        points=(point,),
        tree=(Leaf(kind, 0),),
        made_by="benchmark",
    )


if __name__ == "__main__":
    main()
