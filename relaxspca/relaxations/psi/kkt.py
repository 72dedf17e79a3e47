r"""The closed-form optimality test of a sparse component, and its bound for every cardinality.

With :math:`\Sigma=A'A`, columns :math:`a_i`, a support I of k variables, its leading eigenvalue
:math:`\lambda` and unit eigenvector w, put :math:`x=A_Iw/\sqrt\lambda` and :math:`\alpha_i=a_i'x`. A penalty
is admissible when :math:`\max_{j\notin I}\alpha_j^2<\rho<\min_{i\in I}\alpha_i^2`, and then

.. math::
    y_i = \frac{\alpha_ia_i-\rho x}{\sqrt{\alpha_i^2-\rho}}\ (i\in I),\qquad
    y_j = \sqrt{\frac{\rho\,(|a_j|^2-\rho)_+}{\rho-\alpha_j^2}}\ \frac{p_j}{|p_j|},\quad
    p_j=a_j-\alpha_jx\ (j\notin I)

is a dual point of psi(rho): :math:`y_iy_i'\succeq a_ia_i'-\rho I` for every i.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from relaxspca.certificate import FactorPoint
from relaxspca.numerics.linalg import HALVINGS, Array, leading_eigenpair
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH, penalty_line
from relaxspca.problem.scaling import EXTREME, normalised, point_times, upper_times
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
    return PenalisedPoint(point, upper_bound(cov, point, 0))


@dataclass(frozen=True, eq=False)
class DualFamily:
    """The dual vectors of one support at every admissible penalty, in floating point.

    Attributes
    ----------
    A : (r, n) factor of Sigma + shift I.
    x : (r,) unit vector of the component in factor space.
    inside : (n,) bool, the support.
    value : leading eigenvalue on the support, shift included.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> family = DualFamily.of(cov, rs.candidate(cov, 9))
    >>> round(family.rho_lo, 5), round(family.rho_hi, 5)
    (0.02498, 0.09894)
    """

    A: Array
    x: Array
    inside: npt.NDArray[np.bool_]
    value: float

    @classmethod
    def of(cls, cov: Covariance, fitted: Candidate) -> DualFamily:
        """Return the family of a support from the best loadings on it."""
        image = cov.factor @ fitted.loadings
        length = float(np.linalg.norm(image))
        inside = np.isin(np.arange(cov.n), fitted.indices)
        return cls(cov.factor, image / length if length > 0 else image, inside, length**2)

    @cached_property
    def alpha(self) -> Array:
        """(n,) inner products a_i'x."""
        return self.A.T @ self.x

    @cached_property
    def norms(self) -> Array:
        """(n,) squares of the columns a_i."""
        return np.asarray(np.einsum("ri,ri->i", self.A, self.A))

    @property
    def k(self) -> int:
        """Number of variables in the support."""
        return int(self.inside.sum())

    @property
    def rho_lo(self) -> float:
        """Largest squared inner product outside the support."""
        return float((self.alpha[~self.inside] ** 2).max(initial=0.0))

    @property
    def rho_hi(self) -> float:
        """Smallest squared inner product on the support."""
        return float((self.alpha[self.inside] ** 2).min())

    @property
    def has_penalty(self) -> bool:
        """Whether some float lies between `rho_lo` and `rho_hi`; of equal variables they may be adjacent."""
        return self.rho_lo < (self.rho_lo + self.rho_hi) / 2 < self.rho_hi

    def vectors(self, rho: float) -> Array:
        """Return the dual vectors at an admissible penalty as columns, (r, n)."""
        Y = np.zeros_like(self.A)
        b, beta = self._inside_terms(rho)
        Y[:, self.inside] = b / np.sqrt(beta)
        outside, p, squares = self._outside_terms(rho)
        Y[:, outside] = p * self._lengths(rho, outside, squares)
        return Y

    def value_and_slope(self, rho: float) -> tuple[float, float]:
        r"""Return :math:`\lambda_{\max}(\sum y_iy_i')` at an admissible penalty and a subgradient in rho.

        They are infinite and nan if a vector overflows.
        """
        b, beta = self._inside_terms(rho)
        outside, p, squares = self._outside_terms(rho)
        Y = np.hstack([b / np.sqrt(beta), p * self._lengths(rho, outside, squares)])
        if not np.isfinite(Y).all():
            return math.inf, math.nan
        top, t = _leading_left_pair(Y)
        along = (t @ b) / beta
        slope = (along**2 - 2 * (t @ self.x) * along).sum()
        alpha = self.alpha[outside]
        fall = 1 + alpha**2 * squares / (rho - alpha**2) ** 2
        return top, float(slope - (fall * (t @ p) ** 2 / squares).sum())

    def _lengths(self, rho: float, outside: npt.NDArray[np.int64], squares: Array) -> Array:
        """Return the factors by which the p_j of `_outside_terms` become dual vectors."""
        excess, room = self.norms[outside] - rho, rho - self.alpha[outside] ** 2
        return np.asarray(np.sqrt(rho * excess / (room * squares)))

    def _inside_terms(self, rho: float) -> tuple[Array, Array]:
        """Return b_i = alpha_i a_i - rho x as columns and beta_i = alpha_i^2 - rho."""
        alpha = self.alpha[self.inside]
        return alpha * self.A[:, self.inside] - rho * self.x[:, None], alpha**2 - rho

    def _outside_terms(self, rho: float) -> tuple[npt.NDArray[np.int64], Array, Array]:
        """Return the variables outside I with |a_j|^2 > rho, their p_j as columns and |p_j|^2."""
        outside = np.flatnonzero(~self.inside & (self.norms > rho))
        p = self.A[:, outside] - self.x[:, None] * self.alpha[outside]
        return outside, p, np.einsum("ri,ri->i", p, p)


