"""Tighten the Perron dual of a node in stages of decreasing smoothing, fixing variables after each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import FEW, Array, Indices, magnitude
from relaxspca.relaxations.perron.active import active_point, descend_active
from relaxspca.relaxations.perron.formula import perron_point
from relaxspca.relaxations.perron.minimise import start_from_point, start_from_weights, to_point
from relaxspca.relaxations.perron.parts import connected_parts, descend_parts
from relaxspca.relaxations.perron.splitting import Splitting
from relaxspca.search.node import Effort, Workspace
from relaxspca.search.screening import fix_by_rows, screen

Scores = tuple[Array, Array]

ENOUGH = 0.1  # of the smoothing: a stage stops when it gains less, which the next stage gains sooner
WIDEST = 0.3  # first smoothing, as a fraction of the gap; a tenth of it with many variables
ROUND, LITTLE = 20, 0.02  # steps of splitting at once, and the part of the gap they gain; ten times it at nodes


def tighten(work: Workspace, aim: float, effort: Effort) -> Scores | None:
    """Lower the bound of a node towards `aim` and fix variables until it is closed or progress is too slow.

    Where no dual point is known yet, steps begin with a few active variables, unless the node falls into small
    parts. They go on by splitting where that applies, from the dual point of the parent if there is one. At a
    root, and where splitting does not apply or ends too soon, all variables are active at last. Returned are
    estimates of the bound with each variable in and out, for the choice of branching variable, or None.
    """
    is_first = work.B is None
    # Where rows have left variables out, those that are left differ: few of them may do.
    at_once = FEW if len(work.variables) < work.cov.n else 2 * FEW
    in_parts = is_first and _has_small_parts(work.Sigma, at_once)
    if is_first and not in_parts:
        _few_active(work, aim, effort)
        if work.is_done(effort):
            return None
    if _is_split(work, is_first=is_first) and not (in_parts and len(work.variables) > 2 * FEW):
        scores = _by_splitting(work, aim, effort, is_first=is_first)
        if work.is_done(effort) or (scores is not None and not is_first):
            return scores
    return _all_active(work, aim, effort)


def _has_small_parts(Sigma: Array, most: int = 2 * FEW) -> bool:
    """Say whether the graph of nonzero entries of Sigma has only components of at most so many variables."""
    m = len(Sigma)
    if m <= most:
        return True
    if np.count_nonzero(Sigma) > most * m:  # too many for such components; quicker than finding them
        return False
    return max(len(part) for part in connected_parts(Sigma)) <= most


def _few_active(work: Workspace, aim: float, effort: Effort) -> None:
    """Tighten with the variables of largest weight active, and more of them if progress is slow."""
    state = _Active.of(work)
    scale = magnitude(work.Sigma, aim)
    smoothing = WIDEST * max((work.proof.bound - aim) / scale, 1e-7)
    for _ in range(effort.stages):
        before, m = work.proof.bound, len(work.variables)
        state.descend(work, scale, smoothing, effort)
        point = active_point(state.variables, state.active, state.B, state.weights)
        screen(work, point, aim, effort.deadline)
        state = state.among(work)  # before any break: after the loop both must have the same variables
        if work.is_closed or effort.deadline.is_over:
            break
        if len(work.variables) < 0.8 * m:
            fix_by_rows(work)
            state = state.among(work)
        # All variables of a small node are active at once, a few more of them where splitting follows.
        most = 2 * FEW if _is_split(work, is_first=True) else FEW
        if work.is_closed or len(work.variables) <= most:
            break
        missing = work.proof.bound - work.target
        if len(work.variables) == m and before - work.proof.bound < 0.1 * missing:
            if 4 * len(state.active) > m:
                break
            state = state.of_size(work, 2 * len(state.active))
        smoothing /= 3
    if not work.is_closed:
        work.B = start_from_weights(work.Sigma, state.weights)  # of the same dual point
        work.B[np.ix_(state.active, state.active)] = state.B


@dataclass(eq=False)
class _Active:
    """Weights of all variables of a node, the active variables, and the matrix B on these."""

    variables: Indices
    weights: Array
    active: Indices
    B: Array

    @classmethod
    def of(cls, work: Workspace) -> _Active:
        nothing = np.zeros(0, dtype=np.int64)
        state = cls(work.variables, work.weights, nothing, np.zeros((0, 0)))
        return state.of_size(work, max(FEW, 2 * work.size.most(FEW)))

    def descend(self, work: Workspace, scale: float, smoothing: float, effort: Effort) -> None:
        self.B, self.weights = descend_active(
            work.Sigma,
            work.is_inside,
            work.size,
            self.active,
            self.B,
            self.weights,
            scale=scale,
            smoothing=smoothing,
            iterations=effort.iterations,
            deadline=effort.deadline,
        )

    def among(self, work: Workspace) -> _Active:
        """Return the state restricted to the variables that the node still has."""
        kept = np.isin(self.variables, work.variables)
        active = kept[self.active]
        left = np.cumsum(kept) - 1
        block = self.B[np.ix_(active, active)]
        return _Active(work.variables, self.weights[kept], left[self.active[active]], block)

    def of_size(self, work: Workspace, count: int) -> _Active:
        rank = self.weights.copy()
        rank[self.active] = np.inf
        active = np.sort(np.argsort(-rank, kind="stable")[:count])
        block = start_from_weights(work.Sigma[np.ix_(active, active)], self.weights[active])
        known = np.isin(active, self.active)
        block[np.ix_(known, known)] = self.B
        return _Active(self.variables, self.weights, active, block)


def _is_split(work: Workspace, *, is_first: bool) -> bool:
    """Say whether a node has one cardinality and no classes, as splitting needs, and enough variables."""
    m = len(work.variables)
    is_plain = not work.size.is_penalised and len(work.size.parts(m)) == 1 and work.size.classes is None
    return m > (FEW if is_first else FEW // 4) and is_plain and 2 <= work.size.most(m) <= m // 2


def _by_splitting(work: Workspace, aim: float, effort: Effort, *, is_first: bool) -> Scores | None:
    """Tighten a node of many variables by splitting, as long as its bound falls or variables go.

    The steps begin at a clipping of Sigma, or at the dual point at hand, and are given up where they end far
    above it. Returned are estimates as by `tighten`, None where other steps are to follow.
    """
    at_hand = None
    if work.B is not None and (not is_first or work.is_inside.any()):
        at_hand = work.B * work.B.T, work.B * work.B
    scale = magnitude(work.Sigma, aim)
    state = Splitting(work.Sigma, work.is_inside, work.size, scale=scale, point=at_hand)
    known, little = work.proof.bound - work.target, LITTLE if at_hand is None else 10 * LITTLE
    while not effort.deadline.is_over:
        variables, before = work.variables, work.proof.bound
        state.advance(ROUND, effort.deadline)
        point = perron_point(variables, *state.point())
        bound, scores = screen(work, point, aim, effort.deadline)
        if work.is_closed or (at_hand is not None and bound - work.target > 2 * known):
            return None
        if len(work.variables) < len(variables):
            fix_by_rows(work)
        kept = np.isin(variables, work.variables)
        work.B = start_from_point(point.P, point.N)[np.ix_(kept, kept)]
        falls = before - work.proof.bound >= little * (work.proof.bound - work.target)
        if work.is_done(effort) or not _is_split(work, is_first=is_first) or (kept.all() and not falls):
            return scores if kept.all() else None
        state.keep(kept, work.is_inside)
    return None


def _all_active(work: Workspace, aim: float, effort: Effort) -> Scores | None:
    """Tighten with all variables active; return the estimates of the last screening."""
    if work.B is None:
        work.B = start_from_weights(work.Sigma, work.weights)
    scale = magnitude(work.Sigma, aim)
    first = WIDEST if _has_small_parts(work.Sigma) else WIDEST / 10
    smoothing = first * max((work.proof.bound - aim) / scale, 1e-7)
    scores = None
    stalled = 0
    for _ in range(effort.stages):
        before = work.proof.bound
        work.B = descend_parts(
            work.Sigma,
            work.is_inside,
            work.size,
            work.B,
            target=work.target,
            scale=scale,
            smoothing=smoothing,
            iterations=effort.iterations,
            enough=ENOUGH,
            deadline=effort.deadline,
        )
        m = len(work.variables)
        _, scores = screen(work, to_point(work.variables, work.B), aim, effort.deadline)
        if not work.is_closed and len(work.variables) < m:
            fix_by_rows(work)
            scores = None
        if work.is_done(effort):
            break
        # Branch when the bound falls by less than a tenth of the missing width in two rounds running.
        missing = work.proof.bound - work.target
        stalled = stalled + 1 if len(work.variables) == m and before - work.proof.bound < 0.1 * missing else 0
        if stalled == 2:
            break
        smoothing /= 3
    return scores
