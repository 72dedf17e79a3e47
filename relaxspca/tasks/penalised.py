"""Bounds on the penalised problem: a component from above and from below for one penalty."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from relaxspca.candidates import candidate as best_candidate
from relaxspca.candidates.approximate_greedy import selection_order
from relaxspca.candidates.conditional import grown_from
from relaxspca.candidates.rounding import supports_at_penalty
from relaxspca.numerics.linalg import Array
from relaxspca.problem.arguments import as_covariance, check_rng
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.claim import one_leaf
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.limits import check_limits
from relaxspca.results.phi_bounds import PhiBounds
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.tasks.psi import psi

__all__ = ["best_at_penalty", "phi_bounds"]


def phi_bounds(
    cov: Covariance,
    rho: float,
    *,
    tol: float = 1e-6,
    time_limit: float | None = None,
    rng: np.random.Generator | None = None,
) -> PhiBounds:
    r"""Bound the penalised problem from both sides.

    .. math::
        \phi(\rho) = \max_{\|x\|\le1}\ x'\Sigma x-\rho\operatorname{Card}(x) = \max_k\,(v_k-\rho k)_+
        \ \le\ \psi(\rho)

    Parameters
    ----------
    cov : Covariance of n variables.
    rho : penalty of a variable, at least 0 (variance).
    tol : relative accuracy asked of the solver of psi; the bound is proved whatever it achieves.
    time_limit : seconds; half of them at most for the solver of psi.
    rng : source of randomness for the candidates; None is a fixed seed.

    Returns
    -------
    PhiBounds

    Raises
    ------
    InputError
        `rho` is negative or not a number, or variables were eliminated.

    Notes
    -----
    The upper bound is :math:`\lambda_{\max}(\sum y_iy_i')` at dual vectors of psi(rho), proved. It also
    bounds every cardinality: :math:`v_k\le` upper + rho k. Supports are proposed by forward selection,
    around whose best cardinality the best candidates are taken, and by rounding the solution of psi.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, JMLR 9:1269-1294, 2008, sections 2 and 3.

    Examples
    --------
    >>> import relaxspca as rs
    >>> phi_bounds(rs.datasets.load_pitprops(), 0.2)
    Largest variance less 0.2 for each variable used, of 13 variables: between 2.59618 and 2.6010... (...).
    The lower bound is attained with 7 variables.
    | variable | loading |
    ...
    """
    cov = as_covariance(cov)
    check_rng(rng)
    check_limits(time_limit=time_limit)
    cov.check_complete("a penalised claim")
    clock = Deadline.after(time_limit)
    relaxed = psi(cov, rho, tol=tol, time_limit=clock.share(2))
    best = best_at_penalty(cov, relaxed.rho, X=relaxed.X, rng=rng, deadline=clock)
    certificate = one_leaf(cov, best, relaxed.upper, relaxed.dual, rho=relaxed.rho)
    if certificate.lower < 0:  # what the component is proved to attain is less than nothing at all
        best = Candidate.empty(cov)
        certificate = one_leaf(cov, best, relaxed.upper, relaxed.dual, rho=relaxed.rho)
    lower, upper, spent = certificate.lower, certificate.upper, clock.elapsed
    return PhiBounds(relaxed.rho, best, lower, upper, certificate, spent)


def best_at_penalty(
    cov: Covariance,
    rho: float,
    *,
    X: Array | None = None,
    rng: np.random.Generator | None = None,
    include: Sequence[int] = (),
    deadline: Deadline = FOREVER,
) -> Candidate:
    """Return the candidate of largest value less rho a variable; it is empty when none is worth its penalty.

    Parameters
    ----------
    cov : Covariance of n variables.
    rho : penalty of a variable (variance).
    X : (r, r) solution of psi(rho) to round as well, if there is one.
    rng : source of randomness; None is a fixed seed.
    include : variables that are always used, and paid for; then the candidate is not empty.
    deadline : when to look no further; half of the time is for the choice of a cardinality.
    """
    if include:
        found = _holding(cov, rho, include, rng, deadline)
    else:
        found = [Candidate.empty(cov), *_proposals(cov, rho, X, rng, deadline)]
    return max(found, key=lambda c: c.value - rho * c.k)


def _holding(
    cov: Covariance, rho: float, include: Sequence[int], rng: np.random.Generator | None, deadline: Deadline
) -> list[Candidate]:
    """Return candidates of several cardinalities that hold some variables."""
    worth = cov.diagonal + cov.shift > rho
    worth[list(include)] = True
    most = int(worth.sum())
    grown = _until(deadline.part(2), grown_from(cov, include, most, rho))
    k = max(grown, key=lambda c: c.value - rho * c.k).k
    sizes = range(max(len(include), k - 1), min(most, k + 1) + 1)
    options: dict[str, Any] = {"rng": rng, "include": include, "deadline": deadline}
    return grown + [best_candidate(cov, m, **options) for m in sizes]


def _proposals(
    cov: Covariance, rho: float, X: Array | None, rng: np.random.Generator | None, deadline: Deadline
) -> list[Candidate]:
    """Return candidates of several cardinalities."""
    most = int((cov.diagonal + cov.shift > rho).sum())
    if most == 0:
        return []
    order = selection_order(cov, most, deadline=deadline.part(4))
    prefixes = (Candidate.from_support(cov, order[:k]) for k in range(1, len(order) + 1))
    k = max(_until(deadline.part(2), prefixes), key=lambda c: c.value - rho * c.k).k
    sizes = range(max(1, k - 1), min(most, k + 1) + 1)
    around = [best_candidate(cov, m, rng=rng, deadline=deadline) for m in sizes]
    rounded = [] if X is None else supports_at_penalty(cov, rho, X, rng=rng)
    supported = (Candidate.from_support(cov, support, method="psi") for support in rounded)
    return around + _until(deadline, supported)


def _until(deadline: Deadline, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates made before the time is over, and one more."""
    found = []
    for candidate in candidates:
        found.append(candidate)
        if deadline.is_over:
            break
    return found
