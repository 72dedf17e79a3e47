"""The pairwise relaxation: an upper bound from any symmetric V, any lam >= 0 and one sort."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from relaxspca.certificate import PairwisePoint
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import (
    UNIT_ROUNDOFF,
    Array,
    eigenvalue_upper,
    norm_upper,
    product_radius,
    sum_upper,
)
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices, Mask, Node
from relaxspca.relaxations.pairwise.prices import RowPrices, price_matrix

__all__ = ["node", "penalised_upper_bound", "restrict", "spectral_part", "upper_bound"]


def upper_bound(
    cov: Covariance,
    point: PairwisePoint,
    k: int,
    *,
    inside: Iterable[int] = (),
    free: Iterable[int] | None = None,
    shor: Array | None = None,
) -> float:
    r"""Return a proved upper bound on v_k from any dual point of the pairwise relaxation.

    For symmetric V, :math:`\lambda\ge 0`, antisymmetric S and :math:`W=LL'`,

    .. math::

        v_k \le \lambda_{\max}\bigl(\Sigma - V + \mathrm{Diag}(\lambda + k\,\mathrm{diag}\,W) - W\bigr)
               + \max_{|T|=k}\ \sum_{i,j\in T}\Bigl(\frac{V_{ij}^2}{2(\lambda_i+\lambda_j)} + S_{ij}\Bigr),

    the second maximum itself bounded by row bounds (see `RowPrices`). Minimising over V, lambda and S is
    the dual of

    .. math::

        \max\ \langle\Sigma,X\rangle:\ \mathrm{tr}X=1,\ X\succeq0,\ X_{ij}^2\le R_{ij}T_{ij},\
        \sum_jR_{ij}=X_{ii},\ \sum_jT_{ij}=kz_i,\ T_{ii}=z_i,\ 0\le T_{ij}\le\min(z_i,z_j),\
        \sum_iz_i=k,\ z\le1,

    with R and T symmetric, R nonnegative; W adds the constraint
    :math:`k\,\mathrm{Diag}(\mathrm{diag}X)\succeq X`.

    Parameters
    ----------
    cov : Covariance of n variables.
    point : PairwisePoint
        Any; accuracy costs tightness, never truth.
    k : int
        Cardinality, at least 1.
    inside : variables forced in; must be among the point's.
    free : variables that may be used besides; None means all of the point's.
    shor : (m, p) array, optional
        Factor G of a matrix C = GG' that is added to the prices, one row for each of the point's variables.

    Returns
    -------
    float
        Bound on :math:`x'\Sigma x` over unit x with a support T, :math:`J\subseteq T\subseteq J\cup F`, of
        exactly k variables (a smaller support is padded, at no loss); ``-inf`` if there is no such T.

    Notes
    -----
    For a unit x supported in T, :math:`V_{ij}x_ix_j \le \tfrac12(\lambda_i+\lambda_j)x_i^2x_j^2 +
    V_{ij}^2/(2(\lambda_i+\lambda_j))`, and the first terms sum to :math:`\sum_i\lambda_ix_i^2`, which the
    eigenvalue has paid for. S cancels on :math:`T\times T`, and a semidefinite C can only add to the cost
    of T. Last, :math:`x'(k\,\mathrm{Diag}(\mathrm{diag}W)-W)x\ge0` because
    :math:`(l'x)^2\le k\sum_i l_i^2x_i^2`. The proof in full is in the theory guide.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.Covariance([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 2.0]])
    >>> V = np.array([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 0.0]])
    >>> point = PairwisePoint(np.arange(3), V=V, lam=np.full(3, 0.5))
    >>> round(upper_bound(cov, point, 2), 9)  # the optimum is 3
    3.0
    """
    cov.check_complete("a bound")
    variables, forced = node(point, inside, free)
    if not forced.sum() <= k <= variables.size:
        return -math.inf
    prices, charge = price_matrix(point, variables), 0.0
    if shor is not None:
        G = shor[variables]
        prices = np.nextafter(prices + G @ G.T, np.inf)
        charge = math.nextafter(k * product_radius(G.T, G.T), math.inf)
    rows = RowPrices(prices, forced)
    return sum_upper(np.array([spectral_part(cov, point, k, variables), rows.heaviest(k), charge]))


def penalised_upper_bound(
    cov: Covariance,
    point: PairwisePoint,
    rho: float,
    *,
    inside: Iterable[int] = (),
    free: Iterable[int] | None = None,
) -> float:
    r"""Return a proved bound on :math:`x'\Sigma x-\rho\,\mathrm{Card}(x)` over the supports of a node.

    Parameters
    ----------
    cov, point, inside, free
        As in `upper_bound`; supports of every size :math:`m\ge\max(1,|J|)` count.
    rho : float
        Price of a variable (variance), at least 0.

    Returns
    -------
    float
        The largest over m of the bound for m variables less :math:`\rho m`.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> point = PairwisePoint(np.arange(2), V=np.full((2, 2), 0.5), lam=np.full(2, 0.5))
    >>> round(penalised_upper_bound(cov, point, 0.8), 9)  # one variable: 2.5 + 0.125 - 0.8
    1.825
    """
    cov.check_complete("a bound")
    variables, forced = node(point, inside, free)
    rows = RowPrices(price_matrix(point, variables), forced)
    best = -math.inf
    spectral = spectral_part(cov, point, 1, variables)
    for size in range(max(1, int(forced.sum())), variables.size + 1):
        if point.L is not None:
            spectral = spectral_part(cov, point, size, variables)
        charge = -math.nextafter(rho * size, -math.inf)
        best = max(best, sum_upper(np.array([spectral, rows.heaviest(size), charge])))
    return best


def spectral_part(cov: Covariance, point: PairwisePoint, k: int, kept: Indices) -> float:
    """Return a proved bound on the eigenvalue of the bound, on some positions of the point."""
    names = point.variables[kept]
    Sigma, V, lam = cov.submatrix(names), point.V[np.ix_(kept, kept)], point.lam[kept]
    M = Sigma - V
    radius = cov.rounding(names)
    if point.L is not None:
        L = point.L[kept]
        W = L @ L.T
        M -= W
        lam = lam + k * np.diagonal(W)
        # W misses L L' by its own product error; k diag(W) misses by k times that at most.
        radius += (k + 1) * product_radius(L.T, L.T) * (1 + 8 * UNIT_ROUNDOFF)
        rounding = np.abs(M) + np.abs(W) + np.abs(V)
    else:
        rounding = np.abs(M)
    M[np.diag_indices(len(M))] += lam
    rounding[np.diag_indices(len(M))] += 4 * (np.abs(np.diagonal(M)) + lam)
    return eigenvalue_upper(M, radius=_up(radius + norm_upper(4 * UNIT_ROUNDOFF * rounding)))


def node(point: PairwisePoint, inside: Iterable[int], free: Iterable[int] | None) -> tuple[Indices, Mask]:
    """Return the positions in the point of the node's variables, and which of them are forced in."""
    found = Node.of(inside, free, point.variables)
    names = found.variables
    if not np.isin(names, point.variables).all():
        missing = np.setdiff1d(names, point.variables)
        raise InputError(f"the dual point does not cover variable {missing[0]} of the node")
    return np.searchsorted(point.variables, names), found.is_inside


def restrict(point: PairwisePoint, variables: Iterable[int]) -> PairwisePoint:
    """Return the dual point on some of its variables; its bound there is at most the whole point's.

    Examples
    --------
    >>> point = PairwisePoint(np.array([2, 5]), V=np.eye(2), lam=np.array([1.0, 3.0]))
    >>> restrict(point, [5]).lam.tolist()
    [3.0]
    """
    kept, _ = node(point, (), variables)
    block = np.ix_(kept, kept)
    S = None if point.S is None else point.S[block]
    L = None if point.L is None else point.L[kept]
    return PairwisePoint(point.variables[kept], V=point.V[block], lam=point.lam[kept], S=S, L=L)


def _up(value: float) -> float:
    return value * (1 + 8 * UNIT_ROUNDOFF)
