from fractions import Fraction

import numpy as np
import pytest
from draws import examples
from exact_truth import Spectrum, Truth
from hypothesis import given
from hypothesis import strategies as st
from small_covariances import KINDS, draw

from relaxspca.numerics.linalg import eigenvalue_upper, eigenvalues_upper, leading_eigenpair


@examples(200)
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


@pytest.mark.parametrize("kind", KINDS)
def test_eigenvalue_bounds_hold_in_exact_arithmetic(kind):
    rng = np.random.default_rng([len(kind), 3])
    for trial in range(20):
        n = int(rng.integers(2, 7))
        M = draw(kind, rng, n) if trial % 3 else 1.0 + 1e-15 * draw("correlation", rng, n)  # clustered
        scale = 10.0 ** (trial % 2 * rng.uniform(-12, 12, n))
        M = M * np.outer(scale, scale)
        radius = 1e-10 * float(np.abs(M).max()) if trial % 4 < 2 else 0.0
        tau = min(eigenvalue_upper(M, radius), eigenvalues_upper(np.array([M, M / 2]), radius)[0])
        assert Spectrum(Truth(M).S).above(Fraction(tau) - Fraction(radius), or_equals=True) == 0
