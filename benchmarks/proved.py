"""What the checker verified in Rocq proves: every data set of archive and library, by kind of claim.

    make -C formal
    python benchmarks/proved.py [--only NAME...] [--time-limit SECONDS] [--output DIR]

Writes proved (CSV and Markdown): a row for each data set, a column for each kind of claim, with the seconds of
the processor for the verified checker and what finds its evidence, or what is missing. A search that is stopped
by the limit gives a certificate with a gap, which is proved all the same.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "formal"))

import prove  # noqa: E402
from matrices import matrix  # noqa: E402
from tables import write_table  # noqa: E402

import relaxspca as rs  # noqa: E402

NAMES = (
    "pitprops", "wine", "breast_cancer", "housing", "wdbc", "miniboone", "digits", "eisen1", "communities",
    "cov146", "snp500", "colon500", "reddit2000",
)  # fmt: skip
MOST_TOGETHER = 500  # variables of claims about several components that the verified checker takes
MOST = dict.fromkeys(("k = 5", "k = 10", "conditions", "list"), 4000) | {
    "penalty": 100,
    "one sign": 400,
    "fit": 400,
}
TOO_MANY = "too many variables"
Claim = Callable[[rs.Covariance, float], Any]


def together(sizes: tuple[int, ...], **options: Any) -> Claim:
    """Return what searches several components at once."""
    return lambda cov, limit: rs.components(cov, sizes, joint=True, time_limit=limit, **options)


def ends(cov: rs.Covariance) -> dict[str, Any]:
    """Return conditions: the first variable in, the last one out."""
    return {"include": [cov.names[0]], "exclude": [cov.names[-1]]}


def least_squares(cov: rs.Covariance, limit: float) -> Any:
    """Return the best fit of the first variable by three others, on data with this covariance."""
    values, vectors = np.linalg.eigh(cov.matrix)
    data = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    return rs.applications.subset_selection(data[:, 1:], data[:, 0], 3, time_limit=limit)


CLAIMS: dict[str, Claim] = {
    "k = 5": lambda cov, limit: rs.solve(cov, 5, time_limit=limit),
    "k = 10": lambda cov, limit: rs.solve(cov, 10, time_limit=limit),
    "conditions": lambda cov, limit: rs.solve(cov, 5, time_limit=limit, **ends(cov)),
    "penalty": lambda cov, limit: rs.solve(cov, rho=float(cov.diagonal.mean()) / 4, time_limit=limit),
    "list": lambda cov, limit: rs.near_optimal(cov, 4, within=0.01, time_limit=limit),
    "one sign": lambda cov, limit: rs.solve(cov, 5, nonnegative=True, time_limit=limit),
    "fit": least_squares,
    "3, 3": together((3, 3)),
    "5, 5": together((5, 5)),
    "8, 8, 8": together((8, 8, 8)),
    "disjoint 3, 3": together((3, 3), disjoint=True),
    "disjoint 4, 4, 4": together((4, 4, 4), disjoint=True),
    "common 4, 4": together((4, 4), common=True),
    "common 8, 8, 8": together((8, 8, 8), common=True),
}


def main(arguments: list[str] | None = None) -> None:
    """Search every claim, prove its certificate, and write the table."""
    parser = argparse.ArgumentParser(description="What the checker verified in Rocq proves.")
    parser.add_argument("--only", nargs="*", default=NAMES, help="data sets")
    parser.add_argument("--time-limit", type=float, default=5.0, help="seconds for each search")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    options = parser.parse_args(arguments)
    rows = []
    for data in options.only:
        cov = matrix(data)
        if cov is not None:
            asked = {c: claim for c, claim in CLAIMS.items() if cov.n <= MOST.get(c, MOST_TOGETHER)}
            cells = [cell(cov, asked[c], options.time_limit) if c in asked else TOO_MANY for c in CLAIMS]
            rows.append([data, cov.n, *cells])
            print(*rows[-1], sep=" | ", flush=True)
    write_table(options.output / "proved", ["data", "n", *CLAIMS], rows)


def cell(cov: rs.Covariance, claim: Claim, time_limit: float) -> str:
    """Return the seconds in which a claim is proved, or what is missing."""
    try:
        certificate = claim(cov, time_limit).certificate
    except rs.InputError as error:
        return str(error)
    if certificate is None:
        return "no certificate within the limit"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "claim.json"
        certificate.save(path)
        began = os.times()
        verdict, lines = prove.verdict_on(path)
        ended = os.times()
    seconds = sum(ended[:4]) - sum(began[:4])
    return f"{seconds:.1f}" if verdict == prove.PROVED else f"{verdict}: {lines[0]}"


if __name__ == "__main__":
    main()
