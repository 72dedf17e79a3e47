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

__all__ = ["restarted_table", "rotated"]

SMALL = 40  # variables up to which starts exchange variables one by one
LARGE = 200  # starts where there are more
MOST = 60  # starts a component
STALE = 20  # starts a component without a better table, after which it is given up
WORK = 4000  # the same, divided by the number of loadings
NEAR = 1e-6  # of what dense components explain: a table so near to it is good enough
PASSES = 50
MOVED = 4  # most variables exchanged at random

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
    sparse. A start takes the largest entries of such a basis, or exchanges a few variables of the best table at
    random; then one component after another gets the best support one exchange away, orthogonal to the
    others, until none moves.

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
    rng = rng or np.random.default_rng(0)
    r = len(sizes)
    if r > cov.n:
        return None
    most, patience, descend = LARGE, LARGE, _truncated
    if cov.n <= SMALL:
        most, patience, descend = MOST * r, max(2 * r, min(STALE * r, WORK // sum(sizes))), _descended
    values, vectors = leading_eigenpairs(cov, r)
    enough = (1 - NEAR) * float(values.sum())
    best: Start | None = None
    stale = 0
    for at in range(most):
        if stale >= patience or deadline.is_over or (best is not None and best[0] >= enough):
            break
        supports = rotated(vectors, sizes, rng) if best is None or at % 2 else _moved(best[1], cov.n, rng)
        found = descend(cov.matrix, supports, deadline)
        stale += 1
        if found is not None and (best is None or found[0] > best[0] + 1e-9 * abs(best[0])):
            best, stale = found, 0
    return None if best is None else CandidateTable.on(cov, best[1], start=best[2], is_quick=True)


def rotated(vectors: Array, sizes: Sequence[int], rng: np.random.Generator) -> list[Indices]:
    """Return where a random rotation of vectors has its largest entries."""
    turned = vectors @ np.linalg.qr(rng.normal(size=(len(sizes),) * 2))[0]
    return [
        np.sort(np.argsort(-np.abs(x), kind="stable")[:size]) for x, size in zip(turned.T, sizes, strict=True)
    ]


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


def _moved(supports: Sequence[Indices], n: int, rng: np.random.Generator) -> list[Indices]:
    """Return supports after a few exchanges at random."""
    new = list(supports)
    for _ in range(int(rng.integers(2, MOVED + 1))):
        t = int(rng.integers(len(new)))
        outside = np.setdiff1d(np.arange(n), new[t])
        if len(outside):
            kept = np.delete(new[t], int(rng.integers(len(new[t]))))
            new[t] = np.sort(np.append(kept, rng.choice(outside)))
    return new


def _descended(Sigma: Array, supports: list[Indices], deadline: Deadline) -> Start | None:
    """Exchange variables of one component after another while the sum of variances grows."""
    X = alternated(Sigma, supports)
    if X is None:
        return None
    value = float(np.vdot(X, Sigma @ X))
    for _ in range(PASSES):
        before = value
        for t in range(len(supports)):
            others = np.delete(X, t, axis=1)
            support = best_swap(Sigma, others, supports[t])
            x = None if support is None else best_given_others(Sigma, others, support)
            if support is not None and x is not None and x @ Sigma @ x > X[:, t] @ Sigma @ X[:, t]:
                X[:, t], supports[t] = x, support
        # Vectors that share two variables can only turn together.
        together = improved_together(Sigma, X, supports)
        if together is not None and np.vdot(together, Sigma @ together) > np.vdot(X, Sigma @ X):
            X = together
        value = float(np.vdot(X, Sigma @ X))
        if value <= before + 1e-10 * abs(before) or deadline.is_over:
            break
    return value, supports, X
