"""Half of a symmetric matrix in place of all of it: memory, and the time of row sums and of a product.

The upper triangle is kept in tiles of 256 x 256, from which 256 rows at a time are put together, as many as
the row sums of the package take at a time. Seconds are of the processor, the least of five. Writes storage.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from frontier import covariance
from tables import write_table

from relaxspca.problem.size import Cardinality
from relaxspca.relaxations.perron.formula import weighted_rows

RESULTS = Path(__file__).parent / "results"
SIZES = (500, 1000, 2000, 4000)
K, TILE = 10, 256
HEADER = ("n", "all, MB", "half, MB", "row sums, all, ms", "half, ms", "product, all, ms", "half, ms ")

Rows = Callable[[], Iterator[tuple[int, np.ndarray]]]


def main() -> None:
    """Write the table."""
    rows = []
    for n in SIZES:
        Sigma = covariance(f"spiked {n} 500 0 10 2").matrix
        half = Half(Sigma)
        weights = np.sqrt(np.diagonal(Sigma))

        def whole(Sigma: np.ndarray = Sigma) -> Iterator[tuple[int, np.ndarray]]:
            return ((first, Sigma[first : first + TILE]) for first in range(0, len(Sigma), TILE))

        assert np.array_equal(sums(whole, weights), sums(half.rows, weights))
        assert np.allclose(Sigma @ weights, half.times(weights))
        times = (
            least(lambda w=weights, r=whole: sums(r, w)),
            least(lambda w=weights, h=half: sums(h.rows, w)),
            least(lambda w=weights, S=Sigma: S @ w),
            least(lambda w=weights, h=half: h.times(w)),
        )
        memory = (Sigma.nbytes, sum(tile.nbytes for tile in half.tiles.values()))
        rows.append((n, *(round(each / 1e6, 1) for each in memory), *(round(1e3 * s, 2) for s in times)))
        print(*rows[-1], flush=True)
    note = (
        f"`benchmarks/storage.py`: spiked matrices, k = {K}; row sums with their {K - 1} dearest prices, "
        "and a product with a vector; processor milliseconds, the least of five."
    )
    write_table(RESULTS / "storage", HEADER, rows, note)


class Half:
    """The tiles of a symmetric matrix on and above the diagonal."""

    def __init__(self, Sigma: np.ndarray) -> None:
        self.n = len(Sigma)
        self.starts = range(0, self.n, TILE)
        self.tiles = {
            (a, b): Sigma[a : a + TILE, b : b + TILE].copy() for a in self.starts for b in self.starts if a <= b
        }

    def rows(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the rows, as many as a tile has at a time."""
        for a in self.starts:
            parts = [self.tiles[a, b] if a <= b else self.tiles[b, a].T for b in self.starts]
            yield a, np.hstack(parts)

    def times(self, x: np.ndarray) -> np.ndarray:
        """Return the product with a vector: every tile is read once."""
        y = np.zeros(self.n)
        for (a, b), tile in self.tiles.items():
            y[a : a + TILE] += tile @ x[b : b + TILE]
            if a < b:
                y[b : b + TILE] += tile.T @ x[a : a + TILE]
        return y


def sums(rows: Rows, weights: np.ndarray) -> np.ndarray:
    """Return the weighted row sums, as the package forms them."""
    inside, size = np.zeros(len(weights), dtype=bool), Cardinality(K)
    parts = [
        size.row_prices(weighted_rows(part, weights, first=first), inside, first=first).total
        for first, part in rows()
    ]
    return np.concatenate(parts)


def least(work: Callable[[], object]) -> float:
    """Return the least processor seconds of five."""
    seconds = []
    for _ in range(5):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return min(seconds)


if __name__ == "__main__":
    main()
