r"""Search for every support whose variance exceeds a target, in place of one of largest variance.

The tree and its rules are those of a search for the optimum. A node is closed when its bound is at most the
target, or when it has one support left; these supports, if above the target, form the list.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, Self

import numpy as np

from relaxspca.candidates.conditional import best_exchange, padded
from relaxspca.certificate import ListedSupports
from relaxspca.errors import counted
from relaxspca.numerics.linalg import eigenvalue_upper, norm_upper
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.certificates import claimed
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.problem.size import Cardinality, Size
from relaxspca.problem.slack import slack
from relaxspca.results.near_optimal import NearOptimal
from relaxspca.results.progress import Progress
from relaxspca.results.status import Status, closing_width
from relaxspca.runtime.progress import say
from relaxspca.search.branch_and_bound import Plan, Search
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.node import Expansion, OpenNode
from relaxspca.search.proof_tree import Points, Proof, at_level
from relaxspca.search.run import first_proof, go_on


def list_supports(
    cov: Covariance,
    k: int,
    incumbent: Candidate,
    *,
    within: float | None,
    longest: float = math.inf,
    limits: SearchLimits = UNLIMITED,
    conditions: Conditions = NONE,
    first: str = "trace",
) -> NearOptimal:
    """List all supports of k variables within a fraction of the best, or the best one and a bound on the rest.

    The incumbent has at most k variables and meets the conditions. With `within` None the best support and a
    sharp bound on the second are looked for. The search stops when the list has `longest` supports. The rule of
    the first bound needs no dual point.
    """
    size = Cardinality(k)
    # Listed supports have k variables even if the search stops at once.
    incumbent = padded(cov, k, incumbent, conditions)
    search = Listing(cov, size, incumbent, first_proof(cov, size, first), within, conditions)
    return _listed(search, listed_until(search, longest, limits))


def listed_until(
    search: Listing, longest: float, limits: SearchLimits, *, planned: Plan | None = None
) -> Status:
    """Search until the list is complete, is as long as it may be, or a limit is reached; return which."""

    def after_step(progress: Progress) -> bool:
        say(f"{progress.line}  {counted(search.found, 'set')} listed")
        return limits.is_stopped(progress) or search.found >= longest

    status = go_on(search, limits, after_step, planned=planned)
    if status is Status.INTERRUPTED and search.found >= longest:
        return Status.LIST_LIMIT
    return Status.COMPLETE if status is None else status


class Listing(Search):
    """A search whose target lies below the incumbent; it counts the leaves of one support above the target."""

    FOUND: ClassVar[tuple[str, ...]] = (*Search.FOUND, "known", "found")

    def __init__(
        self,
        cov: Covariance,
        size: Size,
        candidate: Candidate,
        root: Proof,
        within: float | None,
        conditions: Conditions,
    ) -> None:
        self.within, self.known, self.found = within, dict[tuple[int, ...], float](), 0
        super().__init__(cov, size, candidate, root, conditions=conditions)
        if within is None:
            # Without a second support the target is -inf: no node could be closed by its bound.
            rival = best_exchange(cov, candidate.indices, conditions)
            for support in (candidate.indices, rival):
                if support is not None:
                    self._consider(tuple(support.tolist()))

    @property
    def target(self) -> float:
        """Bound at which a node is closed."""
        least = closing_width(self.lower, scale=self.scale)
        if self.within is not None:
            return self.lower - max(self.within * abs(self.lower), least)
        second = sorted(self.known.values())[-2:][0] if len(self.known) > 1 else -math.inf
        return min(second, self.lower) + least

    @property
    def aim(self) -> float:
        """Value towards which bounds are tightened: the target if it is finite, else the incumbent."""
        return self.target if math.isfinite(self.target) else self.lower

    def _consider(self, support: tuple[int, ...]) -> None:
        if support not in self.known and len(support) == self.size.most(self.cov.n):
            found = Candidate.from_support(self.cov, support)
            self.known[support] = self.worth(found)
        super()._consider(support)

    def _close(self, at: int, outcome: Expansion) -> None:
        super()._close(at, outcome)
        self.found += outcome.proof.bound > self.target

    def _unit(self, at: int, node: OpenNode) -> Self:
        unit = super()._unit(at, node)
        unit.known, unit.found = self.known.copy(), 0
        return unit

    def _merge(self, at: int, found: dict[str, Any]) -> None:
        super()._merge(at, found)
        self.known |= found["known"]
        self.found += found["found"]


def _listed(search: Listing, status: Status) -> NearOptimal:
    """Collect the leaves of one support from the tree, and bound all other supports."""
    cov, tree = search.cov, search.tree
    supports = supports_of_leaves(search)
    candidates = _ranked(search, list(supports.values()))
    others = tree.upper_beside(supports)
    points = Points(cov)
    nodes = tree.pruned(others, points, supports)
    if math.isfinite(others):
        others += slack(max(abs(others), search.largest_read), n=cov.n, points=points.found)
    bounds = tuple(_bounds(cov, candidate) for candidate in candidates)
    # If every support is listed, the bound on the others is void and may be any number.
    most = others if math.isfinite(others) else min(lower for lower, _ in bounds)
    certificate = claimed(
        cov,
        search.size,
        search.candidate,
        max([most, *(high for _, high in bounds)]),
        points.found,
        at_level(nodes, others),
        conditions=search.conditions,
        listed=ListedSupports(
            supports=tuple(candidate.indices for candidate in candidates),
            lower=np.array([low for low, _ in bounds]),
            upper=np.array([high for _, high in bounds]),
            others=most,
        ),
        vectors=np.array([c.loadings[c.indices] for c in candidates]).reshape(len(candidates), -1),
        made_by="relaxspca near_optimal",
    )
    return NearOptimal(
        k=search.size.most(cov.n),
        within=search.within or 0.0,
        candidates=tuple(candidates),
        values=bounds,
        target=search.target,
        upper=others,
        status=status,
        certificate=certificate,
        node_count=search.node_count,
    )


def supports_of_leaves(search: Listing) -> dict[int, Indices]:
    """Return the supports above the target that are the only one of their leaf, by the number of the leaf."""
    cov, tree = search.cov, search.tree
    root, supports = search.conditions.node(cov.n), dict[int, Indices]()
    for at, here in tree.leaves_above(search.target, root):
        last = search.size.last_support(here.inside, here.free)
        if last is None:
            continue
        if not len(last):
            tree.improve(at, Proof("void", None, -math.inf))
            continue
        tree.improve(at, Proof("support", None, eigenvalue_upper(cov.submatrix(last), cov.rounding(last))))
        if tree.proof(at).bound > search.target:
            supports[at] = last
    return supports


def _ranked(search: Listing, supports: list[Indices]) -> list[Candidate]:
    """Return the components of the supports and the incumbent by decreasing value; ties by their variables."""
    supports = list({tuple(T.tolist()): T for T in supports}.values())  # one may lie in several blocks
    best = search.candidate.indices
    if len(best) == search.size.most(search.cov.n) and not any(np.array_equal(best, T) for T in supports):
        supports = [*supports, best]
    found = [Candidate.from_support(search.cov, T, method="branch and bound") for T in supports]
    # Values equal up to rounding are ties.
    return sorted(found, key=lambda c: (-float(f"{search.worth(c):.9e}"), c.indices.tolist()))


def _bounds(cov: Covariance, candidate: Candidate) -> tuple[float, float]:
    """Return a component's proved value and the bound on its support, with slack for the checker."""
    block = cov.submatrix(candidate.indices)
    upper = eigenvalue_upper(block, cov.rounding(candidate.indices))
    return candidate.proved_value(cov), upper + slack(norm_upper(block), n=cov.n, block=candidate.k)
