"""Loss and explained variance of sparse encoders: curves, classification, certified bounds, time.

    python benchmarks/encoders.py curves classification bounds time [--output DIR] [--openml NAME ...]

Writes Markdown, CSV and figures. The curves are those of Magdon-Ismail and Boutsidis (NIPS 2016, Figure 1), the
classification table has its layout (k = 6 factors, r = 7 variables, 10-fold cross-validation of an SVM).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from encoder_data import classification_sets, curve_covariances
from tables import write_table

from relaxspca import Covariance, candidate, solve
from relaxspca.columns import as_data_matrix
from relaxspca.encoders import Encoder, batch_encoder, iterative_encoder

VARIANCE_METHODS = {
    "tpower": "truncated_power",
    "gpower-l0": "generalized_power_l0",
    "gpower-l1": "generalized_power_l1",
}


def encode(name: str, cov: Covariance, k: int, r: int) -> Encoder:
    """Return the encoder of that name; r counts the variables of each factor, for batch of all factors."""
    if name == "batch":
        return batch_encoder(cov, k, r)
    if name == "iterative":
        return iterative_encoder(cov, k, r)
    A, H = np.array(cov.factor), np.zeros((cov.n, k))
    for j in range(k):
        left = Covariance.from_factor(A)
        found = (
            solve(left, r).candidate
            if name == "certified"
            else candidate(left, r, method=VARIANCE_METHODS[name])
        )
        H[:, j] = found.loadings
        A = A - np.outer(A @ H[:, j], H[:, j])
    return Encoder.from_loadings(as_data_matrix(cov), H, method=name)


METHODS = ("batch", "iterative", *VARIANCE_METHODS)
# Optimal components take a search each: only on covariances this small.
CERTIFIED_UP_TO = 13


def curves(output: Path, openml: list[str]) -> None:
    """Normalised loss and symmetric variance against r, two factors."""
    rows, summary = [], []
    for name, cov in curve_covariances().items():
        sparsities = range(3, 14) if cov.n == 13 else (3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40)
        sparsities = [r for r in sparsities if r <= cov.n]
        losses, matched = {}, {}
        methods = METHODS if cov.n > CERTIFIED_UP_TO else (*METHODS, "certified")
        for r in sparsities:
            for method in methods:
                encoder = encode(method, cov, 2, r)
                losses[method, r] = encoder.normalised_loss
                # Batch with as many variables in all as this method uses.
                matched[method, r] = batch_encoder(cov, 2, max(encoder.indices.size, 3)).normalised_loss
                rows.append(
                    [name, r, method, encoder.normalised_loss, encoder.symmetric_variance, encoder.indices.size]
                )
        summary.append(_ordering(name, sparsities, losses, matched))
        _figure(output / f"encoders_{name}.png", name, [row for row in rows if row[0] == name])
    header = ["data", "r", "method", "normalised loss", "symmetric variance", "variables used"]
    write_table(output / "encoders_curves", header, rows, "Two factors. For batch r is shared by both factors.")
    header = [
        "data",
        "cells",
        "iterative <= batch",
        "batch <= every variance method",
        "iterative <= every variance method",
        "batch of as many variables <= every variance method",
        "batch of as many variables <= iterative",
    ]
    write_table(
        output / "encoders_ordering", header, summary, "In how many of the values of r the loss is so ordered."
    )


def _ordering(
    name: str,
    sparsities: list[int],
    losses: dict[tuple[str, int], float],
    matched: dict[tuple[str, int], float],
) -> list[Any]:
    def count(test: Callable[[int], bool]) -> int:
        return sum(test(r) for r in sparsities)

    def rival(r: int) -> float:
        return min(losses[method, r] for method in VARIANCE_METHODS) + 1e-9

    return [
        name,
        len(sparsities),
        count(lambda r: losses["iterative", r] <= losses["batch", r] + 1e-9),
        count(lambda r: losses["batch", r] <= rival(r)),
        count(lambda r: losses["iterative", r] <= rival(r)),
        count(lambda r: all(matched[m, r] <= losses[m, r] + 1e-9 for m in VARIANCE_METHODS)),
        count(lambda r: matched["iterative", r] <= losses["iterative", r] + 1e-9),
    ]


def _figure(path: Path, name: str, rows: list[list[Any]]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    styles = zip("osv^xD", ("-", "-", "--", "--", "--", ":"), strict=True)  # told apart in grey, too
    for method, (marker, line) in zip(dict.fromkeys(row[2] for row in rows), styles, strict=False):
        points = [row for row in rows if row[2] == method]
        for axis, column in zip(axes, (3, 4), strict=True):
            heights = [p[column] for p in points]
            axis.plot(
                [p[1] for p in points], heights, marker=marker, linestyle=line, markersize=4, label=method
            )
    axes[0].set(xlabel="variables r", ylabel="normalised loss", title=name)
    axes[1].set(xlabel="variables r", ylabel="symmetric variance", title=name)
    axes[0].legend(fontsize="small")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def classification(output: Path, openml: list[str]) -> None:
    """10-fold cross-validated error of an SVM on six factors of seven variables, beside loss and variance."""
    from sklearn.decomposition import PCA
    from sklearn.model_selection import StratifiedKFold
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    rows = []
    for name, (X, y) in classification_sets(openml).items():
        outcomes: dict[str, list[tuple[float, float, float]]] = {}
        for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(X, y):
            scaler = StandardScaler().fit(X[train])
            A, B = scaler.transform(X[train]), scaler.transform(X[test])
            maps: dict[str, tuple[Any, float, float]] = {"all variables": (np.eye(A.shape[1]), 1.0, 1.0)}
            maps["PCA"] = (PCA(6).fit(A).components_.T, 1.0, 1.0)
            cov = Covariance.from_factor(A)
            encoders = {method: encode(method, cov, 6, 7) for method in METHODS}
            used = encoders["iterative"].indices.size
            encoders["batch, variables as iterative"] = batch_encoder(cov, 6, used)
            for method, encoder in encoders.items():
                maps[method] = (encoder.loadings_array, encoder.normalised_loss, encoder.symmetric_variance)
            for method, (H, loss, variance) in maps.items():
                codes = StandardScaler().fit(A @ H)
                machine = SVC().fit(codes.transform(A @ H), y[train])
                error = 1.0 - machine.score(codes.transform(B @ H), y[test])
                outcomes.setdefault(method, []).append((error, loss, variance))
        for method, values in outcomes.items():
            error, loss, variance = (float(v) for v in np.mean(values, axis=0))
            rows.append([name, X.shape[1], method, error, loss, variance])
    write_table(
        output / "encoders_classification",
        ["data", "n", "features", "error", "normalised loss", "symmetric variance"],
        rows,
        "Radial SVM, k = 6, r = 7, mean of ten folds. Batch uses 7 variables in all, the others 7 a factor.",
    )


def bounds(output: Path, openml: list[str]) -> None:
    """Certified lower bounds on the loss of one factor beside heuristic and optimal encoders."""
    from sklearn.datasets import load_diabetes, load_wine

    from relaxspca.datasets import load_pitprops
    from relaxspca.encoders import optimal_encoder

    sets = {
        "pitprops": load_pitprops(),
        "wine": Covariance.from_data(load_wine().data, correlation=True),
        "diabetes": Covariance.from_data(load_diabetes().data, correlation=True),
        "breast_cancer": curve_covariances()["breast_cancer"],
    }
    rows = []
    for name, cov in sets.items():
        for r in (1, 2, 3, 5, 8):
            heuristic = batch_encoder(cov, 1, r, selection="exchange").normalised_loss
            start = time.process_time()
            best = optimal_encoder(cov, r, time_limit=60)
            seconds = round(time.process_time() - start, 2)
            proved, found = best.loss_lower / best.optimum, best.normalised_loss
            rows.append([name, cov.n, r, heuristic, proved, found, best.status, seconds])
    header = ["data", "n", "r", "exchange", "no encoder loses less than", "encoder found", "status", "CPU s"]
    write_table(output / "encoders_bounds", header, rows, "Normalised loss of one factor.")


def timing(output: Path, openml: list[str]) -> None:
    """Time the batch encoder on 2,000 observations of 10,000 variables, k = 5, r = 50."""
    X = np.random.default_rng(0).standard_normal((2000, 10_000))
    start = time.perf_counter(), time.process_time()
    encoder = batch_encoder(as_data_matrix(X), 5, 50)
    wall, cpu = time.perf_counter() - start[0], time.process_time() - start[1]
    header = ["observations", "variables", "k", "r", "wall seconds", "CPU seconds", "normalised loss"]
    row = [2000, 10_000, 5, 50, round(wall, 1), round(cpu, 1), encoder.normalised_loss]
    write_table(output / "encoders_time", header, [row])


SECTIONS = {"curves": curves, "classification": classification, "bounds": bounds, "time": timing}


def main() -> None:
    """Run the sections named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", default=list(SECTIONS), help=" ".join(SECTIONS))
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    parser.add_argument(
        "--openml", nargs="*", default=[], help="classification sets to fetch, for example madelon"
    )
    arguments = parser.parse_args()
    for section in arguments.sections:
        start = time.perf_counter()
        SECTIONS[section](arguments.output, arguments.openml)
        print(f"{section}: {time.perf_counter() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
