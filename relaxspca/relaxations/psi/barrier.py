r"""Maximise psi's concave function by a log-det barrier with Newton steps from conjugate gradients.

At barrier mu the maximiser of :math:`f(X)+\mu\log\det X` over tr X = 1 has the gradient
:math:`G=\lambda I-\mu X^{-1}`, so its dual point is :math:`\mu r` from optimal: the method follows that path,
and every iterate gives a valid bound. Steps are taken in the coordinates :math:`X^{1/2}WX^{1/2}`, in which they
do not depend on how close X is to singular; first-order methods stall there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.psi.formula import Spectral
from relaxspca.relaxations.psi.penalty_search import INEXACT, Problem
from relaxspca.runtime.deadline import Deadline

SHRINK = 0.2  # factor of the barrier when the gap shows that the iterate is near the path
CENTRED = 3.0  # an iterate is near the path if its gap is at most this times mu times the order


class Iterate:
    """An iterate X with a penalty: its value, scaled gradient and bound."""

    def __init__(
        self, problem: Problem, spectral: Spectral, curvature: float, slope: float, excess: float
    ) -> None:
        root = np.sqrt(spectral.d)
        scaled = spectral.U * np.sqrt(spectral.theta)
        self.problem = problem
        self.spectral = spectral
        self.curvature = curvature
        self.slope = slope
        self.excess = excess
        self.scaled_gradient = scaled @ scaled.T
        self.linear = float(np.trace(self.scaled_gradient))
        self.constant = problem.penalty * spectral.rho
        self.value = self.linear + self.constant
        self._gradient = self.scaled_gradient / np.outer(root, root)

    def upper(self) -> float:
        """Return the upper bound of the dual point at X, in floating point."""
        return float(np.linalg.eigvalsh(self._gradient)[-1]) + self.constant

    def lower(self) -> float:
        """Return a lower bound on the optimum: the value less a bound, by convexity in rho, on its decrease."""
        if self.problem.rho is not None:
            return self.value
        rho = self.spectral.rho
        reach = rho if self.slope > 0 else self.problem.ceiling - rho
        return self.value - abs(self.slope) * reach - self.excess

    def merit(self, barrier: float) -> float:
        """Return the value of the barrier function."""
        inside = float(np.log(self.spectral.d).sum())
        if self.problem.rho is None:
            rho = self.spectral.rho
            inside -= math.log(rho * (self.problem.ceiling - rho))
        return self.value + barrier * inside

    def residual(self, barrier: float) -> Array:
        """Return the scaled gradient of the barrier function, projected on tr X = 1."""
        d = self.spectral.d
        diagonal = barrier - (self.linear + barrier * d.size) * d
        return self.scaled_gradient + np.diag(diagonal)


def ascend(problem: Problem, *, tol: float, enough: float, deadline: Deadline) -> tuple[Spectral, float]:
    """Follow the central path until the gap is below `tol`, relative to the value, or the bound is enough.

    Returned are the function at the point of least bound, and the largest value found, a lower bound.
    """
    order = len(problem.A) + (2 if problem.rho is None else 0)
    here = Iterate(problem, *problem.first())
    best, upper, lower = here, math.inf, -math.inf
    barrier = math.inf
    for _ in range(200):
        bound, value = here.upper(), here.lower()
        lower = max(lower, value)
        if bound < upper:
            best, upper = here, bound
        if upper - lower <= tol * abs(lower) or upper <= enough or deadline.is_over:
            break
        gap = max(bound - value, np.finfo(float).eps * abs(bound)) / order
        if math.isinf(barrier) or gap <= CENTRED * barrier:
            barrier = SHRINK * min(gap, barrier)
            if problem.rho is None:
                at = here.spectral
                here = Iterate(problem, *problem.best_at(at.d, at.Q, at.rho, barrier))
        following = _line_search(problem, here, barrier, deadline)
        if following is None:
            break
        here = following
    return best.spectral, lower


def _line_search(problem: Problem, here: Iterate, barrier: float, deadline: Deadline) -> Iterate | None:
    """Take the Newton step, halved until the barrier function rises; None if rounding or time prevents it."""
    spectral = here.spectral
    system = NewtonSystem(spectral, barrier, penalty_coupling(spectral, here.curvature))
    residual = here.residual(barrier)
    W = system.solve(residual, deadline)  # keeps the trace of X to first order
    slope = float(np.vdot(W, residual))
    merit = here.merit(barrier)
    noise = 1e-13 * abs(merit) + (2 * INEXACT * barrier if problem.rho is None else 0.0)
    length = 1.0
    while length > 1e-8 and not deadline.is_over:
        d, Q = np.linalg.eigh(_moved(spectral, length * W))
        following = Iterate(problem, *problem.best_at(d, Q, spectral.rho, barrier))
        if following.merit(barrier) >= merit + 0.01 * length * slope - noise:
            return following
        length /= 2
    return None


def _moved(spectral: Spectral, W: Array) -> Array:
    r"""Return a positive definite matrix of trace 1 equal to X^(1/2) (I + W) X^(1/2) to first order in W.

    An entry of W between a large and a small eigenvalue turns the large eigenvector: it enters a one-sided
    factor I + S, which keeps the large eigenvalue. The rest of W, between eigenvalues of similar size,
    scales X through its own eigenvalues w: by 1 + w where X grows and by 1/(1 - w) where it shrinks. The
    latter is Newton's method on the inverse, which takes an eigenvalue to mu/slack in one step.
    """
    d = spectral.d
    share = d / (d[:, None] + d)
    scaling = 2 * np.minimum(share, share.T) * W
    turn = np.maximum(share - share.T, 0) * W
    w, V = np.linalg.eigh(scaling)
    growth = np.where(w < 0, 1 / (1 - np.minimum(w, 0)), 1 + np.maximum(w, 0))
    factor = (spectral.Q * np.sqrt(d)) @ (V + turn @ V) * np.sqrt(growth)
    X = factor @ factor.T
    return np.asarray(X / np.trace(X))


@dataclass(frozen=True, eq=False)
class NewtonSystem:
    r"""The system of one Newton step, in scaled coordinates :math:`dX = X^{1/2}WX^{1/2}`.

    .. math:: -\nabla^2 f[W] + \mu W + g\langle g,W\rangle = R + \lambda D,\qquad \langle D,W\rangle = 0.

    In these coordinates the Hessian of log det is the identity, which bounds the condition number by
    :math:`1+2f/\mu` whatever the eigenvalues of X; f is homogeneous, so the identity W = I lies in the
    kernel of its Hessian. The preconditioner is the exact diagonal in the eigenbasis of X.

    Attributes
    ----------
    at : the iterate.
    barrier : mu, positive.
    coupling : (r, r) g, the term from eliminating the optimal rho; None when rho is fixed.
    """

    at: Spectral
    barrier: float
    coupling: Array | None

    def solve(self, residual: Array, deadline: Deadline) -> Array:
        """Return the step W for the scaled gradient `residual`.

        Conjugate gradients stop when the error, in the norm of the Newton decrement, is below the root of the
        barrier and a tenth of the decrement, or when the time is over.
        """
        inverse_diagonal = 1 / (np.maximum(hessian_diagonal(self.at), 0) + self.barrier)
        d = self.at.d
        scaled_trace = d * np.diagonal(inverse_diagonal)
        trace_norm = float(d @ scaled_trace)

        def preconditioned(r: Array) -> Array:
            z = inverse_diagonal * r
            z[np.diag_indices_from(z)] -= scaled_trace * float(d @ np.diagonal(z)) / trace_norm
            return z

        step = np.zeros_like(residual)
        r = residual.copy()
        z = preconditioned(r)
        direction = z
        product = first = float(np.vdot(r, z))
        target = max(1e-12 * first, min(self.barrier, 0.01 * first))
        for _ in range(residual.size):
            if deadline.is_over:
                break
            image = curvature_product(self.at, direction) + self.barrier * direction
            if self.coupling is not None:
                image += self.coupling * float(np.vdot(self.coupling, direction))
            bend = float(np.vdot(direction, image))
            if product <= target or bend <= 0:
                break
            length = product / bend
            step = step + length * direction
            r = r - length * image
            z = preconditioned(r)
            previous, product = product, float(np.vdot(r, z))
            direction = z + (product / previous) * direction
        return step


def curvature_product(at: Spectral, W: Array) -> Array:
    r"""Return :math:`-\nabla^2 f[W]` in scaled coordinates: two products of r x r by r x m."""
    U = at.U
    S = W @ U
    along = np.einsum("ji,ji->i", U, S)
    moved = at.lost * S
    mean = along * at.mean_kept + np.einsum("ji,ji->i", U, moved)
    T = at.theta * (moved + U * (along * at.kept - mean))
    product = T @ U.T
    return np.asarray(product + product.T)


def hessian_diagonal(at: Spectral) -> Array:
    """Return the diagonal of the negative Hessian for unit symmetric matrices of one or two entries, (r, r)."""
    squares = at.U**2
    weighted = at.theta * squares
    balance = at.kept - at.lost
    diagonal = (at.theta * (at.lost + 2 * squares * balance)) @ squares.T
    diagonal = diagonal + diagonal.T - 4 * (weighted * at.mean_kept) @ squares.T
    alone = at.lost * squares + (balance - at.mean_kept) * squares**2
    diagonal[np.diag_indices_from(diagonal)] = 2 * (at.theta * alone).sum(axis=1)
    return diagonal


def penalty_coupling(at: Spectral, curvature: float) -> Array | None:
    r"""Return the derivative of the scaled gradient in rho, divided by the root of the curvature in rho."""
    if not np.isfinite(curvature):
        return None
    U = at.U
    change = -U * (at.d[:, None] - at.shares) / at.poles
    T = at.theta * (change - np.einsum("ji,ji->i", U, change) * U) - at.shares / 2 * U
    g = T @ U.T
    return np.asarray((g + g.T) / np.sqrt(curvature))
