"""All supports given: the bound of a leaf."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.numerics.linalg import Array, magnitude
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.formula import MultiplierMatrix, upper_bound
from relaxspca.relaxations.several.minimise import descend_jointly, to_multiplier_matrix
from relaxspca.relaxations.several.shape import Part, Shape
from relaxspca.relaxations.several.smooth import Factors


def bound_on_supports(
    cov: Covariance, supports: Sequence[Indices], shape: Shape, *, target: float
) -> tuple[MultiplierMatrix, float]:
    r"""Bound the components on given supports, and return the dual point that proves it.

    .. math:: \min_{Z\succeq0}\ \sum_t\lambda_{\max}((\Sigma-Z)_{T_tT_t})+\mathrm{tr}\,Z

    A common support is given once. Quasi-Newton steps begin at Z = 0 and end at the target. On one common
    support Z = (M - tI)_+ with t the r-th eigenvalue, which gives the sum of the r largest.
    """
    variables = np.unique(np.concatenate(supports))
    parts = [Part(len(support), support, support[:0]) for support in supports]
    Sigma = cov.submatrix(variables)
    Z = _above(Sigma, shape.copies) if shape.is_common else np.zeros_like(Sigma)
    rest = Sigma - (Z + Z.T) / 2
    point = MultiplierMatrix(variables, (rest + rest.T) / 2, np.zeros(len(variables)), (None,) * len(parts))
    upper = upper_bound(cov, point, shape, parts)
    scale, smoothing = magnitude(Sigma, upper), 1e-2
    # At L = 0 the gradient would vanish.
    L = 1e-3 * np.sqrt(scale) * np.random.default_rng(0).normal(size=Sigma.shape)
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


def _above(Sigma: Array, r: int) -> Array:
    """Return the part of a matrix above its r-th eigenvalue."""
    values, vectors = np.linalg.eigh(Sigma)
    heights = np.maximum(values - values[-r], 0.0)
    return np.asarray((vectors * heights) @ vectors.T)
