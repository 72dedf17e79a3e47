"""Components and bounds along a path of cardinalities or penalties, or up to the k that keeps a share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from numbers import Real
from typing import Any

from relaxspca.candidates import candidate
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import MANY
from relaxspca.problem.arguments import as_covariance, check_limits, one_or_several
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations import spectral
from relaxspca.results.path_table import Path
from relaxspca.results.result import Result
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.distributed import Shared, parallel
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import shows_progress
from relaxspca.tasks.path_of_cardinalities import grown, judged, proved_cardinalities, results_in_order
from relaxspca.tasks.solve import solve


@shows_progress
@parallel
def path(
    cov: Covariance,
    *,
    k: int | Iterable[int] | None = None,
    rho: float | Iterable[float] | None = None,
    tol: float = 1e-6,
    share_of_dense: float | None = None,
    include: Any = (),
    exclude: Any = (),
    time_limit: float | None = None,
    n_jobs: int | None = None,
    client: Any = None,
    verbose: bool | None = None,
) -> Path:
    r"""Find and bound the best component for every cardinality, or for every penalty.

    .. math:: v_k = \max_{\|x\|=1,\ \operatorname{Card}(x)\le k} x'\Sigma x, \qquad
        \phi(\rho) = \max_{\|x\|\le1} x'\Sigma x-\rho\operatorname{Card}(x)

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinalities; all of 1, ..., n when neither `k` nor `rho` is given. Or
    rho : float or iterable of float, penalties of at least 0 (variance).
    tol : float
        Relative gap up to which a row counts as certified; what is wider than 1e-6 is not called optimal.
    share_of_dense : float, optional
        The path goes from 1 to the smallest k that keeps this part of what the dense component explains,
        :math:`v_k\ge\text{share}\cdot\lambda_1`. In place of `k` and `rho`. Where half of the time ends before
        such a k is found, rows are left out on the way to it.
    include, exclude : names or positions, optional
        Conditions on the supports of every row, as in `relaxspca.solve`, which searches every row then.
    time_limit : float, optional
        Seconds for the whole path; rows reached later have the cheap bounds, which take up to a tenth of a
        second each among a thousand variables. None is no limit.
    n_jobs, client, verbose : as in `relaxspca.solve`.

    Returns
    -------
    Path
        Ctrl-C ends the work: the rows done by then, and `is_interrupted`.

    Raises
    ------
    InputError
        Both `k` and `rho` are given, one is empty, or a value is out of range.

    Notes
    -----
    A row starts from a component of its own. What the closed-form dual point of this component leaves open is
    searched; where the root leaves something open, the component of the cardinality before, with variables
    added, is tried too. Time that one search does not need goes to those still open.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, Optimal solutions for sparse principal component
       analysis, JMLR 9:1269-1294, 2008 (the closed-form dual points).

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = path(rs.datasets.load_pitprops(), k=range(9, 14))
    >>> [row.by for row in found.rows]
    ['search', 'search', 'kkt', 'kkt', 'kkt']
    >>> found = path(rs.datasets.load_pitprops(), share_of_dense=0.9)
    >>> found.smallest_k, found.is_smallest_proved
    (7, True)
    """
    if (k is not None) + (rho is not None) + (share_of_dense is not None) > 1:
        raise InputError("give one of k, rho and share_of_dense")
    cov = as_covariance(cov)
    conditions = Conditions.read(include, exclude, cov.names)
    check_limits(tol=tol, time_limit=time_limit)
    how: dict[str, Any] = {"tol": tol, "deadline": Deadline.after(time_limit)}
    if rho is not None:
        return _searched_penalties(cov, _listed(rho, "rho"), conditions, **how)
    if share_of_dense is not None:
        return _smallest(cov, share_of_dense, conditions, **how)
    least, most = max(len(conditions.include), 1), cov.n - len(conditions.exclude)
    asked = [cov.check_cardinality(m) for m in _listed(range(least, most + 1) if k is None else k, "k")]
    if conditions:
        asked = list(dict.fromkeys(conditions.cardinality(m, cov.n) for m in asked))
    return proved_cardinalities(cov, asked, conditions, **how)


def _listed(values: Any, what: str) -> list[Any]:
    listed = one_or_several(values)
    if not listed:
        raise InputError(f"{what} is empty: give at least one value")
    return listed


def _searched_penalties(
    cov: Covariance,
    penalties: list[float],
    conditions: Conditions,
    *,
    tol: float,
    deadline: Deadline,
) -> Path:
    """Search at every penalty."""
    task = partial(_searched_penalty, {"gap": tol, **conditions.options}, deadline, len(penalties))
    found = results_in_order(task, list(enumerate(penalties)), "penalty", Shared(cov=cov))
    results, is_interrupted = until_interrupted(found)
    rows = tuple(judged(result, tol) for result in results)
    return Path(rows, "rho", tol, is_interrupted or results[-1].status == "interrupted")


def _searched_penalty(
    options: dict[str, Any], deadline: Deadline, count: int, shared: Any, item: tuple[int, float]
) -> Result:
    done, rho = item
    return solve(shared.cov, rho=rho, time_limit=deadline.share(count - done), **options)


def _smallest(
    cov: Covariance, share_of_dense: Any, conditions: Conditions, *, tol: float, deadline: Deadline
) -> Path:
    r"""Return the rows up to the smallest k with :math:`v_k\ge\text{share}\cdot\lambda_1`.

    :math:`\lambda_1` is that of all variables, whatever the conditions. After half of the time components are
    less good, and no longer is every cardinality looked at: the interval in which the smallest lies is halved.

    :math:`v_k` does not fall with k, so a row of one variable less than the last can prove that no smaller k is
    enough: there the upper bound is below the share of a lower bound on :math:`\lambda_1`, and the last row
    attains that of an upper one.
    """
    share, dense = _checked_share(cov, share_of_dense)
    least = max(len(conditions.include), 1)
    most = cov.n - len(conditions.exclude)
    half = deadline.part(2)
    starts: dict[int, Candidate] = {}

    def is_enough(k: int) -> bool:
        if k not in starts:
            is_late = half.is_over and cov.n > MANY
            late = {"method": "thresholding", "of_rows": False}
            found = [candidate(cov, k, **(late if is_late else {"deadline": half}), **conditions.options)]
            if not (is_late or conditions) and (smaller := [m for m in starts if m < k]):
                found.append(Candidate.from_support(cov, grown(cov, starts[max(smaller)].indices, k, half)))
            starts[k] = max(found, key=lambda c: c.value)
        return bool(starts[k].value >= share * dense[1])

    low, high = least - 1, most
    while high - low > 1:
        k = (low + high) // 2 if half.is_over and low >= least else low + 1
        low, high = (low, k) if is_enough(k) else (k, high)
    is_enough(high)
    sizes = [k for k in sorted(starts) if k <= high]
    found = proved_cardinalities(cov, sizes, conditions, starts=starts, tol=tol, deadline=deadline)
    while len(found.rows) > 1 and found.rows[-2].lower >= share * dense[1]:
        found = replace(found, rows=found.rows[:-1])
    return replace(found, dense=dense, target_share=share)


def _checked_share(cov: Covariance, share: Any) -> tuple[float, tuple[float, float]]:
    """Return a share as a float and bounds on what it is a share of, or say what is wrong with it."""
    if not isinstance(share, Real) or isinstance(share, bool) or not 0 < float(share) <= 1:
        raise InputError(f"share_of_dense must be a number above 0 and at most 1, such as 0.9, not {share!r}")
    cov.check_complete("a share of the dense component")
    leading = Candidate.from_loadings(cov, leading_eigenpairs(cov, 1)[1][:, 0])
    dense = leading.proved_value(cov), spectral.upper_bound(cov, "spectral", cov.n)
    if dense[0] <= 0:
        raise InputError("the dense component has no variance above 0, of which no part can be kept")
    return float(share), dense
