"""Encoders on chosen columns: of all factors together (batch), or of one factor after another (iterative)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from relaxspca.columns import (
    RANDOM_SELECTIONS,
    SELECTIONS,
    DataMatrix,
    as_data_matrix,
    best_rank_k_in_span,
    selected_columns,
)
from relaxspca.columns.data_matrix import checked_columns
from relaxspca.columns.near_optimal import best_split, dual_set_factor
from relaxspca.encoders.encoder import Encoder, encoded_basis, least_loss
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array, spread
from relaxspca.problem.checks import check_one_of
from relaxspca.problem.observations import whole_number


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
        k or r is out of range for the data or the selection, the selection is not known, or "leverage" drew
        fewer than k variables.

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
    columns = selected_columns(matrix, k, r, selection=selection, rng=rng)
    H, _ = black_box_loadings(matrix, columns, k)
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


def black_box_encoder(data: Any, columns: ArrayLike, k: int) -> Encoder:
    r"""Return an encoder on columns C of the data whose loss is at most the error of the best rank k in C.

    .. math:: |X - XH(XH)^+X|_F^2 \le |X - X_{C,k}|_F^2, \qquad H = \Omega U,\quad H'H = I_k

    with Omega the selection matrix of the columns and U the left singular vectors of ``C^+ X_{C,k}``; equality
    holds when the best approximation ``X_{C,k}`` in the span of C has rank k.

    Parameters
    ----------
    data : as in `batch_encoder`.
    columns : (r,) distinct int
        The variables that the encoder may use, ``r >= k``.
    k : int
        Number of factors.

    Returns
    -------
    Encoder
        Its bound is ``|X - X_{C,k}|_F^2``.

    Raises
    ------
    InputError
        k is out of range, or there are fewer than k distinct columns, or one is out of range.

    References
    ----------
    Magdon-Ismail and Boutsidis, NIPS 2016, Theorem 5.

    Examples
    --------
    >>> import numpy as np
    >>> black_box_encoder(np.diag([3.0, 2.0, 1.0]), [0, 2], 1).loss
    5.0
    """
    matrix = as_data_matrix(data)
    k = whole_number(k, "the number of factors k", most=min(matrix.shape))
    chosen = checked_columns(columns, matrix.shape[1])
    H, error = black_box_loadings(matrix, chosen, k)
    return Encoder.from_loadings(matrix, H, method="columns", bound=error)


def black_box_loadings(matrix: DataMatrix, columns: Any, k: int) -> tuple[Array, float]:
    """Return H (n, k) with orthonormal columns supported on the columns, and ``|X - X_{C,k}|_F^2``."""
    if len(columns) < k:  # of those that are drawn some may be the same
        raise InputError(
            f"an encoder of {k} factors needs at least {k} distinct columns out of "
            f"0..{matrix.shape[1] - 1}; got {columns.tolist()}"
        )
    best = best_rank_k_in_span(matrix, columns, k)
    U, values, _ = np.linalg.svd(best.coefficients, full_matrices=False)
    scores = best.basis @ (U[:, :k] * values[:k])
    C = matrix.resolved_columns(columns)
    lengths = np.linalg.norm(C, axis=0)
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0.0)
    W = np.linalg.lstsq(C * scale, scores, rcond=None)[0] * scale[:, None]
    H = np.linalg.svd(W, full_matrices=True)[0][:, :k]  # its span contains that of W
    return spread(H, columns, matrix.shape[1]), best.loss


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
        columns = selected_columns(left, 1, size, selection=selection, rng=generator)
        factor, _ = black_box_loadings(left, columns, 1)
        H = np.hstack([H, factor])
        left = matrix.outside(encoded_basis(matrix, H))
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
    bound = matrix.energy()
    for size, value in zip(sizes, values, strict=True):
        factor = selection_factor(selection, 1, size, matrix.shape[1])
        if factor is None:
            return None
        bound = factor * max(bound - float(value) ** 2, 0.0)
    return bound
