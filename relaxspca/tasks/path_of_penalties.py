"""A path over penalties: all searched, or all bounded by psi."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.certificates import one_leaf
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.limits import checked_penalty
from relaxspca.results.path_table import Path, PathRow
from relaxspca.results.result import Result
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed
from relaxspca.tasks.penalised import best_at_penalty
from relaxspca.tasks.psi import psi
from relaxspca.tasks.solve import solve

__all__ = ["bounded_penalties", "searched_penalties"]


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


def bounded_penalties(
    cov: Covariance,
    penalties: list[float],
    *,
    tol: float,
    deadline: Deadline,
) -> Path:
    """Bound every penalty by psi."""
    penalties = [checked_penalty(value) for value in penalties]

    def rows_of_penalties() -> Iterator[PathRow]:
        for rho in followed(penalties, "penalty"):
            found, certificate = _bounded(cov, rho, tol / 2, Deadline.after(deadline.left))
            yield PathRow.of(certificate, found, found.k, by="psi", tol=tol, rho=rho)

    rows, is_interrupted = until_interrupted(rows_of_penalties())
    return Path(tuple(rows), "rho", tol, is_interrupted)


def _bounded(cov: Covariance, rho: float, tol: float, deadline: Deadline) -> tuple[Candidate, Certificate]:
    """Return a component at a penalty, and the bound of psi there; at most half of the time is for psi.

    Where the component is proved to attain less than 0, it is the one without variables that is returned.
    """
    relaxed = psi(cov, rho, tol=tol, time_limit=deadline.share(2))
    assert relaxed.dual is not None  # psi has one at every penalty
    best = best_at_penalty(cov, rho, X=relaxed.X, deadline=deadline)
    certificate = one_leaf(cov, best, relaxed.upper, relaxed.dual, rho=rho)
    if certificate.lower >= 0:
        return best, certificate
    nothing = Candidate.empty(cov)
    return nothing, one_leaf(cov, nothing, relaxed.upper, relaxed.dual, rho=rho)
