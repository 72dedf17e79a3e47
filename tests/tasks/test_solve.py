"""The exact method against enumeration, planted optima, limits and interruptions."""

import networkx as nx
import numpy as np
import pytest
from draws import draws
from interrupts import interrupt, interrupted
from published import PITPROPS
from small_covariances import KINDS, covariance, draw, optimum, optimum_at_penalty

import relaxspca as rs
from relaxspca.certificate import RowsPoint
from relaxspca.search import branch_and_bound
from relaxspca.tasks import solve as solving

PER_KIND = draws(3, 34)  # times 15 kinds is more than 500 instances in all


def slack(S):
    """Return what the enumeration itself may be wrong by."""
    return 1e-13 * len(S) * np.abs(S).max()


def assert_encloses(result, best, room):
    assert result.lower <= best + room
    assert result.upper >= best - room
    verdict = rs.verify(result.certificate)
    assert verdict, verdict.reasons
    assert verdict.proved_upper <= result.upper


def assert_solves(result, best, room):
    assert_encloses(result, best, room)
    assert result.status == "optimal"
    assert result.upper - result.lower <= 3e-9 * abs(best) + room


@pytest.mark.parametrize("kind", KINDS)
def test_equals_enumeration_and_stays_true_when_stopped(kind):
    for seed in range(PER_KIND):
        rng = np.random.default_rng([seed, 5])
        n = int(rng.integers(1, draws(10, 13)))
        k = int(rng.integers(1, n + 1))
        S = draw(kind, rng, n)
        cov, best = covariance(S), optimum(S, k)
        assert_solves(rs.solve(cov, k), best, slack(S))
        stopped = rs.solve(cov, k, node_limit=(0, 1, 5, 50)[seed % 4])
        assert stopped.node_count <= (0, 1, 5, 50)[seed % 4]
        assert_encloses(stopped, best, slack(S))


@pytest.mark.parametrize("seed", range(draws(3, 6)))
def test_clique_number_is_read_off_a_graph(seed):
    n, planted = 12 + seed, 4 + seed % 3
    graph = nx.gnp_random_graph(n, 0.4, seed=seed)
    clique = np.random.default_rng(seed).choice(n, planted, replace=False).tolist()
    graph.add_edges_from((i, j) for i in clique for j in clique if i < j)
    number = max(len(c) for c in nx.find_cliques(graph))
    cov = covariance(nx.to_numpy_array(graph) + np.eye(n))
    # A block of the adjacency matrix plus the identity has eigenvalue k if and only if it is a clique.
    assert_solves(rs.solve(cov, number), number, 1e-9)
    larger = rs.solve(cov, number + 1, gap=0.02)
    assert larger.upper < number + 1
    assert rs.verify(larger.certificate)


@pytest.mark.parametrize("penalised", [False, True])
def test_covariances_that_are_their_factor(penalised):
    for seed in range(draws(5, 12)):
        rng = np.random.default_rng([seed, 7])
        n, r = int(rng.integers(5, 11)), int(rng.integers(1, 5))
        A = rng.normal(size=(r, n))
        if seed % 2:
            cov = rs.Covariance.from_factor(A)
        else:
            cov = rs.Covariance.from_data(rng.normal(size=(r + 2, n)), correlation=seed % 4 == 0)
        assert cov.is_factored
        S, k = cov.matrix, int(rng.integers(1, n + 1))
        rho = 0.2 * S.max()
        result = rs.solve(cov, rho=rho) if penalised else rs.solve(cov, k)
        assert result.certificate.factor is not None
        assert_solves(result, optimum_at_penalty(S, rho) if penalised else optimum(S, k), 10 * slack(S))


def hard():
    """Return a matrix whose search takes 79 nodes where they are only split (`splitting`)."""
    return covariance(draw("indefinite", np.random.default_rng(0), 10))


@pytest.fixture(scope="module")
def hard_value():
    return optimum(hard().matrix, 5)


@pytest.mark.usefixtures("splitting")
def test_the_callback_stops_the_search_and_sees_true_bounds(hard_value):
    seen = []

    def callback(progress):
        seen.append(progress)
        return len(seen) == 2

    result = rs.solve(hard(), 5, callback=callback)
    assert result.status == "interrupted"
    assert len(seen) == len(result.history) == 2
    assert result.history[-1].upper >= result.upper * (1 - 1e-9)
    for progress in seen:
        assert progress.lower <= hard_value + 1e-12 <= progress.upper + 2e-12
    assert [p.node_count for p in seen] == sorted(p.node_count for p in seen)
    assert_encloses(result, hard_value, 1e-12)


BETWEEN = ("_absorb", "_consider", "_branch", "add")
PLACES = [(branch_and_bound, "expand", when) for when in (1, 2, 9, 20)]
PLACES += [(branch_and_bound.Search, name, when) for name in BETWEEN for when in (1, 2, 5)]
# While candidates are sought, which ends with one variable at most, and in the callback.
PLACES += [(solving, "_incumbent", 0), (None, "callback", 0)]


@pytest.mark.usefixtures("splitting")
@pytest.mark.parametrize(("owner", "name", "when"), PLACES)
def test_interrupted_at_any_place_what_is_said_is_true(monkeypatch, owner, name, when, hard_value):
    if owner is not None:
        interrupt(monkeypatch, owner, name, when)
    result = rs.solve(hard(), 5, callback=interrupted() if owner is None else None)
    assert result.status == "interrupted"
    assert owner is not solving or result.candidate.k <= 1
    assert_encloses(result, hard_value, 1e-12)


