"""Find and prove best subsets of regressors by relaxspca and by what else is installed, in one run.

    pip install "numpy<2" l0bnb okridge requests abess     # in an environment of its own, relaxspca beside them
    apt install r-base-core r-cran-leaps                    # optional
    python benchmarks/peers_subset.py [--l0learn PYTHON] [--limit 20] [--only "n = 100"]

The problem is least |y - Xw|^2 + ridge |w|^2 over w with at most k entries that are not 0, of the designs of
`ratios.py`. OKRidge (Liu et al. 2023) is given it as it is; without a ridge it divides by zero where an
eigenvalue of X'X is below .001. L0BnB (Hazimeh, Mazumder and Saab 2022) has a penalty lambda_0 for each
variable and a box |w_i| <= M in place of k: lambda_0 is the middle of the penalties for which k variables are
best among what abess finds for k - 1, k and k + 1, M is 1.2 times the largest coefficient there, which is its
own rule, and abess's subset is its start. From its bound L on |y - Xw|^2 / 2 + lambda_0 |w|_0 + ridge |w|^2 /
2 follows 2 (L - lambda_0 k) for k variables in the box. Seconds of abess are not added. abess (Zhu et al.
2022) and L0Learn (Hazimeh and Mazumder 2020) prove nothing; a ridge term is given to them as rows below X.
L0Learn runs in a Python of its own, 3.10 or older with numpy<2, and its largest subset of at most k counts.
leaps (Furnival and Wilson 1974) goes through the subsets of up to 100 variables in R, and says nothing where
it is stopped. Of every program the subset counts, with the best coefficients on it.

HiGHS has no mixed-integer quadratic programs; SCIP is in `ratios.py`. subselect and lmSubsets are on CRAN
only.
"""

from __future__ import annotations

import argparse
import os

