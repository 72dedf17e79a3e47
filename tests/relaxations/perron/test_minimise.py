"""The methods for the Perron dual: gradients, balanced weights, bounds with a variable in or out."""

import numpy as np
import pytest
from draws import draws
from small_covariances import draw, optimum

import relaxspca as rs
from relaxspca.problem.budgets import OneOfEachSize
from relaxspca.problem.size import Cardinality, Penalty
from relaxspca.relaxations.perron.formula import upper_bound
from relaxspca.relaxations.perron.minimise import SoftRows, minimise, to_point
from relaxspca.relaxations.perron.weights import balance


def masks(rng, m, k):
    inside = np.zeros(m, dtype=bool)
    inside[rng.choice(m, int(rng.integers(0, k)), replace=False)] = True
    return inside


def in_pairs(k, inside):
    """Return the size of supports with one of each pair of neighbours at most; those forced in have no pair."""
    labels = np.arange(len(inside)) // 2
    labels[inside] = len(inside) + np.flatnonzero(inside)
    return OneOfEachSize(k, labels)


def smoothed(S, inside, size, width):
    rows = SoftRows(inside, size, width)
    return lambda entries: rows(S, rows.unpack(entries))[:2]


@pytest.mark.parametrize("seed", range(12))
def test_gradient_by_finite_differences(seed):
    rng = np.random.default_rng(seed)
    m, k = 7, int(rng.integers(1, 7))
    S, inside = draw("wishart", rng, m), masks(rng, m, k)
    size = Penalty(0.2) if seed % 3 == 0 else Cardinality(k) if seed % 3 == 1 else in_pairs(k, inside)
    start = rng.normal(size=m * (m - 1))
    _, gradient = smoothed(S, inside, size, 0.1)(start)
    for direction in rng.normal(size=(5, start.size)):
        # A new object each time: thresholds are warm-started within one.
        ahead, behind = (smoothed(S, inside, size, 0.1)(start + h * direction)[0] for h in (1e-5, -1e-5))
        assert (ahead - behind) / 2e-5 == pytest.approx(float(gradient @ direction), rel=2e-5, abs=1e-7)


@pytest.mark.parametrize("is_in_pairs", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_the_smoothed_bound_is_near_the_bound_and_above_it(seed, is_in_pairs):
    rng = np.random.default_rng(seed)
    m, k, mu = 8, 3 + 2 * is_in_pairs * (seed % 2), 0.01
    S, inside = draw("correlation", rng, m), masks(rng, m, 3)
    size = in_pairs(k, inside) if is_in_pairs else Cardinality(k)
    B = rng.normal(size=(m, m))
    np.fill_diagonal(B, 0.0)
    value, *_ = SoftRows(inside, size, mu)(S, B)
    exact = upper_bound(
        rs.Covariance(S), to_point(np.arange(m), B), size,
        inside=np.flatnonzero(inside), free=np.flatnonzero(~inside),
    )  # fmt: skip
    assert exact * (1 - 1e-9) <= value <= exact + mu * (np.log(m) + m)


def test_minimise_is_a_bound_and_closes_what_it_can(cov):
    for k in draws((4,), range(1, 14)):
        best = optimum(cov.matrix, k)
        point, upper = minimise(cov, k, lower=best)
        assert best <= upper <= best * 1.01
        assert upper == upper_bound(cov, point, k)


def test_weights_do_not_depend_on_a_shift():
    rng = np.random.default_rng(4)
    S = draw("wishart", rng, 8)
    nothing = np.zeros(8, dtype=bool)
    bound = float(balance(S, nothing, Cardinality(3), iterations=400).bound)
    shifted = float(balance(S - 9 * np.eye(8), nothing, Cardinality(3), iterations=1000).bound)
    assert shifted + 9 == pytest.approx(bound, abs=1e-4)
