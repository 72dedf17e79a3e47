"""Prove tables of several components of the pit props: every split of 4, 6, 8 and 10 into two, and equal sizes.

For each: the best sum of variances found, bound, gap, bound of the root, nodes and processor seconds, for
orthogonal supports and for disjoint ones; then one common support. Writes several (CSV and Markdown).
`--sizes` has the tables that are named only, orthogonal, each for so many processor seconds, and writes
several_reach.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from tables import write_table

import relaxspca as rs

RESULTS = Path(__file__).parent / "results"
REACH = (
    "`benchmarks/several.py --sizes ...`: searches that are stopped after {:g} s of processor time, on one "
    "core of a busy machine; first table included."
)
HEADER = (
    "sizes", "supports", "lower", "upper", "gap %", "root", "status", "a variable used twice", "nodes",
    "seconds",
)  # fmt: skip


def main() -> None:
    """Run the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--time-limit", type=float, default=120.0, help="seconds a search (default 120)")
    arguments.add_argument(
        "--sizes",
        nargs="*",
        metavar="K,K",
        help="these orthogonal tables only; the limit is of processor seconds",
    )
    options = arguments.parse_args()
    limit, cov = options.time_limit, rs.datasets.load_pitprops()
    if options.sizes:
        rows = []
        for words in options.sizes:
            rows.append(searched(cov, tuple(int(k) for k in words.split(",")), limit=limit))
            write_table(RESULTS / "several_reach", HEADER, rows, REACH.format(limit))
        return
    splits = [(total - a, a) for total in (4, 6, 8, 10) for a in range(1, total // 2 + 1)]
    equal = [(k,) * r for r in (3, 4, 5, 6) for k in (2, 4)]
    more = [(3, 3, 3), (7, 4, 4)]
    rows = [
        row(cov, sizes, disjoint=disjoint, limit=limit)
        for sizes in [*splits, *equal, *more]
        for disjoint in (False, True)
    ]
    rows += [common(cov, k, r, limit=limit) for r in (2, 3) for k in (4, 5, 6)]
    write_table(RESULTS / "several", HEADER, rows, note_of(limit))


def note_of(limit: float) -> str:
    """Return what a table says of itself."""
    return (
        f"`benchmarks/several.py`: searches of at most {limit:g} s by the clock on one core, first table "
        "included; seconds are processor time. Where sizes are larger than 13 together, disjoint supports are "
        "smaller than asked."
    )


def searched(cov: rs.Covariance, sizes: tuple[int, ...], *, limit: float) -> tuple[object, ...]:
    """Search for one table until some seconds of processor time are over."""
    began = time.process_time()
    found = rs.components(cov, sizes, joint=True, callback=lambda _: time.process_time() - began > limit)
    return cells_of(found, sizes, began)


def row(cov: rs.Covariance, sizes: tuple[int, ...], *, disjoint: bool, limit: float) -> tuple[object, ...]:
    """Prove one table."""
    began = time.process_time()
    found = rs.components(cov, sizes, joint=True, disjoint=disjoint, time_limit=limit)
    return cells_of(found, sizes, began)


def common(cov: rs.Covariance, k: int, r: int, *, limit: float) -> tuple[object, ...]:
    """Prove one table on a common support."""
    began = time.process_time()
    return cells_of(rs.solve(cov, k, n_components=r, time_limit=limit), (k,) * r, began)


def cells_of(found: rs.JointComponents, sizes: tuple[int, ...], began: float) -> tuple[object, ...]:
    """Return the row of a table that has been proved, and show it."""
    used = [name for support in found.supports for name in support]
    cells = (
        " ".join(map(str, sizes)), found.kind, found.lower, found.upper, 100 * found.gap, found.root,
        str(found.status), "yes" if len(set(used)) < len(used) else "no", found.node_count,
        round(time.process_time() - began, 1),
    )  # fmt: skip
    print(*cells, flush=True)
    return cells


if __name__ == "__main__":
    main()
