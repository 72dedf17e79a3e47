"""A path over penalties: all searched, or all bounded by psi."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.limits import checked_penalty
from relaxspca.results.path_table import Path, PathRow
from relaxspca.results.result import Result
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed
from relaxspca.tasks.path_row import path_row
from relaxspca.tasks.penalised import phi_bounds
from relaxspca.tasks.solve import solve

__all__ = ["bounded_penalties", "searched_penalties"]


def searched_penalties(
    cov: Covariance,
    penalties: list[float],
    conditions: Conditions,
    *,
    tol: float,
    deadline: Deadline,
    rng: np.random.Generator | None,
) -> Path:
    """Search at every penalty."""
    told: dict[str, Any] = {"include": conditions.include, "exclude": conditions.exclude}

    def results_of_penalties() -> Iterator[Result]:
        for done, rho in enumerate(followed(penalties, "penalty")):
            limit = deadline.share(len(penalties) - done)
            result = solve(cov, rho=rho, gap=tol, time_limit=limit, rng=rng, **told)
            yield result
            if result.status == "interrupted":
                return

    results, is_interrupted = until_interrupted(results_of_penalties())
    rows = []
    for rho, result in zip(penalties, results, strict=False):
        found = result.candidate
        rows.append(path_row(cov, found.k, found, result.certificate, by="search", tol=tol, rho=float(rho)))
    return Path(tuple(rows), "rho", tol, is_interrupted or results[-1].status == "interrupted")


def bounded_penalties(
    cov: Covariance,
    penalties: list[float],
    *,
    tol: float,
    deadline: Deadline,
    rng: np.random.Generator | None,
) -> Path:
    """Bound every penalty by psi."""
    penalties = [checked_penalty(value) for value in penalties]

    def rows_of_penalties() -> Iterator[PathRow]:
        for rho in followed(penalties, "penalty"):
            found = phi_bounds(cov, rho, tol=tol / 2, time_limit=deadline.left, rng=rng)
            yield path_row(cov, found.k, found.candidate, found.certificate, by="psi", tol=tol, rho=rho)

    rows, is_interrupted = until_interrupted(rows_of_penalties())
    return Path(tuple(rows), "rho", tol, is_interrupted)
