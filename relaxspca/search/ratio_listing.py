r"""List every support whose ratio exceeds some mu: the list of A - mu B at level 0.

A support has a ratio of at most mu if and only if :math:`\lambda_{\max}((A-\mu B)_{TT})\le0`. So the supports
that a search of A - mu B lists above 0 are those that are asked for, and its tree proves mu of all others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np

from relaxspca.certificate import ListedSupports
from relaxspca.numerics.decimals import float_above
from relaxspca.numerics.linalg import Array, as_array, oriented, round_up, spread
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.node import Indices
from relaxspca.problem.pencil import QuadraticForms, float_below
from relaxspca.problem.size import Cardinality
from relaxspca.results.near_optimal import NearOptimal
from relaxspca.results.status import Status, closing_width, vanishing
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.listing import Listing, listed_until, supports_of_leaves
from relaxspca.search.ratio import Enclosed, bound_beyond, near_one, ratio_certificate
from relaxspca.search.run import first_proof
from relaxspca.search.threshold import indefinite, ratio_effort, ratio_evidence


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
        search, plan = _search(state, mu), partial(ratio_effort, is_collinear=state.is_collinear)
        status = listed_until(search, longest, limits, planned=plan)
        leaves = supports_of_leaves(search)
        for T in leaves.values():
            state.take(T, pencil.fitted(T)[1])
        # From a better support than the search began with it begins again, with a list that ends higher.
        if status in (Status.TIME_LIMIT, Status.INTERRUPTED) or state.lower <= best + width:
            return _listed(state, search, mu, leaves, status, most=most, least=least)


class _RatioListing(Listing):
    """A search of A - mu B for all supports above 0, up to rounding."""

    fixed = 0.0

    @property
    def target(self) -> float:
        """Bound at which a node is closed."""
        return self.fixed


def _search(state: Enclosed, mu: float) -> Listing:
    cov = indefinite(state.pencil.difference(mu).matrix)
    start, root = Candidate.from_support(cov, state.indices), first_proof(cov, state.size, "rowsum")
    search = _RatioListing(cov, state.size, start, root, 0.0, state.conditions)
    search.fixed = -round_up(sum(state.errors(mu)))
    return search


def _listed(
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
    found = [(*_bounds(pencil, T, most), T) for T in chosen.values()]
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


def _bounds(pencil: QuadraticForms, T: Indices, most: float) -> tuple[float, float, Array]:
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
