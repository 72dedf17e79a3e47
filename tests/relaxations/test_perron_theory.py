"""Propositions of docs/theory/perron.md, by the cone program."""

import numpy as np

import relaxspca as rs
from relaxspca.certificate import PerronPoint
from relaxspca.relaxations.perron import model, upper_bound


def signs(n, rng):
    E = np.triu(np.sign(rng.standard_normal((n, n))), 1)
    return E + E.T


def test_signs_that_disagree_leave_no_more_than_row_sums():
    n, k, s = 24, 3, 0.1
    E = signs(n, np.random.default_rng(0))
    assert np.linalg.eigvalsh(E)[0] >= -(n - 1) / (k - 1)  # the condition of Proposition 7
    assert np.isclose(model(np.eye(n) + s * E, k).solve(solver="CLARABEL"), 1 + s * (k - 1), rtol=1e-6)


def test_contains_the_cardinality_form_of_dspca():
    rng = np.random.default_rng(1)
    for k in (2, 4, 7):
        cov = rs.Covariance.from_data(rng.standard_normal((30, 9)))
        rho = 0.3 * rng.random()
        U = rho * np.tril(rng.uniform(-1, 1, (9, 9)))
        U = U + np.tril(U, -1).T
        dspca = np.linalg.eigvalsh(cov.matrix + U)[-1] + rho * k
        P = np.diag(np.diag(U)) - U
        point = PerronPoint(variables=np.arange(9), P=P, N=np.abs(P))
        assert upper_bound(cov, point, k) <= dspca * (1 + 1e-12)
