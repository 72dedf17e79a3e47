"""Four components of 423 stocks beside published figures of msPCA and nsprcomp.

The matrix is the market-deflated correlation of the case study of msPCA, `snp500.npz` with the array S. For
each cardinality: variance explained as a part of the trace, proved bound, gap, how far the components are from
orthogonal, processor seconds. Writes several_stocks (CSV, Markdown and, where matplotlib is there, a figure).
The columns of the peers are figures that their authors published; neither program is run here.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from matrices import DATA
from tables import write_table

import relaxspca as rs

RESULTS = Path(__file__).parent / "results"
HEADER = (
    "k", "explained", "at most", "gap %", "violation", "seconds", "msPCA", "its violation", "nsprcomp",
    "its violation ",
)  # fmt: skip
# Fraction of variance explained, and how far from orthogonal: case study and replication files of msPCA.
PUBLISHED = {
    5: (0.03474, 0.0155, 0.04167, 0.0),
    10: (0.06393, 1e-4, 0.06597, 0.0),
    15: (0.07576, 1e-4, 0.08317, 0.0),
    20: (0.09299, 1e-4, 0.09858, 0.0),
    25: (0.09525, 1e-4, 0.10831, 0.015),
    30: (0.11127, 1e-4, 0.10246, 0.12),
    35: (0.11421, 1e-4, 0.10515, 0.23),
}


def main() -> None:
    """Run the table; cardinalities may be given as KxSECONDS."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=DATA / "snp500.npz")
    arguments.add_argument("--limit", type=float, default=600.0, help="seconds a cardinality (default 600)")
    arguments.add_argument("--only", nargs="*", default=[str(k) for k in PUBLISHED], metavar="K or KxSECONDS")
    arguments.add_argument("--out", type=Path, default=RESULTS / "several_stocks")
    arguments.add_argument("--certificates", type=Path, metavar="FOLDER", help="where to keep certificates")
    options = arguments.parse_args()
    with np.load(options.data, allow_pickle=False) as file:
        cov = rs.Covariance(file["S"])
    rows, limits = [], {}
    for text in options.only:
        k, _, seconds = text.partition("x")
        limit = float(seconds or options.limit)
        rows.append(row(cov, int(k), limit=limit, folder=options.certificates))
        limits[k] = f"{limit:g} s"
        print(*rows[-1], flush=True)
        write(options.out, cov, sorted(rows), limits)


def write(out: Path, cov: rs.Covariance, rows: list[tuple[object, ...]], limits: dict[str, str]) -> None:
    """Write the rows so far: a long run may be stopped."""
    is_one = len(set(limits.values())) == 1
    each = (
        [f"{next(iter(limits.values()))} each"] if is_one else [f"{s} for k = {k}" for k, s in limits.items()]
    )
    note = (
        f"`benchmarks/several_stocks.py`: four orthogonal components of k of {cov.n} stocks each, stopped "
        f"after {', '.join(each)} by the clock; seconds are processor time. Parts of the trace, "
        f"{cov.diagonal.sum():.3f}. "
        "Violation: the largest |x_s'x_t|. The figures of msPCA and nsprcomp are those of msPCA's case study."
    )
    write_table(out, HEADER, rows, note)
    draw(rows, out.with_suffix(".png"))


def row(cov: rs.Covariance, k: int, *, limit: float, folder: Path | None) -> tuple[object, ...]:
    """Prove one table as far as the limit allows, and keep its certificate in a folder, if there is one."""
    began = time.process_time()
    found = rs.components(cov, [k] * 4, joint=True, time_limit=limit)
    seconds = round(time.process_time() - began, 1)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        found.certificate.save(folder / f"stocks_4_of_{k}.json")
    products = np.abs(found.loadings_array.T @ found.loadings_array - np.eye(4)).max()
    return (
        k, found.lower / found.total, found.upper / found.total, 100 * found.gap, float(products),
        seconds, *PUBLISHED[k],
    )  # fmt: skip


def draw(rows: list[tuple[object, ...]], path: Path) -> None:
    """Draw what is explained, the bound, and the published figures."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return
    k, lower, upper, _, _, _, other, _, third, _ = (list(column) for column in zip(*rows, strict=True))
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.plot(k, upper, "_", color="0.0", markersize=12, label="relaxspca, proved upper bound")
    axes.plot(k, lower, "o-", color="0.0", label="relaxspca, proved to be attained")
    axes.plot(k, third, "s--", color="0.4", markerfacecolor="none", label="nsprcomp, as published")
    axes.plot(k, other, "^:", color="0.4", markerfacecolor="none", label="msPCA, as published")
    axes.set_xlabel("variables of each of four components")
    axes.set_ylabel("part of the variance explained")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    main()
