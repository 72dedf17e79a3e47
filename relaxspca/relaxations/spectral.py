"""Bounds without a dual point: largest eigenvalue, trace and row sums."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from relaxspca.numerics.linalg import AT_ONCE, HELD, UNIT_ROUNDOFF, round_up, sum_upper
from relaxspca.problem.checks import check_one_of
from relaxspca.problem.covariance import Covariance


def upper_bound(cov: Covariance, kind: str, k: int) -> float:
    r"""Bound the variance of every support of k variables; ``-inf`` if there are fewer than k variables.

    .. math::
        \text{spectral:}\quad & \lambda_{\max}(\Sigma) \\
        \text{trace:}\quad & \text{the sum of the } k \text{ largest } \Sigma_{ii} \\
        \text{rowsum:}\quad & \max_i\ \Sigma_{ii} + \text{the } k-1 \text{ largest } |\Sigma_{ij}|,\ j\ne i

    Notes
    -----
    They hold by interlacing, by lambda_max <= trace for a positive semidefinite block, and by Gershgorin's
    theorem. When Sigma has a negative eigenvalue the trace bound adds (k - 1) times a
    proved bound on its modulus. Every sum is rounded upwards, and for a covariance that is defined by its
    factor the rounding in its entries is added.

    References
    ----------
    .. [1] L. Berk and D. Bertsimas, Certifiably optimal sparse principal component analysis,
       Math. Prog. Comp., 2019, doi:10.1007/s12532-018-0153-6.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 1.0]])
    >>> [round(upper_bound(cov, kind, 2), 6) for kind in ("spectral", "trace", "rowsum")]
    [3.062443, 4.0, 3.0]
    """
    cov.check_complete("a bound")
    check_one_of("kind", kind, KINDS)
    return KINDS[kind](cov, k) if k <= cov.n else -math.inf


def best_upper_bound(cov: Covariance, k: int) -> tuple[float, str]:
    """Return the smallest of the three bounds and its kind.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> best_upper_bound(load_pitprops(), 2)[1]
    'rowsum'
    """
    found = [(upper_bound(cov, kind, k), kind) for kind in ("spectral", "rowsum")]
    # The trace bound may need one more eigenvalue: it is computed only if the variances alone could win.
    if _variances(cov, k) <= min(found)[0]:
        found.append((upper_bound(cov, "trace", k), "trace"))
    return min(found)


def _trace(cov: Covariance, k: int) -> float:
    added = k * cov.rounding() if cov.is_factored else (k - 1) * cov.negative_part
    return round_up(_variances(cov, k) + round_up(added))


def _variances(cov: Covariance, k: int) -> float:
    """Return the largest sum of k variances, rounded upwards."""
    return sum_upper(np.sort(cov.diagonal)[cov.n - k :])


def _rowsum(cov: Covariance, k: int) -> float:
    own = []
    for rows in np.array_split(np.arange(cov.n), 1 + cov.n**2 // AT_ONCE):
        sizes = np.abs(cov.matrix[rows] if cov.n <= HELD else cov.columns(rows).T)
        sizes[np.arange(len(rows)), rows] = 0.0
        # Partitioned at the small end of -sizes: with many zeros, the other end takes numpy ten times as long.
        sums = -np.partition(-sizes, max(k - 2, 0), axis=1)[:, : k - 1].sum(axis=1)
        own.append(cov.diagonal[rows] + sums * (1 + 2 * (cov.n + 4) * UNIT_ROUNDOFF))
    return round_up(round_up(float(np.concatenate(own).max())) + cov.rounding())


KINDS: dict[str, Callable[[Covariance, int], float]] = {
    "spectral": lambda cov, _: cov.largest_upper,
    "trace": _trace,
    "rowsum": _rowsum,
}
