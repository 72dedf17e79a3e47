r"""Search for every support whose variance, or ratio, exceeds a target, in place of one of the largest.

The tree and its rules are those of a search for the optimum. A node is closed when its bound is at most the
target, or when it has one support left; these supports, if above the target, form the list.

A support has a ratio of at most mu if and only if :math:`\lambda_{\max}((A-\mu B)_{TT})\le0`. So the supports
that a search of A - mu B lists above 0 are those whose ratio exceeds mu, and its tree proves mu of all others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from relaxspca.candidates.conditional import best_exchange, padded
from relaxspca.certificate import ListedSupports
from relaxspca.errors import counted
from relaxspca.numerics.decimals import float_above
from relaxspca.numerics.linalg import (
    Array,
    Indices,
    as_array,
    eigenvalue_upper,
    norm_upper,
    oriented,
    round_up,
    spread,
)
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.certificates import claimed
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.pencil import QuadraticForms, float_below
from relaxspca.problem.size import Cardinality, Size
from relaxspca.problem.slack import slack
from relaxspca.results.near_optimal import NearOptimal
from relaxspca.results.progress import Progress
from relaxspca.results.status import Status, closing_width, vanishing
from relaxspca.runtime.progress import say
from relaxspca.search.ahead import Open
from relaxspca.search.branch_and_bound import Search, unchecked
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.node import Expansion, proof_of_support
from relaxspca.search.proof_tree import Points, Proof, at_level
from relaxspca.search.ratio import (
    Enclosed,
    OfRatio,
    bound_beyond,
    near_one,
    ratio_certificate,
    ratio_evidence,
)
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


def listed_until(search: Listing, longest: float, limits: SearchLimits) -> Status:
    """Search until the list is complete, is as long as it may be, or a limit is reached; return which."""

    def after_step(progress: Progress) -> bool:
        say(f"{progress.line}  {counted(search.found, 'set')} listed")
        return limits.is_stopped(progress) or search.found >= longest

    status = go_on(search, limits, after_step)
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

    def by_itself(self, each: Open) -> Self:
        """Return a search of one open node by itself, which lists supports of its own."""
        alone = super().by_itself(each)
        alone.known, alone.found = self.known.copy(), 0
        return alone

    def _merge(self, each: Open, found: dict[str, Any]) -> None:
        super()._merge(each, found)
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
        tree.improve(at, proof_of_support(cov, search.size, last))
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


def list_ratios(
    pencil: QuadraticForms,
    k: int,
    support: Indices,
    distance: Callable[[float], float],
    *,
    most: float = math.inf,
    least: float = 0.0,
    longest: float = math.inf,
    limits: SearchLimits = UNLIMITED,
    conditions: Conditions = NONE,
) -> NearOptimal | None:
    """List all supports of k variables whose ratio is no farther below the best than a distance.

    The first support has k variables and meets the conditions. How far below the best ratio the list goes,
    `distance` says, given that ratio. `most` is a proved bound on every ratio that the checker knows of without
    a proof, perhaps infinite; `least` is as in `enclose`. The search stops when the list has `longest`
    supports.

    Returns
    -------
    NearOptimal
        In the units given, of no fraction; None where a support has no bound, B being all but singular.
    """
    state = Enclosed(pencil, Cardinality(k), support, math.inf, conditions)
    while True:
        best = state.lower
        width = closing_width(best, scale=vanishing(best, state.scale))
        mu = best - max(distance(best), width)
        cov = unchecked(state.pencil.difference(mu).matrix)
        start, root = Candidate.from_support(cov, state.indices), first_proof(cov, state.size, "rowsum")
        search = _RatioListing(cov, state.size, start, root, 0.0, conditions)
        search.fixed, search.is_collinear = -round_up(sum(state.errors(mu))), state.is_collinear
        status = listed_until(search, longest, limits)
        leaves = supports_of_leaves(search)
        for T in leaves.values():
            state.take(T, pencil.fitted(T)[1])
        # From a better support than the search began with it begins again, with a list that ends higher.
        if status in (Status.TIME_LIMIT, Status.INTERRUPTED) or state.lower <= best + width:
            return _listed_ratios(state, search, mu, leaves, status, most=most, least=least)


class _RatioListing(OfRatio, Listing):
    """A search of A - mu B for all supports above 0, up to rounding."""


def _listed_ratios(
    state: Enclosed,
    search: Listing,
    mu: float,
    leaves: dict[int, Indices],
    status: Status,
    *,
    most: float,
    least: float,
) -> NearOptimal | None:
    """Value the supports listed one by one, and bound all others by the tree."""
    pencil, excess = state.pencil, search.tree.upper_beside(leaves)
    is_below = excess <= search.target
    others = mu if is_below else min(bound_beyond(state, mu, excess, least), most)
    chosen = {tuple(T.tolist()): T for T in (*leaves.values(), state.indices)}
    found = [(*_ratio_bounds(pencil, T, most), T) for T in chosen.values()]
    found.sort(key=lambda each: (-each[0], each[3].tolist()))
    state.upper = max([others, *(high for _, high, _, _ in found)])
    if not math.isfinite(state.upper):
        return None
    state.proof = ratio_evidence(search, mu, 0.0 if is_below else state.level(mu, excess), leaves)
    lowest = [_below(pencil, low) for low, *_ in found]
    highest = [_above(pencil, high) for _, high, *_ in found]
    vectors = np.array([x * pencil.scaling[T] for *_, x, T in found])
    certificate = ratio_certificate(
        state,
        listed=ListedSupports(
            tuple(T for *_, T in found), np.array(lowest), np.array(highest), _above(pencil, others)
        ),
        vectors=vectors,
        made_by="relaxspca near_optimal",
    )
    assert certificate is not None  # both bounds are finite, and proved
    return NearOptimal(
        k=state.k,
        within=0.0,
        candidates=tuple(_candidate(pencil, T, x, low) for low, _, x, T in found),
        values=tuple(zip(lowest, highest, strict=True)),
        target=_below(pencil, mu),
        upper=-math.inf if excess == -math.inf else _above(pencil, others),
        status=status,
        certificate=certificate,
        node_count=search.node_count,
    )


def _ratio_bounds(pencil: QuadraticForms, T: Indices, most: float) -> tuple[float, float, Array]:
    """Return what a vector on a support attains, a bound on all vectors on it, and the vector."""
    x = near_one(pencil.fitted(T)[1])
    attained = pencil.ratio(T, x)
    low = -math.inf if attained is None else float_below(attained)
    return low, max(min(pencil.upper_on(T), most), low), x


def _candidate(pencil: QuadraticForms, T: Indices, x: Array, value: float) -> Candidate:
    """Return the vector of a support, in the units given and of length 1."""
    loadings = oriented(spread(x * pencil.scaling[T], T, pencil.n))
    return Candidate(
        T,
        as_array(loadings / np.linalg.norm(loadings)),
        _below(pencil, value),
        "branch and bound",
        pencil.names,
    )


def _below(pencil: QuadraticForms, value: float) -> float:
    return float_below(Fraction(value) / pencil.unit) if math.isfinite(value) else value


def _above(pencil: QuadraticForms, value: float) -> float:
    return float_above(Fraction(value) / pencil.unit)
