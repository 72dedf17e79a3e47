"""Make the archive of certificates and its index, or only verify it again.

    python certificates/make_archive.py                   make what is not there yet, then verify all of it
    python certificates/make_archive.py --again           make everything anew
    python certificates/make_archive.py --verify          verify only

Every run verifies every certificate in the folder, rounded outward and, where that is quick, exactly; unless it
was asked to verify only, it writes the lines of INDEX.csv of what is new and leaves the others as they are.
The exit status is 0 when all are verified and the two arithmetics agree, 1 otherwise.
Matrices come from the package, from scikit-learn or from a seed, so that anybody can make the archive again.
There is at least one file for each rule and each claim of SPEC.md.
"""

from __future__ import annotations

import argparse
import csv
import functools
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from by_hand import examples

import relaxspca as rs
from relaxspca.certificate import Certificate
from relaxspca.report.archive import Row, verify_many

Prove = Callable[[float], tuple[str, Certificate | None]]

FOLDER = Path(__file__).parent
INDEX = FOLDER / "INDEX.csv"
EXACT_VARIABLES = 30
# What differs a little from one run or machine to the next is no reason for a new line of the index.
MEASURED = {"proved_upper", "width", "seconds_to_make", "seconds_to_verify", "exact_upper"}
COLUMNS = [
    "instance",
    "n",
    "k",
    "lower",
    "proved_upper",
    "width",
    "kind",
    "leaves",
    "made_by",
    "seconds_to_make",
    "seconds_to_verify",
    "exact_upper",
    "digest",
]


def standardised(name: str) -> rs.Covariance:
    """Return the correlation matrix of a data set of scikit-learn, constant columns dropped."""
    import warnings

    from sklearn import datasets

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.DataWarning)
        table = getattr(datasets, f"load_{name}")()
        return rs.Covariance.from_data(table.data, correlation=True, names=list(table.feature_names))


def clique(seed: int) -> rs.Covariance:
    """Return a graph of 40 vertices with a planted clique of 10."""
    return rs.datasets.make_planted_clique(40, 10, density=0.4, rng=np.random.default_rng(seed))


def spiked(n: int, samples: int, seed: int) -> rs.Covariance:
    """Return a sample covariance with a spike of 10 variables; with few samples it is a factor."""
    return rs.datasets.make_spiked(n, 10, strength=8.0, n_samples=samples, rng=np.random.default_rng(seed))


def decaying(seed: int) -> rs.Covariance:
    """Return noise of 5000 variables of falling variances, of most of which only the variances are kept."""
    noise = np.random.default_rng(seed).standard_normal((100, 5000))
    return rs.Covariance.from_chunks([noise / np.arange(1, 5001)], limit=63)


INSTANCES: dict[str, tuple[Callable[[], rs.Covariance], list[int]]] = {
    "pitprops": (rs.datasets.load_pitprops, list(range(1, 14))),
    "wine": (lambda: standardised("wine"), [5, 10]),
    "breast_cancer": (lambda: standardised("breast_cancer"), [5, 10, 20]),
    "digits": (lambda: standardised("digits"), [5, 10, 20]),
    "clique_seed0": (lambda: clique(0), [10]),
    "clique_seed1": (lambda: clique(1), [10]),
    "spiked_seed0": (lambda: spiked(100, 200, 0), [10]),
    "spiked_seed1": (lambda: spiked(100, 200, 1), [10]),
    "spiked_wide_seed0": (lambda: spiked(200, 50, 0), [10]),
    "spiked_wide_seed1": (lambda: spiked(400, 40, 1), [5]),
    "decaying_seed0": (lambda: decaying(0), [5]),
}
# Tables of the pit props: which supports, and the cardinalities of their components, the largest first.
TABLES: dict[str, list[tuple[int, ...]]] = {
    "orthogonal": [(3, 3), (4, 4), (5, 2), (5, 5), (3, 3, 3), (4, 4, 4), (7, 4, 4, 1, 1, 1)],
    "disjoint": [(4, 4), (5, 5), (4, 4, 4), (7, 4, 4)],
    "common": [(5, 5), (8, 8), (4, 4, 4)],
}
# Groups of the pit props by what is measured; variables that are alone are in none.
GROUPS = {
    "size": ["topdiam", "length"],
    "wood": ["moist", "testsg", "ovensg"],
    "rings": ["ringtop", "ringbut"],
    "bow": ["bowmax", "bowdist"],
    "branches": ["whorls", "clear", "knots", "diaknot"],
}
# Restricted claims about the pit props: folder, file, and what is asked of `solve`.
RESTRICTED: dict[str, tuple[str, dict[str, Any]]] = {
    "pitprops_one_of_each": ("k04.json", {"k": 4, "groups": GROUPS}),
    "pitprops_whole_groups": ("k02.json", {"groups": GROUPS, "most": 2}),
    "pitprops_nonnegative": ("k05.json", {"k": 5, "nonnegative": True}),
    "pitprops_penalised": ("rho.json", {"rho": 0.3, "include": ["knots"], "exclude": ["topdiam"]}),
}


