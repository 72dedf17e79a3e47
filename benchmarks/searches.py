"""The searches of before_and_after.py: what is to be proved, of which data, within which limit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "library"))

import numpy as np
from instances import INSTANCES, Instance
from matrices import design, matrix, response

import relaxspca as rs

ZOU = (7, 4, 4, 1, 1, 1)  # cardinalities of Zou, Hastie and Tibshirani (2006), table 3


@dataclass(frozen=True)
class Claim:
    """Something to prove: its name, the processor seconds that it may take, its data and the search."""

    name: str
    limit: float
    data: Callable[[Path], Any]
    search: Callable[[Any, float], Any]


def claims() -> Iterator[Claim]:
    """Yield every claim: one component, then tables, then restrictions, lists and ratios."""
    yield from again()
    yield from library()
    yield from far()
    yield from paths()
    yield from orthogonal()
    yield from other_tables()
    yield from restrictions()
    yield from fits()


def again() -> Iterator[Claim]:
    """Yield quick searches, each many times so that their seconds can be compared."""
    for name, k, times in (
        ("pitprops", 5, 40), ("pitprops", 10, 40), ("wine", 5, 40), ("wine", 10, 40),
        ("communities", 5, 40), ("communities", 20, 20), ("colon500", 5, 10), ("colon500", 20, 5),
    ):  # fmt: skip
        yield Claim(f"{name}, k = {k}, {times} times", 60, stored(name), repeated(k, times))


def repeated(k: int, times: int) -> Callable[[rs.Covariance, float], Any]:
    """Return a search that is run many times, of a new covariance each."""
    return lambda cov, limit: [solve(rs.Covariance(cov.matrix), limit, k=k) for _ in range(times)]


def library() -> Iterator[Claim]:
    """Yield the cases of the library."""
    for instance in INSTANCES:
        for k in instance.cardinalities:
            yield Claim(f"library: {instance.name}, k = {k}", 30, built(instance), one(k=k))


def built(instance: Instance) -> Callable[[Path], rs.Covariance | None]:
    """Return how to build a covariance of the library; the fits there have none."""
    return lambda folder: getattr(instance.build(folder), "cov", None)


def far() -> Iterator[Claim]:
    """Yield large cardinalities, many variables, noise, near ties: rows of frontier.py, and its hard ones."""
    for name, k, limit in (
        ("colon500", 200, 60), ("spiked 500 500 0 20 2", 20, 60), ("spiked 500 500 0 20 2", 50, 30),
        ("spiked 500 500 0 10 0.7", 10, 60), ("spiked 1000 500 0 10 0.7", 10, 30),
        ("spiked 4000 500 0 10 2", 10, 60), ("noise 200 200 2", 10, 60),
        ("ties 60 6 0", 10, 60), ("ties 60 6 0", 20, 60), ("ties 120 8 0", 20, 60),
        ("noise 30 30 0", 15, 60), ("noise 30 30 2", 20, 60), ("noise 70 70 0", 10, 60),
        ("wide 20000 100 0", 50, 60),
    ):  # fmt: skip
        yield Claim(f"{name}, k = {k}", limit, stored(name), one(k=k))
    yield Claim("40 blocks of 25, k = 10", 60, blocks, one(k=10))
    yield Claim("pitprops, rho = 0.3", 60, stored("pitprops"), one(rho=0.3))
    yield Claim("communities, rho = 0.5", 20, stored("communities"), one(rho=0.5))


def blocks(folder: Path) -> rs.Covariance:
    """Return 40 blocks of 25 variables."""
    S, rng = np.zeros((1000, 1000)), np.random.default_rng(0)
    for start in range(0, 1000, 25):
        X = rng.normal(size=(40, 25))
        S[start : start + 25, start : start + 25] = X.T @ X / 40
    return rs.Covariance(S)


def paths() -> Iterator[Claim]:
    """Yield paths of cardinalities, and components one after another."""
    for name, most in (("pitprops", 13), ("communities", 20), ("colon500", 30)):
        yield Claim(f"path of {name}, k = 1 to {most}", 60, stored(name), path(most))
    for name, sizes in (("pitprops", ZOU), ("communities", (5,) * 10), ("colon500", (10,) * 5)):
        yield Claim(f"{name}, one after another {shown(sizes)}", 60, stored(name), deflated(sizes))


def path(most: int) -> Callable[[rs.Covariance, float], Any]:
    """Return the proof of a path."""
    return lambda cov, limit: rs.path(cov, k=range(1, most + 1), time_limit=limit).rows


def deflated(sizes: Sequence[int]) -> Callable[[rs.Covariance, float], Any]:
    """Return the proof of components one after another."""
    return lambda cov, limit: rs.components(cov, list(sizes), time_limit=limit).results


def orthogonal() -> Iterator[Claim]:
    """Yield tables of orthogonal components."""
    pairs = [(total - a, a) for total in (4, 6, 8, 10) for a in range(1, total // 2 + 1)]
    triples = [
        (total - a - b, a, b)
        for total in (6, 9)
        for b in range(1, total // 3 + 1)
        for a in range(b, (total - b) // 2 + 1)
    ]
    equal = [(2,) * r for r in (4, 5, 6)] + [(4,) * r for r in (3, 4, 5)]
    larger = [(k,) * r for k in (6, 8, 10) for r in (2, 3)] + [(10,) * 4, (8,) * 4]
    for sizes in (*pairs, *triples, (7, 4, 4), ZOU, *equal, *larger):
        yield Claim(f"pitprops, orthogonal {shown(sizes)}", 60, stored("pitprops"), table(sizes))
    for sizes in ((10,) * 5, (10,) * 6, (8,) * 6, (4,) * 6, (6,) * 4, (6,) * 5, (6,) * 6, (8,) * 5):
        yield Claim(f"pitprops, orthogonal {shown(sizes)}", 20, stored("pitprops"), table(sizes))
    for r in (2, 3):
        for name, k in (("wine", 5), ("wine", 10), ("communities", 5), ("communities", 10)):
            yield Claim(f"{name}, orthogonal {shown((k,) * r)}", 60, stored(name), table((k,) * r))
        sizes = (20,) * r
        yield Claim(f"communities, orthogonal {shown(sizes)}", 30, stored("communities"), table(sizes))
    for k in (5, 25):
        yield Claim(f"stocks, orthogonal {shown((k,) * 4)}", 60, stored("snp500"), table((k,) * 4))


def other_tables() -> Iterator[Claim]:
    """Yield tables of disjoint components, and of components on one support."""
    pairs = [(3, 1), (4, 2), (4, 4), (5, 5)]
    for sizes in (*pairs, (7, 4, 4), ZOU, *((k,) * r for k in (2, 4) for r in (3, 4, 5, 6))):
        yield Claim(f"pitprops, disjoint {shown(sizes)}", 60, stored("pitprops"), table(sizes, disjoint=True))
    for r in (2, 3):
        for k in (4, 5, 6, 8, 10):
            yield Claim(f"pitprops, common {shown((k,) * r)}", 60, stored("pitprops"), together((k,) * r))
    yield Claim("wine, common 5 5", 60, stored("wine"), together((5, 5)))


def restrictions() -> Iterator[Claim]:
    """Yield conditions, groups, signs and lists."""
    for name in ("pitprops", "breast_cancer", "communities", "colon500"):
        for k in (5, 10):
            for what, options in (
                ("nonnegative", {"nonnegative": True}),
                ("without the first variable", {"exclude": [0]}),
                ("with the first variable", {"include": [0]}),
            ):
                yield Claim(f"{name}, k = {k}, {what}", 20, stored(name), one(k=k, **options))
            if name != "pitprops" or k == 5:  # it has too few groups for ten
                yield Claim(f"{name}, k = {k}, one of each group", 20, stored(name), in_groups(k=k))
            yield Claim(f"{name}, within 1 % of the best, k = {k}", 20, stored(name), listed(k))
        yield Claim(f"{name}, three whole groups", 20, stored(name), in_groups(most=3))


def in_groups(**options: Any) -> Callable[[rs.Covariance, float], Any]:
    """Return the search among groups of 3 variables that stand side by side, of 8 where there are many."""

    def search(cov: rs.Covariance, limit: float) -> Any:
        size = 3 if cov.n < 100 else 8
        groups = {f"g{i}": list(range(i, min(i + size, cov.n))) for i in range(0, cov.n, size)}
        return rs.solve(cov, groups=groups, time_limit=limit, **options)

    return search


def listed(k: int) -> Callable[[rs.Covariance, float], Any]:
    """Return the list of all that is nearly best."""
    return lambda cov, limit: rs.near_optimal(cov, k, within=0.01, time_limit=limit)


def fits() -> Iterator[Claim]:
    """Yield best subsets, discriminants and correlations: rows of ratios.py."""
    for kind, n, k, limit in (
        ("correlation 0.3", 100, 5, 60), ("correlation 0.7", 100, 5, 60), ("condition 26", 100, 5, 60),
        ("condition 1e3", 100, 5, 60), ("condition 1e6", 100, 5, 10), ("correlation 0.7", 100, 10, 60),
        ("condition 26", 100, 10, 10), ("correlation 0.3", 200, 10, 60), ("correlation 0.7", 300, 10, 60),
        ("correlation 0.3", 500, 10, 60), ("correlation 0.7", 500, 5, 60),
    ):  # fmt: skip
        yield Claim(f"best subset: {kind}, n = {n}, k = {k}", limit, regression(kind, n, k), subset(k))
    for name, k in (("wine", 3), ("wine", 10), ("breast_cancer", 5), ("breast_cancer", 10)):
        yield Claim(f"discriminants of {name}, k = {k}", 60, classes(name), discriminants(k))
    for pair in ((2, 2), (3, 3), (5, 5)):
        yield Claim(f"correlations of halves of digits, k = {shown(pair)}", 60, halves, correlations(pair))


def regression(kind: str, n: int, k: int) -> Callable[[Path], tuple[np.ndarray, np.ndarray]]:
    """Return how to draw a regression."""

    def draw(folder: Path) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng([n, k])
        X = design(kind, n + 200, n, rng)
        return X, response(X, k, rng)

    return draw


def subset(k: int) -> Callable[[Any, float], Any]:
    """Return the search of a best subset."""
    return lambda data, limit: rs.applications.subset_selection(*data, k, time_limit=limit)


def classes(name: str) -> Callable[[Path], Any]:
    """Return how to read observations with their classes."""

    def load(folder: Path) -> Any:
        try:
            from sklearn import datasets
        except ImportError:
            return None
        return getattr(datasets, f"load_{name}")(return_X_y=True)

    return load


def discriminants(k: int) -> Callable[[Any, float], Any]:
    """Return the search of sparse discriminants."""

    def search(data: Any, limit: float) -> Any:
        return rs.estimators.CertifiedSparseLDA(k=k, time_limit=limit).fit(*data).results_

    return search


def halves(folder: Path) -> Any:
    """Return the left and the right halves of scikit-learn's digits, standardized."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        return None
    D = load_digits().data.reshape(-1, 8, 8)
    both = [half.reshape(len(D), -1) for half in (D[:, :, :4], D[:, :, 4:])]
    both = [half[:, half.std(axis=0) > 0.5] for half in both]
    return [(half - half.mean(axis=0)) / half.std(axis=0) for half in both]


def correlations(pair: tuple[int, int]) -> Callable[[Any, float], Any]:
    """Return the search of a sparse canonical correlation."""
    return lambda data, limit: list(rs.applications.canonical_correlations(*data, pair, time_limit=limit))


def stored(name: str) -> Callable[[Path], rs.Covariance | None]:
    """Return how to get a matrix."""
    return lambda folder: matrix(name, folder)


def one(**options: Any) -> Callable[[rs.Covariance, float], Any]:
    """Return a search of `solve`."""
    return lambda cov, limit: solve(cov, limit, **options)


def solve(cov: rs.Covariance, limit: float, **options: Any) -> Any:
    """Return the result of one search."""
    return rs.solve(cov, time_limit=limit, **options)


def table(sizes: Sequence[int], **options: Any) -> Callable[[rs.Covariance, float], Any]:
    """Return the search of a table."""
    return lambda cov, limit: rs.components(cov, list(sizes), joint=True, time_limit=limit, **options)


def together(sizes: Sequence[int]) -> Callable[[rs.Covariance, float], Any]:
    """Return the search of a table on common variables."""
    return table(sizes, common=True)


def shown(sizes: Sequence[int]) -> str:
    """Return cardinalities with spaces between them."""
    return " ".join(map(str, sizes))
