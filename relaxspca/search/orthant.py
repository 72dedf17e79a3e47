r"""Bound :math:`\max x'\Sigma x` over unit vectors :math:`x\ge0` on few variables.

**Lemma.** Let x be a maximiser that is positive on all of S and 0 elsewhere. Then :math:`x_S` is a leading
eigenvector of :math:`\Sigma_{SS}`. *Proof.* :math:`x_S` is a local maximum of the Rayleigh quotient on the
sphere, which has no local maxima but the global ones.

So the value on T is :math:`\lambda_{\max}(\Sigma_{TT})` at most, and where every leading eigenvector has
entries of both signs some entry of the maximiser is 0: the value is then the largest over the subsets with
one variable fewer.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, eigenvalue_upper, leading_eigenpair, norm_upper

__all__ = ["orthant_bounds"]


MOST = 1000  # subsets


def orthant_bounds(
    Sigma: Array, rounding: float = 0.0, enough: float = -math.inf, most: int = MOST
) -> tuple[float, Array]:
    """Return a proved upper bound on x'Sigma x over nonnegative unit vectors, and the best vector found.

    Parameters
    ----------
    Sigma : (k, k) block, which misses the exact one by at most `rounding` in the spectral norm.
    enough : subsets whose bound is at most this are not divided further.
    most : subsets after which none is divided further; the bound stays valid but is less tight.

    Returns
    -------
    upper : float
    vector : (k,) unit, at least 0.

    Examples
    --------
    >>> upper, x = orthant_bounds(np.array([[2.0, -1.0], [-1.0, 3.0]]))
    >>> 3.0 <= upper <= 3.0 + 1e-9, x.tolist()
    (True, [0.0, 1.0])
    """
    k = len(Sigma)
    upper, best, value = -math.inf, np.zeros(k), -math.inf
    level, count = {tuple(range(k))}, 0
    while level:
        count += len(level)
        following: set[tuple[int, ...]] = set()
        for S in sorted(level):
            block = Sigma[np.ix_(S, S)]
            bound = eigenvalue_upper(block, rounding)
            vector = leading_eigenpair(block)[1]
            clipped = np.maximum(vector if vector.sum() > 0 else -vector, 0.0)
            clipped /= np.linalg.norm(clipped)
            here = float(clipped @ block @ clipped)
            if here > value:
                value, best = here, np.zeros(k)
                best[list(S)] = clipped
            is_open = bound > max(enough, upper) and len(S) > 1 and count < most
            if is_open and _is_mixed(block, vector, bound, rounding):
                following.update(combinations(S, len(S) - 1))
            else:
                upper = max(upper, bound)
        level = following
    return upper, best


def _is_mixed(block: Array, u: Array, largest: float, rounding: float) -> bool:
    r"""Say whether every leading eigenvector is proved to have entries of both signs.

    With :math:`\lambda_2\le\mu=\lambda_{\max}(\Sigma-cuu')` for every c >= 0 and the Rayleigh quotient
    :math:`\theta` of u, the angle to a leading eigenvector has
    :math:`\sin^2\le(\lambda_1-\theta)/(\lambda_1-\mu)`.
    """
    error = 32 * (len(u) + 8) * UNIT_ROUNDOFF * norm_upper(block) + rounding
    theta = float(u @ block @ u) - error
    c = abs(theta) + norm_upper(block)
    mu = eigenvalue_upper(block - c * np.outer(u, u), rounding + error + 16 * len(u) * UNIT_ROUNDOFF * c)
    if not theta > mu:
        return False
    sine = math.sqrt(max(largest - theta, 0.0) / (theta - mu)) * (1 + 1e-9) + 1e-15
    # A unit vector at this angle is off by at most sqrt(2) times the sine in every entry.
    return sine < 0.5 and float(u.max()) > 1.5 * sine and float(u.min()) < -1.5 * sine
