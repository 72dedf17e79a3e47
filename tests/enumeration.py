"""What supports explain, tried one by one."""

import itertools

import numpy as np
import scipy.linalg

from relaxspca.problem.budgets import Budgets


def supports(n, sizes, include=(), exclude=(), groups=()):
    """Return the sets of so many of n variables, or of each of several sizes, that meet conditions."""
    every = itertools.chain(*(itertools.combinations(range(n), k) for k in np.atleast_1d(sizes)))
    every = (T for T in every if {*include} <= {*T} and not {*exclude} & {*T})
    return [T for T in every if all(len({*T} & {*group}) <= 1 for group in groups)]


def supports_between(inside, free, counts):
    """Return the sets, not empty, of all variables inside and of so many that are free."""
    every = itertools.chain(*(itertools.combinations(sorted(free), m) for m in counts if m >= 0))
    return [T for T in (sorted([*inside, *more]) for more in every) if T]


def supports_of_node(node, size):
    """Return the supports of a node: of the cardinality, or at a penalty of every size."""
    counts = range(len(node.free) + 1) if size.is_penalised else [size.claim["k"] - len(node.inside)]
    found = supports_between(node.inside.tolist(), node.free.tolist(), counts)
    if size.classes is not None:
        found = [T for T in found if len({*size.classes[T]}) == len(T)]
    if isinstance(size, Budgets):
        least = len(size.counts)
        found = [T for T in found if (*np.bincount(size.labels[T], minlength=least),) == size.counts]
    return found


def value(S, support, rho=0.0):
    """Return what a support explains, the largest eigenvalue of its block, less a penalty for each variable."""
    return float(np.linalg.eigvalsh(S[np.ix_(support, support)])[-1]) - rho * len(support)


def values_of(S, sizes, **conditions):
    """Return what every support explains."""
    return {T: value(S, T) for T in supports(len(S), sizes, **conditions)}


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
