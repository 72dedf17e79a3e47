"""Supports from the primal matrix of a semidefinite relaxation over the loadings."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.local_search import swap_until_best
from relaxspca.candidates.rows import row_reader, support_values
from relaxspca.candidates.thresholding import largest_entries
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance

__all__ = ["round_loadings_matrix"]


def round_loadings_matrix(
    cov: Covariance,
    k: int,
    X: Array,
    *,
    weights: Array | None = None,
    draws: int = 64,
    swaps: bool = False,
    rng: np.random.Generator | None = None,
) -> Candidate:
    r"""Round a matrix that relaxes :math:`x x^T` to a component of cardinality k.

    Keep the k largest entries of each of: the leading eigenvector of X, its diagonal, its rows, random vectors
    :math:`X^{1/2} \xi` with Gaussian :math:`\xi`, and the weights if there are any; then keep the best support.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality, 1 to n.
    X : (n, n) positive semidefinite array
        From a primal form of `relaxspca.models`; negative eigenvalues are ignored.
    weights : (n,) the relaxation's z, of sum at most k.
    draws : number of random vectors, at least 0.
    swaps : whether best swaps finish the support.
    rng : source of randomness; None is a fixed seed.

    Returns
    -------
    Candidate

    Raises
    ------
    InputError
        The shape of X or of the weights does not fit, or X is not finite.

    References
    ----------
    Bertsimas, Cory-Wright and Pauphilet, "Solving large-scale sparse PCA to certifiable (near) optimality",
    JMLR 23, 2022, section 4 (weights); d'Aspremont, El Ghaoui, Jordan and Lanckriet, SIAM Review 49, 2007
    (leading eigenvector).

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> cov = load_pitprops()
    >>> x = np.linalg.eigh(cov.matrix)[1][:, -1]
    >>> round_loadings_matrix(cov, 3, np.outer(x, x), draws=0).indices.tolist()
    [0, 1, 6]
    """
    k = cov.check_cardinality(k)
    X = np.asarray(X, dtype=np.float64)
    if X.shape != (cov.n, cov.n) or (weights is not None and np.shape(weights) != (cov.n,)):
        raise InputError(f"the matrix to round is {X.shape}, but there are {cov.n} variables")
    if not np.isfinite(X).all():
        raise InputError("the matrix to round has entries that are not finite")
    rng = np.random.default_rng(0) if rng is None else rng
    X = 0.5 * (X + X.T)
    values, Q = np.linalg.eigh(X)
    random = rng.normal(size=(draws, cov.n)) @ (Q * np.sqrt(np.maximum(values, 0.0))).T
    vectors = [Q[:, -1:].T, np.diagonal(X)[None, :], X, random]
    if weights is not None:
        vectors.append(np.asarray(weights, dtype=np.float64)[None, :])
    supports = np.unique(largest_entries(np.concatenate(vectors), k), axis=0)
    read_rows = row_reader(cov)
    best = supports[int(np.argmax(support_values(read_rows, supports)))]
    if swaps:
        best = swap_until_best(read_rows, cov.diagonal, best)
    return Candidate.from_support(cov, best, method="rounding")
