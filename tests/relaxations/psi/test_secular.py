import numpy as np
import pytest
from draws import examples
from hypothesis import given
from hypothesis import strategies as st

from relaxspca.relaxations.psi.formula import secular_roots


@examples(200)
@given(
    seed=st.integers(0, 10**6),
    share=st.sampled_from([0.0, 1e-9, 1e-3, 0.3, 0.9, 1 - 1e-6]),
    spread=st.sampled_from([0, 3, 9]),
)
def test_root_is_the_positive_eigenvalue(seed, share, spread):
    rng = np.random.default_rng(seed)
    r, m = int(rng.integers(1, 8)), int(rng.integers(1, 6))
    C = rng.normal(size=(r, m))
    d = 10.0 ** -rng.uniform(0, spread, size=r)
    rho = share * (C**2).sum(axis=0).min()
    theta = secular_roots(C, d, rho)
    root = np.sqrt(d)
    for i in range(m):
        M = np.outer(root * C[:, i], root * C[:, i]) - rho * np.diag(d)
        assert theta[i] == pytest.approx(np.linalg.eigvalsh(M)[-1], rel=1e-7, abs=1e-14 * np.abs(M).sum())
        assert (d * C[:, i] ** 2 / (theta[i] + rho * d)).sum() == pytest.approx(1, abs=1e-10)


def test_norm_equal_to_the_penalty_gives_a_vanishing_root():
    C = np.array([[1.0, 0.6], [0.0, 0.8]])
    theta = secular_roots(C, np.array([0.3, 0.7]), 1.0)
    assert (theta >= 0).all()
    assert theta.max() < 1e-14


def test_repeated_columns_and_near_singular_matrix():
    C = np.tile(np.array([[1.0], [2.0]]), (1, 3))
    theta = secular_roots(C, np.array([1.0, 1e-30]), 0.25)
    assert np.ptp(theta) == 0
    assert theta[0] == pytest.approx(0.75)
