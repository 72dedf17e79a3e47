"""Variables that one dual point of psi fixes: in or out of every support better than a known value."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.psi.minimise import PsiSolution

__all__ = ["psi_fixing"]

Indices = npt.NDArray[np.int64]

MARGIN = 1e-9  # of the largest eigenvalue: the certificate's checker needs room for its rounding


def psi_fixing(A: Array, solution: PsiSolution, k: int, lower: float) -> tuple[Indices, Indices]:
    r"""Return the variables that are in, and those that are out of, every support better than `lower`.

    Variable i is in when :math:`\lambda_{\max}(G-y_iy_i')+\rho k<L`, and out when
    :math:`\lambda_{\max}(G-y_iy_i'+a_ia_i')+\rho(k-1)<L`, where :math:`G=\sum_iy_iy_i'`.

    Parameters
    ----------
    A : (r, n) array, the factor.
    solution : PsiSolution
        Any dual point for A; its forced variables stay in, and are counted in k.
    k : int
    lower : float
        Value L of a known support, for the matrix A'A (variance).

    Returns
    -------
    fixed_in, fixed_out : sorted int arrays
        None of the forced variables is among them.

    Notes
    -----
    No eigenvalue is computed but those of G. With :math:`M=tI-G` diagonal in the eigenbasis of G, the
    matrix :math:`M+yy'-aa'` is positive definite if and only if its number of negative eigenvalues, that of M
    plus that of :math:`K=\begin{pmatrix}-1-y'M^{-1}y&-y'M^{-1}a\\-a'M^{-1}y&1-a'M^{-1}a\end{pmatrix}` minus
    1, is 0 (Haynsworth's inertia additivity): :math:`O(r)` a variable after one product of size r x r x n.
    The tests are in floating point, with a margin; a certificate proves each by the same dual point.

    References
    ----------
    .. [1] E. V. Haynsworth, Determination of the inertia of a partitioned Hermitian matrix, Linear Algebra
       and its Applications 1:73-81, 1968.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> from relaxspca.relaxations.psi.minimise import bound
    >>> A = load_pitprops().factor
    >>> fixed_in, fixed_out = psi_fixing(A, bound(A, 9), 9, 4.1386469071)
    >>> fixed_in.tolist(), fixed_out.tolist()
    ([0, 1, 2, 3, 5, 6, 7, 8, 9], [4, 10, 11, 12])
    """
    forced = list(solution.inside)
    Y = solution.vectors
    values, Q = np.linalg.eigh(Y @ Y.T + A[:, forced] @ A[:, forced].T)
    free = np.setdiff1d(np.arange(A.shape[1]), forced)
    y, a = Q.T @ Y[:, free], Q.T @ A[:, free]
    left = lower - solution.rho * (k - len(forced))
    without = _below(values, y, np.zeros_like(a), left)
    with_it = _below(values, y, a, left + solution.rho)
    return free[without], free[with_it]


def _below(values: Array, y: Array, a: Array, threshold: float) -> npt.NDArray[np.bool_]:
    """Say for which columns the largest eigenvalue of Diag(values) - y y' + a a' is below the threshold."""
    size = MARGIN * max(float(np.abs(values).max()), abs(threshold))
    # A threshold next to an eigenvalue is lowered past it, which only makes the test harder.
    threshold -= size
    threshold -= 2 * size if (np.abs(threshold - values) < 1e-3 * size).any() else 0.0
    inverse = 1 / (threshold - values)
    negative = int((inverse < 0).sum())
    if negative > 1:
        return np.zeros(y.shape[1], dtype=np.bool_)
    first = -1 - inverse @ (y * y)
    last = 1 - inverse @ (a * a)
    mixed = inverse @ (y * a)
    determinant = first * last - mixed * mixed
    if negative == 0:
        return np.asarray(determinant < 0)
    return np.asarray((determinant > 0) & (first > 0))
