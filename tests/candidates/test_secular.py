import numpy as np
import pytest
from draws import examples
from hypothesis import given
from hypothesis import strategies as st

from relaxspca.candidates.greedy import best_border, largest_root


@examples(150)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 8), degenerate=st.booleans())
def test_largest_root_is_largest_eigenvalue_of_bordered_matrix(seed, size, degenerate):
    rng = np.random.default_rng(seed)
    poles = np.sort(np.round(rng.normal(size=(5, size)))) if degenerate else np.sort(rng.normal(size=(5, size)))
    borders = np.round(rng.normal(size=(5, size))) if degenerate else rng.normal(size=(5, size))
    corners = rng.normal(size=5)
    roots = largest_root(poles, borders**2, corners)
    for pole, border, corner, root in zip(poles, borders, corners, roots, strict=True):
        bordered = np.block([[np.diag(pole), border[:, None]], [border[None, :], np.array([[corner]])]])
        assert root == pytest.approx(np.linalg.eigvalsh(bordered)[-1], rel=1e-12, abs=1e-12)


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
