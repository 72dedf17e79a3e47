"""Deflation: remove a component from a covariance before the search for the next one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from relaxspca.certificate import Deflation, Description
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.arguments import checked_covariance
from relaxspca.problem.checks import check_one_of
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gram import DenseGram


def deflate(
    cov: Covariance, x: Array, *, deflation: str = "projection", basis: Array | None = None
) -> tuple[Covariance, Array]:
    r"""Remove a component from a covariance.

    .. math::
        \text{hotelling:}\quad & \Sigma - (x^T \Sigma x)\, x x^T \\
        \text{projection:}\quad & (I - x x^T) \Sigma (I - x x^T) \\
        \text{schur:}\quad & \Sigma - \Sigma x x^T \Sigma / x^T \Sigma x \\
        \text{orthogonalized\_hotelling:}\quad & \Sigma - (q^T \Sigma q)\, q q^T \\
        \text{orthogonalized\_projection, generalized:}\quad & (I - q q^T) \Sigma (I - q q^T)

    with :math:`q \propto (I - Q Q^T) x` for the orthonormal basis Q of the components removed before.

    Parameters
    ----------
    cov : Covariance of n variables, already deflated by the earlier components.
    x : (n,) unit loadings.
    deflation : one of the names above.
    basis : (n, j) Q, as the previous call returned it; None at the first component.

    Returns
    -------
    deflated : Covariance
        With a thin factor where `cov` has one; the two Hotelling forms keep no factor. Its `description`
        says which components were removed from which matrix.
    basis : (n, j + 1) array
        Q with the new direction. If x lies in the span of Q, it is Q itself, (n, j), and the forms that use Q
        change nothing.

    Raises
    ------
    InputError
        The name is not known, x is no unit vector of n loadings, or no variance is left.

    Notes
    -----
    Only Schur, orthogonalized projection and generalized deflation keep every earlier component at variance
    zero; the Hotelling forms may leave a matrix that is not positive semidefinite. Generalized deflation
    differs from orthogonalized projection in the next component, which maximises
    :math:`x^T \Sigma x / x^T (I - Q Q^T) x`.

    References
    ----------
    L. Mackey, "Deflation methods for sparse PCA", NIPS 2008, table 1.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> deflate(cov, np.array([1.0, 0.0]), deflation="schur")[0].matrix.tolist()
    [[0.0, 0.0], [0.0, 1.5]]
    """
    cov = checked_covariance(cov)
    check_one_of("deflation", deflation, DEFLATIONS)
    if np.shape(x) != (cov.n,) or not np.isclose(np.linalg.norm(x), 1.0):
        raise InputError(f"x must have {cov.n} loadings, one for each variable, and length 1")
    Q = np.empty((cov.n, 0)) if basis is None else basis
    # Twice, so that the new direction is orthogonal to Q to working precision.
    q = x - Q @ (Q.T @ x)
    q = q - Q @ (Q.T @ q)
    length = float(np.linalg.norm(q))
    is_new = length > 1e-10
    q = q / length if is_new else q
    uses_basis, take_out = DEFLATIONS[deflation]
    if uses_basis and not is_new:
        return cov, Q
    deflated = take_out(cov, q if uses_basis else x)
    if deflated is not cov:
        deflated = deflated._with(description=_described(cov, x, deflation))
    return deflated, np.column_stack([Q, q]) if is_new else Q


def _described(cov: Covariance, x: Array, method: str) -> Description:
    """Return the description of a covariance from which one more component was removed."""
    before = cov.description.deflation
    if before is None:
        return replace(cov.description, deflation=Deflation(method, cov.digest, cov.names, x[:, None]))
    is_same = before.method.split(", then ")[-1] == method
    method = before.method if is_same else f"{before.method}, then {method}"
    loadings = np.column_stack([before.loadings, x])
    return replace(cov.description, deflation=Deflation(method, before.digest, before.names, loadings))


def _hotelling(cov: Covariance, q: Array) -> Covariance:
    return _from_matrix(cov.matrix - float(q @ cov.product(q)) * np.outer(q, q), cov)


def _projection(cov: Covariance, q: Array) -> Covariance:
    if cov.is_factored:
        return _from_factor(cov.factor - np.outer(cov.factor @ q, q), cov)
    Sigma, T = cov.matrix.copy(), np.flatnonzero(q)
    # Twice: the first pass leaves an error along q of either sign, relative to what it removes.
    for _ in range(2):
        image = Sigma[:, T] @ q[T]
        half = image - 0.5 * float(q @ image) * q
        Sigma[:, T] -= np.outer(half, q[T]) + np.outer(q, half[T])
        Sigma[T] = Sigma[:, T].T
    return _from_matrix(Sigma, cov, enough=math.inf if cov.shift else 0.5 * float(cov.diagonal.max()))


def _schur(cov: Covariance, x: Array) -> Covariance:
    image = cov.product(x)
    variance = float(x @ image)
    if variance <= 0.0:
        return cov
    if cov.is_factored:
        return _from_factor(cov.factor - np.outer(cov.factor @ x, image / variance), cov)
    return _from_matrix(cov.matrix - np.outer(image, image) / variance, cov)


def _from_factor(A: Array, cov: Covariance) -> Covariance:
    _check_left(float(np.linalg.norm(A)) ** 2, cov)
    return Covariance.from_factor(A, names=cov.names)


def _from_matrix(Sigma: Array, cov: Covariance, *, enough: float = math.inf) -> Covariance:
    """Return what is left; where its largest entry is `enough`, rounding has left it semidefinite."""
    size = float(np.abs(Sigma).max())
    _check_left(size, cov)
    if size < enough:
        return Covariance._of_entries(0.5 * (Sigma + Sigma.T), cov.names, what="deflated matrix")
    return Covariance._made(DenseGram(Sigma), cov.names, cov.description)


def _check_left(size: float, cov: Covariance) -> None:
    if size <= 1e-14 * cov.n * float(np.abs(cov.diagonal).max()):
        raise InputError("no variance is left after this component: ask for fewer components")


# Name: whether the direction is made orthogonal to the earlier ones first, and the update.
DEFLATIONS: dict[str, tuple[bool, Callable[[Covariance, Array], Covariance]]] = {
    "hotelling": (False, _hotelling),
    "projection": (False, _projection),
    "schur": (False, _schur),
    "orthogonalized_hotelling": (True, _hotelling),
    "orthogonalized_projection": (True, _projection),
    "generalized": (True, _projection),
}
