"""Minimise the bound of several components by quasi-Newton steps on a smoothed dual."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import Array, Indices, magnitude
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.size import Cardinality
from relaxspca.relaxations.perron.minimise import quasi_newton, start_from_weights, to_point
from relaxspca.relaxations.perron.weights import balance
from relaxspca.relaxations.several.formula import (
    MOST,
    MultiplierMatrix,
    all_supports,
    count_supports,
    upper_bound,
)
from relaxspca.relaxations.several.shape import Part, Shape, everything
from relaxspca.relaxations.several.smooth import Factors, Smoothed, Supports, kinds_of
from relaxspca.runtime.deadline import FOREVER, Deadline

LEAST_SCALE = 1e-6  # of the largest entry
FAR = 1e3  # steps end where an entry, in units of the scale, is beyond; roundings grow with its square
LEFT = 1e-4  # of the smoothing: steps that win less end it
FULL_RANK = 40  # variables up to which Z may have any rank
# Supports that the smooth maximum is taken over: those within so many widths of the best, and not too many.
NEAR = 40
MOST_NEAR = 300
# The smooth maximum over all rows exceeds the maximum by more where there are many.
SMOOTHEST, SMOOTHEST_ROW = 0.03, 0.4


def minimise(
    cov: Covariance,
    shape: Shape,
    *,
    lower: float,
    tol: float = 1e-6,
    deadline: Deadline = FOREVER,
    stages: int = 14,
    iterations: int = 300,
    may_list: bool = True,
    begin: Factors | None = None,
) -> tuple[MultiplierMatrix, float, Factors]:
    """Return a dual point for all components of a shape, the bound that it proves, and its factors.

    The smoothing is chosen by the distance to `lower`, the value of a table, and the bound is good enough
    within the fraction `tol` of it. There are rounds of decreasing smoothing, each of so many iterations at
    most. Supports may be tried one by one where they are few and that is allowed. Steps begin at the factors
    given or at those of row sums.

    Examples
    --------
    >>> import relaxspca as rs
    >>> _, upper, _ = minimise(rs.datasets.load_pitprops(), Shape((4, 4)), lower=5.255158)
    >>> 5.255158 <= upper <= 5.26
    True
    """
    parts = everything(shape, cov.n)
    variables = np.arange(cov.n)
    Sigma = cov.matrix
    scale = magnitude(Sigma, lower)
    factors = begin or start(Sigma, shape, parts, may_list=may_list)
    point = to_multiplier_matrix(Sigma, variables, factors, parts)
    upper = upper_bound(cov, point, shape, parts)
    best = factors
    share = 0.05 if begin else 0.3  # of what is missing: a wide one would lead away from factors near the best
    smoothing, stalled = min(smoothest(factors), share * max((upper - lower) / scale, tol)), 0
    for _ in range(stages):
        missing = upper - lower - tol * abs(lower)
        if missing <= 0 or stalled == 2 or deadline.is_over:
            break
        factors = descend_jointly(
            Sigma,
            variables,
            shape,
            parts,
            factors,
            scale=scale,
            smoothing=smoothing,
            iterations=iterations,
            deadline=deadline,
        )
        found = to_multiplier_matrix(Sigma, variables, factors, parts)
        bound = upper_bound(cov, found, shape, parts)
        stalled = stalled + 1 if upper - bound < 0.01 * missing else 0
        if bound < upper:
            point, upper, best = found, bound, factors
        smoothing /= 2
    return point, upper, best


def descend_jointly(
    Sigma: Array,
    variables: Indices,
    shape: Shape,
    parts: Sequence[Part],
    factors: Factors,
    *,
    scale: float,
    smoothing: float,
    iterations: int = 50,
    deadline: Deadline = FOREVER,
) -> Factors:
    """Take quasi-Newton steps on the smoothed bound from some factors.

    Sigma is the block of the union of the variables of the parts. The problem is divided by the scale, the size
    of the optimum; in this unit the smoothing is the width of the soft maxima. Any factors prove a bound, so
    nothing is asked of those returned but that they are numbers: where steps led beyond the floats, they are
    those to start from.
    """
    # A scale that is 0 but for rounding is none: what is divided by it leaves the floats.
    sizes = np.abs(Sigma).max(), (factors.L**2).max(initial=0.0)
    scale = max(scale, LEAST_SCALE * float(max(sizes)))
    if not scale < 1e200:  # steps without end, taken before
        return factors
    unit = factors.scaled(1 / scale)
    few = _costliest_supports(Sigma / scale, variables, shape, parts, unit, width=smoothing)
    objective = Smoothed(Sigma / scale, variables, shape, parts, unit, smoothing, few)

    def is_far(entries: Array, _: float) -> bool:
        # Where a node has no table the bound falls without end, and any of its values closes the node.
        return bool(np.abs(entries).max() > FAR)

    options = {"maxiter": iterations, "maxcor": 20, "ftol": LEFT * smoothing, "gtol": 1e-10}
    begin, rows = objective.pack(unit), len(Sigma)
    try:
        found = quasi_newton(objective, begin, rows, deadline=deadline, ends=is_far, **options)
    except np.linalg.LinAlgError:  # of a step to where numbers overflow
        return factors
    return objective.unpack(found).scaled(scale) if np.isfinite(found).all() else factors


def _costliest_supports(
    Sigma: Array, variables: Indices, shape: Shape, parts: Sequence[Part], factors: Factors, *, width: float
) -> list[Supports | None]:
    """Return, for each part without rows, the supports that may matter near these factors."""
    rest = Sigma - factors.L @ factors.L.T
    few: list[Supports | None] = []
    for part, B in zip(parts, factors.rows, strict=True):
        if B is not None:
            few.append(None)
            continue
        at = np.searchsorted(variables, part.variables)
        M, y = rest[np.ix_(at, at)], factors.multipliers[at]
        every = all_supports(part, is_at_most=shape.is_at_most)
        tops = (np.linalg.eigvalsh(M[some[:, :, None], some[:, None, :]])[:, -1] for some in every)
        by_size = [top + y[some].sum(axis=1) for top, some in zip(tops, every, strict=True)]
        values = np.concatenate(by_size)
        level = max(float(values.max()) - NEAR * width, float(-np.sort(-values)[:MOST_NEAR][-1]))
        # The best of every size stay, or multipliers could fall without end where supports may be smaller.
        levels = (min(level, float(-np.sort(-v)[: MOST_NEAR // 10][-1])) for v in by_size)
        choices = zip(every, by_size, levels, strict=True)
        few.append(tuple(some[v >= least] for some, v, least in choices))
    return few


def smoothest(factors: Factors) -> float:
    """Return the smoothing to begin with, in units of the optimum."""
    sides = [len(B) for B in factors.rows if B is not None]
    return min(SMOOTHEST, SMOOTHEST_ROW / max(sides, default=1))


def start(Sigma: Array, shape: Shape, parts: Sequence[Part], *, may_list: bool = True) -> Factors:
    """Return factors to begin with: balanced row sums, and as Z what exceeds the next eigenvalue."""
    m, r = len(Sigma), shape.count
    rows: list[Array | None] = []
    variables = union(parts)
    kinds, kind_of = kinds_of(parts)
    for part in kinds:
        if may_list and count_supports(part, is_at_most=shape.is_at_most) <= MOST:
            rows.append(None)
            continue
        inside = np.isin(part.variables, part.inside)
        at = np.searchsorted(variables, part.variables)
        block = Sigma[np.ix_(at, at)]
        weights = balance(block, inside, Cardinality(part.size), iterations=30).weights
        rows.append(0.5 * start_from_weights(block, weights))
    rank = m if m <= FULL_RANK else min(m, max(2 * r + 2, 10))
    values, vectors = np.linalg.eigh(Sigma)
    heights = np.maximum(values - values[max(m - r - 1, 0)], 0.0)[::-1][:rank]
    L = vectors[:, ::-1][:, :rank] * np.sqrt(heights)
    # A column that is 0 would stay 0: the gradient in L vanishes there.
    rng = np.random.default_rng(0)
    L = L + 0.03 * np.sqrt(max(float(heights.max()), 1e-300) / m) * rng.normal(size=L.shape)
    paid = np.sort(np.einsum("id,id->i", L, L))[::-1]
    places = min(m, sum(part.size for part in parts))
    return Factors(
        L, np.full(m, max(float(paid[places - 1]), 0.0) / shape.copies), tuple(rows[g] for g in kind_of)
    )


def to_multiplier_matrix(
    Sigma: Array, variables: Indices, factors: Factors, parts: Sequence[Part]
) -> MultiplierMatrix:
    """Return the dual point that factors stand for."""
    rest = Sigma - factors.L @ factors.L.T
    rest = (rest + rest.T) / 2
    found: dict[tuple[object, int], RowsPoint | None] = {}
    keys = [(part.key, id(B)) for part, B in zip(parts, factors.rows, strict=True)]
    for key, part, B in zip(keys, parts, factors.rows, strict=True):
        if key not in found:  # equal parts share their rows
            found[key] = None if B is None else to_point(part.variables, B)
    return MultiplierMatrix(variables, rest, factors.multipliers, tuple(found[key] for key in keys))


def restricted_factors(
    factors: Factors, variables: Indices, before: Sequence[Part], parts: Sequence[Part]
) -> tuple[Indices, Factors]:
    """Return factors of the variables that parts still have, from factors of the parts they were before."""
    left = union(parts)
    found: dict[tuple[object, ...], Array | None] = {}
    keys = [(id(B), old.key, new.key) for B, old, new in zip(factors.rows, before, parts, strict=True)]
    for key, B, old, new in zip(keys, factors.rows, before, parts, strict=True):
        if key not in found:  # equal parts share their rows
            at = np.searchsorted(old.variables, new.variables)
            found[key] = None if B is None else B[np.ix_(at, at)]
    at = np.searchsorted(variables, left)
    return left, Factors(factors.L[at], factors.multipliers[at], tuple(found[key] for key in keys))


def union(parts: Sequence[Part]) -> Indices:
    """Return the variables of any of the parts, sorted."""
    return np.unique(np.concatenate([part.variables for part in parts]))


def bound_on_supports(
    cov: Covariance, supports: Sequence[Indices], shape: Shape, *, target: float
) -> tuple[MultiplierMatrix, float]:
    r"""Bound the components on given supports, and return the dual point that proves it.

    .. math:: \min_{Z\succeq0}\ \sum_t\lambda_{\max}((\Sigma-Z)_{T_tT_t})+\mathrm{tr}\,Z

    A common support is given once. Quasi-Newton steps begin at Z = 0 and end at the target. On one common
    support Z = (M - tI)_+ with t the r-th eigenvalue, which gives the sum of the r largest.
    """
    variables = np.unique(np.concatenate(supports))
    parts = [Part(len(support), support, support[:0]) for support in supports]
    Sigma = cov.submatrix(variables)
    Z = _above(Sigma, shape.copies) if shape.is_common else np.zeros_like(Sigma)
    rest = Sigma - (Z + Z.T) / 2
    point = MultiplierMatrix(variables, (rest + rest.T) / 2, np.zeros(len(variables)), (None,) * len(parts))
    upper = upper_bound(cov, point, shape, parts)
    scale, smoothing = magnitude(Sigma, upper), 1e-2
    # At L = 0 the gradient would vanish.
    L = 1e-3 * np.sqrt(scale) * np.random.default_rng(0).normal(size=Sigma.shape)
    factors = Factors(L, np.zeros(len(variables)), (None,) * len(parts))
    for _ in range(12):
        if upper <= target or shape.is_common:
            break
        factors = descend_jointly(
            Sigma, variables, shape, parts, factors, scale=scale, smoothing=smoothing, iterations=100
        )
        found = to_multiplier_matrix(Sigma, variables, factors, parts)
        bound = upper_bound(cov, found, shape, parts)
        if bound < upper:
            point, upper = found, bound
        smoothing /= 4
    return point, upper


def _above(Sigma: Array, r: int) -> Array:
    """Return the part of a matrix above its r-th eigenvalue."""
    values, vectors = np.linalg.eigh(Sigma)
    heights = np.maximum(values - values[-r], 0.0)
    return np.asarray((vectors * heights) @ vectors.T)
