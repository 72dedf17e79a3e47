r"""Best subset selection: least squares with k variables, as the largest ratio of two quadratic forms.

.. math:: s(k)=\min_{\mathrm{Card}(w)\le k}\|y-Mw\|^2+\lambda\|w\|^2
    =\|y\|^2-\max_{\mathrm{Card}(w)\le k}\frac{(y'Mw)^2}{\|Mw\|^2+\lambda\|w\|^2}

The ratio is that of A = bb', b = M'y, and B = M'M + lambda I; it is at most mu if and only if
`v_k(A - mu B) <= 0`. Without a ridge term lambda is 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.applications.subset_problem import RegressionProblem, checked_size
from relaxspca.applications.subset_results import SubsetCertified, SubsetPath, SubsetSelection, part_of
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Indices, as_array
from relaxspca.problem.arguments import check_limits
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.pencil import QuadraticForms, float_below
from relaxspca.results.status import Status, settle
from relaxspca.runtime.deadline import Deadline, TimeIsOverError
from relaxspca.search.limits import SearchLimits
from relaxspca.search.ratio import Enclosed, enclose, ratio_certificate


def subset_selection(
    M: Any,
    y: Any,
    k: int,
    *,
    intercept: bool = False,
    ridge: float = 0.0,
    gap: float = 0.0,
    time_limit: float | None = None,
    names: Sequence[str] | None = None,
    include: Any = (),
    exclude: Any = (),
    groups: Mapping[str, Iterable[Any]] | None = None,
) -> SubsetSelection:
    r"""Choose k variables for least squares, and prove that no k variables fit better.

    .. math:: s(k)=\min_{\mathrm{Card}(w)\le k}\|y-Mw\|^2+\lambda\|w\|^2

    Parameters
    ----------
    M : (p, n) array_like or DataFrame
        Variables by columns.
    y : (p,) array_like
        Response.
    k : int, from 1 to min(n, p), or to n with a ridge term
    intercept : bool
        Whether a constant is fitted in addition to the k variables; no penalty is put on it.
    ridge : float
        The lambda of a ridge term, in the unit of M, squared; 0 for none. Variables are not standardised.
    gap : float
        Relative gap of the explained sum of squares at which to stop; 0 asks for the optimum.
    time_limit : float, optional
        Seconds. Where they end before the exact products are formed, the subset is that of the largest
        correlations with y, and nothing is proved.
    names : sequence of n distinct str, optional
    include, exclude : names or positions, optional
        Variables that every subset must hold (their coefficients may be 0), and must not.
    groups : mapping of a name to names or positions, optional
        Disjoint groups: use at most one variable of each, as of lags or transforms of one quantity.

    Returns
    -------
    SubsetSelection
        Bounds hold whatever the status.

    Raises
    ------
    InputError
        Shapes do not fit, an entry is not finite, y is zero (or constant), or k or ridge is out of range.

    Notes
    -----
    M'M and M'y are formed in the longest floats of the machine, and every rounding is charged; the residual of
    the coefficients is exact. No condition number enters, but where k columns are dependent, up to rounding,
    and there is no ridge term, :math:`v_k(A-\mu B)` is 0 and not below, and the bound may stay open; columns
    that are equal up to a sign and a power of two count once.

    References
    ----------
    .. [1] W. Dinkelbach, On nonlinear fractional programming, Management Science 13:492-498, 1967.
    .. [2] A. d'Aspremont, F. Bach and L. El Ghaoui, Optimal solutions for sparse principal component
       analysis, Journal of Machine Learning Research 9:1269-1294, 2008, section 6.1.

    Examples
    --------
    >>> M = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -1.0, 0.5]])
    >>> fit = subset_selection(M, M @ [2.0, -1.0, 0.0], 2)
    >>> fit.indices, fit.is_optimal
    ((0, 1), True)
    """
    deadline = SearchLimits.checked(gap=gap, time_limit=time_limit).deadline
    options: dict[str, Any] = {"include": include, "exclude": exclude, "groups": groups, "deadline": deadline}
    problem = RegressionProblem(M, y, names, intercept, ridge=ridge, **options)
    return _selected(problem, checked_size(k, problem), gap, deadline)


def subset_path(
    M: Any,
    y: Any,
    k: Iterable[int],
    *,
    intercept: bool = False,
    ridge: float = 0.0,
    gap: float = 0.0,
    time_limit: float | None = None,
    names: Sequence[str] | None = None,
    include: Any = (),
    exclude: Any = (),
    groups: Mapping[str, Iterable[Any]] | None = None,
) -> SubsetPath:
    """Return `subset_selection` for several k; a bound for more variables holds for fewer as well.

    Parameters
    ----------
    M, y, intercept, ridge, gap, names, include, exclude, groups : as in `subset_selection`.
    k : iterable of int
    time_limit : float, optional
        Seconds for each k; those that one leaves go to the next.

    Returns
    -------
    SubsetPath
        Its rows are in the order of `k`. Ctrl-C ends the work: the rows done by then, and `is_interrupted`.

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
    check_limits(gap=gap, time_limit=time_limit)
    asked = list(k)
    if not asked:
        raise InputError("k is empty: give at least one value")
    deadline = Deadline.after(None if time_limit is None else time_limit * len(asked))
    options: dict[str, Any] = {"include": include, "exclude": exclude, "groups": groups, "deadline": deadline}
    problem = RegressionProblem(M, y, names, intercept, ridge=ridge, **options)
    sizes = [checked_size(size, problem) for size in asked]
    fits = list[SubsetSelection]()
    for i, size in enumerate(sizes):
        fits.append(_selected(problem, size, gap, deadline.part(len(sizes) - i)))
        if fits[-1].is_interrupted:  # a search keeps Ctrl-C to itself: no other is begun
            break
    # s(k) does not grow with k.
    return SubsetPath(tuple(_at_least(fit, max(o.lower for o in fits if o.k >= fit.k)) for fit in fits))


