"""What a check in the reader's browser costs: seconds in Chromium, and of the Python checker on the same file.

    python benchmarks/browser.py [--output DIR]

Writes browser (CSV and Markdown). The page is that of the documentation; its scripts get the files as the
choice of a reader. For each n there is the certificate of a search, and one whose only leaf is the largest
eigenvalue of the whole matrix, with whatever arithmetic each checker chooses. Needs chromium.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from tables import write_table

import relaxspca as rs
from relaxspca.certificate import Certificate, Leaf
from relaxspca.checker import verify
from relaxspca.report.html import self_check
from tests.report.test_browser import opened

SIZES = (64, 100, 500)
SAID = r"proved proved here, in ([\d.]+) s, by your browser \((\d+) lea(?:f|ves), arithmetic ([a-z ]+),"


def covariances() -> Iterator[tuple[str, rs.Covariance, int]]:
    """Yield (name, covariance, k): two data sets, and spiked ones."""
    yield "pitprops", rs.datasets.load_pitprops(), 5
    archive = Path(__file__).resolve().parents[1] / "certificates"
    yield "breast cancer", Certificate.load(next((archive / "breast_cancer").glob("*.json"))), 10
    for n in SIZES:
        rng, spike = np.random.default_rng(0), np.zeros(n)
        spike[:8] = 3 / np.sqrt(8)
        X = rng.standard_normal((2 * n, n)) + rng.standard_normal((2 * n, 1)) * spike
        yield "spiked", rs.Covariance.from_data(X), 8


def files(folder: Path) -> Iterator[tuple[str, int, str, Path]]:
    """Write the certificates; yield (name, n, of what, file)."""
    for name, cov, k in covariances():
        matrix = np.asarray(cov.matrix)
        searched = cov if isinstance(cov, Certificate) else rs.solve(cov, k).certificate
        assert searched is not None
        top = float(np.linalg.eigvalsh(matrix)[-1]) * (1 + 1e-9)
        changes = {"upper": top, "points": (), "tree": (Leaf("rows"),)}
        whole = Certificate(**vars(searched) | changes)
        for what, made in (("search", searched), ("eigenvalue", whole)):
            path = folder / f"{len(matrix):03}-{what}.json"
            made.save(path)
            yield name, len(matrix), what, path


def main() -> None:
    """Open the page once for each file, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    header = ("matrix", "n", "proof", "leaves", "browser", "browser (s)", "Python", "Python (s)")
    rows: list[tuple[object, ...]] = []
    page = f"<!DOCTYPE html><meta charset=utf-8><title>Check</title><body>{self_check({})}</body>"
    output = parser.parse_args().output
    with tempfile.TemporaryDirectory() as room:
        for name, n, what, path in files(Path(room)):
            [said] = opened(page, Path(room), [path, *path.parent.glob(f"{path.stem}.*npz")]).values()
            seconds, leaves, arithmetic = re.match(SAID, said).groups()  # type: ignore[union-attr]
            begun = time.perf_counter()
            verdict = verify(path)
            python = time.perf_counter() - begun
            assert verdict
            took = (arithmetic, float(seconds), verdict.arithmetic, round(python, 2))
            rows.append((name, n, what, int(leaves), *took))
            print(*rows[-1])
    write_table(output / "browser", header, rows)


if __name__ == "__main__":
    main()
