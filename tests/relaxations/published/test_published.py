"""The published relaxations: their printed gaps, validity for every dual point, and their Perron points."""

import numpy as np
import pytest
from draws import draws, examples
from hypothesis import given
from hypothesis import strategies as st
from published import PITPROPS
from small_covariances import optimum, random_covariance

import relaxspca as rs
from relaxspca.problem.size import Penalty
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.perron import formula as perron
from relaxspca.relaxations.published import dspca, li_xie, perspective, spartrahedron


def solved(model):
    value = solve_cone_program(model.problem, solver="clarabel", tol=1e-9)
    assert np.isfinite(value)
    return value


PUBLISHED = [
    # Li and Xie, table 5, (13): the exact value at k = 4 replaces their unconverged 43.61. Then (16).
    *((li_xie, k, {}, gap, 1.01 * 10.0**-digits) for k, gap, digits in (
        (4, 36.1712, 4), (5, 23.854, 3), (6, 11.872, 3), (8, 3.687, 3), (10, 1.102, 3),
    )),
    *((perspective, k, {}, gap, 1.01e-4) for k, gap in ((4, 0.4090), (5, 0.1846), (8, 0.2620), (10, 0.1227))),
    # Cifuentes and Li: gaps recomputed in METHODS 8.4.
    *((spartrahedron, k, {"l1": l1}, gap, 1.5e-4) for k, l1, gap in (
        (5, False, 0.1081), (4, False, 2.2151), (8, False, 0.1686), (4, True, 0.2163),
    )),
    # Li and Xie, table 5, (17).
    *((dspca, k, {}, gap, 0.51 * 10.0**-digits) for k, gap, digits in (
        (4, 2.71, 2), (5, 1.53, 2), (6, 1.13, 2), (7, 0.886, 3), (8, 1.87, 2), (9, 1.63, 2), (10, 1.10, 2),
    )),
]  # fmt: skip


@pytest.mark.parametrize(("relaxation", "k", "options", "printed", "room"), PUBLISHED[:: draws(2, 1)])
def test_published_gaps_of_pitprops_by_both_forms(relaxation, k, options, printed, room, cov):
    dual = relaxation.model(cov, k=k, dual=True, **options)
    value = solved(dual)
    bound = dual.bound().upper
    assert 100 * (bound / PITPROPS[k - 1] - 1) == pytest.approx(printed, abs=room)
    assert bound == pytest.approx(value, rel=1e-6)
    assert bound == pytest.approx(solved(relaxation.model(cov, k=k, **options)), rel=1e-6)


# Optimal values of penalised DSPCA, computed once by an interior-point method in other software.
PITPROPS_PENALISED = {0.05: 3.758515, 0.1: 3.346005, 0.2: 2.648082, 0.3: 2.013737, 0.5: 1.024974, 0.7: 0.554}
PITPROPS_PENALISED |= {0.0: PITPROPS[-1], 50.0: 0.0}


@pytest.mark.parametrize("rho", PITPROPS_PENALISED)
def test_penalised_values_on_pitprops(rho, cov):
    dual = dspca.model(cov, rho=rho, dual=True)
    assert np.isfinite(solve_cone_program(dual.problem, tol=1e-9))
    point = dspca.perron_point(dual.variables["U"].value)
    bound = max(perron.upper_bound(cov, point, Penalty(rho)), 0.0)
    assert bound == pytest.approx(PITPROPS_PENALISED[rho], abs=1e-6)


def random_perspective(rng, n, size):
    def matrix():
        return rng.normal(size=(n, n)) * size * rng.choice([0.0, 0.1, 1.0])

    lam, mu = (rng.exponential(size=n) * size for _ in range(2))
    return perspective.PerspectivePoint(matrix(), lam, matrix(), mu)


@examples(150)
@given(st.integers(0, 2**32 - 1), st.integers(1, 7))
def test_every_dual_point_is_valid(seed, n):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(int(rng.integers(1, n + 2)), n))
    cov = rs.Covariance(A.T @ A)
    k, size = int(rng.integers(1, n + 1)), float(np.abs(cov.matrix).max())
    best = optimum(cov.matrix, k) * (1 - 1e-14)
    point = random_perspective(rng, n, size)
    assert perspective.upper_bound(cov, point, k) >= best
    assert li_xie.upper_bound(cov, rng.normal(size=n) * size, k) >= best
    L = rng.normal(size=(n, 2)) * np.sqrt(size)
    U = rng.normal(size=(n, n)) * size * rng.choice([0.0, 0.3])
    assert perron.upper_bound(cov, spartrahedron.perron_point(L, U=U), k) >= best
    assert perron.upper_bound(cov, dspca.perron_point(U), k) >= best


@examples(150)
@given(st.integers(0, 2**32 - 1), st.integers(1, 8))
def test_mapped_duals_are_never_worse(seed, n):
    """Perron's theory, Proposition 7: for every dual point, not only at the optimum."""
    rng = np.random.default_rng(seed)
    cov, k = random_covariance(rng, n), int(rng.integers(1, n + 1))
    size = float(np.abs(cov.matrix).max())
    U = rng.normal(size=(n, n)) * size * rng.choice([0.1, 1.0])
    U = (U + U.T) / 2
    bound = np.linalg.eigvalsh(cov.matrix + U)[-1] + k * np.abs(U).max()
    assert perron.upper_bound(cov, dspca.perron_point(U), k) <= bound * (1 + 1e-12)
    point = random_perspective(rng, n, size)
    mapped = perspective.perron_point(point, k)
    assert perron.upper_bound(cov, mapped, k) <= perspective.upper_bound(cov, point, k) * (1 + 1e-12)
    L = rng.normal(size=(n, 2)) * np.sqrt(size) * rng.choice([0.1, 1.0])
    for ball in (None, U):
        W = L @ L.T
        displayed = cov.matrix + k * np.diag(np.diag(W)) - W + (0 if ball is None else U)
        bound = np.linalg.eigvalsh(displayed)[-1] + (0 if ball is None else k * np.abs(U).max())
        assert perron.upper_bound(cov, spartrahedron.perron_point(L, U=ball), k) <= bound * (1 + 1e-12)


def test_a_variable_without_variance_does_not_disturb_13():
    S = np.zeros((4, 4))
    S[:3, :3] = [[2.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 1.0]]
    bounds = []
    for cov in (rs.Covariance(S), rs.Covariance(S[:3, :3])):
        dual = li_xie.model(cov, 2, dual=True)
        dual.solve(solver="CLARABEL")
        bounds.append(dual.bound().upper)
    assert bounds[0] == pytest.approx(bounds[1], rel=1e-6)
    assert bounds[0] >= 3.0 - 1e-12


@pytest.mark.parametrize("lost", [0.0, 1e-12])
def test_weights_that_a_solver_left_at_zero_cost_no_more_than_their_rows(lost, cov):
    dual = perspective.model(cov, 5, dual=True)
    best = solved(dual)
    for weights in dual.problem.variables():
        if weights.shape == (13,):
            weights.value = np.where(np.arange(13) < 6, lost, weights.value)
    bound = dual.bound().upper
    assert best * (1 - 1e-6) < bound < 2 * best
