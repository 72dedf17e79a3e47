r"""Branch and bound over a matrix that dominates Sigma: one variable of each group, or nonnegative loadings.

No feasible support has both variables of a group: entries between them are read as 0. For nonnegative loadings
negative entries are read as 0, and the tree branches on which loadings are positive. Where at most k variables
are left, a bound comes from :math:`\lambda_{\max}(\Sigma_{TT})`, from the same with negative entries raised to
0, or from a vector :math:`w\ge0` on variables that are positive with :math:`\Sigma w\le\tau w` there and
:math:`\Sigma w\le0` elsewhere (docs/theory/beyond.md, Proposition 5); else the node is split further.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from relaxspca.candidates.conditional import conditional
from relaxspca.candidates.portfolio import auto
from relaxspca.candidates.rows import EVALUATED
from relaxspca.certificate import Point, RowsPoint
from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, Indices, eigenvalue_upper, leading_eigenpair, spread
from relaxspca.problem.budgets import OneOfEachSize
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Node
from relaxspca.problem.size import Cardinality
from relaxspca.results.result import Result
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.branch_and_bound import Search, dominating
from relaxspca.search.limits import SearchLimits
from relaxspca.search.node import Expansion, proof_of_support
from relaxspca.search.proof_tree import Proof
from relaxspca.search.run import finished, first_proof

TINY = 1e-11  # relative weight given to a forced variable of weight 0 whose row of Sigma w may be positive


def search_one_of_each(
    cov: Covariance,
    size: OneOfEachSize,
    conditions: Conditions,
    *,
    gap: float,
    limits: SearchLimits,
) -> Result:
    """Find the best support of k variables with at most one of each group, and bound all others.

    A feasible support exists. Entries between two variables of a group are read as 0: no feasible support has
    both variables, and infeasible supports gain nothing by them. A variable forced in leaves the rest of its
    group out.
    """
    bounded = dominating(cov, size.entries)
    first = conditional(bounded, size.k, conditions, auto, deadline=limits.deadline)
    found = _repaired(bounded, size, conditions, first)
    start = Candidate.from_support(cov, found, method=first.method)
    search = _GroupedSearch(
        bounded,
        size,
        start,
        first_proof(bounded, size, "rowsum"),
        gap=gap,
        conditions=conditions,
        own=cov,
        claim_fields={"one_of_each": size.sets},
    )
    return finished(search, limits)


class _GroupedSearch(Search):
    """The search; every proposed support is repaired to have at most one variable of each group."""

    size: OneOfEachSize

    def _consider(self, support: tuple[int, ...]) -> None:
        suggested = Candidate.from_support(self.cov, support)
        if suggested.value <= self.lower:
            return  # the repaired support explains no more
        T = _repaired(self.cov, self.size, self.conditions, suggested)
        found = Candidate.from_support(self.own, T, method="branch and bound")
        self.offer(found, self.worth(found))


def _repaired(cov: Covariance, size: OneOfEachSize, conditions: Conditions, start: Candidate) -> Indices:
    """Keep the variable of largest loading in each group, and add the variables of largest gain up to k."""
    free = conditions.node(cov.n).free
    ranked = sorted(start.indices.tolist(), key=lambda i: -abs(start.loadings[i]))
    T = np.array([*conditions.include, *(i for i in ranked if i not in conditions.include)], dtype=np.int64)
    T = T[size.compatible(T)][: size.k]
    while len(T) < size.k:
        left = free[~np.isin(size.labels[free], size.labels[T])]
        found = Candidate.from_support(cov, T)
        image = cov.matrix[left] @ found.loadings
        rest = np.maximum(found.value - cov.diagonal[left], 1e-12 * abs(found.value) + 1e-300)
        T = np.append(T, left[np.argmax(image**2 / rest)])
    return np.sort(T)


def search_signed(
    cov: Covariance, k: int, start: Candidate, conditions: Conditions, *, gap: float, limits: SearchLimits
) -> Result:
    """Find the best nonnegative vector of at most k variables, and bound all others.

    The conditions exclude variables, and include none.
    """
    raised, size = without_negative(cov), Cardinality(k)
    search = _SignedSearch(
        raised,
        size,
        start,
        first_proof(raised, size, "rowsum"),
        gap=gap,
        conditions=conditions,
        own=cov,
        claim_fields={"nonnegative": True},
    )
    return finished(search, limits)


def nonnegative_start(cov: Covariance, k: int, conditions: Conditions, deadline: Deadline) -> Candidate:
    """Return the best nonnegative vector on a support of the raised matrix.

    Examples
    --------
    >>> cov = Covariance([[2.0, -1.0, 0.5], [-1.0, 2.0, 0.0], [0.5, 0.0, 1.0]])
    >>> nonnegative_start(cov, 2, Conditions(), Deadline.after(None)).indices.tolist()
    [0, 2]
    """
    allowed = conditions.node(cov.n).variables
    block = cov.restrict(allowed.tolist())
    T = auto(without_negative(block), k, deadline=deadline.part(2)).indices
    x = best_nonnegative(block.submatrix(T), enough=math.inf)
    return Candidate.from_loadings(cov, spread(x, allowed[T], cov.n), method="nonnegative")


def without_negative(cov: Covariance) -> Covariance:
    """Return Sigma with its negative covariances replaced by 0."""
    return dominating(cov, lambda S: np.where(np.eye(len(S), dtype=bool), S, np.maximum(S, 0.0)))


class _SignedSearch(Search):
    """The search for nonnegative vectors."""

    size: Cardinality

    def read_with(self, points: Sequence[Point]) -> float:
        """Return the largest entry that the checker reads, also of what points take off Sigma."""
        taken_off = (np.abs(self._negative(point)).max(initial=0.0) for point in points)
        return max(super().read_with(points), *map(float, taken_off), 0.0)

    def point(self, point: Point) -> Point:
        """Add the negative entries of Sigma to P, so that Sigma - P equals the raised matrix less the old P."""
        if not isinstance(point, RowsPoint) or point.P is None:
            return point
        return replace(point, P=point.P + self._negative(point))

    def _negative(self, point: Point) -> Array:
        """Return the negative entries of Sigma off its diagonal, the others 0, where a point has P."""
        if not isinstance(point, RowsPoint) or point.P is None:
            return np.zeros((0, 0))
        lowered = np.minimum(self.own.submatrix(point.variables if point.paid is None else point.paid), 0.0)
        np.fill_diagonal(lowered, 0.0)
        return lowered

    def _consider(self, support: tuple[int, ...]) -> None:
        T = np.array(support, dtype=np.int64)
        if eigenvalue_upper(self.own.submatrix(T), self.own.rounding(T)) <= self.lower:
            return
        found = self._best_on(T)
        self.offer(found, self.worth(found))

    def _best_on(self, T: Indices) -> Candidate:
        """Return a nonnegative vector on T; the best one if it may improve the incumbent."""
        x = best_nonnegative(self.own.submatrix(T), enough=self.lower)
        return Candidate.from_loadings(self.own, spread(x, T, self.own.n), method="nonnegative")

    def _absorb(self, at: int, outcome: Expansion) -> None:
        super()._absorb(at, self._with_own_bound(outcome))

    def _with_own_bound(self, outcome: Expansion) -> Expansion:
        """Return an outcome whose leaves of one support have a bound for Sigma, as their rule requires."""
        if outcome.division is not None:
            ends = tuple((at, self._with_own_bound(end)) for at, end in outcome.division.ends)
            return replace(outcome, division=replace(outcome.division, ends=ends))
        if outcome.last is None or outcome.proof.kind not in ("support", "void"):
            return outcome
        return replace(outcome, proof=self._block_proof(outcome.last))

    def _close(self, at: int, outcome: Expansion) -> None:
        """Split a node that has at most k variables until each part is closed."""
        waiting = [(at, outcome.last)]
        while waiting:
            at, node = waiting.pop()
            if node is None or self.tree.proof(at).bound <= self.target or self.deadline.is_over:
                super()._close(at, outcome)
                continue
            node = self._bounded(node)
            branch = self._close_or_branch(at, node)
            if branch is None or len(node.variables) > self.size.k:
                super()._close(at, outcome)
                continue
            children = zip(self.tree.split(at, branch), self.size.halves(node, branch), strict=True)
            waiting += reversed(list(children))

    def _bounded(self, node: Node) -> Node:
        """Return the node, without its free variables if k are forced in already."""
        return Node(node.inside, node.free[:0]) if len(node.inside) == self.size.k else node

    def _block_proof(self, node: Node) -> Proof:
        """Bound a node by the largest eigenvalue of its block, plain or with negative entries set to 0."""
        T = self._bounded(node).variables
        plain, block = proof_of_support(self.own, self.size, T), self.own.submatrix(T)
        if plain.bound <= self.target or not (block < 0).any():
            return plain
        lifted = eigenvalue_upper(self.cov.submatrix(T), self.cov.rounding(T))
        nothing = np.zeros(block.shape)
        return min(plain, Proof("perron", RowsPoint(T, nothing, nothing), lifted), key=lambda p: p.bound)

    def _close_or_branch(self, at: int, node: Node) -> int | None:
        """Improve the proof of a node; return a free variable to split it on if it stays open."""
        self.tree.improve(at, self._block_proof(node))
        if self.tree.proof(at).bound <= self.target:
            return None
        T = node.variables
        best = self._best_on(T)
        self.offer(best, self.worth(best))
        missing = np.intersect1d(best.indices, node.free)
        if len(missing):
            return int(missing[np.argmax(best.loadings[missing])])
        proof, border = self._collatz(node, best)
        if proof is not None:
            self.tree.improve(at, proof)
        if self.tree.proof(at).bound <= self.target:
            return None
        free = np.intersect1d(border, node.free)
        return int(free[0]) if len(free) else int(node.free[0]) if len(node.free) else None

    def _collatz(self, node: Node, best: Candidate) -> tuple[Proof | None, Indices]:
        """Bound a node by a vector w on forced variables; return the variables with (Sigma w)_i above 0."""
        T = node.variables
        Sigma, w = self.own.submatrix(T), best.loadings[T].copy()
        is_on, is_forced = w > 0, node.is_inside
        image, error = self._image(Sigma, w, T)
        near = ~is_on & is_forced & (image + error > 0)
        w[near] = TINY * w.max()
        is_on |= near
        image, error = self._image(Sigma, w, T)
        is_negative = (Sigma[:, is_on] <= 0).all(axis=1) & (self.own.rounding(T) == 0)
        against = ~is_on & ~is_negative & (image + error > 0)
        if against.any() or not (is_on <= is_forced).all():
            return None, T[against]
        bound = float(((image + error)[is_on] / w[is_on]).max())
        bound += 8 * UNIT_ROUNDOFF * abs(bound)
        return Proof("collatz", RowsPoint(T[is_on], weights=w[is_on]), bound), T[against]

    def _image(self, Sigma: Array, w: Array, T: Indices) -> tuple[Array, Array]:
        """Return Sigma w and a bound on its rounding error, here and in the checker."""
        off = 8 * (len(w) + 8) * UNIT_ROUNDOFF * (np.abs(Sigma) @ w) + 2.0**-1060
        return Sigma @ w, off + 2 * self.own.rounding(T) * np.linalg.norm(w)


def best_nonnegative(Sigma: Array, enough: float = -math.inf) -> Array:
    r"""Return a unit vector x >= 0 of largest x'Sigma x on few variables, in floating point.

    Subsets whose largest eigenvalue is at most `enough` are not divided further.

    Notes
    -----
    Let x be a maximiser that is positive on all of S and 0 elsewhere. Then :math:`x_S` is a leading
    eigenvector of :math:`\Sigma_{SS}`: it is a local maximum of the Rayleigh quotient on the sphere,
    which has no local maxima but the global ones. So the value on T is
    :math:`\lambda_{\max}(\Sigma_{TT})` at most, and where a leading eigenvector has entries of both signs
    the maximum is the largest over the subsets with one variable fewer.

    Examples
    --------
    >>> best_nonnegative(np.array([[2.0, -1.0], [-1.0, 3.0]])).tolist()
    [0.0, 1.0]
    """
    k = len(Sigma)
    best, value = np.zeros(k), -math.inf
    level, count = {tuple(range(k))}, 0
    while level:
        count += len(level)
        following: set[tuple[int, ...]] = set()
        for S in sorted(level):
            block = Sigma[np.ix_(S, S)]
            top, vector = leading_eigenpair(block)
            clipped = np.maximum(vector if vector.sum() > 0 else -vector, 0.0)
            clipped /= np.linalg.norm(clipped)
            here = float(clipped @ block @ clipped)
            if here > value:
                value, best = here, np.zeros(k)
                best[list(S)] = clipped
            is_mixed = vector.min() < -1e-9 and vector.max() > 1e-9
            if is_mixed and top > max(enough, value) and count < EVALUATED:
                following.update(combinations(S, len(S) - 1))
        level = following
    return best
