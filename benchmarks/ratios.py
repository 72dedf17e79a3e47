"""Ratios of two quadratic forms: best subsets, sparse discriminants and sparse correlations, beside peers.

    pip install abess pyscipopt          # the peers of the first table, each optional
    python benchmarks/ratios.py [subset] [discriminant] [correlation] [--limit 25] [--only TEXT]

Seconds, and the limit, are of the processor, of one run on one thread. A row takes the place of the old one, so
that tables can be made in pieces. What is proved of a subset is
relative to the sum of squares of the response, ``(upper - lower) / total``. abess (Zhu et al. 2020) gives a
value and no proof. SCIP minimises the residual with a pair of variables for each regressor, of which one is 0
(SOS1): its width is what it proves itself, in floating point.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from frontier import by_processor, keep
from matrices import design, response

import relaxspca as rs
from relaxspca.applications import canonical_correlations, subset_selection

FOLDS = 5
NOTHING = 1e19  # the residual by which SCIP says that it found none


def timed(run: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[Any, float]:
    """Return what a function returns, and its seconds."""
    start = time.process_time()
    return run(*arguments, **options), time.process_time() - start


def by_abess(X: np.ndarray, y: np.ndarray, k: int) -> float | None:
    """Return the residual of the subset that abess finds."""
    try:
        from abess import LinearRegression
    except ImportError:
        return None
    model = LinearRegression(support_size=k, fit_intercept=False).fit(X, y)
    chosen = np.flatnonzero(model.coef_)
    rest = y - X[:, chosen] @ np.linalg.lstsq(X[:, chosen], y, rcond=None)[0]
    return float(rest @ rest)


def by_scip(X: np.ndarray, y: np.ndarray, k: int, limit: float) -> tuple[float, float] | None:
    """Return the bounds on the least residual that SCIP ends with."""
    try:
        from pyscipopt import Model, quicksum
    except ImportError:
        return None
    n = X.shape[1]
    Q, R = np.linalg.qr(np.column_stack([X, y]))
    R, q = R[:, :n], R[:, n]
    model = Model()
    model.hideOutput()
    model.setParam("timing/clocktype", 1)  # of the processor
    model.setParam("limits/time", limit)
    model.setParam("limits/gap", 1e-6)
    w = [model.addVar(lb=None) for _ in range(n)]
    off = [model.addVar(vtype="B") for _ in range(n)]
    for i in range(n):
        model.addConsSOS1([w[i], off[i]])
    model.addCons(quicksum(off) >= n - k)
    parts = [model.addVar(lb=None) for _ in range(len(R))]
    for j, part in enumerate(parts):
        model.addCons(
            part == float(q[j]) - quicksum(float(R[j, i]) * w[i] for i in range(j if j < n else n, n))
        )
    total = model.addVar(lb=0)
    model.addCons(quicksum(part * part for part in parts) <= total)
    model.setObjective(total)
    model.optimize()
    return float(model.getDualbound()), float(model.getPrimalbound())


def subsets(limit: float, only: str) -> Iterator[list[Any]]:
    """Yield the rows of the best subsets."""
    kinds = ["correlation 0.3", "correlation 0.7", "condition 26", "condition 1e3", "condition 1e6"]
    for n in (100, 200, 300, 500):
        for k in (5, 10):
            for kind in kinds if n == 100 else kinds[:2]:
                if only not in f"{kind}, n = {n}, k = {k}.":
                    continue
                rng = np.random.default_rng([n, k])
                X = design(kind, n + 200, n, rng)
                y = response(X, k, rng)
                total = float(y @ y)
                fit, seconds = timed(subset_selection, X, y, k, time_limit=limit)
                checked = "" if fit.certificate is None else bool(rs.verify(fit.certificate, exact=False))
                value, of_abess = timed(by_abess, X, y, k)
                found, of_scip = timed(by_scip, X, y, k, limit)
                width = "" if found is None else "no fit found"
                if found is not None and found[1] < NOTHING:
                    width = (found[1] - max(found[0], 0.0)) / total
                peer = ["", "", ""] if found is None else [width, of_scip, of_scip / seconds]
                better = "" if value is None else (value - fit.upper) / total
                mine = [str(fit.status), fit.gap, fit.node_count, seconds, checked]
                yield [kind, n, k, *mine, better, of_abess, *peer]


def discriminant(limit: float, only: str) -> Iterator[list[Any]]:
    """Yield the rows of the sparse discriminants."""
    from sklearn.datasets import load_breast_cancer, load_digits, load_wine
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    from relaxspca.estimators import CertifiedSparseLDA

    X, y = load_digits(return_X_y=True)
    chosen = np.isin(y, (3, 8))
    X = X[chosen]
    digits = X[:, X.std(axis=0) > 0], y[chosen]
    sets = {
        "wine": load_wine(return_X_y=True),
        "breast cancer": load_breast_cancer(return_X_y=True),
        "digits 3 and 8": digits,
    }
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    for name, (X, y) in sets.items():
        if only not in name:
            continue
        dense = float(np.mean(cross_val_score(LinearDiscriminantAnalysis(), X, y, cv=folds)))
        for k in (3, 5, 10):
            model, seconds = timed(CertifiedSparseLDA(k=k, time_limit=limit).fit, X, y)
            checked = all(bool(rs.verify(r.certificate, exact=False)) for r in model.results_)
            quick_one = CertifiedSparseLDA(k=k, time_limit=min(limit, 5.0))
            accuracy = float(np.mean(cross_val_score(quick_one, X, y, cv=folds)))
            lasso, used = _lasso(X, y, int(np.count_nonzero(model.components_.any(axis=0))), folds)
            count, gap = int(np.count_nonzero(model.components_.any(axis=0))), float(model.gaps_.max())
            nodes = sum(r.node_count for r in model.results_)
            mine = [gap, nodes, seconds, checked, count, accuracy]
            yield [name, X.shape[1], k, *mine, dense, lasso, used]


def _lasso(X: np.ndarray, y: np.ndarray, count: int, folds: Any) -> tuple[float, int]:
    """Return the accuracy of the logistic lasso that uses about as many variables, and their number."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    best = None
    for C in np.geomspace(1e-3, 10, 13):
        model = make_pipeline(
            StandardScaler(), LogisticRegression(l1_ratio=1.0, solver="saga", C=C, max_iter=500, tol=1e-3)
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            used = int(np.count_nonzero(model.fit(X, y)[-1].coef_.any(axis=0)))
            if used > count:
                break
            best = model, used
    assert best is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(np.mean(cross_val_score(best[0], X, y, cv=folds))), best[1]


def correlation(limit: float, only: str) -> Iterator[list[Any]]:
    """Yield the rows of the sparse correlations."""
    from sklearn.datasets import load_digits, load_linnerud

    L = load_linnerud()
    D = load_digits().data.reshape(-1, 8, 8)
    halves = [half.reshape(len(D), -1) for half in (D[:, :, :4], D[:, :, 4:])]
    halves = [half[:, half.std(axis=0) > 0.5] for half in halves]
    halves = [(half - half.mean(axis=0)) / half.std(axis=0) for half in halves]
    for name, X, Y, sizes in (
        ("linnerud", L.data, L.target, [(1, 1), (2, 2), (3, 3)]),
        ("left and right halves of digits", *halves, [(2, 2), (3, 3), (5, 5)]),
    ):
        for pair in sizes if only in name else ():
            [found], seconds = timed(canonical_correlations, X, Y, pair, time_limit=limit)
            checked = bool(rs.verify(found.certificate, exact=False))
            yield [name, *pair, found.lower, found.upper, found.gap, found.node_count, seconds, checked]


TABLES: dict[str, tuple[Callable[[float, str], Iterator[list[Any]]], list[str], tuple[int, ...]]] = {
    "subset": (
        subsets,
        [
            "design",
            "n",
            "k",
            "status",
            "proved width",
            "nodes",
            "seconds",
            "verified",
            "abess: residual above ours",
            "abess: seconds",
            "SCIP: width",
            "SCIP: seconds",
            "SCIP seconds / ours",
        ],
        (0, 1, 2),
    ),
    "discriminant": (
        discriminant,
        [
            "data",
            "n",
            "k",
            "largest gap",
            "nodes",
            "seconds",
            "verified",
            "variables in all",
            "accuracy",
            "dense LDA",
            "logistic lasso",
            "its variables",
        ],
        (0, 2),
    ),
    "correlation": (
        correlation,
        ["data", "k_x", "k_y", "lower", "upper", "gap", "nodes", "seconds", "verified"],
        (0, 1, 2),
    ),
}


def main() -> None:
    """Write the tables asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}; by default all")
    parser.add_argument("--limit", type=float, default=25.0, help="seconds of the processor for each run")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="rows with this in their names, as 'n = 100'"
    )
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.tables) - set(TABLES))
    if unknown:
        parser.error(f"there is no table {unknown[0]}")
    note = f"Limit {arguments.limit:g} s of the processor a run; relaxspca {rs.__version__}, one thread."
    by_processor()
    for name in arguments.tables or TABLES:
        run, header, same = TABLES[name]
        for row in run(arguments.limit, arguments.only):
            print(*row, flush=True)
            keep(f"ratios_{name}", header, row, note, same=same)


if __name__ == "__main__":
    main()
