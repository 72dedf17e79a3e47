"""The T-relaxation: known feasible points, brute force, published values, and any proposal as a bound."""

from itertools import combinations

import numpy as np
import pytest
from draws import examples
from hypothesis import given
from hypothesis import strategies as st

import relaxspca as rs
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.kinds import KINDS
from relaxspca.relaxations.perron.formula import perron_point, upper_bound
from relaxspca.relaxations.perron.models import model as perron_model
from relaxspca.relaxations.published import t_relaxation
from relaxspca.tasks.upper_bound import bound_certificate

PITPROPS = rs.datasets.load_pitprops()


def value(problem):
    assert solve_cone_program(problem, solver="clarabel", tol=1e-9).usable
    return problem.value


def random_covariance(rng, n):
    A = rng.normal(size=(n + 1, n)) * rng.uniform(0.3, 2, n)
    return rs.Covariance.from_factor(A)


def optimum(cov, k):
    supports = map(list, combinations(range(cov.n), k))
    return max(np.linalg.eigvalsh(cov.submatrix(T))[-1] for T in supports)


# The values of (3) of the Perron page, computed with another code; the optimum at k = 8 is 4.068607.
@pytest.mark.parametrize(("k", "wanted"), [(8, 4.068613), (10, 4.173332)])
def test_pitprops(k, wanted):
    found = rs.upper_bound(PITPROPS, k, relaxation="t_relaxation", tol=1e-9)
    assert found.relaxation == "t_relaxation"
    assert found.upper == pytest.approx(wanted, abs=1.1e-6)
    assert value(t_relaxation.model(PITPROPS, k).problem) == pytest.approx(wanted, abs=1.1e-6)
    assert value(perron_model(PITPROPS, k).problem) == pytest.approx(wanted, abs=1.1e-6)
    assert rs.verify(bound_certificate(PITPROPS, found))


@pytest.mark.parametrize("seed", range(6))
def test_beside_brute_force_the_primal_and_the_majorised_form(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    cov, k = random_covariance(rng, n), int(rng.integers(1, n + 1))
    best = optimum(cov, k)
    found = KINDS["t_relaxation"].program(cov, k, {"solver": "clarabel", "tol": 1e-9})
    primal = value(t_relaxation.model(cov, k).problem)
    assert found.upper >= best * (1 - 1e-14)
    assert found.upper == pytest.approx(primal, rel=1e-6)
    majorised = value(t_relaxation.model(cov, k, majorised=True).problem)
    assert best * (1 - 1e-7) <= majorised <= primal * (1 + 1e-7)


@pytest.mark.parametrize("majorised", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_every_sparse_unit_vector_is_feasible(seed, majorised):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    k = int(rng.integers(1, n + 1))
    x, z = np.zeros(n), np.zeros(n)
    chosen = rng.permutation(n)[:k]
    x[chosen], z[chosen] = rng.normal(size=k), 1.0
    x /= np.linalg.norm(x)
    cov = random_covariance(rng, n)
    model = t_relaxation.model(cov, k, majorised=majorised)
    problem, variables = model.problem, model.variables
    moduli = np.abs(x)
    ordered = -np.sort(-moduli)
    stands_for = {"X": np.outer(x, x), "Y": np.outer(moduli, moduli), "T": np.outer(z, x**2), "z": z}
    stands_for["U"] = np.outer(ordered, ordered)
    for name, variable in variables.items():
        variable.save_value(stands_for[name])
    with np.errstate(invalid="ignore"):  # cvxpy divides by the norm of a zero vector, and then does not use it
        violations = [float(np.max(c.violation())) for c in problem.constraints]
    assert max(violations) < 1e-12
    assert problem.objective.value == pytest.approx(x @ cov.matrix @ x)


@examples(60)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 6), size=st.floats(-3, 3))
def test_any_proposal_is_a_bound(seed, n, size):
    rng = np.random.default_rng(seed)
    cov, k = random_covariance(rng, n), int(rng.integers(1, n + 1))
    P = rng.normal(size=(n, n)) * 10**size
    point = perron_point(np.arange(n), P + P.T, rng.exponential(10**size, (n, n)))
    assert upper_bound(cov, point, k) >= optimum(cov, k) * (1 - 1e-14)


def test_a_failed_solver_is_no_bound():
    assert KINDS["t_relaxation"].program(PITPROPS, 5, {"solver": "clarabel", "time_limit": 1e-9}) is None
