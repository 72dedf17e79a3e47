"""What conditions cost: searches with variables included and excluded, beside the search without conditions.

For each matrix at k = 5 and 10: one and two variables of the best support excluded; one and two others
included, of large, middle and small variance; both. Each search is a ratio of processor seconds to `solve`
without conditions in the same run, the least of several times each, candidates included. The table has the
median and the range of the ratios of each matrix, and the median of all. Writes conditions (CSV and Markdown).
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from near_optimal import DATA, RESULTS, matrices, timed
from tables import write_table

import relaxspca as rs

REPEATS = 3
HEADER = (
    "matrix", "n", "k", "solve seconds", "excluded: median", "excluded: range", "included: median",
    "included: range", "most nodes", "all proved",
)  # fmt: skip


def main() -> None:
    """Run the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the stored matrices")
    options = parser.parse_args()
    rows, ratios = list[tuple[object, ...]](), {"excluded": list[float](), "included": list[float]()}
    for name, cov in matrices(options.data):
        for k in (5, 10):
            row = measured(name, cov, k, ratios)
            print(*row, flush=True)
            rows.append(row)
    medians = ", ".join(f"{kind} {statistics.median(some):.2f}" for kind, some in ratios.items())
    note = (
        f"`benchmarks/conditions.py`: one core, processor seconds, the least of {REPEATS} times; ratios to "
        f"`solve` without conditions. Median of all ratios: {medians}."
    )
    write_table(RESULTS / "conditions", HEADER, rows, note)


def measured(name: str, cov: rs.Covariance, k: int, ratios: dict[str, list[float]]) -> tuple[object, ...]:
    """Return the row of one matrix; add its ratios to those of all."""
    plain, seconds = timed(lambda: rs.solve(cov, k), REPEATS)
    used = [int(i) for i in plain.indices]
    others = [int(i) for i in np.argsort(-cov.diagonal, kind="stable") if i not in plain.indices]
    own: dict[str, list[float]] = {kind: [] for kind in ratios}
    nodes, is_proved = 0, plain.status == "optimal"
    for kind, include, exclude in conditions(used, others):
        found, taken = timed(lambda: rs.solve(cov, k, include=include, exclude=exclude), REPEATS)  # noqa: B023
        own[kind].append(taken / seconds)
        nodes, is_proved = max(nodes, found.node_count), is_proved and found.status == "optimal"
    shown = []
    for kind, some in own.items():
        ratios[kind] += some
        shown += [round(statistics.median(some), 2), f"{min(some):.2f}-{max(some):.2f}"]
    return (name, cov.n, k, round(seconds, 3), *shown, nodes, "yes" if is_proved else "no")


def conditions(used: list[int], others: list[int]) -> Iterator[tuple[str, list[int], list[int]]]:
    """Yield a kind, variables to include and variables to exclude."""
    middle = others[len(others) // 2]
    for exclude in ([used[0]], [used[len(used) // 2]], [used[-1]], used[:2]):
        yield "excluded", [], exclude
    for include in ([others[0]], [middle], [others[-1]], others[:2]):
        yield "included", include, []
    yield "included", [others[0]], [used[0]]


if __name__ == "__main__":
    main()
