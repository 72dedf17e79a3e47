"""Ratios of two forms in rational numbers, near the largest of a support."""

from fractions import Fraction

import numpy as np

from relaxspca.checker.exact import Exact

EXACT = Exact()


def forms(X, y, intercept):
    """Return bb' and X'CX, whose ratio is what variables explain."""
    X, y = EXACT.array(X), EXACT.array(y)
    if intercept:
        X, y = X - X.sum(axis=0) / Fraction(len(y)), y - y.sum() / Fraction(len(y))
    b = X.T @ y
    return np.outer(b, b), X.T @ X


def quotient(A, B, z, T):
    """Return the ratio of a vector on a support; None where B does not see it."""
    a, b = (EXACT.array(M[np.ix_(T, T)]) for M in (A, B))
    z = EXACT.array(z)
    below = z @ (b @ z)
    return (z @ (a @ z)) / below if below > 0 else None


def near_best(A, B, T):
    """Return a ratio near the largest of a support; None where B is not seen to be definite."""
    a, b = (M[np.ix_(T, T)].astype(float) for M in (A, B))
    s = np.abs(np.diagonal(b)) ** -0.5  # in units in which the diagonal of B is 1 LAPACK rounds least
    try:
        L = np.linalg.cholesky(b * np.outer(s, s))
    except np.linalg.LinAlgError:
        return None
    H = np.linalg.solve(L, np.linalg.solve(L, a * np.outer(s, s)).T)
    return quotient(A, B, np.linalg.solve(L.T, np.linalg.eigh((H + H.T) / 2)[1][:, -1]) * s, T)
