"""A certified component of a covariance that keeps more variables than the proof needs."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from relaxspca.candidate import Candidate
from relaxspca.candidates import candidate as propose
from relaxspca.certificate import Certificate, Point, PsiPoint
from relaxspca.certify.claim import one_leaf
from relaxspca.certify.elimination import balanced_rows, cover, elimination_rule, row_sum_bound, shrink
from relaxspca.certify.kkt import kkt_test
from relaxspca.certify.solve import solve
from relaxspca.covariance import Covariance
from relaxspca.relaxations import psi

__all__ = ["certify_kept", "marginal_price"]

FEW = 700  # variables that need not be made fewer
LEAST_SECONDS = 1.0  # for the search, however long the elimination took


@dataclass(frozen=True)
class Trial:
    """Variables kept, the component among them, and a bound on supports with others, proved by a point."""

    kept: Covariance
    component: Candidate
    point: Point
    bound: float


def certify_kept(
    cov: Covariance, k: int, *, tol: float = 1e-6, time_limit: float | None = None
) -> Certificate:
    """Propose a component of k variables and certify it among all variables, kept or eliminated.

    Parameters
    ----------
    cov : Covariance
        Usually from `Covariance.from_chunks`; variables of small variance are left out of the proof here.
    k : int
    tol : float
        Relative gap at which no dearer bound is tried.
    time_limit : float, optional
        Seconds for the bounds.

    Returns
    -------
    Certificate
        Over the variables that the proof needs; the others are in its `eliminated`.

    Raises
    ------
    InputError
        k is not a whole number from 1 to the number of variables kept.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.Covariance.from_factor([[3.0, 3.0, 0.1, 0.0], [0.0, 0.1, 0.2, 0.1]])
    >>> certificate = certify_kept(cov, 2)
    >>> certificate.names, certificate.eliminated.count
    (('x0', 'x1'), 2)
    """
    began = time.monotonic()
    best = propose(cov, cov.check_cardinality(k))
    trial = _least_covariance(cov, k, best, tol)
    kept, point = trial.kept, trial.point
    certificate = None
    if isinstance(point, PsiPoint):
        certificate = one_leaf(kept, trial.component, psi.upper_bound(kept, point, k), point, k=k)
    if certificate is None or certificate.upper > certificate.lower * (1 + tol):
        left = None if time_limit is None else max(time_limit - (time.monotonic() - began), LEAST_SECONDS)
        everything = kept.restrict(range(kept.n))
        searched = solve(everything, k, gap=tol, time_limit=left, start=trial.component).certificate
        if certificate is None or searched.upper <= certificate.upper:
            certificate = searched
    return cover(certificate, kept, [point])


def _least_covariance(cov: Covariance, k: int, best: Candidate, tol: float) -> Trial:
    """Return few variables for which the elimination costs nothing, and the point that proves it.

    What the component gains over a bound on v_{k-1} is a threshold for eliminated variables, and so is
    the price at which it is about to change. Row sums are tried first; the closed-form dual point of psi
    takes longer, and is tight where many variables are alike.
    """
    gain = best.value - row_sum_bound(cov, k - 1) if k > 1 else best.value
    price = marginal_price(cov, best)
    trials = []
    for threshold in sorted({gain, price, price / 2, 0.0}, reverse=True):
        trials.append(_trial(cov, k, best, max(threshold, 0.0)))
        if trials[-1].bound <= best.value * (1 + tol):
            break
    if trials[-1].bound > best.value * (1 + tol) or trials[-1].kept.n > FEW:
        trials.append(_trial(cov, k, best, price, tol=tol))
        if trials[-1].bound <= best.value * (1 + tol):
            return trials[-1]
    return min(trials, key=lambda trial: trial.bound)


def _trial(cov: Covariance, k: int, best: Candidate, threshold: float, tol: float | None = None) -> Trial:
    """Eliminate below a threshold by row sums or, with a tolerance, by the dual point of psi."""
    kept = shrink(cov, threshold * (1 - 1e-6), best.support)
    component = _carried(cov, kept, best)
    dual = None if tol is None else kkt_test(kept, component, tol=0.1 * tol).dual
    point = balanced_rows(kept, max(k - 1, 1)) if dual is None else dual.point
    return Trial(kept, component, point, elimination_rule(kept, k, [point])[0])


def marginal_price(cov: Covariance, component: Candidate) -> float:
    r"""Return the price of a variable at which a component is about to change.

    It is :math:`\min(\max_{j\notin I}\alpha_j^2,\ \min_{i\in I}\alpha_i^2)` for
    :math:`\alpha=\Sigma z/\sqrt\lambda`: where the dual point is tight, its :math:`\rho` is not below it.
    """
    chosen = component.support
    squares = (cov.columns(chosen) @ component.loadings[chosen]) ** 2 / component.value
    inside = float(squares[chosen].min())
    outside = np.delete(squares, chosen)
    return min(inside, float(outside.max(initial=0.0)))


def _carried(cov: Covariance, kept: Covariance, component: Candidate) -> Candidate:
    """Return a component as one of the covariance of the variables kept."""
    position = {name: i for i, name in enumerate(kept.names)}
    support = [position[cov.names[i]] for i in component.support]
    return Candidate.from_support(kept, support, method=component.method)
