"""Every subset of k variables that fits nearly as well as the best one, with proof that there is no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.applications.subset_problem import RegressionProblem, checked_cardinality
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import as_array
from relaxspca.problem.candidate import Candidate
from relaxspca.results.near_optimal_ratios import NearOptimalSubsets
from relaxspca.search.limits import SearchLimits
from relaxspca.search.ratio_listing import list_ratios
from relaxspca.tasks.near_optimal import checked_length

__all__ = ["near_optimal_subsets"]


def near_optimal_subsets(
    M: Any,
    y: Any,
    k: int,
    *,
    within: float = 0.01,
    limit: int = 1000,
    intercept: bool = False,
    ridge: float = 0.0,
    time_limit: float | None = None,
    names: Sequence[str] | None = None,
    include: Any = (),
    exclude: Any = (),
) -> NearOptimalSubsets:
    r"""List every subset of k variables that fits nearly as well as the best, and prove the list complete.

    .. math:: \{T : |T|=k,\ s(T)\le(1+\varepsilon)\,s(k)\},\qquad
        s(T)=\min_{w=0\text{ off }T}\|y-Mw\|^2+\lambda\|w\|^2,\quad s(k)=\min_T s(T)

    Parameters
    ----------
    M : (p, n) array_like or DataFrame
        Variables by columns; none is constant, and none a multiple of another.
    y : (p,) array_like
        Response.
    k : int, from 1 to min(n, p), or to n with a ridge term
    within : float
        The fraction :math:`\varepsilon`, at least 0, of the least residual sum of squares s(k), the ridge term
        included: 0.01 lists subsets that leave at most 1 % more. With 0 ties are listed, up to 1e-9 of the sum
        of squares that the best explains.
    limit : int
        The search stops when so many subsets are listed.
    intercept, ridge, time_limit, names, include, exclude : as in `subset_selection`.

    Returns
    -------
    NearOptimalSubsets
        When `limit`, `time_limit` or Ctrl-C ended the search its list is not complete, and it says within which
        smaller fraction it is.

    Raises
    ------
    InputError
        As `subset_selection`; or a variable is constant, or equals another up to a factor: a list would have
        every subset twice.

    Notes
    -----
    What a subset explains is a ratio of two quadratic forms A and B (`subset_selection`); the subsets of a
    ratio above mu are those whose block of A - mu B has an eigenvalue above 0, and a search for all of these
    lists them. The list may hold a few subsets that miss the fraction by rounding.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> M = rng.standard_normal((50, 5))
    >>> M[:, 4] = M[:, 0] + 0.05 * rng.standard_normal(50)
    >>> y = M[:, 0] + M[:, 1] + rng.standard_normal(50)
    >>> found = near_optimal_subsets(M, y, 2, within=0.05)
    >>> found.indices, found.core, found.is_complete
    (((1, 4), (0, 1)), ('x1',), True)
    """
    problem = RegressionProblem(M, y, names, intercept, ridge=ridge, include=include, exclude=exclude)
    pencil, k = problem.pencil, checked_cardinality(k, problem)
    limits, limit = SearchLimits.checked(within=within, time_limit=time_limit), checked_length(limit)
    _check_distinct(problem)
    assert pencil is not None  # no variable that may be used is constant
    start, _ = problem.proposed(k, limits.deadline.part(2))
    energy = float(problem.energy * pencil.unit)
    listed = list_ratios(
        pencil,
        k,
        start,
        lambda explained: within * max(energy - explained, 0.0),
        most=problem.highest_ratio,
        least=pencil.least_form(),
        longest=limit,
        limits=limits,
        conditions=problem.conditions_on_used,
    )
    assert listed is not None  # no fit explains more than the sum of squares of y
    candidates = tuple(_in_place(problem, found) for found in listed.candidates)
    fits = [problem.coefficients(found.indices) for found in candidates]
    more = {
        "within": float(within),
        "candidates": candidates,
        "seconds": limits.deadline.elapsed,
        "meant": problem.meant,
        "energy": problem.energy,
        "coefficients": tuple(as_array(w) for w, _ in fits),
        "intercepts": tuple(constant for _, constant in fits),
        "n": len(problem.names),
    }
    return NearOptimalSubsets(**vars(listed) | more)


def _check_distinct(problem: RegressionProblem) -> None:
    """Raise where a variable that may be used was dropped from the two forms."""
    dropped = np.setdiff1d(np.arange(len(problem.names)), [*problem.used, *problem.conditions.exclude])
    if len(dropped):
        name = problem.names[int(dropped[0])]
        raise InputError(
            f"{name} is constant, or equals another variable up to a factor, so that a list would hold many "
            f"subsets of one fit: leave it out, with exclude=[{name!r}]"
        )


def _in_place(problem: RegressionProblem, found: Candidate) -> Candidate:
    """Return a vector of the columns used as one of all variables."""
    loadings = np.zeros(len(problem.names))
    loadings[problem.used] = found.loadings
    return replace(found, indices=problem.used[found.indices], loadings=as_array(loadings), names=problem.names)
