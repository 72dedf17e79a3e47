import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaxspca import Covariance, InputError
from relaxspca.datasets import load_pitprops
from relaxspca.relaxations.published.dspca import penalised_upper_bound
from relaxspca.relaxations.published.dspca_smooth import smooth_minimise
from relaxspca.relaxations.published.dspca_solve import solve_dspca


@pytest.mark.parametrize(("rho", "value"), [(0.1, 3.346005), (0.3, 2.013737), (0.5, 1.024974)])
def test_the_reference_values_of_pitprops(rho, value):
    cov = load_pitprops()
    U, X = smooth_minimise(cov, rho, tol=1e-2)
    upper = penalised_upper_bound(cov, U, rho)
    lower = np.vdot(cov.matrix, X) - rho * np.abs(X).sum()
    assert lower <= value <= upper
    assert upper - lower <= 1.001e-2 * 4.2186328533


@settings(deadline=None, max_examples=8)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 6), share=st.floats(0.01, 1.0))
def test_it_agrees_with_the_cone_program_and_returns_feasible_points(seed, n, share):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n))
    cov = Covariance(X.T @ X)
    rho = share * float(cov.diagonal.max())
    U, primal = smooth_minimise(cov, rho, tol=5e-2)
    top = np.linalg.eigvalsh(cov.matrix)[-1]
    assert np.array_equal(U, U.T)
    assert np.abs(U).max() <= rho
    assert np.trace(primal) == pytest.approx(1)
    assert np.linalg.eigvalsh(primal)[0] >= -1e-12
    exact = penalised_upper_bound(cov, solve_dspca(cov, rho=rho, tol=1e-9), rho)
    assert exact - 1e-6 * top <= penalised_upper_bound(cov, U, rho) <= max(exact, 0) + 5.1e-2 * top


def test_it_is_a_solver_of_the_penalised_form_by_name():
    cov = load_pitprops()
    U = solve_dspca(cov, rho=0.3, solver="smooth", tol=1e-2)
    assert 2.013736 <= penalised_upper_bound(cov, U, 0.3) <= 2.013737 + 0.0422
    with pytest.raises(InputError, match="smooth method solves the penalised form"):
        solve_dspca(cov, k=3, solver="smooth")


def test_a_time_limit_leaves_a_dual_point():
    cov = load_pitprops()
    U, _ = smooth_minimise(cov, 0.1, tol=1e-9, time_limit=0.05)
    assert penalised_upper_bound(cov, U, 0.1) >= 3.346005
