"""Heuristic components with nonnegative loadings."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.numerics.linalg import AT_ONCE, Array
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.runtime.deadline import FOREVER, Deadline


def nonnegative_spannogram(cov: Covariance, k: int, *, deadline: Deadline = FOREVER) -> Candidate:
    r"""Find a nonnegative sparse component from the directions of the two leading eigenvectors.

    .. math:: \max \{ x^T \Sigma x : \|x\| = 1,\ x \ge 0,\ \operatorname{Card}(x) \le k \}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the most variables used, 1 to n.
    deadline : Deadline, after which no further directions are tried.

    Returns
    -------
    Candidate with nonnegative loadings; it may use fewer than k variables.

    Raises
    ------
    InputError
        k is out of range.

    Notes
    -----
    For a direction c the best vector of the rank-two part has the k largest positive entries of V c. Their set
    changes only where two entries are equal or one is zero, at finitely many angles; all are tried. The best
    200 vectors are finished by projected power iterations on Sigma itself.

    References
    ----------
    Asteris, Papailiopoulos and Dimakis, "Nonnegative sparse PCA with provable guarantees", ICML 2014.

    Examples
    --------
    >>> cov = Covariance([[2.0, -1.0, 0.5], [-1.0, 2.0, 0.0], [0.5, 0.0, 1.0]])
    >>> nonnegative_spannogram(cov, 2).indices.tolist()
    [0, 2]
    """
    k = checked_cardinality(cov, k)
    values, vectors = leading_eigenpairs(cov, min(2, cov.n))
    V = vectors * np.sqrt(np.maximum(values + cov.shift, 0.0))
    X = _distinct_loadings(V, _directions(V), k, deadline.part(2))
    scores = np.einsum("is,is->s", X, cov.product(X))
    best = X[:, np.argsort(-scores, kind="stable")[:200]]
    best = np.column_stack([best, np.eye(cov.n)[:, int(np.argmax(cov.diagonal))]])
    best = _projected_power(cov, best, deadline)
    scores = np.einsum("is,is->s", best, cov.product(best))
    return Candidate.from_loadings(cov, best[:, int(np.argmax(scores))], method="nonnegative_spannogram")


def _directions(V: Array) -> Array:
    """Return unit directions (s, d), d at most two: one in each cell of the arrangement."""
    n, d = V.shape
    if d == 1:
        return np.array([[1.0], [-1.0]])
    first, second = np.triu_indices(n, 1)
    normals = np.concatenate([V, V[first] - V[second]])
    normals = normals[np.abs(normals).max(axis=1) > 0.0]
    # Each normal gives two opposite angles where its inequality turns; cells lie between consecutive ones.
    turns = np.arctan2(normals[:, 0], -normals[:, 1])
    turns = np.unique(np.concatenate([turns % np.pi, turns % np.pi + np.pi]))
    middle = 0.5 * (turns + np.append(turns[1:], turns[:1] + 2.0 * np.pi)) if len(turns) else np.zeros(1)
    return np.column_stack([np.cos(middle), np.sin(middle)])


def _distinct_loadings(V: Array, C: Array, k: int, deadline: Deadline) -> Array:
    """Return the unit loadings (n, s) of the directions, one for each set of variables."""
    n = len(V)
    loadings: dict[bytes, Array] = {}
    # Every part takes directions from all over the sphere, so that the first one suffices if time is short.
    parts = -(-len(C) * n // AT_ONCE)
    for part in range(parts):
        for entries in C[part::parts] @ V.T:
            kept = np.argsort(-entries, kind="stable")[:k]
            kept = kept[entries[kept] > 0.0] if entries[kept[0]] > 0.0 else kept[:1]
            key = np.sort(kept).tobytes()
            if key not in loadings:
                x = np.zeros(n)
                x[kept] = np.abs(entries[kept]) if entries[kept[0]] > 0.0 else 1.0
                loadings[key] = x / np.linalg.norm(x)
        if deadline.is_over:
            break
    return np.column_stack(list(loadings.values()))


def _projected_power(cov: Covariance, X: Array, deadline: Deadline) -> Array:
    """Iterate x <- (Sigma x)_+ on the support of each column of X (n, s); the variance never decreases."""
    allowed = X > 0.0
    for _ in range(500):
        following = np.where(allowed, np.maximum(cov.product(X) + cov.shift * X, 0.0), 0.0)
        norms = np.linalg.norm(following, axis=0)
        following = np.where(norms > 0.0, following / np.where(norms > 0.0, norms, 1.0), X)
        change = float(np.abs(following - X).max())
        X = following
        if change <= 1e-12 or deadline.is_over:
            break
    return X
