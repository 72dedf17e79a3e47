"""Supports from column subset selection: k columns whose span approximates the data well."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.greedy import grow
from relaxspca.candidates.rows import row_reader
from relaxspca.columns import SELECTIONS, selected_columns
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.checks import check_one_of
from relaxspca.problem.covariance import Covariance


def column_subset(
    cov: Covariance, k: int, *, selection: str = "dual_set", rng: np.random.Generator | None = None
) -> Candidate:
    r"""Take as support k columns whose span contains a good rank-one approximation of the data.

    .. math:: \min_{|T| = k} \|A - (A)_{T,1}\|_F^2

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality.
    selection : str, the name of a column selection in `relaxspca.columns.SELECTIONS`.
    rng : Generator or None, the source of randomness of the selections that draw; None is a fixed seed.

    Returns
    -------
    Candidate
        Places that a selection leaves free (repeated draws, columns that already span) are filled greedily.

    Raises
    ------
    InputError
        `selection` is not known.

    Notes
    -----
    The columns bound the error of an encoder with k inputs, not the variance: this candidate has no guarantee
    of its own here.

    References
    ----------
    Magdon-Ismail and Boutsidis, "Optimal sparse linear encoders and sparse PCA", NIPS 2016.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> len(column_subset(load_pitprops(), 5, selection="pursuit").indices)
    5
    """
    k = checked_cardinality(cov, k)
    check_one_of("selection", selection, SELECTIONS)
    largest = np.array([int(np.argmax(cov.diagonal))])
    # The selections need room for one column more than the rank, the near-optimal one for two.
    is_alone = k <= 2 or cov.shift > 0.0
    chosen = largest if is_alone else selected_columns(cov, 1, k, selection=selection, rng=rng)
    support = grow(row_reader(cov), cov.diagonal, chosen[None, :], k)[0]
    return Candidate.from_support(cov, support, method=f"columns_{selection}")
