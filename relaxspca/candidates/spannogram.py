"""The spannogram: enumerate all supports that are optimal for the rank-d part of Sigma."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.candidates.arrangement import best_supports
from relaxspca.candidates.rows import row_reader, support_values
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.errors import InputError
from relaxspca.problem.arguments import check_limits, checked_cardinality
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.runtime.deadline import Deadline

LARGEST_DIMENSION = 4  # largest d tried to reach an accuracy


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
    rng: np.random.Generator | None = None,
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
    rng : Generator or None, not used: the method is deterministic.

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
    if not 1 <= d <= cov.n:
        raise InputError(f"the dimension d must lie in 1..{cov.n}, not {d}")
    values, vectors = leading_eigenpairs(cov, min(d + 1, cov.n))
    values = np.append(values + cov.shift, 0.0)[: d + 1]
    d = max(1, int(np.count_nonzero(values[:d] > 1e-12 * values[0])))
    V = vectors[:, :d] * np.sqrt(np.maximum(values[:d], 0.0))
    found = best_supports(V, k, deadline=deadline)
    best = int(np.argmax(support_values(row_reader(cov), found.rows)))
    method = "spannogram" if found.is_complete else "spannogram, stopped"
    return LowRankResult(
        candidate=Candidate.from_support(cov, found.rows[best], method=method),
        rank=d,
        ratio=max(0.0, 1.0 - _loss(cov, k, values[0], values[d])) if found.is_complete else 0.0,
        is_complete=found.is_complete,
        is_interrupted=found.is_interrupted,
    )
