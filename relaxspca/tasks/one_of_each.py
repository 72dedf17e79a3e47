"""The best sparse component that uses at most one variable of each group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.errors import InputError, warn_of_data
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.groups import group_members
from relaxspca.results.result import Result
from relaxspca.search.heavy_rows import MOST
from relaxspca.search.limits import SearchLimits
from relaxspca.search.one_of_each import labels_of, search_one_of_each

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
    members = group_members(cov, groups)
    for name, group in zip(groups, members, strict=True):
        both = sorted(group & set(conditions.include))
        if len(both) > 1:
            raise InputError(
                f"{cov.names[both[0]]} and {cov.names[both[1]]} are to be included, but both are in the group "
                f"{name!r}, of which one may be used"
            )
    sets = [np.array(sorted(group)) for group in members]
    labels = labels_of(sets, cov.n)
    left = len(np.unique(labels[np.setdiff1d(np.arange(cov.n), conditions.exclude)]))
    asked = conditions.cardinality(cov.check_cardinality(k), cov.n)
    k = min(asked, left)
    if k < asked:
        warn_of_data(f"there is one variable of each group at most, {left} in all: k = {asked} becomes {k}")
    found = search_one_of_each(cov, k, sets, conditions, gap=gap, limits=limits)
    return replace(found, group_names=tuple(map(str, groups)))
