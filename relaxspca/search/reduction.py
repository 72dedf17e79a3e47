"""Eliminate variables until few are left, with a proof that no better support has an eliminated one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from relaxspca.certificate import FactorPoint, RowsPoint, WeightsPoint
from relaxspca.numerics.linalg import MANY, magnitude
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import positions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.relaxations.perron.formula import perron_point
from relaxspca.relaxations.perron.splitting import Splitting
from relaxspca.relaxations.psi.formula import psi_point
from relaxspca.relaxations.psi.kkt import kkt_test
from relaxspca.relaxations.psi.minimise import bound
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.search.elimination import balanced_rows, elimination_rule, shrink
from relaxspca.search.heavy_rows import MOST
from relaxspca.search.tighten import LITTLE, ROUND

BELOW = 1 - RELATIVE_WIDTH  # so that a variable whose variance is the threshold stays


@dataclass(frozen=True, eq=False)
class Reduction:
    """The variables kept, the component on them, and a bound on supports with eliminated variables.

    Attributes
    ----------
    cov : Covariance of the variables kept; the others are in its `eliminated`.
    component : Candidate of `cov`.
    point : FactorPoint, WeightsPoint or RowsPoint of all variables kept, for which `bound` holds.
    bound : no support with an eliminated variable exceeds it (variance); ``-inf`` if none is eliminated.
    """

    cov: Covariance
    component: Candidate
    point: FactorPoint | WeightsPoint | RowsPoint
    bound: float


def reduce_variables(
    cov: Covariance,
    k: int,
    best: Candidate,
    *,
    tol: float,
    largest: int,
    needed: Iterable[int] = (),
    deadline: Deadline = FOREVER,
) -> Reduction | None:
    """Eliminate variables such that, if possible, no support with an eliminated one exceeds the incumbent.

    By how much it may be exceeded, relative to its value, `tol` says; its variables and those `needed` stay.
    Returned is the choice of least bound, None if none keeps at most `largest` variables.

    Notes
    -----
    Variances are compared with two thresholds: the value of the component less a bound on :math:`v_{k-1}`, and
    the penalty at which its support changes. Row sums are tried first, then the closed-form dual point of psi,
    which takes longer and is tight where many variables are alike. Psi, and after it the Perron dual of the
    variables of largest variance, are minimised only if neither suffices and there are more than `largest`.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.Covariance.from_factor([[3.0, 3.0, 0.1, 0.0], [0.0, 0.1, 0.2, 0.1]])
    >>> reduce_variables(cov, 2, rs.candidate(cov, 2), tol=0.0, largest=3).cov.names
    ('x0', 'x1')
    """
    enough = best.value + tol * abs(best.value)
    found = _quickly(cov, k, best, enough, largest, needed, deadline)
    stay = np.union1d(best.indices, list(needed)).astype(np.int64)
    for further in (_by_psi, _by_perron):
        if cov.n > largest and all(kept.bound > enough for kept in found):
            found += further(cov, k, best, enough, largest, stay, deadline.part(2))
    return min(found, key=lambda kept: (max(kept.bound, enough), kept.cov.n), default=None)


def few_by_variances(
    cov: Covariance,
    k: int,
    best: Candidate,
    *,
    tol: float,
    needed: Iterable[int] = (),
    deadline: Deadline = FOREVER,
) -> Reduction | None:
    """Return what variances leave where that is little and loses nothing, else None; it takes little time."""
    if cov.n <= MANY or _likely(cov, best) > MANY:
        return None
    enough = best.value + tol * abs(best.value)
    found = _quickly(cov, k, best, enough, MANY, needed, deadline)
    return next((kept for kept in found if kept.bound <= enough and kept.cov.n <= MANY), None)


def _quickly(
    cov: Covariance,
    k: int,
    best: Candidate,
    enough: float,
    largest: int,
    needed: Iterable[int],
    deadline: Deadline,
) -> list[Reduction]:
    """Return what row sums and the closed form leave, until a bound is at most `enough`."""
    thresholds = _thresholds(cov, k, best, largest)
    stay = np.union1d(best.indices, list(needed)).astype(np.int64)
    found: list[Reduction] = []
    for threshold in thresholds:
        found.append(_by_row_sums(shrink(cov, threshold, stay), cov, k, best))
        if found[-1].bound <= enough or deadline.is_over:
            break
    if found and (found[-1].bound > enough or found[-1].cov.n > MANY) and not deadline.is_over:
        found += _by_closed_form(shrink(cov, thresholds[0], stay), cov, k, best, enough, deadline)
    return found


def _likely(cov: Covariance, best: Candidate) -> int:
    """Return how many variables have a variance above what one gains."""
    return int(np.count_nonzero(cov.diagonal > marginal_penalty(cov, best) * BELOW - cov.shift))


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
    inside = float(squares[chosen].min())
    outside = np.delete(squares, chosen)
    return min(inside, float(outside.max(initial=0.0)))


def _thresholds(cov: Covariance, k: int, best: Candidate, largest: int) -> list[float]:
    """Return thresholds of variance for the elimination, decreasing; -inf, for none, if variables are few."""
    if cov.n <= min(MANY, largest):
        return [-math.inf]
    penalty = marginal_penalty(cov, best)
    tried = {penalty, penalty / 2}
    if cov.n <= largest:
        gain = best.value - (balanced_rows(cov, k - 1)[1] if k > 1 else -cov.shift)
        tried |= {max(gain, 0.0), 0.0}
    # If Sigma is shifted, thresholds less the shift cost nothing, and those without leave fewer variables.
    falling = sorted({t * BELOW - shift for t in tried for shift in (cov.shift, 0.0)}, reverse=True)
    return [t for t in falling if cov.n <= largest or (cov.diagonal > t).sum() + k <= largest]


def _by_row_sums(kept: Covariance, cov: Covariance, k: int, best: Candidate) -> Reduction:
    return _reduction(kept, k, _on_kept(cov, kept, best), balanced_rows(kept, max(k - 1, 1))[0])


def _by_closed_form(
    kept: Covariance, cov: Covariance, k: int, best: Candidate, enough: float, deadline: Deadline
) -> list[Reduction]:
    component = _on_kept(cov, kept, best)
    tol = (enough - best.value) / max(abs(best.value), 1e-300)
    dual = kkt_test(kept.alone, component, tol=max(0.1 * tol, 1e-13), deadline=deadline)
    return [] if dual is None else [_reduction(kept, k, component, dual.point)]


def _by_psi(
    cov: Covariance,
    k: int,
    best: Candidate,
    enough: float,
    largest: int,
    stay: Iterable[int],
    deadline: Deadline,
) -> list[Reduction]:
    """Solve psi, and by v_j <= d + rho j keep the variables of variance above rho - (d + rho k - enough)."""
    level = enough + cov.shift
    solution = bound(cov.factor, k, lower=level, time_limit=deadline.left)
    threshold = solution.rho - max(solution.bound(k) - level, 0.0) * (1 + 1e-6)
    kept = shrink(cov, max(threshold, 0.0) - cov.shift, stay)
    if kept.n > largest:
        return []
    columns = positions(kept.names, cov.names)
    # The point uses the factor of `cov`: the restricted covariance, given by its entries, has another one.
    point = psi_point(cov, columns, solution.rho, solution.vectors[:, columns])
    return [_reduction(kept, k, _on_kept(cov, kept, best), replace(point, variables=np.arange(kept.n)))]


def _by_perron(
    cov: Covariance,
    k: int,
    best: Candidate,
    enough: float,
    largest: int,
    stay: Iterable[int],
    deadline: Deadline,
) -> list[Reduction]:
    """Minimise the Perron dual of the variables of largest variance as long as it lowers what others reach."""
    count = min(MOST[0], largest)
    kept = shrink(cov, np.sort(cov.diagonal)[-count], stay)
    if _likely(cov, best) > count or not 2 <= k < kept.n <= largest:
        return []
    component, scale = _on_kept(cov, kept, best), magnitude(kept.matrix, best.value)
    state = Splitting(kept.matrix, k, scale=scale)
    found, gains = list[Reduction](), True
    while gains and not deadline.is_over:
        state.advance(ROUND, deadline)
        found.append(_reduction(kept, k, component, perron_point(np.arange(kept.n), *state.point())))
        gains = len(found) == 1 or found[-2].bound - found[-1].bound > LITTLE * (found[-1].bound - enough) > 0
    return found


def _reduction(
    kept: Covariance, k: int, component: Candidate, point: FactorPoint | WeightsPoint | RowsPoint
) -> Reduction:
    return Reduction(kept, component, point, elimination_rule(kept, k, [point])[0])


def _on_kept(cov: Covariance, kept: Covariance, component: Candidate) -> Candidate:
    """Return a component of `cov` as a component of the restricted covariance `kept`."""
    support = positions([cov.names[i] for i in component.indices], kept.names)
    return Candidate.from_support(kept, support, method=component.method)
