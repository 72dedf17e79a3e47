"""`solve`: the best sparse component with its proof, under conditions, of groups or of one sign."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.candidates import candidate as best_candidate
from relaxspca.candidates.conditional import conditional, grown_from, tied_exchanges
from relaxspca.candidates.portfolio import auto
from relaxspca.errors import InputError, counted
from relaxspca.problem.arguments import as_covariance, checked_penalty
from relaxspca.problem.budgets import OneOfEachSize
from relaxspca.problem.candidate import Candidate, embedded
from relaxspca.problem.certificates import net_value
from relaxspca.problem.checks import check_flags
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.scaling import EXTREME, candidate_times, normalised
from relaxspca.problem.size import Cardinality, Penalty, Size
from relaxspca.results.progress import Progress
from relaxspca.results.result import Result
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.distributed import parallel
from relaxspca.runtime.progress import shows_progress
from relaxspca.search.dominated import nonnegative_start, search_one_of_each, search_signed
from relaxspca.search.heavy_rows import MOST
from relaxspca.search.limits import SearchLimits
from relaxspca.search.reduced import is_searched_whole, solve_reduced
from relaxspca.search.run import Run, at_once
from relaxspca.tasks.whole_groups import whole_groups

TAKEN = {  # the arguments that go with a condition on groups or signs, beside the condition and k
    "groups": ("include", "exclude", "gap", "time_limit", "node_limit", "callback", "n_jobs", "client"),
    "most": ("time_limit",),
    "nonnegative": ("exclude", "gap", "time_limit", "node_limit", "callback", "n_jobs", "client"),
}


# The decorators read verbose, n_jobs and client.
@shows_progress
@parallel
def solve(
    cov: Covariance,
    k: int | None = None,
    *,
    rho: float | None = None,
    gap: float = 0.0,
    time_limit: float | None = None,
    node_limit: int | None = None,
    callback: Callable[[Progress], Any] | None = None,
    n_jobs: int | None = None,
    client: Any = None,
    start: Candidate | None = None,
    include: Any = (),
    exclude: Any = (),
    groups: Mapping[str, Iterable[Any]] | None = None,
    most: int | None = None,
    nonnegative: bool = False,
    verbose: bool | None = None,
) -> Result:
    r"""Find the sparse component of largest variance, with a proof of how good it is.

    .. math:: v_k=\max\{x'\Sigma x : \|x\|_2=1,\ \mathrm{Card}(x)\le k\}
        \quad\text{or}\quad \phi(\rho)=\max_{\|x\|_2\le1}\ x'\Sigma x-\rho\,\mathrm{Card}(x)

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int
        Cardinality, 1 to n, where no penalty is given.
    rho : float
        Penalty of a variable, at least 0 (variance).
    gap : float
        Relative gap at which to stop; 0 goes on until bounds meet to a relative 1e-9, at a penalty to 1e-9 of
        the largest entry.
    time_limit : float, optional
        Seconds.
    node_limit : int, optional
        Most nodes of the search; 0 returns what the cheapest bounds prove.
    callback : callable, optional
        Called with a `Progress` whenever more of the tree is searched; returning True stops the search.
    n_jobs : int, optional
        Processes that search parts of the tree, this one included; by default what ``joblib.parallel_config``
        says, else 1. The result does not depend on it.
    client : distributed.Client or str, optional
        A dask cluster that searches, or the address of its scheduler, in place of `n_jobs`.
    start : Candidate, optional
        A component to start from; otherwise the package looks for one.
    include : names or positions, optional
        Variables that every support T must hold (their loadings may be 0). At a penalty they are paid for
        like all others: the largest :math:`\lambda_{\max}(\Sigma_{TT})-\rho|T|` is found.
    exclude : names or positions, optional
        Variables that no support may hold. Where fewer than k are left, k becomes what is left.
    groups : mapping of a name to names or positions, optional
        Disjoint groups: use at most one variable of each. Variables in no group are not limited.
    most : int, optional
        In place of `k`: use at most so many of the groups, each whole, and no variable that is in none.
    nonnegative : bool
        Without negative loadings; fewer than k variables may be used. `groups` and `nonnegative` go with `gap`,
        the limits, `callback`, `n_jobs`, `client` and `exclude`, `groups` with `include` too, and `most` with
        `time_limit` alone; the matrix has at most 4400 variables.
    verbose : bool, optional
        Show progress on stderr; by default in a notebook and at Python's prompt.

    Returns
    -------
    Result
        Bounds hold whatever the status; Ctrl-C ends the search with status "interrupted".

    Raises
    ------
    InputError
        Not just one of `k` and `rho` is given, a parameter is out of range, or the conditions contradict
        each other.

    Notes
    -----
    Every upper bound comes from a dual point by a formula that holds for all dual points
    (`relaxations.perron.formula`, `relaxations.spectral`) with its rounding errors added. Variables are
    fixed, and nodes closed, only by such bounds; the tree of these decisions is the certificate.

    No support with one variable of each group has two of a group, so the search reads covariances within
    groups as 0. For nonnegative x a negative covariance may be raised to 0. Whole groups are bounded by a
    matrix of the norms of blocks (docs/theory/beyond.md, sections 5 to 7).

    References
    ----------
    .. [1] L. Berk and D. Bertsimas, Certifiably optimal sparse principal component analysis, Math. Prog.
       Comp., 2019, doi:10.1007/s12532-018-0153-6 (the search).
    .. [2] docs/theory/perron.md, Theorem 1 and Corollary 2 (the bounds).

    Examples
    --------
    >>> import relaxspca as rs
    >>> r = rs.solve(rs.datasets.load_pitprops(), 5)
    >>> r.status, r.support
    ('optimal', ('topdiam', 'length', 'ringbut', 'bowdist', 'whorls'))
    >>> bool(rs.verify(r.certificate))
    True
    >>> rs.solve(rs.datasets.load_pitprops(), 3, include=["knots"], exclude=["topdiam"]).support
    ('moist', 'testsg', 'knots')
    >>> groups = {"size": ["topdiam", "length"], "ring": ["ringtop", "ringbut"], "knots": ["whorls", "knots"]}
    >>> rs.solve(rs.datasets.load_pitprops(), groups=groups, most=2).groups
    ('size', 'ring')
    >>> signs = rs.Covariance([[2.0, -1.0, 0.5], [-1.0, 2.0, 0.0], [0.5, 0.0, 1.0]])
    >>> found = rs.solve(signs, 2, nonnegative=True)
    >>> found.support, round(found.lower, 6), found.status
    (('x0', 'x2'), 2.207107, 'optimal')
    """
    cov = as_covariance(cov)
    if isinstance(k, Iterable) and not isinstance(k, str):
        raise InputError(
            f"k is one cardinality, not {k!r}: components(cov, k) finds several components of these "
            "cardinalities, path(cov, k) one component for each of them"
        )
    check_flags(nonnegative=nonnegative)
    limits = SearchLimits.checked(gap=gap, time_limit=time_limit, node_limit=node_limit, callback=callback)
    conditions = Conditions.read(include, exclude, cov.names)
    if groups is None and most is None and not nonnegative:
        size = _size(cov, k, rho, conditions)
        return best_component(cov, size, conditions, gap=gap, limits=limits, start=start)
    given: dict[str, Any] = {"rho": rho, "gap": gap or None, "time_limit": time_limit, "node_limit": node_limit}
    given |= {"callback": callback, "n_jobs": n_jobs, "client": client, "start": start}
    given |= {"include": conditions.include or None, "exclude": conditions.exclude or None}
    if groups is not None and nonnegative:
        raise InputError("groups and nonnegative cannot be used together")
    if most is not None and groups is None:
        raise InputError("most is a number of whole groups: give groups too")
    if most is not None and k is not None:
        raise InputError("give k, for at most one variable of each group, or most, for whole groups")
    kind = "nonnegative" if groups is None else "groups" if most is None else "most"
    for name, value in given.items():
        if value is not None and name not in TAKEN[kind]:
            raise InputError(f"{name} cannot be used with {kind}")
    if groups is not None and most is not None:
        return whole_groups(cov, groups, most, deadline=limits.deadline)
    if k is None:
        raise InputError("give the cardinality k" + (", or most" if groups is not None else ""))
    of_what = "of one of each group" if groups is not None else "without negative loadings"
    cov.check_complete(f"a component {of_what}", most=MOST[-1])
    k = cov.check_cardinality(k)
    if groups is not None:
        size = OneOfEachSize.read(cov.names, k, groups, conditions)
        found = search_one_of_each(cov, size, conditions, gap=gap, limits=limits)
        return replace(found, group_names=tuple(map(str, groups)))
    k = conditions.cardinality(k, cov.n)
    first = nonnegative_start(cov, k, conditions, limits.deadline.part(2))
    return search_signed(cov, k, first, conditions, gap=gap, limits=limits)


def _size(cov: Covariance, k: int | None, rho: float | None, conditions: Conditions) -> Size:
    if k is not None and rho is None:
        return Cardinality(conditions.cardinality(cov.check_cardinality(k), cov.n))
    if rho is not None and k is None:
        return Penalty(checked_penalty(rho), -math.inf if conditions.include else 0.0)
    raise InputError("give either the cardinality k or the penalty rho")


def best_component(
    cov: Covariance,
    size: Size,
    conditions: Conditions,
    *,
    gap: float,
    limits: SearchLimits,
    start: Candidate | None = None,
) -> Result:
    """Find and prove the best component of a size under conditions; the rest is as in `relaxspca.solve`."""
    deadline = limits.deadline
    incumbent: Candidate | None = None
    options: dict[str, Any] = {"gap": gap, "conditions": conditions}
    try:
        incumbent = _incumbent(cov, size, conditions, start, deadline)
        if not (size.is_penalised or is_searched_whole(cov)):
            reduced = solve_reduced(cov, size.most(cov.n), incumbent, limits=limits, **options)
            if reduced is None:
                raise InputError(
                    f"too many of {cov.n} variables cannot be eliminated by their variances, and others were "
                    "eliminated before: restrict them, or keep all when the data are read"
                )
            return replace(reduced, seconds=deadline.elapsed)
    except KeyboardInterrupt:
        if cov.eliminated is not None:
            raise
        return at_once(cov, size, incumbent or _first_variables(cov, size, conditions), **options)
    cov.check_complete("a penalised claim")
    result = Run(cov, size, incumbent, **options).searched(limits)
    if not size.is_penalised and result.status is Status.OPTIMAL:
        result = replace(result, ties=tied_exchanges(cov, result.candidate, conditions))
    return replace(result, seconds=deadline.elapsed)


def _incumbent(
    cov: Covariance, size: Size, conditions: Conditions, start: Candidate | None, deadline: Deadline
) -> Candidate:
    if start is not None:
        found = _checked_start(cov, size, conditions, start)
        return found if net_value(cov, size, found) >= size.floor else Candidate.empty(cov)
    half = deadline.part(2)
    if size.is_penalised and conditions.exclude:
        block = cov.restrict(conditions.node(cov.n).variables.tolist())
        among = conditions.among(cov.names, block.names)
        found = _best_at_penalty(block, size.penalty, include=among.include, deadline=half)
        return embedded(found, block.names, cov.names)
    if size.is_penalised:
        return _best_at_penalty(cov, size.penalty, include=conditions.include, deadline=half)
    if is_searched_whole(cov):
        _ = cov.matrix  # the search forms it anyway, and once it is there rows are read from it
    scaled, q = normalised(cov, beyond=EXTREME)
    return candidate_times(conditional(scaled, size.most(cov.n), conditions, auto, deadline=half), q)


def _best_at_penalty(cov: Covariance, rho: float, *, include: Sequence[int], deadline: Deadline) -> Candidate:
    """Return the candidate of largest value less rho a variable; it is empty when none is worth its penalty.

    Variables to include are always used, and paid for; then it is not empty. Half of the time is for the choice
    of a cardinality.
    """

    def worth(found: Candidate) -> float:
        return found.value - rho * found.k

    pays = cov.diagonal + cov.shift > rho
    pays[list(include)] = True
    most = int(pays.sum())
    found = [] if include else [Candidate.empty(cov)]
    if most:
        half = deadline.part(2)
        for grown in grown_from(cov, include or [int(np.argmax(cov.diagonal))], most, rho):
            found.append(grown)
            if half.is_over:
                break
        k = max(found, key=worth).k
        for m in range(max(len(include), k - 1, 1), min(most, k + 1) + 1):
            found.append(best_candidate(cov, m, include=include, deadline=deadline))
    return max(found, key=worth)


def _checked_start(cov: Covariance, size: Size, conditions: Conditions, start: Any) -> Candidate:
    """Return a start, perhaps of another covariance, with its value on this one and all that is to include."""
    if not isinstance(start, Candidate):
        raise InputError(f"start must be a Candidate, such as candidate(cov, k), not {start!r}")
    most = size.most(cov.n)
    if start.loadings.size != cov.n or start.k > most:
        raise InputError(
            f"the start uses {start.k} of {counted(start.loadings.size, 'variable')}; "
            f"at most {most} of {cov.n} may be used"
        )
    if start.k == 0 and not size.is_penalised:
        raise InputError("the start uses no variable: that is a component only at a penalty")
    found = Candidate.empty(cov)
    if start.k:
        again = Candidate.from_loadings(cov, start.loadings, method=start.method)
        is_unit = np.allclose(again.loadings, start.loadings, rtol=0.0, atol=1e-12)
        found = start if is_unit and math.isclose(again.value, start.value, rel_tol=1e-12) else again
    support = np.union1d(found.indices, conditions.inside)
    barred = [cov.names[i] for i in found.indices if i in conditions.exclude]
    if barred:
        raise InputError(f"the start uses {barred[0]}, which is excluded")
    if len(support) > most:
        raise InputError(f"the start and the variables to include are {len(support)} variables, more than k")
    return found if len(support) == found.k else Candidate.from_support(cov, support, method=found.method)


def _first_variables(cov: Covariance, size: Size, conditions: Conditions) -> Candidate:
    """Return a component that is there at once, for a search that was stopped before it had one."""
    if conditions.include:
        return Candidate.from_support(cov, conditions.include)
    allowed = conditions.node(cov.n).variables
    i = int(allowed[np.argmax(cov.diagonal[allowed])])
    if size.net_upper(cov.diagonal[i], 1) <= size.floor:
        return Candidate.empty(cov)
    return Candidate.from_support(cov, [i])
