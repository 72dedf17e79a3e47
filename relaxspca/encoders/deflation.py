"""Baseline encoders: sparse components of largest variance, one after another by deflation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from relaxspca.candidates import METHODS
from relaxspca.columns import as_data_matrix
from relaxspca.encoders.encoder import Encoder
from relaxspca.errors import InputError
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import whole_number
from relaxspca.tasks.solve import solve


def deflation_encoder(
    cov: Covariance,
    k: int,
    r: int,
    *,
    method: str | Callable[[Covariance, int], Candidate] = "truncated_power",
    rng: np.random.Generator | None = None,
) -> Encoder:
    r"""Encode with k sparse principal components found by projection deflation.

    .. math:: x_{j+1} \approx \arg\max\{x'\Sigma_jx : |x| = 1, \mathrm{Card}(x) \le r\}, \qquad
        \Sigma_{j+1} = (I - x_{j+1}x_{j+1}')\Sigma_j(I - x_{j+1}x_{j+1}')

    Parameters
    ----------
    cov : Covariance of n variables
        Positive semidefinite.
    k : int
        Number of factors.
    r : int
        Cardinality of each factor.
    method : str or function of (Covariance, int)
        A name in `relaxspca.candidates.METHODS`; or "certified", every component optimal for its deflated
        covariance by `solve`; or a function that proposes a component.
    rng : Generator or None
        Passed to a named method.

    Returns
    -------
    Encoder
        Without a bound: these methods aim at symmetric variance, and no theorem is about their loss.

    Raises
    ------
    InputError
        k or r is out of range, the method is not known or the covariance is not semidefinite.

    References
    ----------
    Mackey, "Deflation methods for sparse PCA", NIPS 2008.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> encoder = deflation_encoder(load_pitprops(), 2, 5)
    >>> [s.size for s in encoder.indices_by_component]
    [5, 5]
    """
    matrix = as_data_matrix(cov)
    cov.check_cardinality(r)
    k = whole_number(k, "k")
    if not 1 <= k <= min(matrix.shape):
        raise InputError(f"the number of factors must lie in 1..{min(matrix.shape)}; got {k}")
    propose, name = _proposer(method, rng)
    H = np.zeros((cov.n, k))
    left, A = cov, np.array(cov.factor)
    for j in range(k):
        x = propose(left, r).loadings
        H[:, j] = x
        A = A - np.outer(A @ x, x)
        left = Covariance.from_factor(A)
    return Encoder.from_loadings(matrix, H, method=name)


def _proposer(
    method: str | Callable[[Covariance, int], Candidate], rng: np.random.Generator | None
) -> tuple[Callable[[Covariance, int], Candidate], str]:
    """Return the function that proposes a component, and its name."""
    if callable(method):
        return method, getattr(method, "__name__", "component")
    if method == "certified":
        return _certified, method
    if method not in METHODS:
        raise InputError(f"method must be certified or one of {', '.join(METHODS)}, not {method!r}")
    return partial(METHODS[method], rng=rng), method


def _certified(cov: Covariance, r: int) -> Candidate:
    return solve(cov, r).candidate
