"""Groups and signs: what proving them costs beside the search without, in one run.

For each matrix at k = 5 and 10: at most one variable of each group of variables that correlate (average
linkage, absolute correlations above .6), the best union of three such groups, and loadings that are not
negative. Of each: the gap that is left, processor seconds as a ratio to `solve`, and the verdict of the
checker. Writes restricted (CSV and Markdown).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from matrices import DATA
from near_optimal import matrices, timed
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from tables import write_table

import relaxspca as rs

RESULTS = Path(__file__).parent / "results"
TOGETHER = 0.4  # 1 - |correlation| up to which variables are of one group
HEADER = (
    "matrix", "n", "k", "claim", "groups", "value / v_k", "gap", "nodes", "seconds", "seconds / solve",
    "verified", "check seconds",
)  # fmt: skip


def main() -> None:
    """Run the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time-limit", type=float, default=30.0, help="seconds a search (default 30)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the stored matrices")
    options = parser.parse_args()
    limit = options.time_limit
    note = (
        f"`benchmarks/restricted.py`: one core, at most {limit:g} s a search; seconds are processor time. "
        "Groups are variables that correlate above 0.6 in absolute value (average linkage). A gap of 0 is a "
        "relative 1e-9 at most."
    )
    rows = [row for name, cov in matrices(options.data) for k in (5, 10) for row in claims(name, cov, k, limit)]
    write_table(RESULTS / "restricted", HEADER, rows, note)


def claims(name: str, cov: rs.Covariance, k: int, limit: float) -> Iterator[tuple[object, ...]]:
    """Yield a row for each kind of claim."""
    solved, seconds = timed(lambda: rs.solve(cov, k, time_limit=limit))
    groups = clusters(cov)
    several = {group: members for group, members in groups.items() if len(members) > 1}
    kinds = (
        ("one of each", len(several), lambda: rs.solve(cov, k, groups=several, time_limit=limit)),
        ("three whole groups", len(groups), lambda: rs.solve(cov, groups=groups, most=3, time_limit=limit)),
        ("nonnegative", "", lambda: rs.solve(cov, k, nonnegative=True, time_limit=limit)),
    )
    for claim, count, work in kinds:
        if claim == "three whole groups" and k != 5:
            continue  # it has no k
        found, taken = timed(work)
        verdict, check = timed(lambda: rs.verify(found.certificate))  # noqa: B023
        row = (
            name, cov.n, found.k, claim, count, round(found.lower / solved.lower, 4),
            0 if found.gap < 1e-9 else float(f"{found.gap:.2g}"), found.node_count, round(taken, 2),
            round(taken / seconds, 1), "yes" if verdict else verdict.reasons[0], round(check, 2),
        )  # fmt: skip
        print(*row, flush=True)
        yield row


def clusters(cov: rs.Covariance) -> dict[str, list[int]]:
    """Return groups of variables that correlate."""
    deviations = np.sqrt(np.maximum(cov.diagonal, np.finfo(float).tiny))
    distance = np.maximum(1 - np.abs(cov.matrix) / np.outer(deviations, deviations), 0.0)
    np.fill_diagonal(distance, 0.0)
    distance = (distance + distance.T) / 2
    label = fcluster(linkage(squareform(distance, checks=False), "average"), TOGETHER, "distance")
    return {f"g{at}": np.flatnonzero(label == at).tolist() for at in np.unique(label)}


if __name__ == "__main__":
    main()
