"""Components that may overlap, by a random local search from rotations of the leading eigenvectors."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from relaxspca.candidates.several.alternation import alternated, best_given_others
from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.candidates.several.exchanges import exchanged_together
from relaxspca.candidates.several.stiefel_newton import improved_together
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.errors import counted
from relaxspca.numerics.linalg import FEW, Array, Indices
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.progress import say

STALE = 10  # starts a component without a better set: the search begins anew
MOVED = 4  # most variables exchanged, and most components turned, at random
NOISE = 0.1  # added to the loadings of changed components, so that new variables have some


class InterruptedSearch(KeyboardInterrupt):
    """Ctrl-C in a search, with the best components by then."""

    def __init__(self, table: CandidateSet | None) -> None:
        self.table = table


Begin = tuple[list[Indices], Array]  # supports, and vectors that are not orthogonal yet
Found = tuple[float, list[Indices], Array]  # sum of variances, supports, (n, r) orthonormal vectors


def overlapping_set(
    cov: Covariance, sizes: Sequence[int], *, deadline: Deadline = FOREVER
) -> CandidateSet | None:
    """Return the best components of a random local search, which may overlap; None where no start led to any.

    Where components use many variables together, the span of the leading eigenvectors has bases that are nearly
    sparse. A start takes the largest entries of such a basis, or changes the last components at random: a few
    variables are exchanged, or some components are turned in their span. Ctrl-C raises `InterruptedSearch`.

    Examples
    --------
    >>> import relaxspca as rs
    >>> table = overlapping_set(rs.datasets.load_pitprops(), [4, 4])
    >>> round(table.lower, 4)  # the best of all pairs of supports
    5.2552
    """
    seen = list[Found]()
    try:
        if len(sizes) <= cov.n:
            _search(cov, sizes, seen, deadline)
    except KeyboardInterrupt:
        raise InterruptedSearch(_table(cov, seen)) from None
    return _table(cov, seen)


def _table(cov: Covariance, seen: Sequence[Found]) -> CandidateSet | None:
    return None if not seen else CandidateSet.on(cov, seen[-1][1], start=seen[-1][2], is_quick=True)


def _search(cov: Covariance, sizes: Sequence[int], seen: list[Found], deadline: Deadline) -> None:
    """Search from one start after another; every set better than those before is added to `seen`."""
    r, rng = len(sizes), np.random.default_rng(0)
    vectors = leading_eigenpairs(cov, r)[1]
    now: Found | None = None
    stale = improved = 0
    is_small = vectors.size <= FEW  # else half of the starts are rotations, of which entries are truncated
    for at in itertools.count():
        if at > improved + (2 if is_small else 10) * STALE * r or (at and deadline.is_over):
            break
        is_rotated = at % 2 == 1 and not is_small
        known = f": best total variance so far {seen[-1][0]:.6g}" if seen else ""
        say(f"Searching for {counted(r, 'component')} (start {at + 1}){known}", passing=True)
        begin = _rotated(vectors, sizes, rng) if now is None or is_rotated else _changed(now, cov.n, rng)
        found = (_truncated if is_rotated else _climbed)(cov.matrix, begin, deadline)
        stale += 1
        if found is None:
            continue
        if not seen or _is_better(found, seen[-1]):
            seen.append(found)
            improved = at
        if now is None or _is_better(found, now):
            now, stale = found, 0
        elif stale > STALE * r:
            now, stale = None, 0


def _is_better(found: Found, other: Found) -> bool:
    return found[0] > other[0] + RELATIVE_WIDTH * abs(other[0])


def _rotated(vectors: Array, sizes: Sequence[int], rng: np.random.Generator) -> Begin:
    """Return where a random rotation of vectors has its largest entries, and the rotated vectors."""
    turned = vectors @ np.linalg.qr(rng.normal(size=(len(sizes),) * 2))[0]
    largest = np.argsort(-np.abs(turned), axis=0, kind="stable")
    return [np.sort(column[:size]) for column, size in zip(largest.T, sizes, strict=True)], turned


def _changed(table: Found, n: int, rng: np.random.Generator) -> Begin:
    """Return components after a random change: of a few variables, or of some components by a rotation."""
    _, supports, X = table
    new, Y = list(supports), X + NOISE * rng.normal(size=X.shape)
    if len(new) > 1 and rng.random() < 0.5:
        chosen = rng.choice(len(new), int(rng.integers(2, min(len(new), MOVED) + 1)), replace=False)
        some, Y[:, chosen] = _rotated(X[:, chosen], [len(new[t]) for t in chosen], rng)
        for t, support in zip(chosen, some, strict=True):
            new[t] = support
        return new, Y
    for t in rng.integers(len(new), size=int(rng.integers(2, MOVED + 1))):
        new[t] = _exchanged(new[t], n, rng)
    return new, Y


def _exchanged(support: Indices, n: int, rng: np.random.Generator) -> Indices:
    """Return a support with one variable exchanged at random, where there is another."""
    outside = np.setdiff1d(np.arange(n), support)
    if len(outside) == 0:
        return support
    kept = np.delete(support, int(rng.integers(len(support))))
    return np.sort(np.append(kept, rng.choice(outside)))


def _climbed(Sigma: Array, begin: Begin, deadline: Deadline) -> Found | None:
    """Return the components that a start leads to, variables exchanged while that helps."""
    supports, X = begin
    table = improved_together(Sigma, X, supports) if X.size <= 2 * FEW else None
    if table is None:
        return _truncated(Sigma, begin, deadline)
    while not deadline.is_over:
        better = exchanged_together(Sigma, table)
        if better is None:
            break
        table = better
    return table.value, list(table.supports), table.X


def _truncated(Sigma: Array, begin: Begin, deadline: Deadline) -> Found | None:
    """Let every component keep its largest entries of Sigma x, less what the others explain, while that helps.

    A step costs a product with Sigma: hundreds of starts where estimates of all exchanges would take as long.
    """
    supports = list(begin[0])
    X = alternated(Sigma, supports)
    while X is not None:
        before = float(np.vdot(X, Sigma @ X))
        for t, support in enumerate(supports):
            others = np.delete(X, t, axis=1)
            Q, y = np.linalg.qr(others)[0], Sigma @ X[:, t]
            y = y - Q @ (Q.T @ y)
            found = np.sort(np.argsort(-np.abs(y), kind="stable")[: len(support)])
            x = best_given_others(Sigma, others, found)
            if x is not None and x @ Sigma @ x > X[:, t] @ Sigma @ X[:, t]:
                X[:, t], supports[t] = x, found
        value = float(np.vdot(X, Sigma @ X))
        if value <= before + RELATIVE_WIDTH * abs(before) or deadline.is_over:
            return value, supports, X
    return None
