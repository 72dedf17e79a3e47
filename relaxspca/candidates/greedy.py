"""Forward selection: add the variable that gives the largest eigenvalue."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

import numpy as np

from relaxspca.candidates.rows import RowReader, distinct, in_parts, row_reader, support_values
from relaxspca.candidates.spectrum import leading_direction
from relaxspca.numerics.linalg import Array, Indices, Mask
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.runtime.deadline import FOREVER, Deadline

WORK = 5_000_000  # operations of one step from all starts: this bounds the time on very wide data
_FEWEST = 4  # supports that are always grown on
# What `greedy_supports` reached from so many starts, of each size from one on.
_GROWN: WeakKeyDictionary[Covariance, dict[int, list[Indices]]] = WeakKeyDictionary()


def greedy(cov: Covariance, k: int, *, starts: Iterable[int] | None = None) -> Candidate:
    r"""Grow a support from every start, one best variable at a time, and keep the best.

    .. math:: I_{t+1} = I_t \cup \{ \arg\max_{i \notin I_t} \lambda_{\max}(\Sigma_{I_t + i,\, I_t + i}) \}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality.
    starts : iterable of int, optional
        First variables. None takes all, or the 512 (fewer where rows are long) of largest variance, ties broken
        by the leading eigenvector. A single start gives the classical greedy method.

    Returns
    -------
    Candidate, the best over the starts.

    Notes
    -----
    In a correlation matrix all variances are equal and the first step of the classical method is a tie of n
    variables. Starting from each of them removes that arbitrary choice. Starts that reach the same support
    go on as one.

    References
    ----------
    d'Aspremont, Bach and El Ghaoui, "Optimal solutions for sparse principal component analysis", JMLR 9, 2008,
    section 4.1.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> round(greedy(load_pitprops(), 5).value, 8)
    3.40615495
    """
    k = checked_cardinality(cov, k)
    if starts is None:
        starts = ranked_variables(cov)[: _count_starts(cov, k)]
    read_rows = row_reader(cov)
    supports = grow(read_rows, cov.diagonal, np.array([[i] for i in starts], dtype=np.int64), k)
    best = int(np.argmax(support_values(read_rows, supports)))
    return Candidate.from_support(cov, supports[best], method="greedy")


def greedy_supports(cov: Covariance, k: int, *, deadline: Deadline = FOREVER) -> Indices:
    """Return the distinct supports (s, k) that greedy growth reaches from the variables of largest variance.

    If a step from all of them takes more than `WORK` operations, only those of largest value are grown on. What
    is reached is kept for larger k: a path asks for one after another. After the deadline the result is empty.
    """
    known, count, read_rows = _GROWN.setdefault(cov, {}), _count_starts(cov, k), row_reader(cov)
    grown = [*known[count]] if count in known else [ranked_variables(cov)[:count, None]]
    while len(grown) < k and not deadline.is_over:
        supports, size = grown[-1], len(grown)
        most = max(_FEWEST, WORK // (size**2 * (size + cov.n)))
        if len(supports) > most:
            values = support_values(read_rows, supports)
            supports = supports[np.argsort(-values, kind="stable")[:most]]
        grown.append(grow(read_rows, cov.diagonal, supports, size + 1))
    known[count] = grown
    return grown[k - 1] if len(grown) >= k else np.empty((0, k), dtype=np.int64)


def _count_starts(cov: Covariance, k: int) -> int:
    """Return how many variables growth begins with: halved while their rows for k take more than `WORK`."""
    count = 512
    while count > 8 and count * k * cov.n > WORK:
        count //= 2
    return count


def grow(
    read_rows: RowReader,
    diagonal: Array,
    supports: Indices,
    k: int,
    *,
    free: Mask | None = None,
    deadline: Deadline = FOREVER,
) -> Indices:
    """Grow supports (s, t) greedily to (s', k), by `free` variables (by default all); equal ones are merged.

    After the deadline s' is 0.
    """
    supports = distinct(np.sort(supports, axis=1))[0]
    for _ in range(supports.shape[1], k):
        if deadline.is_over:
            return np.empty((0, k), dtype=np.int64)
        parts = in_parts(supports, len(diagonal))
        entering = np.concatenate([best_additions(read_rows, diagonal, part, free) for part in parts])
        supports = distinct(np.sort(np.column_stack([supports, entering]), axis=1))[0]
    return supports


def ranked_variables(cov: Covariance) -> Indices:
    """Return all variables by decreasing variance; ties by their entry in the leading eigenvector."""
    if cov.n <= 512:
        return np.argsort(-cov.diagonal, kind="stable")
    loading = np.abs(leading_direction(cov))
    variance = np.round(cov.diagonal / cov.diagonal.max(), 9)
    return np.lexsort((-loading, -variance))


def best_additions(
    read_rows: RowReader, diagonal: Array, supports: Indices, free: Mask | None = None
) -> Indices:
    """Return for each of (s, t) supports the free variable (by default of all) that explains most with it."""
    rows = read_rows(supports)
    poles, Q = np.linalg.eigh(np.take_along_axis(rows, supports[:, None, :], axis=2))
    weights = np.matmul(Q.transpose(0, 2, 1), rows) ** 2
    allowed = np.tile(np.ones(len(diagonal), dtype=bool) if free is None else free, (len(supports), 1))
    np.put_along_axis(allowed, supports, False, axis=1)
    return best_border(poles, weights, diagonal, allowed)[0]


def best_border(poles: Array, weights: Array, corners: Array, allowed: Mask) -> tuple[Indices, Array]:
    r"""Return, for each block, the border that gives the largest eigenvalue, and this eigenvalue.

    Block :math:`s` has eigenvalues :math:`\mu_{s1} \le \dots \le \mu_{st}`. Bordering it with the column
    :math:`b_j` and the corner :math:`c_j` gives a matrix whose largest eigenvalue is the largest root of

    .. math:: \lambda - c_j - \sum_l \frac{\beta_{slj}^2}{\lambda - \mu_{sl}} = 0,
              \qquad \beta_{s \cdot j} = Q_s^T b_j .

    Given are the (s, t) poles :math:`\mu`, the (s, t, n) weights :math:`\beta^2`, the (n,) corners, and which
    of the (s, n) borders are allowed, at least one a block. Of equal borders the first is returned.

    Notes
    -----
    The left-hand side increases with lambda beyond the last pole. So one evaluation at the value of a good
    border shows which borders are better, and only their roots are computed.
    """
    blocks = np.arange(len(poles))
    guess = np.where(allowed, _two_by_two_root(poles[:, -1, None], weights[:, -1, :], corners), -np.inf)
    index = np.argmax(guess, axis=1)
    value = largest_root(poles, weights[blocks, :, index], corners[index])
    block, border = np.nonzero(allowed & (_excess(poles, weights, corners, value) > 0.0))
    root = largest_root(poles[block], weights[block, :, border], corners[border])
    # Later writes win: the pairs are written in increasing order of value, the first of equal borders last.
    order = np.lexsort((-border, root))
    block, border, root = block[order], border[order], root[order]
    better = root > value[block]
    index[block[better]] = border[better]
    value[block[better]] = root[better]
    return index, value


def largest_root(poles: Array, weights: Array, corners: Array) -> Array:
    """Return the largest root of m secular equations: poles and weights (m, t), corners (m,)."""
    m, t = poles.shape
    arrows = np.zeros((m, t + 1, t + 1))
    arrows[:, range(t), range(t)] = poles
    arrows[:, t, :t] = np.sqrt(weights)  # the lower triangle is read
    arrows[:, t, t] = corners
    return np.asarray(np.linalg.eigvalsh(arrows)[:, -1])


def _two_by_two_root(pole: Array, weight: Array, corner: Array) -> Array:
    """Return the largest eigenvalue of [[pole, b], [b, corner]], b^2 = weight: a lower bound of the root."""
    half = 0.5 * (corner - pole)
    return np.asarray(0.5 * (corner + pole) + np.sqrt(half * half + weight))


def _excess(poles: Array, weights: Array, corners: Array, value: Array) -> Array:
    """Return c_j + sum_l beta_lj^2 / (value - mu_l) - value: positive where border j beats the value."""
    # Square root of the least float: if value and pole are both 0, its reciprocal times a weight is finite.
    least = np.finfo(float).tiny ** 0.5
    floor = 4.0 * np.finfo(float).eps * (np.abs(value) + np.abs(poles[:, -1])) + least
    reciprocal = 1.0 / np.maximum(value[:, None] - poles, floor[:, None])
    with np.errstate(over="ignore"):  # an overflow exceeds the value
        total = np.matmul(reciprocal[:, None, :], weights)[:, 0, :]
    margin = 1e-13 * np.maximum(np.abs(value), np.finfo(float).tiny)
    return np.asarray(corners + total - (value + margin)[:, None])
