r"""The Perron relaxation: row sums bound a part P of Sigma, the largest eigenvalue bounds the rest.

Choose a symmetric P and charges N >= 0, both zero on the diagonal, with N_ij N_ji >= P_ij^2. For a
support T of size k and a unit x that lives on it,

    x'Px  <=  sum_{i != j in T} |P_ij| |x_i| |x_j|  <=  sum_{i in T} x_i^2 sum_{j in T, j != i} N_ij,

because 2 |P_ij| |x_i x_j| <= N_ij x_i^2 + N_ji x_j^2. With c_i the sum of the k - 1 largest N_ij this is
at most x' Diag(c) x, hence

    v_k  <=  lambda_max(Sigma - P + Diag c).                                                      (1)

Two choices matter. P = the off-diagonal part of Sigma and N_ij = |Sigma_ij| w_j / w_i leave a diagonal
matrix: for *any* weights w > 0 no support is worth more than its largest weighted row sum

    max_i  Sigma_ii + (the k - 1 largest |Sigma_ij| w_j) / w_i,                                    (2)

and the best weights are the positive eigenvector of a homogeneous monotone map (Perron and Frobenius,
Collatz and Wielandt), found by a power iteration (`relaxations.perron.weights`). The general form is
the dual of

    maximise <Sigma, X>   s.t.  X psd, tr X = 1, X_ij^2 <= R_ij R_ji,
                                0 <= R_ij <= X_ii,  sum_{j != i} R_ij <= (k - 1) X_ii,

where R_ij stands for x_i^2 z_j; `relaxations.perron.minimise` minimises it.

At a node of a search, with J forced in and F free, rows pay all of J and their largest free partners.
With a penalty rho for every variable instead of a cardinality, row i pays sum_{j in T} (N_ij - rho): all of J
and the free partners that cost more than rho. Both are a `Size`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import (
    UNIT_ROUNDOFF,
    Array,
    eigenvalue_upper,
    norm_upper,
    raised,
    round_up,
)
from relaxspca.problem.node import Node
from relaxspca.problem.size import Cardinality, Size

if TYPE_CHECKING:
    from relaxspca.problem.covariance import Covariance


def upper_bound(
    cov: Covariance,
    point: RowsPoint,
    k: int | Size,
    *,
    inside: Iterable[int] = (),
    free: Iterable[int] | None = None,
) -> float:
    r"""Return a proved upper bound on the value of every support of a node.

    .. math:: \max\{\lambda_{\max}(\Sigma_{TT}) : J\subseteq T\subseteq J\cup F,\ |T|=k\}
              \le \lambda_{\max}(\Sigma-P+\mathrm{Diag}\,c)

    Every support has the variables inside, J, and may have the free ones, F, by default all others of the
    point. In place of the cardinality k, at least that of J, a `Penalty` may stand, which is subtracted for
    every variable. Any weights will do, or any P and N: where charges are too low for P, \|P_ij\| is lowered.
    The bound is ``inf`` where a charge overflows, ``-inf`` where there are no variables.

    Notes
    -----
    Equations (1) and (2) above, with every rounding added: the row sums are raised by their own rounding
    error, and the eigenvalue is proved by `relaxspca.numerics.linalg.eigenvalue_upper`.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> point = RowsPoint(variables=np.arange(13), weights=np.ones(13))
    >>> round(upper_bound(cov, point, 2), 6)
    1.954
    """
    cov.check_complete("a bound")
    size = k if isinstance(k, Size) else Cardinality(k)
    node = Node.of(inside, free, point.variables)
    variables, is_inside = node.variables, node.is_inside
    if not variables.size:
        return -np.inf
    at = np.searchsorted(point.variables, variables)
    Sigma = cov.submatrix(variables)
    radius = cov.rounding(variables)
    if point.P is None:
        assert point.weights is not None
        rows = size.row_charges(weighted_rows(Sigma, point.weights[at]), is_inside)
        charges = np.diagonal(Sigma) + size.proved_totals(rows)
        upper = round_up(float(raised(charges, 1).max()) + radius)
        return upper if upper == upper else np.inf  # nan arises from infinite charges
    P, N = pairs_of(point, cov.submatrix(point.variables))
    P, N = P[np.ix_(at, at)], N[np.ix_(at, at)]
    P = np.sign(P) * np.minimum(np.abs(P), _largest_feasible(N))
    M = Sigma - P
    M[np.diag_indices_from(M)] += size.proved_totals(size.row_charges(N, is_inside))
    rounding = 2 * UNIT_ROUNDOFF * (norm_upper(Sigma) + norm_upper(P) + norm_upper(M))
    return eigenvalue_upper(M, round_up(radius + rounding))


def weighted_rows(Sigma: Array, weights: Array, *, first: int = 0) -> Array:
    """Return the charges |Sigma_ij| w_j / w_i of equation (2), zero on the diagonal.

    `Sigma` may consist of consecutive rows only, of which `first` is the number of the first.
    """
    own = np.arange(len(Sigma))
    N = np.abs(Sigma) * (weights / weights[first + own, None])
    N[own, first + own] = 0.0
    return np.asarray(N)


def pairs_of(point: RowsPoint, Sigma: Array) -> tuple[Array, Array]:
    """Return P and N of all variables of a point; of pairs that weights pay P is Sigma."""
    if point.weights is None or point.paid is None:
        return point.P, point.N
    # N is raised so that its rounding does not lower P: pairs paid in full then leave exact zeros in Sigma - P.
    N, P = weighted_rows(Sigma, point.weights) * (1 + 2.0**-44), Sigma.copy()
    np.fill_diagonal(P, 0.0)
    block = np.ix_(*[np.searchsorted(point.variables, point.paid)] * 2)
    P[block], N[block] = point.P, point.N
    return P, N


def perron_point(variables: npt.ArrayLike, P: Array, N: Array) -> RowsPoint:
    """Return a feasible Perron point: entries of P are lowered where N_ij N_ji < P_ij^2."""
    N = np.where(np.eye(len(N), dtype=bool), 0.0, N)
    P = np.sign(P) * np.minimum(np.abs(P), _largest_feasible(N))
    P = (P + P.T) / 2
    np.fill_diagonal(P, 0.0)
    return RowsPoint(variables=np.asarray(variables), P=P, N=N)


def _largest_feasible(N: Array) -> Array:
    """Return a lower bound on sqrt(N_ij N_ji), the largest feasible |P_ij|; 0 where it might underflow."""
    root = np.sqrt(N) * np.sqrt(N.T)
    is_kept = (root > 1e-290) & (np.minimum(N, N.T) > 1e-140 * root)
    return np.asarray(np.where(is_kept, root * (1 - 2.0**-46), 0.0))
