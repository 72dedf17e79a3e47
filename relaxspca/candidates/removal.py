"""Choose the variable to remove from a block without an eigendecomposition at every step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array

__all__ = ["Resolvent"]

# First distance, and largest useful distance, of the shift from the largest eigenvalue, relative to the
# distance of the second eigenvalue.
_START = 0.02
_REACH = 0.2
_ITERATIONS = 30


@dataclass(eq=False)
class Resolvent:
    r"""The inverse of s I - B for a block B and a shift s a little above its largest eigenvalue.

    Removing variable i costs the loss x, the least root of

    .. math:: x = q_i^2 / g_i(\mu_1 - x), \qquad g_i(\lambda) = \sum_{l \ge 2} \frac{q_{il}^2}{\lambda - \mu_l}

    where :math:`\mu_1 > \mu_2 \ge \dots` are the eigenvalues of B and q is the leading eigenvector. The
    diagonals of K and of its square give :math:`g_i` and its derivative at s, and so bounds on every loss.

    Attributes
    ----------
    shift : float
        s.
    second : float
        An upper bound on the second eigenvalue, which falls with the block.
    K : (m, m) array, the inverse.
    q : (m,) array
        Leading eigenvector; the start of the next inverse iteration.
    """

    shift: float
    second: float
    K: Array
    q: Array

    @classmethod
    def of(cls, values: Array, Q: Array) -> Resolvent | None:
        """Return the resolvent from ascending eigenpairs of a block; None if the largest two are too close."""
        lead = float(values[-1] - values[-2])
        if lead <= 1e-4 * float(np.abs(values).max()):
            return None
        shift = float(values[-1]) + _START * lead
        return cls(shift, float(values[-2]), (Q / (shift - values)) @ Q.T, Q[:, -1])

    def cheapest(self) -> int | None:
        """Return the variable whose removal is proved to cost least; None if the bounds do not decide."""
        image = self.K @ self.q
        for _ in range(_ITERATIONS):
            before, self.q = self.q, image / np.linalg.norm(image)
            image = self.K @ self.q
            if np.abs(self.q - before).max() < 1e-15:
                break
        distance = 1.0 / float(self.q @ image)  # s - mu_1
        reach = self.shift - self.second
        if distance > _REACH * reach:
            return None
        square = self.q * self.q
        value = np.diagonal(self.K) - square / distance
        slope = np.einsum("ij,ij->i", self.K, self.K) - square / distance**2
        if value.min() <= 0.0 or slope.min() < 0.0:
            return None
        # At mu_1 - x each term a = 1/(s - mu_l) of g becomes a / (1 - a h), h = distance + x: at least
        # a + a^2 h and at most a + a^2 h / (1 - h / reach).
        high = square / (value + slope * distance)
        # The right-hand side falls as x grows, so that the loss is at least the less of any x and its image.
        trial = np.minimum(high, 0.25 * reach - distance)
        h = distance + trial
        low = np.minimum(trial, square / (value + slope * h / (1.0 - h / reach)))
        best = int(np.argmin(high))
        limit = high[best] * (1.0 + 1e-6) + 1e-12 * abs(self.shift)
        return best if np.count_nonzero(low <= limit) == 1 else None

    def without(self, i: int) -> Resolvent:
        """Return the resolvent of the block without variable i, by a rank-one update."""
        column = np.delete(self.K[i], i)
        K = np.delete(np.delete(self.K, i, axis=0), i, axis=1)
        K -= np.outer(column / self.K[i, i], column)
        return Resolvent(self.shift, self.second, K, np.delete(self.q, i))
