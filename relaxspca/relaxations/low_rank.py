"""The low-rank bound: v_k of a rank-d part of Sigma plus the largest eigenvalue of the remainder."""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import (
    AT_ONCE,
    UNIT_ROUNDOFF,
    Array,
    eigenvalue_upper,
    norm_upper,
    product_radius,
    sum_upper,
)
from relaxspca.problem.covariance import Covariance
from relaxspca.runtime.deadline import Deadline

__all__ = ["LARGEST_RANK", "rank_value_upper", "remainder_upper", "upper_bound"]

LARGEST_RANK = 4
_TINY = 1e-290


def upper_bound(
    cov: Covariance,
    k: int,
    *,
    d: int = 2,
    tol: float = 1e-6,
    max_cells: int = 50_000,
    time_limit: float | None = None,
) -> float:
    r"""Bound the variance of a component of k variables through the d leading eigenvectors.

    .. math:: v_k(\Sigma) \le v_k(VV') + \lambda_{\max}(\Sigma - VV'), \qquad
              VV' = \sum_{l \le d} (\lambda_l - \lambda_{d+1}) u_l u_l'

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality, 1 to n.
    d : int
        Rank of V, 1 to 4; the work grows quickly with it.
    tol : relative accuracy of the bound on :math:`v_k(VV')` at which to stop.
    max_cells : most directions tried.
    time_limit : seconds.

    Returns
    -------
    float
        The bound (variance). It holds wherever the search stops.

    Raises
    ------
    InputError
        `k` or `d` is out of range.

    Notes
    -----
    The bound holds for every V, so eigenvectors need not be exact. Subtracting
    :math:`\lambda_{d+1}` leaves the second term as it is and lowers the first, so that this is never above
    the bound :math:`v_k(\Sigma_d) + \lambda_{d+1}` of the reference. It is tight for rank d or less.
    A certificate cannot show a bound of this kind.

    References
    ----------
    .. [1] D. Papailiopoulos, A. Dimakis and S. Korokythakis, Sparse PCA through low-rank approximations,
       ICML 2013.

    Examples
    --------
    >>> upper = upper_bound(Covariance.from_factor([[1.0, 2.0, 3.0], [1.0, 0.0, -1.0]]), 2)
    >>> round(upper, 3), round(7 + 45**0.5, 3)
    (13.708, 13.708)
    """
    cov.check_complete("a bound")
    k = cov.check_cardinality(k)
    if isinstance(d, bool) or not isinstance(d, int | np.integer) or not 1 <= d <= LARGEST_RANK:
        raise InputError(f"the rank d must be a whole number from 1 to {LARGEST_RANK}, not {d!r}")
    if cov.is_factored and cov.rank < cov.n:
        V, remainder = _split_factor(cov.factor, int(d))
    else:
        V = _leading_part(cov, int(d))
        remainder = remainder_upper(cov, V)
    value = rank_value_upper(V, k, tol=tol, max_cells=max_cells, time_limit=time_limit)
    return sum_upper(np.array([value, remainder]))


def rank_value_upper(
    V: Array, k: int, *, tol: float = 1e-6, max_cells: int = 50_000, time_limit: float | None = None
) -> float:
    r"""Return an upper bound on :math:`v_k(VV')` by branch and bound over the directions of :math:`R^d`.

    .. math:: v_k(VV') = \max_{\|c\|=1} f(c) \le \max_{\text{cells}} \frac{f(m)}{\cos^2\theta}, \qquad
              f(c) = \text{the sum of the } k \text{ largest } (V_i c)^2

    Parameters
    ----------
    V : (n, d) array, exact.
    k : cardinality.
    tol : a cell is closed when its bound exceeds the best direction found by at most this fraction.
    max_cells : most cells.
    time_limit : seconds.

    Returns
    -------
    float
        The bound, for every setting.

    Notes
    -----
    Let c maximise f, with support T, in a cell of centre m (a unit vector) and angular radius theta. Then c
    is a leading eigenvector of :math:`V_T'V_T`, so that
    :math:`f(m) \ge m'V_T'V_Tm \ge v_k (c'm)^2 \ge v_k\cos^2\theta`. A cell without the maximiser may break
    its own bound; the largest bound of all cells holds. A cell is a box on a face of the cube, and the
    angle to its centre is largest at a corner. All roundings are added.

    Examples
    --------
    >>> 9.0 <= rank_value_upper(np.array([[1.0], [-2.0], [-2.0], [1.0]]), 3) < 9.0 + 1e-12
    True
    """
    deadline = Deadline.after(time_limit)
    d = V.shape[1]
    # Column j of `middle` and `half` stands for coordinate j of c; the coordinate of the face is 1 throughout.
    low, high = -np.ones((d, d)), np.ones((d, d))
    low[np.diag_indices(d)] = 1.0
    best, done, tried = 0.0, 0.0, 0
    live = np.empty(0)
    while len(low):
        live, reached = _cell_bounds(V, k, low, high)
        tried += len(low)
        best = max(best, reached)
        settled = live <= best * (1 + tol)
        done = max(done, float(live[settled].max(initial=0.0)))
        low, high, live = low[~settled], high[~settled], live[~settled]
        if not len(low) or tried + 2 * len(low) > max_cells or deadline.is_over:
            break
        low, high = _halved(low, high)
    return max(done, float(live.max(initial=0.0)))


