import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaxspca.linalg import eigenvalue_upper, leading_eigenpair


@settings(deadline=None, max_examples=200)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 8),
    noise=st.sampled_from([0.0, 1e-17, 1e-16, 1e-9, 1.0]),
    scale=st.sampled_from([1e-95, 1e-90, 1e-40, 1.0, 1e90]),
)
def test_clustered_and_tiny_eigenvalues_are_found(seed, n, noise, scale):
    # LAPACK returns no eigenvalue, or an internal error, for some of these when asked for the last alone.
    rng = np.random.default_rng(seed)
    E = rng.normal(size=(n, n))
    M = scale * (np.eye(n) + noise * (E + E.T))
    value, vector = leading_eigenpair(M)
    expected = np.linalg.eigvalsh(M / scale)[-1] * scale
    assert value == pytest.approx(expected, rel=1e-12)
    assert np.linalg.norm(M @ vector - value * vector) <= 1e-12 * np.abs(M).sum()
    upper = eigenvalue_upper(M)
    assert expected * (1 - 1e-14 * np.sign(expected)) <= upper <= value + 1e-12 * np.abs(M).sum()
