"""Prove the same instances by relaxspca and by other programs that bound the optimum, one thread each.

Gurobi, where gurobipy is installed, is given two programs. `gurobi` is the plain nonconvex mixed-integer
quadratic program: maximise x'Sigma x over x'x <= 1, -z <= x <= z, sum z <= k, z binary. The licence that comes
with gurobipy took it up to n = 100; what it does not take is told and left out. `Li-Xie` is the branch and cut
of Li and Xie for their first mixed-integer semidefinite program (Exact and approximation algorithms for sparse
PCA, INFORMS Journal on Computing 37(3), 2025; the cuts as in the code that they published with it): maximise w
over binary z with sum k and, for 0 <= mu_i <= Sigma_ii,

    w  <=  lambda_max(D Sigma D) + mu'z,      D = Diag(sqrt(1 - mu_i / Sigma_ii)).

A set S gives mu_i = 0 inside and Sigma_ii outside, where the eigenvalue is that of Sigma_SS: a cut at every
binary point. Above k = 12, before that, come cuts of mu chosen by subgradient steps for the fractional z of
the linear program. It is written anew here, with their numbers of steps.

Optimal-SPCA (Berk and Bertsimas) runs in Julia, from a checkout of yours: `--optimal-spca DIR`. That driver
was not run by us: it was written from their README and from the code of `branchAndBound`. Its seconds are of
the clock, by its own account, after a first run that compiles; its bound is a power iteration, no theorem.

Writes peers_proofs (CSV and Markdown).
"""

from __future__ import annotations

import argparse
import os

