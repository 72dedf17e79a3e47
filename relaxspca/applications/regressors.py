r"""Least squares with k variables, solved and proved as the largest ratio of two quadratic forms.

.. math:: s(k)=\min_{\mathrm{Card}(w)\le k}\|y-Mw\|^2=\|y\|^2-\max_{\mathrm{Card}(w)\le k}
    \frac{(y'Mw)^2}{\|Mw\|^2}

The ratio is that of A = bb', b = M'y, and B = M'M; it is at most mu just where `v_k(A - mu B) <= 0`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.applications.regression_problem import RegressionProblem
from relaxspca.errors import InputError, MissingExtra
from relaxspca.numerics.decimals import float_above
from relaxspca.numerics.linalg import Array, as_array
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.limits import check_limits
from relaxspca.problem.node import Indices
from relaxspca.problem.observations import whole_number
from relaxspca.problem.pencil import float_below
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.ratio import enclose

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "SubsetCertified",
    "SubsetSelection",
    "certify_subset",
    "plot_selections",
    "subset_path",
    "subset_selection",
]

NARROW = 1e-6  # of the sum of squares of y: nothing wider is called optimal


@dataclass(frozen=True, eq=False)
class SubsetSelection:
    r"""A least-squares fit with k variables and a proved bound on all others.

    Attributes
    ----------
    k : int
    indices : sorted int array
    names : tuple of n str
    coefficients : (n,) array
        w, zero off the support.
    intercept : float
        What is added to Mw; 0 where none was asked for.
    lower, upper : float
        :math:`\text{lower}\le s(k)\le\text{upper}` (the unit of y, squared). The
        coefficients attain `upper`, in exact arithmetic, with the best intercept where there is one.
    total : float
        The sum of squares of y, centred where there is an intercept, to working precision.
    status : Status
        "optimal", "time limit", "interrupted" or "open".
    steps : int
        Searches made until the bound stood.
    node_count : int
    method : str
        Who proposed the support.
    """

    k: int
    indices: Indices
    names: tuple[str, ...]
    coefficients: Array
    intercept: float
    lower: float
    upper: float
    total: float
    status: Status
    steps: int
    node_count: int
    method: str

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables used."""
        return tuple(self.names[i] for i in self.indices)

    @property
    def relative_gap(self) -> float:
        """(upper - lower) / total."""
        return (self.upper - self.lower) / self.total

    @property
    def explained(self) -> tuple[float, float]:
        """R squared that is attained, and the most that any k variables can have, to working precision."""
        return 1 - self.upper / self.total, 1 - self.lower / self.total

    @property
    def is_optimal(self) -> bool:
        """Whether no k variables do better by more than 1e-6 of the sum of squares of y."""
        return self.relative_gap <= NARROW


@dataclass(frozen=True, eq=False)
class SubsetCertified:
    """What is proved of a subset that was chosen by somebody else.

    Attributes
    ----------
    indices : sorted int array
        The subset.
    lower, upper : float
        Bounds on its residual sum of squares.
    best : SubsetSelection
        The best subset of as many variables that was found, and the bound on all.
    """

    indices: Indices
    lower: float
    upper: float
    best: SubsetSelection

    @property
    def loss(self) -> tuple[float, float]:
        """Bounds on how much larger the residual is than that of the best subset of that size."""
        low = Fraction(self.lower) - Fraction(self.best.upper)
        high = Fraction(self.upper) - Fraction(self.best.lower)
        return max(float_below(low), 0.0), max(float_above(high), 0.0)

    @property
    def is_optimal(self) -> bool:
        """Whether no subset of that size does better by more than 1e-6 of the sum of squares of y."""
        return self.loss[1] <= NARROW * self.best.total


def subset_selection(
    M: Any,
    y: Any,
    k: int,
    *,
    intercept: bool = False,
    gap: float = 0.0,
    time_limit: float | None = None,
    names: Sequence[str] | None = None,
) -> SubsetSelection:
    r"""Choose k variables for least squares, and prove that no k variables fit better.

    .. math:: s(k)=\min_{\mathrm{Card}(w)\le k}\|y-Mw\|^2

    Parameters
    ----------
    M : (p, n) array_like or DataFrame
        Variables by columns.
    y : (p,) array_like
        Response.
    k : int, from 1 to min(n, p)
    intercept : bool
        Whether a constant is fitted beside the k variables.
    gap : float
        Relative gap, of what is explained, at which to stop; 0 asks for the optimum.
    time_limit : float, optional
        Seconds.
    names : sequence of n distinct str, optional

    Returns
    -------
    SubsetSelection
        Bounds hold whatever the status.

    Raises
    ------
    InputError
        Shapes do not fit, an entry is not finite, y is zero (or constant), or k is out of range.

    Notes
    -----
    M'M and M'y are formed in the longest floats of the machine, and every rounding is charged; the residual of
    the coefficients is exact. No condition number enters, but where k columns are dependent, up to rounding,
    :math:`v_k(A-\mu B)` is 0 and not below, and the bound may stay open; columns that are equal up to a
    sign and a power of two count once.

    References
    ----------
    .. [1] W. Dinkelbach, On nonlinear fractional programming, Management Science 13:492-498, 1967.
    .. [2] A. d'Aspremont, F. Bach and L. El Ghaoui, Optimal solutions for sparse principal component
       analysis, Journal of Machine Learning Research 9:1269-1294, 2008, section 6.1.

    Examples
    --------
    >>> M = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -1.0, 0.5]])
    >>> fit = subset_selection(M, M @ [2.0, -1.0, 0.0], 2)
    >>> fit.indices.tolist(), fit.is_optimal
    ([0, 1], True)
    """
    problem = RegressionProblem(M, y, names, intercept)
    k = _checked_k(k, problem)
    check_limits(gap=gap, time_limit=time_limit)
    return _selected(problem, k, gap, Deadline.after(time_limit))


