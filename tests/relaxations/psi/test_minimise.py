import itertools

import numpy as np
import pytest
from draws import draws, examples
from hypothesis import given
from hypothesis import strategies as st
from small_covariances import draw, optimum

from relaxspca import Covariance
from relaxspca.datasets import load_pitprops
from relaxspca.relaxations.psi.barrier import curvature_product, hessian_diagonal
from relaxspca.relaxations.psi.formula import evaluate, psi_point, upper_bound
from relaxspca.relaxations.psi.minimise import bound, minimise
from relaxspca.relaxations.psi.models import model

KINDS = ["wishart", "correlation", "rank_deficient", "tied", "duplicated", "with_zero_columns", "badly_scaled"]


@pytest.mark.parametrize("seed", draws((1, 3), range(4)))
@pytest.mark.parametrize("share", [1e-4, 0.02, 0.2, 0.6, 0.95])
def test_agrees_with_the_cone_program(seed, share):
    rng = np.random.default_rng(seed)
    cov = Covariance.from_factor(rng.normal(size=(4, 3 + seed)))
    rho = share * cov.diagonal.max()
    solution = minimise(cov.factor, rho, tol=1e-8)
    problem = model(cov, rho=rho, dual=True).problem
    assert solution.value == pytest.approx(problem.solve(solver="CLARABEL"), rel=1e-6)


@examples(120)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from(KINDS))
def test_reaches_its_gap_and_bounds_brute_force(seed, kind):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 8))
    cov = Covariance(draw(kind, rng, n))
    k = int(rng.integers(1, n + 1))
    solution = bound(cov.factor, k)
    upper = upper_bound(cov, psi_point(cov, np.arange(n), solution.rho, solution.vectors), k)
    assert optimum(cov.matrix, k) <= upper * (1 + 1e-13)
    # Repeated columns can make the bound flat in rho, where the last digits are slow.
    assert solution.lower <= upper <= solution.lower * (1 + 1e-4)


def test_bound_of_a_k_is_the_least_over_penalties():
    A = load_pitprops().factor
    best = bound(A, 6, tol=1e-8)
    grid = [minimise(A, rho, tol=1e-8).bound(6) for rho in best.rho * np.array([0.9, 0.99, 1.0, 1.01, 1.1])]
    assert min(grid) >= best.lower
    assert grid[2] == pytest.approx(best.bound(6), rel=1e-7)


def test_stops_once_nothing_better_is_possible(cov):
    early = bound(cov.factor, 5, lower=3.6)
    assert bound(cov.factor, 5).bound(5) * (1 + 1e-4) < early.bound(5) <= 3.6


@pytest.mark.parametrize("ends", draws([2, 3, 5, 9, 20, 80], [*range(2, 12), 20, 40, 80, 160]))
def test_wherever_time_ends_the_bounds_hold(ends, clock):
    """A clock that goes on by a second whenever it is asked ends the work in every one of its loops."""
    A = load_pitprops().factor
    best, best_of_5 = minimise(A, 0.2, tol=1e-9), bound(A, 5, tol=1e-9)
    seconds = itertools.count()
    clock(seconds.__next__)
    at_penalty, of_5 = minimise(A, 0.2, time_limit=ends), bound(A, 5, time_limit=ends)
    assert at_penalty.lower * (1 - 1e-12) <= best.value
    assert at_penalty.value >= best.lower * (1 - 1e-12)
    assert of_5.lower * (1 - 1e-12) <= best_of_5.bound(5)
    assert of_5.bound(5) >= best_of_5.lower * (1 - 1e-12)
    assert next(seconds) <= 2 * ends + 20


def test_nothing_is_left_at_a_high_penalty_and_everything_at_none(cov):
    assert minimise(cov.factor, 1.5).value == 0
    free = minimise(cov.factor, 0.0, tol=1e-9)
    assert free.value == pytest.approx(np.linalg.eigvalsh(cov.matrix)[-1], rel=1e-8)


def test_curvature_matches_differences_of_the_gradient():
    rng = np.random.default_rng(6)
    r = 5
    A = rng.normal(size=(r, 8))
    L = rng.normal(size=(r, r))
    X = L @ L.T / np.trace(L @ L.T)
    at = evaluate(X, A, 0.5)
    root = at.Q * np.sqrt(at.d)
    for _ in range(3):
        W = rng.normal(size=(r, r))
        W = W + W.T
        H = root @ W @ root.T
        ahead, behind = (root.T @ evaluate(X + s * H, A, 0.5).vectors for s in (1e-6, -1e-6))
        slope = (ahead @ ahead.T - behind @ behind.T) / 2e-6
        assert curvature_product(at, W) == pytest.approx(-slope, rel=1e-4, abs=1e-6)
    diagonal = hessian_diagonal(at)
    for j, k in itertools.combinations_with_replacement(range(r), 2):
        W = np.zeros((r, r))
        W[j, k] = W[k, j] = 1
        W /= np.linalg.norm(W)
        assert diagonal[j, k] == pytest.approx(np.vdot(W, curvature_product(at, W)), rel=1e-9)
    assert curvature_product(at, np.eye(r)) == pytest.approx(np.zeros((r, r)), abs=1e-12)
