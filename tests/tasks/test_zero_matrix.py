"""A matrix of zeros gets one answer from every verb; where zeros are a part of a matrix they are answered."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.errors import InputError


def dense(n):
    return rs.Covariance(np.diag([1.0] + [0.0] * n)).restrict(range(1, n + 1))


def factored(n):
    factor = np.zeros((2, n + 1))
    factor[0, 0] = 1.0
    return rs.Covariance.from_factor(factor).restrict(range(1, n + 1))


VERBS = {
    "solve": lambda cov: rs.solve(cov, 1),
    "solve, penalised": lambda cov: rs.solve(cov, rho=0.5),
    "certify": lambda cov: rs.certify(cov, [0]),
    "certify a table": lambda cov: rs.certify(cov, np.eye(cov.n)[:, : min(cov.n, 2)]),
    "upper_bound": lambda cov: rs.upper_bound(cov, 1),
    "psi": lambda cov: rs.psi(cov, 0.1),
    "path of penalties": lambda cov: rs.path(cov, rho=[0.1]),
    "path": rs.path,
    "components": lambda cov: rs.components(cov, [1]),
    "components, joint": lambda cov: rs.components(cov, [1] * min(cov.n, 2), joint=True),
    "near_optimal": lambda cov: rs.near_optimal(cov, 1),
    "compare": lambda cov: rs.compare(cov, 1),
    "one_of_each": lambda cov: rs.solve(cov, 1, groups={"all": cov.names}),
    "whole_groups": lambda cov: rs.solve(cov, groups={"all": cov.names}, most=1),
    "nonnegative": lambda cov: rs.solve(cov, 1, nonnegative=True),
    "candidate": lambda cov: rs.candidate(cov, 1),
    "generalized": lambda cov: rs.generalized(cov, np.eye(cov.n), 1),
    "Covariance": lambda cov: rs.Covariance(cov.matrix),
    "from_data": lambda cov: rs.Covariance.from_data(np.ones((4, cov.n))),
    "bootstrap": lambda cov: rs.bootstrap(np.ones((4, cov.n)), 1),
    "held_out": lambda cov: rs.held_out(np.ones((9, cov.n)), 1),
}


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("made", [dense, factored])
@pytest.mark.parametrize("verb", VERBS)
def test_a_matrix_of_zeros_is_refused_by_every_verb(verb, made, n):
    with pytest.raises(InputError) as caught:
        VERBS[verb](made(n))
    assert str(caught.value).endswith("no variance to explain")


PARTS = {
    "solve": lambda cov: rs.solve(cov, 1, exclude=["x0"]),
    "penalised": lambda cov: rs.solve(cov, rho=0.1, exclude=["x0"]),
    "certify": lambda cov: rs.certify(cov, np.eye(cov.n)[1], exclude=["x0"]),
    "near_optimal": lambda cov: rs.near_optimal(cov, 1, exclude=["x0"]),
    "one_of_each": lambda cov: rs.solve(cov, 1, groups={"all": cov.names[1:]}, exclude=["x0"]),
    "nonnegative": lambda cov: rs.solve(cov, 1, nonnegative=True, exclude=["x0"]),
}


@pytest.mark.parametrize("verb", PARTS)
@pytest.mark.parametrize("is_factor", [False, True])
def test_what_may_be_used_may_be_zero(verb, is_factor):
    S = np.diag([1.0, 0.0, 0.0])
    cov = rs.Covariance.from_factor(S) if is_factor else rs.Covariance(S)
    found = PARTS[verb](cov)
    assert rs.verify(found.certificate)
    assert -1e-12 <= found.certificate.lower <= 0.0 <= found.certificate.upper <= 1e-12


@pytest.mark.parametrize(
    ("verb", "S"),
    [
        (lambda cov: rs.solve(cov, 2, nonnegative=True), -np.ones((3, 3)) + np.eye(3)),
        (lambda cov: rs.solve(cov, 2, groups={"pair": ["x0", "x1"]}), [[0.0, 1, 0], [1, 0, 0], [0, 0, 0]]),
        (lambda cov: rs.solve(cov, groups={"a": ["x0"], "b": ["x1"]}, most=1), np.ones((3, 3)) - np.eye(3)),
    ],
)
def test_entries_that_do_not_count_may_be_all_there_are(verb, S):
    """No entry that a nonnegative vector, one of each group or one group uses is above 0: nor is the best."""
    with pytest.warns(rs.DataWarning, match="not positive semidefinite"):
        cov = rs.Covariance(S)
    found = verb(cov)
    assert all(rs.verify(found.certificate, exact=exact) for exact in (True, False))
    assert found.lower == 0.0
    assert 0.0 <= found.upper < 1e-12
    assert (found.status, found.gap) == ("optimal", 0.0)
