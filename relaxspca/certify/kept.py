"""A certified component of a covariance that keeps more variables than the proof needs."""

from __future__ import annotations

import time

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

SHARES = (1.0, 0.5, 0.0)  # of the first threshold, tried one after the other


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
    kept, inside, points = _least_covariance(cov, k, best, tol)
    test = next((point for point in points if isinstance(point, PsiPoint)), None)
    certificate = None
    if test is not None:
        certificate = one_leaf(kept, inside, psi.upper_bound(kept, test, k), test, k=k)
    if certificate is None or certificate.upper > certificate.lower * (1 + tol):
        left = None if time_limit is None else max(time_limit - (time.monotonic() - began), 0.0)
        searched = solve(kept, k, gap=tol, time_limit=left, start=inside).certificate
        if certificate is None or searched.upper <= certificate.upper:
            certificate = searched
    return cover(certificate, kept, points)


def _least_covariance(
    cov: Covariance, k: int, best: Candidate, tol: float
) -> tuple[Covariance, Candidate, list[Point]]:
    """Return the fewest variables for which the elimination costs nothing, and the points that prove it.

    The marginal gain over a bound on v_{k-1} is a threshold for one eliminated variable; where the
    closed-form dual point of psi is tight, so is its least price.
    """
    gain = best.value - row_sum_bound(cov, k - 1) if k > 1 else best.value
    threshold = max(gain, marginal_price(cov, best)) * (1 - 1e-6)
    for share in SHARES:
        kept = shrink(cov, share * threshold, best.support)
        inside = _carried(cov, kept, best)
        points: list[Point] = [balanced_rows(kept, max(k - 1, 1))]
        dual = kkt_test(kept, inside).dual
        if dual is not None:
            points.append(dual.point)
        if elimination_rule(kept, k, points)[0] <= best.value * (1 + tol):
            break
    return kept, inside, points


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
