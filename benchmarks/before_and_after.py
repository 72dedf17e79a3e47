"""What must not get worse: bounds and seconds of searches of every kind, before and after a change.

    python benchmarks/before_and_after.py [--only TEXT ...] [--out STEM] [--data DIR]
    python benchmarks/before_and_after.py --against benchmarks/results/before.csv [--only TEXT ...]

The first form runs the searches of searches.py and writes results/after (CSV and Markdown). With `--only` it
runs those with one of the texts in their names, and writes them only where `--out` says. The second form runs
nothing: it compares what was written with an earlier table. Its exit code is 1 where something got worse.

It takes about 20 minutes of one core. To measure another state of the package, set PYTHONPATH to it: only
public functions are used. Limits and seconds are of the processor. Matrices that are not there are left out.
"""

from __future__ import annotations

import argparse
import csv
import gc
import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from matrices import DATA
from searches import Claim, claims
from tables import write_table

import relaxspca as rs

RESULTS = Path(__file__).parent / "results"
HEADER = ("claim", "limit", "status", "lower", "upper", "gap %", "nodes", "seconds")
DIGITS = 1e-6  # of the upper bound: pages show six digits
WIDER = 0.1  # where a limit stopped a search, by how much of its gap the machine may move a bound
SLOWER, LONGER = 1.3, 0.5  # more than so many times and so many seconds more


def main() -> None:
    """Measure, or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[""], metavar="TEXT", help="rows with this in their names")
    parser.add_argument("--out", type=Path, metavar="STEM", help="where the table is (results/after)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the stored matrices")
    parser.add_argument("--against", type=Path, metavar="FILE.csv", help="an earlier table to compare with")
    options = parser.parse_args()
    after = options.out or RESULTS / "after"
    if options.against:
        sys.exit(compare(read(options.against), read(after.with_suffix(".csv")), options.only))
    out = None if options.only != [""] and options.out is None else after
    measure([c for c in claims() if is_chosen(c.name, options.only)], options.data, out)


def is_chosen(name: str, only: Sequence[str]) -> bool:
    """Say whether a row is asked for."""
    return any(text in name for text in only)


# Measuring


def measure(chosen: Sequence[Claim], folder: Path, out: Path | None) -> None:
    """Run claims, show a row for each, and write the table as it grows."""
    note = (
        f"`benchmarks/before_and_after.py`: relaxspca {rs.__version__}, one core; limits and seconds are of "
        "the processor. Of several results the bounds are added up; of a list the upper bound is that of all "
        "others. Of best subsets the bounds are on the residual."
    )
    time.monotonic = time.process_time  # on a busy machine the clock says little
    for k in (5, 9):
        rs.solve(rs.datasets.load_pitprops(), k)  # what a first search loads is not counted
    rows: list[Sequence[object]] = []
    for claim in chosen:
        data = claim.data(folder)
        if data is None:
            print(f"{claim.name}: the data are not there, left out", flush=True)
            continue
        rows.append(row(claim, data))
        print(*rows[-1], sep=", ", flush=True)
        if out is not None:
            write_table(out, HEADER, rows, note)


def row(claim: Claim, data: Any) -> tuple[object, ...]:
    """Prove one claim; what is raised stands in the place of its status."""
    gc.collect()
    began = time.process_time()
    try:
        text, lower, upper, nodes = summary(claim.search(data, claim.limit))
    except Exception as error:  # the table has to go on
        text, lower, upper, nodes = f"{type(error).__name__}: {error}", math.nan, math.nan, 0
    seconds = round(time.process_time() - began, 2)
    gap = 100 * (upper - lower) / abs(upper) if upper >= lower else math.nan
    return claim.name, claim.limit, text, lower, upper, gap, nodes, seconds


def summary(found: Any) -> tuple[str, float, float, int]:
    """Return status, bounds and nodes of a result, or of several together."""
    several = list(found) if isinstance(found, list | tuple) else [found]
    proved = sum(is_proved(status(each)) for each in several)
    text = status(found) if several == [found] else f"{proved} of {len(several)} proved"
    nodes = sum(getattr(each, "node_count", 0) for each in several)
    return text, sum(each.lower for each in several), sum(each.upper for each in several), nodes


def status(found: Any) -> str:
    """Return the status of a result; a row of a path says only whether it is proved."""
    return str(found.status) if hasattr(found, "status") else "optimal" if found.certified else "open"


# Comparing


def read(path: Path) -> dict[str, SimpleNamespace]:
    """Return the rows of a table by their names."""
    with path.open(newline="", encoding="utf-8") as file:
        return {r["claim"]: parsed(r) for r in csv.DictReader(file)}


def parsed(cells: dict[str, str]) -> SimpleNamespace:
    """Return the cells of a row."""
    numbers = {name: float(cells[name]) for name in ("limit", "lower", "upper", "seconds")}
    return SimpleNamespace(status=cells["status"], **numbers)


def compare(before: dict[str, Any], after: dict[str, Any], only: Sequence[str]) -> int:
    """Print every row of two tables, say what got worse, and return an exit code."""
    names = [
        name for name in [*before, *(name for name in after if name not in before)] if is_chosen(name, only)
    ]
    worse, spent = 0, [0.0, 0.0]
    for name in names:
        if name not in before or name not in after:
            print(f"       {name}: only {'before' if name in before else 'after'}")
            continue
        old, new = before[name], after[name]
        lost = losses(old, new)
        worse += bool(lost)
        spent = [spent[0] + old.seconds, spent[1] + new.seconds]
        told = f"{name}: {words(old)}, now {words(new)}"
        print(f"WORSE  {told}: {', '.join(lost)}" if lost else f"       {told}")
    print(f"{worse} of {len(names)} rows got worse; {spent[0]:.1f} s before, {spent[1]:.1f} s after")
    return int(worse > 0)


def words(row: Any) -> str:
    """Return the bounds and the seconds of a row."""
    return f"{row.lower:.9g} to {row.upper:.9g} in {row.seconds:g} s"


def losses(old: Any, new: Any) -> list[str]:
    """Return what got worse in a row."""
    allowed = DIGITS * max(abs(old.upper), abs(old.lower)) + WIDER * max(old.upper - old.lower, 0.0)
    found = {
        f"{new.status} after {old.status}": is_proved(old.status) and not is_proved(new.status),
        "the lower bound": new.lower < old.lower - allowed,
        "the upper bound": new.upper > old.upper + allowed,
        "the seconds": new.seconds > max(SLOWER * old.seconds, old.seconds + LONGER),
        "an error": math.isnan(new.lower) and not math.isnan(old.lower),
    }
    return [what for what, is_worse in found.items() if is_worse]


def is_proved(status: str) -> bool:
    """Say whether nothing was left open."""
    number, _, rest = status.partition(" of ")
    return status in ("optimal", "complete") or (rest != "" and number == rest.split()[0])


if __name__ == "__main__":
    main()