@pytest.mark.parametrize("rho", [0.1, 100.0])
def test_interrupted_while_candidates_are_sought_at_a_penalty(monkeypatch, rho):
    interrupt(monkeypatch, solving, "_incumbent")
    result = rs.solve(hard(), rho=rho)
    assert (result.status, result.candidate.k <= 1) == ("interrupted", True)
    assert_encloses(result, optimum_at_penalty(hard().matrix, rho), 1e-12)


@pytest.mark.usefixtures("splitting")
def test_stops_at_the_gap(hard_value):
    whole = rs.solve(hard(), 5).node_count
    for gap in draws((0.05,), (0.5, 0.05, 0.01)):
        result = rs.solve(hard(), 5, gap=gap)
        assert result.status in ("within the gap", "optimal")
        assert result.gap <= gap * (1 + 1e-6)
        assert result.node_count < whole
        assert_encloses(result, hard_value, 1e-12)


def test_a_start_is_used_and_bettered(cov):
    best, poor = rs.solve(cov, 5), rs.Candidate.from_support(cov, [2, 3, 10, 11, 12])
    assert rs.solve(cov, 5, start=poor).lower == pytest.approx(best.lower, rel=1e-12)
    stopped = rs.solve(cov, 5, start=poor, node_limit=0)
    assert stopped.lower == pytest.approx(poor.value, rel=1e-9)
    with pytest.raises(rs.InputError, match="at most 4"):
        rs.solve(cov, 4, start=poor)


@pytest.mark.parametrize("rank", [20, 900])
def test_a_large_search_without_time_has_the_cheap_bounds(rank):
    """Row sums at any size; the largest eigenvalue too where the factor is thin."""
    n = 900
    A = np.random.default_rng(0).normal(size=(rank, n)) * np.linspace(1, 2, n)
    cov = rs.Covariance.from_factor(A / np.sqrt(rank))
    result = rs.solve(cov, 3, time_limit=0.0)
    kinds = ["trace", "rowsum", "spectral"] if rank == 20 else ["trace", "rowsum"]
    bounds = [rs.relaxations.spectral.upper_bound(cov, kind, 3) for kind in kinds]
    assert result.lower <= result.upper <= min(bounds) * (1 + 1e-9)


def test_the_unit_of_sigma_does_not_matter():
    A = np.random.default_rng(2).normal(size=draws((8, 14), (10, 60)))
    plain = rs.solve(rs.Covariance.from_factor(A), rho=1.0)
    assert plain.node_count > 1
    for p in draws((-295, 10, 295), (-295, -10, 10, 295)):
        scaled = rs.solve(rs.Covariance.from_factor(A * 2.0**p), rho=float(np.ldexp(1.0, 2 * p)))
        assert (scaled.status, scaled.support) == ("optimal", plain.support)
        # Squares of entries leave the floating range at the extremes; there bounds differ in their last digits.
        assert scaled.node_count == plain.node_count or abs(p) == 295
        assert np.ldexp(scaled.upper, -2 * p) == pytest.approx(plain.upper, rel=1e-9)
        # The penalties of Perron points are products of entries, far outside the floating range here.
        assert any(isinstance(point, RowsPoint) for point in scaled.certificate.points)
        assert rs.verify(scaled.certificate, exact=False)


def test_small_and_indefinite_matrices_take_few_nodes(cov):
    found = [rs.solve(cov, k) for k in range(1, 14)]
    for one, value in zip(found, PITPROPS, strict=True):
        assert_solves(one, value, 1e-9)
    assert sum(one.node_count for one in found[1:-1]) <= 20
    for n, k in ((8, 4), (12, 6), (20, 5)):
        for seed in range(3):
            cov = covariance(draw("indefinite", np.random.default_rng(seed), n))
            found = rs.solve(cov, k)
            assert (found.status, found.node_count <= 10) == ("optimal", True)


@pytest.mark.parametrize("rho", [3.0, 5.0, 100.0])
def test_a_start_that_is_worth_less_than_no_variable_is_not_one(rho, cov):
    """phi is never below 0: without any variable 0 is attained."""
    found = rs.solve(cov, rho=rho, start=rs.candidate(cov, 2))
    best = optimum_at_penalty(cov.matrix, rho)
    assert found.lower == best == 0
    assert 0 <= found.upper < 1e-9
    assert found.support == ()
    assert rs.verify(found.certificate)


def test_what_floats_cannot_tell_apart_is_not_called_equal_and_small_loadings_are_no_zeros():
    S = np.diag([1.0, 1e-11, 1e-11])
    S[0, 1:] = S[1:, 0] = 1e-6, -2e-6  # 1 + 1e-12 and 1 + 4e-12
    found = repr(rs.solve(rs.Covariance(S), 2))
    assert "Perhaps not the only optimum: the set x0, x" in found
    assert "2.0e-6 |" in found


@pytest.mark.parametrize("target", [{"k": 5}, {"rho": 0.2}])
def test_a_start_from_another_matrix_is_evaluated_on_this_one(target, cov):
    start = rs.candidate(rs.Covariance(100 * cov.matrix), 5)
    found = rs.solve(cov, **target, start=start, node_limit=0)
    x = found.candidate.loadings
    assert found.candidate.value == pytest.approx(start.value / 100)
    assert found.candidate.value == pytest.approx(float(x @ cov.matrix @ x))
    assert found.lower <= found.upper
