r"""Leave variables out by their variances alone, and certify what that leaves out.

**The rule.** Let T = A + B, A among the variables kept and B, of b variables, among those eliminated. With
:math:`\Sigma\succeq-\delta I`,

.. math:: \lambda_{\max}(\Sigma_{TT})\ \le\ \lambda_{\max}(\Sigma_{AA})+\sum_{i\in B}(\Sigma_{ii}+\delta).

*Proof.* :math:`\Sigma_{TT}+\delta I=M'M` with :math:`M=[M_A\ M_B]`, and
:math:`\|M\|^2\le\|M_A\|^2+\|M_B\|^2` where :math:`\|M_B\|^2` is at most the trace of its block. The terms are
:math:`\lambda_{\max}(\Sigma_{AA})+\delta` and :math:`\sum_B(\Sigma_{ii}+\delta)`; subtract :math:`\delta`.

So with any bound :math:`U_j\ge v_j` on the variables kept, and :math:`D_b` the sum of the b largest eliminated
variances, no support with an eliminated variable exceeds :math:`\max_{b\ge1}U_{k-b}+D_b+b\delta`. When that is
below the value of a candidate, no eliminated variable belongs to a best support. A dual point of psi has
:math:`U_j=d+\rho j`: every variable with :math:`\Sigma_{ii}+\delta\le\rho` is then eliminated at no cost,
the rule of d'Aspremont, Bach and El Ghaoui. The trace rule, :math:`\Sigma_{ii}` plus the k-1 largest
variances, is the special case where :math:`U_j` is a trace; it rarely eliminates anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from relaxspca.bound import Bound
from relaxspca.candidate import Candidate
from relaxspca.candidates import candidate as propose
from relaxspca.certificate import Certificate, Eliminated, Leaf, PsiPoint
from relaxspca.certify.bounds import escalate
from relaxspca.certify.claim import CLAIM_MARGIN, one_leaf
from relaxspca.certify.kkt import priced
from relaxspca.covariance import Covariance
from relaxspca.linalg import UNIT_ROUNDOFF, Array, sum_upper
from relaxspca.relaxations import spectral

__all__ = ["certify_kept", "cover", "marginal_price", "shrink"]

SHARES = (0.95, 0.5, 0.1, 0.0)  # of the marginal price, tried as thresholds one after the other


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
    best = propose(cov, cov.check_cardinality(k))
    price = marginal_price(cov, best)
    for share in SHARES:
        kept = shrink(cov, share * price, best.support)
        inside = _carried(cov, kept, best)
        bound = escalate(kept, k, [inside], tol=tol, time_limit=time_limit)
        evidence = bound.relaxation if bound.dual is None else bound.dual
        alone = one_leaf(kept, inside, bound.upper, evidence, k=k)
        certificate = cover(alone, kept, _priced_points(kept, k, inside, bound, time_limit))
        if certificate.upper <= alone.upper + tol * abs(alone.lower):
            break
    return certificate


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


def shrink(cov: Covariance, threshold: float, needed: Iterable[int] = ()) -> Covariance:
    """Keep the variables with a variance above a threshold, and those needed; eliminate the others.

    Examples
    --------
    >>> cov = Covariance([[3.0, 1.0, 0.1], [1.0, 2.0, 0.1], [0.1, 0.1, 0.5]])
    >>> kept = shrink(cov, 1.0)
    >>> kept.names, kept.eliminated.names
    (('x0', 'x1'), ('x2',))
    """
    keep = cov.diagonal > threshold
    keep[list(needed)] = True
    left = np.flatnonzero(~keep)
    kept = cov.restrict(np.flatnonzero(keep).tolist())
    before = cov.eliminated
    # Where the diagonal is itself computed from a factor, it is rounded up.
    inflation = 1 + 4 * (cov.factor.shape[0] + 4) * UNIT_ROUNDOFF if cov.is_factored else 1.0
    variances = np.maximum(cov.diagonal[left], 0.0) * inflation
    if before is None:
        shift = cov.shift + cov.factor_residual
        kept.eliminated = Eliminated(tuple(cov.names[i] for i in left), variances, shift * (1 + UNIT_ROUNDOFF))
    else:
        names = (*before.names, *(cov.names[i] for i in left))
        kept.eliminated = Eliminated(names, np.append(before.variances, variances), before.shift)
    return kept


def cover(certificate: Certificate, cov: Covariance, extra: Iterable[PsiPoint] = ()) -> Certificate:
    """Extend a certificate about the variables of a covariance to those that it eliminated.

    Parameters
    ----------
    certificate : Certificate of v_k, made for `cov` as if nothing were eliminated.
    cov : Covariance with `eliminated`.
    extra : further dual points that the rule may use.

    Returns
    -------
    Certificate
        With the best rule that is at hand; its upper bound is raised where the rule asks for it.
    """
    eliminated, k = cov.eliminated, certificate.cardinality
    assert eliminated is not None
    assert k is not None
    added = _added(eliminated, k)
    rules = [(Leaf("trace"), _trace(cov, k))]
    points = (*certificate.points, *extra)
    for at, point in enumerate(points):
        if isinstance(point, PsiPoint) and point.variables.size == cov.n:
            rules.append((Leaf("psi", at), _linear(priced(cov, point).value, point.rho, k)))
    bounds = [(float((of_kept[: added.size] + added).max(initial=-math.inf)), leaf) for leaf, of_kept in rules]
    worst, rule = min(bounds, key=lambda pair: pair[0])
    # The checker's arithmetic rounds differently, so that a claim is a little wider than the bound.
    upper = max(certificate.upper, worst + CLAIM_MARGIN * abs(worst)) if added.size else certificate.upper
    return replace(certificate, upper=upper, points=points, eliminated=eliminated, elimination=rule)


def _priced_points(
    cov: Covariance, k: int, component: Candidate, bound: Bound, time_limit: float | None
) -> list[PsiPoint]:
    """Return a dual point of psi for the elimination, unless the bound already rests on one."""
    if isinstance(bound.dual, PsiPoint):
        return []
    point = escalate(cov, k, [component], steps=("kkt", "psi"), time_limit=time_limit).dual
    return [point] if isinstance(point, PsiPoint) else []


def _added(eliminated: Eliminated, k: int) -> Array:
    """Return D_b + b delta for b = 1, 2, ..., rounded up."""
    largest = eliminated.largest(k) + eliminated.shift
    return np.array([sum_upper(largest[: b + 1]) for b in range(largest.size)]) * (1 + 4 * UNIT_ROUNDOFF)


def _trace(cov: Covariance, k: int) -> Array:
    """Return bounds on v_{k-1}, ..., v_0 by the largest variances."""
    return np.array([spectral.upper_bound(cov, "trace", size) for size in range(k - 1, 0, -1)] + [0.0])


def _linear(value: float, rho: float, k: int) -> Array:
    """Return bounds on v_{k-1}, ..., v_0 by a dual point of psi; an empty support has the value 0."""
    bounds = value + rho * np.arange(k - 1, -1.0, -1.0)
    bounds[-1] = 0.0
    return bounds


def _carried(cov: Covariance, kept: Covariance, component: Candidate) -> Candidate:
    """Return a component as one of the covariance of the variables kept."""
    position = {name: i for i, name in enumerate(kept.names)}
    support = [position[cov.names[i]] for i in component.support]
    return Candidate.from_support(kept, support, method=component.method)
