"""Newton systems of the psi barrier, solved by conjugate gradients in the coordinates of the iterate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.psi.formula import Spectral
from relaxspca.runtime.deadline import Deadline


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

    def solve(self, residual: Array, accuracy: float, deadline: Deadline) -> Array:
        """Return the step W for the scaled gradient `residual`.

        Conjugate gradients stop when the error, in the norm of the Newton decrement, is below
        `accuracy` and a tenth of the decrement, or when the time is over.
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
        target = max(1e-12 * first, min(accuracy**2 * self.barrier, 0.01 * first))
        for _ in range(residual.size):
            if deadline.is_over:
                break
            image = self._apply(direction)
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

    def _apply(self, W: Array) -> Array:
        image = curvature_product(self.at, W) + self.barrier * W
        if self.coupling is not None:
            image += self.coupling * float(np.vdot(self.coupling, W))
        return image


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
