"""A path of penalties: a component from above and from below for one penalty."""

import itertools

import numpy as np
import pytest

from relaxspca import Covariance, DataWarning, path, psi
from relaxspca.checker import verify
from relaxspca.datasets import load_pitprops

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
    assert 0 <= relaxed.accuracy <= 1e-8
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
