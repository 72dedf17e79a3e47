"""Lists of subsets that fit nearly as well as the best, against enumeration in rational arithmetic."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from exact_subsets import residual

import relaxspca as rs
from relaxspca.applications import near_optimal_subsets, subset_selection
from relaxspca.errors import InputError


def drawn(seed, n=7, p=20):
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, size=(p, n)).astype(float)
    X[:, 1] = X[:, 0] + rng.integers(-1, 2, size=p)
    return X, X @ rng.integers(-2, 3, size=n) + rng.integers(-9, 10, size=p)


@pytest.mark.parametrize("within", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("seed", range(draws(3, 20)))
def test_the_list_is_that_of_enumeration(seed, within):
    X, y = drawn(seed)
    intercept, k = bool(seed % 2), 1 + seed % 3
    found = near_optimal_subsets(X, y, k, within=within, intercept=intercept)
    exact = {T: residual(X, y, T, intercept=intercept) for T in itertools.combinations(range(7), k)}
    least = min(exact.values())
    near = 1 + Fraction(within) + Fraction(1, 10**8)
    assert set(found.indices) >= {T for T, left in exact.items() if left <= (1 + Fraction(within)) * least}
    assert set(found.indices) <= {T for T, left in exact.items() if left <= near * least}
    for T, (low, high) in zip(found.indices, found.residuals, strict=True):
        assert Fraction(low) <= exact[T] <= Fraction(high) <= exact[T] * (1 + Fraction(1, 10**8))
    assert [exact[T] for T in found.indices] == sorted(exact[T] for T in found.indices)
    others = [left for T, left in exact.items() if T not in found.indices]
    assert not others or found.others_at_least <= min(others)
    assert found.is_complete
    assert rs.verify(found.certificate)
    best = subset_selection(X, y, k, intercept=intercept)
    assert found.indices[0] == best.indices
    assert found.coefficients[0] == pytest.approx(best.coefficients)
    assert found.intercepts[0] == pytest.approx(best.intercept)


def test_a_stopped_list_says_within_what_it_is_complete():
    X, y = drawn(1, n=12, p=40)
    found = near_optimal_subsets(X, y, 3, within=0.5, limit=2)
    whole = near_optimal_subsets(X, y, 3, within=0.5)
    assert found.status == "limit of the list"
    assert len(whole.supports) > len(found.supports)
    assert rs.verify(found.certificate)
    left = {T: residual(X, y, T, intercept=False) for T in itertools.combinations(range(12), 3)}
    least = min(left.values())
    if found.complete_within is not None:
        inside = (1 + Fraction(found.complete_within)) * least
        assert {T for T, value in left.items() if value < inside} <= set(found.indices)


def test_a_subset_at_the_edge_is_said_to_be_up_to_rounding():
    y = np.array([3.0, 2.0, 1.0, 0.5])
    edge = (9.0 - 4.0) / (4.0 + 1.0 + 0.25)  # the second column leaves so much more than the first
    assert ", 1 of them up to rounding" in str(near_optimal_subsets(np.eye(4), y, 1, within=edge))
    assert "up to rounding" not in str(near_optimal_subsets(np.eye(4), y, 1, within=edge + 1e-6))


def test_what_a_list_says_and_gives():
    X, y = drawn(0)
    found = near_optimal_subsets(X, y, 2, within=0.3, names=list("abcdefg"), intercept=True, exclude=["g"])
    text = str(found)
    assert f"Exactly {len(found.supports)} sets of 2 variables come within 30 % of the least residual" in text
    assert "least squares on 7 variables and an intercept, subject to g excluded" in text
    assert set(found.core) <= set(found.supports[0])
    (first, *rest), frame = found.to_records(), found.to_frame()
    assert first["lower"] <= found.residuals[0][0]
    assert first["upper"] >= found.residuals[0][1]
    assert len(rest) + 1 == len(frame) == len(found.supports)


@pytest.mark.parametrize("column", [np.full(20, 3.0), "copy"])
def test_a_variable_that_would_double_the_list_is_named(column):
    X, y = drawn(2)
    X[:, 6] = -2 * X[:, 5] if isinstance(column, str) else column
    with pytest.raises(InputError, match="x6 is constant, or equals another variable up to a factor"):
        near_optimal_subsets(X, y, 2, intercept=True)
    assert near_optimal_subsets(X, y, 2, intercept=True, exclude=[6]).is_complete


def test_singular_data_have_a_list():
    """With as many variables as observations a subset of all of them fits exactly."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4, 6)), rng.normal(size=4)
    found = near_optimal_subsets(X, y, 4, within=0.1)
    assert rs.verify(found.certificate)
    assert found.residuals[0][0] == 0.0
    assert found.residuals[0][1] <= 1e-12
