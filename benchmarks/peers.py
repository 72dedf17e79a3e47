"""Solve the same instances with relaxspca and with what else is installed, one thread each, in one run.

A peer that proves nothing is compared as a method for components: value and processor seconds, beside our
candidate, and beside the proved optimum of our search. Interleaved three times; medians. A peer that takes a
penalty in place of a cardinality has it bisected, and of every peer only the support counts. Those that
are not installed are left out, and named in the note. PathSPCA (d'Aspremont, Bach and El Ghaoui) runs
in Octave, from a folder of yours with `FullPathCov.m` and `maxeig.m`: `--pathspca DIR`. Programs that bound
the optimum are in `peers_proofs.py`: Gurobi and Optimal-SPCA. Writes peers (CSV and Markdown).
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os

# Before any library that brings threads of its own is loaded.
os.environ.update({name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")})

import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.io
from matrices import covariance, is_there
from tables import write_table

import relaxspca as rs

RESULTS = Path(__file__).parent / "results"
INSTANCES = (
    ("pitprops", 5), ("pitprops", 10), ("digits64", 10), ("communities_raw", 10), ("cov146", 10),
    ("noise 100 100 0", 10), ("spiked 200 100 1 10 1", 10),
    ("colon500", 10), ("colon500", 50),
)  # fmt: skip
REPEATS = 3
STEPS = 20  # of a bisection
HEADER = ("matrix", "n", "k", "method", "value", "below the optimum %", "seconds", "seconds / candidate")

Method = Callable[[rs.Covariance, int], np.ndarray]


def main() -> None:
    """Run every method on every instance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pathspca", type=Path, metavar="DIR", help="folder of PathSPCA")
    methods = installed(parser.parse_args().pathspca)
    rows: list[tuple[object, ...]] = []
    for name, k in INSTANCES:
        if is_there(name):
            rows += compared(name, covariance(name), k, methods)
    absent = [peer for peer in (*PEERS, "PathSPCA") if peer not in methods]
    note = (
        f"`benchmarks/peers.py`: one thread, one run, medians of {REPEATS}; processor seconds. `candidate` is "
        "`relaxspca.candidate`; the optimum is that which `relaxspca.solve` proves, in the seconds of its row. "
        "Of the others the support counts: `abess` takes k; of `sklearn` (scikit-learn) and `sparsepca` "
        "(manifold proximal gradients) the penalty is bisected, and the k largest loadings are kept; "
        "`PathSPCA` is the greedy path of all cardinalities in Octave, whose start is among the seconds."
        + "".join(f" {name} {importlib.metadata.version(PACKAGES[name])}." for name in PEERS if name in methods)
        + (f" Not installed: {', '.join(absent)}." if absent else "")
    )  # fmt: skip
    write_table(RESULTS / "peers", HEADER, rows, note)


def compared(name: str, cov: rs.Covariance, k: int, methods: dict[str, Method]) -> list[tuple[object, ...]]:
    """Return a row for each method: its value for the same k, judged by the same covariance."""
    began = spent()
    proved = rs.solve(cov, k, time_limit=120.0)
    seconds = {"solve": [spent() - began]}
    values = {"solve": proved.lower}
    for _ in range(REPEATS):
        for method, work in methods.items():
            began = spent()
            found = work(cov, k)
            seconds.setdefault(method, []).append(spent() - began)
            # The best of its support: none is blamed for loadings that it shrinks.
            values[method] = value_of(cov, found, k)
    unit = statistics.median(seconds["candidate"])
    rows = []
    for method, each in seconds.items():
        median = statistics.median(each)
        short = 100 * max(1 - values[method] / proved.lower, 0.0)
        shown = short if proved.status == "optimal" else "not proved"
        rows.append((name, cov.n, k, method, values[method], shown, round(median, 4), round(median / unit, 2)))
        print(*rows[-1], flush=True)
    return rows


