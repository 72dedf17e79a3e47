"""The pairwise relaxation as cone programs: symmetric or by rows, with two optional strengthenings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from relaxspca.certificate import PairwisePoint
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.model import Model, current_cardinality
from relaxspca.relaxations.pairwise.formula import upper_bound
from relaxspca.relaxations.published.spartrahedron import square_root
from relaxspca.results.bound import Bound

__all__ = ["dual_model", "model", "proved_bound"]


def model(
    cov: Covariance, k: int, *, rows: bool = False, spartrahedron: bool = False, shor: bool = False
) -> Model:
    r"""Return the primal cone program, with variables X, R, T and z.

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

    Returns
    -------
    Model
        With variables X, R, T and z.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n.

    Notes
    -----
    `Model.bound` reads V from the multipliers of the products, lam and the thresholds from those of the sums
    and S from those of :math:`T_{ij}\le z_i`; the form by rows has no such point.

    Examples
    --------
    >>> found = model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(found.solve(), 5), found.bound()
    (2.0, v_1 <= 2.0000... by pairwise for the covariance matrix of 2 variables)
    """
    import cvxpy as cp

    n = cov.n
    most = cp.Parameter(name="k", nonneg=True, value=cov.check_cardinality(k))
    X = cp.Variable((n, n), PSD=True, name="X")
    R, T = (cp.Variable((n, n), symmetric=not rows, name=name) for name in ("R", "T"))
    z = cp.Variable(n, name="z")
    lines = np.arange(n * n) if rows else np.flatnonzero(np.tri(n).ravel())
    named = {
        "spread": cp.sum(R, axis=1) == cp.diag(X),
        "counted": cp.sum(T, axis=1) == most * z,
        "chosen": cp.outer(z, np.ones(n)) - T >= 0,
        "products": _product_cone(X, R, T, lines),
    }
    if spartrahedron:
        named["spartrahedron"] = most * cp.diag(cp.diag(X)) - X >> 0
    if shor:
        named["shor"] = (T + T.T) / 2 >> 0
    constraints = [cp.trace(X) == 1, R >= 0, T >= 0, cp.sum(z) == most, z <= 1, cp.diag(T) == z]
    return Model(
        name="pairwise" + " by rows" * rows + ", primal form",
        formula=r"\max\ \langle\Sigma,X\rangle:\quad \mathrm{tr}X=1,\ X\succeq0,\ "
        r"X_{ij}^2\le R_{ij}T_{ij},\ R\ge0,\ "
        r"\sum_jR_{ij}=X_{ii},\ \sum_jT_{ij}=kz_i,\ T_{ii}=z_i,\ 0\le T_{ij}\le z_i\le1,\ 1'z=k"
        + r",\ k\,\mathrm{Diag}(\mathrm{diag}X)\succeq X" * spartrahedron
        + r",\ T\succeq0" * shor,
        cov=cov,
        problem=cp.Problem(cp.Maximize(cp.trace(cov.matrix @ X)), [*constraints, *named.values()]),
        variables={"X": X, "R": R, "T": T, "z": z},
        parameters={"k": most},
        reads=None if rows else lambda: _of_multipliers(n, named),
        proves=lambda found: proved_bound(cov, found, current_cardinality(cov, most)),
    )


def dual_model(
    cov: Covariance,
    k: int,
    *,
    inside: Iterable[int] = (),
    spartrahedron: bool = False,
    shor: bool = False,
) -> Model:
    r"""Return the dual cone program.

    .. math::

        \min\ \lambda_{\max}(\Sigma-V+\mathrm{Diag}(\lambda+k\,\mathrm{diag}W)-W)
        + k\tau+\sum_i(c_i-\tau)_+,\quad
        c_i=p_{ii}+(k-1)t_i+\sum_{j\ne i}(p_{ij}-t_i)_+,

    with :math:`p=q+S+C`, :math:`2q_{ij}(\lambda_i+\lambda_j)\ge V_{ij}^2`, S antisymmetric and W, C
    semidefinite (0 unless `spartrahedron`, `shor`). Variables forced in (`inside`) are always counted, as in
    `RowPrices`.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int
        Cardinality, 1 to n.
    inside : variables that every support has.
    spartrahedron : bool
        With W, the multiplier of :math:`k\,\mathrm{Diag}(\mathrm{diag}X)\succeq X`.
    shor : bool
        With C, the multiplier of :math:`T\succeq0`.

    Returns
    -------
    Model
        `Model.point` is the `PairwisePoint` and a factor G of C = GG' (None without `shor`), both for
        `relaxspca.relaxations.pairwise.formula.upper_bound`.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n.

    Examples
    --------
    >>> found = dual_model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(found.solve(), 4), found.bound()
    (2.0, v_1 <= 2.0000... by pairwise for the covariance matrix of 2 variables)
    """
    import cvxpy as cp

    n, k = cov.n, cov.check_cardinality(k)
    inside = list(inside)
    V, q = (cp.Variable((n, n), symmetric=True, name=name) for name in ("V", "q"))
    Z, lam = cp.Variable((n, n), name="Z"), cp.Variable(n, nonneg=True, name="lambda")
    t, tau = cp.Variable(n, name="t"), cp.Variable(name="tau")
    prices = q + Z - Z.T
    M = cov.matrix - V + cp.diag(lam)
    W = cp.Variable((n, n), PSD=True, name="W") if spartrahedron else None
    C = cp.Variable((n, n), PSD=True, name="C") if shor else None
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
        L, G = (None if matrix is None else square_root(matrix.value) for matrix in (W, C))
        return _point(n, np.array(V.value), np.array(lam.value), np.array(Z.value - Z.value.T), L), G

    variables = {"V": V, "q": q, "Z": Z, "lambda": lam, "t": t, "tau": tau}
    return Model(
        name="pairwise, dual form",
        formula=r"\min\ \lambda_{\max}(\Sigma-V+\mathrm{Diag}(\lambda+k\,\mathrm{diag}W)-W)+k\tau"
        r"+\sum_i(c_i-\tau)_+,\ "
        r"c_i=p_{ii}+(k-1)t_i+\sum_{j\ne i}(p_{ij}-t_i)_+,\ p=q+Z-Z'+C,\ "
        r"2q_{ij}(\lambda_i+\lambda_j)\ge V_{ij}^2",
        cov=cov,
        problem=cp.Problem(cp.Minimize(objective), [cone]),
        variables=variables | {name: M for name, M in (("W", W), ("C", C)) if M is not None},
        reads=read,
        proves=lambda found: proved_bound(cov, found, k, inside),
    )


def proved_bound(
    cov: Covariance, found: tuple[PairwisePoint, Array | None], k: int, inside: Iterable[int] = ()
) -> Bound:
    """Return what a point proves; its Shor part G has no place in a certificate."""
    point, G = found
    upper = upper_bound(cov, point, k, inside=inside, shor=G)
    return Bound(k, upper, "pairwise", point if G is None else None)


def _of_multipliers(n: int, named: dict[str, Any]) -> tuple[PairwisePoint, Array | None]:
    r"""Return the point of the primal program's multipliers.

    Those of :math:`T_{ij}\le z_i` are :math:`(p_{ij}-t_i)_+`, those of the sums of T are t, and p is symmetric
    but for S; the multipliers :math:`s\ge\|u\|` of the products make :math:`V_{ij}=-u_1`.
    """
    V = np.zeros((n, n))
    V[np.tril_indices(n)] = -named["products"].dual_value[1][0]
    p = named["chosen"].dual_value + named["counted"].dual_value[:, None]
    parts = (named[name].dual_value if name in named else None for name in ("spartrahedron", "shor"))
    L, G = (None if matrix is None else square_root(matrix) for matrix in parts)
    return _point(n, V + V.T, named["spread"].dual_value, (p - p.T) / 2, L), G


def _point(n: int, V: Array, lam: Array, S: Array, L: Array | None) -> PairwisePoint:
    return PairwisePoint(np.arange(n), V=(V + V.T) / 2, lam=np.maximum(lam, 0), S=S, L=L)


def _product_cone(X: Any, R: Any, T: Any, entries: Any) -> Any:
    """Ask X_ij^2 <= R_ij T_ij, R_ij + T_ij >= 0 on some entries (row-major numbers)."""
    import cvxpy as cp

    x, r, t = (cp.vec(matrix, order="C")[entries] for matrix in (X, R, T))
    return cp.SOC(r + t, cp.vstack([2 * x, r - t]), axis=0)
