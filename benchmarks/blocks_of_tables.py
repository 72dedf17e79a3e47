"""What orthogonal tables of the pit props can explain, by how their components hang together.

    python benchmarks/blocks_of_tables.py [--sizes K,K ...] [--output DIRECTORY]

Components whose supports meet, directly or over others, are a block. The supports are where loadings are not 0,
so that two that meet share two variables at least: b components of k variables in one block use at most
b k - 2 (b - 1) variables together, and different blocks use different ones. For every way to divide r
components into blocks this is the largest sum, over disjoint sets of variables, of what b components on a
set may explain: the sum of the b largest eigenvalues of the set; for two of at most four variables, which
turn by one angle where they share two exactly, the best angle of the best supports. All are tried.
Floating point, for docs/decisions/blocks-of-tables.md: not a proof.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tables import write_table

import relaxspca as rs

RESULTS = Path(__file__).parent / "results"
HEADER = ("sizes", "blocks of", "at most")
NOTE = (
    "`benchmarks/blocks_of_tables.py`: the most that components in such blocks may explain together, "
    "pit props; floating point."
)
ANGLES = 180
TURNED = 4  # variables up to which pairs of supports are tried

Array = np.ndarray


def main() -> None:
    """Bound every way to divide the components into blocks."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--sizes", nargs="*", default=["4,4,4", "4,4,4,4", "6,6,6"], help="equal sizes")
    arguments.add_argument("--output", type=Path, default=RESULTS)
    options = arguments.parse_args()
    Sigma = rs.datasets.load_pitprops().matrix
    rows: list[tuple[object, ...]] = []
    for text in options.sizes:
        sizes = [int(k) for k in text.split(",")]
        if len(set(sizes)) > 1:
            arguments.error(f"--sizes are equal within a table, not {text}")
        worth = worth_of_blocks(Sigma, sizes[0], len(sizes))
        for blocks in divisions(len(sizes), len(sizes)):
            rows.append((text.replace(",", " "), " ".join(map(str, blocks)), best_of(blocks, worth)))
            print(*rows[-1], flush=True)
            write_table(options.output / "blocks_of_tables", HEADER, rows, NOTE)


def worth_of_blocks(Sigma: Array, k: int, r: int) -> Array:
    """Return entry (b, U): what a block of b components of k variables may explain on the variables of U."""
    n = len(Sigma)
    sets = [[i for i in range(n) if U >> i & 1] for U in range(1 << n)]
    worth = np.full((r + 1, len(sets)), -np.inf)
    for U, chosen in enumerate(sets):
        values = np.cumsum(np.linalg.eigvalsh(Sigma[np.ix_(chosen, chosen)])[::-1])
        for b in range(1, r + 1):
            most = b * k - 2 * (b - 1)
            if not b <= len(chosen) <= most:
                continue
            worth[b, U] = values[b - 1]
            if b == 2 and len(chosen) == most and 1 < k <= TURNED:
                worth[b, U] = min(worth[b, U], best_pair(Sigma, chosen, k))
    for i in range(n):  # a block need not use all variables of its set
        halves = worth.reshape(r + 1, -1, 2, 1 << i)
        halves[:, :, 1] = np.maximum(halves[:, :, 1], halves[:, :, 0])
    return worth


def best_pair(Sigma: Array, chosen: list[int], k: int) -> float:
    """Return the most that two supports of k variables that share two of these 2k - 2, and use all, explain."""
    angles = np.linspace(0, np.pi, ANGLES, endpoint=False)
    turned = np.array([np.cos(angles), np.sin(angles)]), np.array([-np.sin(angles), np.cos(angles)])
    best = -np.inf
    for shared in itertools.combinations(chosen, 2):
        others = [i for i in chosen if i not in shared]
        for first in itertools.combinations(others[1:], k - 3) if k > 2 else [()]:
            one = [*others[:1], *first]
            two = [i for i in others if i not in one]
            sums = sum(largest(Sigma, own, shared, u) for own, u in zip((one, two), turned, strict=True))
            best = max(best, float(np.max(sums)))
    return best


def largest(Sigma: Array, own: list[int], shared: tuple[int, ...], directions: Array) -> Array:
    """Return the largest variance on some variables and one direction of two others, for every direction."""
    m = len(own)
    M = np.empty((directions.shape[1], m + 1, m + 1))
    M[:, :m, :m] = Sigma[np.ix_(own, own)]
    M[:, :m, m] = M[:, m, :m] = (Sigma[np.ix_(own, shared)] @ directions).T
    M[:, m, m] = np.einsum("ia,ij,ja->a", directions, Sigma[np.ix_(shared, shared)], directions)
    return np.asarray(np.linalg.eigvalsh(M)[:, -1])


def divisions(r: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write r as a sum, the largest first."""
    if r == 0:
        yield ()
    for b in range(min(r, most), 0, -1):
        yield from ((b, *others) for others in divisions(r - b, b))


def best_of(blocks: tuple[int, ...], worth: Array) -> float:
    """Return the largest sum of what blocks may explain on disjoint sets."""
    everything = worth.shape[1] - 1
    best = worth[blocks[0]]
    for b in blocks[1:-1]:
        best = np.array([split_best(best, worth[b], U) for U in range(everything + 1)])
    return float(best[everything] if len(blocks) == 1 else split_best(best, worth[blocks[-1]], everything))


def split_best(one: Array, other: Array, U: int) -> float:
    """Return the best sum over the ways to give some variables of U to one and the others to the other."""
    parts = np.zeros(1, dtype=np.int64)
    for i in range(U.bit_length()):
        if U >> i & 1:
            parts = np.concatenate([parts, parts | 1 << i])
    return float(np.max(one[parts] + other[U ^ parts]))


if __name__ == "__main__":
    main()
