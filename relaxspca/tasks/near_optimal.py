"""Every support that is nearly as good as the best: is it the only answer?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.candidates.conditional import conditional
from relaxspca.candidates.pencils import best_support
from relaxspca.candidates.portfolio import auto
from relaxspca.errors import InputError
from relaxspca.problem.arguments import as_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import scale_of
from relaxspca.problem.observations import whole_number
from relaxspca.problem.pencil import MatrixPencil
from relaxspca.problem.scaling import EXTREME, candidate_times, normalised
from relaxspca.problem.slack import slack
from relaxspca.results.near_optimal import NearOptimal
from relaxspca.results.progress import Progress
from relaxspca.results.status import Status, is_settled, vanishing
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.distributed import parallel
from relaxspca.runtime.progress import shows_progress
from relaxspca.search.limits import SearchLimits
from relaxspca.search.listing import list_ratios, list_supports
from relaxspca.tasks.generalized import size_asked
from relaxspca.tasks.solve import solve


@shows_progress
@parallel
def near_optimal(
    cov: Covariance | tuple[Any, Any],
    k: int,
    *,
    within: float = 0.01,
    limit: int = 1000,
    time_limit: float | None = None,
    include: Any = (),
    exclude: Any = (),
    costs: bool = False,
    callback: Callable[[Progress], Any] | None = None,
    n_jobs: int | None = None,
    client: Any = None,
    verbose: bool | None = None,
) -> NearOptimal:
    r"""List every support of k variables that explains nearly as much as the best, and prove the list complete.

    .. math:: \{T : |T|=k,\ \lambda_{\max}(\Sigma_{TT}) > (1-\varepsilon)\,v_k\}

    Parameters
    ----------
    cov : Covariance of n variables, or (A, B)
        Of a pair of matrices, as `relaxspca.generalized` takes them, the supports whose ratio x'Ax / x'Bx is
        nearly the largest are listed; with it `costs` are not taken.
    k : int, the cardinality, 1 to n.
    within : float
        The fraction :math:`\varepsilon`, at least 0. With 0 ties are listed, up to a relative 1e-9; where the
        best value is 0 beside the largest entry of variables that are not excluded, up to 1e-9 of that entry.
        Where the best value v is negative the supports above :math:`v-\varepsilon|v|` are meant.
    limit : int
        The search stops when so many supports are listed.
    time_limit : float, optional
        Seconds; with `costs` half of them are for the list.
    include, exclude : names or positions, optional
        Conditions on the supports, as in `relaxspca.solve`.
    costs : bool
        Also solve, for every variable, for the loss of leaving it out, where the best support has it, or of
        forcing it in, where not. Where a limit or Ctrl-C stops that, bounds are wider, and `open_costs` names
        the variables.
    callback, n_jobs, client, verbose : as in `relaxspca.solve`.

    Returns
    -------
    NearOptimal
        When `limit`, `time_limit` or Ctrl-C ended the search its list is not complete, and it says within which
        smaller fraction it is.

    Raises
    ------
    InputError
        A parameter is out of range, conditions contradict each other, or the matrix has eliminated variables.

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
    limits = SearchLimits.checked(within=within, time_limit=time_limit, callback=callback)
    if within > 1:
        raise InputError(f"within = {within:g} is {100 * within:g} %: for {within:g} % write {within / 100:g}")
    limit = whole_number(limit, "limit", most=math.inf)
    if isinstance(cov, tuple | list):
        if costs:
            raise InputError("costs are for lists of a covariance, not of a ratio of two matrices")
        return _ratios(cov, k, float(within), limit, limits, (include, exclude))
    cov = as_covariance(cov)
    cov.check_complete("a list of sets of variables")
    conditions = Conditions.read(include, exclude, cov.names)
    k = conditions.cardinality(cov.check_cardinality(k), cov.n)
    deadline = limits.deadline
    if costs:
        limits = replace(limits, deadline=deadline.part(2))
    scaled, q = normalised(cov, beyond=EXTREME)
    start = candidate_times(conditional(scaled, k, conditions, auto, deadline=limits.deadline), q)
    found = list_supports(
        cov, k, start, within=float(within), longest=limit, limits=limits, conditions=conditions
    )
    if costs:
        penalised = list(_costs(cov, found, conditions, deadline))
        found = replace(
            found,
            costs={name: pair for name, pair, _ in penalised},
            open_costs=tuple(name for name, _, is_closed in penalised if not is_closed),
        )
    return replace(found, seconds=deadline.elapsed)


