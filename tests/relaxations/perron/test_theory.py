"""Propositions of docs/theory/perron.md, by the cone program."""

import cvxpy as cp
import numpy as np
import pytest
from draws import draws
from small_covariances import optimum

import relaxspca as rs
from relaxspca.certificate import RowsPoint
from relaxspca.relaxations.perron.formula import upper_bound
from relaxspca.relaxations.perron.models import model
from relaxspca.relaxations.psi import models as psi_models
from relaxspca.relaxations.published import dspca, li_xie, perspective, spartrahedron


def value(problem):
    return problem.solve(solver="CLARABEL", tol_gap_abs=1e-8, tol_gap_rel=1e-8, tol_feas=1e-8)


def bertsimas(cov, k, *, is_strengthened):
    """Bertsimas, Cory-Wright and Pauphilet, JMLR 23, 2022, (18); strengthened by rows and the sum of moduli."""
    n = cov.n
    X, z = cp.Variable((n, n), PSD=True), cp.Variable(n)
    constraints = [cp.trace(X) == 1, cp.sum(z) == k, z >= 0, z <= 1, cp.diag(X) <= z]
    constraints += [2 * cp.abs(X[i, j]) <= z[i] for i in range(n) for j in range(n) if i != j]
    if is_strengthened:
        constraints += [cp.quad_over_lin(X[i], z[i]) <= X[i, i] for i in range(n)]
        constraints += [cp.norm1(X) <= k]
    return cp.Problem(cp.Maximize(cp.trace(cov.matrix @ X)), constraints)


# Proposition 8; every model is written on its own, from its source.
CONTAINED = {
    "spartrahedron with l1": lambda cov, k: spartrahedron.model(cov, k, l1=True).problem,
    "DSPCA": lambda cov, k: dspca.model(cov, k=k).problem,
    "(16)": lambda cov, k: perspective.model(cov, k).problem,
    "(18)": lambda cov, k: bertsimas(cov, k, is_strengthened=False),
    "(18s)": lambda cov, k: bertsimas(cov, k, is_strengthened=True),
    "psi": lambda cov, k: psi_models.model(cov, k=k).problem,
    "(13)": lambda cov, k: li_xie.model(cov, k).problem,
}


@pytest.fixture(scope="module")
def solved():
    """Matrices, and what the Perron relaxation bounds them by."""
    factors = [np.random.default_rng(seed).standard_normal((5, 7)) for seed in draws((4, 8), (4, 6, 8))]
    return [(cov, value(model(cov, 3).problem)) for cov in (rs.Covariance(A.T @ A) for A in factors)]


@pytest.mark.parametrize("name", CONTAINED)
def test_contains_every_published_relaxation(name, solved):
    gains = []
    for cov, perron in solved:
        other = value(CONTAINED[name](cov, 3))
        assert perron <= other + 1e-6 * abs(other)
        gains.append(other - perron)
    assert max(gains) > 1e-2  # and is better somewhere


@pytest.mark.parametrize("seed", range(20))
def test_two_variables_are_exact_with_weights_in_closed_form(seed):
    rng = np.random.default_rng(seed)
    S = rng.standard_normal((7, 7)) * rng.uniform(0.1, 10)
    S = S + S.T
    best = optimum(S, 2)
    mu = best + 1e-6 * np.abs(S).max()
    point = RowsPoint(variables=np.arange(7), weights=(mu - np.diag(S)) ** -0.5)
    assert best <= upper_bound(rs.Covariance(S), point, 2) <= mu + 1e-9 * np.abs(S).max()


def signs(n, rng):
    E = np.triu(np.sign(rng.standard_normal((n, n))), 1)
    return E + E.T


def test_signs_that_disagree_leave_no_more_than_row_sums():
    n, k, s = 24, 3, 0.1
    E = signs(n, np.random.default_rng(0))
    assert np.linalg.eigvalsh(E)[0] >= -(n - 1) / (k - 1)  # the condition of Proposition 9
    assert np.isclose(
        model(rs.Covariance(np.eye(n) + s * E), k).solve(solver="CLARABEL"), 1 + s * (k - 1), rtol=1e-6
    )
