"""A component of the penalised problem, before there is a proof."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.candidates import candidate as best_candidate
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

    Variables to include are always used, and paid for; then it is not empty. Half of the time is for the choice
    of a cardinality.
    """

    def worth(found: Candidate) -> float:
        return found.value - rho * found.k

    pays = cov.diagonal + cov.shift > rho
    pays[list(include)] = True
    most = int(pays.sum())
    found = [] if include else [Candidate.empty(cov)]
    if most:
        half = deadline.part(2)
        for grown in grown_from(cov, include or [int(np.argmax(cov.diagonal))], most, rho):
            found.append(grown)
            if half.is_over:
                break
        k = max(found, key=worth).k
        for m in range(max(len(include), k - 1, 1), min(most, k + 1) + 1):
            found.append(best_candidate(cov, m, include=include, deadline=deadline))
    return max(found, key=worth)
