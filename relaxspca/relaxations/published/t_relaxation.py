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

from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.model import Model, current_cardinality
from relaxspca.relaxations.perron import models as perron
from relaxspca.relaxations.perron.formula import perron_point

__all__ = ["dual_model", "model"]


def dual_model(cov: Covariance, k: int) -> Model:
    """Return the dual cone program: that of the Perron relaxation.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int
        Cardinality, 1 to n.

    Returns
    -------
    Model
        With variables P, N and c.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n.

    References
    ----------
    .. [1] J. Kim, M. Tawarmalani and J.-P. P. Richard, Math. Oper. Res. 47(4), 2022 (arXiv 1910.02573).

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = dual_model(rs.datasets.load_pitprops(), 10)
    >>> round(found.solve(), 5)
    4.17333
    """
    return replace(
        perron.dual_model(cov, k),
        name="T-relaxation, dual form",
        proves=lambda point: perron.proved_bound(cov, point, cov.check_cardinality(k), "t_relaxation"),
    )


def model(cov: Covariance, k: int, *, majorised: bool = False) -> Model:
    r"""Return the primal cone program, with variables X, Y, T, z, and U if `majorised`.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality, 1 to n.
    majorised : bool
        With a matrix U in the place of the products of the sorted moduli of x: semidefinite, nonnegative,
        its rows and columns decreasing, zero beyond the first k, of trace 1 and with the sum of Y, its
        diagonal majorising that of X. The published bounds on blocks of Y by blocks of U are not among them.

    Returns
    -------
    Model
        With variables X, Y, T, z, and U with majorisation.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n.

    Notes
    -----
    `Model.bound` reads (P, N) from the multipliers of the products. Multipliers of U are not used: the bound is
    that of the form without U.

    References
    ----------
    .. [1] J. Kim, M. Tawarmalani and J.-P. P. Richard, Convexification of permutation-invariant sets and an
       application to sparse principal component analysis, Math. Oper. Res. 47(4), 2022 (arXiv 1910.02573).

    Examples
    --------
    >>> found = model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(found.solve(), 5), sorted(found.variables)
    (2.0, ['T', 'X', 'Y', 'z'])
    """
    import cvxpy as cp

    n, k = cov.n, cov.check_cardinality(k)
    most = cp.Parameter(name="k", nonneg=True, value=k)
    X, Y = cp.Variable((n, n), PSD=True, name="X"), cp.Variable((n, n), symmetric=True, name="Y")
    T, z = cp.Variable((n, n), nonneg=True, name="T"), cp.Variable(n, name="z")
    size = cp.reshape(cp.diag(Y), (1, n), order="C")
    constraints = [
        X <= Y,
        -X <= Y,
        cp.trace(X) == 1,
        cp.diag(X) == cp.diag(Y),
        cp.diag(T) == cp.diag(Y),
        z == cp.sum(T, axis=1),
        z <= 1,
        cp.sum(z) <= most,
        cp.sum(T, axis=0) <= most * cp.diag(Y),
        np.ones((n, 1)) @ size >= T,
    ]
    above, below = constraints[:2]
    cone = perron.product_cone(Y, T.T) if n > 1 else None  # R = T'
    variables = {"X": X, "Y": Y, "T": T, "z": z}
    if majorised:
        variables["U"] = cp.Variable((n, n), PSD=True, name="U")
        constraints += _majorisation(variables["U"], X, Y, k)

    def read() -> Any:
        P = above.dual_value - below.dual_value
        return perron_point(np.arange(n), (P + P.T) / 2, perron.multiplied(cone, n)[1])

    return Model(
        name="T-relaxation" + " with majorisation" * majorised + ", primal form",
        formula=r"\max_{X,Y,T,z}\ \langle\Sigma,X\rangle:\quad X\succeq0,\ \mathrm{tr}X=1,\ "
        r"|X_{ij}|\le Y_{ij},\ "
        r"Y_{ij}^2\le T_{ij}T_{ji},\ T_{ii}=Y_{ii}=X_{ii},\ z_i=\sum_jT_{ij}\le1,\ 1'z\le k,\ "
        r"\sum_iT_{ij}\le kY_{jj},\ 0\le T_{ij}\le Y_{jj}",
        cov=cov,
        problem=cp.Problem(cp.Maximize(cp.trace(cov.matrix @ X)), constraints + [cone] * (n > 1)),
        variables=variables,
        # The rows of U beyond k are fixed when the problem is made.
        parameters={} if majorised else {"k": most},
        reads=read,
        proves=lambda point: perron.proved_bound(cov, point, current_cardinality(cov, most), "t_relaxation"),
    )


def _majorisation(U: Any, X: Any, Y: Any, k: int) -> list[Any]:
    """Return the constraints that link X and Y to the sorted moduli U of a unit vector of cardinality k."""
    import cvxpy as cp

    n = U.shape[0]
    sorted_first = [U[:-1] >= U[1:]] if n > 1 else []
    few = [U[k:] == 0] if k < n else []
    largest = [cp.sum_largest(cp.diag(X), j) <= cp.sum(cp.diag(U)[:j]) for j in range(1, min(k, n - 1) + 1)]
    return [U >= 0, cp.trace(U) == 1, cp.sum(U) == cp.sum(Y), *sorted_first, *few, *largest]
