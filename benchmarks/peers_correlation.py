"""Find and prove sparse canonical correlations by relaxspca and by what else is installed, in one run.

    pip install cca-zoo                                   # optional, relaxspca beside it
    python benchmarks/peers_correlation.py [--scca DIR] [--archive DIR] [--limit 20] [--only wdbc]

The set-up is that of Li, Dey and Xie (On sparse canonical correlation analysis, NeurIPS 2024): the variables
of a covariance matrix are halved, and k of each half may be used, k = 5 and 10. Their matrices are in
`shared/data` (wdbc, digits64, slice385), in a checkout of their code (github.com/yongchunli-13/SCCA), `--scca
DIR`, and, pol too, in one of Li and Xie's archive (github.com/INFORMSJoC/2022.0372), `--archive DIR`. Variables
without variance are left out and the others scaled to variance 1, which changes no correlation. Where a half is
singular a ridge of 1e-3 is added to all variances, for everyone.

`Li-Dey-Xie` is the branch and cut in their code, `BaCtree`, run from that checkout to a gap of 1e-6. Its
arithmetic is floating point. Of cca-zoo, `OMP` takes k; of `PMD`, the penalised matrix decomposition of
Witten, Tibshirani and Hastie, the bound on the 1-norm is bisected and the k largest weights of a half are
kept; `Span` keeps k weights at each step. Of these the variables count, with the largest correlation of their
combinations. Seconds are of the processor, of one run on one thread.
"""

from __future__ import annotations

import argparse
import os

