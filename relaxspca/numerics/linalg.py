"""Proved bounds on eigenvalues, norms and sums in floating point: pure functions of arrays."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

UNIT_ROUNDOFF = float(np.finfo(np.float64).epsneg)
SMALLEST_DENORMAL = float(np.finfo(np.float64).smallest_subnormal)
UNDERFLOW = 2.0**-1000  # bound on what underflow takes from a sum of products

FEW = 150  # rows up to which all of a matrix takes no longer than a part of it
MANY = 800  # rows above which a full decomposition takes much longer than products and Cholesky's
HELD = 4400  # variables up to which all pairs of them are kept
AT_ONCE = 500_000  # entries formed at a time, to save memory
HALVINGS = 60  # most steps of a bisection, or of an iteration that ends by itself long before


def as_array(values: Any) -> Array:
    """Return a read-only float64 copy of ``values``."""
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array


def oriented(vector: Array) -> Array:
    """Return ``vector`` or its negative, such that its (first) largest entry in modulus is positive."""
    if vector.size == 0:
        return vector
    # Entries that agree to twelve digits count as tied, so that rounding cannot flip the sign.
    largest = np.abs(vector).max()
    first = int(np.argmax(np.abs(vector) >= largest * (1 - 1e-12)))
    return -vector if vector[first] < 0 else vector


def spread(values: Array, places: Any, n: int) -> Array:
    """Return n rows: the values at their places, and zeros elsewhere."""
    rows = np.zeros((n, *values.shape[1:]))
    rows[places] = values
    return rows


def leading_eigenpair(M: Array) -> tuple[float, Array]:
    """Return the largest eigenvalue of a symmetric matrix and a unit eigenvector, its largest entry positive.

    The value is to working precision, not a bound: see `eigenvalue_upper`.

    Examples
    --------
    >>> value, vector = leading_eigenpair(np.array([[2.0, -1.0], [-1.0, 2.0]]))
    >>> round(value, 12), vector.round(6).tolist()
    (3.0, [0.707107, -0.707107])
    """
    from scipy.linalg import eigh

    if M.shape[0] == 1:
        return float(M[0, 0]), np.ones(1)
    found = _by_products(M)
    if found is None:
        last = M.shape[0] - 1
        try:
            values, vectors = eigh(M, subset_by_index=(last, last), check_finite=False)
        except np.linalg.LinAlgError:
            values = np.empty(0)
        # In a cluster of equal eigenvalues the subset that is returned may be empty.
        if values.size == 0:
            values, vectors = np.linalg.eigh(M)
        found = float(values[-1]), vectors[:, -1]
    return found[0], oriented(found[1])


def eigenvalue_upper(M: Array, radius: float = 0.0) -> float:
    r"""Return a proved upper bound on the largest eigenvalue of a symmetric matrix; ``inf`` if not finite.

    .. math:: \tau \ge \lambda_{\max}(M + E) \quad\text{for every symmetric } E,\ \|E\|_2 \le \text{radius}.

    Only the lower triangle of M is read. The radius is for the error of M: rounding in its entries, say.

    Notes
    -----
    "Proved" holds as far as the Cholesky factorisation of the linear algebra library obeys the standard error
    analysis. It is outside the trusted base: the checker of certificates does not rest on it.

    The estimate of LAPACK is raised until a floating-point Cholesky factorisation of
    :math:`\tau I - M`, its diagonal lowered by Rump's constant, runs to completion; that completion
    proves :math:`\tau I - M` positive definite in real arithmetic [1]_ with the constants of [2]_. The
    estimate itself is never trusted.

    References
    ----------
    .. [1] S. M. Rump, Verification of positive definiteness, BIT 46:433-452, 2006.
    .. [2] S. M. Rump and C.-P. Jeannerod, Improved backward error bounds for LU and Cholesky
       factorizations, SIAM J. Matrix Anal. Appl. 35:684-698, 2014.

    Examples
    --------
    >>> tau = eigenvalue_upper(np.array([[2.0, 1.0], [1.0, 2.0]]))
    >>> 3.0 <= tau <= 3.0 + 1e-12
    True
    """
    n = M.shape[0]
    if n == 0:
        return -math.inf
    if not (np.isfinite(M).all() and math.isfinite(radius)):
        return math.inf
    if n == 1:
        return round_up(float(M[0, 0]) + radius)
    M = np.tril(M) + np.tril(M, -1).T
    scale = float(np.abs(M).sum(axis=1).max())
    if scale == 0:
        return round_up(radius)

    def room(estimate: float) -> float:  # so that one factorisation suffices
        return float(_margin(n, np.maximum(estimate - np.diagonal(M), 0).sum(), scale))

    found = _by_products(M)
    if found is not None:
        tau = round_up(found[0] + room(found[0]) + radius)
        if is_proved_below(M, tau, radius):
            return tau
    estimate = float(np.linalg.eigvalsh(M)[-1])
    margin = room(estimate)
    while math.isfinite(margin):
        tau = round_up(estimate + margin + radius)
        if is_proved_below(M, tau, radius):
            return tau
        margin *= 2
    return math.inf


def eigenvalues_upper(blocks: Array, radius: float = 0.0) -> Array:
    """Return `eigenvalue_upper` of each matrix of a stack, by one factorisation of the whole stack.

    Examples
    --------
    >>> bounds = eigenvalues_upper(np.array([[[2.0, 1.0], [1.0, 2.0]], [[1.0, 0.0], [0.0, 0.0]]]))
    >>> bool(np.all(bounds >= [3.0, 1.0]) and np.all(bounds <= [3.0 + 1e-12, 1.0 + 1e-12]))
    True
    """
    n = blocks.shape[-1]
    if np.isfinite(blocks).all() and n > 1:
        try:
            estimate = np.linalg.eigvalsh(blocks)[:, -1]
        except np.linalg.LinAlgError:
            estimate = np.full(len(blocks), np.inf)
        slack = np.maximum(estimate[:, None] - np.diagonal(blocks, axis1=1, axis2=2), 0).sum(axis=1)
        bounds = np.nextafter(
            estimate + _margin(n, slack, np.abs(blocks).sum(axis=2).max(axis=1)) + radius, np.inf
        )
        if np.isfinite(bounds).all() and is_proved_below(blocks, bounds, radius):
            return np.asarray(bounds)
    return np.array([eigenvalue_upper(block, radius) for block in blocks], dtype=np.float64)


def _margin(n: int, slack: Any, scale: Any) -> Any:
    """Return the margin added to an estimate: just above Rump's constant, about (n + 1) u tr(tau I - M)."""
    return UNIT_ROUNDOFF * (2 * (n + 1) * slack + 16 * n * scale) + SMALLEST_DENORMAL * 2**60


