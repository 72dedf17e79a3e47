"""The comparison of two states of the package marks what got worse, and nothing else."""

import csv
from pathlib import Path

import pytest
from scripts import ran

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
BEFORE = BENCHMARKS / "results" / "before.csv"
PROVED = "pitprops, orthogonal 10 10 10 10"
STOPPED = "pitprops, orthogonal 6 6 6 6"


def compared(folder, name, **cells):
    """Return what is said to be worse where some cells of a row of the kept table change, and the exit code."""
    with BEFORE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if row["claim"] == name:
            row |= {
                key: str(change(float(row[key])) if callable(change) else change)
                for key, change in cells.items()
            }
    with (folder / "after.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    code, said = ran("benchmarks/before_and_after.py", "--against", BEFORE, "--out", folder / "after")
    return [line for line in said.splitlines() if line.startswith("WORSE")], code


@pytest.mark.parametrize(
    ("name", "cells", "what"),
    [
        (PROVED, {"upper": lambda x: x * (1 + 3e-6)}, "the upper bound"),
        (PROVED, {"lower": lambda x: x * (1 - 3e-6)}, "the lower bound"),
        (PROVED, {"status": "time limit"}, "time limit after optimal"),
        (PROVED, {"seconds": lambda x: 1.31 * x}, "the seconds"),
        (PROVED, {"status": "TypeError", "lower": "nan", "upper": "nan"}, "TypeError after optimal, an error"),
        (STOPPED, {"upper": lambda x: x * 1.01}, "the upper bound"),
        # What is better, or too little to tell, is not worse.
        (PROVED, {"upper": lambda x: x * (1 - 3e-6), "seconds": lambda x: 0.5 * x}, None),
        (PROVED, {"upper": lambda x: x * (1 + 3e-7), "seconds": lambda x: 1.2 * x}, None),
        ("pitprops, k = 5, nonnegative", {"seconds": lambda x: x + 0.4}, None),
        (STOPPED, {"upper": lambda x: x * 1.0005, "status": "optimal"}, None),
        ("", {}, None),
    ],
)
def test_what_got_worse_is_named_and_nothing_else(tmp_path, name, cells, what):
    lines, code = compared(tmp_path, name, **cells)
    assert [len(lines), code] == 2 * [what is not None]
    assert all(line.startswith(f"WORSE  {name}: ") and line.endswith(f" s: {what}") for line in lines)
