"""Every support that is nearly as good as the best: is it the only answer?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from relaxspca.candidates.conditional import conditional
from relaxspca.candidates.portfolio import auto
from relaxspca.certificate import Certificate
from relaxspca.errors import InputError, without_data_warnings
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.problem.scaling import EXTREME, candidate_times, normalised
from relaxspca.problem.size import Cardinality
from relaxspca.results.near_optimal import NearOptimal
from relaxspca.results.progress import Progress
from relaxspca.results.result import Result
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.progress import shows_progress
from relaxspca.search.limits import SearchLimits
from relaxspca.search.listing import list_supports
from relaxspca.search.reduced import LARGEST_BLOCK
from relaxspca.tasks.best_component import checked_start
from relaxspca.tasks.solve import solve

__all__ = ["covariance_of", "near_optimal"]


@shows_progress
def near_optimal(
    cov: Covariance,
    k: int,
    *,
    within: float = 0.01,
    limit: int = 1000,
    time_limit: float | None = None,
    include: Any = (),
    exclude: Any = (),
    costs: bool = False,
    start: Candidate | None = None,
    callback: Callable[[Progress], Any] | None = None,
    n_jobs: int | None = None,
    verbose: bool | None = None,
) -> NearOptimal:
    r"""List every support of k variables that explains nearly as much as the best, and prove the list complete.

    .. math:: \{T : |T|=k,\ \lambda_{\max}(\Sigma_{TT}) > (1-\varepsilon)\,v_k\}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality, 1 to n.
    within : float
        The fraction :math:`\varepsilon`, at least 0. With 0 ties are listed, up to a relative 1e-9; where the
        best value is 0 beside the largest entry of variables that are not excluded, up to 1e-9 of that entry.
        Where the best value v is negative the supports above :math:`v-\varepsilon|v|` are meant.
    limit : int
        The search stops when so many supports are listed.
    time_limit : float, optional
        Seconds for the search, and again for `costs`.
    include, exclude : names or positions, optional
        Conditions on the supports, as in `relaxspca.solve`.
    costs : bool
        Also solve, for every variable, for the loss of leaving it out, where the best support has it, or of
        forcing it in, where not. Where a limit stops a search its bounds are wider, and `open_costs` names it.
    start : Candidate, optional
        A component to start from.
    callback, n_jobs : as in `relaxspca.solve`.
    verbose : bool, optional
        Show progress on stderr; by default in a notebook and at Python's prompt.

    Returns
    -------
    NearOptimal
        When `limit`, `time_limit` or Ctrl-C ended the search its list is not complete, and it says within which
        smaller fraction it is.

    Raises
    ------
    InputError
        A parameter is out of range, conditions contradict each other, or the matrix has more than 4000
        variables or eliminated ones.

    Notes
    -----
    The search is that of `relaxspca.solve` with the lower target :math:`(1-\varepsilon)` times the value
    attained: a node is closed when its bound is below the target or when one support is left, then listed.
    The list may hold a few supports that miss the fraction by the width of their bounds. Supports are sets of k
    variables: where loadings are 0, several supports have one component (`NearOptimal.components`).

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.near_optimal(rs.Covariance([[1, 0.5, 0.5], [0.5, 1, 0.5], [0.5, 0.5, 1]]), 2, within=0)
    >>> found.supports, found.is_unique
    ((('x0', 'x1'), ('x0', 'x2'), ('x1', 'x2')), False)
    """
    check_covariance(cov)
    cov.check_complete("a list of supports", most=LARGEST_BLOCK)
    conditions = Conditions.read(include, exclude, cov.names)
    k = conditions.cardinality(cov.check_cardinality(k), cov.n)
    limits = SearchLimits.checked(within=within, time_limit=time_limit, callback=callback, n_jobs=n_jobs)
    if within > 1:
        raise InputError(
            f"within = {within:g} is {100 * within:g} % of the best: for {within:g} % write {within / 100:g}"
        )
    if not isinstance(limit, Integral) or isinstance(limit, bool) or limit < 1:
        raise InputError(f"limit must be a whole number of at least 1, not {limit!r}")
    if start is None:
        scaled, q = normalised(cov, beyond=EXTREME)
        start = candidate_times(conditional(scaled, k, conditions, auto, deadline=limits.deadline), q)
    else:
        start = checked_start(cov, Cardinality(k), start)
        if not conditions.allow(start.indices):
            raise InputError("the start does not meet the conditions")
    listed = list_supports(
        cov,
        k,
        start,
        within=float(within),
        longest=int(limit),
        limits=limits,
        conditions=conditions,
    )
    found = NearOptimal(k, float(within), listed, limits.deadline.elapsed)
    if costs:
        priced = list(_costs(cov, found, conditions, Deadline.after(time_limit)))
        found = replace(
            found,
            costs={name: pair for name, pair, _ in priced},
            open_costs=tuple(name for name, _, is_closed in priced if not is_closed),
        )
    return replace(found, seconds=limits.deadline.elapsed)


def _costs(
    cov: Covariance, found: NearOptimal, conditions: Conditions, deadline: Deadline
) -> Iterator[tuple[str, tuple[float, float], bool]]:
    """Yield bounds on what each variable's opposite costs, and whether nothing stopped their proof.

    They come from the list where it tells, else from a search.
    """
    best, upper = set(found.supports[0]), max(found.upper, *(high for _, high in found.values))
    is_best_proved = upper - found.lower <= 4 * RELATIVE_WIDTH * abs(found.lower)
    fixed = {cov.names[i] for i in (*conditions.include, *conditions.exclude)}
    names = [name for name in cov.names if name not in fixed]
    if found.k in (len(conditions.include), len(cov.names) - len(conditions.exclude)):
        return  # one support: nothing can be exchanged
    for done, name in enumerate(names):
        values = [
            pair
            for pair, support in zip(found.values, found.supports, strict=True)
            if (name in support) != (name in best)
        ]
        if values and found.is_complete:
            low, is_closed = max(low for low, _ in values), True
            high = max([found.upper, *(high for _, high in values)])
        else:
            inside, outside = list(conditions.include), list(conditions.exclude)
            (outside if name in best else inside).append(cov.names.index(name))
            limit = deadline.share(len(names) - done)
            other = solve(cov, found.k, include=inside, exclude=outside, time_limit=limit)
            low, is_closed = other.lower, other.status is Status.OPTIMAL
            # Supports that are not listed are bounded already, those listed one by one.
            high = min(other.upper, max([found.upper, *(high for _, high in values)]))
        yield (
            name,
            (max(math.nextafter(found.lower - high, -math.inf), 0.0), math.nextafter(upper - low, math.inf)),
            is_closed and is_best_proved,
        )


def covariance_of(source: Result | NearOptimal | Certificate) -> Covariance:
    """Return the covariance that a result speaks of, from its certificate."""
    certificate = source if isinstance(source, Certificate) else source.certificate
    if certificate.eliminated is not None:
        raise InputError("variables were eliminated: restrict the covariance to those kept first")
    with without_data_warnings():  # it was given when the covariance was made
        if certificate.matrix is not None:
            cov = Covariance(np.array(certificate.matrix), names=certificate.names)
        else:
            cov = Covariance.from_factor(np.array(certificate.factor), names=certificate.names)
    return cov._with(description=certificate.description)  # the same matrix has the same digest