# Before any library that brings threads of its own is loaded.
os.environ.update({name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")})
os.environ["NUMBA_THREADING_LAYER"] = "workqueue"  # the only one that can be forked

import contextlib
import importlib.metadata
import io
import json
import math
import multiprocessing
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from frontier import by_processor, keep
from matrices import regression
from peers import spent

import relaxspca as rs
from relaxspca.applications import subset_selection

KINDS = ("correlation 0.3", "correlation 0.7", "condition 26", "condition 1e3", "condition 1e6")
INSTANCES = (
    *((kind, 30, 5, 0.0) for kind in KINDS),
    *((kind, 100, k, 0.0) for k in (5, 10) for kind in KINDS),
    *((kind, 100, 10, 0.01) for kind in KINDS[2:]),
    *((kind, n, 10, 0.0) for n in (200, 500) for kind in KINDS[:2]),
    *((kind, 1000, k, 0.0) for k in (5, 10) for kind in KINDS[:2]),
)
GAP = 1e-6  # relative, at which the others stop
SMALL = 100  # variables up to which R's leaps is asked
HEADER = (
    "design", "n", "k", "ridge", "least found",
    "relaxspca: above it", "relaxspca: gap", "relaxspca: s", "OKRidge: above it", "OKRidge: gap", "OKRidge: s",
    "L0BnB: above it", "L0BnB: gap", "L0BnB: s", "abess: above it", "abess: s",
    "L0Learn: above it", "L0Learn: s", "leaps: above it", "leaps: s",
)  # fmt: skip
L0LEARN = """
import json, sys, time
import numpy as np, l0learn
with np.load(sys.argv[1]) as data:
    X, y, k = np.asfortranarray(data["X"]), data["y"], int(data["k"])
began = time.process_time()
found = l0learn.fit(X, y, penalty="L0", algorithm="CDPSI", max_support_size=k, intercept=False)
seconds = time.process_time() - began
sizes = list(found.support_size[0])
at = max((i for i, size in enumerate(sizes) if size <= k), key=lambda i: sizes[i])
coefficients = found.coeff(found.lambda_0[0][at], found.gamma[0], include_intercept=False)
print(json.dumps([sorted(map(int, coefficients.nonzero()[0])), seconds]))
"""
R_PROGRAM = """
suppressMessages(library(leaps))
told <- commandArgs(TRUE)
table <- as.matrix(read.csv(told[1], header = FALSE))
k <- as.integer(told[2]); n <- ncol(table) - 1
began <- proc.time()
found <- regsubsets(table[, 1:n], table[, n + 1], nvmax = k, intercept = FALSE, method = "exhaustive",
                    really.big = TRUE)
took <- sum((proc.time() - began)[1:2])
cat(which(summary(found)$which[k, ]) - 1, "\\n", took, "\\n")
"""


@dataclass(frozen=True)
class Task:
    """A problem: data, the number of variables, the ridge term, and the seconds that a program has."""

    X: np.ndarray
    y: np.ndarray
    k: int
    ridge: float
    limit: float

    @property
    def data(self) -> tuple[np.ndarray, np.ndarray]:
        """The same problem without a ridge term: rows below X have it."""
        if not self.ridge:
            return self.X, self.y
        n = self.X.shape[1]
        return np.vstack([self.X, np.sqrt(self.ridge) * np.eye(n)]), np.append(self.y, np.zeros(n))

    def fitted(self, support: Any) -> tuple[float, np.ndarray]:
        """Return the least sum of squares on a support, and its coefficients."""
        X, y = self.data
        chosen = np.asarray(support, dtype=int)
        assert len(chosen) <= self.k, f"{len(chosen)} variables instead of {self.k}"
        w = np.linalg.lstsq(X[:, chosen], y, rcond=None)[0]
        rest = y - X[:, chosen] @ w
        return float(rest @ rest), w


Program = Callable[[Task], tuple[Any, float | None, float]]  # support (None: not found), bound and seconds


def main() -> None:
    """Run every program on every instance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--l0learn", type=Path, metavar="PYTHON", help="a Python that has l0learn")
    parser.add_argument("--limit", type=float, default=20.0, help="processor seconds for each proof")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows with this in their names")
    options = parser.parse_args()
    by_processor()
    programs, versions = installed(options.l0learn)
    note = (
        f"`benchmarks/peers_subset.py`: one thread, one run; processor seconds, at most {options.limit:g} a "
        f"proof; the others stop at a relative gap of {GAP:g}. Sums are parts of that of y: `above it` is "
        "how much the subset leaves above the least found by any, `gap` what is between that subset and the "
        "bound (floating point, but for relaxspca). `ridge` is lambda as a part of the mean square length "
        "of a regressor. What has no more than seconds was stopped (OKRidge and L0BnB, which look at the "
        "time between nodes only, at twice the limit) or can not be asked (OKRidge without a ridge, 0 s). "
        "L0BnB is given a penalty, a box and a start from abess; its bound holds in the box. "
        f"{'; '.join(versions)}."
    )
    warm = Task(*instance("correlation 0.3", 20, 3, 0.0), 5.0)
    for name, program in list(programs.items()):
        program(warm)  # compiles and loads
        if name in ("OKRidge", "L0BnB"):  # they look at the time between nodes only
            programs[name] = stopped_late(program)
    for kind, n, k, part in INSTANCES:
        if options.only in f"{kind}, n = {n}, k = {k}, ridge = {part:g}.":
            row = compared(kind, n, k, part, programs, options.limit)
            print(*row, flush=True)
            keep("peers_subset", HEADER, row, note, same=(0, 1, 2, 3))


def instance(kind: str, n: int, k: int, part: float) -> tuple[np.ndarray, np.ndarray, int, float]:
    """Return the design and response of `ratios.py`, and the ridge term in the unit of X, squared."""
    X, y, ridge = regression(kind, n, k, part)
    return X, y, k, ridge


def compared(
    kind: str, n: int, k: int, part: float, programs: dict[str, Program], limit: float
) -> tuple[object, ...]:
    """Return the row of an instance."""
    task = Task(*instance(kind, n, k, part), limit)
    total = float(task.y @ task.y)
    answers = {name: program(task) for name, program in programs.items() if name != "leaps" or n <= SMALL}
    found = {name: task.fitted(answer[0])[0] for name, answer in answers.items() if answer[0] is not None}
    least = min(found.values())
    cells: list[object] = []
    for name in ("relaxspca", "OKRidge", "L0BnB", "abess", "L0Learn", "leaps"):
        has_bound = name in ("relaxspca", "OKRidge", "L0BnB")
        if name not in found:
            late = answers[name][2] if name in answers else ""
            cells += [*[""] * (1 + has_bound), late]
            continue
        _, bound, seconds = answers[name]
        cells.append(max(found[name] - least, 0.0) / total)
        if has_bound:
            cells.append(max(found[name] - max(bound or 0.0, 0.0), 0.0) / total)
        cells.append(round(seconds, 3))
    return (kind, n, k, part, least / total, *cells)


def installed(l0learn: Path | None) -> tuple[dict[str, Program], list[str]]:
    """Return the programs that can be run, and their versions or that they are not there."""
    found: dict[str, Program] = {"relaxspca": ours}
    told = [f"relaxspca {rs.__version__}"]
    for name, package, program in (
        ("abess", "abess", abess), ("OKRidge", "okridge", okridge), ("L0BnB", "l0bnb", l0bnb),
    ):  # fmt: skip
        try:
            told.append(f"{name} {importlib.metadata.version(package)}")
            found[name] = program
        except importlib.metadata.PackageNotFoundError:
            told.append(f"{name} was not installed")
    if "abess" not in found:
        found.pop("L0BnB", None)
    if l0learn is not None:
        asked = [str(l0learn), "-c", "import importlib.metadata as m; print(m.version('l0learn'))"]
        told.append(
            "L0Learn " + subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        )
        found["L0Learn"] = lambda task: by_l0learn(task, l0learn)
    if shutil.which("Rscript"):
        asked = ["Rscript", "-e", "cat(as.character(packageVersion('leaps')))"]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        if not done.returncode:
            told.append(f"leaps {done.stdout.strip()}")
            found["leaps"] = subsets_in_r
    return found, told


def stopped_late(program: Program) -> Program:
    """Return a program that runs in a process of its own, ended where it is twice as late as it should be."""

    def run(task: Task) -> tuple[Any, float | None, float]:
        context = multiprocessing.get_context("fork")
        here, there = context.Pipe(duplex=False)

        def work() -> None:
            seconds = math.ceil(2 * task.limit)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            there.send(program(task))

        process = context.Process(target=work)
        process.start()
        there.close()
        try:
            return here.recv()
        except EOFError:
            process.join()
            if process.exitcode == 1:
                raise RuntimeError("a program failed; what it said stands above") from None
            return None, None, 2 * task.limit
        finally:
            process.join()

    return run


def ours(task: Task) -> tuple[Any, float, float]:
    """Return what the search of relaxspca proves."""
    began = spent()
    found = subset_selection(task.X, task.y, task.k, ridge=task.ridge, time_limit=task.limit)
    return found.indices, found.lower, spent() - began


def abess(task: Task, k: int | None = None) -> tuple[Any, None, float]:
    """Return the subset of abess."""
    from abess import LinearRegression

    X, y = task.data
    began = spent()
    model = LinearRegression(support_size=k or task.k, fit_intercept=False).fit(X, y)
    return np.flatnonzero(model.coef_), None, spent() - began


def okridge(task: Task) -> tuple[Any, float, float]:
    """Return the subset and the bound of OKRidge, whose limit counts processor time here."""
    from okridge import tree

    if not task.ridge and np.linalg.eigvalsh(task.X.T @ task.X)[0] < 1e-3:
        return None, None, 0.0  # it divides by the ridge there
    tree.time = SimpleNamespace(time=time.process_time)
    began = spent()
    with contextlib.redirect_stdout(io.StringIO()):
        search = tree.BNBTree(X=task.X, y=task.y, lambda2=task.ridge, max_memory_GB=8)
        _, w, _, bound, _ = search.solve(task.k, gap_tol=GAP, time_limit=task.limit)
    seconds = spent() - began
    return np.flatnonzero(w), float(bound) + float(task.y @ task.y), seconds


def l0bnb(task: Task) -> tuple[Any, float, float]:
    """Return the subset and the bound for k variables of L0BnB, whose limit counts processor time here."""
    from l0bnb import BNBTree
    from l0bnb import tree as module

    module.time = SimpleNamespace(time=time.process_time)
    fewer, start, more = (abess(task, k)[0] for k in (task.k - 1, task.k, task.k + 1))
    looser = Task(task.X, task.y, task.k + 1, task.ridge, task.limit)
    penalty = (task.fitted(fewer)[0] - looser.fitted(more)[0]) / 4
    w = np.zeros(task.X.shape[1])
    w[start] = task.fitted(start)[1]
    box = 1.2 * float(np.abs(w).max())
    began = spent()
    search = BNBTree(task.X, task.y)
    found = search.solve(penalty, task.ridge / 2, box, gap_tol=GAP, warm_start=w, time_limit=task.limit)
    seconds = spent() - began
    # Its own lower bound is one of each level of the tree; it is done where no node waits.
    is_done = search.bfs_queue.empty() and search.dfs_queue.empty()
    bound = found.cost if is_done else found.cost * (1 - found.gap)
    support = np.flatnonzero(found.beta)
    return (support if len(support) <= task.k else start), 2 * (float(bound) - penalty * task.k), seconds


def by_l0learn(task: Task, python: Path) -> tuple[Any, None, float]:
    """Return the subset of L0Learn: coordinate descent with swaps."""
    X, y = task.data
    with tempfile.NamedTemporaryFile(suffix=".npz") as file:
        np.savez(file, X=X, y=y, k=task.k)
        file.flush()
        done = subprocess.run([python, "-c", L0LEARN, file.name], capture_output=True, text=True, check=True)
    support, seconds = json.loads(done.stdout.splitlines()[-1])
    return support, None, float(seconds)


def subsets_in_r(task: Task) -> tuple[Any, None, float]:
    """Return the best subset by the leaps and bounds of R."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as table, tempfile.NamedTemporaryFile(suffix=".R") as code:
        np.savetxt(table.name, np.column_stack(task.data), delimiter=",", fmt="%.17g")
        Path(code.name).write_text(R_PROGRAM)
        told = ["Rscript", code.name, table.name, str(task.k)]
        try:
            done = subprocess.run(told, capture_output=True, text=True, check=True, timeout=task.limit)
        except subprocess.TimeoutExpired:
            return None, None, task.limit
    support, seconds = done.stdout.strip().splitlines()[-2:]
    return [int(i) for i in support.split()], None, float(seconds)


if __name__ == "__main__":
    main()
