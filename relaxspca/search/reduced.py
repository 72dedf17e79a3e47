"""`solve` for very many variables, or for a covariance with eliminated variables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, FactorPoint, RowsPoint, Vector
from relaxspca.problem.candidate import Candidate, embedded
from relaxspca.problem.certificates import changed, one_leaf
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.problem.size import Cardinality
from relaxspca.problem.slack import slack
from relaxspca.relaxations.perron import formula as perron
from relaxspca.relaxations.psi import formula as psi
from relaxspca.results.result import Result
from relaxspca.results.status import Status, settle
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.elimination import cover
from relaxspca.search.heavy_rows import MOST, Restricted, Restriction
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.proof_tree import Proof
from relaxspca.search.reduction import Elimination, Reduction
from relaxspca.search.run import Run


def is_searched_whole(cov: Covariance) -> bool:
    """Say whether a node may have all variables, and none were eliminated before."""
    return cov.n <= MOST[-1] and cov.eliminated is None


def solve_reduced(
    cov: Covariance,
    k: int,
    best: Candidate,
    *,
    gap: float,
    limits: SearchLimits = UNLIMITED,
    needed: Iterable[int] = (),
    conditions: Conditions = NONE,
) -> Result | None:
    r"""Leave few of many variables, search among these, and certify the result for all.

    Where variances leave few variables and nothing open, the others are eliminated by one dual point. Else rows
    restrict the search (`relaxspca.search.heavy_rows`); where these leave too many, variances are asked for
    what leaves less open. The incumbent `best` meets the conditions, and what is `needed` is never eliminated.

    Where variables were eliminated, the certificate is over those kept; the others are in its `eliminated`.
    Returned is None when too many remain for one node and others were eliminated before.

    Notes
    -----
    With :math:`v_j\le U_j` on the variables kept, a support with b eliminated variables explains at most
    :math:`U_{k-b}` plus the b largest eliminated variances (`relaxspca.search.elimination`). The dual point
    that proves this also bounds the variables kept, and where it is tight there is nothing to search.
    """
    clock, deadline = Deadline.after(None), limits.deadline
    enough = best.value + max(0.9 * gap, RELATIVE_WIDTH) * abs(best.value)
    stay = np.array(sorted({*best.indices.tolist(), *needed, *conditions.include}))
    elimination = Elimination(cov, k, best, enough, stay, deadline)
    kept = elimination.few() if cov.eliminated is None else elimination.least(MOST[-1])
    if kept is None and cov.eliminated is not None:
        return None
    if kept is None:
        options: dict[str, Any] = {"gap": gap, "conditions": conditions}
        whole = Run(cov, Cardinality(k), best, **options)
        rows = whole.search.restrictions(deadline.part(2))
        if not rows.higher:
            return _finished(whole, rows, None, limits)
        kept = elimination.least(MOST[-1])
        if kept is None or kept.bound >= rows.higher[-1].level:
            return _at_higher_levels(cov, k, best, rows, limits, options)
    return replace(_among_kept(cov, k, kept, gap, limits, conditions), seconds=clock.elapsed)


def _among_kept(
    cov: Covariance, k: int, kept: Reduction, gap: float, limits: SearchLimits, conditions: Conditions
) -> Result:
    """Return the result on the variables kept, whose certificate covers the others."""
    deadline = limits.deadline
    among = conditions.among(cov.names, kept.cov.names)
    found = _without_search(kept, k, among)
    is_open = found.upper - found.lower > _accepted_width(gap, found.lower)
    if is_open and not deadline.is_over:
        block = kept.cov.alone
        first = Proof("perron", kept.point, found.upper) if isinstance(kept.point, RowsPoint) else None
        run = Run(block, Cardinality(k), kept.component, gap=gap, conditions=among, first=first)
        again = run.searched(limits)
        found = again if again.upper <= found.upper else _combined(block, found, again)
    certificate = found.certificate
    if kept.cov.eliminated is not None:
        certificate = cover(certificate, kept.cov, [kept.point])
    return replace(
        found,
        candidate=embedded(found.candidate, kept.cov.names, cov.names),
        lower=certificate.lower,
        upper=certificate.upper,
        status=_status(kept.cov, found.status, certificate, gap, deadline),
        certificate=certificate,
    )


def _without_search(kept: Reduction, k: int, conditions: Conditions) -> Result:
    """Return the result without a search: the bound of the elimination's dual point on the variables kept."""
    relaxation = psi if isinstance(kept.point, FactorPoint) else perron
    upper = float(relaxation.upper_bound(kept.cov.alone, kept.point, k))
    certificate = one_leaf(kept.cov, kept.component, upper, kept.point, k=k)
    certificate = changed(certificate, include=conditions.inside, exclude=conditions.outside)
    return Result(kept.component, certificate.lower, certificate.upper, Status.WITHIN_GAP, certificate, 0, 0.0)


def solve_by_rows(cov: Covariance, k: int, best: Candidate, *, limits: SearchLimits) -> Result:
    """Search the variables that row sums leave, and prove as much as the time allows."""
    run = Run(cov, Cardinality(k), best)
    rows = run.search.restrictions(limits.deadline)
    if rows.higher:
        return _at_higher_levels(cov, k, best, rows, limits, {})
    return _finished(run, rows, None, limits)


def _at_higher_levels(
    cov: Covariance, k: int, best: Candidate, found: Restricted, limits: SearchLimits, options: dict[str, Any]
) -> Result:
    """Search among few variables, then among more of them, as long as that lowers the bound."""
    results: list[Result] = []
    for last in found.higher:
        incumbent = results[-1].candidate if results else best
        run = Run(cov, Cardinality(k), incumbent, **options)
        if last is not found.higher[-1]:  # among most of them better components are looked for
            run.search.floor = last.level
        results.append(_finished(run, found, last, limits))
        if results[-1].status is not Status.ELIMINATION:
            break
    least = min(results, key=lambda result: result.upper)
    witness = max(results, key=lambda result: result.lower)
    return replace(_combined(cov, least, witness), status=results[-1].status)


def _finished(run: Run, found: Restricted, last: Restriction | None, limits: SearchLimits) -> Result:
    """Search the variables that row sums leave; the status says whether the others leave the gap open."""
    run.search.open(found, last)
    result = run.searched(limits)
    is_open = result.upper - result.lower > _accepted_width(run.search.gap, result.lower)
    is_left = run.status is None and last is not None and is_open
    return replace(result, status=Status.ELIMINATION) if is_left else result


def _combined(cov: Covariance, bounded: Result, searched: Result) -> Result:
    """Return a result with the upper bound of `bounded` and the component of `searched`."""
    found = searched.candidate
    certificate = changed(
        bounded.certificate,
        lower=min(found.proved_value(cov), bounded.upper),
        components=(Vector(found.indices, found.loadings[found.indices]),),
    )
    return replace(searched, lower=certificate.lower, upper=bounded.upper, certificate=certificate)


def _accepted_width(gap: float, lower: float) -> float:
    return max(gap, 2 * RELATIVE_WIDTH) * abs(lower)


def _status(
    cov: Covariance, status: Status, certificate: Certificate, gap: float, deadline: Deadline
) -> Status:
    lower, upper = certificate.lower, certificate.upper
    if status in (Status.OPTIMAL, Status.WITHIN_GAP):  # of the variables kept
        status = Status.TIME_LIMIT if deadline.is_over else Status.ELIMINATION
    return settle(status, lower, upper, slack=slack(abs(upper), n=cov.n, points=certificate.points), gap=gap)
