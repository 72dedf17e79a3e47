"""A first-order method for the penalised form of DSPCA: Nesterov's smoothing of its dual."""

from __future__ import annotations

import math

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.runtime.deadline import Deadline

__all__ = ["smooth_minimise"]


def smooth_minimise(
    cov: Covariance,
    rho: float,
    *,
    tol: float = 1e-3,
    time_limit: float | None = None,
    max_iterations: int = 5000,
) -> tuple[Array, Array]:
    r"""Solve the penalised form by a first-order method, for problems too large for cone programs.

    .. math:: \min_{|U_{ij}|\le\rho} \lambda_{\max}(\Sigma+U)

    Parameters
    ----------
    cov : Covariance of n variables.
    rho : penalty, at least 0 (variance).
    tol : float
        Duality gap at which to stop, relative to the largest eigenvalue.
    time_limit : seconds.
    max_iterations : int
        Each costs one eigendecomposition.

    Returns
    -------
    U : (n, n) symmetric, entries within rho
        The best dual point met; `relaxspca.relaxations.published.dspca.penalised_upper_bound` proves its bound.
    X : (n, n) positive semidefinite, of trace 1
        The primal point that goes with the last iterate.

    Notes
    -----
    With :math:`\mu=\epsilon/(2\log n)` the eigenvalue is replaced by
    :math:`\mu\log\operatorname{Tr}\exp((\Sigma+U)/\mu)-\mu\log n`, whose gradient X has Lipschitz constant
    :math:`1/\mu`; at most :math:`2\sqrt2\,\rho n\sqrt{\log n}/\epsilon` iterations are needed. The method
    stops at the true gap :math:`\lambda_{\max}(\Sigma+U)-\langle\Sigma,X\rangle+\rho\|X\|_1`.

    References
    ----------
    .. [1] A. d'Aspremont, L. El Ghaoui, M. Jordan and G. Lanckriet, SIAM Review 49:434-448, 2007, section 4.
    .. [2] Y. Nesterov, Smooth minimization of non-smooth functions, Math. Prog. 103:127-152, 2005.

    Examples
    --------
    >>> U, X = smooth_minimise(Covariance([[2.0, 1.0], [1.0, 2.0]]), 0.25)
    >>> round(float(np.linalg.eigvalsh(np.array([[2.0, 1.0], [1.0, 2.0]]) + U)[-1]), 2)
    2.5
    """
    Sigma = cov.matrix
    n = cov.n
    deadline = Deadline.after(time_limit)
    epsilon = tol * float(np.linalg.eigvalsh(Sigma)[-1])
    mu = epsilon / (2 * math.log(max(n, 2)))
    U, gradients = np.zeros((n, n)), np.zeros((n, n))
    best, least = U, math.inf
    X = np.eye(n) / n
    for i in range(max_iterations):
        top, X = _smoothed(Sigma + U, mu)
        if top < least:
            best, least = U, top
        if least - float(np.vdot(Sigma, X)) + rho * float(np.abs(X).sum()) <= epsilon:
            break
        if deadline.is_over:
            break
        gradients += (i + 1) / 2 * X
        step, average = np.clip(U - mu * X, -rho, rho), np.clip(-mu * gradients, -rho, rho)
        U = (2 * average + (i + 1) * step) / (i + 3)
        U = (U + U.T) / 2
    # The convex combination of two clipped matrices may round past the box.
    return np.clip(best, -rho, rho), X


def _smoothed(M: Array, mu: float) -> tuple[float, Array]:
    """Return the largest eigenvalue, and the gradient of the smoothed one, a matrix of trace 1."""
    values, vectors = np.linalg.eigh(M)
    weights = np.exp((values - values[-1]) / mu)
    weights /= weights.sum()
    return float(values[-1]), np.asarray((vectors * weights) @ vectors.T)
