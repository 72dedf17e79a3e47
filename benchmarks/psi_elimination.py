"""Would eliminating variables by psi pay below 4000 of them? Seconds of it beside the whole search.

For each matrix: the search as it is, without psi, and psi at its best price with how many
variables the rule of d'Aspremont, Bach and El Ghaoui leaves, those with a larger variance than the
least price rho that a candidate allows. Writes psi_elimination.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from frontier import by_processor, covariance, is_there
from tables import write_table

import relaxspca as rs
from relaxspca.relaxations.psi.minimise import bound

RESULTS = Path(__file__).parent / "results"
INSTANCES = (
    ("communities", 10), ("cov146", 10), ("colon500", 10), ("colon500", 50),
    ("spiked 1000 500 0 10 2", 10), ("spiked 2000 500 0 10 2", 10), ("noise 200 200 0", 10),
)  # fmt: skip


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=20.0, help="processor seconds of each (default 20)")
    limit = parser.parse_args().limit
    by_processor()
    rows = []
    for name, k in INSTANCES:
        if not is_there(name):
            continue
        cov = covariance(name)
        _ = cov.factor, cov.matrix
        best = rs.candidate(cov, k)
        found, searched = timed(lambda cov=cov, k=k, best=best: rs.solve(cov, k, start=best, time_limit=limit))
        solution, spent = timed(lambda cov=cov, k=k: bound(cov.factor, k, tol=1e-4, time_limit=limit))
        upper = rs.upper_bound(cov, k, relaxation="psi", time_limit=limit).upper
        left = int((cov.diagonal > solution.rho).sum())
        gap = 0.0 if found.gap < 1e-8 else 100 * found.gap
        above = 100 * (upper / best.value - 1)
        rows.append((name, cov.n, k, round(searched, 2), gap, round(spent, 2), round(above, 2), left))
        print(*rows[-1], flush=True)
    note = (
        "`benchmarks/psi_elimination.py`: one thread, processor seconds, candidate given, limit "
        f"{limit:g}. Left: variables whose variance is above the best price rho; the others cost psi "
        "nothing, and are eliminated where psi and the candidate meet."
    )
    header = ("matrix", "n", "k", "search s", "gap %", "psi s", "psi above the candidate %", "variables left")
    write_table(RESULTS / "psi_elimination", header, rows, note)


def timed(work: object) -> tuple[object, float]:
    """Return what a function returns, and its processor seconds."""
    began = time.process_time()
    return work(), time.process_time() - began  # type: ignore[operator]


if __name__ == "__main__":
    np.set_printoptions(precision=6)
    main()
