"""Is a time limit kept? Every verb that takes one, on cases of up to 2000 variables that it cannot finish.

The limit counts processor seconds here, so that other work on the machine does not. Writes limits.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from frontier import by_processor, keep
from matrices import covariance, is_there

import relaxspca as rs
from relaxspca.applications import (
    canonical_correlations,
    certify_subset,
    discriminants,
    isometry_bounds,
    subset_path,
    subset_selection,
)
from relaxspca.encoders import optimal_encoder

RESULTS = Path(__file__).parent / "results"
LARGE, SPIKED = "reddit2000", "spiked 1000 500 0 10 0.7"
NOISE = tuple(f"noise {n} {n} 1" for n in (100, 1000, 2000))

Verb = Callable[[Any, float], object]  # of what is made before the clock, the covariance if nothing else


def table(k: int | None, r: int, **how: object) -> Verb:
    """Return the verb of r components."""
    return lambda cov, s: rs.components(cov, k, r, time_limit=s, **how)


def bound(relaxation: str) -> Verb:
    """Return the verb of one relaxation."""
    return lambda cov, s: rs.upper_bound(cov, 10, relaxation=relaxation, time_limit=s)


VERBS: dict[str, tuple[tuple[str, ...], Verb]] = {
    "solve, k = 20": (NOISE, lambda cov, s: rs.solve(cov, 20, time_limit=s)),
    "solve, k = 10": ((SPIKED,), lambda cov, s: rs.solve(cov, 10, time_limit=s)),
    "solve, k = 20, many variables": ((LARGE,), lambda cov, s: rs.solve(cov, 20, time_limit=s)),
    "solve at a penalty": (NOISE, lambda cov, s: rs.solve(cov, rho=0.02, time_limit=s)),
    "solve, nonnegative": (NOISE, lambda cov, s: rs.solve(cov, 20, nonnegative=True, time_limit=s)),
    "one of each": (NOISE, lambda cov, s: rs.solve(cov, 10, groups=groups(cov, 20), time_limit=s)),
    "whole groups": (NOISE, lambda cov, s: rs.solve(cov, groups=groups(cov, cov.n // 5), most=4, time_limit=s)),
    "certify": (NOISE, lambda cov, s: rs.certify(cov, list(range(20)), time_limit=s)),
    "certify components": (
        NOISE,
        lambda cov, s: rs.certify(cov, np.eye(cov.n)[:, :3], k=10, time_limit=s),
    ),
    "compare": (NOISE, lambda cov, s: rs.compare(cov, 20, time_limit=s)),
    "path, k = 10 to 14": (NOISE, lambda cov, s: rs.path(cov, k=range(10, 15), time_limit=s)),
    "path, k = 1 to 50": (NOISE, lambda cov, s: rs.path(cov, k=range(1, 51), time_limit=s)),
    "path of penalties": (
        NOISE,
        lambda cov, s: rs.path(cov, rho=list(np.linspace(0.01, 0.1, 10)), time_limit=s),
    ),
    "path to a share": (NOISE, lambda cov, s: rs.path(cov, share_of_dense=0.9, time_limit=s)),
    "path, k = 18 to 20, many variables": (
        (LARGE,),
        lambda cov, s: rs.path(cov, k=range(18, 21), time_limit=s),
    ),
    "near_optimal": (NOISE, lambda cov, s: rs.near_optimal(cov, 15, time_limit=s)),
    "near_optimal, costs": (NOISE, lambda cov, s: rs.near_optimal(cov, 4, costs=True, time_limit=s)),
    "stability": (NOISE, lambda cov, s: rs.stability(rs.solve(cov, 15, time_limit=s / 2), time_limit=s / 2)),
    "components, 3 of 15": (NOISE, table(15, 3)),
    "components, 10 of 10": (NOISE, table(10, 10)),
    "components together, 2 of 10": (("noise 40 40 0", *NOISE), table(10, 2, joint=True)),
    "components together, 5 of 20": (NOISE, table(20, 5, joint=True)),
    "components that share nothing": (NOISE, table(10, 3, joint=True, disjoint=True)),
    "generalized": (NOISE, lambda made, s: rs.generalized(*made, 15, time_limit=s)),
    "subset_selection": (NOISE, lambda made, s: subset_selection(*made, 15, time_limit=s)),
    "certify_subset": (NOISE, lambda made, s: certify_subset(*made, range(15), time_limit=s)),
    "subset_path, k = 14, 15": (NOISE, lambda made, s: subset_path(*made, [14, 15], time_limit=s / 2)),
    "discriminants": (
        NOISE,
        lambda made, s: discriminants(made, np.arange(len(made)) % 3, 12, ridge=1.0, time_limit=s),
    ),
    "canonical_correlations": (
        NOISE,
        lambda made, s: canonical_correlations(*np.hsplit(made, 2), 12, ridge=1.0, time_limit=s),
    ),
    "optimal_encoder": (NOISE, lambda cov, s: optimal_encoder(cov, 10, time_limit=s)),
    "isometry_bounds": (NOISE, lambda made, s: isometry_bounds(made, 5, time_limit=s)),
    "upper_bound, perron": ((SPIKED, *NOISE), bound("perron")),
    "upper_bound, psi": ((LARGE, *NOISE), bound("psi")),
    "upper_bound, dspca": (NOISE, bound("dspca")),
    "psi": (NOISE, lambda cov, s: rs.psi(cov, 0.02, time_limit=s)),
}


MADE: dict[str, Callable[[rs.Covariance], object]] = {
    "generalized": lambda cov: (cov, mixed(cov)),
    **{
        verb: lambda cov: design(cov)
        for verb in ("subset_selection", "certify_subset", "subset_path, k = 14, 15")
    },
    **{
        verb: lambda cov: observations(cov)
        for verb in ("discriminants", "canonical_correlations", "isometry_bounds")
    },
}  # what other verbs are given than the covariance


def groups(cov: rs.Covariance, count: int) -> dict[str, list[int]]:
    """Return the variables in so many groups."""
    return {f"group {at}": list(range(at, cov.n, count)) for at in range(count)}


def mixed(cov: rs.Covariance) -> np.ndarray:
    """Return a positive definite matrix beside a covariance."""
    other = covariance(f"noise {cov.n} {2 * cov.n} 7").matrix
    return np.asarray((other + other.T) / 2 + np.eye(cov.n))


def design(cov: rs.Covariance) -> tuple[np.ndarray, np.ndarray]:
    """Return regressors that are noise, and a response."""
    rng = np.random.default_rng(0)
    return rng.standard_normal((3 * cov.n, cov.n)), rng.standard_normal(3 * cov.n)


def observations(cov: rs.Covariance) -> np.ndarray:
    """Return as many observations as variables, noise."""
    return np.random.default_rng(1).standard_normal((cov.n, cov.n)) / cov.n**0.5


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="the limit (default 1)")
    parser.add_argument("--only", default="", help="verbs whose name contains this")
    parser.add_argument("--matrix", default="", help="matrices whose name contains this")
    options = parser.parse_args()
    by_processor()
    note = (
        "`benchmarks/limits.py`: one thread, processor seconds, certificate included. Below the limit: "
        "the work was done before. The limit of `compare` is for its search, not for the methods that it "
        "compares."
    )
    if not options.only and not options.matrix:
        RESULTS.joinpath("limits.csv").unlink(missing_ok=True)
    rs.solve(rs.datasets.load_pitprops(), 3)  # what is imported when first used
    for verb, (names, work) in VERBS.items():
        for name in names:
            if is_there(name) and options.only in verb and options.matrix in name:
                made = MADE.get(verb, lambda cov: cov)(covariance(name))
                spent = taken(work, made, options.seconds)
                row = (verb, name, options.seconds, round(spent, 2), round(spent - options.seconds, 2))
                print(*row, flush=True)
                keep("limits", ("verb", "matrix", "limit", "seconds", "over"), row, note, same=(0, 1))


def taken(work: Verb, made: object, limit: float) -> float:
    """Return the processor seconds that a verb takes."""
    began = time.process_time()
    work(made, limit)
    return time.process_time() - began


if __name__ == "__main__":
    main()
