r"""Enclose the largest ratio of two quadratic forms over all supports of a size (Dinkelbach's iteration).

For x'Bx > 0, x'Ax / x'Bx <= mu says x'(A - mu B)x <= 0: `v_k(A - mu B) <= 0` bounds all ratios. Whether that is
so a search decides whose target is fixed beforehand. It ends when every node is closed below the target, or as
soon as a support above 0 is found.
"""

from __future__ import annotations

import math
from collections.abc import Container
from dataclasses import replace
from fractions import Fraction

import numpy as np

from relaxspca.candidates.pencils import swapped_support
from relaxspca.certificate import (
    Budget,
    Certificate,
    Claim,
    Evidence,
    Leaf,
    ListedSupports,
    Vector,
    Witness,
)
from relaxspca.numerics.decimals import float_above
from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, Indices, norm_upper, round_up, spread
from relaxspca.problem.budgets import OneOfEachSize
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.gap import RELATIVE_WIDTH, largest_usable, usable_variables
from relaxspca.problem.pencil import QuadraticForms, float_below
from relaxspca.problem.size import Size
from relaxspca.results.progress import Progress
from relaxspca.results.status import Status, closing_width, settle, vanishing
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.branch_and_bound import Search, unchecked
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.node import Effort, OpenNode
from relaxspca.search.proof_tree import Points, at_level
from relaxspca.search.run import first_proof, go_on

CHECKED = 1e-7  # largest relative width of the bounds that is accepted to leave slack for the checker
COLLINEAR = 1e-7  # smallest eigenvalue of B, its diagonal near 1, below which row charges give weak bounds
TRIES = 8  # times that the width asked for is widened, and bounds at a root when time is over


class Enclosed:
    """Proved bounds on the largest ratio, with the support that attains the lower one, as they are found.

    Attributes
    ----------
    lower, upper : proved bounds, in the units of the pencil.
    indices, loadings : (m,) the support that attains `lower`.
    status : why the iteration ended.
    node_count, steps : of all searches, and how many were made.
    proof : Evidence of `upper`, None if no search proved it. It proves x'(A - mu B)x <= s|x|^2 for some s >= 0.
    slack : part of the width between the bounds that is due to rounding.
    """

    def __init__(
        self,
        pencil: QuadraticForms,
        size: Size,
        support: Indices,
        upper: float,
        conditions: Conditions,
    ) -> None:
        scope = size.parts(pencil.n), conditions.include, conditions.exclude
        self.used = usable_variables(pencil.n, *scope)[0]
        self.pencil, self.size, self.k, self.upper = pencil.among(self.used), size, size.most(pencil.n), upper
        self.conditions = conditions
        # Scale of the ratios: in these units x'Bx is about |x|^2 for a single variable.
        self.scale = largest_usable(pencil.A, *scope)
        self.proof: Evidence | None = None
        if math.isfinite(upper):
            # One factorisation proves this bound for all vectors.
            self.proof = Evidence(tree=(Leaf("rows"),), mu=upper)
        self.is_collinear = pencil.smallest < COLLINEAR
        self.node_count, self.steps, self.slack, self.status = 0, 0, 0.0, Status.OPEN
        self.indices, self.loadings, self.lower = support, np.ones(len(support)), -math.inf
        self.take(support, self.pencil.fitted(support)[1])

    def take(self, support: Indices, x: Array) -> None:
        """Make a support with its loadings the best one if its ratio is larger."""
        x = near_one(x)
        # The ratio of the vector is exact; only rounding keeps it below the largest eigenvalue.
        attained = self.pencil.ratio(support, x)
        if attained is not None and float_below(attained) > self.lower:
            self.indices, self.loadings, self.lower = support, x, float_below(attained)

    @property
    def form(self) -> float:
        """Quotient x'Bx / x'x of the vector that attains `lower`: the slack of a proof per unit of mu."""
        x, block = self.loadings, self.pencil.B[np.ix_(self.indices, self.indices)]
        return max(float(x @ block @ x) / float(x @ x), 1e-300)

    def errors(self, mu: float) -> tuple[float, float]:
        """Return what the rounding of A - mu B changes of a bound at most, and what a checker's may add."""
        # |x'Ex| <= max|E_ij| (sum |x_i|)^2 <= k max|E_ij| for unit x with k nonzeros.
        return self.k * self.pencil.difference(mu).error, self.pencil.slack(mu)

    def level(self, mu: float, excess: float) -> float:
        """Return what a checker proves of A - mu B where a search proved an excess, if that is above 0."""
        return max(excess, 0.0) + sum(self.errors(mu))

    def below(self, mu: float, limits: SearchLimits) -> Threshold:
        """Search for a support of ratio above mu; if none exists, mu becomes the upper bound."""
        error, room = self.errors(mu)
        # The checker rounds too: if the width allows, its slack is charged.
        charged = error + room if 4 * (error + room) <= (mu - self.lower) * self.form else error
        matrix, target = self.size.entries(self.pencil.difference(mu).matrix), -round_up(charged)
        search = Threshold(matrix, self.size, self.indices, target, self.conditions)
        search.is_collinear = self.is_collinear
        search.decide(limits)
        self.node_count += search.node_count
        self.steps += 1
        if search.is_below and mu <= self.upper:
            self.upper, self.proof = mu, ratio_evidence(search, mu, 0.0)
        return search


