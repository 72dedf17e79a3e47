"""Restrictions of a node by its rows: no support above the level is lost, whatever the matrix and the weights."""

from itertools import combinations

import numpy as np
import pytest

import relaxspca as rs
from draws import draws
from relaxspca.problem.node import Node
from relaxspca.problem.size import Cardinality, Penalty
from relaxspca.search import heavy_rows
from relaxspca.search.heavy_rows import restrictions
from small_covariances import KINDS, covariance, draw

pytestmark = pytest.mark.filterwarnings("ignore::relaxspca.errors.DataWarning")


@pytest.fixture(autouse=True)
def every_pass(monkeypatch):
    monkeypatch.setattr(heavy_rows, "ENOUGH", 0)
    monkeypatch.setattr(heavy_rows, "WORTH", 0.99)


def supports(node, size, n):
    inside, free = node.inside.tolist(), node.free.tolist()
    counts = range(n + 1) if size.is_penalised else [size.k - len(inside)]
    for count in counts:
        for more in combinations(free, count):
            if inside or more:
                yield frozenset([*inside, *more])


def value(cov, size, support):
    T = sorted(support)
    return float(np.linalg.eigvalsh(cov.submatrix(T))[-1]) - size.penalty * len(T)


def instance(kind, seed):
    rng = np.random.default_rng([seed, 35])
    n = int(rng.integers(1, draws(8, 10)))
    S = draw(kind, rng, n)
    cov = covariance(S) if rng.random() < 0.5 or not S.any() else rs.Covariance.from_factor(_factor(S))
    inside = rng.permutation(n)[: rng.integers(0, 3)]
    free = np.setdiff1d(np.flatnonzero(rng.random(n) < 0.9), inside)
    node = Node.of(inside, free, range(n))
    most = len(node.variables)
    k = int(rng.integers(max(len(inside), 1), most + 1)) if most else 1
    rho = float(np.abs(cov.diagonal).mean() * rng.choice([0.0, 0.1, 0.5]))
    size = Penalty(rho) if rng.random() < 0.3 else Cardinality(k)
    return cov, node, size, rng


def _factor(S):
    values, vectors = np.linalg.eigh(S)
    values = np.abs(values)  # of an indefinite matrix another one
    return (vectors * np.sqrt(np.maximum(values, 0.0))).T


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(draws(6, 60)))
def test_no_support_above_the_level_is_lost(kind, seed):
    cov, node, size, rng = instance(kind, seed)
    found = {T: value(cov, size, T) for T in supports(node, size, cov.n)}
    if not found:
        return
    ranked, scale = sorted(found.values()), float(np.abs(cov.matrix).max())
    for level in (ranked[-1], ranked[-1] - 1e-9 * scale, ranked[len(ranked) // 2], ranked[0], ranked[-1] * 0.9):
        here = Node(node.inside, node.free)
        weights = np.exp(rng.uniform(-1, 1, len(here.variables)) * rng.choice([0, 1, 345]))
        most = int(rng.integers(1, cov.n + 1))
        for each in restrictions(cov, size, here, level, most=most, weights=weights):
            below = Node(here.inside, each.kept)
            assert np.isin(below.free, here.free).all()
            assert each.level >= level
            left = {T for T in supports(here, size, cov.n)} - {T for T in supports(below, size, cov.n)}
            for T in left:
                assert found[T] <= each.level + 1e-12 * cov.n * scale, (T, found[T], each.level)
            here = below
