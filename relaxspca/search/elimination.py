r"""Eliminate variables by their variances alone, and extend certificates to the eliminated variables.

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
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np

from relaxspca.certificate import Certificate, Eliminated, FactorPoint, Leaf, Point, RowsPoint
from relaxspca.numerics.linalg import UNIT_ROUNDOFF, sum_upper
from relaxspca.problem.certificates import changed, rule_of
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.semidefinite import provable_shift
from relaxspca.problem.size import Cardinality
from relaxspca.problem.slack import slack
from relaxspca.relaxations.perron import formula as perron
from relaxspca.relaxations.perron.weights import balance
from relaxspca.relaxations.psi.kkt import penalised


def shrink(cov: Covariance, threshold: float, needed: Iterable[int] = ()) -> Covariance:
    """Keep the variables of variance above a threshold and those in `needed`; eliminate the others.

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
    # A diagonal computed from a factor is rounded up.
    inflation = 1 + 4 * (cov.factor.shape[0] + 4) * UNIT_ROUNDOFF if cov.is_factored else 1.0
    variances = np.maximum(cov.diagonal[left], 0.0) * inflation
    if before is None:
        shift = cov.shift + cov.factor_residual
        shift = provable_shift(kept.matrix, shift * (1 + UNIT_ROUNDOFF)) if not cov.is_factored else shift
        gone = Eliminated(tuple(cov.names[i] for i in left), variances, shift)
    else:
        names = (*before.names, *(cov.names[i] for i in left))
        gone = Eliminated(names, np.append(before.variances, variances), before.shift)
    return kept._with(eliminated=gone)


def cover(certificate: Certificate, cov: Covariance, extra: Sequence[Point] = ()) -> Certificate:
    """Extend a certificate for the variables kept to those that the covariance eliminated.

    The rule is that of least bound. The certificate is made as if nothing were eliminated; its upper bound is
    raised to that of the rule where this is larger. The rule may use the points of the certificate and extra
    ones.
    """
    assert certificate.k is not None
    # Bounds of a rows point take eigenvalues: it is asked where it was made for this.
    given = (*extra, *(point for point in certificate.points if getattr(point, "P", None) is None))
    worst, kind, point = elimination_rule(cov, certificate.k, given, enough=certificate.upper)
    points = list(certificate.points)
    if not any(point is known for known in points):
        points.append(point)
    rule = Leaf(kind, next(at for at, known in enumerate(points) if known is point))
    upper = max(certificate.upper, worst + slack(abs(worst), n=cov.n, points=points))
    return changed(certificate, upper=upper, points=points, eliminated=cov.eliminated, elimination=rule)


def elimination_rule(
    cov: Covariance, k: int, points: Iterable[Point], *, enough: float = -math.inf
) -> tuple[float, str, Point]:
    """Return the least bound on supports with an eliminated variable, and the rule and point that prove it.

    Each dual point over all variables kept gives a rule; without one it is the trace. A rule that proves
    `enough` is taken at once. The bound is ``-inf`` if nothing is eliminated.
    """
    assert cov.eliminated is not None
    largest = cov.eliminated.largest(k) + cov.eliminated.shift
    # D_b + b delta for b = 1, 2, ..., k, rounded up.
    added = [sum_upper(largest[: b + 1]) * (1 + 4 * UNIT_ROUNDOFF) for b in range(largest.size)]

    def rule(point: Point) -> tuple[float, str, Point]:
        """Return the rule from bounds on v_j of the variables kept; one of v_j holds for smaller j, too."""
        kept: Callable[[int], float]
        if isinstance(point, FactorPoint):
            kind, kept = "factor", penalised(cov.alone, point).upper
        else:
            assert isinstance(point, RowsPoint)
            kind, kept = "rows", partial(perron.upper_bound, cov.alone, point)
        worst, bound = -math.inf, math.inf
        for b, more in enumerate(added, start=1):
            if b == k or bound + more > worst:
                bound = kept(k - b) if b < k else 0.0
            worst = max(worst, bound + more)
        return worst, kind, point

    rules = []
    for point in points:
        if point.variables.size == cov.n:
            rules.append(rule(point))
            if rules[-1][0] <= enough:
                break
    if not rules:
        trace = rule_of("trace", None, cov)[1]
        assert trace is not None
        rules.append(rule(trace))
    return min(rules, key=lambda found: found[0])


def balanced_rows(cov: Covariance, k: int) -> tuple[RowsPoint, float]:
    """Return the weights whose largest weighted row sum for k variables is least, and this sum; 1 <= k <= n."""
    found = balance(cov.matrix, np.zeros(cov.n, dtype=bool), Cardinality(k), rounding=cov.rounding())
    return RowsPoint(variables=np.arange(cov.n), weights=found.weights), found.bound
