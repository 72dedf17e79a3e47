"""Searches for one cardinality after another, which share their components and the time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from relaxspca.candidates import candidate
from relaxspca.candidates.greedy import grow
from relaxspca.candidates.local_search import local_search
from relaxspca.candidates.rows import row_reader
from relaxspca.numerics.linalg import MANY
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.size import Cardinality
from relaxspca.results.result import Result
from relaxspca.results.status import Status
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
    gap: float = 0.0,
    deadline: Deadline = FOREVER,
    conditions: Conditions = NONE,
    starts: Mapping[int, Candidate] | None = None,
) -> dict[int, Result]:
    """Search every cardinality, in ascending order, and return the results by cardinality.

    A search starts from the better of a component of its own, in `starts` perhaps, and that of the cardinality
    before, grown. It may use an equal share of the time that is left; what the early ones did not use goes to
    those that are open. After Ctrl-C the last result has the status "interrupted", or the last ones are
    missing.
    """
    order = sorted(set(cardinalities))
    each = _Each(cov, gap, deadline, conditions, starts or {})
    rows, is_interrupted = until_interrupted(each.first(order))
    if not is_interrupted and all(row.status is not Status.INTERRUPTED for row in rows):
        until_interrupted(each.again(rows))
    results: list[Result] = []
    for k, row in zip(order, rows, strict=False):
        if isinstance(row, Run) and results and not conditions:  # more variables never explain less
            found = Candidate.from_support(cov, grown(cov, results[-1].indices, k))
            row.search.offer(found, row.search.worth(found))
        results.append(row if isinstance(row, Result) else row.result())
    return dict(zip(order, results, strict=False))


class _Each:
    """Searches of one covariance that share its time."""

    def __init__(
        self,
        cov: Covariance,
        gap: float,
        deadline: Deadline,
        conditions: Conditions,
        starts: Mapping[int, Candidate],
    ) -> None:
        self.cov, self.gap, self.deadline = cov, gap, deadline
        self.conditions, self.starts = conditions, starts
        self.is_whole = is_searched_whole(cov)

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
            more = np.array(grown(self.cov, best.indices, k))
            start = Candidate.from_support(self.cov, more)
            starts.append(start if deadline.is_over else local_search(self.cov, k, start=more))
        return max(starts, key=lambda c: c.value)

    @property
    def _scope(self) -> dict[str, Any]:
        """The conditions as options."""
        named = {"include": list(self.conditions.include), "exclude": list(self.conditions.exclude)}
        return named if self.conditions else {}

    def _search(self, k: int, start: Candidate, parts: int) -> Run | Result:
        limit = self.deadline.part(parts)
        if not self.is_whole or self.conditions:
            return solve(self.cov, k, gap=self.gap, start=start, time_limit=limit.left, **self._scope)
        row = Run(self.cov, Cardinality(k), start, gap=self.gap)
        row.advance(SearchLimits(limit))
        is_held = row.status is Status.TIME_LIMIT and self.cov.n <= MANY  # kept in memory, to be taken up again
        return row if is_held else row.result()


def grown(cov: Covariance, support: Iterable[int], k: int) -> list[int]:
    """Return a support enlarged to k variables, each time by the one that adds most variance."""
    start = np.array([sorted(int(i) for i in support)])
    return [int(i) for i in grow(row_reader(cov), cov.diagonal, start, k)[0]]
