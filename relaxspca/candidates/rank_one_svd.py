"""Sparse rank-one approximation of the data (sPCA-rSVD)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from relaxspca.candidates.shrinkage import alternate, hard, scad, soft
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.candidates.thresholding import largest_entries
from relaxspca.errors import InputError, check_one_of
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance

__all__ = ["rank_one_loadings", "rank_one_svd"]

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
    shrink = _rule(rule)

    def at_cardinality(c: Array) -> Array:
        size = np.sort(np.abs(c))
        level = float(size[-k - 1]) if k < cov.n else 0.0
        return shrink(c, level)

    v, _ = alternate(cov, _start(cov), at_cardinality)
    if not v.any():
        v = _start(cov)
    return Candidate.from_support(cov, largest_entries(v[None, :], k)[0], method=f"rank_one_svd_{rule}")


def rank_one_loadings(cov: Covariance, level: float, *, rule: str = "soft") -> tuple[Array, list[float]]:
    """Return the v (n,) of a fixed threshold and |X - u v'|^2 + P(v) - |X|^2 at every iteration.

    Parameters
    ----------
    cov : Covariance of n variables, X'X.
    level : threshold on the entries of X'u; the penalty is 2 level |v|_1 (soft) or level^2 |v|_0 (hard).
    rule : {"soft", "hard"}.
    """
    if rule not in ("soft", "hard"):
        raise InputError(f"rule must be 'soft' or 'hard' for a fixed threshold, not {rule!r}")

    def objective(c: Array) -> float:
        v = RULES[rule](c, level)
        charge = 2.0 * level * np.abs(v).sum() if rule == "soft" else level**2 * np.count_nonzero(v)
        return float(v @ v - 2.0 * (c @ v) + charge)

    return alternate(cov, _start(cov), lambda c: _rule(rule)(c, level), objective=objective)


def _start(cov: Covariance) -> Array:
    values, vectors = leading_eigenpairs(cov, 1)
    return np.asarray(np.sqrt(values[0] + cov.shift) * vectors[:, 0])


def _rule(rule: str) -> Callable[[Array, float], Array]:
    check_one_of("rule", rule, RULES)
    return RULES[rule]
