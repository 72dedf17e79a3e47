"""The best table of several components of a small matrix, by trying every choice of supports."""

import itertools

import numpy as np


def best_on(S, supports, rng, starts=6):
    """Return the best sum of variances of orthonormal vectors on supports: alternation from many starts."""
    r, n = len(supports), len(S)
    if all(not set(a) & set(b) for a, b in itertools.combinations(supports, 2)):
        return sum(float(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1]) for T in supports)
    best = -np.inf
    for _ in range(starts):
        X = np.zeros((n, r))
        for t, T in enumerate(supports):
            X[list(T), t] = rng.normal(size=len(T))
        value = -np.inf
        for sweep in range(60):
            for t in rng.permutation(r):
                T = list(supports[t])
                others = np.delete(X, t, axis=1)[T]
                U, s, _ = np.linalg.svd(others, full_matrices=True)
                Q = U[:, int((s > 1e-9).sum()) :]
                X[:, t] = 0.0
                if Q.shape[1]:
                    X[T, t] = Q @ np.linalg.eigh(Q.T @ S[np.ix_(T, T)] @ Q)[1][:, -1]
            new = float(np.trace(X.T @ S @ X))
            if sweep > 2 and new - value < 1e-13 * abs(new):
                break
            value = new
        if np.abs(X.T @ X - np.eye(r)).max() < 1e-9:
            best = max(best, float(np.trace(X.T @ S @ X)))
    return best


def best_table(S, sizes, *, is_disjoint=False, rng=None):
    """Return the largest sum of variances of a table of orthonormal components over all supports."""
    rng = rng or np.random.default_rng(0)
    n, best = len(S), -np.inf
    at_most = is_disjoint and sum(sizes) > n
    choices = [
        [T for size in (range(1, k + 1) if at_most else [k]) for T in itertools.combinations(range(n), size)]
        for k in sizes
    ]
    values = [{T: np.linalg.eigvalsh(S[np.ix_(T, T)])[-1] for T in some} for some in choices]
    for supports in itertools.product(*choices):
        apart = len(set().union(*supports)) == sum(map(len, supports))
        if is_disjoint and not apart:
            continue
        most = sum(value[T] for value, T in zip(values, supports, strict=True))
        if most <= best:
            continue
        union = sorted(set().union(*supports))
        if len(union) < len(sizes):
            continue
        most = min(most, np.linalg.eigvalsh(S[np.ix_(union, union)])[::-1][: len(sizes)].sum())
        if most > best:
            best = max(best, best_on(S, supports, rng))
    return float(best)


def best_common(S, k, r):
    """Return the largest sum of the r largest eigenvalues of a k by k block."""
    return max(
        float(np.linalg.eigvalsh(S[np.ix_(T, T)])[::-1][:r].sum())
        for T in itertools.combinations(range(len(S)), k)
    )
