"""The perspective relaxations as cone programs for cvxpy: (16), (18) and (18s)."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.errors import check_one_of
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.model import Model, current_cardinality
from relaxspca.relaxations.published.perspective import (
    KINDS,
    PerspectivePoint,
    perron_point,
    ratio,
    upper_bound,
)
from relaxspca.results.bound import Bound

__all__ = ["dual_model", "model", "proved_bound"]

_LETTERS = {"rows": "W", "row_sums": "U", "boxes": "B", "total": "Q"}
_WEIGHTS = {"rows": "lambda", "row_sums": "mu"}
_TITLES = {
    "li_xie_16": "Li and Xie (16)",
    "bertsimas_18": "Bertsimas et al. (18)",
    "bertsimas_18s": "Bertsimas et al. (18), strengthened",
}
_FORMULAS = {
    "rows": r",\ \sum_jX_{ij}^2\le X_{ii}z_i",
    "row_sums": r",\ (\sum_j|X_{ij}|)^2\le kX_{ii}z_i",
    "boxes": r",\ X_{ii}\le z_i,\ |X_{ij}|\le z_i/2",
    "total": r",\ \|X\|_1\le k",
}


def model(cov: Covariance, k: int, *, kind: str = "li_xie_16") -> Model:
    r"""Return the primal cone program.

    .. math:: \max\ \langle\Sigma,X\rangle:\ \mathrm{tr}X=1,\ X\succeq0,\ \sum_iz_i=k,\ 0\le z\le1

    and the constraints of `KINDS`, written out at `PerspectivePoint`, with :math:`|X_{ij}|\le S_{ij}` in the
    place of moduli. `Model.bound` reads the point from the multipliers.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int
        Cardinality, 1 to n.
    kind : "li_xie_16", "bertsimas_18" or "bertsimas_18s".

    Returns
    -------
    Model
        With variables X, z, and S where the kind has moduli.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n, or there is no such kind.

    References
    ----------
    .. [1] Y. Li and W. Xie, INFORMS Journal on Computing, 2025, equation (16).
    .. [2] D. Bertsimas, R. Cory-Wright and J. Pauphilet, JMLR 23, 2022, equation (18).

    Examples
    --------
    >>> found = model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(found.solve(), 5)
    2.0
    """
    import cvxpy as cp

    n, parts = cov.n, _parts(kind)
    most = cp.Parameter(name="k", nonneg=True, value=cov.check_cardinality(k))
    X = cp.Variable((n, n), PSD=True, name="X")
    S, z = cp.Variable((n, n), name="S"), cp.Variable(n, name="z")
    variables = {"X": X, "z": z}
    named: dict[str, list[Any]] = {}
    if "rows" in parts:
        named["rows"] = [_product_cone(X, cp.diag(X), z)]
    if "row_sums" in parts or "total" in parts:
        variables["S"] = S
        named["moduli"] = [X <= S, -X <= S]
    if "row_sums" in parts:
        sums = cp.reshape(cp.sum(S, axis=1), (1, n), order="C")
        named["row_sums"] = [_product_cone(sums, most * cp.diag(X), z)]
    if "boxes" in parts:
        half = cp.multiply((1 - np.eye(n)) / 2 + np.eye(n), cp.outer(z, np.ones(n)))
        named["boxes"] = [half >= X, half >= -X]
    if "total" in parts:
        named["total"] = [cp.sum(S) <= most]
    constraints = [cp.trace(X) == 1, cp.sum(z) == most, z >= 0, z <= 1, *sum(named.values(), [])]
    return Model(
        name=f"{_TITLES[kind]}, primal form",
        formula=r"\max_{X,z}\ \langle\Sigma,X\rangle:\quad \mathrm{tr}X=1,\ X\succeq0,\ 1'z=k,\ 0\le z\le1"
        + "".join(_FORMULAS[part] for part in parts),
        cov=cov,
        problem=cp.Problem(cp.Maximize(cp.trace(cov.matrix @ X)), constraints),
        variables=variables,
        parameters={"k": most},
        reads=lambda: _of_multipliers(n, named, parts, current_cardinality(cov, most)),
        proves=lambda point: proved_bound(cov, point, current_cardinality(cov, most)),
    )


def dual_model(cov: Covariance, k: int, *, kind: str = "li_xie_16") -> Model:
    """Return the dual cone program, whose `Model.point` is a `PerspectivePoint`; see `upper_bound`.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int
        Cardinality, 1 to n.
    kind : "li_xie_16", "bertsimas_18" or "bertsimas_18s".

    Returns
    -------
    Model
        With the matrices W, U, B, Q and weights lambda, mu that the kind has.

    Raises
    ------
    InputError
        k is not a whole number from 1 to n, or there is no such kind.

    References
    ----------
    .. [1] Y. Li and W. Xie, INFORMS Journal on Computing, 2025, equation (16).
    .. [2] D. Bertsimas, R. Cory-Wright and J. Pauphilet, JMLR 23, 2022, equation (18).

    Examples
    --------
    >>> found = dual_model(Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> round(found.solve(), 4), found.bound()
    (2.0, Largest variance with at most 1 variable: at most 2.0000..., by the relaxation perspective, ...)
    """
    import cvxpy as cp

    k = cov.check_cardinality(k)
    n, parts = cov.n, _parts(kind)
    matrices = {name: cp.Variable((n, n), name=_LETTERS[name]) for name in parts}
    weights = {name: cp.Variable(n, name=_WEIGHTS[name]) for name in parts if name in _WEIGHTS}
    charges: Any = np.zeros(n)
    cost: Any = 0.0
    constraints = [weight >= 0 for weight in weights.values()]
    if "rows" in parts:
        W, lam = matrices["rows"], weights["rows"]
        charges = charges + cp.hstack([cp.quad_over_lin(W[i], 4 * lam[i]) for i in range(n)])
    if "row_sums" in parts:
        U, mu = matrices["row_sums"], weights["row_sums"]
        charges = charges + cp.hstack([k * cp.quad_over_lin(cp.norm_inf(U[i]), 4 * mu[i]) for i in range(n)])
    if "boxes" in parts:
        share = (1 - np.eye(n)) / 2 + np.eye(n)
        charges = charges + cp.sum(cp.multiply(share, cp.abs(matrices["boxes"])), axis=1)
    if "total" in parts:
        cost = k * cp.max(cp.abs(matrices["total"]))
    N = sum(matrices.values())
    M = cov.matrix - (N + N.T) / 2 + cp.diag(sum(weights.values(), np.zeros(n)))
    objective = cp.lambda_max(M) + cp.sum_largest(charges, k) + cost
    return Model(
        name=f"{_TITLES[kind]}, dual form",
        formula=r"\min\ \lambda_{\max}\bigl(\Sigma-\mathrm{sym}(N)+\mathrm{Diag}(\lambda+\mu)\bigr)"
        r"+k\max|Q_{ij}|"
        r"+(\text{sum of the } k \text{ largest } p_i),\quad N=W+U+B+Q,\ "
        r"p_i=\tfrac{\|w_i\|^2}{4\lambda_i}+\tfrac{k\|u_i\|_\infty^2}{4\mu_i}+|B_{ii}|"
        r"+\tfrac12\sum_{j\ne i}|B_{ij}|",
        cov=cov,
        problem=cp.Problem(cp.Minimize(objective), constraints),
        variables={_LETTERS[name]: matrices[name] for name in matrices}
        | {_WEIGHTS[name]: weights[name] for name in weights},
        reads=lambda: _point(
            n,
            {name: np.array(matrix.value) for name, matrix in matrices.items()},
            {name: np.array(weight.value) for name, weight in weights.items()},
            k,
        ),
        proves=lambda point: proved_bound(cov, point, k),
    )


def proved_bound(cov: Covariance, point: PerspectivePoint, k: int) -> Bound:
    """Return the bound that multipliers prove, with a Perron point for a certificate."""
    return Bound(k, upper_bound(cov, point, k), "perspective", perron_point(point, k))


def _product_cone(columns: Any, first: Any, second: Any) -> Any:
    """Return the constraints |columns_i|^2 <= first_i second_i for all i as second-order cones."""
    import cvxpy as cp

    difference = cp.reshape(first - second, (1, first.shape[0]), order="C")
    return cp.SOC(first + second, cp.vstack([2 * columns, difference]), axis=0)


def _of_multipliers(n: int, named: dict[str, list[Any]], parts: tuple[str, ...], k: int) -> PerspectivePoint:
    r"""Return the dual point from the multipliers of the primal program.

    Multipliers :math:`s\ge\|u\|` of a cone add :math:`2u_1'X_i+(s+u_2)X_{ii}+(s-u_2)z_i` to the objective:
    :math:`w_i=-2u_1`, :math:`\lambda_i=s+u_2` and the charge of z_i is at least
    :math:`\|w_i\|^2/(4\lambda_i)`.
    """
    matrices: dict[str, Array] = {}
    weights: dict[str, Array] = {}
    for name in ("rows", "row_sums"):
        if name in parts:
            s, u = named[name][0].dual_value
            weights[name] = np.ravel(s) + u[-1]
    if "rows" in parts:
        matrices["rows"] = -2 * named["rows"][0].dual_value[1][:-1].T
    if "row_sums" in parts:
        weights["row_sums"] = k * weights["row_sums"]
    if "moduli" in named:
        above, below = named["moduli"]
        matrices["row_sums" if "row_sums" in parts else "total"] = above.dual_value - below.dual_value
    if "boxes" in parts:
        above, below = named["boxes"]
        matrices["boxes"] = above.dual_value - below.dual_value
    return _point(n, matrices, weights, k)


def _point(n: int, matrices: dict[str, Array], weights: dict[str, Array], k: int) -> PerspectivePoint:
    """Return the dual point from a solver's matrices and weights; missing ones are zero."""
    matrix = {name: matrices.get(name, np.zeros((n, n))) for name in _LETTERS}
    sizes = {
        "rows": np.linalg.norm(matrix["rows"], axis=1),
        "row_sums": np.sqrt(k) * np.abs(matrix["row_sums"]).max(axis=1),
    }
    weight = _raised_weights({name: np.maximum(weights[name], 0) for name in weights}, sizes, k)
    return PerspectivePoint(
        rows=matrix["rows"],
        rows_lam=weight.get("rows", np.zeros(n)),
        row_sums=matrix["row_sums"],
        row_sums_lam=weight.get("row_sums", np.zeros(n)),
        boxes=matrix["boxes"],
        total=matrix["total"],
    )


def _raised_weights(weights: dict[str, Array], sizes: dict[str, Array], k: int) -> dict[str, Array]:
    """Raise the weights of rows of large charge to half of their size, a lower bound on optimal weights.

    Only a row whose charge is below the k largest may have a smaller weight; a solver that stops early leaves
    other rows with weights near zero and unbounded charges.
    """
    if not weights:
        return {}
    charges = {name: ratio(sizes[name] ** 2, 4 * weight) for name, weight in weights.items()}
    total = sum(charges.values())
    balanced = sum(np.minimum(charge, sizes[name] / 2) for name, charge in charges.items())
    dear = total > np.sort(balanced)[-k]
    return {name: np.where(dear, np.maximum(w, sizes[name] / 2), w) for name, w in weights.items()}


def _parts(kind: str) -> tuple[str, ...]:
    check_one_of("kind", kind, KINDS)
    return KINDS[kind]
