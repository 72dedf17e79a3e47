"""Vectorised secular equations: the positive eigenvalue of X^(1/2) (a_i a_i' - rho I) X^(1/2) for all i."""

import numpy as np

from relaxspca.numerics.linalg import HALVINGS, UNIT_ROUNDOFF, Array


def secular_roots(C: Array, d: Array, rho: float) -> Array:
    r"""Return the positive root of one secular equation for each column of `C`.

    .. math:: \sum_j \frac{d_j c_{ji}^2}{\theta_i + \rho d_j} = 1.

    :math:`\theta_i` is the positive eigenvalue of :math:`D^{1/2}(c_i c_i' - \rho I)D^{1/2}`.

    Parameters
    ----------
    C : (r, m) columns with :math:`\|c_i\|^2 > \rho`.
    d : (r,) positive eigenvalues.
    rho : float, at least 0.

    Returns
    -------
    (m,) positive roots.

    Notes
    -----
    The left side is a sum :math:`\varphi` of simple poles, so :math:`1/\varphi` is concave and increasing
    (a weighted harmonic mean of affine functions): Newton's method on :math:`1/\varphi=1` rises
    monotonically from any point below the root, and is exact for a single pole. It starts from the larger
    of two Rayleigh quotients, with :math:`u\propto D^{1/2}c` (exact when D has rank one) and
    :math:`u\propto D^{-1/2}c` (exact in the limit :math:`\|c\|^2\to\rho`).

    References
    ----------
    .. [1] R.-C. Li, Solving secular equations stably and efficiently, LAPACK working note 89, 1993.

    Examples
    --------
    >>> secular_roots(np.array([[2.0], [0.0]]), np.array([0.5, 0.5]), 1.0).tolist()
    [1.5]
    """
    squares = C * C
    weights = d[:, None] * squares
    poles = (rho * d)[:, None]
    below = _rayleigh_quotients(squares, weights, d, rho)
    theta = below
    for _ in range(HALVINGS):
        inverse = 1 / (theta + poles)
        terms = weights * inverse
        value = terms.sum(axis=0)
        slope = np.einsum("ji,ji->i", terms, inverse)
        step = value * (value - 1) / slope
        theta = np.maximum(theta + step, below)
        if ((step <= 1e-14 * theta) | (value <= 1 + 8 * UNIT_ROUNDOFF)).all():
            break
    return theta


def _rayleigh_quotients(squares: Array, weights: Array, d: Array, rho: float) -> Array:
    """Return a positive lower bound on every root."""
    norms = squares.sum(axis=0)
    first = weights.sum(axis=0)
    along = first - rho * (d @ weights) / first
    onset = norms * (norms - rho) / (squares / d[:, None]).sum(axis=0)
    # Rotation may round the norm of a column down to rho: the root is then 0 up to rounding.
    return np.asarray(np.maximum(np.maximum(along, onset), np.finfo(float).eps ** 2 * first))
