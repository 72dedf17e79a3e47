"""Components and bounds along a path of cardinalities or penalties, or up to the k that keeps a share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, TypeVar

import numpy as np

from relaxspca.candidates import candidate
from relaxspca.candidates.conditional import swapped
from relaxspca.candidates.greedy import grow
from relaxspca.candidates.rows import row_reader
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import MANY, Indices
from relaxspca.problem.arguments import as_covariance, one_or_several
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.certificates import one_leaf
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.size import Cardinality
from relaxspca.relaxations import spectral
from relaxspca.relaxations.psi.kkt import kkt_test
from relaxspca.results.path_table import Path
from relaxspca.results.result import Result
from relaxspca.results.status import NARROW, Status, settle
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.distributed import Shared, parallel
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import say, shows_progress
from relaxspca.runtime.task_queue import ordered_map
from relaxspca.search.limits import SearchLimits
from relaxspca.search.reduced import is_searched_whole
from relaxspca.search.run import Run
from relaxspca.tasks.solve import solve

Row = TypeVar("Row", bound=Run | Result)


@shows_progress
@parallel
def path(
    cov: Covariance,
    k: int | Iterable[int] | None = None,
    *,
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
    proofs = Proofs(tol, SearchLimits.checked(tol=tol, time_limit=time_limit).deadline, conditions)
    if rho is not None:
        found = results_in_order(proofs.of_penalty, _listed(rho, "rho"), "penalty", Shared(cov=cov))
        results, is_interrupted = until_interrupted(found)
        rows = tuple(judged(result, tol) for result in results)
        return Path(rows, "rho", tol, is_interrupted or results[-1].status == "interrupted")
    if share_of_dense is not None:
        return _smallest(cov, share_of_dense, proofs)
    least, most = max(len(conditions.include), 1), cov.n - len(conditions.exclude)
    asked = [cov.check_cardinality(m) for m in _listed(range(least, most + 1) if k is None else k, "k")]
    if conditions:
        asked = list(dict.fromkeys(conditions.cardinality(m, cov.n) for m in asked))
    return proofs.path(cov, asked)


def _listed(values: Any, what: str) -> list[Any]:
    listed = one_or_several(values)
    if not listed:
        raise InputError(f"{what} is empty: give at least one value")
    return listed


def _smallest(cov: Covariance, share_of_dense: Any, proofs: Proofs) -> Path:
    r"""Return the rows up to the smallest k with :math:`v_k\ge\text{share}\cdot\lambda_1`.

    :math:`\lambda_1` is that of all variables, whatever the conditions. After half of the time components are
    less good, and no longer is every cardinality looked at: the interval in which the smallest lies is halved.

    :math:`v_k` does not fall with k, so a row of one variable less than the last can prove that no smaller k is
    enough: there the upper bound is below the share of a lower bound on :math:`\lambda_1`, and the last row
    attains that of an upper one.
    """
    (share, dense), conditions = _checked_share(cov, share_of_dense), proofs.conditions
    least, most = max(len(conditions.include), 1), cov.n - len(conditions.exclude)
    half = proofs.deadline.part(2)
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
    found = replace(proofs, starts=starts).path(cov, [k for k in sorted(starts) if k <= high])
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


def results_in_order(
    task: Callable[..., Row], items: Sequence[Any], what: str, *shared: Shared
) -> Iterator[Row]:
    """Yield what a task makes of what is shared, and of each item with the number of those that are left.

    After one that is interrupted none follow.
    """
    counted = list(zip(range(len(items), 0, -1), items, strict=True))
    rows = ordered_map(task, counted, *shared, is_last=lambda row: row.status is Status.INTERRUPTED)
    for number, row in enumerate(rows, 1):
        say(f"{what} {number} of {len(items)}")
        yield row


@dataclass(frozen=True, eq=False)
class Proofs:
    """How the rows of a path are proved: to what relative gap, in what time, under which conditions.

    `starts` has components to start from, by their cardinality; other rows look for one of their own.
    """

    tol: float = NARROW
    deadline: Deadline = FOREVER
    conditions: Conditions = NONE
    starts: Mapping[int, Candidate] = field(default_factory=dict)

    def path(self, cov: Covariance, cardinalities: Sequence[int]) -> Path:
        """Prove every cardinality, and return the rows in the order that was asked for."""
        found = self.by_cardinality(cov, cardinalities)
        rows = [judged(found[m], self.tol) for m in cardinalities if m in found]
        is_interrupted = any(m not in found or found[m].status == "interrupted" for m in cardinalities)
        return Path(tuple(rows), "k", self.tol, is_interrupted)

    def by_cardinality(self, cov: Covariance, cardinalities: Sequence[int]) -> dict[int, Result]:
        """Prove every cardinality, in ascending order.

        The closed form of a row's dual point and the root of its search come first, of several rows at once
        where there are other processes. Then the trees that are open are searched, one after another, from the
        component of the cardinality before, grown, where that is better. Every row may use an equal share of
        the time that is left; what some did not use goes to those that are open. After Ctrl-C the last result
        has the status "interrupted", or the last ones are missing.
        """
        order, matrices = sorted(set(cardinalities)), Shared(cov=cov, own=cov)
        rows, is_interrupted = until_interrupted(results_in_order(self.root, order, "row", matrices))
        for row in rows:
            if not isinstance(row, Result):
                vars(row.search).update(vars(matrices))
        if not is_interrupted and rows[-1].status is not Status.INTERRUPTED:
            until_interrupted(self.searched(rows))
        results: list[Result] = []
        for k, row in zip(order, rows, strict=False):
            if results and not self.conditions:
                row = self.at_least(cov, k, row, results[-1])
            results.append(row if isinstance(row, Result) else row.result())
        return dict(zip(order, results, strict=False))

    def of_penalty(self, matrices: Any, item: tuple[int, float]) -> Result:
        """Prove the row of a penalty; so many rows, this one included, are left to be proved."""
        (parts, rho), options = item, self.conditions.options
        return solve(matrices.cov, rho=rho, gap=self.tol, time_limit=self.deadline.share(parts), **options)

    def root(self, matrices: Any, item: tuple[int, int]) -> Run | Result:
        """Prove one cardinality as far as its root does, or whole by `solve`."""
        cov, (parts, k) = matrices.cov, item
        scope = self.conditions.options if self.conditions else {}
        # Half of a row's time for its component: one without a bound says little.
        half, limit = self.deadline.part(2 * parts), self.deadline.part(parts)
        start = self.starts[k] if k in self.starts else candidate(cov, k, **scope, deadline=half)
        if self.conditions or not is_searched_whole(cov):
            return solve(cov, k, gap=self._gap, start=start, time_limit=limit.left, **scope)
        if (closed := self._closed(cov, k, start, limit)) is not None:
            return closed
        row = Run(cov, Cardinality(k), start, gap=self._gap)
        row.advance(SearchLimits(limit, 1))
        if row.status is Status.TIME_LIMIT:
            row.improve_root()
        return row.result() if row.status is None else row

    def searched(self, rows: Sequence[Run | Result]) -> Iterator[Run]:
        """Go on with the searches that are open as long as time is left."""
        pairs = [(i, row) for i, row in enumerate(rows) if not isinstance(row, Result)]
        while pairs:
            for done, (i, row) in enumerate(pairs):
                if i > 0 and not self.deadline.is_over:
                    self._offer(row, rows[i - 1].candidate)
                row.advance(SearchLimits(self.deadline.part(len(pairs) - done)))
                yield row
                if row.status is Status.INTERRUPTED:
                    return
            is_over = self.deadline.is_over
            pairs = [(i, row) for i, row in pairs if row.status is Status.TIME_LIMIT and not is_over]

    def at_least(self, cov: Covariance, k: int, row: Run | Result, before: Result) -> Run | Result:
        """Return a row that explains no less than that of a smaller cardinality."""
        if row.lower >= before.lower:
            return row
        if not isinstance(row, Result):
            self._offer(row, before.candidate)
        elif row.gap > NARROW and row.status is not Status.INTERRUPTED:
            start = Candidate.from_support(cov, grown(cov, before.indices, k, self.deadline))
            return solve(cov, k, gap=self._gap, start=start, time_limit=self.deadline.left)
        return row

    @property
    def _gap(self) -> float:
        return self.tol if self.tol > NARROW else 0.0

    def _offer(self, row: Run, smaller: Candidate) -> None:
        """Offer a search the component of a smaller cardinality, grown."""
        search = row.search
        support = grown(search.cov, smaller.indices, search.size.most(search.cov.n), self.deadline)
        found = Candidate.from_support(search.cov, swapped(search.cov, support, NONE, self.deadline))
        search.offer(found, search.worth(found))

    def _closed(self, cov: Covariance, k: int, found: Candidate, deadline: Deadline) -> Result | None:
        """Return the proof of a component by its closed-form dual point; None where that leaves a gap."""
        if deadline.is_over or cov.n > MANY:  # of many variables a search takes less time
            return None
        dual = kkt_test(cov, found, width=self.tol, deadline=deadline)
        if dual is None or dual.upper(k) > found.value + self.tol * abs(found.value):
            return None
        proof = one_leaf(cov, found, dual.upper(k), dual.point, k=k)
        row = Result(found, proof.lower, proof.upper, Status.OPEN, proof, node_count=0, seconds=0.0, by="kkt")
        return judged(row, self.tol)


def grown(cov: Covariance, support: Iterable[int], k: int, deadline: Deadline) -> Indices:
    """Return a support enlarged to k variables, each time by the one that adds most variance.

    After the deadline the variables of largest covariances with the support are added at once.
    """
    read_rows, start = row_reader(cov), np.array([sorted(support)])
    found = grow(read_rows, cov.diagonal, start, k, deadline=deadline)
    if len(found):
        return np.asarray(found[0])
    size = np.abs(read_rows(start)[0]).max(axis=0)
    size[start] = np.inf
    return np.argsort(-size, kind="stable")[:k]


def judged(row: Result, tol: float) -> Result:
    """Return a row of a path with its status: "optimal" or "within the gap" up to that width, else "open"."""
    return replace(row, status=settle(None, row.lower, row.upper, width=row.gap, tol=tol))
