"""Methods for one psi(rho) that the barrier method was chosen against, each from X = I/r.

Every method returns its history: pairs of seconds and relative duality gap, best bound against best value.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import minimize

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.psi.formula import evaluate
from relaxspca.relaxations.psi.minimise import minimise

History = list[tuple[float, float]]


class _Done(Exception):  # noqa: N818, ends a run from inside a callback
    pass


@dataclass
class _Run:
    """Best bound and best value so far, with the clock."""

    seconds: float
    tol: float
    upper: float = np.inf
    lower: float = 0.0
    start: float = field(default_factory=time.process_time)
    history: History = field(default_factory=list)

    def note(self, value: float, G: Array) -> None:
        self.lower = max(self.lower, value)
        self.upper = min(self.upper, float(np.linalg.eigvalsh(G)[-1]))
        spent = time.process_time() - self.start
        self.history.append((spent, (self.upper - self.lower) / self.lower))
        if self.history[-1][1] <= self.tol or spent >= self.seconds:
            raise _Done


def barrier(A: Array, rho: float, *, seconds: float, tol: float) -> History:
    """Log-det barrier with Newton steps: the package's own, run anew for each accuracy."""
    history = []
    for goal in (1e-1, 1e-2, 1e-3, 1e-4, tol):
        start = time.process_time()
        found = minimise(A, rho, tol=goal, time_limit=seconds)
        gap = (found.value - found.lower) / found.lower
        history.append((time.process_time() - start, gap))
    return history


def quasi_newton(A: Array, rho: float, *, seconds: float, tol: float) -> History:
    """L-BFGS on a factor, X = (1 - e) L L' / |L|^2 + e I / r, with e from 1e-2 down to 1e-6."""
    r, run = A.shape[0], _Run(seconds, tol)
    L = np.eye(r) / np.sqrt(r)
    try:
        for ridge in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6):

            def objective(flat: Array, ridge: float = ridge) -> tuple[float, Array]:
                L = flat.reshape(r, r)
                size = float((L * L).sum())
                X = (1 - ridge) * L @ L.T / size + ridge * np.eye(r) / r
                at = evaluate(X, A, rho)
                value, G = float(at.theta.sum()), at.gradient
                run.note(value, G)
                inner = float(np.vdot(L, G @ L)) / size
                return -value, (-2 * (1 - ridge) / size * (G @ L - inner * L)).ravel()

            options = {"maxiter": 2000, "maxcor": 20, "ftol": 1e-13, "gtol": 1e-12}
            L = minimize(objective, L.ravel(), jac=True, method="L-BFGS-B", options=options).x.reshape(r, r)
    except _Done:
        pass
    return run.history


def frank_wolfe(A: Array, rho: float, *, seconds: float, tol: float) -> History:
    """Steps to the leading eigenvector of the gradient, their length by golden section."""
    r, run = A.shape[0], _Run(seconds, tol)
    X = np.eye(r) / r
    try:
        while True:
            at = evaluate(X, A, rho)
            G = at.gradient
            run.note(float(at.theta.sum()), G)
            x = np.linalg.eigh(G)[1][:, -1:]
            X = _best_between(X, x @ x.T, A, rho)
    except _Done:
        pass
    return run.history


def _best_between(X: Array, vertex: Array, A: Array, rho: float) -> Array:
    """Return the best of X + t (vertex - X) over 0 <= t <= 0.999, to about a hundredth."""
    low, high, golden = 0.0, 0.999, (np.sqrt(5) - 1) / 2

    def value(t: float) -> float:
        return float(evaluate((1 - t) * X + t * vertex, A, rho).theta.sum())

    for _ in range(12):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if value(left) < value(right):
            low = left
        else:
            high = right
    t = 0.5 * (low + high)
    return np.asarray((1 - t) * X + t * vertex)


def averaged_duals(A: Array, rho: float, *, seconds: float, tol: float) -> History:
    r"""Mirror ascent with the entropy, its bound from averages of the dual points.

    The multipliers q_i = X v_i satisfy a_i'q_i = 1, and Y(q) = (a - rho q)(a - rho q)'/(1 - rho |q|^2) is
    convex in q: an average of q's is a dual point at least as good as the average of the Y's.
    """
    r, run = A.shape[0], _Run(seconds, tol)
    total, q_mean, weight = np.zeros((r, r)), np.zeros_like(A), 0.0
    X = np.eye(r) / r
    step = None
    try:
        while True:
            at = evaluate(X, A, rho)
            G = at.gradient
            run.note(float(at.theta.sum()), G)
            q = at.Q @ (at.d[:, None] * at.C / at.poles)
            step = step or 8 / np.linalg.eigvalsh(G)[-1]
            weight += 1
            q_mean += (q - q_mean) / weight
            rest = 1 - rho * (q_mean**2).sum(axis=0)
            if (rest > 0).all():
                Y = (A - rho * q_mean) / np.sqrt(rest)
                run.note(run.lower, Y @ Y.T)
            total += step * G
            w, V = np.linalg.eigh(total)
            weights = np.exp(w - w[-1])
            X = (V * (weights / weights.sum())) @ V.T
            X = (1 - 1e-9) * X + 1e-9 * np.eye(r) / r
    except _Done:
        pass
    return run.history


METHODS: dict[str, Callable[..., History]] = {
    "barrier": barrier,
    "quasi-Newton on a factor": quasi_newton,
    "averaged duals (mirror ascent)": averaged_duals,
    "Frank-Wolfe": frank_wolfe,
}
