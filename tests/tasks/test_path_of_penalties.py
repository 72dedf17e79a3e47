"""A path of penalties: a component from above and from below for one penalty."""

import itertools

import numpy as np
import pytest
from draws import examples
from hypothesis import example, given
from hypothesis import strategies as st
from small_covariances import optimum_at_penalty

from relaxspca import Covariance, DataWarning, path, psi
from relaxspca.checker import verify
from relaxspca.datasets import load_pitprops
from tests.small_covariances import random_covariance

# phi by enumeration and psi by an interior-point method in other software.
PITPROPS = {
    0.05: (3.688647, 3.688742), 0.1: (3.296190, 3.296611), 0.2: (2.596190, 2.601058),
    0.3: (1.970960, 1.996098), 0.5: (0.975331, 1.130936), 0.7: (0.554, 0.590610),
}  # fmt: skip


def bounds(cov, rho, **told):
    """Return the row of one penalty."""
    return path(cov, rho=rho, **told).rows[0]


@pytest.mark.parametrize("rho", PITPROPS)
def test_the_reference_values_of_pitprops(rho):
    found, relaxed = bounds(load_pitprops(), rho, tol=1e-8), psi(load_pitprops(), rho, tol=1e-8)
    assert (found.lower, relaxed.upper) == pytest.approx(PITPROPS[rho], abs=1.1e-6)
    assert found.upper == pytest.approx(found.lower, abs=1e-6)
    assert verify(found.certificate), verify(found.certificate).reasons


@examples(30)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 7), share=st.floats(0, 1.2))
@example(seed=1, n=7, share=1e-24)
@example(seed=2, n=6, share=1e-14)
@example(seed=3, n=7, share=1e-9)
def test_the_bounds_hold_phi_between_them(seed, n, share):
    rng = np.random.default_rng(seed)
    cov = random_covariance(rng, n)
    rho = share * float(cov.diagonal.max())
    phi = optimum_at_penalty(cov.matrix, rho)
    found = bounds(cov, rho)
    slack = 1e-13 * np.trace(cov.matrix)
    assert found.lower <= phi + slack
    assert found.upper >= phi - slack
    assert verify(found.certificate), verify(found.certificate).reasons


def test_falling_in_the_penalty_and_zero_beyond_the_largest_variance():
    cov, rhos = load_pitprops(), (0.0, 0.15, 0.4, 0.9, 1.0, 3.0)
    found = [bounds(cov, rho) for rho in rhos]
    assert all(a.lower >= b.lower for a, b in itertools.pairwise(found))
    assert all(last.candidate.k == last.lower == 0 for last in found[-2:])
    for uppers in ([row.upper for row in found], [psi(cov, rho).upper for rho in rhos]):
        assert uppers[0] == pytest.approx(4.2186328533)
        assert all(a >= b - 1e-6 for a, b in itertools.pairwise(uppers))
        assert all(0 <= last < 1e-9 for last in uppers[-2:])


def test_variables_without_variance_of_an_indefinite_matrix_may_pay():
    with pytest.warns(DataWarning, match="not positive semidefinite"):
        cov = Covariance(np.ones((5, 5)) - np.eye(5))  # v_k = k - 1
    found = bounds(cov, 0.2)
    assert found.lower == pytest.approx(3.0)
    assert found.upper >= 3.0
    assert verify(found.certificate), verify(found.certificate).reasons
