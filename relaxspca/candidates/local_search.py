"""Local search by best swaps: exchange one variable for another while the largest eigenvalue grows."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.rows import RowReader, row_reader
from relaxspca.numerics.linalg import Array, Indices, Mask
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.scaling import EXTREME
from relaxspca.runtime.deadline import FOREVER, Deadline

_FEW = 6  # swaps whose values are computed at a time


def local_search(cov: Covariance, k: int, *, start: Indices | None = None) -> Candidate:
    r"""Exchange one variable for another while the largest eigenvalue grows.

    .. math:: T \leftarrow \arg\max \{ \lambda_{\max}(\Sigma_{UU}) : |U| = k,\ |U \setminus T| \le 1 \}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality.
    start : (k,) first support; None takes the k variables of largest variance.

    Returns
    -------
    Candidate that no single exchange improves; the search ends after 1000 exchanges.

    Notes
    -----
    A support that no exchange improves has value at least v_k / k.

    References
    ----------
    Li and Xie, "Exact and approximation algorithms for sparse PCA", INFORMS J. Computing, 2025.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> local_search(load_pitprops(), 5).indices.tolist()
    [0, 1, 6, 8, 9]
    """
    k = checked_cardinality(cov, k)
    if start is None:
        start = np.argsort(-cov.diagonal, kind="stable")[:k]
    support = swap_until_best(row_reader(cov), cov.diagonal, start)
    return Candidate.from_support(cov, support, method="local_search")


def swap_until_best(
    read_rows: RowReader,
    diagonal: Array,
    support: Indices,
    *,
    max_swaps: int = 1000,
    free: Mask | None = None,
    seen: set[bytes] | None = None,
    deadline: Deadline = FOREVER,
) -> Indices:
    """Return the (k,) support that best swaps reach from `support`, reading rows only.

    Only variables that are `free`, (n,) booleans, leave and enter; by default all are. The search ends at a
    support that is in `seen`, because its continuation is known, and adds those visited; it also ends at the
    deadline.
    """
    seen = set() if seen is None else seen
    support = np.sort(np.asarray(support, dtype=np.int64))
    free = np.ones(len(diagonal), dtype=bool) if free is None else free
    if not free[support].any() or np.delete(free, support).sum() == 0:
        return support
    read_rows, diagonal = in_range(read_rows, diagonal)
    rows = read_rows(support)
    value = _block_value(rows, support)
    for _ in range(max_swaps):
        if support.tobytes() in seen or deadline.is_over:
            break
        seen.add(support.tobytes())
        leaving, entering, estimate = _best_swap(rows, diagonal, support, free)
        if estimate <= value:
            break
        trial = np.sort(np.append(np.delete(support, leaving), entering))
        trial_rows = np.insert(
            np.delete(rows, leaving, axis=0),
            np.searchsorted(trial, entering),
            read_rows(np.array([entering])),
            axis=0,
        )
        trial_value = _block_value(trial_rows, trial)
        # Only a strict increase of the recomputed value counts, so that rounding cannot cause a cycle.
        if trial_value <= value:
            break
        support, rows, value = trial, trial_rows, trial_value
    return support


def in_range(read_rows: RowReader, diagonal: Array) -> tuple[RowReader, Array]:
    """Return both scaled by a power of two if squares or cubes of entries would over- or underflow."""
    exponent = int(np.frexp(np.abs(diagonal).max())[1])
    if abs(exponent) <= EXTREME:
        return read_rows, diagonal
    return lambda rows: np.ldexp(read_rows(rows), -exponent), np.ldexp(diagonal, -exponent)


def _best_swap(rows: Array, diagonal: Array, support: Indices, free: Mask) -> tuple[int, int, float]:
    """Return (position leaving, variable entering, value) of the best swap of free variables."""
    k = len(rows)
    if k == 1:
        allowed = free.copy()
        allowed[support] = False
        entering = int(np.argmax(np.where(allowed, diagonal, -np.inf)))
        return 0, entering, float(diagonal[entering])
    swaps = _Swaps(rows, diagonal, support, free)
    best = (0, 0, -np.inf)
    level = swaps.value
    while True:
        outgoing, incoming = swaps.above(level)
        values = swaps.values(outgoing, incoming)
        # A swap above the level by the secular equation only, not when recomputed, is rounding.
        if not len(values) or values.max() <= max(level, best[2]):
            return best
        at = int(np.argmax(values))
        best = (int(outgoing[at]), int(incoming[at]), float(values[at]))
        level = best[2]


class _Swaps:
    """All swaps of a support, compared by one eigendecomposition of its block.

    With R the resolvent of the block at a level above its largest eigenvalue and b_j the column that enters,

        (level - Sigma_jj - b_j' R b_j) R_ii + (R b_j)_i^2  <  0

    holds if and only if the block without i and with j has an eigenvalue above the level: the left-hand side is
    the quotient of two characteristic polynomials, and by interlacing only one eigenvalue can be above it.
    The part of R along the leading eigenvector is split off, so that the level may be that eigenvalue.
    """

    def __init__(self, rows: Array, diagonal: Array, support: Indices, free: Mask) -> None:
        self.rows, self.diagonal, self.support, self.free = rows, diagonal, support, free
        poles, Q = np.linalg.eigh(rows[:, support])
        self.value = float(poles[-1])
        self.poles, self.Q, self.x = poles[:-1], Q[:, :-1], Q[:, -1]
        self.C, self.p = self.Q.T @ rows, self.x @ rows

    def above(self, level: float) -> tuple[Indices, Indices]:
        """Return the few most promising swaps (leaving, entering) whose value exceeds a level."""
        excess = level - self.value
        least = 4 * np.finfo(float).eps * (abs(level) + abs(self.poles[0])) + np.finfo(float).tiny ** 0.5
        inverse = 1.0 / np.maximum(level - self.poles, least)
        S_ii = (self.Q**2) @ inverse
        SB = self.Q @ (inverse[:, None] * self.C)
        room = level - self.diagonal - inverse @ self.C**2
        x, p = self.x[:, None], self.p[None, :]
        sign = (x**2 + excess * S_ii[:, None]) * room - S_ii[:, None] * p**2 + SB * (2 * x * p + excess * SB)
        sign[:, self.support] = np.inf
        sign[:, ~self.free] = np.inf
        sign[~self.free[self.support]] = np.inf
        with np.errstate(over="ignore"):  # an infinite gain comes first too, an infinite slope last
            slope = x**2 + np.maximum(room, 0.0) * S_ii[:, None] + SB**2
            gain = np.where(sign < 0.0, -sign / np.maximum(slope, np.finfo(float).tiny), 0.0).ravel()
        few = min(_FEW, int(np.count_nonzero(gain)))
        chosen = np.argpartition(-gain, few - 1)[:few] if few else np.zeros(0, dtype=np.int64)
        leaving, entering = np.divmod(np.sort(chosen), len(self.diagonal))
        return leaving, entering

    def values(self, leaving: Indices, entering: Indices) -> Array:
        """Return the largest eigenvalue after each of the given swaps."""
        borders, each = self.rows[:, entering].T, np.arange(len(leaving))
        blocks = np.repeat(self.rows[None, :, self.support], len(leaving), axis=0)
        blocks[each, leaving] = borders
        blocks[each, :, leaving] = borders
        blocks[each, leaving, leaving] = self.diagonal[entering]
        return np.asarray(np.linalg.eigvalsh(blocks)[:, -1])


def _block_value(rows: Array, support: Indices) -> float:
    return float(np.linalg.eigvalsh(rows[:, support])[-1])