# Before any library that brings threads of its own is loaded.
os.environ.update({name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")})

import contextlib
import importlib.metadata
import io
import math
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from frontier import by_processor, keep
from matrices import DATA as FOLDER
from matrices import halved
from peers import spent
from peers_subset import stopped_late

import relaxspca as rs

DATA = ("pol", "wdbc", "dermatology", "spambase", "digits", "buzz", "gas", "slice")
OURS = {"wdbc": "wdbc", "digits": "digits64", "slice": "slice385"}  # names in shared/data
SIZES = (5, 10)
GAP = 1e-6
RIDGE = 1e-3
STEPS = 20  # of a bisection
HEADER = ("data", "n", "k", "method", "correlation", "upper bound", "gap", "s")


@dataclass(frozen=True)
class Task:
    """Correlations between and within two sets of variables, k of each set, and seconds."""

    across: np.ndarray
    first: np.ndarray
    second: np.ndarray
    k: int
    limit: float

    def value(self, u: np.ndarray, v: np.ndarray) -> float:
        """Return the largest correlation of combinations of the variables where u and v are not 0."""
        a, b = np.flatnonzero(u), np.flatnonzero(v)
        assert 0 < len(a) <= self.k, f"{len(a)} variables"
        assert 0 < len(b) <= self.k, f"{len(b)} variables"
        R = np.linalg.cholesky(self.first[np.ix_(a, a)])
        S = np.linalg.cholesky(self.second[np.ix_(b, b)])
        M = np.linalg.solve(S, np.linalg.solve(R, self.across[np.ix_(a, b)]).T)
        return float(np.linalg.svd(M, compute_uv=False)[0])

    @property
    def views(self) -> list[np.ndarray]:
        """Observations of mean 0 with these correlations, for programs that want some."""
        total = np.block([[self.first, self.across], [self.across.T, self.second]])
        values, vectors = np.linalg.eigh(total)
        root = (vectors * np.sqrt(np.maximum(values, 0))).T * math.sqrt(len(total))
        return np.split(np.vstack([root, -root]), [len(self.first)], axis=1)


# Correlation (None: stopped), upper bound and seconds.
Answer = tuple[float | None, float | None, float]


def main() -> None:
    """Run every program on every instance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scca", type=Path, metavar="DIR", help="checkout of the code of Li, Dey and Xie")
    parser.add_argument("--archive", type=Path, metavar="DIR", help="checkout of the archive of Li and Xie")
    parser.add_argument("--limit", type=float, default=20.0, help="processor seconds for each proof")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows with this in their names")
    options = parser.parse_args()
    by_processor()
    programs, versions = installed(options.scca)
    folders = [options.scca and options.scca / "datasets", options.archive and options.archive / "data"]
    singular = ", ".join(name for name in DATA if is_singular(name, folders))
    note = (
        "`benchmarks/peers_correlation.py`: one thread, one run; processor seconds, at most "
        f"{options.limit:g} a proof. k variables of each half; `gap` is (upper - correlation) / upper. "
        "relaxspca's bounds are proved with every rounding, those of Li, Dey and Xie are floating point, to "
        f"a gap of {GAP:g}. Where a half is singular ({singular}) a ridge of {RIDGE:g} is added. What has no "
        f"value was stopped at twice the limit. {'; '.join(versions)}."
    )
    for name in DATA:
        S = matrix(name, folders)
        for k in SIZES if S is not None else ():
            if options.only in f"{name}, k = {k}.":
                task = problem(S, k, options.limit)
                for method, program in programs.items():
                    value, upper, seconds = program(task)
                    shown = ["", ""] if upper is None else [upper, max(1 - value / upper, 0.0)]
                    row = [name, len(S), k, method, "stopped" if value is None else value, *shown]
                    row.append(round(seconds, 3))
                    print(*row, flush=True)
                    keep("peers_correlation", HEADER, tuple(row), note, same=(0, 2, 3))


def matrix(name: str, folders: list[Path | None]) -> np.ndarray | None:
    """Return the covariance matrix of a data set, or None where it is not at hand."""
    file = FOLDER / f"{OURS.get(name, name)}.npz"
    if file.exists():
        with np.load(file) as arrays:
            return np.asarray(arrays["S"])
    for folder in folders:
        if folder is not None and (folder / f"{name}_txt").exists():
            return np.loadtxt(folder / f"{name}_txt", delimiter=",", skiprows=1)[:, 1:]
    return None


def is_singular(name: str, folders: list[Path | None]) -> bool:
    """Say whether a half of a matrix is singular once variables without variance are left out."""
    S = matrix(name, folders)
    return S is not None and problem(S, 1, 0.0).first[0, 0] > 1


def problem(S: np.ndarray, k: int, limit: float) -> Task:
    """Return the problem of a covariance matrix whose variables are halved."""
    return Task(*halved(S, RIDGE), k, limit)


def installed(scca: Path | None) -> tuple[dict[str, Callable[[Task], Answer]], list[str]]:
    """Return the programs that can be run, and their versions or that they are not there."""
    found: dict[str, Callable[[Task], Answer]] = {"relaxspca": ours}
    told = [f"relaxspca {rs.__version__}"]
    if scca is not None:
        sys.path.insert(0, str(scca / "BaCtree"))
        found["Li-Dey-Xie"] = stopped_late(li_dey_xie)  # its first heuristic has no limit on time
        told.append("Li-Dey-Xie as of the checkout")
    try:
        told.append(f"cca-zoo {importlib.metadata.version('cca-zoo')}")
        # It has no limit on time.
        found |= {
            f"cca-zoo {name}": stopped_late(fit) for name, fit in (("OMP", omp), ("PMD", pmd), ("Span", span))
        }
    except importlib.metadata.PackageNotFoundError:
        told.append("cca-zoo was not installed")
    return found, told


def ours(task: Task) -> Answer:
    """Return what the search of relaxspca proves."""
    p, q = task.across.shape
    across = np.block([[np.zeros((p, p)), task.across], [task.across.T, np.zeros((q, q))]])
    alone = np.block([[task.first, np.zeros((p, q))], [np.zeros((q, p)), task.second]])
    parts = [(range(p), task.k), (range(p, p + q), task.k)]
    began = spent()
    found = rs.generalized(across, alone, budgets=parts, time_limit=task.limit)
    return found.lower, found.upper, spent() - began


def li_dey_xie(task: Task) -> Answer:
    """Return what their tree finds and bounds; its limit counts processor time here."""
    from sccapy.research_algorithms.local_search import localsearch
    from sccapy.research_algorithms.objective_eval import fval
    from sccapy.research_algorithms.upper_bound import upper_bound
    from sccapy.research_algorithms.variable_fix import varfix
    from sccapy.tree import tree as module
    from sccapy.utilities.problem_data import ProblemData

    module.time = SimpleNamespace(time=time.process_time)
    halves = [(task.across, task.first, task.second), (task.across.T, task.second, task.first)]
    across, first, second = halves[len(task.first) > len(task.second)]  # the smaller half has to be the first
    p, q = across.shape
    data = ProblemData(p, q, task.k, task.k)
    data.A, data.B, data.C = (np.matrix(M) for M in (across, first, second))
    began = spent()
    with contextlib.redirect_stdout(io.StringIO()):
        low, _, _ = localsearch(data, [], [])
        _, fixed, scores, _, _, _ = varfix(data, low)
        search = module.Tree(
            p, q, task.k, task.k,
            phi_ub=lambda S0, S1: upper_bound(data, S0, S1),
            phi_lb=lambda S0, S1: localsearch(data, S0, S1),
            obj=lambda S1: fval(data, S1),
        )  # fmt: skip
        left = max(task.limit - (spent() - began), 1.0)
        search.solve(eps=GAP, timeout=left / 60, fixed_vars=fixed, var_scores=scores)
    # Its own upper bound is that of the open nodes: those it left out are below this.
    return float(search.LB), float(max(search.UB, search.LB + GAP)), spent() - began


def omp(task: Task) -> Answer:
    """Return orthogonal matching pursuit of cca-zoo, which takes k."""
    from cca_zoo.sparse import OrthogonalMatchingPursuitCCA

    return by_cca_zoo(task, lambda views: OrthogonalMatchingPursuitCCA(n_nonzero_coefs=task.k).fit(views))


def span(task: Task) -> Answer:
    """Return the thresholded steps of cca-zoo, which take k."""
    from cca_zoo.sparse import SpanCCA

    return by_cca_zoo(task, lambda views: SpanCCA(span=task.k, random_state=0).fit(views))


def pmd(task: Task) -> Answer:
    """Return the penalised matrix decomposition of cca-zoo, its bound on the 1-norms bisected."""
    from cca_zoo.sparse import PMDCCA

    def fitted(views: list[np.ndarray]) -> Any:
        low, high, best = 0.0, 1.0, None
        for _ in range(STEPS):
            bound = (low + high) / 2
            lengths = [max(bound, 1 / math.sqrt(view.shape[1])) for view in views]
            model = PMDCCA(l1_bound=lengths, random_state=0).fit(views)
            fewest = min(np.count_nonzero(w) for w in model.weights_)
            low, high, best = (low, bound, model) if fewest >= task.k else (bound, high, best)
        return best or model

    return by_cca_zoo(task, fitted)


def by_cca_zoo(task: Task, fit: Callable[[list[np.ndarray]], Any]) -> Answer:
    """Return what the k largest weights of each half are worth."""
    views = task.views
    began = spent()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = fit(views)
    seconds = spent() - began
    kept = []
    for weights in model.weights_:
        size = np.abs(np.asarray(weights)).ravel()
        least = np.sort(size)[-task.k]
        kept.append(np.where((size >= least) & (size > 0), size, 0.0))
    return task.value(*kept), None, seconds


if __name__ == "__main__":
    main()
