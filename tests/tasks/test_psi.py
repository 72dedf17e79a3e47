import pytest
from published import PITPROPS

from relaxspca import Covariance, path, verify
from relaxspca import upper_bound as upper_bound_of
from relaxspca.datasets import load_pitprops
from relaxspca.tasks.upper_bound import psi


@pytest.mark.parametrize("p", [-295, 0])
def test_a_penalty_out_of_all_proportion(p):
    cov = Covariance.from_factor(load_pitprops().factor * 2.0**p)
    assert psi(cov, 1e300).upper <= 1e-250
    for rho in (1e300, 5e-324):
        found = path(cov, rho=rho).rows[0]
        assert verify(found.certificate), verify(found.certificate).reasons


# phi by enumeration and psi by an interior-point method in other software.
PENALISED = {
    0.05: (3.688647, 3.688742), 0.1: (3.296190, 3.296611), 0.2: (2.596190, 2.601058),
    0.3: (1.970960, 1.996098), 0.5: (0.975331, 1.130936), 0.7: (0.554, 0.590610),
}  # fmt: skip


@pytest.mark.parametrize("rho", PENALISED)
def test_the_reference_values_of_pitprops(rho, cov):
    found, relaxed = path(cov, rho=rho, tol=1e-8).rows[0], psi(cov, rho, tol=1e-8)
    assert (found.lower, relaxed.upper) == pytest.approx(PENALISED[rho], abs=1.1e-6)
    assert found.upper == pytest.approx(found.lower, abs=1e-6)
    assert 0 <= relaxed.accuracy <= 1e-8
    assert verify(found.certificate), verify(found.certificate).reasons


# The least psi(rho) + rho k over all rho, in % above the optimum: bound (8), table 5 of Li and Xie, IJOC 2024.
GAPS = {4: 5.7550, 5: 2.3674, 6: 0.3954, 7: 0, 8: 0.2914, 9: 0, 10: 0.0887}


@pytest.mark.parametrize("k", GAPS)
def test_published_gaps_of_pitprops(k):
    found = upper_bound_of(load_pitprops(), k, relaxation="psi")
    assert 100 * (found.upper / PITPROPS[k - 1] - 1) == pytest.approx(GAPS[k], abs=1.1e-4)