def wine_discriminant(time_limit: float, **asked: Any) -> rs.results.Generalized:
    """Return the ratio of what varies between the classes of wine to what varies within them."""
    from sklearn.datasets import load_wine

    X, classes = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    means = np.array([X[classes == label].mean(axis=0) for label in np.unique(classes)])[classes]
    between, within = ((M.T @ M + (M.T @ M).T) / (2 * len(X)) for M in (means, X - means))
    return rs.generalized(between, within, time_limit=time_limit, **asked)


def diabetes_subset(time_limit: float, ridge: float = 0.0) -> rs.applications.SubsetSelection:
    """Return the four variables of the diabetes data that explain most of the response, with a constant."""
    from sklearn.datasets import load_diabetes

    X, y = load_diabetes(return_X_y=True)
    return rs.applications.subset_selection(X, y, 4, intercept=True, ridge=ridge, time_limit=time_limit)


def main(arguments: list[str] | None = None) -> int:
    """Make and verify as the arguments say."""
    parser = argparse.ArgumentParser(description="Make and verify the archive of certificates.")
    parser.add_argument("--verify", action="store_true", help="make nothing")
    parser.add_argument("--again", action="store_true", help="make everything, also what is there")
    parser.add_argument("--time-limit", type=float, default=120.0, help="seconds for each certificate")
    parser.add_argument("--exact", action="store_true", help="check all of them in rationals too: minutes")
    parser.add_argument("--jobs", type=int, default=1, help="processes that verify")
    options = parser.parse_args(arguments)
    made = {} if options.verify else dict(make(again=options.again, time_limit=options.time_limit))
    rounded, exact, wrong = verified(jobs=options.jobs, all_exact=options.exact)
    if not options.verify:
        write_index(rounded, exact, made)
    print(f"{len(rounded)} certificates, {len(exact)} of them also exactly; {wrong} not verified")
    return 1 if wrong else 0


def make(*, again: bool, time_limit: float) -> Iterator[tuple[str, float]]:
    """Write the certificates that are proved within the limit, and yield how long each took."""
    for path, prove in entries():
        if path.exists() and not again:
            continue
        began = time.perf_counter()
        status, certificate = prove(time_limit)
        seconds = time.perf_counter() - began
        print(f"{path.relative_to(FOLDER)}: {status}, {seconds:.2f} s", flush=True)
        if status in ("optimal", "complete") and certificate is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            certificate.save(path)
            yield f"{path.parent.name}/{path.name}", seconds


def entries() -> Iterator[tuple[Path, Prove]]:
    """Yield where each certificate lies, and what proves it within so many seconds."""
    for name, (build, cardinalities) in INSTANCES.items():
        matrix = functools.cache(build)
        for k in cardinalities:
            yield (
                FOLDER / name / name_of([k]),
                of(lambda limit, k=k, S=matrix: rs.solve(S(), k, time_limit=limit)),
            )
    cov = rs.datasets.load_pitprops()
    for name, (file, asked) in RESTRICTED.items():
        path = FOLDER / "restricted" / name / file
        yield path, of(lambda limit, asked=asked: rs.solve(cov, **asked, time_limit=limit))
    halves = [(range(6), 1), (range(6, 13), 2)]
    yield (
        FOLDER / "ratios" / "wine_discriminant" / name_of([3]),
        of(lambda limit: wine_discriminant(limit, k=3)),
    )
    yield (
        FOLDER / "ratios" / "wine_budgets" / name_of([3]),
        of(lambda limit: wine_discriminant(limit, budgets=halves)),
    )
    yield FOLDER / "ratios" / "diabetes_subset" / name_of([4]), of(diabetes_subset)
    yield (
        FOLDER / "ratios" / "diabetes_ridge" / name_of([4]),
        of(lambda limit: diabetes_subset(limit, ridge=0.01)),
    )
    yield (
        FOLDER / "restricted" / "pitprops_near_optimal" / name_of([5]),
        of(lambda limit: rs.near_optimal(cov, 5, within=0.03, time_limit=limit)),
    )
    yield FOLDER / "restricted" / "wide_psi" / name_of([10]), bounded
    for name, certificate in examples().items():
        path = FOLDER / "examples" / name / name_of(certificate.sizes or [certificate.k])
        yield path, lambda _, certificate=certificate: ("optimal", certificate)
    tables = FOLDER / "tables"
    for supports, all_sizes in TABLES.items():
        for sizes in all_sizes:
            path = tables / f"pitprops_{supports}" / name_of(sizes)
            yield path, of(lambda limit, which=supports, sizes=sizes: proved_table(cov, which, sizes, limit))


