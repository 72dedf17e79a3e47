r"""Supports for the largest ratio of two quadratic forms: greedy, backward, truncated gradient, swaps.

With mu the ratio of a support, another support has a larger one if and only if the largest eigenvalue of its
block of A - mu B is above 0. So swaps are those of the single matrix A - mu B.
"""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.local_search import swap_until_best
from relaxspca.numerics.linalg import HALVINGS, Array, Indices, spread
from relaxspca.problem.budgets import OneOfEachSize
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.pencil import QuadraticForms
from relaxspca.problem.size import Size
from relaxspca.runtime.deadline import FOREVER, Deadline

JITTER = 1e-13  # added to a diagonal near 1, so that a singular block has a Cholesky factor


class _FeasibleSupports:
    """The feasible supports: variables inside, and parts of the free variables with a cardinality each."""

    def __init__(self, n: int, size: Size, conditions: Conditions) -> None:
        node = size.fixed(conditions.node(n), conditions.inside, conditions.inside[:0])
        self.inside, self.free = node.inside, node.free
        self.labels = size.labels if isinstance(size, OneOfEachSize) else np.arange(n)
        self.has_groups = isinstance(size, OneOfEachSize)
        self.parts = [
            (np.intersect1d(part, node.free), k - len(np.intersect1d(part, node.inside)))
            for part, k in size.parts(n)
        ]

    def filled(self, worth: Array) -> Indices:
        """Return the support of the variables inside and the free ones of largest worth."""
        chosen = []
        for free, room in self.parts:
            ranked = free[np.argsort(-worth[free], kind="stable")]
            first = np.sort(np.unique(self.labels[ranked], return_index=True)[1])
            chosen.append(ranked[first][:room])
        return np.sort(np.concatenate([self.inside, *chosen])).astype(np.int64)

    def open_to(self, support: Indices) -> Indices:
        """Return the variables that can be added to a support."""
        parts = [
            free[~np.isin(self.labels[free], self.labels[support])]
            for free, room in self.parts
            if len(np.intersect1d(free, support)) < room
        ]
        return np.concatenate([support[:0], *parts])

    def too_many(self, support: Indices) -> list[tuple[Indices, int]]:
        """Return, for each part above its cardinality, its free variables and how many are too many."""
        held = [(np.intersect1d(free, support), room) for free, room in self.parts]
        return [(found, len(found) - room) for found, room in held if len(found) > room]


def best_support(
    pencil: QuadraticForms, size: Size, conditions: Conditions = NONE, *, deadline: Deadline = FOREVER
) -> tuple[Indices, str]:
    """Return the best support found by several heuristics, and the name of the heuristic.

    After the deadline it is the best so far, at first the variables of largest single ratios.

    Examples
    --------
    >>> from relaxspca.problem.pencil import MatrixPencil
    >>> from relaxspca.problem.size import Cardinality
    >>> found = best_support(MatrixPencil(np.diag([1.0, 4.0, 3.0]), np.diag([1.0, 2.0, 1.0])), Cardinality(1))
    >>> found[0].tolist()
    [2]
    """
    places = _FeasibleSupports(pencil.n, size, conditions)
    methods = {"greedy": _greedy, "truncated power": _truncated_power}
    if not places.has_groups:
        methods["backward"] = _backward
    best, name, value = places.filled(_own_ratios(pencil)), "single ratios", -np.inf
    for method, propose in methods.items():
        # All but greedy growth begin with the leading pair of the whole forms: two decompositions and products.
        if not deadline.allows(pencil.n, times=0 if method == "greedy" else 3):
            break
        found = propose(pencil, places, deadline)
        support = swapped_support(pencil, found, conditions, size, deadline=deadline)
        ratio = pencil.fitted(support)[0]
        if ratio > value:
            best, name, value = support, method, ratio
    return best, name


def swapped_support(
    pencil: QuadraticForms,
    support: Indices,
    conditions: Conditions,
    size: Size,
    *,
    deadline: Deadline = FOREVER,
) -> Indices:
    """Improve a support by best swaps, each within one part of the variables, until the deadline."""
    support = np.sort(support)
    places = _FeasibleSupports(pencil.n, size, conditions)
    value = pencil.fitted(support)[0]
    while len(support) < pencil.n and np.isfinite(value) and not deadline.is_over:  # it rises at every swap
        M = pencil.A - value * pencil.B
        trials = [_exchanged(M, support, places)] if places.has_groups else []
        for part, _ in () if places.has_groups else places.parts:
            free = np.isin(np.arange(pencil.n), part)
            trials.append(swap_until_best(M.__getitem__, np.diagonal(M), support, max_swaps=1, free=free))
        fits = [(pencil.fitted(trial)[0], trial) for trial in trials]
        found, trial = max(fits, key=lambda fit: fit[0])
        if found <= value:
            return support
        support, value = trial, found
    return support


