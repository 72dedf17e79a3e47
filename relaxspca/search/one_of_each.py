"""Branch and bound over the supports with at most one variable of each group."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.conditional import conditional, swapped
from relaxspca.candidates.portfolio import auto
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.problem.one_of_each import OneOfEachSize
from relaxspca.results.result import Result
from relaxspca.search.branch_and_bound import Search, dominating
from relaxspca.search.limits import SearchLimits
from relaxspca.search.run import finished, first_proof


def search_one_of_each(
    cov: Covariance,
    size: OneOfEachSize,
    conditions: Conditions,
    *,
    gap: float,
    limits: SearchLimits,
) -> Result:
    """Find the best support of k variables with at most one of each group, and bound all others.

    A feasible support exists. Entries between two variables of a group are read as 0: no feasible support has
    both variables, and infeasible supports gain nothing by them. A variable forced in leaves the rest of its
    group out.
    """
    bounded = dominating(cov, size.entries)
    first = conditional(bounded, size.k, conditions, auto, deadline=limits.deadline)
    found = _polished(bounded, size, conditions, first)
    start = Candidate.from_support(cov, found, method=first.method)
    search = _GroupedSearch(
        bounded,
        size,
        start,
        first_proof(bounded, size, "rowsum"),
        gap=gap,
        conditions=conditions,
        own=cov,
        claim_fields={"one_of_each": size.sets},
    )
    return finished(search, limits)


class _GroupedSearch(Search):
    """The search; every proposed support is repaired to have at most one variable of each group."""

    size: OneOfEachSize

    def _consider(self, support: tuple[int, ...]) -> None:
        suggested = Candidate.from_support(self.cov, support)
        if suggested.value <= self.lower:
            return  # the repaired support explains no more
        T = _polished(self.cov, self.size, self.conditions, suggested)
        found = Candidate.from_support(self.own, T, method="branch and bound")
        self.offer(found, self.worth(found))


def _polished(cov: Covariance, size: OneOfEachSize, conditions: Conditions, start: Candidate) -> Indices:
    """Return the better support of repairing a component, and of repairing it, swapping and repairing again."""
    T = _repaired(cov, size, conditions, start)
    better = Candidate.from_support(cov, swapped(cov, T, conditions))
    other = _repaired(cov, size, conditions, better)
    values = [Candidate.from_support(cov, support).value for support in (T, other)]
    return other if values[1] > values[0] else T


def _repaired(cov: Covariance, size: OneOfEachSize, conditions: Conditions, start: Candidate) -> Indices:
    """Keep the variable of largest loading in each group, and add the variables of largest gain up to k."""
    free = conditions.node(cov.n).free
    ranked = sorted(start.indices.tolist(), key=lambda i: -abs(start.loadings[i]))
    T = np.array([*conditions.include, *(i for i in ranked if i not in conditions.include)], dtype=np.int64)
    T = T[size.compatible(T)][: size.k]
    while len(T) < size.k:
        left = free[~np.isin(size.labels[free], size.labels[T])]
        found = Candidate.from_support(cov, T)
        image = cov.matrix[left] @ found.loadings
        rest = np.maximum(found.value - cov.diagonal[left], 1e-12 * abs(found.value) + 1e-300)
        T = np.append(T, left[np.argmax(image**2 / rest)])
    return np.sort(T)
