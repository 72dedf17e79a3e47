"""The T-relaxation of Kim, Tawarmalani and Richard, with and without its part on majorisation, beside Perron.

The cone programs go to Clarabel. What is shown of them is the optimal value that the solver
reports, which is not proved: what the multipliers of the form without majorisation prove is a
bound of the Perron relaxation.
`majorised` has a matrix U of sorted moduli (see `relaxspca.models.t_relaxation`). Writes t_relaxation.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from frontier import covariance, is_there
from tables import write_table

import relaxspca as rs
from relaxspca.relaxations.perron.minimise import minimise

RESULTS = Path(__file__).parent / "results"
INSTANCES = (
    *(("pitprops", k) for k in range(2, 13)),
    *((f"noise 12 12 {seed}", k) for seed in range(3) for k in (3, 5, 7)),
    *((f"ties 16 4 {seed}", 6) for seed in range(2)), ("spiked 20 10 0 6 0.7", 6), ("noise 20 20 0", 8),
)  # fmt: skip
HEADER = (
    "matrix", "k", "optimum", "T %", "T, majorised %", "Perron, proved %", "T s", "majorised s", "Perron s",
)  # fmt: skip


def main() -> None:
    """Write the table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    rows = [row(name, k) for name, k in INSTANCES if is_there(name)]
    note = (
        "`benchmarks/t_relaxation.py`: gaps in % of the optimum (proved by `relaxspca.solve`). Of the two "
        "cone programs the optimal value by Clarabel at its default accuracy, not proved: gaps below about "
        "1e-5 % say nothing; of Perron the bound proved by quasi-Newton steps. Processor seconds; matrices "
        "as in `benchmarks/frontier.py`."
    )
    write_table(RESULTS / "t_relaxation", HEADER, rows, note)


def row(name: str, k: int) -> tuple[object, ...]:
    """Return a row of the table."""
    cov = covariance(name)
    best = rs.solve(cov, k).lower
    gaps, seconds = [], []
    for majorised in (False, True):
        began = time.process_time()
        value = rs.models.t_relaxation(cov, k, majorised=majorised).solve()
        seconds.append(time.process_time() - began)
        gaps.append(percent(value, best))
    began = time.process_time()
    gaps.append(percent(minimise(cov, k, lower=best, tol=1e-9)[1], best))
    seconds.append(time.process_time() - began)
    found = (name, k, best, *gaps, *(round(s, 2) for s in seconds))
    print(*found, flush=True)
    return found


def percent(value: float, best: float) -> str:
    """Return how far a bound is above the optimum, to six decimals of a per cent."""
    return f"{100 * np.round(value / best - 1, 8):.6f}"


if __name__ == "__main__":
    main()
