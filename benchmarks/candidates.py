"""Every candidate method on real covariances: how far below the best value known, and its time.

    python benchmarks/candidates.py [--output DIR] [-k 5 10 20] [--data NAME ...]

Writes candidates_shortfall, candidates_seconds, candidates_summary and candidates_auto (CSV and Markdown). The
reference values are optimal or the best published: brute force on 13 variables, the branch and bound of Berk
and Bertsimas (Math. Prog. Comp., 2019) and the archived tables of Li and Xie (INFORMS J. Computing, 2024).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from matrices import DATA, matrix
from tables import write_table

from relaxspca import Covariance, candidate
from relaxspca.candidates import METHODS

# Values to reach at k = 5, 10, 20; None where there is none.
BEST_KNOWN: dict[str, tuple[float | None, ...]] = {
    "pitprops": (3.4061549468, 4.1726376616, None),
    "wine": (3.4397784220, 4.5942932418, None),
    "breast_cancer": (4.904775591973386, 8.556854793929196, None),
    "digits": (3.5107996, 4.881929, None),
    "housing": (3.723858608, 3.734192284, None),
    "wdbc": (5.648287631, 5.658777477, 5.65879306552),
    "miniboone": (4.999998586, 9.999994781, 19.9998831723),
    "digits64": (3.449051879, 5.880108455, 9.45054016264),
    "eisen1": (14.07570594, 17.33549909, 17.7194610519),
    "communities": (4.86054814, 8.823615756, 14.3269516764),
    "communities_raw": (0.27708162, 0.4451932679, 0.67145789194),
    "cov146": (306.7020472, 407.7994509, 524.199739181),
    "colon500": (1646.454128, 2641.228861, 4255.69406446),
}
CARDINALITIES = (5, 10, 20)
SUMMARY = ["method", "best found in", "median % below", "largest % below", "there", "median seconds"]
Table = dict[str, list[float]]


def timed(cov: Covariance, k: int, method: str) -> tuple[float, float]:
    """Return value and processor seconds of one method."""
    began = time.process_time()
    value = candidate(cov, k, method=method).value
    return value, time.process_time() - began


def summary(cases: Sequence[str], shortfall: Table, seconds: Table) -> list[list[Any]]:
    """Return for each method how often it finds the best, how far it falls short, and what it takes."""
    rows: list[list[Any]] = []
    for method, values in shortfall.items():
        worst = max(values)
        where = cases[values.index(worst)] if worst else ""
        rows.append([method, values.count(0.0), median(values), worst, where, median(seconds[method])])
    return rows


def main() -> None:
    """Run the methods on the data sets and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    parser.add_argument("-k", type=int, nargs="+", default=list(CARDINALITIES))
    parser.add_argument("--data", nargs="+", default=list(BEST_KNOWN), choices=list(BEST_KNOWN))
    arguments = parser.parse_args()
    shortfall: Table = {method: [] for method in METHODS}
    seconds: Table = {method: [] for method in METHODS}
    columns, auto = [], []
    for name in arguments.data:
        cov = matrix(name)
        if cov is None:
            print(f"{name}: no file in {DATA}")
            continue
        for k in [k for k in arguments.k if k < cov.n]:
            known = BEST_KNOWN[name][CARDINALITIES.index(k)] if k in CARDINALITIES else None
            found = {method: timed(cov, k, method) for method in METHODS}
            best = max(value for value, _ in found.values())
            columns.append(f"{name} {k}")
            for method, (value, spent) in found.items():
                shortfall[method].append(100 * (1 - value / best) if value < best * (1 - 1e-10) else 0.0)
                seconds[method].append(spent)
            value, spent = found["auto"]
            reached = "" if known is None else ("yes" if value >= known * (1 - 1e-9) else "NO")
            auto.append([name, cov.n, k, value, "" if known is None else known, reached, spent])
            print(f"{name:16} n={cov.n:4} k={k:3} auto {value:.10g} known {known} {reached} {spent:.2f} s")
    note = "Per cent below the best value of the column (a data set and k), after fitting on the support."
    rows = [[method, *values] for method, values in shortfall.items()]
    write_table(arguments.output / "candidates_shortfall", ["method", *columns], rows, note)
    rows = [[method, *values] for method, values in seconds.items()]
    write_table(arguments.output / "candidates_seconds", ["method", *columns], rows, "Processor seconds.")
    write_table(arguments.output / "candidates_summary", SUMMARY, summary(columns, shortfall, seconds))
    header = ["data", "n", "k", "auto", "best known", "reached", "processor seconds"]
    write_table(arguments.output / "candidates_auto", header, auto)


if __name__ == "__main__":
    main()
