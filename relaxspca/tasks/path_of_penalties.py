"""A path over penalties, each of them searched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.results.path_table import Path, PathRow
from relaxspca.results.result import Result
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed
from relaxspca.tasks.solve import solve

__all__ = ["searched_penalties"]


def searched_penalties(
    cov: Covariance,
    penalties: list[float],
    conditions: Conditions,
    *,
    tol: float,
    deadline: Deadline,
) -> Path:
    """Search at every penalty."""
    named: dict[str, Any] = {"include": conditions.include, "exclude": conditions.exclude}

    def results_of_penalties() -> Iterator[Result]:
        for done, rho in enumerate(followed(penalties, "penalty")):
            limit = deadline.share(len(penalties) - done)
            result = solve(cov, rho=rho, gap=tol, time_limit=limit, **named)
            yield result
            if result.status == "interrupted":
                return

    results, is_interrupted = until_interrupted(results_of_penalties())
    rows = []
    for rho, result in zip(penalties, results, strict=False):
        found = result.candidate
        rows.append(PathRow.of(result.certificate, found, found.k, by="search", tol=tol, rho=float(rho)))
    return Path(tuple(rows), "rho", tol, is_interrupted or results[-1].status == "interrupted")
