"""Weights of row sums: damped power steps beside the greedy steps of Nesterov, Protasov and Cvetkovic.

Both minimise the largest weighted row sum at the root: a power step moves every weight by the square root of
its row; a greedy step lets every row choose its k - 1 dearest partners and goes to the Perron
vector of the matrix chosen, by power steps on that sparse matrix. Writes weights.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import scipy.sparse
from frontier import covariance, is_there
from tables import write_table

from relaxspca.problem.size import Cardinality
from relaxspca.relaxations.perron.weights import balance

RESULTS = Path(__file__).parent / "results"
INSTANCES = (
    ("pitprops", 9), ("communities", 10), ("noise 100 100 0", 10), ("noise 100 100 0", 20),
    ("colon500", 10), ("colon500", 50), ("spiked 500 500 0 20 2", 20),
)  # fmt: skip
STEPS = (8, 12, 30)
REPEATS = 3


def main() -> None:
    """Write the table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    header = ["matrix", "k"]
    header += [f"{steps} power steps: {what}" for steps in STEPS for what in ("excess %", "ms")]
    header += ["greedy: excess %", "ms", "steps", "largest row on the way"]
    rows = [row(name, k) for name, k in INSTANCES if is_there(name)]
    note = (
        "`benchmarks/weights.py`: excess of the largest row over the least possible one (greedy steps to their "
        f"end), processor milliseconds at the root, least of {REPEATS}. The last column: the largest "
        "row met on the way, as a multiple of the first one."
    )
    write_table(RESULTS / "weights", header, rows, note)


def row(name: str, k: int) -> tuple[object, ...]:
    """Return a row of the table."""
    S = covariance(name).matrix
    inside, size = np.zeros(len(S), dtype=bool), Cardinality(k)
    found = {}
    for steps in STEPS:
        runs = [
            timed(lambda steps=steps: float(balance(S, inside, size, iterations=steps).bound))
            for _ in range(REPEATS)
        ]
        found[steps] = runs[0][0], min(seconds for _, seconds in runs)
    runs = [timed(lambda: greedy(S, k)) for _ in range(REPEATS)]
    (least, count, worst), seconds = runs[0][0], min(seconds for _, seconds in runs)
    least = min(least, *(bound for bound, _ in found.values()))
    shown = [cell for bound, spent in found.values() for cell in (excess(bound, least), round(1000 * spent, 1))]
    result = (name, k, *shown, excess(runs[0][0][0], least), round(1000 * seconds, 1), count, round(worst, 2))
    print(*result, flush=True)
    return result


def greedy(S: np.ndarray, k: int) -> tuple[float, int, float]:
    """Return the least largest row, the number of steps, and the largest row met as a multiple of the first."""
    N, n = np.abs(S), len(S)
    np.fill_diagonal(N, 0.0)
    w = np.sqrt(np.diagonal(S))
    rows: list[float] = []
    while True:
        partners = np.argpartition(-(N * w), k - 2, axis=1)[:, : k - 1]
        chosen = np.take_along_axis(N, partners, axis=1)
        totals = np.diagonal(S) + (chosen * w[partners]).sum(axis=1) / w
        rows.append(float(totals.max()))
        if totals.max() <= totals.min() * (1 + 1e-9) or len(rows) > 30:
            return min(rows), len(rows) - 1, max(rows) / rows[0]
        index = np.repeat(np.arange(n), k - 1), partners.ravel()
        w = perron_vector(scipy.sparse.csr_array((chosen.ravel(), index), shape=(n, n)), np.diagonal(S), w)


def perron_vector(A: scipy.sparse.csr_array, diagonal: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return the leading eigenvector of a nonnegative matrix, its diagonal given apart."""
    for _ in range(2000):
        moved = A @ w + diagonal * w
        moved /= moved.max()
        if np.abs(moved - w / w.max()).max() < 1e-12:
            break
        w = moved
    return np.maximum(w, 1e-9)


def timed(work: object) -> tuple[object, float]:
    """Return what a function returns, and its processor seconds."""
    began = time.process_time()
    result = work()  # type: ignore[operator]
    return result, time.process_time() - began


def excess(bound: float, least: float) -> str:
    """Return how far a bound is above the least one, in %."""
    return f"{100 * (bound / least - 1):.3g}"


if __name__ == "__main__":
    main()
