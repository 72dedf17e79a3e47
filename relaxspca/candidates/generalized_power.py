"""The generalized power method: maximise a convex function of a unit vector or an orthonormal block."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.shrinkage import alternate, hard, of_cardinality, skipping_name, soft
from relaxspca.candidates.thresholding import largest_entries
from relaxspca.errors import check_one_of
from relaxspca.numerics.linalg import Array, leading_eigenpair, oriented
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance

__all__ = ["block_patterns", "filled", "generalized_power", "single_unit"]

PENALTIES = ("l0", "l1")


def generalized_power(
    cov: Covariance, k: int, *, penalty: str = "l0", rng: np.random.Generator | None = None
) -> Candidate:
    r"""Reach cardinality k by a search over the penalty of the single-unit method.

    .. math:: \max_{\|x\| = 1} \sum_i \big( (a_i^T x)^2 - \gamma \big)_+ \quad (\ell_0), \qquad
              \max_{\|x\| = 1} \sum_i \big( |a_i^T x| - \gamma \big)_+^2 \quad (\ell_1)

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality.
    penalty : {"l0", "l1"}.
    rng : not used; the method is deterministic.

    Returns
    -------
    Candidate, loadings re-fitted on the pattern; its `method` says so where no penalty gives cardinality k.

    Raises
    ------
    InputError
        `penalty` is not known.

    Notes
    -----
    The block form is `block_patterns`, with `filled` to fit its loadings again. It gives m components for m
    penalties and not one of cardinality k, so it is no method of `candidate`.

    References
    ----------
    Journee, Nesterov, Richtarik and Sepulchre, "Generalized power method for sparse PCA", JMLR 11, 2010,
    algorithms 2 and 3.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> generalized_power(load_pitprops(), 7, penalty="l1").indices.tolist()
    [0, 1, 5, 6, 7, 8, 9]
    """
    k = cov.check_cardinality(k)
    check_one_of("penalty", penalty, PENALTIES)
    vector, size = of_cardinality(lambda gamma: single_unit(cov, gamma, penalty=penalty)[0], k, 0.0, 1.0)
    name = skipping_name(f"generalized_power_{penalty}", size, k)
    return Candidate.from_support(cov, largest_entries(vector[None, :], k)[0], method=name)


def single_unit(
    cov: Covariance, gamma: float, *, penalty: str = "l0", tol: float = 1e-6, max_iterations: int = 1000
) -> tuple[Array, list[float]]:
    """Run the single-unit method for a penalty relative to the least one whose solution is zero.

    Parameters
    ----------
    cov : Covariance of n variables.
    gamma : penalty in [0, 1), as a part of max |a_i| (l1) or max |a_i|^2 (l0).
    penalty : {"l0", "l1"}.
    tol : relative change at which the iterations end.
    max_iterations : most iterations.

    Returns
    -------
    z : (n,) unit loadings before pattern filling; zero when gamma leaves nothing.
    history : the objective at every iteration; it never decreases.
    """
    check_one_of("penalty", penalty, PENALTIES)
    variance = cov.diagonal + cov.shift
    first = int(np.argmax(variance))
    start = cov.column(first).copy()
    start[first] += cov.shift
    start /= np.sqrt(variance[first])
    level = gamma * variance[first] if penalty == "l0" else gamma * np.sqrt(variance[first])
    z, history = alternate(
        cov,
        start,
        lambda c: _gradient(c, level, penalty),
        objective=lambda c: _objective(c, level, penalty),
        tol=tol,
        max_iterations=max_iterations,
    )
    return _normalised(z), history


def block_patterns(
    cov: Covariance,
    gammas: Array,
    *,
    weights: Array | None = None,
    penalty: str = "l0",
    tol: float = 1e-6,
    max_iterations: int = 1000,
    rng: np.random.Generator | None = None,
) -> tuple[Array, list[float]]:
    r"""Compute m components at once.

    .. math:: \max_{X^T X = I} \sum_j \sum_i \big( (\mu_j a_i^T x_j)^2 - \gamma_j \big)_+ \quad (\ell_0), \qquad
              \max_{X^T X = I} \sum_j \sum_i \big( \mu_j |a_i^T x_j| - \gamma_j \big)_+^2 \quad (\ell_1)

    Parameters
    ----------
    cov : Covariance of n variables, of rank at least m.
    gammas : (m,) penalties in [0, 1), relative as in `single_unit`.
    weights : (m,) positive mu; None is all ones. Distinct weights separate the components.
    penalty : {"l0", "l1"}.
    tol : relative increase of the objective at which the iterations end.
    max_iterations : most iterations.
    rng : source of the start directions beyond the first; None is a fixed seed.

    Returns
    -------
    Z : (n, m) unit loadings, zero columns where a penalty leaves nothing.
    history : the objective at every iteration; it never decreases.

    Notes
    -----
    Everything stays in feature space: with X = polar(A W), A'X = Sigma W (W' Sigma W)^(-1/2).

    References
    ----------
    Journee, Nesterov, Richtarik and Sepulchre, JMLR 11, 2010, algorithms 4 and 5.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> Z, history = block_patterns(load_pitprops(), [0.3, 0.3], weights=[1.0, 0.5])
    >>> Z.shape, bool(np.all(np.diff(history) >= -1e-9))
    ((13, 2), True)
    """
    check_one_of("penalty", penalty, PENALTIES)
    rng = np.random.default_rng(0) if rng is None else rng
    m = len(gammas)
    mu = np.ones(m) if weights is None else np.asarray(weights, dtype=np.float64)
    largest = float((cov.diagonal + cov.shift).max())
    level = np.asarray(gammas) * (largest if penalty == "l0" else np.sqrt(largest))
    W = rng.normal(size=(cov.n, m))
    W[:, 0] = np.eye(cov.n)[int(np.argmax(cov.diagonal))]
    C = _polar_image(cov, W) * mu
    history = [_objective(C, level, penalty)]
    for _ in range(max_iterations):
        W = _gradient(C, level, penalty)
        if not W.any():
            break
        C = _polar_image(cov, W * mu) * mu
        history.append(_objective(C, level, penalty))
        if history[-1] - history[-2] <= tol * abs(history[-1]):
            break
    Z = _gradient(C, level, penalty)
    return np.column_stack([_normalised(z) for z in Z.T]), history


def filled(
    cov: Covariance, Z: Array, *, weights: Array | None = None, max_iterations: int = 500, tol: float = 1e-9
) -> Array:
    """Refit the loadings on the pattern P of Z (n, m), alternating X = polar(A Z N) and Z = P o A'X.

    N is the diagonal matrix of the weights, all ones for None. One component is the leading eigenvector.
    A column without a pattern, which `block_patterns` may leave, stays 0.
    """
    mu = np.ones(Z.shape[1]) if weights is None else np.asarray(weights, dtype=np.float64)
    pattern = Z != 0.0
    if Z.shape[1] == 1:
        support = np.flatnonzero(pattern[:, 0])
        best = np.zeros_like(Z)
        if support.size == 0:
            return best
        best[support, 0] = leading_eigenpair(cov.submatrix(support))[1]
        return best
    for _ in range(max_iterations):
        image = _polar_image(cov, Z * mu)
        following = np.where(pattern, image, 0.0)
        lengths = np.linalg.norm(following, axis=0)
        following /= np.where(lengths > 0, lengths, 1.0)
        change = np.abs(following - Z).max()
        Z = following
        if change <= tol:
            break
    return np.column_stack([oriented(z) for z in Z.T])


def _gradient(C: Array, level: float | Array, penalty: str) -> Array:
    return hard(C, np.sqrt(np.asarray(level))) if penalty == "l0" else soft(C, level)


def _objective(C: Array, level: float | Array, penalty: str) -> float:
    if penalty == "l0":
        return float(np.maximum(C * C - level, 0.0).sum())
    return float((np.maximum(np.abs(C) - level, 0.0) ** 2).sum())


def _polar_image(cov: Covariance, W: Array) -> Array:
    """Return A'X for the polar factor X of A W, on the range of A W."""
    image = cov.product(W) + cov.shift * W
    values, Q = np.linalg.eigh(W.T @ image)
    kept = values > 1e-14 * max(values[-1], np.finfo(float).tiny)
    return np.asarray(image @ (Q[:, kept] / np.sqrt(values[kept])) @ Q[:, kept].T)


def _normalised(z: Array) -> Array:
    norm = float(np.linalg.norm(z))
    return oriented(z / norm) if norm > 0.0 else z
