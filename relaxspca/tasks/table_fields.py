"""What every result with several components says of its loadings and its matrix: variance in three senses."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.numerics.linalg import Array, as_array
from relaxspca.problem.covariance import Covariance
from relaxspca.results.claims import matrix_words, total_variance
from relaxspca.results.duplicates import copies

IN_SPAN = 1e-7  # of the length of a vector: what is left outside a span that it is said to lie in


def raw_variance(cov: Covariance, V: Array) -> Array:
    """Return the variance x'Sigma x of each column x of V (n, m) on its own."""
    return np.asarray(np.einsum("ij,ij->j", V, cov.product(V)))


def adjusted_variance(cov: Covariance, V: Array) -> Array:
    r"""Return the variance of each score after the earlier ones are regressed out, in order.

    .. math:: X V = Q R, \qquad R_{jj}^2

    (Zou, Hastie and Tibshirani, "Sparse principal component analysis", JCGS 15, 2006, section 3.4).

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


def span_variance(cov: Covariance, V: Array) -> Array:
    r"""Return what the span of the first j columns of V (n, r) explains, for j = 1..r.

    .. math:: \operatorname{tr} P_j\Sigma, \qquad P_j = V_j (V_j^T V_j)^{-1} V_j^T

    This is the variance of the data projected on the span, so it depends on nothing but the span (Shen and
    Huang, J. Multivariate Analysis 99, 2008, section 2.3). A column that lies in the span of the earlier ones,
    to within 1e-7 of its length, adds nothing.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> span_variance(cov, np.array([[1.0, 1.0], [0.0, 1.0]])).tolist()
    [2.0, 4.0]
    """
    basis = np.zeros_like(V)
    for j, x in enumerate(V.T):
        left = x / np.linalg.norm(x)
        for _ in range(2):  # what one subtraction leaves by rounding, the second removes
            left = left - basis @ (basis.T @ left)
        length = np.linalg.norm(left)
        if length > IN_SPAN:
            basis[:, j] = left / length
    return np.cumsum(raw_variance(cov, basis))


def score_correlations(cov: Covariance, V: Array) -> Array:
    r"""Return the correlations (r, r) of the scores of the columns of V (n, r); 0 where one has no variance.

    Examples
    --------
    >>> score_correlations(Covariance([[1.0, 0.5], [0.5, 1.0]]), np.eye(2)).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    G = V.T @ cov.product(V)
    deviations = np.sqrt(np.maximum(np.diagonal(G), 0.0))
    products = np.outer(deviations, deviations)
    return np.asarray(np.where(products > 0, G / np.where(products > 0, products, 1.0), 0.0))


def table_fields(cov: Covariance, X: Array) -> dict[str, Any]:
    """Return the fields that all classes of sets of components have, of (n, r) loadings X in unit columns."""
    r = X.shape[1]
    # Eigenvalues of the variables kept would not be those of all.
    dense = np.full(r, np.nan) if cov.eliminated is not None else leading_eigenpairs(cov, r)[0]
    return {
        "loadings_array": as_array(X),
        "raw": as_array(raw_variance(cov, X)),
        "explained": as_array(span_variance(cov, X)),
        "adjusted": as_array(adjusted_variance(cov, X)),
        "score_correlations": as_array(score_correlations(cov, X)),
        "total": total_variance(cov),
        "eigenvalues": as_array(dense),
        "names": cov.names,
        "matrix": matrix_words(cov),
        "copies": copies(cov, X),
        "description": cov.description,
    }
