"""Row bounds of the price problem against brute force over all sets."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaxspca.certificate import PairwisePoint
from relaxspca.relaxations.pairwise.prices import RowPrices, price_matrix


def sets(m, size, inside):
    forced = set(np.flatnonzero(inside))
    return [np.array(T) for T in combinations(range(m), size) if forced <= set(T)]


def cost(prices, T):
    return prices[np.ix_(T, T)].sum()


@st.composite
def problems(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m = draw(st.integers(1, 7))
    prices = rng.exponential(size=(m, m)) * 10.0 ** rng.integers(-3, 3, size=(m, m))
    prices = prices + prices.T
    if draw(st.booleans()):
        A = rng.normal(size=(m, m))
        prices = prices + A - A.T
    inside = rng.random(m) < draw(st.sampled_from([0.0, 0.3]))
    return prices, inside, draw(st.integers(1, m))


@settings(deadline=None, max_examples=400)
@given(problems())
def test_every_set_costs_at_most_its_bounds(problem):
    prices, inside, size = problem
    m, rows = len(prices), RowPrices(prices, inside)
    every = sets(m, size, inside)
    if not every:
        assert rows.heaviest(size) == -np.inf
        return
    c = rows.bounds(size)
    heaviest, slack = rows.heaviest(size), 1e-9 * np.abs(prices).sum()
    with_each, without_each = rows.heaviest_with(size), rows.heaviest_without(size)
    for T in every:
        for i in T:
            assert prices[i, T].sum() <= c[i] + slack
        worst = cost(prices, T) - slack
        outside = np.setdiff1d(np.arange(m), T)
        assert worst <= heaviest
        assert (worst <= with_each[T]).all()
        assert (worst <= without_each[outside]).all()
    assert (with_each[~inside] <= heaviest + slack).all()
    assert (without_each[~inside] <= heaviest + slack).all()


@settings(deadline=None, max_examples=150)
@given(problems())
def test_conditional_bounds_are_those_of_the_child(problem):
    """Forcing a variable in, or removing it, gives the row bound of the smaller problem: no more, no less."""
    prices, inside, size = problem
    m, rows = len(prices), RowPrices(prices, inside)
    with_each, without_each = rows.heaviest_with(size), rows.heaviest_without(size)
    for i in np.flatnonzero(~inside):
        child = RowPrices(prices, inside | (np.arange(m) == i)).heaviest(size)
        assert with_each[i] == pytest.approx(child, rel=1e-9, abs=1e-9 * np.abs(prices).max())
        others = np.arange(m) != i
        child = RowPrices(prices[np.ix_(others, others)], inside[others]).heaviest(size)
        assert without_each[i] == pytest.approx(child, rel=1e-9, abs=1e-9 * np.abs(prices).max())


@settings(deadline=None, max_examples=150)
@given(problems(), st.floats(0, 1))
def test_survivors_are_the_sets_above_the_budget(problem, share):
    prices, inside, size = problem
    every = sets(len(prices), size, inside)
    costs = [cost(prices, T) for T in every]
    budget = np.quantile(costs, share) - 1e-9 * np.abs(prices).sum() if costs else 0.0
    found = {tuple(T) for T in RowPrices(prices, inside).survivors(size, budget, limit=100)}
    assert {tuple(T) for T, c in zip(every, costs, strict=True) if c > budget} <= found
    assert found <= {tuple(T) for T in every}
    assert len(found) <= 1 or RowPrices(prices, inside).survivors(size, budget, limit=len(found) - 1) is None


def test_prices_round_upwards_and_are_infinite_without_lambda():
    point = PairwisePoint(
        np.arange(3),
        V=np.array([[0.1, 0.3, 0.0], [0.3, 0.0, 0.0], [0.0, 0.0, 0.7]]),
        lam=np.array([0.7, 0.9, 0.0]),
    )
    prices = price_matrix(point, np.arange(3))
    assert prices[2, 2] == np.inf
    assert prices[0, 2] == prices[1, 1] == 0.0
    exact = 0.3**2 / (2 * (0.7 + 0.9))
    assert exact <= prices[0, 1] <= exact * (1 + 1e-14)
    assert RowPrices(prices, np.zeros(3, bool)).heaviest(2) == np.inf
    tiny = PairwisePoint(np.arange(1), V=np.array([[1e-200]]), lam=np.array([1e300]))
    assert price_matrix(tiny, np.arange(1))[0, 0] > 0.0


@pytest.mark.parametrize("seed", range(300))
def test_infinite_prices_are_seen_by_every_bound(seed):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 6))
    prices = rng.normal(size=(m, m))
    prices[rng.random((m, m)) < 0.3] = np.inf
    inside = rng.random(m) < 0.3
    size = int(rng.integers(max(1, inside.sum()), m + 1))
    rows = RowPrices(prices, inside)
    worth = {tuple(int(i) for i in T): cost(prices, T) for T in sets(m, size, inside)}
    with_i, without_i = rows.heaviest_with(size), rows.heaviest_without(size)
    for T, paid in worth.items():
        assert rows.heaviest(size) >= paid
        assert all(with_i[i] >= paid for i in T)
        assert all(without_i[i] >= paid for i in range(m) if i not in T)
    found = rows.survivors(size, 0.0, 1000)
    assert {T for T, paid in worth.items() if paid > 0} <= {tuple(sorted(int(i) for i in T)) for T in found}


def test_prices_of_either_sign_are_bounded_with_their_rounding():
    for seed in range(3000):
        rng = np.random.default_rng(seed)
        m = int(rng.integers(2, 5))
        prices = rng.normal(size=(m, m)) * 10.0 ** rng.integers(-17, 2, (m, m))
        size = int(rng.integers(1, m))
        without_i = RowPrices(prices, np.zeros(m, dtype=bool)).heaviest_without(size)
        for T in combinations(range(m), size):
            paid = sum(Fraction(prices[i, j]) for i in T for j in T)
            assert all(paid <= Fraction(without_i[i]) for i in range(m) if i not in T)
