"""Certificates of tables of the pit props: are they verified in both arithmetics, how large, how fast?

    python benchmarks/table_certificates.py [--output DIR] [--time-limit S]

Writes table_certificates (CSV and Markdown): the splits of Cory-Wright and Pauphilet's runs into two and three
components, equal sizes, and common supports. A row for each certificate, also of searches that were stopped:
leaves of its tree, kilobytes on disk, processor seconds to search and to verify, exactly and rounded outward.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from tables import write_table

import relaxspca as rs

HEADER = (
    "sizes", "supports", "status", "gap %", "leaves", "kB", "seconds to search", "verified exactly",
    "seconds", "verified rounded outward", "seconds ",
)  # fmt: skip
Case = tuple[str, tuple[int, ...]]


def main(arguments: list[str] | None = None) -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description="Certificates of tables of the pit props.")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    parser.add_argument("--time-limit", type=float, default=30.0, help="seconds a search (default 30)")
    options = parser.parse_args(arguments)
    rows = [row(case, options.time_limit) for case in cases()]
    note = (
        f"`benchmarks/table_certificates.py`: searches of at most {options.time_limit:g} s on one core; the "
        "bounds of one that was stopped are wider and verified all the same. Seconds are processor time."
    )
    write_table(options.output / "table_certificates", HEADER, rows, note)


def cases() -> Iterator[Case]:
    """Yield kinds of supports and sizes."""
    pairs = [(total - a, a) for total in (4, 6, 8, 10) for a in range(1, total // 2 + 1)]
    triples = [
        (4, 1, 1),
        (3, 2, 1),
        (2, 2, 2),
        (7, 1, 1),
        (6, 2, 1),
        (5, 3, 1),
        (5, 2, 2),
        (4, 4, 1),
        (4, 3, 2),
    ]
    more = [(3, 3, 3), (4, 4, 4), (7, 4, 4), (2, 2, 2, 2), (4, 4, 4, 4)]
    for sizes in [*pairs, *triples, *more]:
        yield "orthogonal", sizes
        yield "disjoint", sizes
    for r, ks in ((2, (4, 5, 6, 8, 10)), (3, (4, 5, 6, 8, 10))):
        for k in ks:
            yield "common", (k,) * r


def row(case: Case, limit: float) -> tuple[object, ...]:
    """Search, save, read and verify one table."""
    kind, sizes = case
    cov, began = rs.datasets.load_pitprops(), time.process_time()
    if kind == "common":
        found = rs.solve(cov, sizes[0], n_components=len(sizes), time_limit=limit)
    else:
        found = rs.components(cov, sizes, joint=True, disjoint=kind == "disjoint", time_limit=limit)
    searched = time.process_time() - began
    assert found.certificate is not None
    with tempfile.TemporaryDirectory() as folder:
        found.certificate.save(Path(folder) / "c.json")
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        told: list[object] = []
        leaves = 0
        for exact in (True, False):
            began = time.process_time()
            verdict = rs.verify(Path(folder) / "c.json", exact=exact)
            told += ["yes" if verdict else "NO", round(time.process_time() - began, 2)]
            leaves = verdict.leaf_count
    name = " ".join(map(str, sizes))
    start = (name, kind, str(found.status), 100 * found.gap, leaves, round(size / 1000), round(searched, 1))
    cells = (*start, *told)
    print(*cells, flush=True)
    return cells


if __name__ == "__main__":
    main()
