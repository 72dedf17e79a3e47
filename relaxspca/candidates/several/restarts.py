"""Tables whose supports may overlap, from many random rotations of the leading eigenvectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.candidates.several.alternation import alternated, best_given_others, improved_together
from relaxspca.candidates.several.swaps import best_swap
from relaxspca.candidates.several.table import CandidateTable
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.runtime.deadline import FOREVER, Deadline

__all__ = ["restarted_table", "walked"]

SMALL = 40  # variables up to which starts exchange variables one by one
LARGE = 200  # starts where there are more
MOST = 60  # starts, times the square of the number of components
STALE = 10  # the same, without a better table, after which it is given up
WORK = 10_000  # those times the number of loadings, at most
AGAIN = 150  # the same, after which the walk begins anew
WORSE = 3e-3  # of the sum of variances, by which the next table of the walk is often worse
CLOSE = 0.93  # of the best table, from which all vectors are improved at once
NEAR = 1e-6  # of what dense components explain: a table so near to it is good enough
PASSES = 50
GROWN = 3  # components above which the first table is the best one of one component less, and one more
MOVED = 4  # most variables exchanged, and most components turned, at random

Start = tuple[float, list[Indices], Array]


def restarted_table(
    cov: Covariance,
    sizes: Sequence[int],
    *,
    deadline: Deadline = FOREVER,
    rng: np.random.Generator | None = None,
) -> CandidateTable | None:
    """Return the best table from random rotations of the leading eigenvectors, supports as they come.

    Where components use many variables together, the span of the leading eigenvectors has bases that are nearly
    sparse. A start takes the largest entries of such a basis, or changes a table: a few variables are
    exchanged at random, a component gets nearly the support of another, or some components are turned in their
    span. Then one component after another gets the best support one exchange away, orthogonal to the
    others, until none moves. Among few variables the table that is changed next is often a worse one.

    Parameters
    ----------
    cov : Covariance of n variables.
    sizes : cardinalities of 2 components or more.
    deadline : when to stop.
    rng : of the starts.

    Returns
    -------
    CandidateTable or None
        None where no start led to orthonormal vectors.

    Examples
    --------
    >>> import relaxspca as rs
    >>> table = restarted_table(rs.datasets.load_pitprops(), [4, 4, 4, 4])
    >>> table.lower > 8.6
    True
    """
    best = walked(cov, sizes, deadline=deadline, rng=rng or np.random.default_rng(0))
    return None if best is None else CandidateTable.on(cov, best[1], start=best[2], is_quick=True)


def walked(
    cov: Covariance,
    sizes: Sequence[int],
    *,
    metric: Array | None = None,
    first: list[Indices] | None = None,
    deadline: Deadline = FOREVER,
    rng: np.random.Generator,
) -> Start | None:
    """Return the best sum of variances met on a walk, its supports and vectors.

    Parameters
    ----------
    cov, sizes, deadline, rng : as in `restarted_table`.
    metric : (n, n) array C; x_s'Cx_t = 0 is asked for. None for orthogonal vectors.
    first : supports to begin with.
    """
    r, is_small = len(sizes), cov.n <= SMALL
    if r > cov.n:
        return None
    values, vectors = leading_eigenpairs(cov, r)
    enough = (1 - NEAR) * float(values.sum()) if metric is None else np.inf
    most, patience = LARGE, LARGE
    if is_small:
        most, patience = MOST * r * r, max(2 * r, min(STALE * r * r, WORK // sum(sizes)))
    best: Start | None = None
    now = _grown(cov, sizes, metric, deadline, rng) if is_small and r > GROWN else None
    stale, waiting = 0, 0
    for at in range(most):
        if stale >= patience or (at and deadline.is_over) or (best is not None and best[0] >= enough):
            break
        if at == 0 and first is not None:
            supports = list(first)
        elif now is None or (not is_small and at % 2):
            supports = rotated(vectors, sizes, rng)
        else:
            supports = _changed(now, cov.n, rng) if is_small else _moved(now[1], cov.n, rng)
        least = -np.inf if best is None else best[0] - (1 - CLOSE) * abs(best[0])
        found = (
            _descended(cov.matrix, supports, metric, least, deadline)
            if is_small
            else _truncated(cov.matrix, supports, metric, deadline)
        )
        stale, waiting = stale + 1, waiting + 1
        if found is None:
            continue
        if best is None or found[0] > best[0] + 1e-9 * abs(best[0]):
            best, stale = found, 0
        if now is None or found[0] > now[0] + 1e-9 * abs(now[0]):
            now, waiting = found, 0
        elif is_small and found[0] > now[0] - WORSE * abs(now[0]) * rng.exponential():
            now = found
        if is_small and waiting > AGAIN:
            now, waiting = None, 0
    return best


def rotated(vectors: Array, sizes: Sequence[int], rng: np.random.Generator) -> list[Indices]:
    """Return where a random rotation of vectors has its largest entries."""
    turned = vectors @ np.linalg.qr(rng.normal(size=(len(sizes),) * 2))[0]
    return [
        np.sort(np.argsort(-np.abs(x), kind="stable")[:size]) for x, size in zip(turned.T, sizes, strict=True)
    ]


def _truncated(Sigma: Array, supports: list[Indices], metric: Array | None, deadline: Deadline) -> Start | None:
    """Let every component keep its largest entries of Sigma x, less what the others explain, while that helps.

    A step costs a product with Sigma: hundreds of starts where one exchange of variables would take as long.
    """
    X = alternated(Sigma, supports, metric)
    if X is None:
        return None
    value = float(np.vdot(X, Sigma @ X))
    for _ in range(PASSES):
        before = value
        for t, support in enumerate(supports):
            others = np.delete(X, t, axis=1)
            others = others if metric is None else metric @ others
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
    metric: Array | None,
    deadline: Deadline,
    rng: np.random.Generator,
) -> Start | None:
    """Return the best table of all components but the last, with the best variables for that one."""
    fewer = walked(cov, sizes[:-1], metric=metric, deadline=Deadline.after(deadline.share(2)), rng=rng)
    if fewer is None:
        return None
    others = fewer[2] if metric is None else metric @ fewer[2]
    last = np.arange(sizes[-1])
    found = best_swap(cov.matrix, others, last)
    supports = [*fewer[1], last if found is None else found]
    return _descended(cov.matrix, supports, metric, -np.inf, deadline)


def _changed(table: Start, n: int, rng: np.random.Generator) -> list[Indices]:
    """Return supports after a change at random: of variables, of one component, or of several by a rotation."""
    _, supports, X = table
    r, kind = len(supports), int(rng.integers(4))
    if kind == 0:
        return _moved(supports, n, rng)
    new = list(supports)
    if kind == 1:
        to, like = rng.choice(r, 2, replace=False)
        new[to] = _exchanged(_like(new[like], len(new[to]), n, rng), n, rng)
        return new
    chosen = rng.choice(r, int(rng.integers(2, min(r, MOVED) + 1)), replace=False)
    for t, support in zip(chosen, rotated(X[:, chosen], [len(new[t]) for t in chosen], rng), strict=True):
        new[t] = support
    return new


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


def _descended(
    Sigma: Array, supports: list[Indices], metric: Array | None, least: float, deadline: Deadline
) -> Start | None:
    """Exchange variables of one component after another while the sum of variances grows.

    Vectors that share two variables can only turn together: where nothing moves any more, all are improved at
    once, if their sum is `least` or more.
    """
    X = alternated(Sigma, supports, metric)
    if X is None:
        return None
    value = float(np.vdot(X, Sigma @ X))
    for _ in range(PASSES):
        before = value
        for t in range(len(supports)):
            others = np.delete(X, t, axis=1)
            others = others if metric is None else metric @ others
            support = best_swap(Sigma, others, supports[t])
            x = None if support is None else best_given_others(Sigma, others, support)
            if support is not None and x is not None and x @ Sigma @ x > X[:, t] @ Sigma @ X[:, t]:
                X[:, t], supports[t] = x, support
        value = float(np.vdot(X, Sigma @ X))
        if deadline.is_over:
            break
        if value <= before + 1e-6 * abs(before):
            together = improved_together(Sigma, X, supports, metric) if value >= least else None
            if together is None or not np.vdot(together, Sigma @ together) > value + 1e-6 * abs(value):
                break
            X = together
            value = float(np.vdot(X, Sigma @ X))
    return value, supports, X