def near_one(x: Array) -> Array:
    """Return loadings times a power of two, their largest near 1: no product leaves the range of doubles."""
    x = x if x.any() else np.ones(len(x))
    return np.asarray(np.ldexp(x, -np.frexp(np.abs(x).max())[1]))


def enclose(
    pencil: QuadraticForms,
    size: Size,
    support: Indices,
    *,
    gap: float = 0.0,
    upper: float = math.inf,
    least: float = 0.0,
    limits: SearchLimits = UNLIMITED,
    conditions: Conditions = NONE,
) -> Enclosed:
    """Return proved bounds on the largest ratio over supports of a size.

    The first support meets the conditions and has x'Bx > 0 for some x on it. `upper` is a proved bound on the
    ratio over all vectors, perhaps infinite, and `least` one on the smallest eigenvalue of B from below, in the
    units of the pencil. The callback sees the search at one mu; the node limit is for all searches.
    """
    state = Enclosed(pencil, size, support, upper, conditions)
    most, widening = limits.most_nodes, 1.0
    while state.upper > state.lower:
        if limits.deadline.is_over and math.isfinite(state.upper):
            state.status = Status.TIME_LIMIT
            break
        width, rounding = _width(state, gap)
        mu = round_up(state.lower + widening * width)
        if mu >= state.upper:
            break
        remaining = max(most - math.floor(min(TRIES, most / 4)) - state.node_count, 0)
        here = replace(limits, deadline=limits.deadline.part(2))  # the rest is for bounds at roots
        found = state.below(mu, here.at_most(remaining))
        if found.is_below:
            # A width that had to be widened is due to rounding alone.
            state.slack = rounding if widening == 1 else mu - state.lower
            break
        excess = found.tree.upper
        bound = bound_beyond(state, mu, excess, least)
        if bound < state.upper:
            state.upper, state.proof = bound, ratio_evidence(found, mu, state.level(mu, excess))
        if found.challenger is not None and _take_challenger(state, found.challenger, mu, limits.deadline):
            continue
        if found.status is not None:
            state.status = found.status
            break
        # All nodes are closed above the target, or the support found has no larger ratio: the width is below
        # the rounding error.
        widening *= 16
        if widening > 16**TRIES:
            break
    if state.status in (Status.TIME_LIMIT, Status.NODE_LIMIT):
        _bisect_at_root(state, limits)
    state.upper = max(state.upper, state.lower)
    scale = vanishing(state.lower, state.scale)
    state.status = settle(state.status, state.lower, state.upper, scale=scale, slack=state.slack, gap=gap)
    return state


def _width(state: Enclosed, gap: float) -> tuple[float, float]:
    """Return the width by which mu exceeds the ratio attained, and the part of it that is due to rounding."""
    pencil = state.pencil
    difference = pencil.difference(state.lower)
    norm = norm_upper(difference.matrix[np.ix_(state.used, state.used)])
    noise = 24 * pencil.n * UNIT_ROUNDOFF * norm + 4 * state.k * difference.error
    scale = vanishing(state.lower, state.scale)
    checked = 4 * (pencil.slack(state.lower) + state.k * difference.error) * (1 + RELATIVE_WIDTH) / state.form
    is_checked = checked <= CHECKED * max(abs(state.lower), scale)
    rounding = max(noise / state.form, checked if is_checked else 0.0)
    # A little less than the gap, so that mu rounded up is still within it.
    asked = closing_width(state.lower, scale=scale, gap=gap * (1 - 2.0**-40))
    return max(asked, rounding), rounding


def _take_challenger(state: Enclosed, challenger: Candidate, mu: float, deadline: Deadline) -> bool:
    """Take a component of larger ratio, after swaps; say whether the ratio rose by half of the width.

    Finitely many steps rise by half a width. A component of variance above 0 in A - mu B has a ratio above mu
    up to rounding; its own loadings are taken if those fitted to its support attain less.
    """
    enough, indices = state.lower + (mu - state.lower) / 2, challenger.indices
    swapped = swapped_support(state.pencil, indices, state.conditions, state.size, deadline=deadline)
    for support in (swapped, indices):
        state.take(support, state.pencil.fitted(support)[1])
    if state.lower < enough:
        state.take(indices, challenger.loadings[indices])
    return state.lower >= enough


def bound_beyond(state: Enclosed, mu: float, excess: float, least: float) -> float:
    """Return the bound on ratios from s above v_k(A - mu B): x'(A - mu B)x <= s |x|^2 <= (s / least) x'Bx."""
    if not (least > 0 and math.isfinite(excess)):
        return math.inf
    total = Fraction(state.level(mu, excess)) + Fraction(state.errors(mu)[0])
    return round_up(float(Fraction(mu) + total / Fraction(least)))


