"""When the pairwise relaxation is exact: a test of a support by one eigenvalue and one sort."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array, leading_eigenpair

__all__ = ["closed_form_point", "exact_interval"]


def exact_interval(Sigma: Array, support: npt.NDArray[np.int64]) -> tuple[float, float]:
    r"""Return the interval of c on which the closed-form point proves the support optimal, if it is one.

    With x and v the leading eigenpair of the block on T, O the other variables, :math:`s=\Sigma_{OT}x` and
    :math:`P=I-xx'`,

    .. math::

        \gamma = \max_{l\in O}\Bigl(s_l^2+\sum_{\text{top }k-1}\Sigma_{lj}^2\Bigr)^{1/2}\Big/\min_{i\in T}|x_i|,
        \qquad
        \nu = \lambda_{\max}\begin{pmatrix}P\Sigma_{TT}P & P\Sigma_{TO}\\ \Sigma_{OT}P &
        \mathrm{Diag}\,\Sigma_{OO}\end{pmatrix}\ \text{off } x.

    Parameters
    ----------
    Sigma : (n, n) array.
    support : (k,) positions of T, k from 2 to n - 1.

    Returns
    -------
    low, high : float
        :math:`\gamma/2` and :math:`(v-\nu)/2`. If low <= high the pairwise relaxation is exact and T is
        optimal (Theorem 4 of the theory guide); otherwise nothing is said. These are plain floats:
        the proof is `pairwise.upper_bound` at `closed_form_point`.

    Examples
    --------
    >>> Sigma = np.array([[2.0, 1.0, 0.1], [1.0, 2.0, 0.0], [0.1, 0.0, 1.0]])
    >>> low, high = exact_interval(Sigma, np.array([0, 1]))
    >>> low < high
    True
    """
    k = len(support)
    outside = np.setdiff1d(np.arange(len(Sigma)), support)
    block, across = Sigma[np.ix_(support, support)], Sigma[np.ix_(outside, support)]
    value, x = leading_eigenpair(block)
    squares = Sigma[np.ix_(outside, outside)] ** 2
    np.fill_diagonal(squares, 0.0)
    largest = -np.sort(-squares, axis=1)[:, : k - 1].sum(axis=1)
    pull = float(np.sqrt((across @ x) ** 2 + largest).max())
    rest = np.diag(np.concatenate([np.zeros(k), Sigma.diagonal()[outside]]))
    rest[:k, :k] = block - value * np.outer(x, x)
    rest[k:, :k] = across - np.outer(across @ x, x)
    rest[:k, k:] = rest[k:, :k].T
    # Push x itself, now an eigenvector of value 0, below everything else.
    rest[:k, :k] -= 2 * np.abs(Sigma).sum() * np.outer(x, x)
    other = leading_eigenpair(rest)[0]
    return pull / (2 * float(np.abs(x).min()) + 1e-300), (value - other) / 2


def closed_form_point(Sigma: Array, support: npt.NDArray[np.int64], c: float) -> tuple[Array, Array]:
    r"""Return the dual point (V, lam) that meets a component's optimality conditions on its support.

    .. math:: \lambda_i = c,\quad V_{TT} = 2c\,xx',\quad V_{OT} = (\Sigma_{OT}x)x',\quad V_{OO} = \Sigma_{OO}
              \text{ off the diagonal, 0 on it},

    so that x is an eigenvector of :math:`\Sigma-V+\mathrm{Diag}\lambda` with value v - c, and T costs c.

    Parameters
    ----------
    Sigma : (n, n) array.
    support : (k,) positions of T.
    c : float, positive, in the unit of Sigma.

    Examples
    --------
    >>> V, lam = closed_form_point(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([0, 1]), 0.5)
    >>> V.round(9).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    outside = np.setdiff1d(np.arange(len(Sigma)), support)
    _, x = leading_eigenpair(Sigma[np.ix_(support, support)])
    V = Sigma - np.diag(np.diagonal(Sigma))
    across = np.outer(Sigma[np.ix_(outside, support)] @ x, x)
    V[np.ix_(outside, support)], V[np.ix_(support, outside)] = across, across.T
    V[np.ix_(support, support)] = 2 * c * np.outer(x, x)
    return V, np.full(len(Sigma), c)
