"""The pairwise relaxation as cone programs: symmetric or by rows, with two optional strengthenings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from relaxspca.certificate import PairwisePoint
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.published.spartrahedron import square_root

__all__ = ["dual_model", "model"]


def model(
    cov: Covariance, k: int, *, rows: bool = False, spartrahedron: bool = False, shor: bool = False
) -> tuple[Any, Any]:
    r"""Return the primal cvxpy problem and its variable X.

    .. math::

        \max\ \langle\Sigma,X\rangle:\ &\mathrm{tr}X=1,\ X\succeq0,\ X_{ij}^2\le R_{ij}T_{ij},\ R\ge0,\
        \sum_jR_{ij}=X_{ii},\\
        &\sum_jT_{ij}=kz_i,\ T_{ii}=z_i,\ 0\le T_{ij}\le\min(z_i,z_j),\ \sum_iz_i=k,\ z\le1.

    Parameters
    ----------
    cov : Covariance
    k : int
        Cardinality.
    rows : bool
        Do not ask R and T to be symmetric: the weaker form by rows, :math:`T_{ij}\le z_i`.
    spartrahedron : bool
        Add :math:`k\,\mathrm{Diag}(\mathrm{diag}X)\succeq X`.
    shor : bool
        Add :math:`T\succeq0`, which with :math:`T1=kz` is Shor's :math:`T\succeq zz'`.

    Examples
    --------
    >>> problem, X = model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(float(problem.solve(solver="CLARABEL")), 5)
    2.0
    """
    import cvxpy as cp

    n = cov.n
    X = cp.Variable((n, n), PSD=True)
    R, T = (cp.Variable((n, n), symmetric=not rows) for _ in range(2))
    z = cp.Variable(n)
    each = cp.outer(z, np.ones(n))
    constraints = [cp.trace(X) == 1, R >= 0, T >= 0, each - T >= 0, cp.sum(z) == k, z <= 1]
    constraints += [cp.sum(R, axis=1) == cp.diag(X), cp.sum(T, axis=1) == k * z, cp.diag(T) == z]
    lines = np.arange(n * n) if rows else np.flatnonzero(np.tri(n).ravel())
    constraints.append(_product_cone(X, R, T, lines))
    if spartrahedron:
        constraints.append(k * cp.diag(cp.diag(X)) - X >> 0)
    if shor:
        constraints.append((T + T.T) / 2 >> 0)
    return cp.Problem(cp.Maximize(cp.trace(cov.matrix @ X)), constraints), X


def dual_model(
    cov: Covariance,
    k: int,
    *,
    inside: Iterable[int] = (),
    spartrahedron: bool = False,
    shor: bool = False,
) -> tuple[Any, Callable[[], tuple[PairwisePoint, Array | None]]]:
    r"""Return the dual cvxpy problem and a function that reads its point once it is solved.

    .. math::

        \min\ \lambda_{\max}(\Sigma-V+\mathrm{Diag}(\lambda+k\,\mathrm{diag}W)-W)
        + k\tau+\sum_i(c_i-\tau)_+,\quad
        c_i=p_{ii}+(k-1)t_i+\sum_{j\ne i}(p_{ij}-t_i)_+,

    with :math:`p=q+S+C`, :math:`2q_{ij}(\lambda_i+\lambda_j)\ge V_{ij}^2`, S antisymmetric and W, C
    semidefinite (0 unless `spartrahedron`, `shor`). Variables forced in (`inside`) are always counted, as in
    `RowPrices`.

    Returns
    -------
    problem : cvxpy.Problem
    read : function
        Returns the `PairwisePoint` and a factor G of C = GG' (None without `shor`), both for
        `relaxspca.relaxations.pairwise.formula.upper_bound`.

    Examples
    --------
    >>> from relaxspca.relaxations.pairwise.formula import upper_bound
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> problem, read = dual_model(cov, 1)
    >>> value = problem.solve(solver="CLARABEL")
    >>> round(upper_bound(cov, read()[0], 1), 4)
    2.0
    """
    import cvxpy as cp

    n = cov.n
    V, q = (cp.Variable((n, n), symmetric=True) for _ in range(2))
    Z, lam, t, tau = cp.Variable((n, n)), cp.Variable(n, nonneg=True), cp.Variable(n), cp.Variable()
    prices = q + Z - Z.T
    M = cov.matrix - V + cp.diag(lam)
    W = cp.Variable((n, n), PSD=True) if spartrahedron else None
    C = cp.Variable((n, n), PSD=True) if shor else None
    if W is not None:
        M = M + k * cp.diag(cp.diag(W)) - W
    if C is not None:
        prices = prices + C
    forced = np.isin(np.arange(n), list(inside))
    always = np.eye(n) + forced * (1 - np.eye(n))
    room = k - int(forced.sum())
    counts = np.where(forced, room, room - 1)
    counted = cp.multiply(1 - always, cp.pos(prices - cp.outer(t, np.ones(n))))
    c = cp.sum(cp.multiply(always, prices) + counted, axis=1) + cp.multiply(counts, t)
    cost = room * tau + forced @ c + cp.sum(cp.multiply(~forced, cp.pos(c - tau)))
    one = np.ones((n, 1))
    sums = 2 * (cp.reshape(lam, (n, 1), order="C") @ one.T + one @ cp.reshape(lam, (1, n), order="C"))
    cone = _product_cone(V, q, sums, np.flatnonzero(np.tri(n).ravel()))
    objective = cp.lambda_max(M) + cost

    def read() -> tuple[PairwisePoint, Array | None]:
        S = np.array(Z.value - Z.value.T)
        L = None if W is None else square_root(W.value)
        matrix = np.array(V.value)
        point = PairwisePoint(np.arange(n), V=(matrix + matrix.T) / 2, lam=np.maximum(lam.value, 0), S=S, L=L)
        return point, None if C is None else square_root(C.value)

    return cp.Problem(cp.Minimize(objective), [cone]), read


def _product_cone(X: Any, R: Any, T: Any, entries: Any) -> Any:
    """Ask X_ij^2 <= R_ij T_ij, R_ij + T_ij >= 0 on some entries (row-major numbers)."""
    import cvxpy as cp

    x, r, t = (cp.vec(matrix, order="C")[entries] for matrix in (X, R, T))
    return cp.SOC(r + t, cp.vstack([2 * x, r - t]), axis=0)
