"""A component of the penalised problem, before there is a proof."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from relaxspca.candidates import candidate as best_candidate
from relaxspca.candidates.approximate_greedy import selection_order
from relaxspca.candidates.conditional import grown_from
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.runtime.deadline import FOREVER, Deadline

__all__ = ["best_at_penalty"]


def best_at_penalty(
    cov: Covariance,
    rho: float,
    *,
    include: Sequence[int] = (),
    deadline: Deadline = FOREVER,
) -> Candidate:
    """Return the candidate of largest value less rho a variable; it is empty when none is worth its penalty.

    Parameters
    ----------
    cov : Covariance of n variables.
    rho : penalty of a variable (variance).
    X : (r, r) solution of psi(rho) to round as well, if there is one.
    include : variables that are always used, and paid for; then the candidate is not empty.
    deadline : when to look no further; half of the time is for the choice of a cardinality.
    """
    if include:
        found = _holding(cov, rho, include, deadline)
    else:
        found = [Candidate.empty(cov), *_proposals(cov, rho, deadline)]
    return max(found, key=lambda c: c.value - rho * c.k)


def _holding(cov: Covariance, rho: float, include: Sequence[int], deadline: Deadline) -> list[Candidate]:
    """Return candidates of several cardinalities that hold some variables."""
    worth = cov.diagonal + cov.shift > rho
    worth[list(include)] = True
    most = int(worth.sum())
    grown = _until(deadline.part(2), grown_from(cov, include, most, rho))
    k = max(grown, key=lambda c: c.value - rho * c.k).k
    sizes = range(max(len(include), k - 1), min(most, k + 1) + 1)
    options: dict[str, Any] = {"include": include, "deadline": deadline}
    return grown + [best_candidate(cov, m, **options) for m in sizes]


def _proposals(cov: Covariance, rho: float, deadline: Deadline) -> list[Candidate]:
    """Return candidates of several cardinalities."""
    most = int((cov.diagonal + cov.shift > rho).sum())
    if most == 0:
        return []
    order = selection_order(cov, most, deadline=deadline.part(4))
    prefixes = (Candidate.from_support(cov, order[:k]) for k in range(1, len(order) + 1))
    k = max(_until(deadline.part(2), prefixes), key=lambda c: c.value - rho * c.k).k
    sizes = range(max(1, k - 1), min(most, k + 1) + 1)
    return [best_candidate(cov, m, deadline=deadline) for m in sizes]


def _until(deadline: Deadline, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates made before the time is over, and one more."""
    found = []
    for candidate in candidates:
        found.append(candidate)
        if deadline.is_over:
            break
    return found
