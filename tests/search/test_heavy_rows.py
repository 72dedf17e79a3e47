"""Restrictions of a node by its rows: no support above the level is lost, at any weights."""

from itertools import product

import numpy as np
import pytest
from draws import draws
from enumeration import supports_of_node, value
from small_covariances import KINDS, covariance, draw

import relaxspca as rs
from relaxspca.certificate import Restrict
from relaxspca.problem.budgets import Budgets, OneOfEachSize
from relaxspca.problem.node import Node
from relaxspca.problem.size import Cardinality, Penalty
from relaxspca.search import branch_and_bound, heavy_rows, reduced
from relaxspca.search.branch_and_bound import dominating
from relaxspca.search.heavy_rows import heavy_variables
from relaxspca.tasks import prove

pytestmark = pytest.mark.filterwarnings("ignore::relaxspca.errors.DataWarning")


@pytest.fixture(autouse=True)
def every_pass(monkeypatch):
    monkeypatch.setattr(heavy_rows, "FEW", 0)
    monkeypatch.setattr(heavy_rows, "WORTH", 0.99)


def instance(kind, seed):
    rng = np.random.default_rng([seed, 35])
    n = int(rng.integers(1, draws(8, 10)))
    S = draw(kind, rng, n) * (1 if seed else 1e-15 * ~np.eye(n, dtype=bool))  # of the first one, no variances
    cov = covariance(S)
    if rng.random() < 0.5 and cov.factor.any():
        cov = rs.Covariance.from_factor(cov.factor)
    inside = rng.permutation(n)[: rng.integers(0, 3)]
    free = np.setdiff1d(np.flatnonzero(rng.random(n) < 0.9), inside)
    most, labels = len(inside) + len(free), rng.integers(0, max(n // 2, 2), n)
    k = int(rng.integers(max(len(inside), 1), most + 1)) if most else 1
    rho = float(np.abs(cov.diagonal).mean() * rng.choice([0.0, 0.1, 0.5]))
    budgets = np.bincount(labels[inside] % 2, minlength=2) + rng.integers(0, 3, 2)
    of_parts = Budgets(int(budgets.sum()), labels % 2, tuple(budgets.tolist()))
    size = (Penalty(rho), Cardinality(k), OneOfEachSize(k, labels), of_parts)[rng.integers(4)]
    if size.classes is not None:
        inside = inside[size.compatible(inside)]
        cov = dominating(cov, size.entries)
    gone = np.delete(np.arange(n), [*inside, *free])
    return cov, size.fixed(Node.of([], None, range(n)), inside, gone), size, rng


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(draws(6, 60)))
def test_no_support_above_the_level_is_lost(kind, seed):
    cov, node, size, rng = instance(kind, seed)
    values = {tuple(T): value(cov.matrix, T, size.penalty) for T in supports_of_node(node, size)}
    if not values:
        return
    ranked, scale = sorted(values.values()), float(np.abs(cov.matrix).max())
    for level in (ranked[-1], ranked[-1] - 1e-9 * scale, ranked[len(ranked) // 2], ranked[0], ranked[-1] * 0.9):
        here = Node(node.inside, node.free)
        weights = np.exp(rng.uniform(-1, 1, len(here.variables)) * rng.choice([0, 1, 345])) if seed else None
        found = heavy_variables(
            cov, size, here, level, weights=weights, most=[1, int(rng.integers(2, cov.n + 2))]
        )
        for each in (*found.chain, *found.higher[::-1]):
            if each in found.higher and found.chain:
                here = Node(here.inside, found.chain[-1].kept)
            below = Node(here.inside, each.kept)
            assert np.isin(below.free, here.free).all()
            assert each.level >= level
            left = {*map(tuple, supports_of_node(here, size))} - {*map(tuple, supports_of_node(below, size))}
            for T in left:
                assert values[T] <= each.level + 1e-12 * cov.n * scale, (T, values[T], each.level)
            here = below


CLAIMS = {
    "component": lambda cov, **asked: rs.solve(cov, 4, **asked),
    "penalty": lambda cov, **asked: rs.solve(cov, rho=0.4 * float(cov.diagonal.max()), **asked),
    "one of each": lambda cov, **asked: rs.solve(cov, 4, groups={"a": [0, 1, 7], "b": [2, 3]}, **asked),
    "nonnegative": lambda cov, **asked: rs.solve(cov, 4, nonnegative=True, exclude=asked.get("exclude", ())),
    "ratio": lambda cov, **asked: rs.generalized(cov.matrix, 1 + np.eye(cov.n), 4, **asked),
    "list": lambda cov, **asked: rs.near_optimal(cov, 3, within=0.02, **asked),
}


@pytest.mark.parametrize(
    ("claim", "seed"), draws([*product(CLAIMS, range(3))][::2], [*product(CLAIMS, range(20))])
)
def test_a_search_of_what_rows_leave_finds_and_proves_the_optimum_of_all(claim, seed, monkeypatch):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, draws(25, 40)))
    X[:, :6] += 2 * rng.normal(size=(15, 1))
    cov = rs.Covariance.from_data(X, correlation=bool(seed % 2))
    conditions = [{}, {"include": [7]}, {"exclude": [0, 9]}][seed % 3]
    whole = CLAIMS[claim](cov, **conditions)
    monkeypatch.setattr(branch_and_bound, "FEW", 5)
    found = CLAIMS[claim](cov, **conditions)
    assert found.status == whole.status == ("complete" if claim == "list" else "optimal")
    supports = [{*map(frozenset, one.supports)} if claim == "list" else one.support for one in (found, whole)]
    assert supports[0] == supports[1]
    if claim not in ("penalty", "list"):
        assert any(isinstance(node, Restrict) for node in found.certificate.tree)
    assert rs.verify(found.certificate)


def test_where_rows_leave_too_many_their_level_is_the_bound_and_the_status_says_so(monkeypatch):
    rng = np.random.default_rng(0)
    cov = rs.Covariance.from_data(rng.normal(size=(30, 80)), correlation=True)
    whole = rs.solve(cov, 4)
    for module in (heavy_rows, reduced, prove):
        monkeypatch.setattr(module, "MOST", (20, 40))
    monkeypatch.setitem(heavy_rows.heavy_variables.__kwdefaults__, "most", (20, 40))
    monkeypatch.setattr(branch_and_bound, "FEW", 5)
    found = rs.solve(cov, 4)
    assert found.status == "elimination"
    assert found.lower == pytest.approx(whole.lower)
    assert found.upper > whole.upper
    assert rs.verify(found.certificate)


def test_a_ratio_whose_search_was_stopped_restricts_at_a_level_above_0():
    """The level is part of the bound mu + s / beta, beside those of the leaves."""
    rng = np.random.default_rng(2)
    G, H = rng.standard_normal((2, 40, 18))
    H[:, 9:] += H[:, :9]
    found = rs.generalized(G.T @ G / 40, H.T @ H / 40, 4, callback=lambda progress: progress.node_count > 2)
    assert found.status == "interrupted"
    assert any(isinstance(node, Restrict) and node.level > 0 for node in found.certificate.tree)
    assert rs.verify(found.certificate)
