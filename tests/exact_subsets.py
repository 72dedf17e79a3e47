"""Least squares on few variables in rational arithmetic."""

import itertools
from fractions import Fraction

import numpy as np


def problem(seed):
    rng = np.random.default_rng(seed)
    M = rng.integers(-3, 4, size=(8, 4)).astype(float) if seed % 3 else rng.normal(size=(8, 4))
    noise = rng.integers(-2, 3, size=8) if seed % 2 else 1e-4 * rng.normal(size=8)
    return M, M @ np.array([2.0, 0.0, -1.0, 0.5]) + noise + 0.25


def residual(M, y, T, *, intercept):
    """Return the least residual sum of squares on some columns, exactly, by elimination."""
    columns = [[Fraction(float(x)) for x in M[:, j]] for j in T]
    target = [Fraction(float(x)) for x in y]
    if intercept:
        columns = [[Fraction(1)] * len(target), *columns]
    basis = []

    def rest(column):
        for other in basis:
            part = sum(a * b for a, b in zip(column, other, strict=True)) / sum(b * b for b in other)
            column = [a - part * b for a, b in zip(column, other, strict=True)]
        return column

    for column in map(rest, columns):  # one after another: each is made orthogonal to those before
        if any(column):
            basis.append(column)
    return sum(a * a for a in rest(target))


def least(M, y, k, *, intercept):
    supports = itertools.combinations(range(M.shape[1]), k)
    return min(residual(M, y, T, intercept=intercept) for T in supports)