def remainder_upper(cov: Covariance, V: Array) -> float:
    r"""Return a proved upper bound on :math:`\lambda_{\max}(\Sigma - VV')`.

    Examples
    --------
    >>> 1.0 <= remainder_upper(Covariance([[2.0, 1.0], [1.0, 2.0]]), np.ones((2, 1))) < 1 + 1e-12
    True
    """
    cov.check_complete("a bound")
    remainder = cov.submatrix(np.arange(cov.n)) - V @ V.T
    radius = product_radius(V.T, V.T) + 2 * UNIT_ROUNDOFF * norm_upper(remainder) + cov.rounding()
    return eigenvalue_upper(remainder, radius * (1 + 8 * UNIT_ROUNDOFF))


def _leading_part(cov: Covariance, d: int) -> Array:
    """Return V (n, d): the d leading eigenvectors u_l times sqrt(lambda_l - lambda_{d+1})."""
    if cov.n == 1:
        return np.zeros((1, 1))
    d = min(d, cov.n - 1)
    values, vectors = leading_eigenpairs(cov, d + 1)
    return np.asarray(vectors[:, :d] * np.sqrt(np.maximum(values[:d] - values[d], 0.0)))


def _split_factor(A: Array, d: int) -> tuple[Array, float]:
    r"""Return V and a bound on :math:`\lambda_{\max}(A'A - VV')` without forming n x n arrays.

    V is A'W for a W of which :math:`I - WW' \approx PP`, P symmetric; then
    :math:`A'A - VV' \approx (PA)'(PA)`, whose nonzero eigenvalues are those of :math:`(PA)(PA)'`.
    """
    r = A.shape[0]
    values, U = np.linalg.eigh(A @ A.T)
    values, U = np.maximum(values[::-1], _TINY), U[:, ::-1][:, : min(d, r)]
    rest = values[d] if d < r else 0.0
    kept = np.minimum(rest / values[: U.shape[1]], 1.0)
    W = U * np.sqrt(1.0 - kept)
    P = np.eye(r) - (U * (1.0 - np.sqrt(kept))) @ U.T
    P = 0.5 * (P + P.T)
    V, B = A.T @ W, P @ A
    # Two subtractions and two products are rounded in I - W W' - P P.
    gram = np.eye(r) - W @ W.T
    defect = gram - P @ P.T
    missing = norm_upper(defect) + product_radius(W.T, W.T) + product_radius(P, P)
    missing += 2 * UNIT_ROUNDOFF * (norm_upper(gram) + norm_upper(defect))
    off_V, off_B = product_radius(A, W), product_radius(P, A)
    size = float(np.vdot(A, A)) * (1 + 4 * (A.size + 8) * UNIT_ROUNDOFF)
    length = math.sqrt(float(np.vdot(V, V))) * (1 + 4 * (V.size + 8) * UNIT_ROUNDOFF)
    top = eigenvalue_upper(B @ B.T, product_radius(B.T, B.T))
    terms = np.array([(math.sqrt(max(top, 0.0)) + off_B) ** 2, size * missing, off_V * (2 * length + off_V)])
    return V, sum_upper(terms * (1 + 16 * UNIT_ROUNDOFF))


def _cell_bounds(V: Array, k: int, low: Array, high: Array) -> tuple[Array, float]:
    """Return the bound of each cell, (s,), and the largest value of f at a centre, in floating point."""
    n, d = V.shape
    u = UNIT_ROUNDOFF
    middle = 0.5 * (low + high)
    lengths = np.linalg.norm(middle, axis=1)
    roots = np.empty(len(middle))
    step = max(1, AT_ONCE // n)
    for i in range(0, len(middle), step):
        squares = (middle[i : i + step] @ V.T) ** 2
        largest = squares if k == n else np.partition(squares, n - k, axis=1)[:, n - k :]
        roots[i : i + step] = np.sqrt(largest.sum(axis=1))
    # An inner product V_i m errs by 2 d u |V_i| |m| at most, and the vector V m by the same with |V|_F.
    frobenius = math.sqrt(float(np.vdot(V, V))) * (1 + 2 * (n * d + 8) * u)
    above = roots * (1 + 2 * (k + 8) * u) + 4 * d * u * frobenius * lengths + math.sqrt(n) * _TINY**0.5
    # The inner product of centre and corner is at least 1 - (d - 1)/8, so that it has no cancellation.
    ratio = np.zeros(len(middle))
    for corner in product((False, True), repeat=d):
        ends = np.where(corner, high, low)
        cosine = np.einsum("sd,sd->s", middle, ends)
        ratio = np.maximum(ratio, np.einsum("sd,sd->s", ends, ends) / cosine**2)
    bounds = above**2 * ratio * (1 + 64 * d * u)
    # Overflow may leave nan, which every comparison would drop.
    return np.where(np.isnan(bounds), np.inf, bounds), float(((roots / lengths) ** 2).max())


def _halved(low: Array, high: Array) -> tuple[Array, Array]:
    """Halve each box along its longest side."""
    rows = np.arange(len(low))
    side = np.argmax(high - low, axis=1)
    middle = 0.5 * (low[rows, side] + high[rows, side])
    left, right = high.copy(), low.copy()
    left[rows, side] = right[rows, side] = middle
    return np.concatenate([low, right]), np.concatenate([left, high])
