r"""The relaxation psi(rho) of the penalised problem: its value, its dual vectors and their bound.

With :math:`\Sigma=A'A`, A of shape (r, n) with columns :math:`a_i`, and :math:`B_i=a_ia_i'-\rho I`,

.. math::
    \psi(\rho) = \max_{X\succeq0,\ \mathrm{tr}X=1} \sum_i \theta_i(X), \qquad
    \theta_i(X) = \mathrm{Tr}(X^{1/2}B_iX^{1/2})_+ ,

    \psi(\rho) = \min_{y_1,\dots,y_n\in R^r}\ \lambda_{\max}\Bigl(\sum_i y_iy_i'\Bigr)
    \quad\text{s.t.}\quad y_iy_i' \succeq B_i .

Every feasible family of vectors gives :math:`v_k\le\lambda_{\max}(\sum y_iy_i')+\rho k` for every k.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from relaxspca.certificate.points import FactorPoint
from relaxspca.numerics.linalg import (
    HALVINGS,
    UNDERFLOW,
    UNIT_ROUNDOFF,
    Array,
    eigenvalue_upper,
    norm_upper,
    product_radius,
    round_up,
)
from relaxspca.problem.gap import penalty_line
from relaxspca.problem.scaling import EXTREME, normalised, point_times, upper_times

if TYPE_CHECKING:
    from relaxspca.problem.covariance import Covariance


def upper_bound(cov: Covariance, point: FactorPoint, k: int) -> float:
    r"""Return a proved upper bound on the variance of every support of at most k of the point's variables.

    .. math:: \lambda_{\max}\Bigl(\sum_iy_iy_i'\Bigr)+\rho k-\delta+\|R\|.

    It is a bound on the largest eigenvalue of every block :math:`\Sigma_{TT}` with at most k variables. Any
    dual point will do; it need not be feasible.

    Notes
    -----
    For a unit x supported on T and :math:`\xi=Ax/\|Ax\|`,
    :math:`x'(\Sigma+\delta I)x\le\sum_{i\in T}(a_i'\xi)^2=\xi'\sum_{i\in T}B_i\xi+\rho|T|`, and each
    :math:`B_i` is at most :math:`y_iy_i'`, which is semidefinite, so it may be in the sum even if
    i is not in T. Vectors that are not proved feasible in floating point are repaired, or replaced by
    :math:`a_i` itself; the rounding of the product, the residual R of the factor and the shift
    :math:`\delta` are added.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, Optimal solutions for sparse principal component
       analysis, Journal of Machine Learning Research 9:1269-1294, 2008 (the relaxation and its dual).

    Examples
    --------
    >>> from relaxspca import Covariance
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> trivial = FactorPoint([0, 1], 0.0, cov.factor)
    >>> 3.0 <= upper_bound(cov, trivial, 2) < 3.0 + 1e-12
    True
    """
    cov.check_complete("a bound")
    cov, q = normalised(cov, beyond=EXTREME)
    point = point_times(point, -q)
    A, residual, shift = _factor_of(cov, point)
    Z = np.ascontiguousarray(proved_feasible(A, point.vectors, point.rho).T)
    tau = eigenvalue_upper(Z.T @ Z, product_radius(Z, Z))
    value = tau - shift + residual
    value += 8 * UNIT_ROUNDOFF * (abs(tau) + abs(shift) + residual)
    return upper_times(penalty_line(value, point.rho, k), q)


def _factor_of(cov: Covariance, point: FactorPoint) -> tuple[Array, float, float]:
    """Return the factor A of a point's variables, a bound on |Sigma + shift I - A'A|, and the shift."""
    if point.factor is None:
        return cov.factor[:, point.variables], cov.factor_residual, cov.shift
    A = point.factor
    residual = cov.submatrix(point.variables) - A.T @ A
    residual[np.diag_indices_from(residual)] += point.shift
    size = norm_upper(residual)
    rounding = 4 * UNIT_ROUNDOFF * (norm_upper(cov.submatrix(point.variables)) + size + abs(point.shift))
    rounding += product_radius(A, A) + cov.rounding(point.variables)
    return A, round_up((size + rounding) * (1 + 8 * UNIT_ROUNDOFF)), point.shift


def psi_point(cov: Covariance, variables: npt.ArrayLike, rho: float, vectors: Array) -> FactorPoint:
    """Return the dual point on some variables, with their factor unless Sigma is defined by one.

    Vectors that are not proved feasible are repaired here, as in `upper_bound`; a checker gives a weaker bound
    for them.
    """
    kept = np.asarray(variables, dtype=np.int64)
    vectors = proved_feasible(cov.factor[:, kept], vectors, rho)
    if cov.is_factored:
        return FactorPoint(kept, rho, vectors)
    return FactorPoint(kept, rho, vectors, factor=cov.factor[:, kept], shift=cov.shift)


def feasible(A: Array, Y: Array, rho: float) -> npt.NDArray[np.bool_]:
    r"""Say which columns are proved to satisfy :math:`y_iy_i'\succeq a_ia_i'-\rho I`.

    The test is :math:`\|a_i\|^2\le\rho` or
    :math:`\rho(\rho+\|y_i\|^2-\|a_i\|^2)\ge\|a_i\|^2\|y_i-ta_i\|^2` for some t: the determinant condition on
    the span of both vectors, in a form that does not cancel when rho is small. Rounding is subtracted.
    """
    norms, sizes, across = _geometry(A, Y)
    error = _relative_error(A.shape[0])
    gain = rho * (rho + sizes - norms - 2 * error * (rho + sizes + norms))
    needed = norms * across * (1 + 4 * error) + UNDERFLOW
    return (norms * (1 + error) <= rho) | ((gain >= needed) & np.isfinite(gain))


def repair(A: Array, Y: Array, rho: float) -> Array:
    r"""Return feasible vectors, scaled up from the given ones where that is possible.

    The scaling is :math:`s_i^2 = \rho(\|a_i\|^2-\rho)/[(\rho-\|a_i\|^2)\|y_i\|^2+(a_i'y_i)^2]`; where no
    scaling helps, :math:`\sqrt{1-\rho/\|a_i\|^2}\,a_i`, feasible too, is taken instead. Both
    leave a margin of the size of the rounding error; where :math:`\|a_i\|^2\le\rho` the vector becomes 0.
    """
    norms, sizes, across = _geometry(A, Y)
    error = _relative_error(A.shape[0])
    wanted = norms - rho + 16 * error * (rho + norms + sizes)
    bracket = rho * sizes - norms * across * (1 + 16 * error)
    scale = rho * wanted / np.where(bracket > 0, bracket, 1)
    scalable = (bracket > 0) & np.isfinite(scale)
    with np.errstate(over="ignore"):
        collinear = np.clip((norms - rho + 16 * error * (rho + norms)) / np.maximum(norms, UNDERFLOW), 0, 1)
    repaired = np.where(scalable, Y * np.sqrt(np.maximum(scale, 1)), A * np.sqrt(collinear))
    return np.where(norms * (1 + error) <= rho, 0.0, repaired)


def proved_feasible(A: Array, Y: Array, rho: float) -> Array:
    """Return vectors that are proved feasible: those of `Y`, else repaired ones, else a_i."""
    good = feasible(A, Y, rho)
    if not good.all():
        Y = np.where(good, Y, repair(A, Y, rho))
        Y = np.where(feasible(A, Y, rho), Y, A)
    return Y


def _geometry(A: Array, Y: Array) -> tuple[Array, Array, Array]:
    """Return for each column |a|^2, |y|^2 and |y - ta|^2, the last rounded upwards, for t near a'y/|a|^2."""
    norms = np.einsum("ji,ji->i", A, A)
    sizes = np.einsum("ji,ji->i", Y, Y)
    multiple = np.einsum("ji,ji->i", A, Y) / np.maximum(norms, UNDERFLOW)
    across = Y - multiple * A
    length = np.sqrt(np.einsum("ji,ji->i", across, across))
    # The difference errs by a few units in the last place of its terms.
    length += 4 * UNIT_ROUNDOFF * (np.sqrt(sizes) + np.abs(multiple) * np.sqrt(norms))
    return norms, sizes, (length * (1 + _relative_error(A.shape[0]))) ** 2


def _relative_error(r: int) -> float:
    """Return a bound on the relative rounding error of an inner product of r terms and a few operations."""
    return (r + 8) * UNIT_ROUNDOFF * 1.01


def evaluate(X: Array, A: Array, rho: float) -> Spectral:
    r"""Return the relaxation's value, dual vectors and derivatives at a semidefinite X of trace 1.

    Columns of A, (r, m), with :math:`\|a_i\|^2\le\rho` are allowed and contribute nothing.

    Examples
    --------
    >>> A = np.array([[2.0, 0.0], [0.0, 1.0]])
    >>> at = evaluate(np.diag([0.5, 0.5]), A, 0.5)
    >>> round(float(at.theta.sum()), 12), round(float(np.linalg.norm(at.vectors, 2)) ** 2, 12)
    (2.0, 3.5)
    """
    d, Q = np.linalg.eigh(X)
    # A singular X is made positive definite by less than its rounding error.
    d = np.maximum(d, d[-1] * np.finfo(float).eps ** 2)
    active = np.einsum("ji,ji->i", A, A) > rho
    return Spectral(d, Q, Q.T @ A[:, active], rho, active)


@dataclass(frozen=True, eq=False)
class Spectral:
    r"""The function :math:`\sum_i\theta_i` at one X = Q Diag(d) Q' and one rho.

    Attributes
    ----------
    d, Q : (r,) positive eigenvalues and (r, r) eigenvectors of X.
    C : (r, m) the active columns Q'a_i, those with :math:`\|a_i\|^2>\rho`.
    rho : float
    active : mask or slice of the active columns among all.
    """

    d: Array
    Q: Array
    C: Array
    rho: float
    active: npt.NDArray[np.bool_] | slice

    @cached_property
    def theta(self) -> Array:
        """(m,) positive eigenvalues of X^(1/2) B_i X^(1/2)."""
        return secular_roots(self.C, self.d, self.rho)

    @cached_property
    def poles(self) -> Array:
        """(r, m) the denominators theta_i + rho d_j."""
        return self.theta + self.rho * self.d[:, None]

    @cached_property
    def U(self) -> Array:
        """(r, m) unit eigenvectors for theta, in the basis Q."""
        U = np.sqrt(self.d)[:, None] * self.C / self.poles
        return np.asarray(U / np.sqrt(np.einsum("ji,ji->i", U, U)))

    @cached_property
    def kept(self) -> Array:
        """(r, m) fractions theta_i / (theta_i + rho d_j)."""
        return self.theta / self.poles

    @cached_property
    def lost(self) -> Array:
        """(r, m) fractions rho d_j / (theta_i + rho d_j)."""
        return (self.rho * self.d)[:, None] / self.poles

    @cached_property
    def mean_kept(self) -> Array:
        """(m,) means of `kept` under the weights u_ij^2."""
        return np.asarray(np.einsum("ji,ji,ji->i", self.kept, self.U, self.U))

    @cached_property
    def shares(self) -> Array:
        r"""(m,) :math:`\mathrm{tr}P_i = -d\theta_i/d\rho` for P_i = X^(1/2) u_i u_i' X^(1/2)."""
        return np.asarray(self.d @ (self.U * self.U))

    @cached_property
    def curvature(self) -> float:
        """Second derivative of the sum of theta in rho."""
        return float(2 * ((self.d[:, None] - self.shares) ** 2 * self.U**2 / self.poles).sum())

    @cached_property
    def vectors(self) -> Array:
        """(r, m) dual vectors y_i of the active columns: feasible at every X."""
        return self.Q @ (self.U * np.sqrt(self.theta) / np.sqrt(self.d)[:, None])


def secular_roots(C: Array, d: Array, rho: float) -> Array:
    r"""Return the positive root of one secular equation for each column, with :math:`\|c_i\|^2 > \rho`.

    .. math:: \sum_j \frac{d_j c_{ji}^2}{\theta_i + \rho d_j} = 1.

    :math:`\theta_i` is the positive eigenvalue of :math:`D^{1/2}(c_i c_i' - \rho I)D^{1/2}`.

    Notes
    -----
    The left side is a sum :math:`\varphi` of simple poles, so :math:`1/\varphi` is concave and increasing
    (a weighted harmonic mean of affine functions): Newton's method on :math:`1/\varphi=1` rises
    monotonically from any point below the root, and is exact for a single pole. It starts from the larger
    of two Rayleigh quotients, with :math:`u\propto D^{1/2}c` (exact when D has rank one) and
    :math:`u\propto D^{-1/2}c` (exact in the limit :math:`\|c\|^2\to\rho`).

    References
    ----------
    .. [1] R.-C. Li, Solving secular equations stably and efficiently, LAPACK working note 89, 1993.

    Examples
    --------
    >>> secular_roots(np.array([[2.0], [0.0]]), np.array([0.5, 0.5]), 1.0).tolist()
    [1.5]
    """
    squares = C * C
    weights = d[:, None] * squares
    poles = (rho * d)[:, None]
    below = _rayleigh_quotients(squares, weights, d, rho)
    theta = below
    for _ in range(HALVINGS):
        inverse = 1 / (theta + poles)
        terms = weights * inverse
        value = terms.sum(axis=0)
        slope = np.einsum("ji,ji->i", terms, inverse)
        step = value * (value - 1) / slope
        theta = np.maximum(theta + step, below)
        if ((step <= 1e-14 * theta) | (value <= 1 + 8 * UNIT_ROUNDOFF)).all():
            break
    return theta


def _rayleigh_quotients(squares: Array, weights: Array, d: Array, rho: float) -> Array:
    """Return a positive lower bound on every root."""
    norms = squares.sum(axis=0)
    first = weights.sum(axis=0)
    along = first - rho * (d @ weights) / first
    onset = norms * (norms - rho) / (squares / d[:, None]).sum(axis=0)
    # Rotation may round the norm of a column down to rho: the root is then 0 up to rounding.
    return np.asarray(np.maximum(np.maximum(along, onset), np.finfo(float).eps ** 2 * first))
