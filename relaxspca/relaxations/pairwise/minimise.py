"""Minimise the pairwise bound: smoothing, quasi-Newton steps, and variables fixed by their prices."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
from scipy.optimize import minimize

from relaxspca.certificate import PairwisePoint
from relaxspca.numerics.linalg import eigenvalue_upper, leading_eigenpair
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices, Node
from relaxspca.problem.scaling import normalised, point_times
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.pairwise.formula import node, restrict, spectral_part, upper_bound
from relaxspca.relaxations.pairwise.models import dual_model
from relaxspca.relaxations.pairwise.prices import RowPrices, price_matrix
from relaxspca.relaxations.pairwise.smooth import DualVariables, SmoothedDual
from relaxspca.relaxations.pairwise.solution import FixingRound, PairwiseSolution, Stage
from relaxspca.relaxations.pairwise.start import plain_start, support_start, thresholds
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.threads import one_thread

__all__ = ["minimise"]

# Quasi-Newton steps a stage: with a value to prove, then within NEAR of it, and with none.
STEPS, NEAR_STEPS, THOROUGH_STEPS = 50, 100, 200
NEAR = 0.02
MEMORY = 12
INTERIOR_LIMIT = 30  # variables up to which the cone program is solved outright, when only a bound is wanted
FIRST_WIDTH, NARROWING = 0.015, 0.5  # of the smoothing, relative to the optimum
FLOOR = 1e-9  # least lambda, in the unit where the optimum is k
PATIENCE, PROGRESS = 4, 0.02  # stop when so many stages close less than this share of the gap
SHORT_LIST = 200  # supports evaluated one by one, once prices rule out all others


def minimise(
    cov: Covariance,
    k: int,
    *,
    start: PairwisePoint | None = None,
    support: Iterable[int] | None = None,
    lower: float | None = None,
    inside: Iterable[int] = (),
    free: Iterable[int] | None = None,
    tol: float = 1e-6,
    time_limit: float | None = None,
    max_iterations: int = 4000,
    callback: Callable[[PairwiseSolution], bool | None] | None = None,
) -> PairwiseSolution:
    r"""Minimise the bound of `relaxspca.relaxations.pairwise.formula.upper_bound` over its dual points.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int
        Cardinality.
    start : PairwisePoint, optional
        A dual point to start from, covering the node: another relaxation's (its `pairwise_point`), that of
        another k, or the parent's in a tree.
    support : k ints, optional
        Support of a good component; its optimality conditions give a start (`support_start`).
    lower : float, optional
        A value known to be attained. Variables are fixed as soon as they provably cannot help to
        exceed it by more than `tol` relatively, and the search ends when nothing can. None: the value of
        `support` scales the problem but nothing is fixed.
    inside, free : variables forced in, and those that may join them (None: all others).
    tol : float
        Relative accuracy: of the proof that `lower` is best, and of the bound if it is not.
    time_limit : float, optional
        Seconds.
    max_iterations : int
        Evaluations.
    callback : called with the `PairwiseSolution` so far after each stage; stops the search by returning True.

    Returns
    -------
    PairwiseSolution

    Notes
    -----
    The dual in (V, lambda, S) is smoothed (`SmoothedDual`) with a width that shrinks geometrically. Every
    stage is a run of L-BFGS, after which the bound itself is evaluated with directed rounding, variables
    are fixed by their prices and the problem is restricted to the rest. When that gets no further and prices
    leave few supports open, these are evaluated. Without `lower` stages are longer, and a problem of few
    variables goes to an interior-point method instead.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> best = rs.Candidate.from_support(cov, [0, 1, 6, 8, 9])
    >>> solution = minimise(cov, 5, support=best.indices, lower=best.value)
    >>> solution.upper <= best.value * (1 + 1e-6)  # a proof that the support is optimal
    True
    """
    cov.check_complete("a bound")
    search = _PairwiseSearch(cov, k, lower, tol, time_limit, max_iterations)
    with one_thread(cov.n):
        search.begin(inside, free, start, support)
        while search.advance():
            if callback is not None and callback(search.solution()):
                break
    return search.solution()


class _PairwiseSearch:
    """The state of `minimise`: a shrinking node, the iterate on it and the best point so far."""

    def __init__(
        self, cov: Covariance, k: int, lower: float | None, tol: float, time_limit: float | None, limit: int
    ) -> None:
        self.cov, self.k, self.tol, self.limit = cov, k, tol, limit
        self.lower = -math.inf if lower is None else lower
        self.target = self.lower + tol * abs(self.lower) if math.isfinite(self.lower) else -math.inf
        self.reference = lower
        self.deadline = Deadline.after(time_limit)
        self.fixings: list[FixingRound] = []
        self.survivors: tuple[Indices, ...] = ()
        self.history: list[Stage] = []
        self.iterations = 0
        self.upper = self.value = math.inf
        self.settled = -math.inf  # the most that supports ruled out by fixing can reach

    def begin(
        self,
        inside: Iterable[int],
        free: Iterable[int] | None,
        start: PairwisePoint | None,
        support: Iterable[int] | None,
    ) -> None:
        """Choose the unit and the best starting point, and evaluate it."""
        start_node = Node.of(inside, free, range(self.cov.n))
        self.variables, self.forced = start_node.variables, start_node.is_inside
        Sigma = self.cov.submatrix(self.variables)
        chosen = None if support is None else np.array(sorted(support), dtype=np.int64)
        if self.reference is None and chosen is not None:
            self.reference = leading_eigenpair(self.cov.submatrix(chosen))[0]
        if self.reference is None or self.reference <= 0:
            self.reference = max(float(np.abs(Sigma).max()), 1e-300)
        if chosen is not None and np.isin(chosen, self.variables).all():
            starts = support_start(Sigma, np.searchsorted(self.variables, chosen))
        else:
            starts = plain_start(Sigma, self.k)
        points = [PairwisePoint(self.variables, V=V, lam=lam) for V, lam in starts]
        if start is not None:
            points.append(restrict(start, self.variables))
        self.point = self.best = points[0]
        if self.forced.sum() > self.k or self.variables.size < self.k:
            self.upper = self.value = -math.inf
            return
        self.width = FIRST_WIDTH
        if not math.isfinite(self.target) and self.forced.sum() < self.k < self.variables.size:
            points += self._interior_point()
        self.point = min(points, key=self._bound)
        self._settle()

    def advance(self) -> bool:
        """Run one stage from the iterate; say whether there was anything to do."""
        if self._is_done():
            self._list_survivors()
            return False
        self._descend()
        self.width *= NARROWING
        self._settle()
        return True

    def solution(self) -> PairwiseSolution:
        """Return the state as a result."""
        return PairwiseSolution(
            point=self.best,
            value=self.value,
            upper=self.upper,
            inside=self.variables[self.forced],
            free=self.variables[~self.forced],
            fixings=tuple(self.fixings),
            survivors=self.survivors,
            iterations=self.iterations,
            history=tuple(self.history),
        )

    def _bound(self, point: PairwisePoint) -> float:
        return upper_bound(self.cov, point, self.k, inside=self.variables[self.forced], free=self.variables)

    def _interior_point(self) -> list[PairwisePoint]:
        """Solve the dual cone program of a small problem; after that there is nothing left to do."""
        if self.variables.size > INTERIOR_LIMIT:
            return []
        block, q = normalised(self.cov.restrict(self.variables))
        model = dual_model(block, self.k, inside=np.flatnonzero(self.forced))
        tol, left = min(self.tol, 1e-9), self.deadline.left
        outcome = solve_cone_program(model.problem, solver="clarabel", tol=tol, time_limit=left)
        if not outcome.usable:
            return []
        self.width = 0.0
        return [replace(point_times(model.point()[0], q), variables=self.variables)]

    def _is_done(self) -> bool:
        decided = self.forced.sum() >= self.k or self.variables.size <= self.k
        spent = self.iterations >= self.limit or self.deadline.is_over
        done = self.width == 0.0 or self.value <= self.target or self._is_stalled()
        return bool(decided or spent or done)

    def _is_stalled(self) -> bool:
        """Say whether the last stages settled nothing worth their time."""
        if len(self.history) <= PATIENCE:
            return False
        then, now = self.history[-1 - PATIENCE], self.history[-1]
        wanted = self.tol * abs(now.value)
        if math.isfinite(self.target):
            wanted = max(wanted, PROGRESS * (now.value - self.target))
        return then.free == now.free and then.width > now.width and then.value - now.value <= wanted

    def _descend(self) -> None:
        """Run L-BFGS on the smoothed dual and take its result as the iterate."""
        assert self.reference is not None
        scale = self.k / self.reference
        V, lam = self.point.V * scale, np.maximum(self.point.lam * scale, FLOOR)
        S = np.zeros_like(V) if self.point.S is None else self.point.S * scale
        prices = V * V / (2 * (lam[:, None] + lam)) + S
        row_thresholds, threshold = thresholds(prices, self.k, self.forced)
        Sigma = self.cov.submatrix(self.variables) * scale
        smoothed = SmoothedDual(Sigma, self.k, self.forced, self.width * self.k)
        result = minimize(
            smoothed,
            smoothed.pack(DualVariables(V, lam, S, row_thresholds, threshold)),
            jac=True,
            method="L-BFGS-B",
            callback=self._stop_when_late,
            options={"maxcor": MEMORY, "maxiter": self._steps(), "gtol": 1e-9, "ftol": 1e-12},
        )
        self.iterations += smoothed.evaluations
        dual = smoothed.unpack(result.x)
        self.point = PairwisePoint(self.variables, V=dual.V / scale, lam=dual.lam / scale, S=dual.S / scale)

    def _steps(self) -> int:
        # With something to prove, prices fix variables long before a stage has converged.
        if not math.isfinite(self.target):
            return THOROUGH_STEPS
        return STEPS if self.value - self.target > NEAR * abs(self.target) else NEAR_STEPS

    def _stop_when_late(self, intermediate_result: object) -> None:
        if self.deadline.is_over:
            raise StopIteration

    def _settle(self) -> None:
        """Evaluate the iterate with directed rounding, fix what its prices allow, and record the stage."""
        value = self._bound(self.point)
        if value < self.value:
            self.best, self.value = self.point, value
        if math.isfinite(self.target):
            while self._fix():
                pass
        self.upper = min(self.upper, max(self.value, self.settled))
        seconds = self.deadline.elapsed
        free = int((~self.forced).sum())
        self.history.append(Stage(self.width, self.value, free, self.iterations, seconds))

    def _fix(self) -> bool:
        """Fix variables by the iterate's prices and restrict everything; say whether there were any."""
        places, forced = node(self.point, self.variables[self.forced], self.variables)
        rows = RowPrices(price_matrix(self.point, places), forced)
        spectral = spectral_part(self.cov, self.point, self.k, places)
        inside = np.nextafter(spectral + rows.heaviest_with(self.k), np.inf)
        outside = np.nextafter(spectral + rows.heaviest_without(self.k), np.inf)
        drop = ~forced & (inside <= self.target)
        force = ~forced & ~drop & (outside <= self.target)
        if not (drop.any() or force.any()):
            return False
        worst = float(max(inside[drop].max(initial=-np.inf), outside[force].max(initial=-np.inf)))
        self.settled = max(self.settled, worst)
        self.fixings.append(FixingRound(self.point, self.variables[force], self.variables[drop], worst))
        self.forced = (forced | force)[~drop]
        self.variables = self.variables[~drop]
        self._restrict()
        return bool(self.forced.sum() < self.k < self.variables.size)

    def _list_survivors(self) -> None:
        """Rule out by prices all but a short list of supports, and evaluate those."""
        late = self.deadline.is_over
        if late or self.value <= self.target or not math.isfinite(self.target):
            return
        places, forced = node(self.best, self.variables[self.forced], self.variables)
        rows = RowPrices(price_matrix(self.best, places), forced)
        spectral = spectral_part(self.cov, self.best, self.k, places)
        found = rows.survivors(self.k, math.nextafter(self.lower - spectral, -math.inf), SHORT_LIST)
        if found is None:
            return
        self.survivors = tuple(self.variables[at] for at in found)
        values = [eigenvalue_upper(self.cov.submatrix(T), self.cov.rounding(T)) for T in self.survivors]
        self.value = max([self.lower, *values])
        self.upper = min(self.upper, max(self.value, self.settled))

    def _restrict(self) -> None:
        """Bring iterate and best point to the variables left; evaluate, exactly if one support is left."""
        self.point, self.best = restrict(self.point, self.variables), restrict(self.best, self.variables)
        if self.forced.sum() > self.k or self.variables.size < self.k:
            self.value = -math.inf
        elif self.forced.sum() == self.k or self.variables.size == self.k:
            self.forced = np.ones(self.k, dtype=bool) if self.variables.size == self.k else self.forced
            last = self.variables[self.forced]
            self.variables, self.forced = last, np.ones(self.k, dtype=bool)
            self.point, self.best = restrict(self.point, last), restrict(self.best, last)
            self.value = eigenvalue_upper(self.cov.submatrix(last), self.cov.rounding(last))
        else:
            values = [self._bound(point) for point in (self.point, self.best)]
            self.value = min(values)
            if values[0] <= values[1]:
                self.best = self.point