def _at_least(fit: SubsetSelection, lower: float) -> SubsetSelection:
    """Return a fit with the larger of its lower bound and another, if there is a gap."""
    if lower <= fit.lower or fit.lower >= fit.upper:
        return fit
    width = part_of(fit.upper, lower, fit.total)
    status = settle(fit.status, lower, fit.upper, scale=fit.total, width=width)
    return replace(fit, lower=lower, status=status)


def certify_subset(
    M: Any,
    y: Any,
    subset: Iterable[Any],
    *,
    intercept: bool = False,
    ridge: float = 0.0,
    gap: float = 0.0,
    time_limit: float | None = None,
    names: Sequence[str] | None = None,
    include: Any = (),
    exclude: Any = (),
    groups: Mapping[str, Iterable[Any]] | None = None,
) -> SubsetCertified:
    """Bound how far a given subset, from the lasso or stepwise selection for example, is from the best.

    Parameters
    ----------
    M, y, intercept, ridge, gap, time_limit, names : as in `subset_selection`.
    include, exclude, groups : as in `subset_selection`
        The subset must meet them, and is compared with those that do.
    subset : names or positions of its variables.

    Returns
    -------
    SubsetCertified

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> M = rng.standard_normal((50, 5))
    >>> found = certify_subset(M, M @ [3.0, 1.0, 0.0, 0.0, 0.0], [0, 3])
    >>> found.is_optimal, found.best.indices
    (False, (0, 1))
    """
    deadline = SearchLimits.checked(gap=gap, time_limit=time_limit).deadline
    options: dict[str, Any] = {"include": include, "exclude": exclude, "groups": groups, "deadline": deadline}
    problem = RegressionProblem(M, y, names, intercept, ridge=ridge, **options)
    chosen = Conditions.read(list(subset), (), problem.names).include
    if not problem.conditions.allow(chosen):
        raise InputError("the subset lacks a variable to include, or has one that is excluded")
    if len(np.unique(problem.labels[list(chosen)])) < len(chosen):
        raise InputError("the subset has two variables of one group")
    indices = np.array(chosen, dtype=np.int64)
    k = checked_size(len(indices), problem)
    best = _selected(problem, k, gap, deadline)
    fit = _fit(problem, indices)
    return SubsetCertified(
        **fit,
        lower=max(_least_residual(problem, indices), best.lower),
        upper=problem.residual_above(fit["coefficients"]),
        best=best,
    )


