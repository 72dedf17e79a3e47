r"""The T-relaxation of Kim, Tawarmalani and Richard, and the bound that its multipliers prove.

With :math:`T_{ij}` in the place of :math:`z_ix_j^2` and :math:`Y_{ij}` in that of :math:`|x_ix_j|`,

.. math::
    \max\ \langle\Sigma,X\rangle:\quad & X\succeq0,\ \mathrm{tr}X=1,\ |X_{ij}|\le Y_{ij},\
    Y_{ij}^2\le T_{ij}T_{ji},\ T_{ii}=Y_{ii}=X_{ii}, \\
    & z_i=\sum_jT_{ij}\le1,\ \sum_iz_i\le k,\ \sum_iT_{ij}\le kY_{jj},\ 0\le T_{ij}\le Y_{jj}.

With :math:`R=T'` this is (3) of docs/theory/perron.md: :math:`\sum_jT_{ij}\le\mathrm{tr}Y=1` and
:math:`\sum_{ij}T_{ij}\le k\,\mathrm{tr}Y` follow from the rest, and Y may be the modulus of X. So the
multipliers of :math:`Y_{ij}^2\le T_{ij}T_{ji}` are a point (P, N) of the Perron relaxation, whose formula
proves a bound at whatever a solver returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from relaxspca.certificate import PerronPoint
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.perron.formula import perron_point, upper_bound
from relaxspca.results.bound import Bound

__all__ = ["cone_bound", "dual_model", "model"]


def cone_bound(cov: Covariance, k: int, options: dict[str, Any]) -> Bound | None:
    """Return the bound at the dual point that a solver of cone programs proposes; None where it fails.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality, 1 to n.
    options : of `relaxspca.relaxations.conic.solve_cone_program`.

    Examples
    --------
    >>> import relaxspca as rs
    >>> round(cone_bound(rs.datasets.load_pitprops(), 10, {"tol": 1e-9}).upper, 5)
    4.17333
    """
    problem, read = dual_model(cov, k)
    if not solve_cone_program(problem, **options).usable:
        return None
    point = read()
    return Bound(k, upper_bound(cov, point, k), "t_relaxation", point)


def dual_model(cov: Covariance, k: int) -> tuple[Any, Callable[[], PerronPoint]]:
    r"""Return the dual cvxpy problem and a function that reads the point (P, N) once it is solved.

    .. math:: \min\ \lambda_{\max}(\Sigma-P+\mathrm{Diag}\,c):\ P_{ij}^2\le N_{ij}N_{ji},\
              c_i=\text{the sum of the } k-1 \text{ largest } N_{ij},\ j\ne i

    Examples
    --------
    >>> problem, read = dual_model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(float(problem.solve(solver="CLARABEL")), 5), read().P.shape
    (2.0, (2, 2))
    """
    import cvxpy as cp

    n = cov.n
    P, N = cp.Variable((n, n), symmetric=True), cp.Variable((n, n), nonneg=True)
    constraints = [cp.diag(P) == 0, cp.diag(N) == 0]
    if n > 1:
        constraints.append(_product_cone(P, N, n))
    paid = cp.Variable(n, nonneg=True)  # of its own: lambda_max takes matrices that are affine
    constraints += [paid[i] >= cp.sum_largest(N[i], k - 1) for i in range(n) if k > 1]
    objective = cp.lambda_max(cov.matrix - P + cp.diag(paid))

    def read() -> PerronPoint:
        return perron_point(np.arange(n), np.asarray(P.value), np.maximum(N.value, 0.0))

    return cp.Problem(cp.Minimize(objective), constraints), read


def model(cov: Covariance, k: int, *, majorised: bool = False) -> tuple[Any, dict[str, Any]]:
    r"""Return the primal cvxpy problem and its variables X, Y, T, z, and U where there is one.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality, 1 to n.
    majorised : bool
        With a matrix U in the place of the products of the sorted moduli of x: semidefinite, nonnegative,
        its rows and columns decreasing, zero beyond the first k, of trace 1 and with the sum of Y, its
        diagonal majorising that of X. The published bounds on blocks of Y by blocks of U are not among them.

    Notes
    -----
    Its value is a bound only as far as the solver is exact; `cone_bound` proves one (without U).

    References
    ----------
    .. [1] J. Kim, M. Tawarmalani and J.-P. P. Richard, Convexification of permutation-invariant sets and an
       application to sparse principal component analysis, Math. Oper. Res. 47(4), 2022 (arXiv 1910.02573).

    Examples
    --------
    >>> problem, variables = model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(float(problem.solve(solver="CLARABEL")), 5), sorted(variables)
    (2.0, ['T', 'X', 'Y', 'z'])
    """
    import cvxpy as cp

    n = cov.n
    X, Y = cp.Variable((n, n), PSD=True), cp.Variable((n, n), symmetric=True)
    T, z = cp.Variable((n, n), nonneg=True), cp.Variable(n)
    size = cp.reshape(cp.diag(Y), (1, n), order="C")
    constraints = [
        cp.abs(X) <= Y,
        cp.trace(X) == 1,
        cp.diag(X) == cp.diag(Y),
        cp.diag(T) == cp.diag(Y),
        z == cp.sum(T, axis=1),
        z <= 1,
        cp.sum(z) <= k,
        cp.sum(T, axis=0) <= k * cp.diag(Y),
        np.ones((n, 1)) @ size >= T,
    ]
    if n > 1:
        constraints.append(_product_cone(Y, T, n))
    variables = {"X": X, "Y": Y, "T": T, "z": z}
    if majorised:
        variables["U"] = cp.Variable((n, n), PSD=True)
        constraints += _majorisation(variables["U"], X, Y, k)
    return cp.Problem(cp.Maximize(cp.trace(cov.matrix @ X)), constraints), variables


def _product_cone(root: Any, factors: Any, n: int) -> Any:
    """Return root_ij^2 <= factors_ij factors_ji for all i < j as second-order cones."""
    import cvxpy as cp

    above = np.triu_indices(n, 1)
    first, second = factors[above], factors.T[above]
    return cp.SOC(first + second, cp.vstack([2 * root[above], first - second]), axis=0)


def _majorisation(U: Any, X: Any, Y: Any, k: int) -> list[Any]:
    """Return what sorted moduli of a unit vector of cardinality k satisfy beside those in their own order."""
    import cvxpy as cp

    n = U.shape[0]
    sorted_first = [U[:-1] >= U[1:]] if n > 1 else []
    few = [U[k:] == 0] if k < n else []
    dearest = [cp.sum_largest(cp.diag(X), j) <= cp.sum(cp.diag(U)[:j]) for j in range(1, min(k, n - 1) + 1)]
    return [U >= 0, cp.trace(U) == 1, cp.sum(U) == cp.sum(Y), *sorted_first, *few, *dearest]
