"""The spannogram: every support that is best for some direction of the leading d-dimensional eigenspace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import comb

import numpy as np
import numpy.typing as npt

from relaxspca.candidates.cones import Cone, all_directions
from relaxspca.candidates.rows import Indices, row_reader, support_values
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.candidates.thresholding import largest_entries
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.limits import check_limits
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.interrupt import until_interrupted

LARGEST_DIMENSION = 4  # tried for a wanted accuracy

__all__ = ["LowRankResult", "Supports", "best_supports", "low_rank_search", "spannogram"]

# Breaks ties between rows; far below any difference that matters, far above rounding.
_GENERIC = 1e-10
_CHUNK = 2_000_000
# Crossings enumerated at once; a cone with more is split.
_LEAF = 4_000


@dataclass(frozen=True, eq=False)
class Supports:
    """Supports that an enumeration met.

    Attributes
    ----------
    rows : (s, k) int array, distinct sorted supports.
    kept : int, how many variables could be in one.
    is_complete : bool, whether no direction was left out.
    is_interrupted : bool, whether Ctrl-C ended it.
    """

    rows: Indices
    kept: int
    is_complete: bool = True
    is_interrupted: bool = False


@dataclass(frozen=True, eq=False)
class LowRankResult:
    r"""What an enumeration in the leading d-dimensional eigenspace found.

    Attributes
    ----------
    candidate : Candidate
        Best support of those enumerated, judged on Sigma itself.
    rank : int
        d.
    eigenvalues : (d + 1,) array
        The leading eigenvalues, the last one 0 when d = n.
    low_rank_value : float
        :math:`v_k(A_d)` of the rank-d part, in floating point; what was found of it where the search was
        stopped.
    ratio : float
        The value is at least :math:`(1 - \epsilon_d) v_k` with
        :math:`\epsilon_d = \min\{ (n/k) \lambda_{d+1}/\lambda_1,\ \lambda_{d+1}/\max_i \Sigma_{ii} \}`; this is
        :math:`1 - \epsilon_d`, 0 when that is negative or the search was stopped.
    supports_tried : int
        Distinct supports that the enumeration gave.
    variables_kept : int
        Variables left by the safe elimination.
    is_complete : bool
        Whether all directions were looked at; neither `time_limit` nor Ctrl-C came before.
    is_interrupted : bool
        Whether Ctrl-C came before.
    """

    candidate: Candidate
    rank: int
    eigenvalues: Array
    low_rank_value: float
    ratio: float
    supports_tried: int
    variables_kept: int
    is_complete: bool = True
    is_interrupted: bool = False


def spannogram(
    cov: Covariance,
    k: int,
    *,
    d: int | None = None,
    accuracy: float | None = None,
    time_limit: float | None = None,
    rng: np.random.Generator | None = None,
) -> Candidate:
    r"""Take the best of all supports that are optimal for the rank-d part of Sigma.

    .. math:: \max_{\|c\| = 1} \; \max_{|T| = k} \sum_{i \in T} (V c)_i^2, \qquad
              V = [\sqrt{\lambda_1} u_1, \dots, \sqrt{\lambda_d} u_d]

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality.
    d : int, optional
        Dimension of the eigenspace, at least 1 and lowered to n; 2 by default. The search takes of the order
        of n^d steps before elimination.
    accuracy : float, optional
        In place of d, the least d whose guarantee is a value of at least :math:`(1-\text{accuracy})\,v_k`.
    time_limit : float, optional
        Seconds after which the best of the supports met so far is taken. No accuracy is guaranteed then, and
        the `method` of the candidate says "spannogram, stopped".
    rng : not used; the method is deterministic.

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
    k = cov.check_cardinality(k)
    if d is not None and accuracy is not None:
        raise InputError("give either the dimension d or the accuracy, not both")
    if accuracy is not None:
        d = _dimension_for(cov, k, accuracy)
    found = low_rank_search(cov.alone, k, d=min(2 if d is None else d, cov.n), time_limit=time_limit)
    if found.is_interrupted:  # a candidate cannot say so
        raise KeyboardInterrupt
    return found.candidate


def _dimension_for(cov: Covariance, k: int, accuracy: float) -> int:
    """Return the least dimension whose guarantee is wanted, from the spectrum alone."""
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
    """Return epsilon_d from the largest eigenvalue and the one after the d used."""
    rest = max(float(following), 0.0)
    if rest == 0:
        return 0.0  # of a matrix of zeros too
    return float(min(cov.n / k * rest / first, rest / float((cov.diagonal + cov.shift).max())))


