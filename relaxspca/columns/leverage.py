"""Leverage sampling: random columns with probability proportional to their leverage in V_k."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.columns.data_matrix import as_data_matrix
from relaxspca.errors import InputError
from relaxspca.problem.node import Indices
from relaxspca.problem.observations import whole_number


def leverage_columns(data: Any, k: int, r: int, *, rng: np.random.Generator | None = None) -> Indices:
    r"""Draw r columns independently by their leverage, and drop the repeats.

    .. math:: p_i = |v_i|^2 / k, \qquad v_i \text{ the rows of } V_k

    Parameters
    ----------
    data : as in `dual_set_columns`.
    k : int
        Rank of the leading singular space.
    r : int
        Number of draws.
    rng : Generator or None
        Source of randomness; None is a fixed seed.

    Returns
    -------
    int64 array
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
    generator = np.random.default_rng(0) if rng is None else rng
    if whole_number(r, "r") < 1:
        raise InputError(f"leverage sampling draws r >= 1 rows; got r={r}")
    _, V = as_data_matrix(data).leading(k)
    scores = np.square(V).sum(axis=1)
    return np.unique(generator.choice(len(V), size=r, p=scores / scores.sum())).astype(np.int64)
