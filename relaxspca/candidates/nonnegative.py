"""Heuristic components with nonnegative loadings."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import AT_ONCE, Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.runtime.deadline import FOREVER, Deadline

__all__ = ["nonnegative_directions", "nonnegative_spannogram"]


def nonnegative_spannogram(
    cov: Covariance,
    k: int,
    *,
    d: int = 2,
    draws: int = 2000,
    polish: int = 200,
    rng: np.random.Generator | None = None,
    deadline: Deadline = FOREVER,
) -> Candidate:
    r"""Find a nonnegative sparse component from the directions of the leading eigenspace.

    .. math:: \max \{ x^T \Sigma x : \|x\| = 1,\ x \ge 0,\ \operatorname{Card}(x) \le k \}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : most variables used, 1 to n.
    d : dimension of the eigenspace. For one and two the search is complete, beyond it uses random directions.
    draws : random directions for d of three and more.
    polish : how many of the best vectors are finished by projected power iterations on Sigma itself.
    rng : source of randomness; None is a fixed seed.
    deadline : after it no further directions are tried.

    Returns
    -------
    Candidate with nonnegative loadings; it may use fewer than k variables.

    Raises
    ------
    InputError
        k or d is out of range.

    Notes
    -----
    For a direction c the best vector of the rank-d part has the k largest positive entries of V c. Their set
    changes only where two entries are equal or one is zero: for d = 2 at finitely many angles.

    References
    ----------
    Asteris, Papailiopoulos and Dimakis, "Nonnegative sparse PCA with provable guarantees", ICML 2014.

    Examples
    --------
    >>> cov = Covariance([[2.0, -1.0, 0.5], [-1.0, 2.0, 0.0], [0.5, 0.0, 1.0]])
    >>> nonnegative_spannogram(cov, 2).indices.tolist()
    [0, 2]
    """
    k = cov.check_cardinality(k)
    if not 1 <= d <= cov.n:
        raise InputError(f"the dimension d must lie in 1..{cov.n}, not {d}")
    values, vectors = leading_eigenpairs(cov, d)
    V = vectors * np.sqrt(np.maximum(values + cov.shift, 0.0))
    C = nonnegative_directions(V, draws, np.random.default_rng(0) if rng is None else rng)
    X = _distinct_loadings(V, C, k, deadline.part(2))
    scores = np.einsum("is,is->s", X, cov.product(X))
    best = X[:, np.argsort(-scores, kind="stable")[:polish]]
    best = np.column_stack([best, np.eye(cov.n)[:, int(np.argmax(cov.diagonal))]])
    best = _projected_power(cov, best, deadline)
    scores = np.einsum("is,is->s", best, cov.product(best))
    return Candidate.from_loadings(cov, best[:, int(np.argmax(scores))], method="nonnegative_spannogram")


def nonnegative_directions(V: Array, draws: int, rng: np.random.Generator) -> Array:
    """Return unit directions (s, d): one in each cell of the arrangement if d <= 2, else random ones."""
    n, d = V.shape
    if d == 1:
        return np.array([[1.0], [-1.0]])
    if d > 2:
        C = rng.normal(size=(draws, d))
        return np.asarray(C / np.linalg.norm(C, axis=1, keepdims=True))
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


def _projected_power(cov: Covariance, X: Array, deadline: Deadline, iterations: int = 500) -> Array:
    """Iterate x <- (Sigma x)_+ on the support of each column of X (n, s); the variance never decreases."""
    allowed = X > 0.0
    for _ in range(iterations):
        following = np.where(allowed, np.maximum(cov.product(X) + cov.shift * X, 0.0), 0.0)
        norms = np.linalg.norm(following, axis=0)
        following = np.where(norms > 0.0, following / np.where(norms > 0.0, norms, 1.0), X)
        change = float(np.abs(following - X).max())
        X = following
        if change <= 1e-12 or deadline.is_over:
            break
    return X
