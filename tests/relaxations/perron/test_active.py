"""The Perron dual with few active variables: its smoothing, its gradient, and what it proves."""

import itertools

import numpy as np
import pytest
from small_covariances import draw

from relaxspca.problem.budgets import OneOfEachSize
from relaxspca.problem.size import Cardinality, Penalty
from relaxspca.relaxations.perron import active as few
from relaxspca.relaxations.perron.active import active_point, descend_active
from relaxspca.relaxations.perron.formula import pairs_of, upper_bound
from relaxspca.relaxations.perron.minimise import start_from_weights
from relaxspca.relaxations.perron.weights import balance

THREES = OneOfEachSize(3, np.arange(9) // 3)  # one of each three at most


def instance(seed, m, forced):
    rng = np.random.default_rng(seed)
    S, weights = draw("correlation", rng, m), rng.uniform(0.3, 1.0, m)
    active = np.sort(rng.choice(m, size=int(rng.integers(1, m + 1)), replace=False))
    inside = np.zeros(m, dtype=bool)
    inside[rng.choice(m, size=forced, replace=False)] = True
    B = rng.normal(size=(len(active), len(active)))
    np.fill_diagonal(B, 0.0)
    return S, inside, active, B, weights


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("size", [Cardinality(4), Penalty(0.1), THREES])
def test_the_gradient_is_that_of_the_smoothed_bound(seed, size):
    S, inside, active, B, weights = instance(seed, 9, 0 if size is THREES else seed % 3)
    smooth = few._ActiveSmoothed(S, inside, size, active, weights, 1.3, 0.07)
    rng = np.random.default_rng(seed)
    x = np.append(B[smooth.off_diagonal], 0.2 * rng.normal(size=9))
    _, gradient = smooth(x)
    for _ in range(4):
        direction = rng.normal(size=len(x))
        step = 1e-5
        slope = (smooth(x + step * direction)[0] - smooth(x - step * direction)[0]) / (2 * step)
        assert gradient @ direction == pytest.approx(slope, rel=2e-4, abs=1e-6)


def test_what_is_paid_whole_leaves_exact_zeros():
    S, _, active, B, weights = instance(3, 9, 0)
    P, _ = pairs_of(active_point(np.arange(9), active, B, weights), S)
    for i, j in itertools.permutations(range(9), 2):
        if i not in active or j not in active:
            assert P[i, j] == S[i, j]


def test_nothing_active_is_row_sums_and_everything_active_is_all_of_the_dual(cov):
    S, nothing = cov.matrix, np.zeros(13, dtype=bool)
    rows = balance(S, nothing, Cardinality(6), iterations=60)
    for active in (np.arange(0), np.arange(5), np.arange(13)):
        B = start_from_weights(S[np.ix_(active, active)], rows.weights[active])
        point = active_point(np.arange(13), active, B, rows.weights)
        assert upper_bound(cov, point, 6) == pytest.approx(float(rows.bound), rel=1e-9)


def test_eight_active_variables_of_thirteen_are_enough(cov):
    S, nothing = cov.matrix, np.zeros(13, dtype=bool)
    rows = balance(S, nothing, Cardinality(6), iterations=60)
    order, bounds = np.argsort(-rows.weights), [float(rows.bound)]
    for count in (8, 13):
        active = np.sort(order[:count])
        B = start_from_weights(S[np.ix_(active, active)], rows.weights[active])
        weights = rows.weights
        for smoothing in (0.01, 0.003, 0.001):
            B, weights = descend_active(
                S, nothing, Cardinality(6), active, B, weights, scale=4.0, smoothing=smoothing, iterations=200
            )
        point = active_point(np.arange(13), active, B, weights)
        bounds.append(upper_bound(cov, point, 6))
    assert bounds[0] > 3.81
    assert bounds[1:] == pytest.approx([3.7709595523] * 2, rel=1e-4)  # the optimum: Perron is exact there
