import numpy as np
import pytest
from draws import examples
from hypothesis import given
from hypothesis import strategies as st
from published import PITPROPS

from relaxspca import Covariance
from relaxspca.problem.size import Penalty
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.perron import formula as perron
from relaxspca.relaxations.published.dspca import model, perron_point
from tests.small_covariances import optima, random_covariance

SEEDS = st.integers(0, 10**6)

# Optimal values of the penalised form, computed once by an interior-point method in other software.
PITPROPS_PENALISED = {0.05: 3.758515, 0.1: 3.346005, 0.2: 2.648082, 0.3: 2.013737, 0.5: 1.024974, 0.7: 0.554}
PITPROPS_PENALISED |= {0.0: PITPROPS[-1], 50.0: 0.0}


def solved(cov, rho, **options):
    """The matrix U of the dual program."""
    dual = model(cov, rho=rho, dual=True)
    assert np.isfinite(solve_cone_program(dual.problem, **options))
    return dual.variables["U"].value


def upper_bound(cov, U, size):
    return perron.upper_bound(cov, perron_point(U), size)


@examples(200)
@given(seed=SEEDS, n=st.integers(1, 8), width=st.floats(0, 10))
def test_weak_duality_at_random_dual_points(seed, n, width):
    rng = np.random.default_rng(seed)
    cov = random_covariance(rng, n)
    U = rng.uniform(-width, width, size=(n, n))
    rho = float(rng.uniform(0, width))
    penalised = upper_bound(cov, U, Penalty(rho))
    for k, value in optima(cov.matrix).items():
        assert upper_bound(cov, U, k) >= value * (1 - 1e-14)
        assert penalised + rho * k >= value * (1 - 1e-14)


@pytest.mark.parametrize("rho", PITPROPS_PENALISED)
def test_penalised_values_on_pitprops(rho, cov):
    bound = max(upper_bound(cov, solved(cov, rho, tol=1e-9), Penalty(rho)), 0.0)
    assert bound == pytest.approx(PITPROPS_PENALISED[rho], abs=1e-6)


def test_the_shift_law():
    S = np.array([[1.0, 2.0, 0], [2.0, 1.0, 0], [0, 0, 1.0]])
    with pytest.warns(UserWarning, match="not positive semidefinite"):
        cov = Covariance(S)
    U = np.random.default_rng(0).normal(size=(3, 3))
    raised = Covariance(S + np.eye(3))
    assert upper_bound(cov, U, 2) + 1 == pytest.approx(upper_bound(raised, U, 2), rel=1e-12)


def test_elimination_changes_dspca_but_not_what_it_bounds():
    rho = 1.069
    cov = Covariance([[3.0, 1.73205], [1.73205, 1.0]])
    whole = upper_bound(cov, solved(cov, rho), Penalty(rho))
    part = upper_bound(cov.restrict([0]), np.full((1, 1), -rho), Penalty(rho))
    phi = max(v - rho * k for k, v in optima(cov.matrix).items())
    assert whole == pytest.approx(2.13085, abs=1e-5)
    assert part == pytest.approx(1.931)
    assert part >= phi - 1e-12
