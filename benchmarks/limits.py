"""Is a time limit kept? Every verb that takes one, on a case that it cannot finish.

The limit counts processor seconds here, so that other work on the machine does not. Writes limits.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from frontier import by_processor, covariance, is_there, keep

import relaxspca as rs
from relaxspca.applications import canonical_correlations, discriminants, subset_path, subset_selection

RESULTS = Path(__file__).parent / "results"
LARGE, NOISE, SPIKED = "reddit2000", "noise 100 100 1", "spiked 1000 500 0 10 0.7"

Verb = Callable[[rs.Covariance, float], object]
VERBS: dict[str, tuple[str, Verb]] = {
    "solve, k = 20": (NOISE, lambda cov, s: rs.solve(cov, 20, time_limit=s)),
    "solve, k = 10": (SPIKED, lambda cov, s: rs.solve(cov, 10, time_limit=s)),
    "solve, k = 20, many variables": (LARGE, lambda cov, s: rs.solve(cov, 20, time_limit=s)),
    "solve at a penalty": (NOISE, lambda cov, s: rs.solve(cov, rho=0.02, time_limit=s)),
    "solve, nonnegative": (NOISE, lambda cov, s: rs.solve(cov, 20, nonnegative=True, time_limit=s)),
    "certify": (NOISE, lambda cov, s: rs.certify(cov, list(range(20)), time_limit=s)),
    "compare": (NOISE, lambda cov, s: rs.compare(cov, 20, time_limit=s)),
    "path, k = 10 to 14": (NOISE, lambda cov, s: rs.path(cov, k=range(10, 15), time_limit=s)),
    "path, k = 18 to 20, many variables": (LARGE, lambda cov, s: rs.path(cov, k=range(18, 21), time_limit=s)),
    "near_optimal": (NOISE, lambda cov, s: rs.near_optimal(cov, 15, time_limit=s)),
    "stability": (NOISE, lambda cov, s: rs.stability(rs.solve(cov, 15, time_limit=s / 2), time_limit=s / 2)),
    "components, 3 of 15": (NOISE, lambda cov, s: rs.components(cov, 15, 3, time_limit=s)),
    "components together, 2 of 10": (
        "noise 40 40 0",
        lambda cov, s: rs.components(cov, 10, 2, joint=True, time_limit=s),
    ),
    "generalized": (NOISE, lambda cov, s: rs.generalized(cov, mixed(cov), 15, time_limit=s)),
    "subset_selection": (NOISE, lambda cov, s: subset_selection(*design(cov), 15, time_limit=s)),
    "subset_path, k = 14, 15": (NOISE, lambda cov, s: subset_path(*design(cov), [14, 15], time_limit=s / 2)),
    "discriminants": (
        NOISE,
        lambda cov, s: discriminants(cov.factor, np.arange(100) % 3, 12, ridge=1.0, time_limit=s),
    ),
    "canonical_correlations": (
        NOISE,
        lambda cov, s: canonical_correlations(
            cov.factor[:, :50], cov.factor[:, 50:], 12, ridge=1.0, time_limit=s
        ),
    ),
    "upper_bound, perron": (SPIKED, lambda cov, s: rs.upper_bound(cov, 10, relaxation="perron", time_limit=s)),
    "upper_bound, pairwise": (
        SPIKED,
        lambda cov, s: rs.upper_bound(cov, 10, relaxation="pairwise", time_limit=s),
    ),
    "upper_bound, psi": (LARGE, lambda cov, s: rs.upper_bound(cov, 10, relaxation="psi", time_limit=s)),
}


def mixed(cov: rs.Covariance) -> np.ndarray:
    """Return a positive definite matrix beside a covariance."""
    other = covariance("noise 100 200 7").matrix
    return np.asarray((other + other.T) / 2 + np.eye(cov.n))


def design(cov: rs.Covariance) -> tuple[np.ndarray, np.ndarray]:
    """Return 100 regressors that are noise, and a response."""
    rng = np.random.default_rng(0)
    return rng.standard_normal((300, cov.n)), rng.standard_normal(300)


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="the limit (default 4)")
    parser.add_argument("--only", default="", help="verbs whose name contains this")
    options = parser.parse_args()
    by_processor()
    note = (
        "`benchmarks/limits.py`: one thread, processor seconds, certificate included. Below the limit: "
        "the work was done before."
    )
    if not options.only:
        RESULTS.joinpath("limits.csv").unlink(missing_ok=True)
    for verb, (name, work) in VERBS.items():
        if not is_there(name) or options.only not in verb:
            continue
        cov = covariance(name)
        began = time.process_time()
        work(cov, options.seconds)
        spent = time.process_time() - began
        row = (verb, name, options.seconds, round(spent, 2), round(spent - options.seconds, 2))
        print(*row, flush=True)
        keep("limits", ("verb", "matrix", "limit", "seconds", "over"), row, note, same=(0,))


if __name__ == "__main__":
    main()
