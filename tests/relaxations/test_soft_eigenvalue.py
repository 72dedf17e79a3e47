"""The smoothed eigenvalue: its bounds and its gradient."""

import numpy as np
import pytest

from relaxspca.relaxations.soft_eigenvalue import soft_largest


def symmetric(seed, n):
    M = np.random.default_rng(seed).standard_normal((n, n))
    return M + M.T


@pytest.mark.parametrize("seed", range(5))
def test_value_is_between_the_eigenvalue_and_the_promised_excess(seed):
    M, width = symmetric(seed, 9), 0.3
    value, X = soft_largest(M, width)
    largest = np.linalg.eigvalsh(M)[-1]
    assert largest <= value <= largest + width * np.log(9)
    assert np.trace(X) == pytest.approx(1)
    D, step = symmetric(seed + 50, 9), 1e-6
    difference = soft_largest(M + step * D, width)[0] - soft_largest(M - step * D, width)[0]
    assert np.vdot(X, D) == pytest.approx(difference / (2 * step), rel=1e-6)
