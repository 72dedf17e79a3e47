"""A path over cardinalities: one is proved after another, and they share their components and the time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

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
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed
from relaxspca.search.limits import SearchLimits
from relaxspca.search.reduced import is_searched_whole
from relaxspca.search.run import Run
from relaxspca.tasks.solve import solve


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

    It starts from the better of a component of its own, in `starts` perhaps, and that of the cardinality
    before, grown, and is searched where the closed form leaves a gap. A search may use an equal share of the
    time that is left; what the early ones did not use goes to those that are open. After Ctrl-C the last result
    has the status "interrupted", or the last ones are missing.
    """
    order = sorted(set(cardinalities))
    each = _Each(cov, tol, deadline, conditions, starts or {})
    rows, is_interrupted = until_interrupted(each.first(order))
    if not is_interrupted and all(row.status is not Status.INTERRUPTED for row in rows):
        until_interrupted(each.again(rows))
    results: list[Result] = []
    for k, row in zip(order, rows, strict=False):
        if not isinstance(row, Result) and results and not conditions:  # more variables never explain less
            found = Candidate.from_support(cov, grown(cov, results[-1].indices, k, deadline))
            row.search.offer(found, row.search.worth(found))
        results.append(row if isinstance(row, Result) else row.result())
    return dict(zip(order, results, strict=False))


@dataclass(frozen=True, eq=False)
class _Each:
    """Searches of one covariance that share its time."""

    cov: Covariance
    tol: float
    deadline: Deadline
    conditions: Conditions
    starts: Mapping[int, Candidate]

    def first(self, order: Sequence[int]) -> Iterator[Run | Result]:
        """Search every cardinality for its share of the time."""
        best: Candidate | None = None
        for done, k in enumerate(followed(order, "row")):
            parts = len(order) - done
            # Half of a row's time for its component: one without a bound says little.
            row = self._search(k, self._start(k, best, self.deadline.part(2 * parts)), parts)
            yield row
            if row.status is Status.INTERRUPTED:
                return
            best = row.candidate if isinstance(row, Result) else row.search.candidate

    def again(self, rows: list[Run | Result]) -> Iterator[Run]:
        """Go on with the searches that are open as long as time is left."""
        held = [row for row in rows if not isinstance(row, Result)]
        waiting = [row for row in held if row.status is Status.TIME_LIMIT]
        while waiting and not self.deadline.is_over:
            for done, row in enumerate(waiting):
                row.advance(SearchLimits(self.deadline.part(len(waiting) - done)))
                yield row
                if row.status is Status.INTERRUPTED:
                    return
            waiting = [row for row in waiting if row.status is Status.TIME_LIMIT]

    def _start(self, k: int, best: Candidate | None, deadline: Deadline) -> Candidate:
        options = {**self._scope, "deadline": deadline}
        starts = [self.starts[k] if k in self.starts else candidate(self.cov, k, **options)]
        if best is not None and not self.conditions:
            more = grown(self.cov, best.indices, k, deadline)
            starts.append(Candidate.from_support(self.cov, swapped(self.cov, more, NONE, deadline)))
        return max(starts, key=lambda c: c.value)

    @property
    def _scope(self) -> dict[str, Any]:
        """The conditions as options."""
        return self.conditions.options if self.conditions else {}

    def _search(self, k: int, start: Candidate, parts: int) -> Run | Result:
        limit, gap = self.deadline.part(parts), self.tol if self.tol > NARROW else 0.0
        if self.conditions or not is_searched_whole(self.cov):
            return solve(self.cov, k, gap=gap, start=start, time_limit=limit.left, **self._scope)
        if (closed := self._closed(k, start, limit)) is not None:
            return closed
        row = Run(self.cov, Cardinality(k), start, gap=gap)
        row.advance(SearchLimits(limit))
        is_held = row.status is Status.TIME_LIMIT and self.cov.n <= MANY  # kept in memory, to be taken up again
        return row if is_held else row.result()

    def _closed(self, k: int, found: Candidate, deadline: Deadline) -> Result | None:
        """Return the proof of a component by its closed-form dual point; None where that leaves a gap."""
        if deadline.is_over or self.cov.n > MANY:  # of many variables a search takes less time
            return None
        dual = kkt_test(self.cov, found, width=self.tol, deadline=deadline)
        if dual is None or dual.upper(k) > found.value + self.tol * abs(found.value):
            return None
        proof = one_leaf(self.cov, found, dual.upper(k), dual.point, k=k)
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
