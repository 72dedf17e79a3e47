"""`solve` for very many variables, or for a covariance with eliminated variables."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, FactorPoint, RowsPoint, Vector
from relaxspca.numerics.linalg import MANY, Indices, magnitude
from relaxspca.problem.candidate import Candidate, embedded
from relaxspca.problem.certificates import changed, one_leaf
from relaxspca.problem.conditions import NONE, Conditions, positions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.problem.size import Cardinality
from relaxspca.problem.slack import slack
from relaxspca.relaxations.perron import formula as perron
from relaxspca.relaxations.perron.formula import perron_point
from relaxspca.relaxations.perron.splitting import Splitting
from relaxspca.relaxations.psi import formula as psi
from relaxspca.relaxations.psi.formula import psi_point
from relaxspca.relaxations.psi.kkt import kkt_test
from relaxspca.relaxations.psi.minimise import bound
from relaxspca.results.result import Result
from relaxspca.results.status import Status, settle
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.search.elimination import balanced_rows, cover, elimination_rule, shrink
from relaxspca.search.heavy_rows import MOST, Restricted, Restriction
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.proof_tree import Proof
from relaxspca.search.run import Run
from relaxspca.search.tighten import LITTLE, ROUND


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


@dataclass(frozen=True, eq=False)
class Reduction:
    """The variables kept, the component on them, and a bound on supports with eliminated variables.

    Attributes
    ----------
    cov : Covariance of the variables kept; the others are in its `eliminated`.
    component : Candidate of `cov`.
    point : FactorPoint or RowsPoint of all variables kept, for which `bound` holds.
    bound : no support with an eliminated variable exceeds it (variance); ``-inf`` if none is eliminated.
    """

    cov: Covariance
    component: Candidate
    point: FactorPoint | RowsPoint
    bound: float


@dataclass(frozen=True, eq=False)
class Elimination:
    """Eliminate variables such that, if possible, no support with an eliminated one exceeds a level.

    Variances are compared with two thresholds: the value of the component less a bound on :math:`v_{k-1}`, and
    the penalty at which its support changes. Row sums are tried first, then the closed-form dual point of psi,
    which takes longer and is tight where many variables are alike. Psi, and after it the Perron dual of the
    variables of largest variance, are minimised only if neither suffices and there are more than `largest`.

    Attributes
    ----------
    cov, k, best : the matrix, the cardinality and the incumbent.
    enough : the level (variance).
    stay : variables that are kept; they include those of the incumbent.
    deadline : steps that take long end at it.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.Covariance.from_factor([[3.0, 3.0, 0.1, 0.0], [0.0, 0.1, 0.2, 0.1]])
    >>> best = rs.candidate(cov, 2)
    >>> Elimination(cov, 2, best, best.value, best.indices).least(3).cov.names
    ('x0', 'x1')
    """

    cov: Covariance
    k: int
    best: Candidate
    enough: float
    stay: Indices
    deadline: Deadline = FOREVER

    def few(self) -> Reduction | None:
        """Return what variances leave where that is little and loses nothing, else None, in little time."""
        if self.cov.n <= MANY or self._count_likely() > MANY:
            return None
        found = self._quickly(MANY)
        return next((kept for kept in found if kept.bound <= self.enough and kept.cov.n <= MANY), None)

    def least(self, largest: int) -> Reduction | None:
        """Return the choice of least bound, None if none keeps at most `largest` variables."""
        found = self._quickly(largest)
        for further in (self._by_psi, self._by_perron):
            if self.cov.n > largest and all(kept.bound > self.enough for kept in found):
                found += further(largest)
        return min(found, key=lambda kept: (max(kept.bound, self.enough), kept.cov.n), default=None)

    def _quickly(self, largest: int) -> list[Reduction]:
        """Return what row sums and the closed form leave, until a bound is at most `enough`."""
        thresholds, found = self._thresholds(largest), list[Reduction]()
        for threshold in thresholds:
            kept = shrink(self.cov, threshold, self.stay)
            found.append(self._reduction(kept, balanced_rows(kept, max(self.k - 1, 1))[0]))
            if found[-1].bound <= self.enough or self.deadline.is_over:
                break
        if not found or (found[-1].bound <= self.enough and found[-1].cov.n <= MANY) or self.deadline.is_over:
            return found
        kept = shrink(self.cov, thresholds[0], self.stay)
        tol = (self.enough - self.best.value) / max(abs(self.best.value), 1e-300)
        dual = kkt_test(kept.alone, self._on(kept), tol=max(0.1 * tol, 1e-13), deadline=self.deadline)
        return found if dual is None else [*found, self._reduction(kept, dual.point)]

    def _thresholds(self, largest: int) -> list[float]:
        """Return thresholds of variance, decreasing; -inf, for none, if variables are few."""
        cov, k = self.cov, self.k
        if cov.n <= min(MANY, largest):
            return [-math.inf]
        penalty = marginal_penalty(cov, self.best)
        tried = {penalty, penalty / 2}
        if cov.n <= largest:
            gain = self.best.value - (balanced_rows(cov, k - 1)[1] if k > 1 else -cov.shift)
            tried |= {max(gain, 0.0), 0.0}
        # If Sigma is shifted, thresholds less the shift cost nothing, and those without leave fewer variables.
        # A variable whose variance is the threshold stays.
        least = (t * (1 - RELATIVE_WIDTH) - shift for t in tried for shift in (cov.shift, 0.0))
        falling = sorted(set(least), reverse=True)
        return [t for t in falling if cov.n <= largest or (cov.diagonal > t).sum() + k <= largest]

    def _count_likely(self) -> int:
        """Return how many variables have a variance above what one gains."""
        least = marginal_penalty(self.cov, self.best) * (1 - RELATIVE_WIDTH) - self.cov.shift
        return int(np.count_nonzero(self.cov.diagonal > least))

    def _by_psi(self, largest: int) -> list[Reduction]:
        """Solve psi, and by v_j <= d + rho j keep those of variance above rho - (d + rho k - enough).

        Where these are too many, the largest are kept, and psi says what the others may reach.
        """
        cov, level = self.cov, self.enough + self.cov.shift
        solution = bound(cov.factor, self.k, lower=level, time_limit=self.deadline.left)
        threshold = solution.rho - max(solution.bound(self.k) - level, 0.0) * (1 + 1e-6)
        kept = shrink(cov, max(threshold, 0.0) - cov.shift, self.stay)
        if kept.n > largest:
            room = largest - len(self.stay)
            least = np.sort(cov.diagonal)[-room - 1]
            if room < 1 or np.count_nonzero(cov.diagonal > least) < room:  # others have this variance
                return []
            kept = shrink(cov, least, self.stay)
        columns = positions(kept.names, cov.names)
        # The point uses the factor of `cov`: the restricted covariance, given by its entries, has another one.
        point = psi_point(cov, columns, solution.rho, solution.vectors[:, columns])
        return [self._reduction(kept, replace(point, variables=np.arange(kept.n)))]

    def _by_perron(self, largest: int) -> list[Reduction]:
        """Minimise the Perron dual of the largest variances as long as it lowers what the others may reach."""
        count, deadline, found = min(MOST[0], largest), self.deadline.part(2), list[Reduction]()
        kept = shrink(self.cov, np.sort(self.cov.diagonal)[-count], self.stay)
        if self._count_likely() > count or not 2 <= self.k < kept.n <= largest:
            return []
        inside, scale = np.zeros(kept.n, dtype=bool), magnitude(kept.matrix, self.best.value)
        state = Splitting(kept.matrix, inside, Cardinality(self.k), scale=scale)
        gains = True
        while gains and not deadline.is_over:
            state.advance(ROUND, deadline)
            found.append(self._reduction(kept, perron_point(np.arange(kept.n), *state.point())))
            left, before = found[-1].bound - self.enough, math.inf if len(found) == 1 else found[-2].bound
            gains = before - found[-1].bound > LITTLE * left > 0
        return found

    def _on(self, kept: Covariance) -> Candidate:
        """Return the incumbent as a component of the covariance of the variables kept."""
        support = positions([self.cov.names[i] for i in self.best.indices], kept.names)
        return Candidate.from_support(kept, support, method=self.best.method)

    def _reduction(self, kept: Covariance, point: FactorPoint | RowsPoint) -> Reduction:
        return Reduction(kept, self._on(kept), point, elimination_rule(kept, self.k, [point])[0])


def marginal_penalty(cov: Covariance, component: Candidate) -> float:
    r"""Return the penalty at which the support of a component is about to change.

    It is :math:`\min(\max_{j\notin I}\alpha_j^2,\ \min_{i\in I}\alpha_i^2)` for
    :math:`\alpha=\Sigma z/\sqrt\lambda`: where the dual point is tight, its :math:`\rho` is not below it.
    Sigma, and with it the penalty, is the one shifted to be semidefinite.
    """
    chosen = component.indices
    value = component.value + cov.shift
    if value <= 0:
        return 0.0
    image = cov.columns(chosen) @ component.loadings[chosen] + cov.shift * component.loadings
    squares = image**2 / value
    return float(min(squares[chosen].min(), np.delete(squares, chosen).max(initial=0.0)))