def bounded(_: float) -> tuple[str, Certificate | None]:
    """Return the certificate of a relaxation, psi of a matrix of few observations: nothing is searched."""
    cov = spiked(200, 50, 0)
    return "optimal", rs.certify(cov, rs.candidate(cov, 10), relaxation="psi").certificate


def of(find: Callable[[float], Any]) -> Prove:
    """Return what gives the status and the certificate of a result."""

    def prove(time_limit: float) -> tuple[str, Certificate | None]:
        found = find(time_limit)
        return found.status, found.certificate

    return prove


def proved_table(
    cov: rs.Covariance, supports: str, sizes: tuple[int, ...], time_limit: float
) -> rs.results.JointComponents:
    """Return the best table of several components."""
    if supports == "common":
        return rs.components(cov, sizes, joint=True, common=True, time_limit=time_limit)
    return rs.components(cov, sizes, joint=True, disjoint=supports == "disjoint", time_limit=time_limit)


def verified(*, jobs: int, all_exact: bool) -> tuple[list[Row], dict[str, Row], int]:
    """Verify every certificate in the folder, say what is not verified, and count it."""
    rounded = verify_many([FOLDER], n_jobs=jobs, exact=False)
    small = [row.path for row in rounded if row.n is not None and (all_exact or row.n <= EXACT_VARIABLES)]
    exact = {row.path: row for row in verify_many(small, n_jobs=jobs, exact=True)}
    wrong = [row for row in [*rounded, *exact.values()] if not row.verified]
    wrong += [row for row in rounded if row.path in exact and not agree(row, exact[row.path])]
    for row in wrong:
        print(f"{row.path}: {row.outcome} ({row.arithmetic}): {'; '.join(row.reasons)}")
    return rounded, exact, len(wrong)


def write_index(rounded: list[Row], exact: dict[str, Row], seconds: dict[str, float]) -> None:
    """Write INDEX.csv, a line a certificate; what was not made again keeps its line."""
    known = lines_known()
    lines = []
    for row in rounded:
        new = line(row, exact.get(row.path), seconds)
        old = known.get((new["instance"], new["k"]))
        lines.append(new if old is None or new["seconds_to_make"] or not are_alike(old, new) else old)
    with INDEX.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, COLUMNS)
        writer.writeheader()
        writer.writerows(lines)


def agree(rounded: Row, exact: Row) -> bool:
    """Say whether both arithmetics proved the same bound, but for their roundings."""
    assert rounded.proved_upper is not None
    assert exact.proved_upper is not None
    return abs(rounded.proved_upper - exact.proved_upper) <= 1e-9 * abs(exact.proved_upper)


def are_alike(old: dict[str, str], new: dict[str, str]) -> bool:
    """Say whether two lines are about the same certificate."""
    return all(old[title] == new[title] for title in COLUMNS if title not in MEASURED)


def line(row: Row, exact: Row | None, seconds: dict[str, float]) -> dict[str, str]:
    """Return a line of the index."""
    where = Path(row.path).relative_to(FOLDER)
    made = seconds.get(f"{where.parent.name}/{where.name}")
    values = {
        "instance": where.parent.name,
        "n": row.n,
        "k": row.sizes or row.k,
        "lower": row.lower,
        "proved_upper": row.proved_upper,
        "width": row.width,
        "kind": row.kind,
        "leaves": row.leaves,
        "made_by": row.made_by,
        "seconds_to_make": "" if made is None else f"{made:.3f}",
        "seconds_to_verify": f"{row.seconds:.3f}",
        "exact_upper": "" if exact is None else exact.proved_upper,
        "digest": row.digest if row.verified else "",
    }
    return {title: "" if value is None else str(value) for title, value in values.items()}


def lines_known() -> dict[tuple[str, str], dict[str, str]]:
    """Return the lines of the index there by instance and cardinalities."""
    if not INDEX.exists():
        return {}
    with INDEX.open(newline="", encoding="utf-8") as stream:
        return {(row["instance"], row["k"]): row for row in csv.DictReader(stream)}


def name_of(sizes: Iterable[int]) -> str:
    """Return the name of a file: its cardinalities, of which a claim at a penalty has none."""
    found = "_".join(f"{k:02d}" for k in sizes)
    return f"k{found}.json" if found else "rho.json"


if __name__ == "__main__":
    sys.exit(main())
