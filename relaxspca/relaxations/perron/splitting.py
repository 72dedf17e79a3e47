r"""The Perron relaxation of many variables by splitting: alternating directions between two simple sets.

The relaxation (`relaxations.perron.formula`) maximises a linear function of X, R and x over both

    A:  X psd, tr X = 1;  R_ij = x_i for j forced in,  0 <= R_ij <= x_i and sum_j R_ij <= s_i x_i for free j,
    B:  X_ij^2 <= R_ij R_ji  for all pairs;  x_i = X_ii.

Row i has s_i places for free partners, k - 1 where nothing is forced in. A projection onto A takes eigenvectors
and a threshold for each row, one onto B a cone in three dimensions for each pair. The multipliers of B are a
dual point: charges N and P with P_ij^2 <= N_ij N_ji. The steps are those of Boyd, Parikh, Chu, Peleato and
Eckstein (Foundations and Trends in Machine Learning 3, 2011, section 3), in single precision: they lead to a
point, and what it proves is evaluated in double.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array, Mask
from relaxspca.problem.size import Size
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.threads import one_thread

Single = npt.NDArray[Any]  # of np.float32

RELAXATION = 1.8  # over-relaxation of the steps, as in section 3.4.3 of the source
PENALTY = 0.5  # of the norm of the first P: X has trace one, so both change by as much
ROW_STEPS, THRESHOLD_STEPS = 3, 2  # of Newton in each projection, from where those of the last one ended
SHARE = 0.2  # of the eigenvectors: up to it computing them alone is quicker than computing all
LEVELS = 8  # clippings of Sigma that are compared for the first P


class Splitting:
    """The relaxation of a node while it is being solved, for one cardinality of at least 2 and no classes.

    It begins at the P and N of `point`, by default at Sigma clipped at the best of a few levels.

    Examples
    --------
    >>> import relaxspca as rs
    >>> from relaxspca.problem.size import Cardinality
    >>> from relaxspca.relaxations.perron.formula import perron_point, upper_bound
    >>> cov = rs.datasets.load_pitprops()
    >>> state = Splitting(cov.matrix, np.zeros(13, dtype=bool), Cardinality(4), scale=3.0)
    >>> state.advance(200)
    >>> upper_bound(cov, perron_point(np.arange(13), *state.point()), 4) < 2.96
    True
    """

    def __init__(
        self, Sigma: Array, inside: Mask, size: Size, *, scale: float, point: tuple[Array, Array] | None = None
    ) -> None:
        self.inside, self.size, self.scale = inside, size, scale
        self.Sigma = self._single(Sigma)
        P, N = self._clipped() if point is None else map(self._single, point)
        self.penalty = np.float32(max(PENALTY * float(np.linalg.norm(P)), 1e-6))
        m = len(P)
        # Copies of X and R in B; x is the diagonal of X there. Then the scaled multipliers.
        self.X, self.R = np.zeros((m, m), dtype=np.float32), np.zeros((m, m), dtype=np.float32)
        self.by_X, self.by_R = P / self.penalty, -N / self.penalty
        self.by_x = self._row_sums(N) / self.penalty
        np.fill_diagonal(self.by_X, -self.by_x)
        self.x, self.theta = np.zeros(m, dtype=np.float32), np.zeros(m, dtype=np.float32)
        self.count = 0

    def advance(self, steps: int, deadline: Deadline = FOREVER) -> None:
        """Take so many steps, or as many as there is time for."""
        with one_thread(len(self.X)):
            for _ in range(steps):
                if deadline.is_over:
                    return
                self._step()

    def point(self) -> tuple[Array, Array]:
        """Return P and N (variance) of the present dual point, feasible up to rounding."""
        factor = float(self.penalty) * self.scale
        P, N = factor * self.by_X.astype(float), factor * np.maximum(-self.by_R.astype(float), 0.0)
        np.fill_diagonal(P, 0.0)
        np.fill_diagonal(N, 0.0)
        return (P + P.T) / 2, N

    def keep(self, kept: Mask, inside: Mask) -> None:
        """Leave out all other variables; those `inside` of what is left are forced in."""
        block = np.ix_(kept, kept)
        for name in ("Sigma", "X", "R", "by_X", "by_R"):
            setattr(self, name, getattr(self, name)[block])
        for name in ("by_x", "x", "theta"):
            setattr(self, name, getattr(self, name)[kept])
        self.inside = inside

    def _single(self, M: Array) -> Single:
        """Return a matrix (variance) in the unit and the precision of the steps."""
        return np.clip(M / self.scale, -1e8, 1e8).astype(np.float32)  # squares of steps fit into it

    def _row_sums(self, charges: Single) -> Single:
        """Return what each row pays at most."""
        return self.size.row_charges(charges, self.inside).total.astype(np.float32)

    def _clipped(self) -> tuple[Single, Single]:
        """Return Sigma clipped off its diagonal, at the best of a few levels, and its absolute values."""
        off = self.Sigma.copy()
        np.fill_diagonal(off, 0.0)
        best, least = off, np.inf
        for level in np.abs(off).max() * np.geomspace(0.1, 1.0, LEVELS):
            P = np.clip(off, -level, level)
            bound = np.linalg.eigvalsh(self.Sigma - P + np.diag(self._row_sums(np.abs(P))))[-1]
            if bound < least:
                best, least = P, bound
        return best, np.abs(best)

    def _step(self) -> None:
        diagonal = np.diag_indices(len(self.X))
        X = self._in_spectraplex(self.X - self.by_X + self.Sigma / self.penalty)
        before = self.X[diagonal]
        charged = self.R - self.by_R
        charged[diagonal] = -np.inf  # a variable does not pay for itself
        R = self._in_rows(before - self.by_x, charged)
        far, near = np.float32(RELAXATION), np.float32(1 - RELAXATION)
        X = far * X + near * self.X + self.by_X
        R = far * R + near * self.R + self.by_R
        x = far * self.x + near * before + self.by_x
        self.X, self.R = _in_cones(X, R)
        self.X[diagonal] = (X[diagonal] + x) / 2
        self.by_X, self.by_R, self.by_x = X - self.X, R - self.R, x - self.X[diagonal]
        self.by_R[diagonal] = 0.0

    def _in_spectraplex(self, W: Single) -> Single:
        """Project onto the semidefinite matrices of trace one; few eigenvectors are left as a rule."""
        import scipy.linalg

        m, few = len(W), int(1.3 * self.count) + 8
        while few <= SHARE * m:
            values, vectors = scipy.linalg.eigh(
                W, driver="evr", subset_by_index=(m - few, m - 1), check_finite=False
            )
            levels = _in_simplex(values)
            if levels[0] == 0:
                break
            few *= 2
        else:
            values, vectors = scipy.linalg.eigh(W, driver="evd", check_finite=False)  # numpy's is in double
            levels = _in_simplex(values)
        used = levels > 0
        self.count = int(np.count_nonzero(used))
        vectors = vectors[:, used]
        return np.asarray((vectors * levels[used]) @ vectors.T)

    def _in_rows(self, x: Single, R: Single) -> Single:
        """Project onto the rows of A, nearly: a few Newton steps each for x_i and for a threshold."""
        forced, places = R[:, self.inside], self.size.slots(self.inside).astype(np.float32)
        number = np.count_nonzero(forced > -np.inf, axis=1).astype(np.float32)
        owed = np.where(forced > -np.inf, forced, 0.0).sum(axis=1)
        R = np.where(self.inside, -np.inf, R)
        low, high = np.zeros_like(x), np.full_like(x, np.inf)
        for _ in range(ROW_STEPS):
            taken, inner = self._thresholds(R, places)
            excess = np.maximum(R - self.theta[:, None] - self.x[:, None], 0.0)
            full = np.count_nonzero(excess, axis=1)
            slope = (1 + number) * self.x - x - owed - excess.sum(axis=1) - places * self.theta
            low, high = np.where(slope < 0, self.x, low), np.where(slope > 0, self.x, high)
            bend = np.where(self.theta > 0, full - places, 0) ** 2 / np.maximum(inner, 1)
            middle = np.where(np.isinf(high), 2 * self.x + 1e-6, (low + high) / 2)
            new = self.x - slope / (1 + number + full + bend)
            new = np.where((new < low) | (new > high), middle, new)
            self.x = np.maximum(new, 0.0).astype(np.float32)
        is_forced = self.inside & ~np.eye(len(R), dtype=bool)
        return np.where(is_forced, self.x[:, None], taken)

    def _thresholds(self, R: Single, places: Single) -> tuple[Single, npt.NDArray[Any]]:
        """Clip the rows to 0 .. x_i above thresholds, the least at which sums are at most s_i x_i."""
        total, x = places * self.x, self.x[:, None]
        low, high = np.zeros_like(total), np.maximum(R.max(axis=1), 0.0)
        for _ in range(THRESHOLD_STEPS):
            taken = np.clip(R - self.theta[:, None], 0.0, x)
            above = taken.sum(axis=1) - total
            inner = np.count_nonzero((taken > 0) & (taken < x), axis=1)
            low, high = np.where(above > 0, self.theta, low), np.where(above > 0, high, self.theta)
            new = self.theta + above / np.maximum(inner, 1)
            middle = np.where(new <= 0, 0.0, (low + high) / 2)
            self.theta = np.where((new < low) | (new > high), middle, new).astype(np.float32)
        return taken, inner


def _in_simplex(values: Single) -> Single:
    """Project ascending values onto nonnegative ones of sum one."""
    falling = values[::-1].astype(float)
    shifts = (np.cumsum(falling) - 1) / np.arange(1, len(falling) + 1)
    last = int(np.flatnonzero(falling > shifts)[-1])
    return np.asarray(np.maximum(values - np.float32(shifts[last]), np.float32(0.0)))


def _in_cones(X: Single, R: Single) -> tuple[Single, Single]:
    """Project all pairs onto X_ij^2 <= R_ij R_ji, R >= 0: a cone round the half sum of the two charges."""
    middle, half = (R + R.T) / 2, (R - R.T) / 2
    length = np.sqrt(half**2 + X**2)
    share = np.clip(0.5 + 0.5 * middle / np.maximum(length, np.float32(1e-20)), 0.0, 1.0)
    found = np.where(middle >= length, middle, share * length) + share * half
    np.fill_diagonal(found, 0.0)
    return share * X, np.asarray(found)
