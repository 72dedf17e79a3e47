"""Minimise the bound of several components where the supports of every part are tried one by one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.several.enumerated import Listed
from relaxspca.relaxations.several.interior import Blocks, follow_path, inverted
from relaxspca.relaxations.several.minimise import LEAST_NEAR, LEAST_SCALE
from relaxspca.relaxations.several.program import Program, Stack
from relaxspca.relaxations.several.shape import Indices, Part, Shape
from relaxspca.relaxations.several.smooth import Factors, kinds_of

__all__ = ["Multipliers", "descend_by_program"]

MOST_NEAR = 300  # supports of a part that the program has, those of largest value
NEARER = 1.0  # times what is missing, and
FARTHER = 0.3  # times what multipliers are not handed on: distance of the two values to begin with
NUDGE = 3.0  # times mu, by which Z is moved into its cone
FRESH = 0.3  # part of the multipliers that does not come from those handed on
PRECISION = 1e-10  # of the scale, beyond which nothing is gained
ROUNDING = 1e-11  # of the scale, for the roundings of a proof


@dataclass(frozen=True, eq=False)
class Multipliers:
    """What the supports and Z weigh in the best bound, to begin with at nodes below.

    Attributes
    ----------
    variables : (m,) those of Z.
    on_matrix : (m, m) array, the multiplier of Z.
    on_supports : for each part supports (count, k) and blocks (count, k, k), of trace 1 together.
    """

    variables: Indices
    on_matrix: Array
    on_supports: tuple[tuple[tuple[Indices, Array], ...], ...]


def descend_by_program(
    Sigma: Array,
    variables: Indices,
    shape: Shape,
    parts: Sequence[Part],
    found: Sequence[Listed],
    factors: Factors,
    *,
    scale: float,
    missing: float,
    target: float,
    share: float,
    before: Multipliers | None = None,
) -> tuple[Factors, float, Multipliers | None]:
    """Return factors that are best for the supports of largest value, the bound over these, and multipliers.

    Parameters
    ----------
    Sigma : (m, m) block of the variables (variance).
    variables : (m,) union of the variables of the parts.
    shape, parts : as in `formula.upper_bound`.
    found : the supports of each part and their values at these factors.
    factors : where to start.
    scale : size of the optimum (variance); the problem is divided by it.
    missing : how far the bound may have to fall (variance).
    target : bound that is enough (variance).
    share : where the target is out of reach, the part of what is missing to which the bound is found.
    before : multipliers that belong to these factors at the node above.

    Notes
    -----
    Any factors prove a bound, over all supports; supports left out may raise it above the one returned.
    """
    # A scale that is 0 but for rounding is none.
    scale = max(scale, LEAST_SCALE * float(max(np.abs(Sigma).max(), (factors.L**2).max(initial=0.0))))
    if not 0 < scale < 1e200:
        return factors, math.inf, before
    kinds, kind_of = kinds_of(parts)
    counts = [kind_of.count(g) * shape.copies for g in range(len(kinds))]
    firsts = [kind_of.index(g) for g in range(len(kinds))]
    places = [np.searchsorted(variables, part.variables) for part in kinds]
    near = [_near(found[t], at, scale) for t, at in zip(firsts, places, strict=True)]
    program = Program(Sigma / scale, variables, shape, parts, counts, _stacks([s for s, _ in near]))
    goal, far = target / scale, min(max(missing / scale, PRECISION), 1.0)

    def is_enough(value: float, gap: float, missed: float) -> bool:
        if value <= goal - ROUNDING:
            return True
        return gap + missed <= max(share * (value - gap - goal), PRECISION)

    is_done = False
    for handed_on in (before, None) if before is not None else (None,):
        if is_done:  # multipliers handed on may be too far from these parts: without them it takes longer
            break
        kept = [[] for _ in kinds] if handed_on is None else _kept(program, variables, handed_on, firsts)
        lost = max(1 - sum(float(np.trace(block)) for *_, block in some) for some in kept)
        mu = (NEARER * far + FARTHER * lost) / program.order
        Z = factors.L @ factors.L.T / scale + NUDGE * mu * np.eye(len(Sigma))
        tau = np.array(
            [_centered(*some, mu) for some in zip((worth for _, worth in near), counts, strict=True)]
        )
        v = program.vector(Z, factors.multipliers / scale, tau, mu)
        X = [mu * block for block in inverted(program.blocks(v))]
        if handed_on is not None:
            X = _blended(X, program, variables, handed_on, kept, counts)
        v, X, is_done = follow_path(program, v, X, is_enough=is_enough)
    Z, y = program.parted(v)
    reached = Factors(np.asarray(np.linalg.cholesky(Z)), y, factors.rows).scaled(scale)
    after = Multipliers(variables, X[0][0], _by_parts(X, program, variables, kind_of))
    return reached, float(program.objective @ v) * scale, after


def _kept(
    program: Program, variables: Indices, before: Multipliers, firsts: Sequence[int]
) -> list[list[tuple[int, int, Array]]]:
    """Return, for each kind of part, which multipliers of its supports are handed on, and where they belong."""
    kept: list[list[tuple[int, int, Array]]] = []
    for g, first in enumerate(firsts):
        rows = [row for some, own in before.on_supports[first] for row in zip(some, own, strict=True)]
        weighed = {support.tobytes(): block for support, block in rows}
        kept.append([])
        for at, stack in enumerate(program.stacks):
            for place in np.flatnonzero(stack.owner == g):
                block = weighed.get(variables[stack.supports[place]].tobytes())
                if block is not None:
                    kept[-1].append((at, int(place), block))
    return kept


def _blended(
    X: Blocks,
    program: Program,
    variables: Indices,
    before: Multipliers,
    kept: Sequence[Sequence[tuple[int, int, Array]]],
    counts: Sequence[int],
) -> Blocks:
    """Return multipliers of which a part comes from those handed on."""
    new = [block.copy() for block in X]
    at = np.searchsorted(before.variables, variables)
    new[0][0] = FRESH * X[0][0] + (1 - FRESH) * before.on_matrix[np.ix_(at, at)]
    for g, (some, count) in enumerate(zip(kept, counts, strict=True)):
        mass = (1 - FRESH) * sum(float(np.trace(block)) for *_, block in some)
        for stack, blocks in zip(program.stacks, new[1:-1], strict=True):
            blocks[stack.owner == g] *= 1 - mass
        for at_stack, place, block in some:
            new[1 + at_stack][place] += (1 - FRESH) * count * block
    return new


def _by_parts(
    X: Blocks, program: Program, variables: Indices, kind_of: Sequence[int]
) -> tuple[tuple[tuple[Indices, Array], ...], ...]:
    """Return the multipliers of the supports of each part."""
    kinds = []
    for g in range(max(kind_of) + 1):
        own = [stack.owner == g for stack in program.stacks]
        chosen = [B[some] for some, B in zip(own, X[1:-1], strict=True)]
        mass = sum(float(np.trace(B, axis1=1, axis2=2).sum()) for B in chosen)
        rows = zip(program.stacks, own, chosen, strict=True)
        kinds.append(tuple((variables[stack.supports[some]], B / mass) for stack, some, B in rows))
    return tuple(kinds[g] for g in kind_of)


def _near(found: Listed, at: Indices, scale: float) -> tuple[list[Indices], list[tuple[Array, int]]]:
    """Return the supports of largest value, as positions in the union, and their values with their sizes."""
    level = -np.inf
    values = np.concatenate(found.values)
    if len(values) > MOST_NEAR:
        level = -float(np.partition(-values, MOST_NEAR)[MOST_NEAR])
    supports, kept = [], []
    for some, worth in zip(found.supports, found.values, strict=True):
        # The best of every size stay, or multipliers could fall without end where supports may be smaller.
        is_near = worth >= min(level, -float(np.sort(-worth)[:LEAST_NEAR][-1]))
        supports.append(at[some[is_near]])
        kept.append((worth[is_near] / scale, some.shape[1]))
    return supports, kept


def _stacks(supports: Sequence[Sequence[Indices]]) -> list[Stack]:
    """Return the supports of all kinds, those of equal size together."""
    sizes = sorted({some.shape[1] for own in supports for some in own if len(some)})
    stacks = []
    for size in sizes:
        chosen = [(g, some) for g, own in enumerate(supports) for some in own if some.shape[1] == size]
        owner = np.concatenate([np.full(len(some), g) for g, some in chosen])
        stacks.append(Stack(np.concatenate([some for _, some in chosen]), owner))
    return stacks


def _centered(values: Sequence[tuple[Array, int]], count: int, mu: float) -> float:
    """Return a tau with about as much mass on the supports as there are parts."""
    worth = np.concatenate([some for some, _ in values])
    mass = np.concatenate([np.full(len(some), mu * k) for some, k in values])
    top = float(worth.max())
    low, high = top, top + float(mass.sum()) / count
    for _ in range(40):
        tau = (low + high) / 2
        if tau <= top or float((mass / (tau - worth)).sum()) > count:
            low = tau
        else:
            high = tau
    return high
