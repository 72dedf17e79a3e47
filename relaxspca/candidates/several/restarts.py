"""Tables whose supports may overlap, from many random rotations of the leading eigenvectors."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from relaxspca.candidates.several.alternation import alternated, best_given_others
from relaxspca.candidates.several.best_so_far import Start, remember
from relaxspca.candidates.several.exchanges import exchanged_together, two_exchanged_together
from relaxspca.candidates.several.stiefel_newton import StiefelNewton, improved_together
from relaxspca.candidates.several.swaps import best_swap
from relaxspca.candidates.several.table import CandidateTable
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.errors import counted
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.progress import say

__all__ = ["restarted_table", "table_of", "walked"]

SMALL = 40  # variables up to which starts exchange variables one by one,
ENTRIES = 300  # and loadings: those steps take the cube of them
LARGE = 200  # starts where there are more
MOST = 60  # starts, times the square of the number of components
STALE = 10  # the same, without a better table, after which it is given up
WORK = 10_000  # those times the number of loadings, at most
AGAIN = 150  # the same, after which the walk begins anew
WORSE = 3e-3  # of the sum of variances, by which the next table of the walk is often worse
NEAR = 1e-6  # of what dense components explain: a table so near to it is good enough
PASSES = 50
GROWN = 3  # components above which the first table is the best one of one component less, and one more
NOISE = 0.1  # added to the loadings of a changed table, so that new variables have some
GAIN = 1e-8  # relative gain for which a table is left
MOVED = 4  # most variables exchanged, and most components turned, at random

Begin = tuple[list[Indices], Array]  # supports, and vectors that are not orthogonal yet


def restarted_table(
    cov: Covariance,
    sizes: Sequence[int],
    *,
    deadline: Deadline = FOREVER,
    rng: np.random.Generator | None = None,
    seen: list[Start] | None = None,
) -> CandidateTable | None:
    """Return the best table from random rotations of the leading eigenvectors, supports as they come.

    Where components use many variables together, the span of the leading eigenvectors has bases that are nearly
    sparse. A start takes the largest entries of such a basis, or changes a table: a few variables are
    exchanged at random, a component gets nearly the support of another, or some components are turned in their
    span. Among few variables the best of the exchanges of one variable follows, again and again, while all
    components turn with it, and the table that is changed next is often a worse one. The best table of all is
    left for two exchanges at once, too.

    Parameters
    ----------
    cov : Covariance of n variables.
    sizes : cardinalities of 2 components or more.
    deadline : when to stop.
    rng : of the starts.
    seen : as in `walked`.

    Returns
    -------
    CandidateTable or None
        None where no start led to orthonormal vectors.

    Examples
    --------
    >>> import relaxspca as rs
    >>> table = restarted_table(rs.datasets.load_pitprops(), [4, 4])
    >>> round(table.lower, 4)  # the best of all pairs of supports
    5.2552
    """
    best = walked(cov, sizes, deadline=deadline, rng=rng or np.random.default_rng(0), seen=seen)
    if best is not None and _is_small(cov, sizes):
        found = _climbed(cov.matrix, best[1:], set(), deadline, may_take_two=True)
        best = best if found is None else max(best, found, key=lambda start: start[0])
    return None if best is None else table_of(cov, best)


def table_of(cov: Covariance, start: Start) -> CandidateTable | None:
    """Return the orthonormal table of what a walk met, or None where there is none."""
    return CandidateTable.on(cov, start[1], start=start[2], is_quick=True)


def walked(
    cov: Covariance,
    sizes: Sequence[int],
    *,
    first: list[Indices] | None = None,
    deadline: Deadline = FOREVER,
    rng: np.random.Generator,
    seen: list[Start] | None = None,
) -> Start | None:
    """Return the best sum of variances met on a walk, its supports and vectors.

    Parameters
    ----------
    cov, sizes, deadline, rng : as in `restarted_table`.
    first : supports to begin with.
    seen : a list to which each best one so far is added, see `seen.remember`.
    """
    r, is_small = len(sizes), _is_small(cov, sizes)
    if r > cov.n:
        return None
    values, vectors = leading_eigenpairs(cov, r)
    enough = (1 - NEAR) * float(values.sum())
    most, patience = LARGE, LARGE
    if is_small:
        most, patience = MOST * r * r, max(2 * r, min(STALE * r * r, WORK // sum(sizes)))
    best: Start | None = None
    now = _grown(cov, sizes, deadline, rng) if is_small and r > GROWN else None
    stale, waiting = 0, 0
    left: set[Hashable] = set()
    for at in range(most):
        if stale >= patience or (at and deadline.is_over) or (best is not None and best[0] >= enough):
            break
        known = "" if best is None else f": best total variance so far {best[0]:.6g}"
        say(f"Searching for {counted(r, 'component')} (restart {at + 1}){known}", passing=True)
        if at == 0 and first is not None:
            begin = list(first), np.zeros((cov.n, r))
        elif now is None or (not is_small and at % 2):
            begin = rotated(vectors, sizes, rng)
        else:
            begin = _changed(now, cov.n, rng) if is_small else (_moved(now[1], cov.n, rng), now[2])
        found = (
            _climbed(cov.matrix, begin, left, deadline)
            if is_small
            else _truncated(cov.matrix, begin[0], deadline)
        )
        stale, waiting = stale + 1, waiting + 1
        if found is None:
            continue
        if best is None or found[0] > best[0] + 1e-9 * abs(best[0]):
            best, stale = found, 0
            remember(seen, *found)
        if now is None or found[0] > now[0] + 1e-9 * abs(now[0]):
            now, waiting = found, 0
        elif is_small and found[0] > now[0] - WORSE * abs(now[0]) * rng.exponential():
            now = found
        if is_small and waiting > AGAIN:
            now, waiting = None, 0
    return best


def _is_small(cov: Covariance, sizes: Sequence[int]) -> bool:
    return cov.n <= SMALL and sum(sizes) <= ENTRIES


def rotated(vectors: Array, sizes: Sequence[int], rng: np.random.Generator) -> Begin:
    """Return where a random rotation of vectors has its largest entries, and the rotated vectors."""
    turned = vectors @ np.linalg.qr(rng.normal(size=(len(sizes),) * 2))[0]
    largest = np.argsort(-np.abs(turned), axis=0, kind="stable")
    return [np.sort(column[:size]) for column, size in zip(largest.T, sizes, strict=True)], turned


def _truncated(Sigma: Array, supports: list[Indices], deadline: Deadline) -> Start | None:
    """Let every component keep its largest entries of Sigma x, less what the others explain, while that helps.

    A step costs a product with Sigma: hundreds of starts where one exchange of variables would take as long.
    """
    X = alternated(Sigma, supports)
    if X is None:
        return None
    value = float(np.vdot(X, Sigma @ X))
    for _ in range(PASSES):
        before = value
        for t, support in enumerate(supports):
            others = np.delete(X, t, axis=1)
            Q, y = np.linalg.qr(others)[0], Sigma @ X[:, t]
            y = y - Q @ (Q.T @ y)
            found = np.sort(np.argsort(-np.abs(y), kind="stable")[: len(support)])
            x = best_given_others(Sigma, others, found)
            if x is not None and x @ Sigma @ x > X[:, t] @ Sigma @ X[:, t]:
                X[:, t], supports[t] = x, found
        value = float(np.vdot(X, Sigma @ X))
        if value <= before + 1e-9 * abs(before) or deadline.is_over:
            break
    return value, supports, X


def _grown(
    cov: Covariance,
    sizes: Sequence[int],
    deadline: Deadline,
    rng: np.random.Generator,
) -> Start | None:
    """Return the best table of all components but the last, with the best variables for that one."""
    fewer = walked(cov, sizes[:-1], deadline=deadline.part(2), rng=rng)
    if fewer is None:
        return None
    last = np.arange(sizes[-1])
    found = best_swap(cov.matrix, fewer[2], last)
    supports = [*fewer[1], last if found is None else found]
    begin = supports, np.zeros((cov.n, len(sizes)))
    return _climbed(cov.matrix, begin, set(), deadline)


def _changed(table: Start, n: int, rng: np.random.Generator) -> Begin:
    """Return a table after a change at random: of variables, of one component, or of several by a rotation."""
    _, supports, X = table
    r = len(supports)
    kind = int(rng.integers(4)) if r > 1 else 0
    new, Y = list(supports), X + NOISE * rng.normal(size=X.shape)
    if kind == 0:
        new = _moved(supports, n, rng)
    elif kind == 1:
        to, like = rng.choice(r, 2, replace=False)
        new[to] = _exchanged(_like(new[like], len(new[to]), n, rng), n, rng)
        Y[:, to] = rng.normal(size=n)
    else:
        chosen = rng.choice(r, int(rng.integers(2, min(r, MOVED) + 1)), replace=False)
        some, Y[:, chosen] = rotated(X[:, chosen], [len(new[t]) for t in chosen], rng)
        for t, support in zip(chosen, some, strict=True):
            new[t] = support
    return new, Y


def _moved(supports: Sequence[Indices], n: int, rng: np.random.Generator) -> list[Indices]:
    """Return supports after a few exchanges at random."""
    new = list(supports)
    for _ in range(int(rng.integers(2, MOVED + 1))):
        t = int(rng.integers(len(new)))
        new[t] = _exchanged(new[t], n, rng)
    return new


def _like(support: Indices, size: int, n: int, rng: np.random.Generator) -> Indices:
    """Return a support of another size, as like one as can be."""
    some = rng.permutation(support)[:size]
    more = rng.permutation(np.setdiff1d(np.arange(n), support))[: size - len(some)]
    return np.sort(np.concatenate([some, more]))


def _exchanged(support: Indices, n: int, rng: np.random.Generator) -> Indices:
    """Return a support with one variable exchanged at random, where there is another."""
    outside = np.setdiff1d(np.arange(n), support)
    if len(outside) == 0:
        return support
    kept = np.delete(support, int(rng.integers(len(support))))
    return np.sort(np.append(kept, rng.choice(outside)))


def _climbed(
    Sigma: Array,
    begin: Begin,
    left: set[Hashable],
    deadline: Deadline,
    *,
    may_take_two: bool = False,
) -> Start | None:
    """Exchange variables while the sum of variances grows: while all components turn, then of one alone.

    Supports that were left as they are before (`left`, to which these are added) are left so again.
    """
    supports, X = begin
    table = improved_together(Sigma, X, supports)
    if table is None:
        found = alternated(Sigma, supports)
        table = None if found is None else improved_together(Sigma, found, supports)
    if table is None:
        return None
    while table.choice not in left:
        better = exchanged_together(Sigma, table) or _each_exchanged(Sigma, table)
        if better is None and may_take_two:
            better = two_exchanged_together(Sigma, table)
        if better is None:
            left.add(table.choice)
            break
        table = better
        if deadline.is_over:
            break
    return table.value, list(table.supports), table.X


def _each_exchanged(Sigma: Array, table: StiefelNewton) -> StiefelNewton | None:
    """Give a component the best support one exchange away while the others stay, then let all turn."""
    least = table.value + GAIN * abs(table.value)
    for t, old in enumerate(table.supports):
        others = np.delete(table.X, t, axis=1)
        support = best_swap(Sigma, others, old)
        x = None if support is None else best_given_others(Sigma, others, support)
        if support is None or x is None or np.array_equal(support, old):
            continue
        X, supports = table.X.copy(), list(table.supports)
        X[:, t], supports[t] = x, support
        if np.vdot(X, Sigma @ X) > least:
            found = improved_together(Sigma, X, supports)
            if found is not None and found.value > least:
                return found
    return None
