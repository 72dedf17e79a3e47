"""Leverage sampling: random columns with probability proportional to their leverage in V_k."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from relaxspca.columns.data_matrix import as_data_matrix
from relaxspca.columns.dual_set import WeightedColumns
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.observations import whole_number

Indices = NDArray[np.intp]


def leverage_columns(data: Any, k: int, r: int, *, rng: np.random.Generator | None = None) -> Indices:
    r"""Draw r columns independently by their leverage, and drop the repeats.

    .. math:: p_i = |v_i|^2 / k, \qquad v_i \text{ the rows of } V_k

    Parameters
    ----------
    data : array, sparse array, Covariance or DataMatrix, shape (m, n)
        Observations by variables.
    k : int
        Rank of the leading singular space.
    r : int
        Number of draws.
    rng : Generator or None
        Source of randomness; None is a fixed seed.

    Returns
    -------
    intp array
        Sorted distinct column numbers, at most r.

    References
    ----------
    Boutsidis, Drineas and Magdon-Ismail, NIPS 2011, Table 2 (RandSampling).

    Examples
    --------
    >>> import numpy as np
    >>> leverage_columns(np.diag([3.0, 2.0, 0.0]), 2, 20)
    array([0, 1])
    """
    _, V = as_data_matrix(data).leading(k)
    return np.unique(leverage_sampling(V, r, rng=rng).indices)


def leverage_sampling(V: Array, r: int, *, rng: np.random.Generator | None = None) -> WeightedColumns:
    r"""Draw r rows of V by their leverage, with the scales that make products unbiased.

    .. math:: p_i = |v_i|^2 / k, \quad s_i = 1/\sqrt{r p_i}, \qquad E\, V' \Omega S S \Omega' V = V'V = I_k

    Parameters
    ----------
    V : (n, k) with orthonormal columns
        Leading right singular vectors.
    r : int
        Number of draws.
    rng : Generator or None
        Source of randomness; None is a fixed seed.

    Returns
    -------
    WeightedColumns

    Examples
    --------
    >>> import numpy as np
    >>> leverage_sampling(np.eye(3)[:, :1], 4).scales
    array([0.5, 0.5, 0.5, 0.5])
    """
    generator = np.random.default_rng(0) if rng is None else rng
    if whole_number(r, "r") < 1:
        raise InputError(f"leverage sampling draws r >= 1 rows; got r={r}")
    probabilities = leverage_scores(V)
    probabilities = probabilities / probabilities.sum()
    indices = generator.choice(V.shape[0], size=r, p=probabilities)
    return WeightedColumns(indices.astype(np.intp), 1.0 / np.sqrt(r * probabilities[indices]))


def leverage_scores(V: Array) -> Array:
    """Return ``|v_i|^2``, the squared norms of the rows of V; they sum to k.

    Parameters
    ----------
    V : (n, k) with orthonormal columns

    Returns
    -------
    (n,) array

    Examples
    --------
    >>> import numpy as np
    >>> leverage_scores(np.eye(3)[:, :2])
    array([1., 1., 0.])
    """
    return np.asarray(np.einsum("ij,ij->i", V, V))
