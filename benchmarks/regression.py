"""Regression on sparse features beside top-k PCA regression, with 5-fold cross-validation.

    python benchmarks/regression.py [--splits 20] [--output DIR] [--openml NAME ...]

The table has the layout of Boutsidis, Drineas and Magdon-Ismail (NIPS 2011, Table 3): k = 5 and r = 6 or 10,
errors relative to the norm of the targets, in sample and out of sample, averaged over random splits.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from encoder_data import regression_sets
from tables import write_table

from relaxspca.columns import leverage_columns
from relaxspca.regression import dsf_select, principal_regression, sparse_feature_regression

K = 5
METHODS = {
    "PCA": lambda X, Y, r, rng: principal_regression(X, Y, K),
    "DSF": lambda X, Y, r, rng: dsf_select(X, Y, K, r),
    "RSF": lambda X, Y, r, rng: sparse_feature_regression(X, Y, leverage_columns(X, K, r, rng=rng), K),
    "random": lambda X, Y, r, rng: sparse_feature_regression(
        X, Y, rng.choice(X.shape[1], size=r, replace=False), K
    ),
}


def compare(X: Any, Y: Any, r: int, splits: int) -> dict[str, list[float]]:
    """Return mean in-sample error, out-of-sample error, largest error / bound and violations per method."""
    splitter, rng = np.random.default_rng(0), np.random.default_rng(1)
    outcomes: dict[str, list[list[float]]] = {method: [] for method in METHODS}
    for _ in range(splits):
        order = splitter.permutation(len(X))
        for fold in range(5):
            test = order[fold::5]
            train = np.setdiff1d(order, test)
            A, B, targets, unseen = _standardised(X[train], X[test], Y[train], Y[test])
            for method, fit in METHODS.items():
                model = fit(A, targets, r, rng)
                share = np.nan if model.bound is None else model.error / model.bound
                inside, outside = (
                    float(np.linalg.norm(Z - model.predict(M)) / np.linalg.norm(Z))
                    for M, Z in ((A, targets), (B, unseen))
                )
                outcomes[method].append([inside, outside, share])
    return {
        method: [*(float(v) for v in np.mean(values, axis=0)[:2]), float(np.max(values, axis=0)[2])]
        for method, values in outcomes.items()
    }


def _standardised(*parts: Any) -> tuple[Any, Any, Any, Any]:
    """Centre by the training means; scale the variables by their training deviations."""
    A, B, targets, unseen = parts
    centre, offset = A.mean(axis=0), targets.mean(axis=0)
    deviation = A.std(axis=0)
    scale = np.where(deviation > 0.0, deviation, 1.0)
    return (A - centre) / scale, (B - centre) / scale, targets - offset, unseen - offset


def main() -> None:
    """Run the comparison on every data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=20, help="random 5-fold splits")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    parser.add_argument("--openml", nargs="*", default=[], help="regression sets to fetch")
    arguments = parser.parse_args()
    rows = []
    for name, (X, Y) in regression_sets(arguments.openml).items():
        splits = arguments.splits if X.shape[1] <= 100 else 1
        for r in (K + 1, 2 * K):
            for method, (inside, outside, share) in compare(X, Y, r, splits).items():
                size = f"({X.shape[0]}; {X.shape[1]})"
                bound = "" if np.isnan(share) else share
                rows.append([name, size, Y.shape[1], r, method, inside, outside, bound, 5 * splits])
            print(name, r, flush=True)
    header = [
        "data",
        "size",
        "targets",
        "r",
        "method",
        "in sample",
        "out of sample",
        "largest error / bound",
        "fits",
    ]
    note = "k = 5; |Y - XW| / |Y| with standardised variables and centred targets, mean over 5-fold splits."
    write_table(arguments.output / "regression", header, rows, note)


if __name__ == "__main__":
    main()
