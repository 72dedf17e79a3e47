"""The best sparse component that uses at most one variable of each group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.one_of_each import OneOfEachSize
from relaxspca.results.result import Result
from relaxspca.search.heavy_rows import MOST
from relaxspca.search.limits import SearchLimits
from relaxspca.search.one_of_each import search_one_of_each

__all__ = ["one_of_each"]


def one_of_each(
    cov: Covariance,
    k: int,
    groups: Mapping[str, Iterable[Any]],
    conditions: Conditions,
    *,
    gap: float,
    limits: SearchLimits,
) -> Result:
    """Check the groups, and search: the work of `relaxspca.solve` with `groups`.

    Parameters
    ----------
    cov : Covariance of n variables, at most 4000.
    k : cardinality; as many as there are groups and variables in none, where k is larger.
    groups : mapping of a name to names or positions; disjoint.
    conditions : variables to include and exclude.
    gap : relative gap at which to stop.
    limits : when to stop.

    Raises
    ------
    InputError
        Groups overlap, name a variable that is not there, or two variables of one group are to be included.
    """
    cov.check_complete("a component of one of each group", most=MOST[-1])
    size = OneOfEachSize.read(cov.names, cov.check_cardinality(k), groups, conditions)
    found = search_one_of_each(cov, size, conditions, gap=gap, limits=limits)
    return replace(found, group_names=tuple(map(str, groups)))
