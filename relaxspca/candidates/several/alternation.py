"""Orthonormal vectors on given supports, one improved after another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from relaxspca.candidates.several.stiefel_newton import improved_together
from relaxspca.numerics.linalg import FEW, HALVINGS, Array, Indices, leading_eigenpair

# Where one vector alone is stuck, the gradient of all may vanish too; and there are other optima.
NOISE = (0.03, 0.3, 1.0, 1.0, 1.0, 1.0)
NOTHING = 1e-9  # what is taken for 0: a loading, a singular value, a part of the sum of variances


def alternate_on_supports(
    Sigma: Array, supports: Sequence[Indices], *, start: Array | None = None, is_quick: bool = False
) -> Array | None:
    """Return orthonormal vectors on supports that no change of one of them improves.

    They are the best from several starts. A start may be given, (n, r) and zero off the supports. None where no
    orthonormal vectors were found.

    Examples
    --------
    >>> X = alternate_on_supports(np.diag([3.0, 2.0, 1.0]), [np.array([0, 1]), np.array([0, 1])])
    >>> round(float(np.trace(X.T @ np.diag([3.0, 2.0, 1.0]) @ X)), 9)
    5.0
    """
    if are_disjoint(supports):
        return _leading(Sigma, supports)
    best = alternated(Sigma, supports)
    highest = -np.inf if best is None else _variance(Sigma, best)
    near = np.zeros((len(Sigma), len(supports))) if best is None else best
    size, rng = sum(map(len, supports)), np.random.default_rng(0)
    begins = [] if start is None else [start]
    for noise in NOISE[: 1 if is_quick else None]:
        begins.append(near + noise * _spread(rng.normal(size=size), near, supports))
    for begin in begins:
        together = improved_together(Sigma, begin, supports) if size <= FEW else None
        if together is None:
            continue
        X = _improved(Sigma, together.X, supports, range(len(supports)))
        if _variance(Sigma, X) > highest:
            best, highest = X, _variance(Sigma, X)
    return best


def alternated(Sigma: Array, supports: Sequence[Indices]) -> Array | None:
    """Return orthonormal vectors on supports, improved one after another from one start; None without any."""
    # A vector on few variables cannot give way to the others: the smallest support first.
    order = sorted(range(len(supports)), key=lambda t: len(supports[t]))
    X = np.zeros((len(Sigma), len(supports)))
    for t in order:
        x = best_given_others(Sigma, X, supports[t])
        if x is None:
            return None
        X[:, t] = x
    return _improved(Sigma, X, supports, order)


def best_given_others(Sigma: Array, others: Array, support: Indices) -> Array | None:
    """Return the best unit vector on a support that is orthogonal to other columns; None if there is none."""
    U, lengths, _ = np.linalg.svd(others[support], full_matrices=True)
    Q = U[:, int((lengths > NOTHING).sum()) :]
    if Q.shape[1] == 0:
        return None
    x = np.zeros(len(Sigma))
    # All eigenvectors of a small block take less time than one of them alone.
    x[support] = Q @ np.linalg.eigh(Q.T @ Sigma[np.ix_(support, support)] @ Q)[1][:, -1]
    return x


def _spread(entries: Array, like: Array, supports: Sequence[Indices]) -> Array:
    """Return entries put on the supports."""
    X = np.zeros_like(like)
    X[np.concatenate(supports), np.repeat(np.arange(len(supports)), [len(T) for T in supports])] = entries
    return X


def _improved(Sigma: Array, X: Array, supports: Sequence[Indices], order: Iterable[int]) -> Array:
    """Improve one vector after another until nothing moves."""
    value, places = -np.inf, list(order)
    for _ in range(HALVINGS):
        for t in places:
            x = best_given_others(Sigma, np.delete(X, t, axis=1), supports[t])
            X[:, t] = X[:, t] if x is None else x
        new = _variance(Sigma, X)
        if new - value <= 1e-15 * abs(new):
            break
        value = new
    return X


def _variance(Sigma: Array, X: Array) -> float:
    return float(np.vdot(X, Sigma @ X))


def _leading(Sigma: Array, supports: Sequence[Indices]) -> Array:
    X = np.zeros((len(Sigma), len(supports)))
    for t, support in enumerate(supports):
        X[support, t] = leading_eigenpair(Sigma[np.ix_(support, support)])[1]
    return X


def are_disjoint(supports: Sequence[Indices]) -> bool:
    """Say whether no variable is in two supports."""
    return len(np.unique(np.concatenate(supports))) == sum(len(support) for support in supports)
