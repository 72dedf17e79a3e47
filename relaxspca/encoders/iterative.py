"""Iterative encoders: find one factor, remove the part of the data that it explains, and repeat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from relaxspca.columns import SELECTIONS, DataMatrix, as_data_matrix
from relaxspca.encoders.batch import RANDOM_SELECTIONS, selection_factor
from relaxspca.encoders.black_box import black_box_loadings
from relaxspca.encoders.encoder import Encoder
from relaxspca.encoders.loss import encoded_basis, total_energy
from relaxspca.errors import InputError
from relaxspca.problem.checks import check_one_of
from relaxspca.problem.observations import whole_number


def iterative_encoder(
    data: Any,
    k: int,
    r: int | Sequence[int],
    *,
    selection: str = "dual_set",
    rng: np.random.Generator | None = None,
) -> Encoder:
    r"""Encode with k factors found one by one, of which factor j uses r (or r_j) variables.

    .. math:: h_{j+1} = \text{one-factor batch encoder of } D_j, \quad
        D_j = X - XH_j (XH_j)^+ X, \quad H_j = [h_1, \dots, h_j]

    Parameters
    ----------
    data, k, rng : as in `batch_encoder`.
    r : int or sequence of k int
        Number of variables of each factor. The schedule of Theorem 11 is ``5 + ceil(5 j / epsilon)``, for
        ``selection="near_optimal"`` only.
    selection : str
        A name in `relaxspca.columns.SELECTIONS`; ``dual_set`` needs ``r >= 2``,
        ``near_optimal`` needs ``r >= 3``, ``pursuit`` and ``exchange`` also take ``r = 1``.

    Returns
    -------
    Encoder
        Its ``bound`` is that of Lemma 10, factor by factor, or None for a selection without a theorem.

    Raises
    ------
    InputError
        k or r is out of range for the data or the selection, or the selection is not known.

    References
    ----------
    Magdon-Ismail and Boutsidis, NIPS 2016, Lemma 10 and Theorem 11.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> encoder = iterative_encoder(load_pitprops(), 2, 3)
    >>> [s.size for s in encoder.indices_by_component], encoder.normalised_loss < 1.06
    ([3, 3], True)
    """
    matrix = as_data_matrix(data)
    n = matrix.shape[1]
    check_one_of("selection", selection, SELECTIONS)
    k = whole_number(k, "k")
    sizes = [whole_number(size, "r") for size in (r if isinstance(r, Iterable) else [r] * k)]
    if not 1 <= k <= min(matrix.shape) or len(sizes) != k or not all(1 <= s <= n for s in sizes):
        raise InputError(
            f"iterative encoders need 1 <= k <= {min(matrix.shape)} and k sparsities in 1..{n}; "
            f"got k={k}, r={sizes}"
        )
    generator = np.random.default_rng(0) if rng is None else rng
    H = np.zeros((n, 0))
    left = matrix
    for size in sizes:
        columns = SELECTIONS[selection](left, 1, size, rng=generator)
        factor, _ = black_box_loadings(left, columns, 1)
        H = np.hstack([H, factor])
        Q = encoded_basis(matrix, H)
        left = matrix.minus(Q, matrix.adjoint(Q).T)
    return Encoder.from_loadings(
        matrix,
        H,
        method="iterative",
        bound=iterative_bound(matrix, sizes, selection),
        in_expectation=selection in RANDOM_SELECTIONS,
    )


def iterative_bound(matrix: DataMatrix, sizes: Sequence[int], selection: str) -> float | None:
    r"""Return the bound on the loss by Lemma 10, factor by factor; None for a selection without a theorem.

    .. math:: B_0 = |X|_F^2, \qquad B_j = (1 + \delta_j)(B_{j-1} - \sigma_j^2)

    where ``1 + delta_j`` is the factor of the selection for one column space of r_j columns. One factor of
    :math:`D_{j-1}` loses at most :math:`(1+\delta_j)(|D_{j-1}|_F^2-|D_{j-1}|_2^2)`, and
    :math:`|D_{j-1}|_2\ge\sigma_j(X)` because :math:`D_{j-1}` differs from X by a matrix of rank j - 1. For the
    random selections the same holds for conditional, hence for total, expectations.
    """
    values, _ = matrix.leading(len(sizes))
    bound = total_energy(matrix)
    for size, value in zip(sizes, values, strict=True):
        factor = selection_factor(selection, 1, size, matrix.shape[1])
        if factor is None:
            return None
        bound = factor * max(bound - float(value) ** 2, 0.0)
    return bound
