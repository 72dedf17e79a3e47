"""The spartrahedron: one linear matrix inequality that every sparse component satisfies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from relaxspca.certificate import PairwisePoint
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.pairwise import formula as pairwise

__all__ = ["dual_model", "model", "pairwise_point", "upper_bound"]


def upper_bound(
    cov: Covariance,
    L: Array,
    k: int,
    *,
    U: Array | None = None,
    inside: Iterable[int] = (),
    free: Iterable[int] | None = None,
) -> float:
    r"""Evaluate the dual at any factor L of W = LL', with the l1 ball's U if wanted.

    .. math:: v_k \le \lambda_{\max}\bigl(\Sigma + k\,\mathrm{Diag}(\mathrm{diag}\,W) - W + U\bigr)
              + k\max_{ij}|U_{ij}|

    Parameters
    ----------
    cov : Covariance of n variables.
    L : (n, p) array (square root of a variance).
    k : cardinality.
    U : (n, n) array, optional (variance); its symmetric part is used.
    inside, free : variables that a support must and may hold; by default every variable is free.

    Returns
    -------
    float
        At most the bound displayed, and valid for every L and U: that of `pairwise_point`.

    Notes
    -----
    For a unit x with at most k nonzeros :math:`(l'x)^2\le k\sum_il_i^2x_i^2` for each column l of L, so
    :math:`x'(k\,\mathrm{Diag}(\mathrm{diag}W)-W)x\ge0`.

    References
    ----------
    .. [1] D. Cifuentes and Y. Li, the spartrahedron, arXiv:2603.18215, 2026.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> round(upper_bound(cov, np.array([[1.0], [1.0]]), 1), 9)
    2.0
    """
    return pairwise.upper_bound(cov, pairwise_point(L, k, U=U), k, inside=inside, free=free)


def pairwise_point(L: Array, k: int, *, U: Array | None = None) -> PairwisePoint:
    r"""Turn a dual point into a pairwise one: W as it is, U as in DSPCA.

    Examples
    --------
    >>> pairwise_point(np.array([[1.0], [1.0]]), 1).lam.tolist()
    [0.0, 0.0]
    """
    n = len(L)
    if U is None:
        return PairwisePoint(np.arange(n), V=np.zeros((n, n)), lam=np.zeros(n), L=L)
    V = -(U + U.T) / 2
    return PairwisePoint(np.arange(n), V=V, lam=np.full(n, k * float(np.abs(V).max()) / 2), L=L)


def model(cov: Covariance, k: int, *, l1: bool = False) -> tuple[Any, Any]:
    r"""Return the primal cvxpy problem and its variable X.

    .. math:: \max\ \langle\Sigma,X\rangle:\ \mathrm{tr}X=1,\ X\succeq0,\
              k\,\mathrm{Diag}(\mathrm{diag}X)\succeq X,\ \text{and with l1 } \|X\|_1\le k

    Examples
    --------
    >>> problem, X = model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(float(problem.solve(solver="CLARABEL")), 5)
    2.0
    """
    import cvxpy as cp

    X = cp.Variable((cov.n, cov.n), PSD=True)
    constraints = [cp.trace(X) == 1, k * cp.diag(cp.diag(X)) - X >> 0]
    if l1:
        constraints += [cp.sum(cp.abs(X)) <= k]
    return cp.Problem(cp.Maximize(cp.trace(cov.matrix @ X)), constraints), X


def dual_model(cov: Covariance, k: int, *, l1: bool = False) -> tuple[Any, Any]:
    """Return the dual cvxpy problem and a function that reads (L, U) once it is solved.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> problem, read = dual_model(cov, 1)
    >>> value = problem.solve(solver="CLARABEL")
    >>> L, U = read()
    >>> round(upper_bound(cov, L, 1, U=U), 4)
    2.0
    """
    import cvxpy as cp

    n = cov.n
    W = cp.Variable((n, n), PSD=True)
    M = cov.matrix + k * cp.diag(cp.diag(W)) - W
    U = cp.Variable((n, n), symmetric=True) if l1 else None
    cost: Any = 0.0
    if U is not None:
        M, cost = M + U, k * cp.max(cp.abs(U))

    def read() -> tuple[Array, Array | None]:
        return square_root(W.value), None if U is None else np.array(U.value)

    return cp.Problem(cp.Minimize(cp.lambda_max(M) + cost)), read


def square_root(W: Array) -> Array:
    """Return L with LL' the positive part of a nearly semidefinite matrix."""
    values, vectors = np.linalg.eigh((W + W.T) / 2)
    kept = values > 1e-12 * max(values[-1], 0.0)
    return np.asarray(vectors[:, kept] * np.sqrt(values[kept]))
