"""All supports given: the bound of a leaf, from the vectors that are best on them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.numerics.linalg import Array, leading_eigenpair, magnitude
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.formula import MultiplierMatrix, upper_bound
from relaxspca.relaxations.several.minimise import descend_jointly, to_multiplier_matrix
from relaxspca.relaxations.several.shape import Part, Shape
from relaxspca.relaxations.several.smooth import Factors


def bound_on_supports(
    cov: Covariance, supports: Sequence[Indices], shape: Shape, X: Array | None, *, target: float
) -> tuple[MultiplierMatrix, float]:
    r"""Bound the components on given supports, and return the dual point that proves it.

    .. math:: \min_{Z\succeq0}\ \sum_t\lambda_{\max}((\Sigma-Z)_{T_tT_t})+\mathrm{tr}\,Z

    Parameters
    ----------
    cov : Covariance of n variables.
    supports : of each component; one where it is common.
    shape : Shape.
    X : (n, r) orthonormal vectors on the supports, as good as can be found; None where there are none.
    target : stop once the bound is there (variance).

    Notes
    -----
    Where the relaxation is tight, Z = X S X' with (Sigma - X S X') x_t = lambda_t x_t on T_t: linear equations
    in S and the lambda_t. Where it is not, quasi-Newton steps go on from there.

    On one common support Z = (M - tI)_+ with t the r-th eigenvalue, which gives the sum of the r largest.
    """
    variables = np.unique(np.concatenate(supports))
    parts = [Part(len(support), support, support[:0]) for support in supports]
    Sigma = cov.submatrix(variables)
    at = [np.searchsorted(variables, support) for support in supports]
    if shape.is_common:
        Z = _above(Sigma, shape.copies)
    else:
        Z = np.zeros_like(Sigma) if X is None else _of_vectors(Sigma, X[variables], at)
    point, upper = _proved(cov, variables, Sigma, Z, shape, parts)
    scale = magnitude(Sigma, upper)
    smoothing = 1e-2 if X is None else min(1e-2, max(upper - target, 1e-9 * scale) / scale)
    values, vectors = np.linalg.eigh(Z)
    rng = np.random.default_rng(0)
    L = vectors * np.sqrt(np.maximum(values, 0.0)) + 1e-3 * np.sqrt(scale) * rng.normal(size=Z.shape)
    factors = Factors(L, np.zeros(len(variables)), (None,) * len(parts))
    for _ in range(12):
        if upper <= target or shape.is_common:
            break
        factors = descend_jointly(
            Sigma, variables, shape, parts, factors, scale=scale, smoothing=smoothing, iterations=100
        )
        found = to_multiplier_matrix(Sigma, variables, factors, parts)
        bound = upper_bound(cov, found, shape, parts)
        if bound < upper:
            point, upper = found, bound
        smoothing /= 4
    return point, upper


def suggested(cov: Covariance, point: MultiplierMatrix, supports: Sequence[Indices]) -> Array:
    """Return the leading eigenvectors of what a dual point leaves: the best where its bound is tight."""
    X = np.zeros((cov.n, len(supports)))
    for t, support in enumerate(supports):
        at = np.searchsorted(point.variables, support)
        X[support, t] = leading_eigenpair(point.rest[np.ix_(at, at)])[1]
    return X


def _proved(
    cov: Covariance, variables: Indices, Sigma: Array, Z: Array, shape: Shape, parts: Sequence[Part]
) -> tuple[MultiplierMatrix, float]:
    rest = Sigma - (Z + Z.T) / 2
    point = MultiplierMatrix(variables, (rest + rest.T) / 2, np.zeros(len(variables)), (None,) * len(parts))
    return point, upper_bound(cov, point, shape, parts)


def _above(Sigma: Array, r: int) -> Array:
    """Return the part of a matrix above its r-th eigenvalue."""
    values, vectors = np.linalg.eigh(Sigma)
    heights = np.maximum(values - values[-r], 0.0)
    return np.asarray((vectors * heights) @ vectors.T)


def _of_vectors(Sigma: Array, X: Array, at: Sequence[Indices]) -> Array:
    """Return X S X' for the multipliers S >= 0 that come nearest to making every column an eigenvector."""
    r = X.shape[1]
    pairs = [(a, b) for a in range(r) for b in range(a, r)]
    equations, right = [], []
    for t, rows in enumerate(at):
        block = np.zeros((len(rows), len(pairs) + r))
        for p, (a, b) in enumerate(pairs):
            # Entry (a, b) of S multiplies x_a x_b' + x_b x_a', applied to the orthonormal x_t.
            if t == b:
                block[:, p] += X[rows, a]
            if t == a and a != b:
                block[:, p] += X[rows, b]
        block[:, len(pairs) + t] = X[rows, t]
        equations.append(block)
        right.append((Sigma @ X[:, t])[rows])
    solved = np.linalg.lstsq(np.concatenate(equations), np.concatenate(right), rcond=1e-9)[0]
    S = np.zeros((r, r))
    for p, (a, b) in enumerate(pairs):
        S[a, b] = S[b, a] = solved[p]
    values, vectors = np.linalg.eigh(S)
    root = X @ (vectors * np.sqrt(np.maximum(values, 0.0)))
    return np.asarray(root @ root.T)
