"""Whole matrices of thousands of correlated variables: gap, seconds and memory of a search, and its check.

Three parts, so that a quiet machine is needed for some minutes at a time only:

    sets      the matrices of ../shared/data, covariance and correlation, k = 5, 10, 20, 50, 60 s each
    together  three orthogonal components of 5 and of 10 variables each, 120 s each
    growth    seeded observations with a few factors: n = 5 000 to 50 000, and the slope of seconds against n

    python benchmarks/large.py --part sets --set leukemia7129 --kind correlation [--sizes 5,10] [--check]
    python benchmarks/large.py --part together --check
    python benchmarks/large.py --part growth --most 50000
    python benchmarks/large.py --part all --minutes 25

`all` runs what matters most first, with limits that let it end within the minutes: single components of 5 and
10 variables, sets of components of 5, growth, then 20 and 50 variables and sets of 10. What the minutes do not
suffice for is left out of the table, and said.
Every search is a process of its own, whose peak of memory is that of the search. Of components together it is
said what part their bound is of the sum of bounds of single ones. `growth` draws a figure besides.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from tables import SIZE, size_of, write_table

import relaxspca as rs

DATA = Path(__file__).parents[2] / "shared" / "data"
SETS = [
    "colon2000", "leukemia7129", "riboflavin4088", "nci60_6830", "srbct2308",
    "liver_toxicity3116", "breast_tcga526", "prostate6033", "mtcars11", "slice385",
]  # fmt: skip
GROWTH = [(5_000, 200), (10_000, 200), (20_000, 200), (50_000, 100)]
SHORTEST = 3.0  # seconds of a search
HEADER = [
    "set",
    "n",
    "kind",
    "k",
    "status",
    "gap %",
    "seconds",
    "processor",
    "MB",
    *SIZE,
    "part of singles",
    "check",
    "seconds of it",
]


def main() -> None:
    """Run the searches asked for, each in a process of its own, and print and write a row for each."""
    options = _options()
    if options.one:
        print(json.dumps(_one(json.loads(options.one))))
        return
    name = "_".join(["large", options.part, *([options.set] if options.set else [])])
    rows, began = [], time.perf_counter()
    tasks = _everything(options) if options.part == "all" else _tasks(options)
    for at, task in enumerate(tasks):
        left = 60 * options.minutes - (time.perf_counter() - began)
        if left < SHORTEST:
            print(f"{len(tasks) - at} of {len(tasks)} searches are left out: the minutes are over", flush=True)
            break
        task["limit"] = min(task["limit"], left)
        done = subprocess.run(
            [sys.executable, "-W", "ignore", __file__, "--one", json.dumps(task)],
            capture_output=True,
            text=True,
        )
        last = done.stdout.splitlines()[-1:] or [""]
        found = (
            json.loads(last[0])
            if done.returncode == 0
            else {"status": done.stderr.splitlines()[-1:] or "killed"}
        )
        row = [{**task, **found}.get(name, "") for name in HEADER]
        rows.append(row)
        print(*row, sep=" | ", flush=True)
        write_table(options.output / name, HEADER, rows)
    grown = [row for row in rows if str(row[0]).startswith("seeded")]
    if len(grown) > 1:
        _draw_growth(options.output / f"{name}.png", grown)


def _everything(options: argparse.Namespace) -> list[dict[str, object]]:
    """Return the tasks of all parts, in order of importance, with the limits of a run of some minutes."""
    parts = [
        ("sets", "5,10", 10),
        ("together", "5", 20),
        ("growth", "", 60),
        ("sets", "20,50", 12),
        ("together", "10", 20),
    ]
    found = []
    for part, sizes, limit in parts:
        some = argparse.Namespace(
            **{**vars(options), "part": part, "sizes": sizes or "5", "limit": options.limit or limit}
        )
        found += _tasks(some)
    return found


def _tasks(options: argparse.Namespace) -> list[dict[str, object]]:
    kinds = [options.kind] if options.kind else ["covariance", "correlation"]
    check = {"check?": options.check}
    if options.part == "growth":
        task = {"kind": "correlation", "k": 10, "limit": options.limit or 900, **check}
        sizes = [pair for pair in GROWTH if pair[0] <= options.most]
        return [{"set": f"seeded {n} x {m}", "made": [n, m], **task} for n, m in sizes]
    names = [options.set] if options.set else SETS
    if options.part == "together":
        sizes, limit = [[int(k)] * 3 for k in options.sizes.split(",")], options.limit or 120
    else:
        sizes, limit = [int(k) for k in options.sizes.split(",")], options.limit or 60
    return [
        {"set": name, "kind": kind, "k": k, "limit": limit, **check}
        for name in names
        for kind in kinds
        for k in sizes
    ]


def _one(task: dict[str, object]) -> dict[str, object]:
    """Return what one search found."""
    cov = _covariance(task)
    k, limit = task["k"], float(task["limit"])
    if (max(k) if isinstance(k, list) else k) > cov.n:
        return {"n": cov.n, "status": "k is above n"}
    start, began = time.perf_counter(), time.process_time()
    if isinstance(k, list):
        found = rs.components(cov, k, joint=True, time_limit=limit)
    else:
        found = rs.solve(cov, k, time_limit=limit)
    seconds, processor = time.perf_counter() - start, time.process_time() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    row = {
        "n": cov.n,
        "status": str(found.status),
        "gap %": float(f"{100 * found.gap:.3g}") if math.isfinite(found.gap) else "inf",
        "seconds": round(seconds, 2),
        "processor": round(processor, 2),
        "MB": round(memory),
        **dict(zip(SIZE, size_of(found.certificate), strict=True)),
    }
    if isinstance(k, list):
        alone = {size: rs.solve(cov, size, time_limit=limit).upper for size in set(k)}
        row["part of singles"] = round(found.upper / sum(alone[size] for size in k), 5)
    if task["check?"]:
        start = time.perf_counter()
        row["check"] = rs.verify(found.certificate).outcome.name.lower()
        row["seconds of it"] = round(time.perf_counter() - start, 2)
    return row


def _covariance(task: dict[str, object]) -> rs.Covariance:
    is_correlation = task["kind"] == "correlation"
    if "made" in task:
        n, m = task["made"]
        return rs.Covariance.from_data(observations(n, m), correlation=is_correlation)
    held = np.load(DATA / f"{task['set']}.npz", allow_pickle=True)
    if "X" in held:
        return rs.Covariance.from_data(held["X"], correlation=is_correlation)
    S = held["S"]
    if is_correlation:
        used = np.diagonal(S) > 0
        S = S[np.ix_(used, used)]
        S = S / np.sqrt(np.outer(np.diagonal(S), np.diagonal(S)))
        S = (S + S.T) / 2
    return rs.Covariance(S)


def observations(n: int, m: int) -> np.ndarray:
    """Return m observations of n variables, each of which one factor in twenty moves, beside noise."""
    rng = np.random.default_rng(35)
    count = max(4, n // 1000)
    loadings = rng.standard_normal((count, n)) * (rng.random((count, n)) < 0.05)
    return rng.standard_normal((m, count)) @ loadings + rng.standard_normal((m, n))


def _draw_growth(path: Path, rows: list[list[object]]) -> None:
    """Draw seconds and memory against the number of variables, and print the slope of the seconds.

    The slope is that of the seconds for an observation, since matrices have 100 or 200 of them.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import LogLocator, NullLocator

    figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.0), dpi=160, layout="constrained")
    at = {name: np.array([float(row[HEADER.index(name)]) for row in rows]) for name in ("n", "processor", "MB")}
    observations = np.array([float(str(row[0]).split(" x ")[1]) for row in rows])
    slope = np.polyfit(np.log(at["n"]), np.log(at["processor"] / observations), 1)[0]
    for axis, name, words in zip(axes, ("processor", "MB"), ("processor seconds", "memory, MB"), strict=True):
        axis.loglog(at["n"], at[name], "o-", color="#2166ac")
        axis.set(xlabel="variables", ylabel=words)
        axis.set_xticks(at["n"], [f"{n / 1000:g} 000" for n in at["n"]])
        axis.xaxis.set_minor_locator(NullLocator())
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes[0].yaxis.set_minor_locator(NullLocator())
    axes[0].yaxis.set_major_formatter("{x:g}")
    axes[1].set(yscale="linear", ylim=(0, 1.1 * at["MB"].max()))
    figure.savefig(path)
    print(f"processor seconds for an observation grow like n to the power {slope:.2f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=["sets", "together", "growth", "all"], default="sets")
    parser.add_argument("--set", choices=SETS)
    parser.add_argument("--kind", choices=["covariance", "correlation"])
    parser.add_argument("--sizes", help="cardinalities, of the parts sets and together")
    parser.add_argument("--minutes", type=float, default=math.inf, help="after which no search begins")
    parser.add_argument("--most", type=int, default=20_000, help="variables of the part growth")
    parser.add_argument("--limit", type=float, help="seconds of every search, in place of those above")
    parser.add_argument("--check", action="store_true", help="verify every certificate")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.sizes = options.sizes or ("5,10" if options.part == "together" else "5,10,20,50")
    return options


if __name__ == "__main__":
    main()
