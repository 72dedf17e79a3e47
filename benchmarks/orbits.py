"""Would it pay to search one support of each orbit? Variables that can be exchanged, and what they cost.

Two variables can be exchanged if the matrix is the same after it: equal variances, and equal
covariances with all others, to the last bit. First table: how many such pairs real matrices have.
Second: matrices made of blocks in which all can be exchanged; the search as it is beside a list of
one support an orbit (so many of each block), which such a search would need at most. Writes
orbits_data and orbits_blocks.
"""

from __future__ import annotations

import argparse
import itertools
import time
from pathlib import Path

import numpy as np
from frontier import by_processor, covariance, is_there
from tables import write_table

import relaxspca as rs

RESULTS = Path(__file__).parent / "results"
MATRICES = (
    "pitprops", "housing", "wdbc", "digits64", "miniboone", "communities", "communities_raw", "eisen1",
    "cov146", "colon500", "reddit2000", "ties 60 6 0",
)  # fmt: skip
BLOCKS = ((20, 5, 7), (30, 5, 12), (40, 8, 12), (48, 6, 12))


def main() -> None:
    """Write both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=20.0, help="processor seconds a search (default 20)")
    limit = parser.parse_args().limit
    by_processor()
    rows = [(name, covariance(name).n, exchangeable(covariance(name))) for name in MATRICES if is_there(name)]
    note = (
        "`benchmarks/orbits.py`: pairs of variables whose exchange leaves the matrix as it is, to the last bit."
    )
    write_table(RESULTS / "orbits_data", ("matrix", "n", "pairs"), rows, note)
    note = (
        "`benchmarks/orbits.py`: n variables in blocks that can be exchanged (correlation .6 within, random "
        "ones between); processor seconds, one thread, at most "
        f"{limit:g} a search. Orbits: supports that differ in how many they take of each block."
    )
    header = ("n", "block", "k", "gap %", "nodes", "search s", "orbits", "all orbits s")
    write_table(RESULTS / "orbits_blocks", header, [blocks(*each, limit) for each in BLOCKS], note)


def exchangeable(cov: rs.Covariance) -> int:
    """Return the number of pairs that can be exchanged."""
    S, count = cov.matrix, 0
    alike = {}
    for i in range(cov.n):  # equal sorted rows come first: few pairs are left
        alike.setdefault(np.sort(S[i]).tobytes(), []).append(i)
    for group in alike.values():
        for i, j in itertools.combinations(group, 2):
            others = np.delete(np.arange(cov.n), [i, j])
            count += bool(S[i, i] == S[j, j] and np.array_equal(S[i, others], S[j, others]))
    return count


def blocks(n: int, size: int, k: int, limit: float) -> tuple[object, ...]:
    """Return a row of the second table."""
    count = n // size
    base = np.corrcoef(np.random.default_rng(0).standard_normal((4 * count, count)).T)
    S = np.kron(0.4 * base, np.ones((size, size)))
    S[np.kron(np.eye(count), np.ones((size, size))) > 0] = 0.6
    np.fill_diagonal(S, 1.0)
    began = time.process_time()
    found = rs.solve(rs.Covariance(S), k, time_limit=limit)
    searched, began = time.process_time() - began, time.process_time()
    best, orbits = -np.inf, 0
    for numbers in itertools.product(range(size + 1), repeat=count):
        if sum(numbers) == k:
            T = [b * size + i for b, number in enumerate(numbers) for i in range(number)]
            best, orbits = max(best, float(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1])), orbits + 1
    listed = time.process_time() - began
    assert best <= found.upper * (1 + 1e-12)
    assert found.lower <= best * (1 + 1e-12)
    row = (n, size, k, 100 * found.gap, found.node_count, round(searched, 2), orbits, round(listed, 2))
    print(*row, flush=True)
    return row


if __name__ == "__main__":
    main()
