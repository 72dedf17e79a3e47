"""What is printed of subset selections is held against least squares in rational arithmetic."""

import re
from fractions import Fraction

import pytest
from draws import draws
from exact_subsets import least, problem, residual
from printed import NUMBER, bounds, claimed, forms, records, rows

from relaxspca.applications import certify_subset, subset_path, subset_selection

PROBLEMS = range(draws(5, 12))
LEFT = "residual sum of squares"


@pytest.mark.parametrize("seed", PROBLEMS)
@pytest.mark.parametrize("intercept", [False, True])
def test_selections(seed, intercept):
    M, y = problem(seed)
    energy = residual(M, y, (), intercept=intercept)
    for k in (1, 2, 3):
        truth = least(M, y, k, intercept=intercept)
        for limits in ({}, {"gap": 0.2}, {"time_limit": 0.0}):
            found = subset_selection(M, y, k, intercept=intercept, **limits)
            for text in forms(found):
                lower, upper = claimed(text, rf"Least residual sum of squares with at most {k} of [^:]*")
                assert lower <= truth <= upper, text
                within = re.search(rf"Proved optimal \(to within ({NUMBER}) of the sum of squares of y", text)
                assert (within is not None) == (found.status == "optimal"), text
                if within:
                    attained = residual(M, y, found.indices, intercept=intercept)
                    assert attained - truth <= Fraction(within[1]) * energy * (1 + Fraction(1, 10**12)), text
            [record] = records(found)
            assert Fraction(record["lower"]) <= truth <= Fraction(record["upper"])
            assert Fraction(record["r_squared"]) <= 1 - truth / energy <= Fraction(record["r_squared_most"])


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
    assert judged.loss[1] - judged.loss[0] <= 1e-6 * float(y @ y)
    for text in forms(judged):
        lower, upper = claimed(text, "Residual sum of squares of [^:]*")
        assert lower <= mine <= upper, text
        better = re.search(rf"has a {LEFT} smaller by ({NUMBER})", text)
        most = re.search(rf"No subset of 2 variables has a {LEFT} smaller by more than ({NUMBER})", text)
        assert better is None or Fraction(better[1]) <= mine - truths[2], text
        assert most is None or Fraction(most[1]) >= mine - truths[2], text
        assert (better is not None) == (judged.status == "improvable"), text