# Before any library that brings threads of its own is loaded.
os.environ.update({name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")})

import importlib.util
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.linalg
from frontier import by_processor
from matrices import covariance, is_there
from peers import RESULTS, spent, value_of
from tables import write_table

import relaxspca as rs

INSTANCES = (
    ("pitprops", 5), ("pitprops", 10), ("housing", 5), ("housing", 10), ("wdbc", 10), ("digits64", 10),
    ("digits64", 15), ("noise 100 100 0", 10), ("communities_raw", 10),
)  # fmt: skip
GAP = 1e-6  # relative, at which a peer stops
ROOT_CUTS, SUBGRADIENTS, SMALL = 100, 1000, 12  # as in Li and Xie's code: up to 12 variables have no root cuts
HEADER = ("matrix", "n", "k", "method", "value", "bound", "gap %", "seconds")

# Of a covariance, k and a limit in seconds: loadings or their support, bound and seconds, or why not.
Prover = Callable[[rs.Covariance, int, float], tuple[np.ndarray, float, float] | str]


def main() -> None:
    """Run every program on every instance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--optimal-spca", type=Path, metavar="DIR", help="checkout of Optimal-SPCA")
    parser.add_argument("--time-limit", type=float, default=30.0, help="seconds for one proof (default 30)")
    options = parser.parse_args()
    if options.optimal_spca and not shutil.which("julia"):
        parser.error("--optimal-spca needs Julia: no program `julia` is on the PATH")
    if options.optimal_spca and not (options.optimal_spca / "Algorithm" / "branchAndBound.jl").exists():
        parser.error(f"--optimal-spca: {options.optimal_spca} has no Algorithm/branchAndBound.jl")
    has_gurobi = importlib.util.find_spec("gurobipy") is not None
    provers: dict[str, Prover] = {"gurobi": gurobi, "Li-Xie": li_xie} if has_gurobi else {}
    if options.optimal_spca:
        provers["Optimal-SPCA"] = partial(optimal_spca, folder=options.optimal_spca)
    if not provers:
        print("Nothing to compare with: install gurobipy, or give --optimal-spca. No table is written.")
        return
    by_processor()
    rs.solve(covariance("pitprops"), 2)  # loads what a first search loads
    rows: list[tuple[object, ...]] = []
    for name, k in filter(lambda instance: is_there(instance[0]), INSTANCES):
        for method, prover in {"solve": ours, **provers}.items():
            rows += proved(name, k, method, prover, options.time_limit)
    note = (
        "`benchmarks/peers_proofs.py`: one thread, one run of each; processor seconds, at most "
        f"{options.time_limit:g} a proof. `solve` is `relaxspca.solve`, which goes on to a gap of 0; the "
        f"others stop at a relative gap of {GAP:g}, and their bounds are in floating point, as they tell them. "
        "`gurobi` is the plain nonconvex mixed-integer quadratic program; it has no row where its licence is "
        "too small. `Li-Xie` is Li and Xie's branch and cut, by Gurobi too, from our candidate. A value is "
        "that of the best component on the support: a peer's own may exceed it by its tolerances."
        + (" `Optimal-SPCA`: seconds of the clock." if options.optimal_spca else "")
    )
    write_table(RESULTS / "peers_proofs", HEADER, rows, note)


def proved(name: str, k: int, method: str, prover: Prover, limit: float) -> list[tuple[object, ...]]:
    """Return the row of a program, or none and print why; the value is the best of its support."""
    cov = covariance(name)
    found = prover(cov, k, limit)
    if isinstance(found, str):
        print(f"{method} on {name}, k = {k}: {found}", flush=True)
        return []
    loadings, bound, seconds = found
    value = value_of(cov, loadings, k) if loadings.any() else 0.0
    gap = 100 * (bound / value - 1) if value else "no component"
    row = (name, cov.n, k, method, value, bound, gap, round(seconds, 3))
    print(*row, flush=True)
    return [row]


def ours(cov: rs.Covariance, k: int, limit: float) -> tuple[np.ndarray, float, float]:
    """Return what the search of relaxspca proves."""
    began = spent()
    found = rs.solve(cov, k, time_limit=limit)
    return found.candidate.loadings, found.upper, spent() - began


def gurobi(cov: rs.Covariance, k: int, limit: float) -> tuple[np.ndarray, float, float] | str:
    """Return what Gurobi finds and bounds with the plain mixed-integer quadratic program."""
    import gurobipy as gp

    began = spent()
    try:
        with gp.Env(params={"OutputFlag": 0, "Threads": 1, "MIPGap": GAP}) as env, gp.Model(env=env) as model:
            x = model.addMVar(cov.n, lb=-1.0)
            z = model.addMVar(cov.n, vtype="B")
            model.setObjective(x @ cov.matrix @ x, gp.GRB.MAXIMIZE)
            model.addConstr(x @ x <= 1)
            model.addConstr(x <= z)
            model.addConstr(-z <= x)
            model.addConstr(z.sum() <= k)
            # The limit is of processor time, as ours: its own is of the clock.
            model.optimize(lambda model, where: model.terminate() if spent() - began > limit else None)
            support = z.X > 0.5 if model.SolCount else np.zeros(cov.n)
            return support, model.ObjBound, spent() - began
    except gp.GurobiError as error:
        return str(error)


def li_xie(cov: rs.Covariance, k: int, limit: float) -> tuple[np.ndarray, float, float] | str:
    """Return what Gurobi finds and bounds with Li and Xie's cuts; the first support is our candidate's."""
    import gurobipy as gp

    Sigma, began = cov.matrix, spent()
    first = (rs.candidate(cov, k).loadings != 0).astype(float)

    def is_late() -> bool:
        return spent() - began > limit

    try:
        with gp.Env(params={"OutputFlag": 0, "Threads": 1, "MIPGap": GAP}) as env, gp.Model(env=env) as model:
            z, w = model.addMVar(cov.n, ub=1.0), model.addVar()
            model.setObjective(w, gp.GRB.MAXIMIZE)
            model.addConstr(z.sum() == k)

            def cut(mu: np.ndarray) -> Any:
                return w <= leading(Sigma, mu)[0] + mu @ z

            model.addConstr(cut(of_set(Sigma, first)))
            for _ in range(ROOT_CUTS if k > SMALL else 0):
                model.optimize()
                mu, bound = of_point(Sigma, z.X, is_late)
                if w.X - bound < GAP * bound or is_late():
                    break
                model.addConstr(cut(mu))
            model.optimize()
            bound = w.X
            z.VType, z.Start, w.Start = "B", first, leading(Sigma, of_set(Sigma, first))[0]
            model.Params.LazyConstraints = 1

            def answer(model: Any, where: int) -> None:
                if where == gp.GRB.Callback.MIPSOL:
                    model.cbLazy(cut(of_set(Sigma, model.cbGetSolution(z))))
                elif is_late():
                    model.terminate()

            model.optimize(answer)
            own = z.X > 0.5 if model.SolCount else first
            # Gurobi may lose the start among the points that its cuts refuse.
            support = max(own, first, key=lambda each: value_of(cov, each, k))
            return support, min(bound, model.ObjBound), spent() - began
    except gp.GurobiError as error:
        return str(error)


def of_set(Sigma: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Return mu of the cut that is tight at a set."""
    return np.where(z > 0.5, 0.0, np.diagonal(Sigma))


def of_point(Sigma: np.ndarray, z: np.ndarray, is_late: Callable[[], bool]) -> tuple[np.ndarray, float]:
    """Return mu of a cut that is nearly the least at a fractional point, and what it is there."""
    variances = np.diagonal(Sigma)
    positive = np.where(variances > 0, variances, 1.0)  # a variable without variance has mu = 0
    mu = of_set(Sigma, z)
    best = (np.inf, mu)
    for step in range(1, SUBGRADIENTS + 1):
        value, vector = leading(Sigma, mu)
        best = min(best, (value + mu @ z, mu), key=lambda each: each[0])
        if is_late():
            break
        slope = z - (Sigma @ vector) ** 2 / positive
        mu = np.clip(mu - variances.max() * slope / np.sqrt(8 * step), 0, variances)
    return best[1], float(best[0])


def leading(Sigma: np.ndarray, mu: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the eigenvalue of a cut, and the y for which (Sigma y)_i is a_i'x, a_i the factors of Sigma."""
    variances = np.diagonal(Sigma)
    weight = np.sqrt(np.maximum(1 - mu / np.where(variances > 0, variances, 1.0), 0.0))
    values, vectors = scipy.linalg.eigh(weight[:, None] * Sigma * weight, subset_by_index=[len(Sigma) - 1] * 2)
    # The leading x of the sum of weight_i^2 a_i a_i' is A D v / sqrt(value), v the leading vector of D Sigma D.
    return float(values[0]), weight * vectors[:, 0] / np.sqrt(max(values[0], 1e-300))


def optimal_spca(
    cov: rs.Covariance, k: int, limit: float, *, folder: Path
) -> tuple[np.ndarray, float, float] | str:
    """Return what Optimal-SPCA tells: the support, the bound of its last line of progress, and its seconds."""
    with tempfile.NamedTemporaryFile() as file:
        cov.matrix.tofile(file.name)
        told = f"""
            using DataFrames, StatsBase, Printf, LinearAlgebra, Arpack
            include("branchAndBound.jl"); include("utilities.jl")
            S = reshape(collect(reinterpret(Float64, read("{file.name}"))), {cov.n}, {cov.n})
            branchAndBound(problem(S, S), {k}, outputFlag = 0, timeCap = 1)
            found = branchAndBound(problem(S, S), {k}, outputFlag = 0, timeCap = {limit})
            support = join(findall(!iszero, found[2]), " ")
            println("\\n", split(found[7][end], ",")[3], " ", found[4], " ", support)
        """
        command = ["julia", "--startup-file=no", "-e", told]
        done = subprocess.run(command, cwd=folder / "Algorithm", capture_output=True, text=True, check=False)
    if done.returncode:
        return f"julia failed: {done.stderr.strip()[:200]}"
    bound, seconds, *support = done.stdout.splitlines()[-1].split()
    loadings = np.zeros(cov.n)
    loadings[np.array(support, dtype=int) - 1] = 1.0
    return loadings, float(bound), float(seconds)


if __name__ == "__main__":
    main()
