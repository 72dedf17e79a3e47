"""Write a benchmark table as CSV and as Markdown; the size of a proof."""

from __future__ import annotations

import csv
import math
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from relaxspca import Certificate
from relaxspca.certificate import Leaf

ROUGH = re.compile(
    r"\b(s|ms|seconds|gap|times|units|ratio|accuracy|in all|to 1e-\d)\b"
)  # headers of three digits


SIZE = ("leaves", "kB")


def size_of(certificate: Certificate) -> tuple[int, float]:
    """Return the leaves of a certificate, and the kilobytes of what `save` writes, the matrix included."""
    leaves = sum(isinstance(node, Leaf) for node in certificate.tree)
    with tempfile.TemporaryDirectory() as folder:
        certificate.save(Path(folder) / "c.json")
        written = sum(file.stat().st_size for file in Path(folder).iterdir())
    return leaves, round(written / 1000, 1)


def write_table(stem: Path, header: Sequence[str], rows: Sequence[Sequence[Any]], note: str = "") -> None:
    """Write ``stem.csv`` and ``stem.md``; floats get six digits in the Markdown, times and gaps three."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    with stem.with_suffix(".csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    digits = [3 if ROUGH.search(title) else 6 for title in header]
    shown = [[_shown(cell, d) for cell, d in zip(row, digits, strict=True)] for row in rows]
    lines = [_line(header), _line(["---"] * len(header)), *map(_line, shown)]
    text = "\n".join(lines) + "\n"
    stem.with_suffix(".md").write_text(f"{note}\n\n{text}" if note else text)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _shown(cell: Any, digits: int) -> str:
    if isinstance(cell, float):
        cell = "–" if math.isnan(cell) else f"{cell:.{digits}g}"
    return re.sub(r"^-(?=0\.?0*$)", "", str(cell))  # a rounded 0 has no sign
