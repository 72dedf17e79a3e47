"""Small random symmetric matrices of every kind that a search may meet, and their optima by enumeration."""

import itertools
import warnings

import numpy as np

from relaxspca import Covariance
from relaxspca.errors import DataWarning


def wishart(rng, n):
    X = rng.normal(size=(n + int(rng.integers(1, 8)), n))
    return X.T @ X / len(X)


def correlation(rng, n):
    S = wishart(rng, n)
    d = np.sqrt(np.diagonal(S))
    return S / np.outer(d, d)


def rank_deficient(rng, n):
    X = rng.normal(size=(max(1, n // 3), n))
    return X.T @ X


def integer(rng, n):
    X = rng.integers(-3, 4, size=(n, n)).astype(float)
    return X.T @ X + np.eye(n)


def tied(rng, n):
    """Equal variances and correlations of one size: many supports attain the optimum."""
    signs = rng.choice([-1.0, 1.0], size=n)
    return 0.5 * np.outer(signs, signs) + 0.5 * np.eye(n)


def block_diagonal(rng, n):
    S = np.zeros((n, n))
    for start in range(0, n, 4):
        m = min(4, n - start)
        S[start : start + m, start : start + m] = wishart(rng, m)
    order = rng.permutation(n)
    return S[np.ix_(order, order)]


def negative(rng, n):
    S = -np.abs(rng.normal(size=(n, n)))
    return (S + S.T) / 2 + 2 * n * np.diag(rng.random(n) + 0.5)


def indefinite(rng, n):
    S = rng.normal(size=(n, n))
    return S + S.T


def negative_definite(rng, n):
    return -wishart(rng, n) - 0.1 * np.eye(n)


def duplicated(rng, n):
    chosen = rng.integers(0, (n + 1) // 2, size=n)
    return wishart(rng, (n + 1) // 2)[np.ix_(chosen, chosen)]


def with_zero_columns(rng, n):
    S = wishart(rng, n)
    gone = rng.random(n) < 0.4
    gone[0] = False
    S[gone], S[:, gone] = 0.0, 0.0
    return S


def badly_scaled(rng, n):
    d = 10.0 ** rng.integers(-4, 5, size=n)
    return wishart(rng, n) * np.outer(d, d)


def tiny(rng, n):
    return 1e-80 * wishart(rng, n)


def huge(rng, n):
    return 1e80 * wishart(rng, n)


def factor(rng, n):
    """A spike on few variables, and noise."""
    v = np.where(rng.random(n) < 0.5, rng.normal(size=n), 0.0)
    return np.outer(v, v) + 0.3 * wishart(rng, n)


KINDS = {
    make.__name__: make
    for make in (
        wishart, correlation, rank_deficient, integer, tied, block_diagonal, negative, indefinite,
        negative_definite, duplicated, with_zero_columns, badly_scaled, tiny, huge, factor,
    )
}  # fmt: skip


def draw(kind, rng, n):
    """Return an exactly symmetric matrix of a kind."""
    S = KINDS[kind](rng, n)
    return (S + S.T) / 2


def covariance(S):
    """Return the covariance of a matrix, indefinite or odd in another way on purpose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return Covariance(S)


def random_covariance(rng, n, rank=None):
    """Return the covariance of A'A for a random A of so many rows, from one to n if that is not said."""
    A = rng.normal(size=(rank or int(rng.integers(1, n + 1)), n))
    return Covariance(A.T @ A)


def optimum(S, k):
    """Return the largest eigenvalue of a k by k block, over all supports."""
    supports = np.array(list(itertools.combinations(range(len(S)), k)))
    return float(np.linalg.eigvalsh(S[supports[:, :, None], supports[:, None, :]])[:, -1].max())


def optima(S):
    """Return the optimum of every cardinality."""
    return {k: optimum(S, k) for k in range(1, len(S) + 1)}


def optimum_at_penalty(S, rho):
    """Return phi(rho) = max(0, the largest v_k - rho k)."""
    return max(0.0, *(value - rho * k for k, value in optima(S).items()))
