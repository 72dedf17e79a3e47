"""Minimise psi without a semidefinite solver: at a given rho, or for a given k at the best rho."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array, as_array, leading_eigenpair
from relaxspca.problem.penalty_line import penalty_line
from relaxspca.problem.scaling import normalised_factor, penalty_times, value_times
from relaxspca.relaxations.psi.barrier import Ascent, Problem, ascend
from relaxspca.relaxations.psi.formula import repair
from relaxspca.relaxations.psi.penalty_search import Columns
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.threads import one_thread

__all__ = ["NEWTON_STEP", "PsiSolution", "bound", "minimise"]

Indices = npt.NDArray[np.int64]

ROUGH = 1e-2  # relative gap at which the penalty is known well enough to reduce the rows
FEWER = 0.8  # rows are reduced if the active columns number at most this share of them
WARM = 1e-2  # weight of the identity in a warm start
FLOOR = 0.6  # of the rough penalty: no lower penalty is tried with reduced rows
KINK = 1e-5  # a larger relative gap after the joint search means that the bound has a kink in rho
NEWTON_STEP = 2.5  # eigendecompositions that a step takes as long as
PENALTIES = 40  # most fixed penalties tried at a kink


@dataclass(frozen=True, eq=False)
class PsiSolution:
    r"""A dual point of psi with upper and lower bounds on its optimum.

    Attributes
    ----------
    rho : float
        Penalty of a variable (variance).
    vectors : (r, n) array
        y_i, feasible: :math:`y_iy_i'\succeq a_ia_i'-\rho I`; 0 where :math:`\|a_i\|^2\le\rho`.
    inside : tuple of int
        Variables forced in.
    value : float
        Upper bound on psi(rho), in floating point; with variables J forced in, on
        :math:`\max_X\sum_J\langle B_i,X\rangle+\sum_{i\notin J}\theta_i(X)`.
    lower : float
        Lower bound on psi(rho) if rho was given, and on the minimum of psi(rho) + rho k over rho
        if k was.
    X : (r, r) array
        The primal matrix that goes with the dual point; a warm start.
    iterations, evaluations : int
        Newton steps, and evaluations of the relaxation (one eigendecomposition each).
    """

    rho: float
    vectors: Array
    inside: tuple[int, ...]
    value: float
    lower: float
    X: Array
    iterations: int
    evaluations: int

    def bound(self, k: int) -> float:
        """Return the bound on the variance of every support of at most k variables."""
        return penalty_line(self.value, self.rho, k)


def minimise(
    A: Array,
    rho: float,
    *,
    inside: Iterable[int] = (),
    start: PsiSolution | None = None,
    tol: float = 1e-6,
    time_limit: float | None = None,
    max_iterations: int = 200,
) -> PsiSolution:
    r"""Compute psi(rho) and its dual vectors.

    Parameters
    ----------
    A : (r, n) array, the factor.
    rho : float, at least 0 (variance).
    inside : variables forced in.
    start : PsiSolution, optional
        Solution of a neighbouring problem with the same rows.
    tol : float
        Relative duality gap to reach.
    time_limit : float, optional
        Seconds.
    max_iterations : int

    Examples
    --------
    >>> solution = minimise(np.array([[2.0, 1.0], [0.0, 1.0]]), 0.5)
    >>> bool(solution.lower <= solution.value <= solution.lower * (1 + 1e-6))
    True
    """
    forced = tuple(int(i) for i in inside)
    A, q = normalised_factor(A)
    search = _PsiSearch(A, forced, time_limit, max_iterations)
    first = None if start is None else _times(start, -q)
    with one_thread(max(A.shape)):
        found = search.at_penalty(penalty_times(float(rho), -q), first, tol)
    return _times(found, q)


def bound(
    A: Array,
    k: int,
    *,
    inside: Iterable[int] = (),
    lower: float | None = None,
    start: PsiSolution | None = None,
    start_rho: float | None = None,
    tol: float = 1e-6,
    time_limit: float | None = None,
    max_iterations: int = 200,
) -> PsiSolution:
    r"""Minimise psi(rho) + rho k over rho: the relaxation's bound for k variables.

    Parameters
    ----------
    A : (r, n) array, the factor.
    k : int, from 1 to n.
    inside : variables forced in, at most k.
    lower : float, optional
        A known value; the method stops once the bound shows that nothing is better.
    start, tol, time_limit, max_iterations : as in `minimise`.
    start_rho : float, optional
        First penalty tried, the middle of a candidate's admissible interval for example.

    Examples
    --------
    >>> A = np.array([[2.0, 1.0], [0.0, 1.0]])
    >>> round(bound(A, 1).bound(1), 5)
    4.0
    """
    forced = tuple(int(i) for i in inside)
    A, q = normalised_factor(A)
    wanted = None if lower is None else value_times(lower, -q)
    search = _PsiSearch(A, forced, time_limit, max_iterations, wanted=wanted)
    first = None if start_rho is None else penalty_times(start_rho, -q)
    with one_thread(max(A.shape)):
        found = search.at_cardinality(int(k), None if start is None else _times(start, -q), first, tol)
    return _times(found, q)


class _PsiSearch:
    """A run for one factor: its forced variables and limits."""

    def __init__(
        self,
        A: Array,
        inside: tuple[int, ...],
        time_limit: float | None,
        max_iterations: int,
        wanted: float | None = None,
    ) -> None:
        self.A = A
        self.inside = inside
        self.deadline = Deadline.after(time_limit)
        self.max_iterations = max_iterations
        self.wanted = -math.inf if wanted is None else wanted
        norms = np.einsum("ji,ji->i", A, A)
        free = np.setdiff1d(np.arange(A.shape[1]), inside)
        self.order = free[np.argsort(-norms[free], kind="stable")]
        self.norms = norms[self.order]

    def at_penalty(self, rho: float, start: PsiSolution | None, tol: float) -> PsiSolution:
        active = self.order[self.norms > rho]
        if active.size == 0:
            return self._without_free(rho, 0)
        if not self.deadline.allows(self.A.shape[0], times=NEWTON_STEP):
            return self._collinear(active, rho)
        rows = self._rows(active)
        problem = self._problem(active, rows, -len(self.inside), rho, 0.0)
        X = _start(problem, rows, None if start is None else start.X)
        return self._solution(self._ascend(problem, X, rho, tol), active, rows)

    def at_cardinality(
        self, k: int, start: PsiSolution | None, start_rho: float | None, tol: float
    ) -> PsiSolution:
        penalty = k - len(self.inside)
        largest = float(self.norms[0]) if self.order.size else 0.0
        if penalty == 0 or k == 1 or largest == 0:
            # At most one variable is to be chosen: the penalty of the largest variance gives the bound.
            return self._without_free(largest, k)
        rho = start_rho if start_rho is not None else (start.rho if start is not None else largest / 2)
        everything, rows = self.order, self._rows(self.order)
        problem = self._problem(everything, rows, penalty, None, 0.0)
        X = _start(problem, rows, None if start is None else start.X)
        rough = self._ascend(problem, X, rho, max(tol, ROUGH))
        if self._is_over(rough.upper):
            return self._solution(rough, everything, rows)
        found, X = rough.best.spectral.rho, _on_all_rows(rough.best.X, rows)
        floor = FLOOR * found
        likely = self.order[self.norms > floor]
        if likely.size + len(self.inside) <= FEWER * self.A.shape[0]:
            fine = self._refined(likely, floor, penalty, found, X, tol)
            if fine.rho > 1.01 * floor:
                return fine
        return self._refined(everything, 0.0, penalty, found, X, tol)

    def _refined(
        self, active: Indices, floor: float, penalty: int, rho: float, X: Array, tol: float
    ) -> PsiSolution:
        """Search matrix and penalty above a floor; if they do not converge, solve at fixed penalties."""
        rows = self._rows(active)
        problem = self._problem(active, rows, penalty, None, floor)
        fine = self._ascend(problem, _start(problem, rows, X), rho, tol)
        best = self._solution(fine, active, rows)
        k = penalty + len(self.inside)
        if fine.upper - fine.lower <= tol * abs(fine.lower) or self._is_over(fine.upper):
            return best
        settled = min(self._at_fixed_penalties(best, k, tol), key=lambda found: found.bound(k))
        if settled.bound(k) >= best.bound(k):
            return best
        # A new joint search from the better penalty; only its lower bound is used.
        again = self._ascend(problem, _start(problem, rows, settled.X), settled.rho, tol)
        return replace(settled, lower=max(best.lower, again.lower))

    def _at_fixed_penalties(self, best: PsiSolution, k: int, tol: float) -> Iterator[PsiSolution]:
        """Yield solutions at fixed penalties: the best so far and, if the bound has a kink, a line search's."""
        from scipy.optimize import minimize_scalar

        found = [self.at_penalty(best.rho, best, tol)]
        yield found[0]
        if found[0].bound(k) <= best.lower + KINK * abs(best.lower) or not self.order.size:
            return

        def bound_at(rho: float) -> float:
            if self._is_over(found[-1].bound(k)):
                return math.inf
            found.append(self.at_penalty(rho, best, tol))
            return found[-1].bound(k)

        ends = (best.rho / 2, min(2 * best.rho, float(self.norms[0])))
        if ends[0] < ends[1]:
            minimize_scalar(bound_at, bounds=ends, method="bounded", options={"maxiter": PENALTIES})
        yield from found[1:]

    def _is_over(self, upper: float) -> bool:
        return upper <= self.wanted or self.deadline.is_over

    def _ascend(self, problem: Problem, X: Array, rho: float, tol: float) -> Ascent:
        return ascend(
            problem,
            X,
            rho,
            tol=tol,
            max_iterations=self.max_iterations,
            deadline=self.deadline,
            enough=lambda upper: upper <= self.wanted,
        )

    def _rows(self, active: Indices) -> Array | None:
        """Return an orthonormal basis of the columns in use; None if they are as many as the rows or more."""
        used = np.concatenate([np.asarray(self.inside, dtype=np.int64), active])
        if used.size >= self.A.shape[0]:
            return None
        return np.linalg.qr(self.A[:, used])[0]

    def _problem(
        self, active: Indices, rows: Array | None, penalty: int, rho: float | None, floor: float
    ) -> Problem:
        A, inside = self.A[:, active], self.A[:, list(self.inside)]
        if rows is not None:
            A, inside = rows.T @ A, rows.T @ inside
        columns = Columns(A, self.norms[: active.size], floor)
        return Problem(columns, inside @ inside.T, penalty, rho)

    def _without_free(self, rho: float, k: int) -> PsiSolution:
        """Return the solution if no free variable contributes; it takes one eigenvalue."""
        r, n = self.A.shape
        inside = self.A[:, list(self.inside)]
        values, vectors = np.linalg.eigh(inside @ inside.T)
        value = float(values[-1]) - rho * len(self.inside)
        X = as_array(np.outer(vectors[:, -1], vectors[:, -1]))
        return PsiSolution(rho, as_array(np.zeros((r, n))), self.inside, value, value + rho * k, X, 0, 0)

    def _collinear(self, active: Indices, rho: float) -> PsiSolution:
        """Return the dual point of multiples of the columns themselves, and X of the largest of all vectors."""
        A, inside = self.A[:, active], self.A[:, list(self.inside)]
        Y = np.zeros_like(self.A)
        Y[:, active] = A * np.sqrt(1 - rho / self.norms[: active.size])
        used = np.hstack([inside, Y[:, active]])
        value, x = leading_eigenpair(used @ used.T)
        gains = np.maximum((x @ A) ** 2 - rho, 0.0).sum() + ((x @ inside) ** 2).sum()
        paid = rho * len(self.inside)
        X = as_array(np.outer(x, x))
        return PsiSolution(rho, as_array(Y), self.inside, value - paid, float(gains) - paid, X, 0, 0)

    def _solution(self, ascent: Ascent, active: Indices, rows: Array | None) -> PsiSolution:
        spectral = ascent.best.spectral
        used = active[spectral.active]
        vectors = spectral.vectors if rows is None else rows @ spectral.vectors
        Y = np.zeros_like(self.A)
        Y[:, used] = repair(self.A[:, used], vectors, spectral.rho)
        inside = self.A[:, list(self.inside)]
        G = Y[:, used] @ Y[:, used].T + inside @ inside.T
        value = float(np.linalg.eigvalsh(G)[-1]) - spectral.rho * len(self.inside)
        return PsiSolution(
            spectral.rho,
            as_array(Y),
            self.inside,
            value,
            ascent.lower,
            as_array(_on_all_rows(ascent.best.X, rows)),
            ascent.iterations,
            ascent.evaluations,
        )


def _times(solution: PsiSolution, q: int) -> PsiSolution:
    """Return a solution for A as one for 2**q A."""
    if q == 0:
        return solution
    with np.errstate(under="ignore"):
        vectors = as_array(np.ldexp(solution.vectors, q))
    rho, value, lower = (value_times(x, q) for x in (solution.rho, solution.value, solution.lower))
    return replace(solution, rho=rho, vectors=vectors, value=value, lower=lower)


def _start(problem: Problem, rows: Array | None, X: Array | None) -> Array:
    """Return a positive definite start: the given matrix mixed with the identity, or the identity."""
    r = problem.forced.shape[0]
    centre: Array = np.eye(r) / r
    if X is None:
        return centre
    if rows is not None:
        X = np.asarray(rows.T @ X @ rows)
    return np.asarray((1 - WARM) * X / np.trace(X) + WARM * centre)


def _on_all_rows(X: Array, rows: Array | None) -> Array:
    """Return a matrix on the reduced rows as a matrix on all rows."""
    return X if rows is None else np.asarray(rows @ X @ rows.T)
