import numpy as np
import pytest

from relaxspca.candidates.greedy import best_border


def test_best_border_equals_trying_every_allowed_border():
    rng = np.random.default_rng(3)
    for _ in range(60):
        s, t, n = rng.integers(1, 5), rng.integers(1, 6), 7
        poles = np.sort(rng.normal(size=(s, t)), axis=1)
        weights = np.where(rng.random((s, t, n)) < 0.3, 0.0, rng.normal(size=(s, t, n))) ** 2
        corners = rng.normal(size=n)
        allowed = rng.random((s, n)) < 0.7
        allowed[:, 0] = True
        index, value = best_border(poles, weights, corners, allowed)
        for i in range(s):
            bordered = np.zeros((n, t + 1, t + 1))
            bordered[:, :t, :t], bordered[:, t, t] = np.diag(poles[i]), corners
            bordered[:, :t, t] = bordered[:, t, :t] = np.sqrt(weights[i]).T
            roots = np.linalg.eigvalsh(bordered)[:, -1]
            assert value[i] == pytest.approx(roots[allowed[i]].max(), rel=1e-12, abs=1e-12)
            assert allowed[i, index[i]]
            assert roots[index[i]] == pytest.approx(value[i], rel=1e-12, abs=1e-12)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_no_overflow_where_value_and_pole_are_zero():
    # The blocks {0, 1} and {2} of [[0, 0, 5], [0, 0, -1], [5, -1, 0]], a matrix without diagonal.
    weights = np.array([[[0.0, 0.0, 25.0], [0.0, 0.0, 1.0]]])
    index, value = best_border(np.zeros((1, 2)), weights, np.zeros(3), np.array([[True, False, True]]))
    assert index.tolist() == [2]
    assert value == pytest.approx(26**0.5)
    stuck, level = best_border(np.zeros((1, 2)), weights, np.zeros(3), np.array([[True, True, False]]))
    assert (stuck.tolist(), level.tolist()) == ([0], [0.0])


def test_a_border_far_beyond_the_value_is_better_without_a_warning():
    # A value of 0 at a pole of 0 beside entries near the end of the range: the excess is infinite.
    index, value = best_border(
        np.zeros((1, 1)), np.array([[[0.0, 1e200]]]), np.array([0.0, 0.0]), np.array([[True, True]])
    )
    assert (index[0], value[0]) == (1, 1e100)
