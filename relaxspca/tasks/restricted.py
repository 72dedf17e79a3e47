"""Which search a restriction of `solve` goes to: groups, whole groups, loadings of one sign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from relaxspca.errors import InputError
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.results.result import Result
from relaxspca.search.limits import SearchLimits
from relaxspca.tasks.nonnegative import nonnegative
from relaxspca.tasks.one_of_each import one_of_each
from relaxspca.tasks.whole_groups import whole_groups

__all__ = ["restricted"]


TAKEN = {
    "groups": ("include", "exclude", "gap", "time_limit", "node_limit", "callback", "n_jobs", "client"),
    "most": ("time_limit",),
    "nonnegative": ("exclude", "gap", "time_limit", "node_limit", "callback", "n_jobs", "client"),
}


def restricted(
    cov: Covariance,
    k: int | None,
    conditions: Conditions,
    *,
    groups: Mapping[str, Iterable[Any]] | None,
    most: int | None,
    given: Iterable[str],
    gap: float,
    limits: SearchLimits,
) -> Result:
    """Search under one restriction, or say which arguments do not go with it.

    Parameters
    ----------
    cov, k, groups, most, gap : as in `relaxspca.solve`; without groups loadings must not be negative.
    conditions : variables to include and exclude.
    given : names of the other arguments that were given.
    limits : when to stop.

    Examples
    --------
    >>> import relaxspca as rs
    >>> rs.solve(rs.datasets.load_pitprops(), 2, groups={"size": ["topdiam", "length"]}).support
    ('moist', 'testsg')
    """
    if most is not None and groups is None:
        raise InputError("most is a number of whole groups: give groups too")
    if most is not None and k is not None:
        raise InputError("give k, for at most one variable of each group, or most, for whole groups")
    kind = "nonnegative" if groups is None else "groups" if most is None else "most"
    for name in given:
        if name not in TAKEN[kind]:
            raise InputError(f"{name} cannot be used with {kind}")
    if most is not None and groups is not None:
        return whole_groups(cov, groups, most, deadline=limits.deadline)
    if k is None:
        raise InputError("give the cardinality k" + (", or most" if groups is not None else ""))
    if groups is None:
        return nonnegative(cov, k, conditions, gap=gap, limits=limits)
    return one_of_each(cov, k, groups, conditions, gap=gap, limits=limits)
