"""Bounds without a dual point: largest eigenvalue, trace and row sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from weakref import WeakKeyDictionary

import numpy as np

from relaxspca.errors import check_one_of
from relaxspca.numerics.linalg import (
    UNIT_ROUNDOFF,
    Array,
    eigenvalue_upper,
    product_radius,
    round_up,
    sum_upper,
)
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices, Node

__all__ = ["KINDS", "best_upper_bound", "upper_bound"]

HELD = 4000  # variables up to which row sums are cached for the next cardinality
_PARTIAL: WeakKeyDictionary[Covariance, Array] = WeakKeyDictionary()


def upper_bound(
    cov: Covariance, kind: str, k: int, *, inside: Iterable[int] = (), free: Iterable[int] | None = None
) -> float:
    r"""Bound the variance of every support of k variables that contains `inside`, the others being in `free`.

    .. math::
        \text{spectral:}\quad & \lambda_{\max}(\Sigma_{JF,JF}) \\
        \text{trace:}\quad & \sum_{i\in J}\Sigma_{ii}
        + \text{the } k-|J| \text{ largest } \Sigma_{ii},\ i\in F \\
        \text{rowsum:}\quad & \max_{i\in J\cup F}\ \Sigma_{ii} + \sum_{j\in J\setminus i}|\Sigma_{ij}|
        + \text{the largest } |\Sigma_{ij}|,\ j\in F\setminus i,\ k \text{ entries in all}

    Parameters
    ----------
    cov : Covariance of n variables.
    kind : "spectral", "trace" or "rowsum".
    k : cardinality, 1 to n.
    inside : variables J that every support holds.
    free : variables F that a support may hold; None is all but `inside`.

    Returns
    -------
    float
        The bound (variance); ``-inf`` if there is no such support.

    Raises
    ------
    InputError
        `kind` is not one of the three.

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
    node = Node.of(inside, free, range(cov.n))
    return KINDS[kind](cov, k, node.inside, node.free) if node.has_supports(k) else -math.inf


def best_upper_bound(
    cov: Covariance, k: int, *, inside: Iterable[int] = (), free: Iterable[int] | None = None
) -> tuple[float, str]:
    """Return the smallest of the three bounds and its kind.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> best_upper_bound(load_pitprops(), 2)[1]
    'rowsum'
    """
    inside, free = list(inside), None if free is None else list(free)
    found = [(upper_bound(cov, kind, k, inside=inside, free=free), kind) for kind in ("spectral", "rowsum")]
    node = Node.of(inside, free, range(cov.n))
    # The trace bound may need one more eigenvalue: it is computed only if the variances alone could win.
    if node.has_supports(k) and _variances(cov, k, node.inside, node.free) <= min(found)[0]:
        found.append((upper_bound(cov, "trace", k, inside=inside, free=free), "trace"))
    return min(found)


def _spectral(cov: Covariance, k: int, J: Indices, F: Indices) -> float:
    variables = np.union1d(J, F)
    if variables.size == cov.n:
        return cov.largest_upper
    if cov.is_factored and cov.rank < variables.size:
        A = cov.factor[:, variables]
        return eigenvalue_upper(A @ A.T, product_radius(A.T, A.T))
    return eigenvalue_upper(cov.submatrix(variables), cov.rounding(variables))


def _trace(cov: Covariance, k: int, J: Indices, F: Indices) -> float:
    total = _variances(cov, k, J, F)
    if cov.is_factored:
        return round_up(total + round_up(k * cov.rounding(np.union1d(J, F))))
    return round_up(total + round_up((k - 1) * _negative_part(cov, np.union1d(J, F))))


def _variances(cov: Covariance, k: int, J: Indices, F: Indices) -> float:
    """Return the largest sum of variances over the supports, rounded upwards."""
    return sum_upper(np.concatenate([cov.diagonal[J], _largest(cov.diagonal[F], k - J.size)]))


def _negative_part(cov: Covariance, variables: Indices) -> float:
    """Return a proved upper bound on the modulus of the most negative eigenvalue; 0 if none is negative."""
    if variables.size == cov.n:
        return cov.negative_part
    return max(0.0, eigenvalue_upper(-cov.submatrix(variables), cov.rounding(variables)))


def _rowsum(cov: Covariance, k: int, J: Indices, F: Indices) -> float:
    variables = np.concatenate([J, F])
    if F.size == cov.n <= HELD:
        variables, block = np.arange(cov.n), cov.matrix
        sums, partial = np.zeros(cov.n), _partial_sums(cov, k)
    else:
        block = cov.submatrix(variables)
        sizes = np.abs(block)
        np.fill_diagonal(sizes, 0.0)
        sums = sizes[:, : J.size].sum(axis=1)
        partial = _sums_of_largest(sizes[:, J.size :], min(k, F.size))
    from_free = np.where(np.arange(variables.size) < J.size, k - J.size, k - J.size - 1)
    possible = from_free >= 0
    sums = (sums + partial[np.arange(variables.size), np.maximum(from_free, 0)]) * (
        1 + 2 * (variables.size + 4) * UNIT_ROUNDOFF
    )
    totals = np.nextafter(np.diagonal(block) + sums, np.inf)[possible]
    return round_up(float(totals.max()) + cov.rounding(variables))


def _partial_sums(cov: Covariance, k: int) -> Array:
    """Return, for each variable, the sums of its j largest |covariances| for j = 0, ..., k at least."""
    held = _PARTIAL.get(cov)
    if held is None or held.shape[1] <= k:
        sizes = np.abs(cov.matrix)
        np.fill_diagonal(sizes, 0.0)
        # Computed for 2k at a second cardinality, since a third may follow.
        held = _PARTIAL[cov] = _sums_of_largest(sizes, min(k if held is None else 2 * k, cov.n))
    return held


def _sums_of_largest(rows: Array, count: int) -> Array:
    """Return, for each row, the sums of its j largest entries for j = 0, ..., count."""
    # Partitioned at the small end of -rows: with many zeros, the other end takes numpy ten times as long.
    ranked = -np.sort(np.partition(-rows, count - 1, axis=1)[:, :count] if count else rows[:, :0], axis=1)
    return np.concatenate([np.zeros((len(rows), 1)), np.cumsum(ranked, axis=1)], axis=1)


def _largest(values: Array, count: int) -> Array:
    return np.sort(values)[values.size - count :]


KINDS: dict[str, Callable[[Covariance, int, Indices, Indices], float]] = {
    "spectral": _spectral,
    "trace": _trace,
    "rowsum": _rowsum,
}