@dataclass(frozen=True)
class Tangent:
    """The dual objective of one cardinality at one penalty, and a subgradient there."""

    rho: float
    value: float
    slope: float


def least_penalty(
    family: DualFamily, k: int, *, tol: float = 1e-13, below: float = math.inf, deadline: Deadline = FOREVER
) -> Tangent:
    r"""Minimise :math:`\lambda_{\max}(\sum y_iy_i')+\rho k` over the admissible penalties of one family.

    Returned is the best penalty found; the search stops within `tol` of the minimum or if that is at least
    `below`. After `deadline` no further penalty is tried. If no penalty has a finite value, the result has
    penalty nan and value infinity.

    Notes
    -----
    The function is convex in rho, and its slope along any leading eigenvector is a subgradient, also where
    the eigenvalue is multiple; so bisection on the sign of the slope converges to the minimum.
    """
    rho_lo, rho_hi = family.rho_lo, family.rho_hi
    margin = RELATIVE_WIDTH * (rho_hi - rho_lo)  # of the ends, where the vectors are unbounded
    low, high, rho = rho_lo + margin, rho_hi - margin, (rho_lo + rho_hi) / 2
    left = right = best = None
    for _ in range(HALVINGS):
        with np.errstate(all="ignore"):
            value, slope = family.value_and_slope(rho)
        if not (math.isfinite(value) and math.isfinite(slope)):  # products may underflow
            break
        found = Tangent(rho, penalty_line(value, rho, k), slope + k)
        best = found if best is None else min(best, found, key=lambda t: t.value)
        if found.slope <= 0:
            left, low = found, rho
        else:
            right, high = found, rho
        floor = max(_floor(left, right, low, high), family.value if k == family.k else -math.inf)
        rho = (low + high) / 2
        if best.value - floor <= tol or floor >= below or not low < rho < high or deadline.is_over:
            break
    return best or Tangent(math.nan, math.inf, math.nan)


def _leading_left_pair(Y: Array) -> tuple[float, Array]:
    """Return the largest eigenvalue of YY' and a unit eigenvector, from the smaller Gram matrix."""
    if Y.shape[1] >= Y.shape[0]:
        return leading_eigenpair(Y @ Y.T)
    top, right = leading_eigenpair(Y.T @ Y)
    image = Y @ right
    return top, image / max(float(np.linalg.norm(image)), np.finfo(float).tiny)


def _floor(left: Tangent | None, right: Tangent | None, low: float, high: float) -> float:
    """Return the value at which the tangents at the ends of a bracket meet: a lower bound between them."""
    if left is None:
        assert right is not None
        return right.value + right.slope * (low - high)
    if right is None or left.slope == 0:
        return left.value + left.slope * (high - low)
    step = (right.value - left.value - right.slope * (high - low)) / (left.slope - right.slope)
    return left.value + left.slope * step
