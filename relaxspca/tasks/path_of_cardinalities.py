"""A path over cardinalities: one is proved after another, and they share their components and the time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from relaxspca.candidates import candidate
from relaxspca.candidates.conditional import swapped
from relaxspca.candidates.greedy import grow
from relaxspca.candidates.rows import row_reader
from relaxspca.numerics.linalg import MANY
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.certificates import one_leaf
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.problem.size import Cardinality
from relaxspca.relaxations.psi.kkt import kkt_test
from relaxspca.results.path_table import Path
from relaxspca.results.result import Result
from relaxspca.results.status import NARROW, Status, settle
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.distributed import Shared
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import say
from relaxspca.runtime.task_queue import ordered_map
from relaxspca.search.limits import SearchLimits
from relaxspca.search.reduced import is_searched_whole
from relaxspca.search.run import Run
from relaxspca.tasks.solve import solve

Row = TypeVar("Row", bound=Run | Result)


def solve_each(
    cov: Covariance,
    cardinalities: Sequence[int],
    *,
    tol: float = NARROW,
    deadline: Deadline = FOREVER,
    conditions: Conditions = NONE,
    starts: Mapping[int, Candidate] | None = None,
) -> dict[int, Result]:
    """Prove every cardinality to a relative gap, in ascending order, and return the results by cardinality.

    Every row starts from a component of its own, in `starts` perhaps. The closed form of its dual point and the
    root of its search come first, of several rows at once where there are other processes. Then the trees that
    are open are searched, one after another, from the component of the cardinality before, grown, where that is
    better. Every row may use an equal share of the time that is left; what some did not use goes to those that
    are open. After Ctrl-C the last result has the status "interrupted", or the last ones are missing.
    """
    order = sorted(set(cardinalities))
    each = _Each(tol, deadline, conditions, starts or {}, len(order))
    matrices = Shared(cov=cov, own=cov)
    roots = results_in_order(each.root, list(enumerate(order)), "row", matrices)
    rows, is_interrupted = until_interrupted(roots)
    for row in rows:
        if not isinstance(row, Result):
            row.search.using(matrices)
    if not is_interrupted and rows[-1].status is not Status.INTERRUPTED:
        until_interrupted(each.searched(rows))
    results: list[Result] = []
    for k, row in zip(order, rows, strict=False):
        if results and not conditions:
            row = each.at_least(cov, k, row, results[-1])
        results.append(row if isinstance(row, Result) else row.result())
    return dict(zip(order, results, strict=False))


def results_in_order(
    task: Callable[..., Row], items: Sequence[Any], what: str, *shared: Shared
) -> Iterator[Row]:
    """Yield what a task makes of what is shared and of each item; after one that is interrupted none follow."""
    rows = ordered_map(task, items, *shared, is_last=lambda row: row.status is Status.INTERRUPTED)
    for number, row in enumerate(rows, 1):
        say(f"{what} {number} of {len(items)}")
        yield row


@dataclass(frozen=True, eq=False)
class _Each:
    """Searches of one covariance that share its time."""

    tol: float
    deadline: Deadline
    conditions: Conditions
    starts: Mapping[int, Candidate]
    count: int

    def root(self, matrices: Any, item: tuple[int, int]) -> Run | Result:
        """Prove one cardinality as far as its root does, or whole by `solve`."""
        cov, (done, k) = matrices.cov, item
        parts = self.count - done
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
        return row if row.status in (Status.NODE_LIMIT, Status.TIME_LIMIT) else row.result()

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
        elif row.gap > NARROW:
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
        return judged(
            Result(found, proof.lower, proof.upper, Status.OPEN, proof, node_count=0, seconds=0.0, by="kkt"),
            self.tol,
        )


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


def proved_cardinalities(
    cov: Covariance,
    cardinalities: list[int],
    conditions: Conditions,
    *,
    tol: float,
    deadline: Deadline,
    starts: Mapping[int, Candidate] | None = None,
) -> Path:
    """Prove every cardinality."""
    options: dict[str, Any] = {"deadline": deadline, "conditions": conditions, "starts": starts}
    found = solve_each(cov, cardinalities, tol=tol, **options)
    rows = [judged(found[m], tol) for m in cardinalities if m in found]
    is_interrupted = any(m not in found or found[m].status == "interrupted" for m in cardinalities)
    return Path(tuple(rows), "k", tol, is_interrupted)
