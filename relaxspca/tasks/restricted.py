"""Which search a restriction of `solve` goes to: groups, whole groups, loadings of one sign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from relaxspca.errors import InputError
from relaxspca.problem.covariance import Covariance
from relaxspca.results.restricted import Restricted
from relaxspca.tasks.groups import one_of_each
from relaxspca.tasks.nonnegative import nonnegative
from relaxspca.tasks.whole_groups import whole_groups

__all__ = ["restricted"]


def restricted(
    cov: Covariance,
    k: int | None,
    *,
    groups: Mapping[str, Iterable[Any]] | None,
    most: int | None,
    positive: bool,
    time_limit: float | None,
    others: Iterable[str],
) -> Restricted:
    """Search under one restriction, or say which arguments do not go with it.

    Parameters
    ----------
    cov, k, groups, most, time_limit : as in `relaxspca.solve`.
    positive : whether loadings must not be negative.
    others : names of arguments that were given and that no restriction takes.

    Examples
    --------
    >>> import relaxspca as rs
    >>> rs.solve(rs.datasets.load_pitprops(), 2, groups={"size": ["topdiam", "length"]}).support
    ('moist', 'testsg')
    """
    if most is not None and groups is None:
        raise InputError("most is a number of whole groups: give groups too")
    if groups is not None and positive:
        raise InputError("groups and nonnegative cannot be used together")
    named = list(others)
    if named:
        raise InputError(f"{named[0]} cannot be used with {'groups' if groups is not None else 'nonnegative'}")
    if most is not None and groups is not None:
        if k is not None:
            raise InputError("give k, for at most one variable of each group, or most, for whole groups")
        return whole_groups(cov, groups, most, time_limit=time_limit)
    if k is None:
        raise InputError("give the cardinality k" + (", or most" if groups is not None else ""))
    if groups is not None:
        return one_of_each(cov, k, groups, time_limit=time_limit)
    return nonnegative(cov, k, time_limit=time_limit)
