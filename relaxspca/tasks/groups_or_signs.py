"""The best component of one variable of each group, of whole groups, or without negative loadings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.candidates.nonnegative import nonnegative_spannogram
from relaxspca.candidates.portfolio import auto
from relaxspca.errors import InputError
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.one_of_each import OneOfEachSize
from relaxspca.results.result import Result
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.heavy_rows import MOST
from relaxspca.search.limits import SearchLimits
from relaxspca.search.one_of_each import search_one_of_each
from relaxspca.search.signed import best_nonnegative, search_signed, without_negative
from relaxspca.tasks.whole_groups import whole_groups

TAKEN = {
    "groups": ("include", "exclude", "gap", "time_limit", "node_limit", "callback", "n_jobs", "client"),
    "most": ("time_limit",),
    "nonnegative": ("exclude", "gap", "time_limit", "node_limit", "callback", "n_jobs", "client"),
}


def with_groups_or_signs(
    cov: Covariance,
    k: int | None,
    conditions: Conditions,
    *,
    groups: Mapping[str, Iterable[Any]] | None,
    most: int | None,
    given: Mapping[str, Any],
    gap: float,
    limits: SearchLimits,
) -> Result:
    """Search under a condition on groups or signs, or say which arguments do not go with it.

    Without groups loadings must not be negative. `given` has the other arguments of `relaxspca.solve` by name,
    None where they are as if not given.
    """
    if most is not None and groups is None:
        raise InputError("most is a number of whole groups: give groups too")
    if most is not None and k is not None:
        raise InputError("give k, for at most one variable of each group, or most, for whole groups")
    kind = "nonnegative" if groups is None else "groups" if most is None else "most"
    for name, value in given.items():
        if value is not None and name not in TAKEN[kind]:
            raise InputError(f"{name} cannot be used with {kind}")
    if most is not None and groups is not None:
        return whole_groups(cov, groups, most, deadline=limits.deadline)
    if k is None:
        raise InputError("give the cardinality k" + (", or most" if groups is not None else ""))
    if groups is None:
        return _nonnegative(cov, k, conditions, gap=gap, limits=limits)
    cov.check_complete("a component of one of each group", most=MOST[-1])
    size = OneOfEachSize.read(cov.names, cov.check_cardinality(k), groups, conditions)
    found = search_one_of_each(cov, size, conditions, gap=gap, limits=limits)
    return replace(found, group_names=tuple(map(str, groups)))


def _nonnegative(
    cov: Covariance, k: int, conditions: Conditions, *, gap: float, limits: SearchLimits
) -> Result:
    cov.check_complete("a component without negative loadings", most=MOST[-1])
    k = conditions.cardinality(cov.check_cardinality(k), cov.n)
    first = _first_nonnegative(cov, k, conditions, limits.deadline.part(2))
    return search_signed(cov, k, first, conditions, gap=gap, limits=limits)


def _first_nonnegative(cov: Covariance, k: int, conditions: Conditions, deadline: Deadline) -> Candidate:
    """Return the best nonnegative vector of two supports: of the raised matrix, and of the spannogram."""
    allowed = conditions.node(cov.n).variables
    block = cov.restrict(allowed.tolist())
    T = auto(without_negative(block), k, deadline=deadline.part(2)).indices
    loadings = np.zeros((2, cov.n))
    spanned = nonnegative_spannogram(block, k, deadline=deadline)
    loadings[0, allowed] = spanned.loadings
    loadings[1, allowed[T]] = best_nonnegative(block.submatrix(T), enough=np.inf)
    found = [Candidate.from_loadings(cov, row, method="nonnegative") for row in loadings]
    return max(found, key=lambda candidate: candidate.value)
