"""Bound one cardinality with its proof: a dual point where one is enough, a search where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.certificate import Certificate, Vector
from relaxspca.errors import counted
from relaxspca.numerics.linalg import MANY
from relaxspca.problem.candidate import Candidate, embedded
from relaxspca.problem.certificates import changed, one_leaf
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.results.bound import Bound
from relaxspca.results.status import NARROW, Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.elimination import balanced_rows, cover
from relaxspca.search.heavy_rows import MOST
from relaxspca.search.limits import SearchLimits
from relaxspca.search.reduced import solve_reduced
from relaxspca.tasks.solve import solve
from relaxspca.tasks.upper_bound import escalate


@dataclass(frozen=True, eq=False)
class Proven:
    """A bound and the best component met; nodes of a search, and its certificate if that gave the bound."""

    bound: Bound
    best: Candidate
    searched: Certificate | None = None
    is_interrupted: bool = False
    node_count: int = 0

    def certificate(self, cov: Covariance, witness: Candidate) -> Certificate:
        """Return the certificate of the bound with a witness of at most k variables for the lower bound.

        Where variables were eliminated before, it covers them too, and its upper bound may be higher.
        """
        bound = self.bound
        assert bound.k is not None
        if self.searched is None:
            certificate = one_leaf(cov, witness, bound.upper, bound.dual or bound.relaxation, k=bound.k)
        else:
            lower = min(witness.proved_value(cov), self.searched.upper)
            among = embedded(witness, cov.names, self.searched.names)
            found = Vector(among.indices, among.loadings[among.indices])
            certificate = changed(self.searched, lower=lower, components=(found,))
        if cov.eliminated is None or certificate.eliminated is not None:
            return certificate
        return cover(certificate, cov, [balanced_rows(cov, max(bound.k - 1, 1))[0]])


def prove(
    cov: Covariance,
    k: int,
    candidates: Sequence[Candidate],
    conditions: Conditions = NONE,
    *,
    tol: float = 1e-6,
    time_limit: float | None = None,
) -> Proven:
    """Bound a cardinality by better and slower means until a bound is within `tol` of the best candidate.

    The bound is about the variables of `cov`, whatever was eliminated before. The candidates, at least one,
    meet the conditions, which take a search. The spectral bound is computed however little time there is.
    """
    deadline = Deadline.after(time_limit)
    best, bound = max(candidates, key=lambda candidate: candidate.value), None
    if not conditions:
        # For many variables a search takes less time than the closed form.
        names = ["spectral"] if cov.n > MANY else ["spectral", "kkt"]
        bound = escalate(cov.alone, k, candidates, steps=names, tol=tol, time_limit=deadline.left)
        is_met = bound.upper <= best.value + tol * abs(best.value)
        if bound.is_interrupted or is_met or deadline.is_over:
            return Proven(bound, best, is_interrupted=bound.is_interrupted)
    gap, start = tol if tol > NARROW else 0.0, best if conditions or best.k == k else None
    try:
        if cov.n > MOST[-1] and not conditions:  # a search among few variables that hold every candidate
            needed = np.concatenate([candidate.indices for candidate in candidates]).tolist()
            result = solve_reduced(cov, k, best, gap=gap, limits=SearchLimits(deadline), needed=needed)
        else:
            among, left = cov if conditions else cov.alone, deadline.left
            result = solve(among, k, gap=gap, start=start, time_limit=left, **conditions.options)
    except KeyboardInterrupt:
        if bound is None:
            raise
        return Proven(bound, best, is_interrupted=True)
    if result is None:  # there are too many
        found = escalate(cov.alone, k, candidates, steps=["psi"], tol=tol, time_limit=deadline.left)
        least = found if bound is None else min(found, bound, key=lambda bound: bound.upper)
        return Proven(least, best, is_interrupted=found.is_interrupted)
    best = max(best, result.candidate, key=lambda candidate: candidate.value)
    is_interrupted = result.status is Status.INTERRUPTED
    if bound is not None and result.upper >= bound.upper:
        return Proven(bound, best, None, is_interrupted, result.node_count)
    history = () if bound is None else bound.history
    seconds = result.seconds + (history[-1].seconds if history else 0.0)
    bound = Bound(k, result.upper, "search", seconds=seconds, note=counted(result.node_count, "node"))
    return Proven(bound.after(*history), best, result.certificate, is_interrupted, result.node_count)
