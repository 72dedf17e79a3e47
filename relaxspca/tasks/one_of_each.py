"""The best sparse component that uses at most one variable of each group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from relaxspca.certificate.restriction import Restriction
from relaxspca.errors import InputError, warn_of_data
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.groups import group_members
from relaxspca.results.progress import Progress
from relaxspca.results.restricted import OneOfEach
from relaxspca.runtime.progress import shows_progress
from relaxspca.search.limits import SearchLimits
from relaxspca.search.one_of_each import search_one_of_each
from relaxspca.search.reduced import LARGEST_BLOCK

__all__ = ["one_of_each"]


@shows_progress
def one_of_each(
    cov: Covariance,
    k: int,
    groups: Mapping[str, Iterable[Any]],
    *,
    include: Any = (),
    exclude: Any = (),
    gap: float = 0.0,
    time_limit: float | None = None,
    node_limit: int | None = None,
    callback: Callable[[Progress], Any] | None = None,
    n_jobs: int | None = None,
    verbose: bool | None = None,
) -> OneOfEach:
    r"""Find the sparse component of largest variance that uses at most one variable of each group.

    .. math:: \max\{\lambda_{\max}(\Sigma_{TT}) : |T|\le k,\ |T\cap G|\le1\ \text{for every group } G\}

    Parameters
    ----------
    cov : Covariance of n variables, at most 4000.
    k : cardinality; as many as there are groups and variables in none, where k is larger.
    groups : mapping of a name to names or positions
        Disjoint; variables in no group are not limited.
    include, exclude : names or positions, optional
        Conditions on the supports, as in `relaxspca.solve`.
    gap, time_limit, node_limit, callback, n_jobs : as in `relaxspca.solve`.
    verbose : bool, optional
        Show progress on stderr; by default in a notebook and at Python's prompt.

    Returns
    -------
    OneOfEach
        Bounds hold whatever the status, and have a certificate.

    Raises
    ------
    InputError
        Groups overlap, name a variable that is not there, or a parameter is out of range; or two variables of
        one group are to be included.

    Notes
    -----
    No support that is allowed has two variables of a group, so the covariances within groups do not matter.
    The search reads them as 0: two variables of a group then gain nothing together. When it forces a variable
    in, it leaves the others of its group out.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.one_of_each(rs.datasets.load_pitprops(), 3, {"size": ["topdiam", "length"]})
    >>> found.support, found.status, bool(rs.verify(found.certificate))
    (('ringtop', 'ringbut', 'whorls'), 'optimal', True)
    """
    check_covariance(cov)
    cov.check_complete("a component of one of each group", most=LARGEST_BLOCK)
    limits = SearchLimits.checked(
        gap=gap, time_limit=time_limit, node_limit=node_limit, callback=callback, n_jobs=n_jobs
    )
    members = group_members(cov, groups)
    restriction = Restriction(
        "one_of_each", tuple(map(str, groups)), tuple(np.array(sorted(group)) for group in members)
    )
    conditions = Conditions.read(include, exclude, cov.names)
    for name, group in zip(groups, members, strict=True):
        both = sorted(group & set(conditions.include))
        if len(both) > 1:
            raise InputError(
                f"{cov.names[both[0]]} and {cov.names[both[1]]} are to be included, but both are in the group "
                f"{name!r}, of which one may be used"
            )
    labels = restriction.labels(cov.n)
    left = len(np.unique(labels[np.setdiff1d(np.arange(cov.n), conditions.exclude)]))
    asked = conditions.cardinality(cov.check_cardinality(k), cov.n)
    k = min(asked, left)
    if k < asked:
        warn_of_data(
            f"no support with one variable of each group has more than {left}: k = {asked} becomes {k}"
        )
    found = search_one_of_each(cov, k, restriction, conditions, gap=gap, limits=limits)
    return OneOfEach(k=k, seconds=limits.deadline.elapsed, **vars(found))