def _bisect_at_root(state: Enclosed, limits: SearchLimits) -> None:
    """Bisect the interval between the bounds by bounds at the root alone, in the time left."""
    low, at_root = state.lower, replace(limits, node_limit=1, callback=None)
    for _ in range(TRIES):
        if limits.deadline.is_over or state.node_count >= limits.most_nodes or not math.isfinite(state.upper):
            return
        mu = low + (state.upper - low) / 2
        if not low < mu < state.upper:
            return
        found = state.below(mu, at_root)
        if found.challenger is not None:
            _take_challenger(state, found.challenger, mu, limits.deadline)
        if not found.is_below:
            low = mu


def ratio_certificate(
    found: Enclosed,
    *,
    listed: ListedSupports | None = None,
    vectors: Array | None = None,
    made_by: str = "relaxspca",
) -> Certificate | None:
    """Return the certificate of an enclosure; None if either bound is infinite or has no proof.

    The units of the pencil are powers of two, so that conversion to the units given is exact. What is `listed`,
    with the `vectors` that attain its lower bounds, is in the units given already.
    """
    proof, pencil, size = found.proof, found.pencil, found.size
    if proof is None or proof.mu is None or not math.isfinite(found.lower):
        return None
    loadings = spread(found.loadings * pencil.scaling[found.indices], found.indices, pencil.n)
    parts = size.parts(pencil.n)
    T = np.flatnonzero(loadings)
    return Certificate(
        subject=pencil.plain,
        claim=Claim(
            kind="ratio",
            k=found.k,
            lower=float_below(Fraction(found.lower) / pencil.unit),
            upper=float_above(Fraction(found.upper) / pencil.unit),
            include=found.conditions.inside,
            exclude=found.conditions.outside,
            budgets=tuple(Budget(variables, k) for variables, k in parts) if len(parts) > 1 else (),
            one_of_each=size.sets if isinstance(size, OneOfEachSize) else (),
            listed=listed,
        ),
        witness=Witness((Vector(T, loadings[T]),), vectors),
        evidence=replace(
            proof,
            mu=float_above(Fraction(proof.mu) / pencil.unit),
            exponents=pencil.exponents,
            fit=pencil.fit_behind(found.upper),
        ),
        made_by=made_by,
    )


class OfRatio(Search):
    """A search of A - mu B, whose target is fixed.

    Where B is collinear, nodes below the root are bounded by the eigenvalue of their whole block, not by the
    Perron dual.
    """

    fixed, is_collinear = 0.0, False

    @property
    def target(self) -> float:
        """Bound at which a node is closed."""
        return self.fixed

    def effort(self, node: OpenNode) -> Effort:
        """Return how hard to try at a node."""
        # Below the root the eigenvalue of the whole block comes first; one stage of the Perron dual is left.
        planned = super().effort(node)
        stages = planned.stages if node.depth == 0 else int(not self.is_collinear)
        return replace(planned, by_eigenvalue=True, stages=stages)


class Threshold(OfRatio):
    """A search for a support whose block has an eigenvalue above 0, or a proof that all are at most a target.

    The target is below 0, the matrix exact, the size without a penalty, the support the best one known. When it
    has ended, `status` says why before all nodes were closed; None if they were, or a challenger was found.
    """

    def __init__(
        self, matrix: Array, size: Size, support: Indices, target: float, conditions: Conditions
    ) -> None:
        self.fixed = target
        self.status: Status | None = None
        cov = unchecked(matrix)
        candidate = Candidate.from_support(cov, support)
        super().__init__(cov, size, candidate, first_proof(cov, size, "rowsum"), conditions=conditions)

    @property
    def aim(self) -> float:
        """Value towards which bounds are tightened."""
        return min(self.lower, self.fixed)

    @property
    def challenger(self) -> Candidate | None:
        """The incumbent if its value is above 0."""
        return self.candidate if self.lower > 0 else None

    @property
    def is_below(self) -> bool:
        """Whether all supports are proved to be at most the target."""
        return self.tree.upper <= self.target

    def decide(self, limits: SearchLimits) -> None:
        """Search within limits."""

        def after_step(progress: Progress) -> bool:
            return self.challenger is not None or limits.is_stopped(progress)

        status = go_on(self, limits, after_step)
        is_found = self.challenger is not None and status is Status.INTERRUPTED
        self.status = None if is_found else status

    def _consider(self, support: tuple[int, ...]) -> None:
        if isinstance(self.size, OneOfEachSize):  # swaps would bring two of a group together
            chosen = np.array(support, dtype=np.int64)
            found = Candidate.from_support(self.cov, chosen[self.size.compatible(chosen)])
            self.offer(found, self.worth(found))
        else:
            super()._consider(support)


def ratio_evidence(search: Search, mu: float, level: float, listed: Container[int] = ()) -> Evidence:
    """Return the tree of a search of A - mu B that proves a level, or its target where that is proved."""
    points = Points(search.cov)
    nodes = search.tree.pruned(max(search.tree.upper_beside(listed), search.target), points, listed)
    return Evidence(points=tuple(points.found), tree=at_level(nodes, level), mu=mu)
