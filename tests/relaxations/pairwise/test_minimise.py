"""The method for the pairwise dual: gradients, proofs against brute force, warm starts."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import check_grad

import relaxspca as rs
from relaxspca.certificate import PairwisePoint
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.pairwise.formula import upper_bound
from relaxspca.relaxations.pairwise.minimise import INTERIOR_LIMIT, minimise
from relaxspca.relaxations.pairwise.models import dual_model
from relaxspca.relaxations.pairwise.smooth import DualVariables, SmoothedDual

# Enumeration; METHODS of d'Aspremont, Bach and El Ghaoui's data agree to the digits they print.
PITPROPS = [1, 1.954, 2.4753313532, 2.9374789467, 3.4061549468, 3.7709595523, 3.9961896449, 4.0686073272,
            4.1386469071, 4.1726376616, 4.2082759543, 4.2182451865, 4.2186328533]  # fmt: skip


def enumerate_best(Sigma, k):
    supports = list(combinations(range(len(Sigma)), k))
    blocks = np.array([Sigma[np.ix_(T, T)] for T in supports])
    values = np.linalg.eigvalsh(blocks)[:, -1]
    return values, supports


@pytest.mark.parametrize("room", [1, 3])
@pytest.mark.parametrize("forced", [0, 2])
def test_gradient_of_the_smoothed_dual(room, forced):
    rng = np.random.default_rng(room + forced)
    m = 7
    A = rng.normal(size=(m, m))
    Sigma, shift = A.T @ A / m, rng.normal(size=(m, m))
    smoothed = SmoothedDual(Sigma, room + forced, np.arange(m) < forced, 0.3)
    dual = DualVariables(Sigma / 2, rng.exponential(size=m), shift - shift.T, rng.normal(size=m), 0.4)
    y = smoothed.pack(dual)
    assert np.allclose(smoothed.unpack(y).V, dual.V)
    assert np.allclose(smoothed.unpack(y).S, dual.S)
    error = check_grad(lambda x: smoothed(x)[0], lambda x: smoothed(x)[1], y)
    assert error < 1e-4 * np.linalg.norm(smoothed(y)[1])


@pytest.mark.parametrize("k", range(1, 14))
def test_pitprops_is_settled(k):
    cov = rs.datasets.load_pitprops()
    values, supports = enumerate_best(cov.matrix, k)
    assert values.max() == pytest.approx(PITPROPS[k - 1], abs=6e-11)
    solution = minimise(cov, k, support=supports[values.argmax()], lower=values.max())
    assert values.max() * (1 - 1e-14) <= solution.upper
    assert solution.upper <= values.max() * (1 + 1e-6)


@pytest.mark.parametrize(("k", "gap"), [(2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 1.01e-4), (9, 0),
                                        (10, 2.98e-4), (11, 0), (12, 0)])  # fmt: skip
def test_root_bound_on_pitprops(k, gap):
    """Without any fixing; both gaps are those of the cone program (primal and dual agree)."""
    cov = rs.datasets.load_pitprops()
    solution = minimise(cov, k)
    assert not solution.fixings
    assert upper_bound(cov, solution.point, k) == solution.value
    assert PITPROPS[k - 1] - 6e-11 <= solution.value <= PITPROPS[k - 1] * (1 + gap + 1e-7)


def test_quasi_newton_agrees_with_the_interior_point_method():
    """On a matrix just beyond the limit for interior points, and on its cone program."""
    cov = rs.datasets.make_spiked(INTERIOR_LIMIT + 1, 4, n_samples=60, strength=1.5)
    solution = minimise(cov, 4)
    problem = dual_model(cov, 4).problem
    value = solve_cone_program(problem, solver="clarabel", tol=1e-8).value
    assert solution.iterations > 0
    assert value * (1 - 1e-7) <= solution.value <= value * (1 + 1e-4)


def test_fixings_never_lose_a_better_support():
    """With too low a `lower`, whatever beats it must survive in the node that is left, or in the bound."""
    rng = np.random.default_rng(0)
    for _ in range(25):
        n, k = int(rng.integers(4, 10)), int(rng.integers(2, 4))
        A = rng.normal(size=(n + 2, n))
        cov = rs.Covariance(A.T @ A)
        values, supports = enumerate_best(cov.matrix, k)
        lower = float(np.quantile(values, 0.9))
        solution = minimise(cov, k, lower=lower, max_iterations=300)
        assert solution.upper >= values.max() * (1 - 1e-12)
        alive = set(solution.inside) | set(solution.free)
        for value, support in zip(values, supports, strict=True):
            if value > lower * (1 + 2e-6):
                assert set(solution.inside) <= set(support) <= alive
                assert value <= solution.value * (1 + 1e-12)


def test_the_supports_that_survive_are_evaluated():
    """Where the relaxation is not exact, the list left by the prices settles the optimum all the same."""
    rng = np.random.default_rng(3)
    listed = 0
    for trial in range(20):
        n, k = int(rng.integers(6, 10)), int(rng.integers(2, 5))
        A = rng.normal(size=(n, n))
        cov = rs.Covariance(A.T @ A)
        values, supports = enumerate_best(cov.matrix, k)
        lower = values.max() if trial % 2 else float(np.sort(values)[-4])
        solution = minimise(cov, k, lower=lower)
        assert values.max() * (1 - 1e-14) <= solution.upper
        if not solution.survivors:
            continue
        listed += 1
        assert solution.upper <= values.max() * (1 + 1e-6)
        survivors = {tuple(T) for T in solution.survivors}
        assert {T for v, T in zip(values, supports, strict=True) if v > lower * (1 + 2e-6)} <= survivors
    assert listed > 5


def test_nodes_respect_forced_and_excluded_variables():
    cov = rs.datasets.load_pitprops()
    values, supports = enumerate_best(cov.matrix, 5)
    node = [v for v, T in zip(values, supports, strict=True) if 3 in T and 12 not in T]
    for solution in (
        minimise(cov, 5, inside=[3], free=range(12)),
        minimise(cov, 5, inside=[3], free=range(12), lower=0.98 * max(node)),
    ):
        assert max(node) * (1 - 1e-12) <= solution.value <= max(node) * 1.02
        assert 3 in solution.inside
        assert 12 not in solution.free


def test_starts_from_the_point_of_another_cardinality():
    cov = rs.datasets.load_pitprops()
    first = minimise(cov, 5)
    cold = minimise(cov, 6, lower=1.0, max_iterations=0)
    warm = minimise(cov, 6, lower=1.0, start=first.point, max_iterations=0)
    assert warm.value == upper_bound(cov, first.point, 6) < cold.value


def test_limits_and_callback_stop_with_a_valid_bound():
    cov = rs.datasets.load_pitprops()
    seen = []
    stopped = minimise(cov, 8, lower=4.0, callback=lambda solution: seen.append(solution) or True)
    assert len(seen) == 1
    assert stopped.upper == seen[0].upper >= PITPROPS[7]
    late = minimise(cov, 8, lower=4.0, time_limit=0.0)
    assert late.iterations == 0
    assert late.upper >= PITPROPS[7]


def test_an_infinite_row_price_is_no_bound_below_the_optimum():
    # lam = 0 under a V that is not 0: the price of every pair is infinite.
    cov = rs.Covariance([[2.0, 0.5], [0.5, 1.0]])
    start = PairwisePoint(np.arange(2), V=np.ones((2, 2)), lam=np.zeros(2))
    for k, optimum in ((1, 2.0), (2, 1.5 + np.sqrt(0.5))):
        assert minimise(cov, k, start=start, lower=1.0).upper >= optimum * (1 - 1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_an_infinite_price_beside_the_best_start_fixes_nothing(seed):
    # One variable, V without a diagonal and lam = 0: the start is exact, so the search begins at it, and every
    # price off the diagonal is infinite. They were sorted last, as nan, and "proved" a bound of -1.8e308.
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 5))
    A = rng.normal(size=(n, n))
    Sigma = A.T @ A
    V = Sigma - np.diag(np.diagonal(Sigma))
    start = PairwisePoint(np.arange(n), V=V, lam=np.zeros(n))
    optimum = float(np.diagonal(Sigma).max())
    for lower in (0.5 * optimum, optimum):
        found = minimise(rs.Covariance(Sigma), 1, start=start, lower=lower)
        assert found.upper >= optimum
        assert found.upper <= optimum * (1 + 1e-6)


def test_bounds_that_rest_on_fixings_say_so():
    cov = rs.datasets.load_pitprops()
    best = rs.candidate(cov, 5)
    fixed = minimise(cov, 5, support=best.indices, lower=best.value)
    assert fixed.rests_on_fixings
    assert not minimise(cov, 5, support=best.indices).rests_on_fixings