def _exchanged(M: Array, support: Indices, places: _FeasibleSupports) -> Indices:
    """Return the support of largest eigenvalue one exchange away, or with one variable more, or the same."""
    rests = [support[support != i] for i in np.setdiff1d(support, places.inside)]
    trials = [np.append(rest, j) for rest in rests for j in places.open_to(rest)]
    trials = [np.append(support, j) for j in places.open_to(support)] or trials
    if not trials:
        return support
    chosen = np.sort(np.array(trials), axis=1)
    values = np.linalg.eigvalsh(M[chosen[:, :, None], chosen[:, None, :]])[:, -1]
    return np.asarray(chosen[int(np.argmax(values))])


def _own_ratios(pencil: QuadraticForms) -> Array:
    """Return A_ii / B_ii, the ratio of each variable alone."""
    return np.asarray(np.diagonal(pencil.A) / np.maximum(np.diagonal(pencil.B), np.finfo(float).tiny))


def _greedy(pencil: QuadraticForms, places: _FeasibleSupports, deadline: Deadline) -> Indices:
    """Add the variable of largest ratio until the support is full; after the deadline fill it at once."""
    support = places.inside
    while len(outside := places.open_to(support)):
        if deadline.is_over:
            worth = _own_ratios(pencil)
            worth[support] = np.inf
            return places.filled(worth)
        trials = np.column_stack([np.tile(support, (len(outside), 1)), outside]).astype(np.int64)
        rows, columns = trials[:, :, None], trials[:, None, :]
        values = _ratios(pencil.A[rows, columns], pencil.B[rows, columns])
        support = trials[int(np.argmax(values))]
    return np.sort(support)


def _ratios(A: Array, B: Array) -> Array:
    """Return the largest ratio of each pair of blocks in two stacks."""
    factor = np.linalg.cholesky(B + JITTER * np.eye(B.shape[-1]))
    half = np.linalg.solve(factor, A)
    inner = np.linalg.solve(factor, np.swapaxes(half, -1, -2))
    return np.asarray(np.linalg.eigvalsh((inner + np.swapaxes(inner, -1, -2)) / 2)[..., -1])


def _backward(pencil: QuadraticForms, places: _FeasibleSupports, deadline: Deadline) -> Indices:
    """Remove the variables of least use to the leading vector, an eighth of the excess at a time."""
    support = np.union1d(places.inside, places.free)
    while excess := places.too_many(support):
        block = np.ix_(support, support)
        worth = np.full(pencil.n, np.inf)
        _, x = pencil.fitted(support)
        inverse = np.diagonal(np.linalg.pinv(pencil.B[block], hermitian=True))
        worth[support] = x**2 / np.maximum(inverse, 1e-300)
        for held, count in excess:
            dropped = count if deadline.is_over else max(1, count // 8)
            support = np.setdiff1d(support, held[np.argsort(worth[held], kind="stable")[:dropped]])
    return support


def _truncated_power(pencil: QuadraticForms, places: _FeasibleSupports, deadline: Deadline) -> Indices:
    """Take gradient steps on the ratio, truncated to the largest entries (Tan et al. 2018)."""
    step = 1.0 / max(float(np.abs(pencil.B).sum(axis=1).max()), 1e-300)
    support = np.union1d(places.inside, places.free)
    x = spread(pencil.fitted(support)[1], support, pencil.n)
    for _ in range(HALVINGS):
        form, unit = float(x @ pencil.A @ x), float(x @ pencil.B @ x)
        if form <= 0 or unit <= 0 or deadline.is_over:
            break
        moved = x + step * (unit / form * (pencil.A @ x) - pencil.B @ x)
        chosen = places.filled(np.abs(moved))
        if np.array_equal(chosen, support):
            break
        support = chosen
        x = spread(pencil.fitted(support)[1], support, pencil.n)
    return places.filled(np.abs(x))
