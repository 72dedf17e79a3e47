"""Worst-case data for sparse encoders, which attain the theoretical lower bound on the loss."""

from __future__ import annotations

import numpy as np

from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.observations import whole_number


def hard_for_encoders(n: int, *, blocks: int = 1, spread: float = 1.0) -> Array:
    r"""Make data on which every encoder with r variables a block has about ``1 + 1/r`` times the loss of PCA.

    The columns of a block are ``e_1 + a e_{i+1}``, i = 1..n. With one factor and r variables every
    encoder has the normalised loss

    .. math:: 1 + \frac{n - r}{(n - 1)(r + a^2)} \longrightarrow 1 + \frac1r
        \qquad (n \to \infty,\ a \to 0).

    Parameters
    ----------
    n : int
        Variables in a block, at least 2.
    blocks : int
        Diagonal copies; k copies make the k-factor case with k r variables.
    spread : float
        a, above 0.

    Returns
    -------
    (blocks (n + 1), blocks n) array

    Raises
    ------
    InputError
        A parameter is out of range.

    Notes
    -----
    ``Sigma = 11' + a^2 I``, so on every C both ``(Sigma^2)_CC`` and ``Sigma_CC`` are combinations of I and
    11'; the best h is constant on C and ``h'Sigma^2 h / h'Sigma h = r + a^2 + (n - r) r / (r + a^2)``.

    References
    ----------
    Magdon-Ismail and Boutsidis, NIPS 2016, Theorem 8; derivation in docs/theory/encoders.md.

    Examples
    --------
    >>> hard_for_encoders(2, spread=3.0)
    array([[1., 1.],
           [3., 0.],
           [0., 3.]])
    """
    n, blocks = whole_number(n, "n"), whole_number(blocks, "blocks")
    if n < 2 or blocks < 1 or not spread > 0.0:
        raise InputError(f"need n >= 2, blocks >= 1, spread > 0; got {n}, {blocks}, {spread}")
    block = np.vstack([np.ones((1, n)), spread * np.eye(n)])
    return np.asarray(np.kron(np.eye(blocks), block))