def _ratios(
    pair: tuple[Any, Any], k: int, within: float, limit: int, limits: SearchLimits, given: tuple[Any, Any]
) -> NearOptimal:
    """List the supports of nearly the largest ratio."""
    if len(pair) != 2:
        raise InputError(f"give one covariance, or the two matrices (A, B) of a ratio, not {len(pair)} of them")
    pencil = MatrixPencil(*pair)
    conditions = Conditions.read(*given, pencil.names)
    size = size_asked(k, None, conditions, pencil.names)
    support, _ = best_support(pencil, size, conditions, deadline=limits.deadline.part(2))
    options: dict[str, Any] = {"longest": limit, "limits": limits, "conditions": conditions}
    below, most = lambda ratio: within * abs(ratio), size.most(pencil.n)
    listed = list_ratios(pencil, most, support, below, least=pencil.least, **options)
    assert listed is not None  # B is proved positive definite, so that every support has a bound
    return replace(listed, within=within, seconds=limits.deadline.elapsed, meant=conditions.words(pencil.names))


def _costs(
    cov: Covariance, found: NearOptimal, conditions: Conditions, deadline: Deadline
) -> Iterator[tuple[str, tuple[float, float], bool]]:
    """Yield bounds on what each variable's opposite costs, and whether nothing stopped their proof.

    They come from the list where it tells, else from a search, or without one where that may not be.
    """
    upper = max(found.upper, *(high for _, high in found.values))
    scale = vanishing(found.lower, scale_of(found.certificate))
    added = slack(max(abs(upper), scale), n=cov.n, points=found.certificate.points, block=found.k)
    is_best_proved = is_settled(found.lower, upper, scale=scale, slack=added)
    left = [i for i in range(cov.n) if i not in (*conditions.include, *conditions.exclude)]
    if found.k in (len(conditions.include), cov.n - len(conditions.exclude)):
        return  # one support: nothing can be exchanged
    supports = [frozenset(support) for support in found.indices]
    is_stopped = found.status is Status.INTERRUPTED
    for done, i in enumerate(left):
        is_in = i in supports[0]
        listed = [pair for pair, T in zip(found.values, supports, strict=True) if (i in T) != is_in]
        # Supports that are not listed are bounded already, those listed one by one.
        low = max((value for value, _ in listed), default=-math.inf)
        high = max([found.upper, *(value for _, value in listed)])
        if listed and found.is_complete:
            is_closed = True
        elif is_stopped or deadline.is_over:
            low, is_closed = max(low, _attained_opposite(cov, found.candidates[0], conditions, i)), False
        else:
            opposite = conditions.options
            opposite["exclude" if is_in else "include"].append(i)
            other = solve(cov, found.k, time_limit=deadline.share(len(left) - done), **opposite)
            low, high, is_closed = other.lower, min(other.upper, high), other.status is Status.OPTIMAL
            is_stopped = other.status is Status.INTERRUPTED
        least = max(math.nextafter(found.lower - high, -math.inf), 0.0)
        yield cov.names[i], (least, math.nextafter(upper - low, math.inf)), is_closed and is_best_proved


def _attained_opposite(cov: Covariance, best: Candidate, conditions: Conditions, i: int) -> float:
    """Return what a support is proved to attain that has variable i where the best has not, or the reverse.

    It is the best after an exchange; what enters is given no loading.
    """
    free, rest = np.setdiff1d(best.indices, conditions.include), best.loadings.copy()
    is_in = i in best.indices
    rest[i if is_in else free[np.argmin(np.abs(rest[free]))]] = 0.0
    if rest.any():
        return Candidate.from_loadings(cov, rest).proved_value(cov)
    others = np.setdiff1d(np.arange(cov.n), [i, *conditions.exclude])
    alone = others[np.argmax(cov.diagonal[others])] if is_in else i
    return Candidate.from_support(cov, [int(alone)]).proved_value(cov)