def least_eigenvalue(M: Array, *, tol: float = 0.0) -> float:
    """Return the smallest eigenvalue of a symmetric matrix, to working precision or a relative accuracy."""
    found = _by_products(-M, tol)
    return float(np.linalg.eigvalsh(M)[0]) if found is None else -found[0]


def _by_products(M: Array, tol: float = 0.0) -> tuple[float, Array] | None:
    """Return the leading eigenpair of a large matrix by Lanczos's method; None where that is not quick."""
    from scipy.sparse.linalg import ArpackError, eigsh

    if M.shape[0] <= MANY:
        return None
    start = np.sqrt(np.maximum(np.diagonal(M), 0.0)) + np.cos(np.arange(M.shape[0]))
    try:
        values, vectors = eigsh(M, k=1, which="LA", v0=start, maxiter=20, tol=tol)
    except ArpackError:
        return None
    return float(values[0]), vectors[:, 0]


def is_proved_below(M: Array, tau: float | Array, radius: float) -> bool:
    """Say whether lambda_max(M + E) < tau is proved for every symmetric E with ||E||_2 <= radius.

    M must be symmetric. The proof is one Cholesky factorisation, see `eigenvalue_upper`. For a stack (c, n, n)
    with (c,) values of tau, say whether it is proved for all.
    """
    n = M.shape[-1]
    gap = np.asarray(tau)[..., None] - np.diagonal(M, axis1=-2, axis2=-1)
    # Each difference tau - M_ii is rounded; lowering it by one unit in the last place keeps it a lower bound.
    gap = np.nextafter(gap, -np.inf)
    if not gap.min() > 0:
        return False
    u, eta = UNIT_ROUNDOFF, SMALLEST_DENORMAL
    # One rounding more than in the theorem, for a LAPACK that multiplies by reciprocals of the pivots.
    steps = n + 2
    if 3 * steps * u >= 1:
        return False
    # A sum of n positive floats, in any order, misses the exact one by less than n u of it.
    trace = gap.sum(axis=-1, keepdims=True) * (1 + 2 * n * u)
    constant = steps * u / (1 - steps * u) * trace + 4 * eta * n * (2 * steps + gap.max(axis=-1, keepdims=True))
    constant = (constant + radius) * (1 + 16 * u) + 16 * eta
    lowered = np.nextafter(gap - constant, -np.inf)
    if not lowered.min() > 0:
        return False
    shifted = -M
    own = np.arange(n)
    shifted[..., own, own] = lowered
    try:
        pivots = np.diagonal(np.linalg.cholesky(shifted), axis1=-2, axis2=-1)
    except np.linalg.LinAlgError:
        return False
    return bool(np.isfinite(pivots).all() and (pivots > 0).all())