def spent() -> float:
    """Return the processor seconds of this process and of those that it started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def value_of(cov: rs.Covariance, loadings: np.ndarray, k: int) -> float:
    """Return the variance of the best component on the support of loadings."""
    support = np.flatnonzero(loadings)
    assert 0 < len(support) <= k, f"{len(support)} variables instead of {k}"
    return rs.Candidate.from_support(cov, support).value


def installed(pathspca: Path | None) -> dict[str, Method]:
    """Return our candidate and the peers that can be run."""
    found: dict[str, Method] = {"candidate": lambda cov, k: rs.candidate(cov, k).loadings}
    found |= {name: method for name, method in PEERS.items() if importlib.util.find_spec(name)}
    if pathspca is not None and shutil.which("octave-cli"):
        found["PathSPCA"] = lambda cov, k: path_spca(cov, k, pathspca)
    return found


def path_spca(cov: rs.Covariance, k: int, folder: Path) -> np.ndarray:
    """Return the component of the greedy path of PathSPCA, which wants a definite matrix, variances falling."""
    S = cov.matrix + 1e-8 * cov.diagonal.max() * np.eye(cov.n)
    order = np.argsort(-np.diagonal(S), kind="stable")
    with tempfile.NamedTemporaryFile(suffix=".mat") as file:
        scipy.io.savemat(file.name, {"S": S[np.ix_(order, order)]})
        told = f"load('{file.name}'); [v, r, res] = FullPathCov(S); printf('%d ', res(1:{k}, {k}));"
        command = ["octave-cli", "--quiet", "--no-init-file", "--path", str(folder), "--eval", told]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    support = order[np.array(done.stdout.split(), dtype=int) - 1]
    assert len(support) == k, done.stderr
    return np.where(np.isin(np.arange(cov.n), support), 1.0, 0.0)


def abess(cov: rs.Covariance, k: int) -> np.ndarray:
    """Return the component of abess: best subsets by splicing."""
    from abess.decomposition import SparsePCA

    # It refuses a matrix of deficient rank whose least eigenvalue is below 0 by a rounding error.
    Sigma = cov.matrix + 1e-8 * cov.diagonal.max() * np.eye(cov.n)
    model = SparsePCA(support_size=k).fit(Sigma=Sigma, n=1000)
    return np.asarray(model.coef_).ravel()


def scikit_learn(cov: rs.Covariance, k: int) -> np.ndarray:
    """Return the component of scikit-learn's SparsePCA: a dictionary of one atom with a penalty."""
    from sklearn.decomposition import SparsePCA

    # Above and below zero: it takes means out of the data.
    X = np.vstack([cov.factor, -cov.factor])

    def fitted(penalty: float) -> np.ndarray:
        model = SparsePCA(n_components=1, alpha=penalty, random_state=0)
        return np.asarray(model.fit(X).components_[0])

    return bisected(fitted, k, float(np.sqrt(2 * cov.diagonal.max())))


def manifold_proximal(cov: rs.Covariance, k: int) -> np.ndarray:
    """Return the component of the package sparsepca: alternating manifold proximal gradients."""
    from sparsepca import spca

    X = cov.factor / np.sqrt(cov.diagonal.max())

    def fitted(penalty: float) -> np.ndarray:
        found = spca(X, np.array([[penalty]]), 1.0, k=1, normalize=False)
        return np.asarray(found["loadings"]).ravel()

    return bisected(fitted, k, 2.0 * cov.n)


def bisected(fitted: Callable[[float], np.ndarray], k: int, largest: float) -> np.ndarray:
    """Return the k largest loadings of the sparsest fit, over penalties, that has as many.

    Often no penalty leaves exactly k: a fit with more is cut, which is what its user would do.
    """
    low, high, best = 0.0, largest, fitted(0.0)
    for _ in range(STEPS):
        penalty = (low + high) / 2
        loadings = fitted(penalty)
        count = np.count_nonzero(loadings)
        if count < k:
            high = penalty
        else:
            low, best = penalty, loadings
        if count == k:
            break
    least = np.sort(np.abs(best))[-k]
    return np.where(np.abs(best) >= least, best, 0.0)


PACKAGES = {"abess": "abess", "sklearn": "scikit-learn", "sparsepca": "sparsepca"}
PEERS: dict[str, Method] = {"abess": abess, "sklearn": scikit_learn, "sparsepca": manifold_proximal}


if __name__ == "__main__":
    main()
