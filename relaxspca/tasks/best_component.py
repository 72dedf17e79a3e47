"""The search of one component: a first one, then the proof, of all variables or of those that are kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.candidates import candidate as best_candidate
from relaxspca.candidates.conditional import conditional, grown_from, tied_exchanges
from relaxspca.candidates.portfolio import auto
from relaxspca.errors import InputError, counted
from relaxspca.problem.candidate import Candidate, embedded
from relaxspca.problem.certificates import net_value
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.scaling import EXTREME, candidate_times, normalised
from relaxspca.problem.size import Size
from relaxspca.results.result import Result
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.limits import SearchLimits
from relaxspca.search.reduced import is_searched_whole, solve_reduced
from relaxspca.search.run import Run, at_once


def best_component(
    cov: Covariance,
    size: Size,
    conditions: Conditions,
    *,
    gap: float,
    limits: SearchLimits,
    start: Candidate | None = None,
) -> Result:
    """Find and prove the best component of a size under conditions; the rest is as in `relaxspca.solve`."""
    deadline = limits.deadline
    incumbent: Candidate | None = None
    options: dict[str, Any] = {"gap": gap, "conditions": conditions}
    try:
        incumbent = _incumbent(cov, size, conditions, start, deadline)
        if not (size.is_penalised or is_searched_whole(cov)):
            reduced = solve_reduced(cov, size.most(cov.n), incumbent, limits=limits, **options)
            if reduced is None:
                raise InputError(
                    f"too many of {cov.n} variables cannot be eliminated by their variances, and others were "
                    "eliminated before: restrict them, or keep all when the data are read"
                )
            return replace(reduced, seconds=deadline.elapsed)
    except KeyboardInterrupt:
        if cov.eliminated is not None:
            raise
        return at_once(cov, size, incumbent or _first_variables(cov, size, conditions), **options)
    cov.check_complete("a penalised claim")
    result = Run(cov, size, incumbent, **options).searched(limits)
    if not size.is_penalised and result.status is Status.OPTIMAL:
        result = replace(result, ties=tied_exchanges(cov, result.candidate, conditions))
    return replace(result, seconds=deadline.elapsed)


def _incumbent(
    cov: Covariance,
    size: Size,
    conditions: Conditions,
    start: Candidate | None,
    deadline: Deadline,
) -> Candidate:
    if start is not None:
        found = _admitted(cov, size, conditions, _checked_start(cov, size, start))
        return found if net_value(cov, size, found) >= size.floor else Candidate.empty(cov)
    half = deadline.part(2)
    if size.is_penalised and conditions.exclude:
        block = cov.restrict(conditions.node(cov.n).variables.tolist())
        among = conditions.among(cov.names, block.names)
        found = _best_at_penalty(block, size.penalty, include=among.include, deadline=half)
        return embedded(found, block.names, cov.names)
    if size.is_penalised:
        return _best_at_penalty(cov, size.penalty, include=conditions.include, deadline=half)
    if is_searched_whole(cov):
        _ = cov.matrix  # the search forms it anyway, and once it is there rows are read from it
    scaled, q = normalised(cov, beyond=EXTREME)
    return candidate_times(conditional(scaled, size.most(cov.n), conditions, auto, deadline=half), q)


def _best_at_penalty(
    cov: Covariance,
    rho: float,
    *,
    include: Sequence[int],
    deadline: Deadline,
) -> Candidate:
    """Return the candidate of largest value less rho a variable; it is empty when none is worth its penalty.

    Variables to include are always used, and paid for; then it is not empty. Half of the time is for the choice
    of a cardinality.
    """

    def worth(found: Candidate) -> float:
        return found.value - rho * found.k

    pays = cov.diagonal + cov.shift > rho
    pays[list(include)] = True
    most = int(pays.sum())
    found = [] if include else [Candidate.empty(cov)]
    if most:
        half = deadline.part(2)
        for grown in grown_from(cov, include or [int(np.argmax(cov.diagonal))], most, rho):
            found.append(grown)
            if half.is_over:
                break
        k = max(found, key=worth).k
        for m in range(max(len(include), k - 1, 1), min(most, k + 1) + 1):
            found.append(best_candidate(cov, m, include=include, deadline=deadline))
    return max(found, key=worth)


def _checked_start(cov: Covariance, size: Size, start: Any) -> Candidate:
    """Return a start with its value on this covariance: it may come from another."""
    if not isinstance(start, Candidate):
        raise InputError(f"start must be a Candidate, such as candidate(cov, k), not {start!r}")
    most = size.most(cov.n)
    if start.loadings.size != cov.n or start.k > most:
        raise InputError(
            f"the start uses {start.k} of {counted(start.loadings.size, 'variable')}; "
            f"at most {most} of {cov.n} may be used"
        )
    if start.k == 0:
        if not size.is_penalised:
            raise InputError("the start uses no variable: that is a component only at a penalty")
        return Candidate.empty(cov)
    again = Candidate.from_loadings(cov, start.loadings, method=start.method)
    is_unit = np.allclose(again.loadings, start.loadings, rtol=0.0, atol=1e-12)
    return start if is_unit and math.isclose(again.value, start.value, rel_tol=1e-12) else again


def _admitted(cov: Covariance, size: Size, conditions: Conditions, start: Candidate) -> Candidate:
    """Return a start that meets the conditions, with the variables to include added to it."""
    support = np.union1d(start.indices, conditions.inside)
    barred = [cov.names[i] for i in start.indices if i in conditions.exclude]
    if barred:
        raise InputError(f"the start uses {barred[0]}, which is excluded")
    if len(support) > size.most(cov.n):
        raise InputError(f"the start and the variables to include are {len(support)} variables, more than k")
    return start if len(support) == start.k else Candidate.from_support(cov, support, method=start.method)


def _first_variables(cov: Covariance, size: Size, conditions: Conditions) -> Candidate:
    """Return a component that is there at once, for a search that was stopped before it had one."""
    if conditions.include:
        return Candidate.from_support(cov, conditions.include)
    allowed = conditions.node(cov.n).variables
    i = int(allowed[np.argmax(cov.diagonal[allowed])])
    if size.net_upper(cov.diagonal[i], 1) <= size.floor:
        return Candidate.empty(cov)
    return Candidate.from_support(cov, [i])
