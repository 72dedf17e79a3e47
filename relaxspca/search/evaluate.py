"""Evaluate one node: balanced row sums, the Perron dual when that pays, and variables fixed by both."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from relaxspca.certificate import PerronPoint, WeightsPoint
from relaxspca.numerics.linalg import (
    UNIT_ROUNDOFF,
    Array,
    eigenvalue_upper,
    is_proved_below,
    leading_eigenpair,
    magnitude,
    norm_upper,
)
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices, Node
from relaxspca.problem.size import RowTotals, Size
from relaxspca.relaxations.perron.minimise import start_from_weights, to_point
from relaxspca.relaxations.perron.parts import connected_parts, descend_parts
from relaxspca.relaxations.perron.weights import balance, forced_bounds
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.threads import one_thread
from relaxspca.search.node import Expansion, OpenNode, Workspace
from relaxspca.search.proof_tree import Proof

__all__ = ["Effort", "expand"]


@dataclass(frozen=True)
class Effort:
    """How hard to try at one node before branching.

    Attributes
    ----------
    stages : most rounds of quasi-Newton steps on the Perron dual; 0 leaves it at row sums.
    iterations : quasi-Newton iterations a round.
    smallest : nodes with fewer variables than this are branched rather than tightened.
    deadline : when to stop.
    """

    stages: int = 3
    iterations: int = 25
    smallest: int = 4
    deadline: Deadline = FOREVER


def expand(
    cov: Covariance, size: Size, node: OpenNode, proof: Proof, lower: float, target: float, effort: Effort
) -> Expansion:
    """Bound a node, fix what can be fixed, and say what to branch on if it stays open.

    Parameters
    ----------
    cov : Covariance.
    size : Cardinality or Penalty.
    node : OpenNode to evaluate.
    proof : the proof that it inherits.
    lower : value of the incumbent (variance).
    target : bound at which a node is closed, at least `lower` (variance).
    effort : Effort.

    Returns
    -------
    Expansion
    """
    work = Workspace(cov, size, target, Node(node.inside, node.free), node.weights, proof, node.B)
    if work.is_closed:
        return Expansion((), work.proof, None, None, tuple(work.supports), work.here)
    with one_thread(len(work.variables)):
        return _evaluated(work, node, lower, effort)


def _evaluated(work: Workspace, node: OpenNode, lower: float, effort: Effort) -> Expansion:
    scores = _row_sums(work)
    late = effort.deadline.is_over
    if not work.is_closed and effort.stages and not late and len(work.variables) >= effort.smallest:
        strong = _perron(work, lower, effort)
        scores = strong if strong is not None else scores
    if work.is_closed:
        return Expansion(tuple(work.fixings), work.proof, None, None, tuple(work.supports), work.here)
    if effort.deadline.is_over and node.depth == 0:
        # A root is given all the time there is: taken up again, it goes on where it stopped.
        return Expansion(tuple(work.fixings), work.proof, work.node(0), None, tuple(work.supports))
    branch = _branch(work, scores)
    return Expansion(tuple(work.fixings), work.proof, work.node(node.depth + 1), branch, tuple(work.supports))


def _row_sums(work: Workspace) -> tuple[Array, Array]:
    """Fix variables by row sums until nothing moves; return the bounds with each variable in and out."""
    while True:
        found = balance(
            work.Sigma, work.is_inside, work.size, weights=work.weights, iterations=8, rounding=work.rounding
        )
        work.weights = found.weights
        with_i, without_i = forced_bounds(work.Sigma, work.is_inside, work.size, found, rounding=work.rounding)
        point = WeightsPoint(variables=work.variables, weights=found.weights)
        if work.improve(Proof("rowsum", point, float(found.bound))):
            return with_i, without_i
        if not work.fix(with_i, without_i, "rowsum", point) or work.is_closed:
            return with_i, without_i


def _perron(work: Workspace, lower: float, effort: Effort) -> tuple[Array, Array] | None:
    """Tighten the Perron dual in stages of decreasing smoothing, fixing variables after each."""
    if work.B is None:
        work.B = start_from_weights(work.Sigma, work.weights)
    scale = magnitude(work.Sigma, lower)
    smoothing = 0.3 * max((work.proof.bound - lower) / scale, 1e-7)
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
            deadline=effort.deadline,
        )
        m = len(work.variables)
        scores = _screen(work, to_point(work.variables, work.B), lower, effort.deadline)
        if not work.is_closed and len(work.variables) < m:
            _row_sums(work)
            scores = None
        if work.is_closed or len(work.variables) < effort.smallest or effort.deadline.is_over:
            break
        # Branch when the bound creeps: less than a tenth of what is missing in two rounds running.
        missing = work.proof.bound - work.target
        stalled = stalled + 1 if len(work.variables) == m and before - work.proof.bound < 0.1 * missing else 0
        if stalled == 2:
            break
        smoothing /= 3
    return scores


def _screen(work: Workspace, point: PerronPoint, lower: float, deadline: Deadline) -> tuple[Array, Array]:
    """Evaluate a Perron point rigorously, fix variables by it, and estimate the bounds with each in and out."""
    m = len(work.variables)
    prices = work.size.row_prices(point.N, work.is_inside)
    c = work.size.proved_totals(prices)
    M = work.Sigma - point.P
    base = M + np.diag(c)
    rounding = work.rounding + 4 * UNIT_ROUNDOFF * (
        norm_upper(work.Sigma) + norm_upper(point.P) + float(np.abs(c).max()) + norm_upper(base)
    )
    value, u = leading_eigenpair(base)
    work.note_support(value, u)
    if work.improve(Proof("perron", point, eigenvalue_upper(base, rounding))):
        return np.full(m, value), np.full(m, value)
    loss, gain = _changes(point.N, prices)
    # First order in the leading eigenvector: an estimate from below, so what fails here need not be tried.
    with_i = value - loss.T @ u**2
    without_i = _without(base, gain, u)
    levels = [level for level in (lower, work.target) if level <= work.target]
    proved_with, proved_without = np.full(m, np.inf), np.full(m, np.inf)
    parts = connected_parts(base)
    for i in np.flatnonzero(~work.is_inside & (with_i <= work.target)):
        if deadline.is_over:
            break
        proved_with[i] = _least_proved(base, loss[:, i], parts, levels, rounding)
    for i in np.flatnonzero(~work.is_inside & (proved_with > work.target) & (without_i <= work.target)):
        if deadline.is_over:
            break
        rest = [part[part != i] for part in parts]
        proved_without[i] = _least_proved(base, gain[:, i], rest, levels, rounding)
    work.fix(proved_with, proved_without, "perron", point)
    return with_i, without_i


def _least_proved(
    base: Array, lowered: Array, parts: list[Indices], levels: list[float], rounding: float
) -> float:
    """Return the first level that every part of base - Diag(lowered) is proved to be below, or infinity.

    The largest eigenvalue of a matrix that is zero between its parts is the largest of theirs.
    """
    blocks = []
    for part in parts:
        if len(part):
            block = base[np.ix_(part, part)]
            block[np.diag_indices_from(block)] -= lowered[part]
            blocks.append(block)
    return next((v for v in levels if all(is_proved_below(block, v, rounding) for block in blocks)), np.inf)


def _changes(N: Array, prices: RowTotals) -> tuple[Array, Array]:
    """Return what row j saves, entry (j, i), when variable i is forced in and when it is left out."""
    loss = np.maximum(prices.least[:, None] - N, 0.0)
    gain = np.where(prices.least[:, None] <= N, np.maximum(N - prices.following[:, None], 0.0), 0.0)
    np.fill_diagonal(loss, 0.0)
    np.fill_diagonal(gain, 0.0)
    return loss * (1 - 2.0**-50), gain * (1 - 2.0**-50)


def _without(base: Array, gain: Array, u: Array) -> Array:
    """Return the Rayleigh quotient of u without its entry i, for every i, once row prices have changed."""
    form = float(u @ base @ u)
    products = base @ u
    numerator = form - 2 * u * products + u**2 * np.diagonal(base) - gain.T @ u**2
    return np.asarray(numerator / np.maximum(1 - u**2, 1e-12))


def _branch(work: Workspace, scores: tuple[Array, Array]) -> int:
    """Choose the free variable that lowers both children most (product rule)."""
    with_i, without_i = scores
    if len(with_i) != len(work.variables):
        found = balance(work.Sigma, work.is_inside, work.size, weights=work.weights, iterations=1)
        with_i, without_i = forced_bounds(work.Sigma, work.is_inside, work.size, found)
    top = max(work.proof.bound, float(np.max(with_i)), float(np.max(without_i[~work.is_inside])))
    tiny = 1e-6 * abs(top) + 1e-300
    # In a unit of their size, so that the product stays in the floating range.
    down, up = (np.ldexp(top - value + tiny, -math.frexp(top)[1]) for value in (with_i, without_i))
    merit = down * up
    merit[work.is_inside] = -np.inf
    return int(work.variables[int(np.argmax(merit))])
