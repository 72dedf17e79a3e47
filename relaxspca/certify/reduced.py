"""`solve` for very many variables, or for some of which others were eliminated."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.candidate import Candidate
from relaxspca.certificate import Point
from relaxspca.certify.elimination import balanced_rows, cover, shrink
from relaxspca.certify.result import Result
from relaxspca.certify.solve import LARGEST_BLOCK, solve
from relaxspca.covariance import Covariance
from relaxspca.errors import InputError
from relaxspca.linalg import as_array
from relaxspca.relaxations.psi import psi_point
from relaxspca.solvers.psi import bound

__all__ = ["solve_reduced"]


def solve_reduced(cov: Covariance, k: int, best: Candidate, *, gap: float, **options: Any) -> Result:
    r"""Eliminate variables by one dual point, search among the others, cover both by one certificate.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality.
    best : Candidate, the incumbent.
    gap, options : as in `relaxspca.solve`.

    Returns
    -------
    Result
        Its certificate is over the variables kept; the others are in its `eliminated`.

    Raises
    ------
    InputError
        More than `LARGEST_BLOCK` variables remain.

    Notes
    -----
    A dual point with :math:`v_j\le d+\rho j` bounds every support with an eliminated variable by
    :math:`d+\rho(k-1)+\Sigma_{ii}`, at most the value L of the incumbent when
    :math:`\Sigma_{ii}\le\rho-(d+\rho k-L)` (`relaxspca.certify.elimination`).
    """
    began = time.monotonic()
    kept, point = _kept(cov, k, best, options.get("time_limit"))
    if kept.n > LARGEST_BLOCK:
        raise InputError(
            f"{kept.n} of {cov.n} variables cannot be eliminated by their variances, more than "
            f"{LARGEST_BLOCK}: restrict them, or bound them with upper_bound(cov, k, relaxation='psi')"
        )
    position = {name: i for i, name in enumerate(kept.names)}
    start = Candidate.from_support(kept, [position[cov.names[i]] for i in best.support], method=best.method)
    everything = kept.restrict(range(kept.n))
    found = solve(everything, k, gap=gap, start=start, **options)
    certificate = cover(found.certificate, kept, [point])
    lower, upper = certificate.lower, certificate.upper
    status = found.status
    if status == "optimal" and upper > found.upper:
        status = "gap"
    return replace(
        found,
        candidate=_among_all(cov, kept, found.candidate),
        lower=lower,
        upper=upper,
        status=status,
        certificate=certificate,
        seconds=time.monotonic() - began,
    )


def _kept(cov: Covariance, k: int, best: Candidate, time_limit: float | None) -> tuple[Covariance, Point]:
    """Return the variables that stay, and the dual point that speaks for the others."""
    if cov.n <= LARGEST_BLOCK:
        return cov, balanced_rows(cov.restrict(range(cov.n)), max(k - 1, 1))
    value = best.value + cov.shift
    solution = bound(cov.factor, k, lower=value, time_limit=time_limit)
    threshold = solution.rho - max(solution.bound(k) - value, 0.0) * (1 + 1e-6)
    kept = shrink(cov, max(threshold, 0.0), best.support)
    place = {name: i for i, name in enumerate(cov.names)}
    columns = np.array([place[name] for name in kept.names])
    return kept, psi_point(kept, range(kept.n), solution.rho, solution.vectors[:, columns])


def _among_all(cov: Covariance, kept: Covariance, found: Candidate) -> Candidate:
    """Return a component of the variables kept as one of all variables."""
    place = {name: i for i, name in enumerate(cov.names)}
    support = np.array([place[kept.names[i]] for i in found.support], dtype=np.int64)
    loadings = np.zeros(cov.n)
    loadings[support] = found.loadings[found.support]
    order = np.sort(support)
    order.flags.writeable = False
    return Candidate(order, as_array(loadings), found.value, found.method)
