"""The closed-form optimality test of a sparse component, and its bound for every cardinality."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from relaxspca.certificate import FactorPoint
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import penalty_line
from relaxspca.problem.scaling import EXTREME, normalised, point_times, upper_times
from relaxspca.relaxations.psi.closed_form import DualFamily, least_penalty
from relaxspca.relaxations.psi.formula import psi_point, upper_bound
from relaxspca.runtime.deadline import FOREVER, Deadline


@dataclass(frozen=True, eq=False)
class PenalisedPoint:
    r"""A dual point of psi(rho) with its proved value d (variance): :math:`v_k\le d+\rho k` for every k."""

    point: FactorPoint
    value: float

    def upper(self, k: int) -> float:
        """Return the bound on v_k, rounded upwards."""
        return penalty_line(self.value, self.point.rho, k)


def kkt_test(
    cov: Covariance,
    candidate: Candidate,
    *,
    tol: float = 1e-13,
    width: float = math.inf,
    deadline: Deadline = FOREVER,
) -> PenalisedPoint | None:
    r"""Test a support for optimality by its closed-form dual point at the penalty of least gap.

    .. math::
        \min_\rho\ \lambda_{\max}\Bigl(\sum_i y_i(\rho)y_i(\rho)'\Bigr) - (\lambda-\rho k) \ \ge\ 0

    The loadings of the candidate are fitted anew, and the least gap is accurate to `tol`, relative to the
    value; it need not be found where it is above `width`. Without time no further penalty is tried. None when
    no penalty makes this support optimal for the penalised problem.

    Notes
    -----
    A gap of 0 proves the support optimal for its cardinality: the test is sufficient, not necessary, and
    cannot succeed when (k, v_k) is off the concave envelope of the optima. The bound is evaluated again
    with a proof at the penalty found, so an early stop costs tightness only.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, Optimal solutions for sparse principal component
       analysis, JMLR 9:1269-1294, 2008, sections 4 and 5 (the test and the explicit dual point).

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> best = rs.candidate(cov, 11)
    >>> kkt_test(cov, best).upper(11) < best.value + 1e-9
    True
    """
    cov.check_complete("a bound")
    cov, q = normalised(cov, beyond=EXTREME)
    fitted = Candidate.from_support(cov, candidate.indices, method=candidate.method)
    family = DualFamily.of(cov, fitted)
    if not family.has_penalty:
        return None
    below = (1 + width) * family.value if family.value > 0 else math.inf
    best = least_penalty(family, family.k, tol=tol * family.value, below=below, deadline=deadline)
    if not math.isfinite(best.value):
        return None
    pair = penalised(cov, psi_point(cov, range(cov.n), best.rho, family.vectors(best.rho)))
    return PenalisedPoint(point_times(pair.point, q), upper_times(pair.value, q))


def trivial_points(cov: Covariance) -> tuple[PenalisedPoint, PenalisedPoint]:
    r"""Return the dual points (rho, d) :math:`(0,\lambda_1)` and :math:`(\max_i\Sigma_{ii},0)` of any matrix.

    Examples
    --------
    >>> first, last = trivial_points(Covariance([[2.0, 1.0], [1.0, 2.0]]))
    >>> round(first.upper(2), 9), round(last.upper(1), 9)
    (3.0, 2.0)
    """
    cov.check_complete("a bound")
    A = cov.factor
    norms = np.einsum("ri,ri->i", A, A)
    # Above the largest norm by more than its rounding error, so that zero vectors are proved feasible.
    largest = float(norms.max()) * (1 + 2 * (A.shape[0] + 16) * np.finfo(float).eps)
    everything = range(cov.n)
    return (
        penalised(cov, psi_point(cov, everything, 0.0, A)),
        penalised(cov, psi_point(cov, everything, largest, np.zeros_like(A))),
    )


def penalised(cov: Covariance, point: FactorPoint) -> PenalisedPoint:
    """Return a dual point with its proved value d, which bounds every cardinality."""
    cov.check_complete("a bound")
    return PenalisedPoint(point, upper_bound(cov, point, 0))
