import numpy as np
import pytest
from draws import draws
from enumeration import value
from published import PITPROPS

from relaxspca import Covariance
from relaxspca.candidates.greedy import best_border, greedy, greedy_supports
from tests.small_covariances import random_covariance


def test_every_pitprops_optimum_is_found(cov):
    for k, best in enumerate(PITPROPS, start=1):
        assert greedy(cov, k).value == pytest.approx(best, abs=1e-9)


def test_greedy_from_one_start_adds_the_best_variable_each_time():
    rng = np.random.default_rng(1)
    for _ in range(draws(8, 20)):
        cov = random_covariance(rng, 8, int(rng.integers(1, 9)))
        support = [int(rng.integers(8))]
        start = support[0]
        for k in range(2, 9):
            support.append(max(set(range(8)) - set(support), key=lambda i: value(cov.matrix, [*support, i])))
            assert greedy(cov, k, starts=[start]).value == pytest.approx(value(cov.matrix, support), rel=1e-10)


def test_classical_greedy_fails_on_wine_and_all_starts_do_not():
    data = pytest.importorskip("sklearn.datasets").load_wine().data
    cov = Covariance.from_data(data, correlation=True)
    best = greedy(cov, 5).value
    assert best == pytest.approx(3.439778422, abs=1e-8)  # brute force over all 1287 supports
    # All variances are one, so the first step is a tie and the first variable is no better than any other.
    assert greedy(cov, 5, starts=[0]).value < 0.75 * best


def test_growth_that_is_kept_for_other_sizes_changes_nothing():
    cov = random_covariance(np.random.default_rng(0), 300)
    for k in (9, 3, 12, 40):  # the last from fewer variables
        afresh = greedy_supports(Covariance(cov.matrix), k)
        np.testing.assert_array_equal(greedy_supports(cov, k), afresh)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize(
    ("weights", "allowed", "wanted"),
    [
        # The blocks {0, 1} and {2} of [[0, 0, 5], [0, 0, -1], [5, -1, 0]], a matrix without diagonal.
        ([[0.0, 0.0, 25.0], [0.0, 0.0, 1.0]], [True, False, True], (2, 26**0.5)),
        ([[0.0, 0.0, 25.0], [0.0, 0.0, 1.0]], [True, True, False], (0, 0.0)),
        # A value of 0 at a pole of 0 beside entries near the end of the range: the excess is infinite.
        ([[0.0, 1e200]], [True, True], (1, 1e100)),
    ],
)
def test_borders_of_poles_of_zero_are_compared_without_overflow(weights, allowed, wanted):
    index, value = best_border(
        np.zeros((1, len(weights))), np.array([weights]), np.zeros(len(allowed)), np.array([allowed])
    )
    assert (index[0], value[0]) == pytest.approx(wanted)
