"""The spartrahedron: one linear matrix inequality that every sparse component satisfies."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import Array
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.semidefinite import eigenvalue_factor
from relaxspca.relaxations.model import Model, current_cardinality
from relaxspca.relaxations.perron import formula as perron
from relaxspca.relaxations.published import dspca
from relaxspca.results.bound import Bound


def perron_point(L: Array, *, U: Array | None = None) -> RowsPoint:
    r"""Return the Perron point of any factor L, (n, p), of W = LL', optionally with the l1 ball's U.

    .. math::
        P = \mathrm{offdiag}(W-U), \qquad N_{ij} = W_{ii} + |U_{ij}|

        v_k \le \lambda_{\max}\bigl(\Sigma + k\,\mathrm{Diag}(\mathrm{diag}\,W) - W + U\bigr)
        + k\max_{ij}|U_{ij}|

    Its bound is at most the one displayed, for every k, L and U.

    Notes
    -----
    For a unit x with at most k nonzeros :math:`(l'x)^2\le k\sum_il_i^2x_i^2` for each column l of L, so
    :math:`x'(k\,\mathrm{Diag}(\mathrm{diag}W)-W)x\ge0`. :math:`W_{ii}W_{jj}\ge W_{ij}^2`, and k - 1 partners
    cost row i :math:`(k-1)W_{ii}`, so that the bound has that matrix. U pays as in DSPCA.

    References
    ----------
    .. [1] D. Cifuentes and Z. Li, the spartrahedron, arXiv:2603.18215, 2026.

    Examples
    --------
    >>> perron_point(np.array([[2.0], [1.0]])).N.tolist()
    [[0.0, 4.0], [1.0, 0.0]]
    """
    P = L @ L.T
    N = np.tile(np.diagonal(P)[:, None], len(P))
    if U is not None:
        ball = dspca.perron_point(U)
        P, N = P + ball.P, N + ball.N
    return perron.perron_point(np.arange(len(P)), P, N)


def model(cov: Covariance, k: int, *, l1: bool = False, dual: bool = False) -> Model:
    r"""Return the primal cone program, or the dual one, optionally with the l1 ball of DSPCA.

    .. math:: \max\ &\langle\Sigma,X\rangle:\ \mathrm{tr}X=1,\ X\succeq0,\
              k\,\mathrm{Diag}(\mathrm{diag}X)\succeq X,\ \text{and with l1 } -S\le X\le S,\ 1'S1\le k\\
              \min\ &\lambda_{\max}(\Sigma+k\,\mathrm{Diag}(\mathrm{diag}W)-W\ [+U])\ [+k\max|U_{ij}|]:\
              W\succeq0

    `Model.point` is (L, U) with W = LL', and U None without l1; the primal form has both in its multipliers.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality, 1 to n.
    l1 : bool
        With the l1 ball of DSPCA.
    dual : bool
        The dual form.

    Returns
    -------
    Model
        With variables X, and S with l1; of the dual form W, and U with l1.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n.

    References
    ----------
    .. [1] D. Cifuentes and Z. Li, the spartrahedron, arXiv:2603.18215, 2026.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> found = model(cov, 1)
    >>> round(found.solve(), 5), found.bound()
    (2.0, Largest variance with at most 1 variable: at most 2.0000..., by the relaxation spartrahedron, ...)
    >>> round(model(cov, 1, dual=True).solve(), 4)
    2.0
    """
    return (_dual if dual else _primal)(cov, checked_cardinality(cov, k), l1)


def _primal(cov: Covariance, k: int, l1: bool) -> Model:
    import cvxpy as cp

    n = cov.n
    most = cp.Parameter(name="k", nonneg=True, value=k)
    X = cp.Variable((n, n), PSD=True, name="X")
    sparse = most * cp.diag(cp.diag(X)) - X >> 0
    constraints, variables = [cp.trace(X) == 1, sparse], {"X": X}
    if l1:
        S = variables["S"] = cp.Variable((n, n), name="S")
        above, below = X <= S, -X <= S
        constraints += [above, below, cp.sum(S) <= most]

    def read() -> tuple[Array, Array | None]:
        return eigenvalue_factor(sparse.dual_value, 0.0).T, below.dual_value - above.dual_value if l1 else None

    return Model(
        name="spartrahedron" + " with l1" * l1 + ", primal form",
        formula=r"\max_X\ \langle\Sigma,X\rangle:\quad \mathrm{tr}X=1,\ X\succeq0,\ "
        r"k\,\mathrm{Diag}(\mathrm{diag}X)\succeq X" + r",\ -S\le X\le S,\ 1'S1\le k" * l1,
        cov=cov,
        problem=cp.Problem(cp.Maximize(cp.trace(cov.matrix @ X)), constraints),
        variables=variables,
        parameters={"k": most},
        reads=read,
        proves=lambda point: proved_bound(cov, point, current_cardinality(cov, most)),
    )


def _dual(cov: Covariance, k: int, l1: bool) -> Model:
    import cvxpy as cp

    n = cov.n
    W = cp.Variable((n, n), PSD=True, name="W")
    variables = {"W": W}
    M = cov.matrix + k * cp.diag(cp.diag(W)) - W
    cost: Any = 0.0
    if l1:
        U = variables["U"] = cp.Variable((n, n), symmetric=True, name="U")
        M, cost = M + U, k * cp.max(cp.abs(U))
    return Model(
        name="spartrahedron" + " with l1" * l1 + ", dual form",
        formula=r"\min\ \lambda_{\max}(\Sigma+k\,\mathrm{Diag}(\mathrm{diag}W)-W"
        + (r"+U)+k\max|U_{ij}|" if l1 else ")")
        + r":\quad W\succeq0",
        cov=cov,
        problem=cp.Problem(cp.Minimize(cp.lambda_max(M) + cost), [W >> 0]),
        variables=variables,
        reads=lambda: (eigenvalue_factor(W.value, 0.0).T, np.array(U.value) if l1 else None),
        proves=lambda point: proved_bound(cov, point, k),
    )


def proved_bound(cov: Covariance, point: tuple[Array, Array | None], k: int) -> Bound:
    """Return the bound that (L, U) proves."""
    L, U = point
    mapped = perron_point(L, U=U)
    name = "spartrahedron" if U is None else "spartrahedron_l1"
    return Bound(k, perron.upper_bound(cov, mapped, k), name, mapped)
