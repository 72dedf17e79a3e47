"""Sparse PCA as a regression with an elastic-net penalty (SPCA)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.candidates.rows import row_reader
from relaxspca.candidates.spectrum import NOTHING, leading_eigenpairs
from relaxspca.candidates.thresholding import largest_entries, soft, unit
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance


def elastic_net(cov: Covariance, k: int, *, ridge: float = 1e-6) -> Candidate:
    r"""Compute one component of SPCA, its homotopy stopped at k variables.

    .. math:: \min_{\|a\| = 1,\ b} \|X - X b a^T\|_F^2 + \lambda \|b\|^2 + \ell \|b\|_1

    Parameters
    ----------
    cov : Covariance of n variables, X'X.
    k : int, the cardinality.
    ridge : float, lambda > 0; infinity gives simple soft thresholding.

    Returns
    -------
    Candidate, loadings re-fitted on the support.

    Raises
    ------
    InputError
        `ridge` is not positive.

    References
    ----------
    Zou, Hastie and Tibshirani, "Sparse principal component analysis", JCGS 15, 2006.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> elastic_net(load_pitprops(), 4).indices.tolist()
    [0, 1, 6, 9]
    """
    k = checked_cardinality(cov, k)
    b = spca(cov, 1, cardinalities=[k], ridge=ridge)[:, 0]
    return Candidate.from_support(cov, largest_entries(b[None, :], k)[0], method="elastic_net")


def spca(
    cov: Covariance,
    n_components: int,
    *,
    penalties: Sequence[float] | None = None,
    cardinalities: Sequence[int] | None = None,
    ridge: float = 1e-6,
    tol: float = 1e-6,
) -> Array:
    r"""Return the unit loadings (n, m) of m components computed together.

    .. math:: \min_{A^T A = I,\ B} \|X - X B A^T\|_F^2 + \lambda \|B\|_F^2 + \sum_j \ell_j \|b_j\|_1

    Parameters
    ----------
    cov : Covariance of n variables, X'X.
    n_components : int, m.
    penalties : (m,) the l1 penalties, in the unit of Sigma.
    cardinalities : (m,) numbers of variables at which each homotopy stops, instead of penalties.
    ridge : lambda, positive; infinity gives B = soft(Sigma A, penalty / 2).
    tol : float, the largest change of an entry of the unit loadings at which the alternation ends; it ends as
        well where it comes back to loadings of before.

    Returns
    -------
    (n, m) array; columns beyond the rank of Sigma are 0.

    Raises
    ------
    InputError
        Not exactly one of `penalties` and `cardinalities` is given, or `ridge` is not positive.

    References
    ----------
    Zou, Hastie and Tibshirani, "Sparse principal component analysis", JCGS 15, 2006, section 3.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> B = spca(load_pitprops(), 2, cardinalities=[4, 3])
    >>> np.count_nonzero(B, axis=0).tolist()
    [4, 3]
    """
    if (penalties is None) == (cardinalities is None):
        raise InputError("give either penalties or cardinalities, one per component")
    if not ridge > 0.0:
        raise InputError(f"ridge must be positive, not {ridge}")
    levels: list[float] = [0.0] * n_components if penalties is None else [0.5 * p for p in penalties]
    sizes = [cov.n] * n_components if cardinalities is None else list(cardinalities)
    values, A = leading_eigenpairs(cov, n_components)
    # Beyond the rank there is nothing to explain: those columns stay 0.
    rank = int(np.count_nonzero(values + cov.shift > NOTHING * (values[0] + cov.shift)))
    A, B = A[:, :rank], np.zeros((cov.n, rank))
    held = B  # of an earlier round: with cardinalities the alternation may come back to it for ever
    for at in range(2000 if rank else 0):
        target = cov.product(A) + cov.shift * A
        columns = [sparse_regression(cov, target[:, j], levels[j], sizes[j], ridge=ridge) for j in range(rank)]
        following = np.column_stack([unit(b) for b in columns])
        change = min(float(np.abs(following - other).max()) for other in (B, held))
        B = following
        if change <= tol:
            break
        held = B if at & (at - 1) == 0 else held
        raw = np.column_stack(columns)
        U, _, Wt = np.linalg.svd(cov.product(raw) + cov.shift * raw, full_matrices=False)
        A = U @ Wt
    return np.hstack([B, np.zeros((cov.n, n_components - rank))])


def sparse_regression(cov: Covariance, target: Array, level: float, size: int, *, ridge: float) -> Array:
    r"""Follow the minimiser b from zero as the penalty t falls to `level`, or `size` variables are active.

    .. math:: \min_b \tfrac12 b^T (\Sigma + \lambda I) b - g^T b + t \|b\|_1

    The target is g and the ridge :math:`\lambda`. The path stops where one more variable would enter.
    """
    if np.isinf(ridge):
        cut = np.sort(np.abs(target))[::-1]
        return soft(target, max(level, float(cut[size]) if size < len(cut) else 0.0))
    read_rows = row_reader(cov)
    diagonal = cov.shift + ridge
    b, rest = np.zeros(cov.n), target.copy()
    t = float(np.abs(rest).max())
    active = [int(np.argmax(np.abs(rest)))]
    rows = read_rows(np.array(active))
    dropped: int | None = None
    for _ in range(20 + 10 * cov.n):
        if t <= level or not active:
            break
        block = rows[:, active] + diagonal * np.eye(len(active))
        try:
            direction = np.linalg.solve(block, np.sign(rest[active]))
        except np.linalg.LinAlgError:
            break  # the ridge is below the rounding of large dependent variables
        slope = direction @ rows
        slope[active] += diagonal * direction
        enter, entry_step = _next_entry(rest, slope, t, active, dropped)
        to_zero = np.full(len(active), np.inf)
        np.divide(-b[active], direction, out=to_zero, where=b[active] * direction < 0.0)
        exit_step = float(to_zero.min())
        step = min(entry_step, exit_step, t - level)
        b[active] += step * direction
        rest -= step * slope
        t -= step
        dropped = None
        if step < min(entry_step, exit_step):
            break
        if exit_step <= entry_step:
            leave = int(np.argmin(to_zero))
            dropped = active.pop(leave)
            b[dropped] = 0.0
            rows = np.delete(rows, leave, axis=0)
        elif len(active) == size:
            break
        else:
            active.append(enter)
            rows = np.vstack([rows, read_rows(np.array([enter]))])
    return b


def _next_entry(
    rest: Array, slope: Array, t: float, active: list[int], dropped: int | None
) -> tuple[int, float]:
    """Return the next variable to become active as the penalty falls, and by how much it falls.

    A variable that was just dropped is still at the penalty, on the side that it leaves: only the other counts.
    """
    room = np.full((2, len(rest)), np.inf)
    for side, sign in enumerate((1.0, -1.0)):
        speed = 1.0 - sign * slope
        np.divide(np.maximum(t - sign * rest, 0.0), speed, out=room[side], where=speed > 1e-14)
    if dropped is not None:
        room[0 if rest[dropped] > 0.0 else 1, dropped] = np.inf
    steps = room.min(axis=0)
    steps[active] = np.inf
    first = int(np.argmin(steps))
    return first, float(steps[first])