def round_up(value: float) -> float:
    """Return the next float above ``value``: an upper bound on the exact result that rounded to it."""
    return math.nextafter(value, math.inf)


def magnitude(M: Array, value: float) -> float:
    """Return the larger of |value| and the largest |M_ii|; if both are 0, the largest |M_ij|, or else 1."""
    scale = max(abs(value), float(np.abs(np.diagonal(M)).max()))
    return scale or float(np.abs(M).max()) or 1.0


def raised(charges: Array, terms: int) -> Array:
    """Return upper bounds on exact sums of at most `terms` charges of one sign, from their rounded sums."""
    return np.asarray(charges + (4 * (terms + 8) * UNIT_ROUNDOFF) * np.abs(charges) + 2.0**-1000)


def sum_upper(values: Array) -> float:
    """Return an upper bound on the exact sum of floats (of any sign); infinite if the sum is not finite.

    Examples
    --------
    >>> [sum_upper(np.array(some)) for some in ([1.0, np.nan], [np.inf, -np.inf], [1.7e308, 1e308, -1e308])]
    [inf, inf, inf]
    """
    try:
        total = math.fsum(values.ravel().tolist())
    except (ValueError, OverflowError):  # infinities of both signs, or a partial sum beyond the floats
        return math.inf
    return math.inf if math.isnan(total) else round_up(total)


def norm_upper(M: Array) -> float:
    r"""Return a proved upper bound on :math:`\|M\|_2`, the largest row sum of a symmetric matrix."""
    if M.size == 0:
        return 0.0
    sums = np.abs(M).sum(axis=1)
    return float(sums.max() * (1 + 2 * (M.shape[1] + 2) * UNIT_ROUNDOFF) + SMALLEST_DENORMAL * M.shape[1])


def product_radius(A: Array, B: Array) -> float:
    r"""Return a bound on the spectral norm of the rounding error of the product ``A.T @ B``.

    Every inner product of length r errs by at most :math:`\gamma_r\,|a|'|b|` (plus underflow), in any
    order of summation; the Frobenius norm of that bound is at most
    :math:`\gamma_r\,\|A\|_F\|B\|_F`.
    """
    r, n, m = A.shape[0], A.shape[1], B.shape[1]
    gamma = r * UNIT_ROUNDOFF / (1 - r * UNIT_ROUNDOFF)
    size = math.sqrt(float(np.vdot(A, A))) * math.sqrt(float(np.vdot(B, B)))
    # The two norms are themselves rounded: relative error below (r n + r m + 4) u.
    inflation = 1 + 4 * (r * (n + m) + 8) * UNIT_ROUNDOFF
    return float(gamma * size * inflation + r * math.sqrt(n * m) * SMALLEST_DENORMAL)
