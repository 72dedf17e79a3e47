r"""Least squares with k variables, bounded and solved through sparse principal components.

.. math:: s(k)=\min_{\mathrm{Card}(w)\le k}\|y-Mw\|^2=\|y\|^2-\max_{\mathrm{Card}(w)\le k}
    \frac{(y'Mw)^2}{\|Mw\|^2}.

For *any* number :math:`s_0`, put :math:`G=M'yy'M-s_0M'M`. If :math:`v_k(G)\le B` with :math:`B\ge0`, every
k-sparse unit w has :math:`(y'Mw)^2\le s_0\|Mw\|^2+B`, and so

.. math:: s(k)\ \ge\ \|y\|^2-s_0-\frac{B}{\min_{|T|=k}\lambda_{\min}(M_T'M_T)} .

With :math:`s_0` the value of a support, B = 0 proves that the support is optimal; if it is not, the
maximiser of :math:`w'Gw` has a larger value, which becomes the next :math:`s_0` (Dinkelbach's iteration).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.applications.regressor_candidates import METHODS, Indices, LeastSquares
from relaxspca.applications.sparse_eigenvalues import smallest_eigenvalue, symmetric_covariance
from relaxspca.errors import InputError, MissingExtra
from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, as_array, eigenvalue_upper, product_radius
from relaxspca.problem.observations import checked_matrix, is_sparse, real_array, whole_number
from relaxspca.tasks.solve import solve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["SubsetSelection", "plot_path", "subset_path", "subset_selection"]

MAX_STEPS = 20


@dataclass(frozen=True, eq=False)
class SubsetSelection:
    r"""A least-squares fit with k variables and a proved bound on all others.

    Attributes
    ----------
    k : int
    indices : (k,) sorted int array
    coefficients : (n,) array
        w, zero off the support.
    lower, upper : float
        :math:`\text{lower}\le s(k)\le\text{upper}` (the unit of y, squared); `upper` is attained.
    relative_gap : float
        (upper - lower) / :math:`\|y\|^2`.
    steps : int
        Supports that were tested before the bound stood.
    method : str
        Who proposed the support.
    """

    k: int
    indices: Indices
    coefficients: Array
    lower: float
    upper: float
    relative_gap: float
    steps: int
    method: str

    @property
    def is_optimal(self) -> bool:
        """Whether no k variables do better by more than 1e-6 of the sum of squares of y."""
        return self.relative_gap <= 1e-6


def subset_selection(
    M: Any, y: Any, k: int, *, gap: float = 0.0, time_limit: float | None = None
) -> SubsetSelection:
    r"""Choose k variables for least squares, and bound what any k variables could do.

    .. math:: s(k)=\min_{\mathrm{Card}(w)\le k}\|y-Mw\|^2

    Parameters
    ----------
    M : (p, n) array_like
        Variables by columns. There is no intercept: centre y and M for one.
    y : (p,) array_like
        Response.
    k : int, from 1 to min(n, p)
    gap : float
        Relative gap at which the sparse-eigenvalue problems stop; 0 asks for the optimum.
    time_limit : float, optional
        Seconds for every one of those problems.

    Returns
    -------
    SubsetSelection

    Raises
    ------
    InputError
        Shapes do not fit, an entry is not finite, y is zero, or k is out of range.

    Notes
    -----
    A column set of k dependent columns makes the divisor 0; the lower bound then is 0 unless B = 0.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, Optimal solutions for sparse principal component
       analysis, Journal of Machine Learning Research 9:1269-1294, 2008, section 6.1 (s_0 from a support).
    .. [2] W. Dinkelbach, On nonlinear fractional programming, Management Science 13:492-498, 1967.

    Examples
    --------
    >>> M = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -1.0, 0.5]])
    >>> fit = subset_selection(M, M @ [2.0, -1.0, 0.0], 2)
    >>> fit.indices.tolist(), fit.is_optimal
    ([0, 1], True)
    """
    problem = _problem(M, y)
    k = whole_number(k, "k")
    if not 1 <= k <= min(problem.M.shape):
        raise InputError(f"k = {k} is outside 1..{min(problem.M.shape)}")
    fits = {name: method(problem, k) for name, method in METHODS.items()}
    method, support = max(fits.items(), key=lambda item: problem.value(item[1]))
    base = problem.value(support)
    steps = 0
    while steps < MAX_STEPS:
        steps += 1
        excess, challenger = _excess(problem, base, k, gap, time_limit)
        challenger = problem.improved(challenger)
        if problem.value(challenger) <= base * (1 + 1e-12):
            break
        method, support, base = "Dinkelbach", challenger, problem.value(challenger)
    return _result(problem, k, support, base, excess, steps, method, time_limit)


def subset_path(
    M: Any, y: Any, k: Iterable[int], *, gap: float = 0.0, time_limit: float | None = None
) -> list[SubsetSelection]:
    """Return `subset_selection` for several k; a bound for more variables holds for fewer as well.

    Parameters
    ----------
    M, y, gap, time_limit : as in `subset_selection`.
    k : iterable of int

    Returns
    -------
    list of SubsetSelection

    Raises
    ------
    InputError
        As `subset_selection`.

    Examples
    --------
    >>> M = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -1.0, 0.5]])
    >>> [fit.k for fit in subset_path(M, [1.0, 2.0, 3.0], [1, 2])]
    [1, 2]
    """
    if not isinstance(k, Iterable):
        raise InputError(f"k must be a list of whole numbers, not {k!r}")
    return [subset_selection(M, y, size, gap=gap, time_limit=time_limit) for size in k]


def plot_path(path: list[SubsetSelection], ax: Axes | None = None) -> Axes:
    """Draw the enclosures of s(k) against k.

    Raises
    ------
    MissingExtra
        matplotlib is not installed.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingExtra("figures need matplotlib: pip install 'relaxspca[plot]'") from None
    ax = plt.subplots()[1] if ax is None else ax
    sizes = [fit.k for fit in path]
    ax.plot(sizes, [fit.upper for fit in path], "o-", label="attained")
    ax.plot(sizes, [fit.lower for fit in path], "_--", label="lower bound")
    ax.set_xlabel("variables k")
    ax.set_ylabel("residual sum of squares s(k)")
    ax.legend()
    return ax


