"""Eliminate variables until few are left, with a proof that no better support has an eliminated one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from relaxspca.certificate import FactorPoint, RowsPoint
from relaxspca.numerics.linalg import MANY, magnitude
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import positions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.problem.node import Indices
from relaxspca.problem.size import Cardinality
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
        falling = sorted({t * BELOW - shift for t in tried for shift in (cov.shift, 0.0)}, reverse=True)
        return [t for t in falling if cov.n <= largest or (cov.diagonal > t).sum() + k <= largest]

    def _count_likely(self) -> int:
        """Return how many variables have a variance above what one gains."""
        cov = self.cov
        return int(np.count_nonzero(cov.diagonal > marginal_penalty(cov, self.best) * BELOW - cov.shift))

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
