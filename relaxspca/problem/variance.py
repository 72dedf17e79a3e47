"""Variance explained by several components, which may be correlated or not orthogonal."""

from __future__ import annotations

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance

__all__ = ["adjusted_variance", "raw_variance", "regression_variance"]


def raw_variance(cov: Covariance, V: Array) -> Array:
    """Return the variance x'Sigma x of each column x of V (n, m) on its own."""
    return np.asarray(np.einsum("ij,ij->j", V, cov.product(V)))


def adjusted_variance(cov: Covariance, V: Array) -> Array:
    r"""Return the variance of each score after the earlier ones are regressed out, in order.

    .. math:: X V = Q R, \qquad R_{jj}^2

    References
    ----------
    Zou, Hastie and Tibshirani, "Sparse principal component analysis", JCGS 15, 2006, section 3.4.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> adjusted_variance(load_pitprops(), np.eye(13)[:, :2]).round(4).tolist()
    [1.0, 0.0899]
    """
    G = V.T @ cov.product(V)
    remaining = np.empty(len(G))
    for j in range(len(G)):
        remaining[j] = G[j, j]
        if G[j, j] > 0.0:
            G = G - np.outer(G[:, j], G[j]) / G[j, j]
    return np.maximum(remaining, 0.0)


def regression_variance(cov: Covariance, V: Array) -> Array:
    r"""Return the variance of the data projected on the first j loadings, for j = 1..m.

    .. math:: \operatorname{Tr} X_j^T X_j, \qquad X_j = X V_j (V_j^T V_j)^{-1} V_j^T

    References
    ----------
    Shen and Huang, J. Multivariate Analysis 99, 2008, section 2.3.
    """
    images = V.T @ cov.product(V)
    gram = V.T @ V
    totals = []
    for j in range(1, len(gram) + 1):
        totals.append(np.trace(np.linalg.pinv(gram[:j, :j], hermitian=True) @ images[:j, :j]))
    return np.array(totals)