def _fit(problem: RegressionProblem, support: Indices) -> dict[str, Any]:
    """Return the fields of the least-squares fit on a support."""
    w, constant = problem.coefficients(support)
    return {
        "indices": tuple(int(i) for i in support),
        "names": problem.names,
        "coefficients": as_array(w),
        "intercept": constant,
        "has_intercept": problem.intercept,
        "ridge": problem.ridge,
        "data_words": problem.data_words,
    }


def _least_residual(problem: RegressionProblem, indices: Any) -> float:
    """Return a proved lower bound on the residual sum of squares of any fit on the given variables."""
    columns = problem.M[:, indices]
    if not columns.any():
        return float_below(problem.energy)
    names = [problem.names[i] for i in indices]
    with without_data_warnings():
        alone = RegressionProblem(columns, problem.y, names, problem.intercept, ridge=problem.ridge)
    most = 0.0 if alone.pencil is None else min(alone.pencil.dense_upper(), alone.highest_ratio)
    return alone.residual_below(most)


def _selected(problem: RegressionProblem, k: int, gap: float, deadline: Deadline) -> SubsetSelection:
    count = problem.places(k)
    upper, support, method = math.inf if count else 0.0, problem.used[:0], "no variable"
    pencil = found = certificate = stopped = None
    try:
        pencil = problem.pencil
        if count and pencil is not None:
            found, method = _enclosed(problem, pencil, count, gap, deadline)
            upper, support = found.upper, problem.used[found.indices]
            certificate = ratio_certificate(found)
            stopped = None if found.status is Status.OPTIMAL else found.status
    except TimeIsOverError:
        support, method = problem.most_correlated(count), "largest correlations"
        stopped = Status.TIME_LIMIT
    fit = _fit(problem, support)
    attained, total = problem.residual_above(fit["coefficients"]), float(problem.energy)
    # The vector of the search differs from the coefficients; each proves its own value.
    lower = min(problem.residual_below(upper), attained)
    slack = 0.0 if found is None or pencil is None else float(Fraction(found.slack) / pencil.unit)
    width = part_of(attained, lower, total)
    return SubsetSelection(
        **fit,
        k=k,
        lower=lower,
        upper=attained,
        total=total,
        status=settle(stopped, lower, attained, scale=total, slack=slack, width=width),
        steps=0 if found is None else found.steps,
        node_count=0 if found is None else found.node_count,
        method=method,
        certificate=certificate,
        meant=problem.meant,
    )


def _enclosed(
    problem: RegressionProblem, pencil: QuadraticForms, count: int, gap: float, deadline: Deadline
) -> tuple[Enclosed, str]:
    """Bound the ratio over `count` variables, from a proposed subset; return also the best one's method."""
    chosen, method = problem.proposed(count, deadline.part(2))
    # What all variables together explain bounds A - mu B, but not its entries without pairs of a group.
    is_late = not deadline.allows(pencil.n)
    upper = min(problem.highest_ratio, math.inf if is_late or problem.groups else pencil.dense_upper())
    least = 0.0 if is_late else pencil.least_form()
    options: dict[str, Any] = {"limits": SearchLimits(deadline), "conditions": problem.conditions_on_used}
    found = enclose(pencil, problem.size(count), chosen, gap=gap, upper=upper, least=least, **options)
    return found, method if np.array_equal(found.indices, chosen) else "Dinkelbach"
