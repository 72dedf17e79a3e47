"""Searches whose roots have few active variables, against enumeration."""

import importlib

import numpy as np
import pytest
from draws import draws
from enumeration import values_of
from scipy.linalg import block_diag
from small_covariances import draw, optimum, optimum_at_penalty

import relaxspca as rs
from relaxspca.runtime import deadline
from relaxspca.search import screening, tighten

KINDS = [
    "wishart", "correlation", "rank_deficient", "integer", "tied", "block_diagonal", "duplicated", "huge",
    "tiny",
]  # fmt: skip


@pytest.fixture
def few_active(monkeypatch):
    """Treat blocks of more than four variables as those of hundreds are treated."""
    monkeypatch.setattr(tighten, "FEW", 4)
    monkeypatch.setattr(screening, "AT_ONCE", 17)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("few_active")
def test_few_active_variables_prove_what_enumeration_finds(kind):
    for seed in range(draws(1, 3)):
        S = draw(kind, np.random.default_rng([seed, 7]), 11)
        for k in draws(((2, 4, 7)[KINDS.index(kind) % 3],), (2, 4, 7)):
            result = rs.solve(rs.Covariance(S), k)
            best = optimum(S, k)
            assert result.status == "optimal"
            assert result.lower == pytest.approx(best, rel=1e-9)
            assert result.upper >= best * (1 - 1e-13)
            assert rs.verify(result.certificate)


@pytest.mark.usefixtures("few_active")
def test_few_active_variables_at_a_penalty_and_under_conditions():
    S = draw("correlation", np.random.default_rng(3), 10)
    cov = rs.Covariance(S)
    for rho in (0.05, 0.2, 0.5):
        result = rs.solve(cov, rho=rho)
        assert result.lower == pytest.approx(optimum_at_penalty(S, rho), rel=1e-8)
        assert rs.verify(result.certificate)
    result = rs.solve(cov, 4, include=[2], exclude=[5, 7])
    best = max(values_of(S, 4, include=[2], exclude=[5, 7]).values())
    assert result.lower == pytest.approx(best, rel=1e-9)
    assert rs.verify(result.certificate)


def test_a_large_root_is_proved_by_a_few_of_its_variables(monkeypatch):
    """Noise about a planted component: most variables leave before they are ever active."""
    rng = np.random.default_rng(0)
    v = np.zeros(320)
    v[:12] = 1 / np.sqrt(12)
    X = rng.normal(size=(320, 320)) + np.sqrt(2.0) * rng.normal(size=(320, 1)) * v
    cov, sizes = rs.Covariance(X.T @ X / 320), []
    descend = tighten.descend_active

    def spied(Sigma, inside, size, active, *rest, **options):
        sizes.append((len(Sigma), len(active)))
        return descend(Sigma, inside, size, active, *rest, **options)

    monkeypatch.setattr(tighten, "descend_active", spied)
    found = rs.solve(cov, 12)
    assert found.status == "optimal"
    assert rs.verify(found.certificate)
    assert sizes
    assert all(active < m for m, active in sizes)


def test_time_that_ends_as_variables_leave_is_no_crash(monkeypatch, clock):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(320, 320))
    X[:, :12] += np.sqrt(1 / 6) * rng.normal(size=(320, 1))
    cov, screened = rs.Covariance(X.T @ X / 320), []
    screen = tighten.screen
    monkeypatch.setattr(tighten, "screen", lambda work, *rest: (screen(work, *rest), screened.append(work)))
    clock(lambda: 1e9 * len(screened))
    found = rs.solve(cov, 12, time_limit=100.0)
    assert found.status == "time limit"
    assert len(screened[0].variables) < 320
    assert rs.verify(found.certificate)


def test_many_variables_need_no_eigenvalue_of_all(monkeypatch):
    """The trace of a large matrix costs an eigenvalue: the first bound is that of row sums, found at once."""
    run = importlib.import_module("relaxspca.search.run")
    S = draw("correlation", np.random.default_rng(1), 12)
    asked, bound = [], run.first_proof
    monkeypatch.setattr(run, "ROWS_A_SECOND", 10)
    monkeypatch.setattr(deadline, "ROWS_A_SECOND", 0.1)
    monkeypatch.setattr(run, "first_proof", lambda *a: (asked.extend(a[2:]), bound(*a))[1])
    whole = rs.solve(rs.Covariance(S), 4)
    assert (whole.status, asked) == ("optimal", [])
    assert whole.lower == pytest.approx(optimum(S, 4), rel=1e-9)
    for stopped in (rs.solve(rs.Covariance(S), 4, node_limit=0), rs.solve(rs.Covariance(S), 4, time_limit=0)):
        assert whole.lower * (1 - 1e-12) <= stopped.upper < np.inf
        assert rs.verify(stopped.certificate)
    assert set(asked) == {"rowsum"}
    monkeypatch.setattr(deadline, "ROWS_A_SECOND", 1e9)  # a factorisation takes less than the search did
    top = rs.solve(rs.Covariance(S), 9, time_limit=0)
    assert top.upper <= np.linalg.eigvalsh(S)[-1] * (1 + 1e-9)
    assert asked[-2:] == ["spectral", "rowsum"]


def test_small_parts_of_a_large_matrix_are_minimised_alone(monkeypatch):
    """Twelve blocks of 20 variables: no part has many, so that none of them waits to be active."""
    rng = np.random.default_rng(3)
    blocks = [X.T @ X / 32 for X in rng.normal(size=(12, 32, 20))]

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("parts of 20 variables are few")

    monkeypatch.setattr(tighten, "descend_active", refused)
    result = rs.solve(rs.Covariance(block_diag(*blocks)), 5)
    assert result.status == "optimal"
    [at] = {*(result.candidate.indices // 20)}
    assert result.lower == pytest.approx(rs.solve(rs.Covariance(blocks[at]), 5).lower, rel=1e-12)
    assert rs.verify(result.certificate)
