"""Sparse rank-one approximation of the data (sPCA-rSVD)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from relaxspca.candidates.shrinkage import alternate, hard, scad, soft
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.candidates.thresholding import largest_entries
from relaxspca.errors import check_one_of
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance

__all__ = ["rank_one_svd"]

RULES: dict[str, Callable[[Array, float], Array]] = {"soft": soft, "hard": hard, "scad": scad}


def rank_one_svd(
    cov: Covariance, k: int, *, rule: str = "soft", rng: np.random.Generator | None = None
) -> Candidate:
    r"""Approximate the data by a rank-one matrix with a k-sparse right factor.

    .. math:: \min_{\|u\| = 1,\ v} \|X - u v^T\|_F^2 + P(v)

    Parameters
    ----------
    cov : Covariance of n variables, X'X.
    k : cardinality: the degree of sparsity n - k sets the penalty at every iteration.
    rule : {"soft", "hard", "scad"}
        Thresholding rule of the penalty P.
    rng : not used; the method is deterministic.

    Returns
    -------
    Candidate, loadings re-fitted on the support.

    Raises
    ------
    InputError
        `rule` is not known.

    References
    ----------
    Shen and Huang, "Sparse principal component analysis via regularized low rank matrix approximation",
    J. Multivariate Analysis 99, 2008, algorithm 1 and section 2.3.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> rank_one_svd(load_pitprops(), 7).indices.tolist()
    [0, 1, 5, 6, 7, 8, 9]
    """
    k = cov.check_cardinality(k)
    check_one_of("rule", rule, RULES)
    shrink = RULES[rule]

    def at_cardinality(c: Array) -> Array:
        size = np.sort(np.abs(c))
        level = float(size[-k - 1]) if k < cov.n else 0.0
        return shrink(c, level)

    v, _ = alternate(cov, _start(cov), at_cardinality)
    if not v.any():
        v = _start(cov)
    return Candidate.from_support(cov, largest_entries(v[None, :], k)[0], method=f"rank_one_svd_{rule}")


def _start(cov: Covariance) -> Array:
    values, vectors = leading_eigenpairs(cov, 1)
    return np.asarray(np.sqrt(values[0] + cov.shift) * vectors[:, 0])