def _excess(
    problem: LeastSquares, base: float, k: int, gap: float, time_limit: float | None
) -> tuple[float, Indices]:
    """Return B, a proved bound on v_k(G) and on 0, and the support that the solver prefers."""
    shift = base * eigenvalue_upper(problem.gram, product_radius(problem.M, problem.M))
    G = np.outer(problem.products, problem.products) - base * problem.gram
    if not G.any():
        return 0.0, np.arange(k)
    G[np.diag_indices_from(G)] += shift
    result = solve(symmetric_covariance(G), k, gap=gap, time_limit=time_limit)
    # Entries of M'y and M'M are sums of p products, and G has a few more operations an entry; by
    # Cauchy-Schwarz all moduli are below |m_i||m_j|(|y|^2 + s_0).
    gamma = 2 * (problem.M.shape[0] + 8) * UNIT_ROUNDOFF
    reach = float(np.trace(problem.gram)) * (1 + 1e-6)
    radius = gamma * reach * (2 * problem.energy + base) + 4 * UNIT_ROUNDOFF * shift
    return max(0.0, result.upper - shift) + radius, result.candidate.indices


def _result(
    problem: LeastSquares,
    k: int,
    support: Indices,
    base: float,
    excess: float,
    steps: int,
    method: str,
    time_limit: float | None,
) -> SubsetSelection:
    coefficients = problem.coefficients(support)
    p = problem.M.shape[0]
    residual = np.abs(problem.y - problem.M @ coefficients)
    residual += (p + k) * UNIT_ROUNDOFF * (np.abs(problem.y) + np.abs(problem.M) @ np.abs(coefficients))
    upper = float(residual @ residual) * (1 + 2 * p * UNIT_ROUNDOFF)
    least = smallest_eigenvalue(problem.M, k, gap=0.01, time_limit=time_limit).lower
    share = excess / least * (1 + 4 * UNIT_ROUNDOFF) if least > 0 else np.inf
    energy = problem.energy * (1 - 2 * (p + 2) * UNIT_ROUNDOFF)
    lower = max(0.0, (energy - base - share) - 4 * UNIT_ROUNDOFF * energy)
    lower = min(lower, upper)
    support.flags.writeable = False
    relative = (upper - lower) / problem.energy
    return SubsetSelection(k, support, as_array(coefficients), lower, upper, relative, steps, method)


def _problem(M: Any, y: Any) -> LeastSquares:
    matrix, _ = checked_matrix(M, what="matrix of variables")
    matrix = np.asarray(matrix.toarray() if is_sparse(matrix) else matrix)
    response = real_array(y, "response y").ravel()
    if response.shape != (matrix.shape[0],):
        raise InputError(f"y has {response.size} entries, but M has {matrix.shape[0]} rows")
    if not np.isfinite(response).all() or not response.any():
        raise InputError("y must be finite and not all zero")
    return LeastSquares(matrix, response)
