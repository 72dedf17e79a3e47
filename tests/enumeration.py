"""What supports explain, tried one by one."""

import itertools

import numpy as np
import scipy.linalg


def supports(n, sizes, include=(), exclude=()):
    """Return the sets of so many of n variables, or of each of several sizes, that meet conditions."""
    every = itertools.chain(*(itertools.combinations(range(n), k) for k in np.atleast_1d(sizes)))
    return [T for T in every if {*include} <= {*T} and not {*exclude} & {*T}]


def values_of(S, sizes, **conditions):
    """Return what every support explains: the largest eigenvalue of its block."""
    chosen = supports(len(S), sizes, **conditions)
    return {T: float(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1]) for T in chosen}


def largest_ratio(A, B, k, **conditions):
    """Return the largest x'Ax / x'Bx over supports; where the diagonal of B is 1 LAPACK rounds least."""
    units = np.sqrt(np.outer(np.diagonal(B), np.diagonal(B)))
    blocks = (np.ix_(T, T) for T in supports(len(A), k, **conditions))
    return max(scipy.linalg.eigh((A / units)[at], (B / units)[at], eigvals_only=True)[-1] for at in blocks)


def best_of_one_sign(S, k, exclude=()):
    """Return the best value and vector over all sets of at most k variables with a vector of one sign."""
    best, x = -np.inf, None
    for T in supports(len(S), range(1, k + 1), exclude=exclude):
        values, vectors = np.linalg.eigh(S[np.ix_(T, T)])
        u = vectors[:, -1] * np.sign(vectors[np.argmax(np.abs(vectors[:, -1])), -1])
        if values[-1] > best and u.min() >= -1e-12:
            best, x = float(values[-1]), np.zeros(len(S))
            x[list(T)] = np.maximum(u, 0.0)
    return best, x
