"""Write elsewhere.csv: what other programs find of the cases, a line for each program and case.

    python library/make_elsewhere.py                                 take over the tables of benchmarks/results
    python library/make_elsewhere.py --run [--data DIR] [--only NAME ...]    run the peers that are installed

Lines from elsewhere, with a source that is no table of this project, are left as they are. `--run` asks abess,
sparsepca and, up to 101 variables, scikit-learn for a component of k variables, as benchmarks/peers.py does: of
each the support counts. Values are variances, explained sums of squares, or correlations. `open` is what a
program leaves open by its own word, "closed" where that is nothing, and empty where it has no bound.
"""

from __future__ import annotations

import argparse
import csv
import importlib.metadata
import importlib.util
from collections.abc import Iterator
from pathlib import Path

from instances import INSTANCES, Instance
from matrices import regression
from problems import Component

FOLDER = Path(__file__).parent
TABLE = FOLDER / "elsewhere.csv"
RESULTS = FOLDER.parent / "benchmarks" / "results"
COLUMNS = ["instance", "k", "who", "value", "open", "source"]
NAMES = {"noise 100 100 0": "wishart_n100_m100_seed0", "slice": "slice385"}
PEERS = {"abess": "abess", "sklearn": "scikit-learn", "sparsepca": "sparsepca"}
LARGEST = {"abess": 2400, "sklearn": 101, "sparsepca": 10_000}  # variables that a peer is asked about
EXACT = ("leaps", "lmSubsets", "subselect")
CLOSED = 1e-6
Line = dict[str, str]


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description="Write what other programs find of the cases.")
    parser.add_argument("--run", action="store_true", help="run the peers that are installed")
    parser.add_argument("--data", type=Path, help="folder with the matrices of the literature")
    parser.add_argument("--only", nargs="*", help="instances, by how their names begin")
    options = parser.parse_args()
    cases = {(i.name, str(k)) for i in INSTANCES for k in i.cardinalities}
    lines = stored()
    for line in (*components(), *subsets(), *correlations()):
        if (line["instance"], line["k"]) in cases:
            lines[line["instance"], line["k"], line["who"]] = line
    write(lines)
    for instance in INSTANCES if options.run else ():
        if instance.kind == "component" and (not options.only or instance.name.startswith(tuple(options.only))):
            for line in runs(instance, options.data):
                print(*line.values(), flush=True)
                lines.setdefault((line["instance"], line["k"], line["who"]), line)
            write(lines)


def line_of(instance: str, k: object, who: str, value: float, gap: float | None, source: str) -> Line:
    """Return a line; the gap is a part of the value."""
    is_closed = gap is not None and gap <= CLOSED
    is_open = "" if gap is None else "closed" if is_closed else f"{100 * gap:.3g} %"
    return dict(zip(COLUMNS, (instance, str(k), who, f"{value:.10g}", is_open, source), strict=True))


def components() -> Iterator[Line]:
    """Yield what peers.py and peers_proofs.py found."""
    for row in rows("peers"):
        if row["method"] not in ("solve", "candidate"):
            who = PEERS.get(row["method"], row["method"])
            yield line_of(named(row["matrix"]), row["k"], who, float(row["value"]), None, "results/peers.csv")
    for row in rows("peers_proofs"):
        if row["method"] in ("gurobi", "Li-Xie"):
            who = {"gurobi": "Gurobi", "Li-Xie": "Li and Xie's search, written anew"}[row["method"]]
            gap, value = float(row["gap %"]) / 100, float(row["value"])
            is_closed = float(row["seconds"]) < 29  # of 30: it stops by itself at 1e-6, as it reckons it
            gap = 0.0 if is_closed else gap
            yield line_of(named(row["matrix"]), row["k"], who, value, gap, "results/peers_proofs.csv")


def subsets() -> Iterator[Line]:
    """Yield what peers_subset.py found."""
    for row in rows("peers_subset"):
        n, k, ridge = int(row["n"]), int(row["k"]), float(row["ridge"])
        name = f"subset_{row['design'].replace(' ', '')}_n{n}_k{k}" + (f"_ridge{ridge:g}" if ridge else "")
        _, y, _ = regression(row["design"], n, k)
        for who in ("OKRidge", "L0BnB", "abess", "L0Learn", *EXACT):
            if row.get(f"{who}: above it"):
                part = 1 - float(row["least found"]) - float(row[f"{who}: above it"])
                has_gap = f"{who}: gap" in row
                gap = float(row[f"{who}: gap"]) / part if has_gap else 0.0 if who in EXACT else None
                yield line_of(name, k, who, part * float(y @ y), gap, "results/peers_subset.csv")


def correlations() -> Iterator[Line]:
    """Yield what peers_correlation.py found."""
    for row in rows("peers_correlation"):
        if row["method"] != "relaxspca" and row["correlation"] != "stopped":
            who = row["method"].replace("Li-Dey-Xie", "Li, Dey and Xie")
            value = float(row["correlation"])
            gap = float(row["upper bound"]) / value - 1 if row["upper bound"] else None
            gap = 0.0 if gap is not None and gap < 2 * CLOSED else gap  # its own tolerance is 1e-6
            name = f"halves_{named(row['data'])}"
            yield line_of(name, row["k"], who, value, gap, "results/peers_correlation.csv")


def runs(instance: Instance, data: Path | None) -> Iterator[Line]:
    """Yield what the peers that are installed find of an instance."""
    import peers

    problem = instance.build(data)
    for name in PEERS if isinstance(problem, Component) else ():
        if importlib.util.find_spec(name) is None or problem.n > LARGEST[name]:
            continue
        source = f"run by make_elsewhere.py, {importlib.metadata.version(PEERS[name])}"
        for k in instance.cardinalities:
            try:
                found = peers.value_of(problem.cov, peers.PEERS[name](problem.cov, k), k)
            except (AssertionError, ValueError) as error:
                print(f"{instance.name} k={k}: {name} has no component of k variables: {error}")
                continue
            yield line_of(instance.name, k, PEERS[name], found, None, source)


def named(name: str) -> str:
    """Return the name in the library of a matrix of the benchmarks."""
    return NAMES.get(name, name)


def rows(table: str) -> list[Line]:
    """Return the rows of a table of the benchmarks."""
    with (RESULTS / f"{table}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def stored() -> dict[tuple[str, str, str], Line]:
    """Return the lines by instance, k and program."""
    with TABLE.open(encoding="utf-8", newline="") as stream:
        return {(line["instance"], line["k"], line["who"]): line for line in csv.DictReader(stream)}


def write(lines: dict[tuple[str, str, str], Line]) -> None:
    """Write the lines, sorted."""
    with TABLE.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines[key] for key in sorted(lines, key=lambda key: (key[0], int(key[1]), key[2])))


if __name__ == "__main__":
    main()
