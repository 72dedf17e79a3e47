"""What is printed of subset selections is held against least squares in rational arithmetic."""

import itertools
import re
from fractions import Fraction

import numpy as np
import pytest
from printed import NUMBER, bounds, forms, records, rows

from relaxspca.applications import certify_subset, subset_path, subset_selection

PROBLEMS = range(12)


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
    for column in [*columns, target]:
        for other in basis:
            part = sum(a * b for a, b in zip(column, other, strict=True)) / sum(b * b for b in other)
            column = [a - part * b for a, b in zip(column, other, strict=True)]
        if any(column):
            basis.append(column)
        elif column is not target and len(basis) == len(columns):
            return Fraction(0)
    last = basis[-1] if len(basis) > len(columns) else None
    return Fraction(0) if last is None else sum(a * a for a in last)


def least(M, y, k, *, intercept):
    supports = itertools.combinations(range(M.shape[1]), k)
    return min(residual(M, y, T, intercept=intercept) for T in supports)


def total(y, *, intercept):
    exact = [Fraction(float(x)) for x in y]
    mean = sum(exact) / len(exact) if intercept else 0
    return sum((x - mean) ** 2 for x in exact)


def two_bounds(text, symbol):
    shared = re.search(rf"{symbol} = ({NUMBER}(?: \(±{NUMBER}\))?)", text)
    apart = re.search(rf"({NUMBER}) <= {symbol} <= ({NUMBER})", text)
    assert (shared is None) != (apart is None), text
    return bounds(shared[1]) if shared else (Fraction(apart[1]), Fraction(apart[2]))


@pytest.mark.parametrize("seed", PROBLEMS)
@pytest.mark.parametrize("intercept", [False, True])
def test_selections(seed, intercept):
    M, y = problem(seed)
    energy = total(y, intercept=intercept)
    for k in (1, 2, 3):
        truth = least(M, y, k, intercept=intercept)
        for limits in ({}, {"gap": 0.2}, {"time_limit": 0.0}):
            found = subset_selection(M, y, k, intercept=intercept, **limits)
            for text in forms(found):
                lower, upper = two_bounds(text, rf"s\({k}\)")
                assert lower <= truth <= upper, text
                within = re.search(rf"an optimal choice, to within ({NUMBER}) of the sum of squares of y", text)
                assert (within is not None) == (found.status == "optimal"), text
                if within:
                    attained = residual(M, y, found.indices, intercept=intercept)
                    assert attained - truth <= Fraction(within[1]) * energy * (1 + Fraction(1, 10**12)), text
            [record] = records(found)
            assert Fraction(record["lower"]) <= truth <= Fraction(record["upper"])


@pytest.mark.parametrize("seed", PROBLEMS)
def test_paths_and_verdicts(seed):
    M, y = problem(seed)
    path = subset_path(M, y, [1, 2, 3])
    truths = {k: least(M, y, k, intercept=False) for k in (1, 2, 3)}
    for text in forms(path):
        for row in rows(text):
            if row[0].isdigit():
                lower, upper = bounds(row[1])
                assert lower <= truths[int(row[0])] <= upper, text
    for record in records(path):
        assert Fraction(record["lower"]) <= truths[int(record["k"])] <= Fraction(record["upper"])
    judged = certify_subset(M, y, [1, 3])
    mine = residual(M, y, [1, 3], intercept=False)
    for text in forms(judged):
        lower, upper = two_bounds(text, "residual sum of squares")
        assert lower <= mine <= upper, text
        better = re.search(rf"has a residual smaller by ({NUMBER})", text)
        most = re.search(rf"no 2 variables have one smaller by more than ({NUMBER})", text)
        assert better is None or Fraction(better[1]) <= mine - truths[2], text
        assert most is None or Fraction(most[1]) >= mine - truths[2], text
        assert (better is not None) == (judged.status == "improvable"), text