def subset_path(
    M: Any,
    y: Any,
    k: Iterable[int],
    *,
    intercept: bool = False,
    gap: float = 0.0,
    time_limit: float | None = None,
    names: Sequence[str] | None = None,
) -> list[SubsetSelection]:
    """Return `subset_selection` for several k; a bound for more variables holds for fewer as well.

    Parameters
    ----------
    M, y, intercept, gap, names : as in `subset_selection`.
    k : iterable of int
    time_limit : float, optional
        Seconds for each k.

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
    problem = RegressionProblem(M, y, names, intercept)
    sizes = [_checked_k(size, problem) for size in k]
    check_limits(gap=gap, time_limit=time_limit)
    fits = [_selected(problem, size, gap, Deadline.after(time_limit)) for size in sizes]
    # s(k) does not grow with k.
    return [
        replace(fit, lower=max(other.lower for other in fits if other.k >= fit.k))
        if fit.lower < fit.upper
        else fit
        for fit in fits
    ]


def certify_subset(
    M: Any,
    y: Any,
    subset: Iterable[Any],
    *,
    intercept: bool = False,
    gap: float = 0.0,
    time_limit: float | None = None,
    names: Sequence[str] | None = None,
) -> SubsetCertified:
    """Test a subset that was chosen elsewhere, by the lasso or step by step: what does it lose?

    Parameters
    ----------
    M, y, intercept, gap, time_limit, names : as in `subset_selection`.
    subset : names or positions of its variables.

    Returns
    -------
    SubsetCertified

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> M = rng.standard_normal((50, 5))
    >>> found = certify_subset(M, M @ [3.0, 1.0, 0.0, 0.0, 0.0], [0, 3])
    >>> found.is_optimal, found.best.indices.tolist()
    (False, [0, 1])
    """
    problem = RegressionProblem(M, y, names, intercept)
    chosen = Conditions.read(list(subset), (), problem.names).include
    indices = np.array(chosen, dtype=np.int64)
    k = _checked_k(len(indices), problem)
    check_limits(gap=gap, time_limit=time_limit)
    best = _selected(problem, k, gap, Deadline.after(time_limit))
    own = [problem.names[i] for i in indices]
    alone = RegressionProblem(problem.M[:, indices], problem.y, own, intercept)
    most = 0.0 if alone.pencil is None else min(alone.pencil.dense_upper(), alone.highest_ratio)
    upper = problem.residual_above(problem.coefficients(indices)[0])
    return SubsetCertified(indices, max(alone.residual_below(most), best.lower), upper, best)


def plot_selections(path: list[SubsetSelection], ax: Axes | None = None) -> Axes:
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


def _checked_k(k: Any, problem: RegressionProblem) -> int:
    k = int(whole_number(k, "k"))
    most = int(min(problem.M.shape))
    if not 1 <= k <= most:
        raise InputError(f"k = {k} is outside 1..{most}")
    return int(k)


def _selected(problem: RegressionProblem, k: int, gap: float, deadline: Deadline) -> SubsetSelection:
    pencil, count = problem.pencil, min(k, len(problem.used))
    upper, support, status, method = math.inf, problem.used[:0], Status.OPEN, "no variable"
    steps = node_count = 0
    if pencil is not None:
        chosen, method = problem.proposed(count)
        found = enclose(
            pencil,
            count,
            chosen,
            gap=gap,
            upper=min(problem.highest_ratio, pencil.dense_upper()),
            least=pencil.least_form(),
            deadline=deadline,
        )
        method = method if np.array_equal(found.indices, chosen) else "Dinkelbach"
        upper, support, status = found.upper, problem.used[found.indices], found.status
        steps, node_count = found.steps, found.node_count
    w, constant = problem.coefficients(support)
    attained, total = problem.residual_above(w), float(problem.energy)
    # The vector of the search and the coefficients are two; each proves what it attains.
    lower = min(problem.residual_below(upper), attained)
    if attained - lower <= NARROW * total:
        status = Status.OPTIMAL
    elif status is Status.OPTIMAL:
        status = Status.OPEN
    return SubsetSelection(
        k=k,
        indices=support,
        names=problem.names,
        coefficients=as_array(w),
        intercept=constant,
        lower=lower,
        upper=attained,
        total=total,
        status=status,
        steps=steps,
        node_count=node_count,
        method=method,
    )
