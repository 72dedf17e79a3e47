"""Run a branch and bound search to its end or to a limit, and build its result and certificate.

`Run` is the search of one component; paths take it up again when they have more time. `finished` is for the
searches of other problem classes, such as groups. Both go through `go_on`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from relaxspca.candidates.spectrum import leading_direction
from relaxspca.numerics.linalg import MANY
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.size import Size
from relaxspca.relaxations import spectral
from relaxspca.results.progress import Progress
from relaxspca.results.result import Result
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import ROWS_A_SECOND, Deadline
from relaxspca.search.branch_and_bound import Search
from relaxspca.search.heavy_rows import MOST
from relaxspca.search.limits import SearchLimits
from relaxspca.search.proof_tree import Proof


class Run:
    """A search that can be stopped and resumed; `status` says why it stopped, None if all nodes are closed.

    It starts from the dual point of the `first` proof of the root.
    """

    def __init__(
        self,
        cov: Covariance,
        size: Size,
        incumbent: Candidate,
        *,
        gap: float = 0.0,
        conditions: Conditions = NONE,
        first: Proof | None = None,
    ) -> None:
        # For many variables the trace costs an eigenvalue; the first row sums, which follow at once, do not.
        first = first or (first_proof(cov, size) if _order(cov) <= MANY else Proof("rowsum", None, math.inf))
        self.search = Search(cov, size, incumbent, first, gap=gap, conditions=conditions)
        self.status: Status | None = Status.TIME_LIMIT
        self._seconds, self._is_improved = 0.0, False

    @property
    def candidate(self) -> Candidate:
        """The incumbent."""
        return self.search.candidate

    @property
    def lower(self) -> float:
        """What it is worth."""
        return self.search.lower

    def advance(self, limits: SearchLimits) -> Status | None:
        """Search until all nodes are closed, a limit is reached, the callback returns True or Ctrl-C comes."""
        clock = Deadline.after(None)
        self.status = go_on(self.search, limits, limits.reported)
        self._seconds += clock.elapsed
        return self.status

    def searched(self, limits: SearchLimits) -> Result:
        """Search within limits, and return what is proved then; bounds hold whatever the status."""
        self.advance(limits)
        return self.result()

    def result(self) -> Result:
        """Return the result proved so far."""
        clock = Deadline.after(None)
        if self.status is not None:
            self.improve_root()
        return self.search.result(self.status, seconds=self._seconds + clock.elapsed)

    def improve_root(self) -> None:
        """Improve the root's proof by bounds without a dual point, the first time."""
        if not self._is_improved:
            self._is_improved = True
            _improve_root(self.search, Deadline.after(min(self._seconds, 1.0)))


def go_on(search: Search, limits: SearchLimits, after_step: Callable[[Progress], bool]) -> Status | None:
    """Start or continue a search; return why it stopped, None if all nodes are closed.

    After every step a function is called; where it returns True the search stops.
    """
    try:
        if not search.is_open:
            found = search.restrictions(limits.deadline)
            search.open(found, found.higher[-1] if found.higher else None)
        return search.run(replace(limits, callback=after_step))
    except KeyboardInterrupt:
        return Status.INTERRUPTED


def finished(search: Search, limits: SearchLimits) -> Result:
    """Search until all nodes are closed or a limit is met, and return the result."""
    return search.result(go_on(search, limits, limits.reported), seconds=limits.deadline.elapsed)


def at_once(
    cov: Covariance, size: Size, incumbent: Candidate, *, gap: float, conditions: Conditions = NONE
) -> Result:
    """Return the result of a search that was interrupted before it began."""
    search = Search(cov, size, incumbent, first_proof(cov, size), gap=gap, conditions=conditions)
    return search.result(Status.INTERRUPTED)


def first_proof(cov: Covariance, size: Size, kind: str = "trace") -> Proof:
    """Return a bound that costs next to nothing."""
    return Proof(kind, None, max(size.floor, spectral.upper_bound(cov, kind, size.most(cov.n))))


def _improve_root(search: Search, deadline: Deadline) -> None:
    """Improve the root's proof by the bounds without a dual point, after a search that was stopped."""
    cov, root = search.cov, search.tree.proof(0)
    # The bound of weights, of a dual point or of what rows leave is better than row sums as a rule.
    is_better = root.point is not None or search.tree.upper < root.bound
    most = ROWS_A_SECOND if is_better else MOST[-1]
    # The largest eigenvalue is proved by a factorisation, in a fifth of the time of all eigenvalues.
    is_worth_it = _order(cov) <= ROWS_A_SECOND
    if not is_worth_it and deadline.allows(_order(cov), times=0.2):
        x = leading_direction(cov)
        is_worth_it = bool(x @ cov.product(x) < search.tree.upper)
    kinds = ["spectral"] * is_worth_it + ["rowsum"] * (cov.n <= most)
    for kind in kinds:
        search.tree.improve(0, first_proof(cov, search.size, kind))
    if not math.isfinite(search.tree.upper):  # stopped before any node of too many variables for the above
        search.tree.improve(0, first_proof(cov, search.size, "trace" if cov.is_factored else "rowsum"))


def _order(cov: Covariance) -> int:
    """Return the number of rows of Sigma, or of AA' where its factor A has fewer."""
    return min(cov.n, cov.rank) if cov.is_factored else cov.n
