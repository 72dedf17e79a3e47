"""The spannogram: enumerate all supports that are optimal for the rank-d part of Sigma."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import comb

import numpy as np

from relaxspca.candidates.rows import distinct, row_reader, support_values
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.candidates.thresholding import largest_entries
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import AT_ONCE, Array, Indices
from relaxspca.problem.arguments import check_limits, checked_cardinality
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import whole_number
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.interrupt import until_interrupted

LARGEST_DIMENSION = 4  # largest d tried to reach an accuracy
# Relative perturbation that breaks ties between rows, far above rounding.
_GENERIC = 1e-10
# Crossings enumerated at once; a cone with more is split.
_LEAF = 4_000


@dataclass(frozen=True, eq=False)
class LowRankResult:
    r"""The result of an enumeration in the leading d-dimensional eigenspace.

    Attributes
    ----------
    candidate : Candidate
        Best support of those enumerated, by its value for Sigma itself.
    rank : int
        The dimension d.
    ratio : float
        The value is at least :math:`(1 - \epsilon_d) v_k`, with :math:`\epsilon_d` the smaller of
        :math:`(n/k) \lambda_{d+1}/\lambda_1` and :math:`\lambda_{d+1}/\max_i \Sigma_{ii}`; this is
        :math:`1 - \epsilon_d`, 0 when that is negative or the search was stopped.
    is_complete : bool
        Whether all directions were enumerated before `time_limit` and Ctrl-C.
    is_interrupted : bool
        Whether Ctrl-C ended the enumeration.
    """

    candidate: Candidate
    rank: int
    ratio: float
    is_complete: bool = True
    is_interrupted: bool = False


def spannogram(
    cov: Covariance,
    k: int,
    *,
    d: int | None = None,
    accuracy: float | None = None,
    time_limit: float | None = None,
) -> Candidate:
    r"""Return the best, for Sigma, of all supports that are optimal for some direction of its rank-d part.

    .. math:: \max_{\|c\| = 1} \; \max_{|T| = k} \sum_{i \in T} (V c)_i^2, \qquad
              V = [\sqrt{\lambda_1} u_1, \dots, \sqrt{\lambda_d} u_d]

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality.
    d : int, optional
        Dimension of the eigenspace, at least 1 and lowered to n; 2 by default. The search takes of the order
        of n^d steps before elimination.
    accuracy : float, optional
        In place of d, the least d whose guarantee is a value of at least :math:`(1-\text{accuracy})\,v_k`.
    time_limit : float, optional
        Seconds after which the best support found so far is returned. No accuracy is guaranteed then, and
        the `method` of the candidate says "spannogram, stopped".

    Returns
    -------
    Candidate; `low_rank_search` also returns the guarantee.

    Raises
    ------
    InputError
        `d` is below 1, both `d` and `accuracy` are given, or the accuracy needs more than 4 dimensions.

    References
    ----------
    Papailiopoulos, Dimakis and Korokythakis, "Sparse PCA through low-rank approximations", ICML 2013.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> spannogram(load_pitprops(), 5).indices.tolist()
    [0, 1, 6, 8, 9]
    """
    k = checked_cardinality(cov, k)
    if d is not None and accuracy is not None:
        raise InputError("give either the dimension d or the accuracy, not both")
    if accuracy is not None:
        d = _dimension_for(cov, k, accuracy)
    found = low_rank_search(cov.alone, k, d=min(2 if d is None else d, cov.n), time_limit=time_limit)
    if found.is_interrupted:  # a Candidate has no field for it
        raise KeyboardInterrupt
    return found.candidate


def _dimension_for(cov: Covariance, k: int, accuracy: float) -> int:
    """Return the least dimension d whose guaranteed accuracy is as asked, from the spectrum alone."""
    check_limits(accuracy=accuracy)
    values = np.append(leading_eigenpairs(cov, min(LARGEST_DIMENSION + 1, cov.n))[0] + cov.shift, 0.0)
    for d in range(1, min(LARGEST_DIMENSION, cov.n) + 1):
        if _loss(cov, k, values[0], values[d]) <= accuracy:
            return d
    raise InputError(
        f"an accuracy of {accuracy} needs more than the {LARGEST_DIMENSION} leading eigenvectors, and of the "
        f"order of n^{LARGEST_DIMENSION + 1} steps: ask for less, or give d"
    )


def _loss(cov: Covariance, k: int, first: float, following: float) -> float:
    """Return epsilon_d from the largest eigenvalue and eigenvalue d + 1."""
    rest = max(float(following), 0.0)
    if rest == 0:
        return 0.0  # also for the zero matrix
    return float(min(cov.n / k * rest / first, rest / float((cov.diagonal + cov.shift).max())))


def low_rank_search(cov: Covariance, k: int, *, d: int = 2, time_limit: float | None = None) -> LowRankResult:
    r"""Enumerate the supports of the rank-d part, after safe elimination, and report the guarantee.

    .. math:: \text{value} \ge (1 - \epsilon_d)\, v_k, \qquad
              \epsilon_d = \min\{ (n/k) \lambda_{d+1}/\lambda_1,\ \lambda_{d+1}/\max_i \Sigma_{ii} \}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality.
    d : int, the dimension of the eigenspace, 1 to n; lowered to the numerical rank.
    time_limit : float, optional
        Seconds of the enumeration; Ctrl-C ends it too. The best support met by then is returned, without a
        guarantee.

    Returns
    -------
    LowRankResult

    Raises
    ------
    InputError
        `d` is not in 1..n.

    References
    ----------
    Papailiopoulos, Dimakis and Korokythakis, "Sparse PCA through low-rank approximations", ICML 2013.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> found = low_rank_search(load_pitprops(), 5)
    >>> found.candidate.indices.tolist(), found.rank
    ([0, 1, 6, 8, 9], 2)
    """
    check_limits(time_limit=time_limit)
    deadline = Deadline.after(time_limit)
    k = checked_cardinality(cov, k)
    cov.check_complete("a bound")
    d = whole_number(d, "the dimension d", most=cov.n)
    values, vectors = leading_eigenpairs(cov, min(d + 1, cov.n))
    values = np.append(values + cov.shift, 0.0)[: d + 1]
    d = max(1, int(np.count_nonzero(values[:d] > 1e-12 * values[0])))
    V = vectors[:, :d] * np.sqrt(np.maximum(values[:d], 0.0))
    supports, is_complete, is_interrupted = best_supports(V, k, deadline=deadline)
    best = int(np.argmax(support_values(row_reader(cov), supports)))
    method = "spannogram" if is_complete else "spannogram, stopped"
    return LowRankResult(
        candidate=Candidate.from_support(cov, supports[best], method=method),
        rank=d,
        ratio=max(0.0, 1.0 - _loss(cov, k, values[0], values[d])) if is_complete else 0.0,
        is_complete=is_complete,
        is_interrupted=is_interrupted,
    )


@dataclass(frozen=True, eq=False)
class Cone:
    """The directions c with c[face] = 1 and the d - 1 other entries in a box from `low` to `high`."""

    face: int
    low: Array
    high: Array

    @property
    def corners(self) -> Array:
        """(2^(d-1), d) generators of the cone, not of unit length."""
        ends = np.array(list(product((0.0, 1.0), repeat=len(self.low)))).reshape(-1, len(self.low))
        return np.insert(self.low + ends * (self.high - self.low), self.face, 1.0, axis=1)

    @property
    def centre(self) -> Array:
        """(d,) unit direction of the middle of the box."""
        middle = np.insert(0.5 * (self.low + self.high), self.face, 1.0)
        return np.asarray(middle / np.linalg.norm(middle))

    @property
    def cosine(self) -> float:
        """Cosine of the largest angle between the centre and a direction of the cone; a corner attains it."""
        corners = self.corners
        return float((corners @ self.centre / np.linalg.norm(corners, axis=1)).min())

    def split(self) -> list[Cone]:
        """Halve the box along its longest side."""
        side = int(np.argmax(self.high - self.low))
        middle = 0.5 * (self.low[side] + self.high[side])
        below, above = self.high.copy(), self.low.copy()
        below[side] = above[side] = middle
        return [Cone(self.face, self.low, below), Cone(self.face, above, self.high)]


def best_supports(V: Array, k: int, *, deadline: Deadline = FOREVER) -> tuple[Indices, bool, bool]:
    r"""Return every support of k rows that has the k largest \|V_i c\| for some direction c.

    V, (n, d), has rank d. They are at most :math:`2^{d-1} \binom{d}{\lceil d/2 \rceil} \binom{n}{d}`. Without
    time one support for each face of the cube is returned. Beside them stand whether all directions were
    enumerated, and whether Ctrl-C ended that.

    Notes
    -----
    The best support changes only where two of the \|V_i c\| cross. So every best support occurs at a direction
    where d of them are equal: the null vector of d - 1 differences, one for each d rows and signs. Rows are
    first perturbed by a relative 1e-10 so that no others tie there.

    Rows are eliminated safely, cone by cone: within an angle theta of a direction m every \|V_i c\| stays
    within 2 sin(theta/2) \|V_i\| of \|V_i m\|, so most rows are surely among the k largest there or surely
    not. Only the others can cross. A cone where they are many is split.
    """
    n, d = V.shape
    if n - k <= d - 1:
        # With at most d - 1 rows outside, crossings are not generic; the few supports are all returned.
        return np.array(list(combinations(range(n), k)), dtype=np.int64), True, False
    if d == 1:
        return largest_entries(V.T, k), True, False
    moved = V + _GENERIC * np.linalg.norm(V, axis=1).max() * np.random.default_rng(0).normal(size=V.shape)
    # Their union contains c or -c for every direction c.
    cones = [Cone(face, -np.ones(d - 1), np.ones(d - 1)) for face in range(d)]
    found, is_interrupted = until_interrupted(_by_cone(moved, k, cones, deadline))
    rows = distinct(np.sort(np.concatenate(found), axis=1))[0]
    return rows, not cones and not is_interrupted, is_interrupted


def _by_cone(V: Array, k: int, cones: list[Cone], deadline: Deadline) -> Iterator[Indices]:
    """Yield the supports of every cone, wide ones first; cones done are removed from `cones`."""
    norms = np.linalg.norm(V, axis=1)
    yield largest_entries(np.array([cone.centre for cone in cones]) @ V.T, k)
    while cones and not deadline.is_over:
        cone = cones.pop(0)
        sure, open_rows = _certain_and_open_rows(V, norms, k, cone)
        crossings = comb(len(open_rows), V.shape[1]) * 2 ** (V.shape[1] - 1)
        if crossings > _LEAF and cone.cosine < 1.0 - 1e-14:
            cones += cone.split()
            yield largest_entries(cone.centre[None] @ V.T, k)  # in case the search is stopped
            continue
        if crossings:
            part = open_rows[_enumerated(V[open_rows], k - len(sure), cone)]
            yield np.hstack([np.tile(sure, (len(part), 1)), part])


def _certain_and_open_rows(V: Array, norms: Array, k: int, cone: Cone) -> tuple[Indices, Indices]:
    """Return the rows surely among the k largest in the whole cone, and those possibly so in part of it."""
    # 1e-9 covers rounding and the slack with which crossings on the rim of the cone are kept.
    reach = norms * (np.sqrt(max(2.0 - 2.0 * cone.cosine, 0.0)) + 1e-9)
    size = np.abs(V @ cone.centre)
    low, high = size - reach, size + reach
    n = len(size)
    enough = np.partition(low, n - k)[n - k]
    possible = high >= enough
    sure = low > np.partition(high, n - k - 1)[n - k - 1]
    return np.flatnonzero(sure), np.flatnonzero(possible & ~sure)


def _enumerated(V: Array, k: int, cone: Cone) -> Indices:
    """Return the distinct supports of k rows of V at the crossings in the cone."""
    n, d = V.shape
    found = [np.empty((0, k), dtype=np.int64)]
    inside = cone.cosine - 1e-9 * np.sqrt(max(1.0 - cone.cosine**2, 0.0)) - 1e-15
    for rows in _subsets(n, d, max(1, AT_ONCE // n)):
        for sign in product((1.0, -1.0), repeat=d - 1):
            c = _null_vectors(V[rows[:, :1]] - np.array(sign)[:, None] * V[rows[:, 1:]])
            near = np.abs(c @ cone.centre) >= inside
            at, size = rows[near], np.abs(c[near] @ V.T)
            above = size > np.take_along_axis(size, at[:, :1], axis=1)
            np.put_along_axis(above, at, False, axis=1)
            missing = k - above.sum(axis=1)
            for m in range(d + 1):
                chosen = missing == m
                if chosen.any():
                    found.append(_completed(above[chosen], at[chosen], m))
    return distinct(np.concatenate(found))[0]


def _subsets(n: int, d: int, size: int) -> Iterator[Indices]:
    """Yield the d-subsets of n rows in blocks (at most size, d)."""
    subsets = combinations(range(n), d)
    while block := list(islice(subsets, size)):
        yield np.array(block, dtype=np.int64)


def _null_vectors(M: Array) -> Array:
    """Return a unit null vector (s, d) of each of the (s, d - 1, d) matrices, by its minors."""
    minors = [(-1.0) ** j * np.linalg.det(np.delete(M, j, axis=2)) for j in range(M.shape[2])]
    c = np.stack(minors, axis=1)
    return np.asarray(c / np.linalg.norm(c, axis=1, keepdims=True))


def _completed(above: Array, rows: Indices, m: int) -> Indices:
    """Return all supports of the rows above the level and m of the d rows tied at it."""
    s, d = rows.shape
    certain = np.nonzero(above)[1].reshape(s, -1)
    return np.concatenate(
        [np.sort(np.hstack([certain, rows[:, list(choice)]]), axis=1) for choice in combinations(range(d), m)]
    ).astype(np.int64)