def low_rank_search(cov: Covariance, k: int, *, d: int = 2, time_limit: float | None = None) -> LowRankResult:
    r"""Enumerate the supports of the rank-d part, after safe elimination, and report the guarantee.

    .. math:: \text{value} \ge (1 - \epsilon_d)\, v_k, \qquad
              \epsilon_d = \min\{ (n/k) \lambda_{d+1}/\lambda_1,\ \lambda_{d+1}/\max_i \Sigma_{ii} \}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality.
    d : dimension of the eigenspace, 1 to n; lowered to the numerical rank.
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
    deadline = Deadline.after(time_limit)
    cov.check_complete("a bound")
    check_limits(time_limit=time_limit)
    k = cov.check_cardinality(k)
    if not 1 <= d <= cov.n:
        raise InputError(f"the dimension d must lie in 1..{cov.n}, not {d}")
    values, vectors = leading_eigenpairs(cov, min(d + 1, cov.n))
    values = np.append(values + cov.shift, 0.0)[: d + 1]
    d = max(1, int(np.count_nonzero(values[:d] > 1e-12 * values[0])))
    V = vectors[:, :d] * np.sqrt(np.maximum(values[:d], 0.0))
    found = best_supports(V, k, deadline=deadline)
    low_rank = max(_block_norms(V, found.rows))
    best = int(np.argmax(support_values(row_reader(cov), found.rows)))
    method = "spannogram" if found.is_complete else "spannogram, stopped"
    return LowRankResult(
        candidate=Candidate.from_support(cov, found.rows[best], method=method),
        rank=d,
        eigenvalues=values[: d + 1],
        low_rank_value=float(low_rank) - cov.shift,
        ratio=max(0.0, 1.0 - _loss(cov, k, values[0], values[d])) if found.is_complete else 0.0,
        supports_tried=len(found.rows),
        variables_kept=found.kept,
        is_complete=found.is_complete,
        is_interrupted=found.is_interrupted,
    )


def best_supports(V: Array, k: int, *, deadline: Deadline = FOREVER) -> Supports:
    r"""Return every support of k rows that is best for some direction c, and how many rows could be in one.

    Parameters
    ----------
    V : (n, d) array of rank d.
    k : cardinality.
    deadline : when to stop; at the least one support a face of the cube is there.

    Returns
    -------
    Supports
        At most :math:`2^{d-1} \binom{d}{\lceil d/2 \rceil} \binom{n}{d}` of them.

    Notes
    -----
    The best support changes only where two of the \|V_i c\| cross. So every best support shows at a direction
    where d of them are equal: the null vector of d - 1 differences, one for each d rows and signs. Rows are
    first moved by a relative 1e-10 so that no others tie there.

    Rows are eliminated safely, cone by cone: within an angle theta of a direction m every \|V_i c\| stays
    within 2 sin(theta/2) \|V_i\| of \|V_i m\|, so most rows are surely among the k largest there or surely
    not. Only the others can cross. A cone where they are many is split.
    """
    n, d = V.shape
    if n - k <= d - 1:
        # Too few rows are left out for the crossings to be generic; there are few supports, so all are taken.
        return Supports(np.array(list(combinations(range(n), k)), dtype=np.int64), n)
    if d == 1:
        return Supports(largest_entries(V.T, k), k)
    moved = V + _GENERIC * np.linalg.norm(V, axis=1).max() * np.random.default_rng(0).normal(size=V.shape)
    seen = np.zeros(n, dtype=bool)
    cones = all_directions(d)
    found, is_interrupted = until_interrupted(_by_cone(moved, k, cones, seen, deadline))
    rows = np.unique(np.sort(np.concatenate(found), axis=1), axis=0)
    return Supports(rows, int(seen.sum()), not cones and not is_interrupted, is_interrupted)


def _by_cone(
    V: Array, k: int, cones: list[Cone], seen: npt.NDArray[np.bool_], deadline: Deadline
) -> Iterator[Indices]:
    """Yield the supports of every cone, wide ones first, and take the cones off their list."""
    norms = np.linalg.norm(V, axis=1)
    yield largest_entries(np.array([cone.centre for cone in cones]) @ V.T, k)
    while cones and not deadline.is_over:
        cone = cones.pop(0)
        sure, open_rows = _sorted_out(V, norms, k, cone)
        crossings = comb(len(open_rows), V.shape[1]) * 2 ** (V.shape[1] - 1)
        if crossings > _LEAF and cone.cosine < 1.0 - 1e-14:
            cones += cone.split()
            yield largest_entries(cone.centre[None] @ V.T, k)  # what is there if the search is stopped
            continue
        seen[sure] = seen[open_rows] = True
        if crossings:
            part = open_rows[_enumerated(V[open_rows], k - len(sure), cone)]
            yield np.hstack([np.tile(sure, (len(part), 1)), part])


def _sorted_out(V: Array, norms: Array, k: int, cone: Cone) -> tuple[Indices, Indices]:
    """Return the rows that are among the k largest throughout the cone, and those that may enter or leave."""
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
    """Return the distinct supports of k rows of V at the crossings inside the cone."""
    n, d = V.shape
    found = [np.empty((0, k), dtype=np.int64)]
    inside = cone.cosine - 1e-9 * np.sqrt(max(1.0 - cone.cosine**2, 0.0)) - 1e-15
    for rows in _subsets(n, d, max(1, _CHUNK // n)):
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
    return np.unique(np.concatenate(found), axis=0)


def _subsets(n: int, d: int, size: int) -> Iterator[Indices]:
    """Yield the d-subsets of n rows in blocks (at most size, d)."""
    subsets = combinations(range(n), d)
    while block := list(islice(subsets, size)):
        yield np.array(block, dtype=np.int64)


def _null_vectors(M: Array) -> Array:
    """Return a unit null vector (s, d) of each of the (s, d - 1, d) matrices."""
    d = M.shape[2]
    if d == 2:
        c = np.column_stack([-M[:, 0, 1], M[:, 0, 0]])
    elif d == 3:
        c = np.cross(M[:, 0], M[:, 1])
    else:
        return np.asarray(np.linalg.svd(M)[2][:, -1])
    return np.asarray(c / np.linalg.norm(c, axis=1, keepdims=True))


def _completed(above: Array, rows: Indices, m: int) -> Indices:
    """Return the supports: the rows above the level and any m of those at it."""
    s, d = rows.shape
    certain = np.nonzero(above)[1].reshape(s, -1)
    return np.concatenate(
        [np.sort(np.hstack([certain, rows[:, list(choice)]]), axis=1) for choice in combinations(range(d), m)]
    ).astype(np.int64)


def _block_norms(V: Array, supports: Indices) -> Array:
    """Return the largest eigenvalue of V_T V_T' for each support T."""
    blocks = V[supports]
    return np.asarray(np.linalg.eigvalsh(np.matmul(blocks.transpose(0, 2, 1), blocks))[:, -1])
