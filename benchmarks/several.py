"""Prove tables of several components, each with a limit of so many seconds.

    python benchmarks/several.py [--part splits equal larger common others] [--limit S] [--only K,K ...]

Five parts, each its own results (several_splits and so on, CSV and Markdown): the splits of Cory-Wright and
Pauphilet's runs on the pit props; 3 to 6 components of two or four variables each, and 2 to 6 of more; one
common support; two and three components of wine (scikit-learn, correlations) and, where `--data` has them,
of communities. For each: the best sum of variances found, bound, gap, bound of the root, nodes and processor
seconds. `--only` has the tables of a part that are named, and shows them without writing. `--certificates`
keeps the proofs, for `relaxspca verify`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from matrices import DATA, matrix
from tables import write_table

import relaxspca as rs

RESULTS = Path(__file__).parent / "results"
HEADER = (
    "matrix", "sizes", "supports", "lower", "% of the trace", "upper", "gap %", "root", "status",
    "a variable used twice", "nodes", "seconds",
)  # fmt: skip
KINDS = ("orthogonal", "disjoint")


@dataclass(frozen=True)
class Case:
    """A table to prove: of which matrix, sizes, and whether its supports are orthogonal, disjoint or common."""

    matrix: str
    sizes: tuple[int, ...]
    supports: str

    @property
    def name(self) -> str:
        """What its certificate is called."""
        return "_".join([self.matrix, *map(str, self.sizes), self.supports])


def main() -> None:
    """Run the parts asked for."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--part", nargs="*", default=list(PARTS), choices=list(PARTS))
    arguments.add_argument("--limit", type=float, default=60.0, help="seconds a table (default 60)")
    arguments.add_argument("--only", nargs="*", metavar="K,K", help="these sizes only, nothing is written")
    arguments.add_argument("--data", type=Path, default=DATA)
    arguments.add_argument("--output", type=Path, default=RESULTS)
    arguments.add_argument("--certificates", type=Path, metavar="FOLDER", help="where to keep certificates")
    options = arguments.parse_args()
    note = (
        f"`benchmarks/several.py`: `time_limit={options.limit:g}`, first table included; seconds of processor "
        "time, one core. Where disjoint supports do not fit into the variables, they are smaller than asked."
    )
    for part in options.part:
        rows = []
        for case in PARTS[part]():
            cov = matrix(case.matrix, options.data)
            if cov is None or (options.only and ",".join(map(str, case.sizes)) not in options.only):
                continue
            rows.append(row(cov, case, limit=options.limit, folder=options.certificates))
            print(*rows[-1], flush=True)
            if not options.only:
                write_table(options.output / f"several_{part}", HEADER, rows, note)


def splits() -> Iterator[Case]:
    """Yield the splits of their runs, into two and three, and the table of Zou, Hastie and Tibshirani."""
    pairs = [(total - a, a) for total in (4, 6, 8, 10) for a in range(1, total // 2 + 1)]
    triples = [
        (total - a - b, a, b)
        for total in (6, 9)
        for b in range(1, total // 3 + 1)
        for a in range(b, (total - b) // 2 + 1)
    ]
    for sizes in [*pairs, *triples, (7, 4, 4)]:
        yield from (Case("pitprops", sizes, kind) for kind in KINDS)
    yield Case("pitprops", (7, 4, 4, 1, 1, 1), "orthogonal")


def equal() -> Iterator[Case]:
    """Yield 3 to 6 components of two or four variables each."""
    for k in (2, 4):
        for r in range(3, 7):
            yield from (Case("pitprops", (k,) * r, kind) for kind in KINDS)


def larger() -> Iterator[Case]:
    """Yield 2 to 6 orthogonal components of more variables each, which have to share some."""
    for k in (6, 8, 10):
        yield from (Case("pitprops", (k,) * r, "orthogonal") for r in range(2, 7))


def common() -> Iterator[Case]:
    """Yield components on one support."""
    for r in (2, 3):
        yield from (Case("pitprops", (k,) * r, "common") for k in (4, 5, 6, 8, 10))


def others() -> Iterator[Case]:
    """Yield tables of other matrices."""
    for r in (2, 3):
        yield from (Case("wine", (k,) * r, "orthogonal") for k in (5, 10))
        yield from (Case("communities", (k,) * r, "orthogonal") for k in (5, 10, 20))


PARTS = {"splits": splits, "equal": equal, "larger": larger, "common": common, "others": others}


def row(cov: rs.Covariance, case: Case, *, limit: float, folder: Path | None) -> tuple[object, ...]:
    """Prove one table within a time limit, and keep its certificate in a folder, if there is one."""
    began = time.process_time()
    disjoint, common = (case.supports == name for name in ("disjoint", "common"))
    found = rs.components(cov, case.sizes, joint=True, disjoint=disjoint, common=common, time_limit=limit)
    seconds = round(time.process_time() - began, 1)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        found.certificate.save(folder / f"{case.name}.json")
    used = [name for support in found.supports for name in support]
    return (
        case.matrix, " ".join(map(str, case.sizes)), case.supports, found.lower,
        100 * found.lower / found.total, found.upper, 100 * found.gap, found.root, str(found.status),
        "yes" if len(set(used)) < len(used) else "no", found.node_count,
        seconds,
    )  # fmt: skip


if __name__ == "__main__":
    main()
