"""Write a benchmark table as CSV and as Markdown."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def write_table(stem: Path, header: Sequence[str], rows: Sequence[Sequence[Any]], note: str = "") -> None:
    """Write ``stem.csv`` and ``stem.md``; floats get six significant digits in the Markdown."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    with stem.with_suffix(".csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    lines = [_line(header), _line(["---"] * len(header)), *(_line(row) for row in rows)]
    text = "\n".join(lines) + "\n"
    stem.with_suffix(".md").write_text(f"{note}\n\n{text}" if note else text)


def _line(cells: Sequence[Any]) -> str:
    return "| " + " | ".join(_shown(cell) for cell in cells) + " |"


def _shown(cell: Any) -> str:
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
