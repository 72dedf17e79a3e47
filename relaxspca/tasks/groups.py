"""The best sparse component that uses at most one variable of each group."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from relaxspca.errors import counted
from relaxspca.numerics.decimals import interval
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.groups import group_members
from relaxspca.problem.limits import check_limits
from relaxspca.results.restricted import Restricted
from relaxspca.results.result import Result
from relaxspca.results.status import Status, verdict
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.progress import shows_progress
from relaxspca.search.branch_and_bound import RELATIVE_WIDTH
from relaxspca.tasks.solve import solve

__all__ = ["OneOfEach", "one_of_each"]


@dataclass(frozen=True, eq=False, repr=False)
class OneOfEach(Restricted):
    """A sparse component with at most one variable of each group, and how far from optimal it can be.

    Attributes
    ----------
    parts : tuple of Result
        Searches with variables excluded, whose claims together cover every support that the groups allow; each
        has its certificate.
    """

    parts: tuple[Result, ...]

    def _statement(self) -> list[str]:
        return [
            interval(self.lower, self.upper).text(f"v_{self.k} with at most one variable of each group"),
            verdict(self.status, self.lower, self.upper, self.gap),
            f"proved in {counted(len(self.parts), 'part')}, of variables left out; each has a certificate, the "
            "division into them has none",
        ]

    def _certificates(self) -> Mapping[str, Any]:
        width = len(str(len(self.parts)))
        return {f"part{at:0{width}}": part.certificate for at, part in enumerate(self.parts)}


@shows_progress
def one_of_each(
    cov: Covariance,
    k: int,
    groups: Mapping[str, Iterable[Any]],
    *,
    time_limit: float | None = None,
    limit: int = 1000,
    verbose: bool | None = None,
) -> OneOfEach:
    r"""Find the sparse component of largest variance that uses at most one variable of each group.

    .. math:: \max\{\lambda_{\max}(\Sigma_{TT}) : |T|\le k,\ |T\cap G|\le1\ \text{for every group } G\}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality; as many as there are groups and variables in none, where k is larger.
    groups : mapping of a name to names or positions
        Disjoint; variables in no group are not limited.
    time_limit : float, optional
        Seconds. None is no limit.
    limit : int
        Most searches.
    verbose : bool, optional
        Show progress on stderr; by default in a notebook and at Python's prompt.

    Returns
    -------
    OneOfEach
        Bounds hold whatever the status.

    Raises
    ------
    InputError
        Groups overlap, name a variable that is not there, or a parameter is out of range.

    Notes
    -----
    The search without groups bounds the one with them. Where its component has two variables of a group, every
    allowed support either lacks the first, or lacks all others of the group: two searches with variables
    excluded take its place, and the largest of all bounds is the bound.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.one_of_each(rs.datasets.load_pitprops(), 3, {"size": ["topdiam", "length"]})
    >>> found.support, found.status
    (('ringtop', 'ringbut', 'whorls'), 'optimal')
    """
    check_covariance(cov)
    check_limits(time_limit=time_limit)
    members = group_members(cov, groups)
    most = len(members) + cov.n - sum(len(group) for group in members)
    k = min(cov.check_cardinality(k), most)
    deadline, order = Deadline.after(time_limit), count()
    root = solve(cov, k, time_limit=deadline.left)
    best = _repaired(cov, root.candidate, members)
    lower = best.proved_value(cov)
    open_: list[tuple[float, int, frozenset[int], Result]] = [(-root.upper, next(order), frozenset(), root)]
    done: list[Result] = []
    searches = 1
    while open_ and not deadline.is_over and searches < limit:
        if -open_[0][0] <= lower + RELATIVE_WIDTH * abs(lower):
            break
        _, _, excluded, result = heapq.heappop(open_)
        group = _violated(result.candidate, members)
        if group is None:
            done.append(result)  # its own gap is all that is left of it
            continue
        size = np.abs(result.candidate.loadings)
        first = max(group, key=lambda i: float(size[i]))  # noqa: B023 - used at once
        for out in (excluded | {first}, excluded | (group - {first})):
            part = solve(cov, k, exclude=sorted(out), time_limit=deadline.left)
            searches += 1
            other = _repaired(cov, part.candidate, members)
            if other.proved_value(cov) > lower:
                best, lower = other, other.proved_value(cov)
            heapq.heappush(open_, (-part.upper, next(order), frozenset(out), part))
    parts = (*done, *(entry[-1] for entry in open_))
    upper = max([lower, *(part.upper for part in parts)])
    if upper - lower <= 4 * RELATIVE_WIDTH * abs(lower):
        status = Status.OPTIMAL
    else:
        status = Status.TIME_LIMIT if deadline.is_over else Status.OPEN
    return OneOfEach(k, best, lower, upper, status, deadline.elapsed, parts)


def _violated(candidate: Candidate, members: list[frozenset[int]]) -> frozenset[int] | None:
    """Return a group of which a component uses two variables."""
    used = {int(i) for i in np.flatnonzero(candidate.loadings)}
    return next((group for group in members if len(group & used) > 1), None)


def _repaired(cov: Covariance, candidate: Candidate, members: list[frozenset[int]]) -> Candidate:
    """Return the best loadings on a support that keeps the largest of each group."""
    kept = {int(i) for i in np.flatnonzero(candidate.loadings)}
    for group in members:
        inside = sorted(group & kept, key=lambda i: -abs(candidate.loadings[i]))
        kept -= set(inside[1:])
    return Candidate.from_support(cov, sorted(kept), method=candidate.method)
