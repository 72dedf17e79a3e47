r"""Maximise :math:`x'\Sigma x` over unit vectors :math:`x\ge0` on few variables.

**Lemma.** Let x be a maximiser that is positive on all of S and 0 elsewhere. Then :math:`x_S` is a leading
eigenvector of :math:`\Sigma_{SS}`. *Proof.* :math:`x_S` is a local maximum of the Rayleigh quotient on the
sphere, which has no local maxima but the global ones.

So the value on T is :math:`\lambda_{\max}(\Sigma_{TT})` at most, and where a leading eigenvector has entries of
both signs the maximum is attained with some entry 0: it is then the largest over the subsets with one variable
fewer.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from relaxspca.candidates.rows import EVALUATED
from relaxspca.numerics.linalg import Array, leading_eigenpair


def best_nonnegative(Sigma: Array, enough: float = -math.inf) -> Array:
    """Return a unit vector x >= 0 of largest x'Sigma x, in floating point.

    Parameters
    ----------
    Sigma : (k, k) block.
    enough : subsets whose largest eigenvalue is at most this are not divided further.

    Examples
    --------
    >>> best_nonnegative(np.array([[2.0, -1.0], [-1.0, 3.0]])).tolist()
    [0.0, 1.0]
    """
    k = len(Sigma)
    best, value = np.zeros(k), -math.inf
    level, count = {tuple(range(k))}, 0
    while level:
        count += len(level)
        following: set[tuple[int, ...]] = set()
        for S in sorted(level):
            block = Sigma[np.ix_(S, S)]
            top, vector = leading_eigenpair(block)
            clipped = np.maximum(vector if vector.sum() > 0 else -vector, 0.0)
            clipped /= np.linalg.norm(clipped)
            here = float(clipped @ block @ clipped)
            if here > value:
                value, best = here, np.zeros(k)
                best[list(S)] = clipped
            is_mixed = vector.min() < -1e-9 and vector.max() > 1e-9
            if is_mixed and top > max(enough, value) and count < EVALUATED:
                following.update(combinations(S, len(S) - 1))
        level = following
    return best
