"""Batch encoders: choose r columns for all factors together, then the best encoder on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.columns import SELECTIONS, as_data_matrix
from relaxspca.columns.near_optimal import best_split, dual_set_factor
from relaxspca.encoders.black_box import black_box_loadings
from relaxspca.encoders.encoder import Encoder
from relaxspca.encoders.loss import least_loss
from relaxspca.errors import InputError
from relaxspca.problem.checks import check_one_of
from relaxspca.problem.observations import whole_number

# Selections whose guarantee is about the mean over their random draws.
RANDOM_SELECTIONS = ("near_optimal", "leverage")


def batch_encoder(
    data: Any, k: int, r: int, *, selection: str = "dual_set", rng: np.random.Generator | None = None
) -> Encoder:
    r"""Encode with k factors that all use the same r variables, at nearly the loss of PCA.

    .. math:: |X - XH(XH)^+X|_F^2 \le f(k, r)\, |X - X_k|_F^2

    with ``f = 1 + (1 - sqrt(k/r))^-2`` for the selections ``dual_set`` and ``exchange``, which starts from it,
    and, in expectation, ``f <= 1 + 5k/(r - 5k)`` for ``near_optimal`` when ``r > 5k``.

    Parameters
    ----------
    data : array, sparse array, Covariance or DataMatrix, shape (m, n)
        Observations by variables, used as they are.
    k : int
        Number of factors.
    r : int
        Number of variables used (row-sparsity), at most n.
    selection : str
        A name in `relaxspca.columns.SELECTIONS`.
    rng : Generator or None
        Source of randomness; None is a fixed seed.

    Returns
    -------
    Encoder
        Its ``bound`` is the right-hand side, or None for a selection without a theorem.

    Raises
    ------
    InputError
        k or r is out of range for the data or the selection, or the selection is not known.

    References
    ----------
    Magdon-Ismail and Boutsidis, NIPS 2016, Theorems 5, 6 and 7.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> encoder = batch_encoder(load_pitprops(), 2, 3)
    >>> encoder.indices.tolist(), round(encoder.normalised_loss, 6)
    ([1, 2, 6], 1.085968)
    """
    matrix = as_data_matrix(data)
    check_one_of("selection", selection, SELECTIONS)
    k, r = whole_number(k, "k"), whole_number(r, "r")
    if not 1 <= k <= r <= matrix.shape[1]:
        raise InputError(f"batch encoders need 1 <= k <= r <= n; got k={k}, r={r}, n={matrix.shape[1]}")
    generator = np.random.default_rng(0) if rng is None else rng
    H, _ = black_box_loadings(matrix, SELECTIONS[selection](matrix, k, r, rng=generator), k)
    factor = selection_factor(selection, k, r, matrix.shape[1])
    bound = None if factor is None else factor * least_loss(matrix, k)
    return Encoder.from_loadings(
        matrix, H, method="batch", bound=bound, in_expectation=selection in RANDOM_SELECTIONS
    )


def selection_factor(selection: str, k: int, r: int, n: int) -> float | None:
    """Return the approximation factor that a theorem proves for r columns of n; None if there is none."""
    if selection == "near_optimal":
        return 1.0 if r == n else best_split(k, r)[1]
    if selection == "dual_set" or (selection == "exchange" and r > k):
        return 1.0 if r == n else float(dual_set_factor(k, r))
    return None
