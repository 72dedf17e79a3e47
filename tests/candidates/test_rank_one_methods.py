import numpy as np
import pytest
import scipy.sparse
from draws import draws
from published import ZOU

from relaxspca import Covariance, candidate
from relaxspca.candidates import elastic_net
from relaxspca.candidates.elastic_net import sparse_regression, spca
from relaxspca.candidates.penalized_matrix import l1_projection, penalized_matrix
from relaxspca.candidates.thresholding import soft
from relaxspca.datasets import load_pitprops
from relaxspca.tasks.table_fields import adjusted_variance, raw_variance
from tests.small_covariances import random_covariance


def test_l1_projection_has_the_norm_asked_for():
    rng = np.random.default_rng(3)
    for _ in range(300):
        n = int(rng.integers(2, 12))
        p = np.round(rng.normal(size=n), int(rng.integers(0, 8)))
        if not p.any():
            continue
        c = rng.uniform(1, np.sqrt(n))
        v = l1_projection(p, c)
        assert np.linalg.norm(v) == pytest.approx(1.0)
        assert np.abs(v).sum() <= c + 1e-9
        if np.abs(p).sum() > c * np.linalg.norm(p):
            assert np.abs(v).sum() == pytest.approx(c, abs=1e-9)
        # No feasible vector does better: random ones, signed like p, scaled into both balls.
        W = np.sign(p) * np.abs(rng.normal(size=(200, n))) ** 3
        W /= np.maximum(np.linalg.norm(W, axis=1), np.abs(W).sum(axis=1) / c)[:, None]
        assert (W @ p).max() <= v @ p + 1e-9


def test_penalized_matrix_says_when_it_skips():
    J = np.ones((4, 4)) * 0.5 + 0.5 * np.eye(4)
    found = penalized_matrix(Covariance(J), 2)
    assert len(found.indices) == 2
    assert "skipped" in found.method


def test_elastic_net_regression_satisfies_its_optimality_conditions():
    rng = np.random.default_rng(6)
    for _ in range(draws(50, 200)):
        cov = random_covariance(rng, 8, int(rng.integers(4, 15)))
        target, level = 3 * rng.normal(size=8), rng.uniform(0, 2)
        b = sparse_regression(cov, target, level, 8, ridge=0.1)
        rest = target - cov.product(b) - 0.1 * b
        assert np.all(np.abs(rest) <= level + 1e-8)
        assert rest[b != 0] == pytest.approx(level * np.sign(b[b != 0]), abs=1e-8)
        for size in (1, 3, 5):
            assert np.count_nonzero(sparse_regression(cov, target, 0.0, size, ridge=0.1)) <= size


# Zou, Hastie and Tibshirani 2006, table 3, and of the example of the R package elasticnet.
PENALTIES = (0.06, 0.16, 0.1, 0.5, 0.5, 0.5)


def test_zous_pitprops_table():
    cov = load_pitprops()
    B = spca(cov, 6, penalties=PENALTIES)
    assert np.count_nonzero(B, axis=0).tolist() == [7, 4, 4, 1, 1, 1]
    adjusted = 100 * adjusted_variance(cov, B) / 13
    assert adjusted == pytest.approx([28.01, 13.97, 13.31, 7.44, 6.80, 6.23], abs=0.0055)
    assert adjusted.sum() == pytest.approx(75.76, abs=0.0055)
    raw = 100 * raw_variance(cov, B) / 13
    assert raw == pytest.approx([28.01, 14.38, 15.02, 7.69, 7.69, 7.69], abs=0.0055)
    for x, printed in zip(spca(cov, 6, penalties=PENALTIES, tol=1e-3).T, ZOU.values(), strict=True):
        shown = np.array([printed.get(name, 0.0) for name in cov.names])
        # Signs are free; where to stop decides the third digit.
        assert min(np.abs(x - shown).max(), np.abs(x + shown).max()) < 1.6e-3


def test_infinite_ridge_is_soft_thresholding(cov):
    B = spca(cov, 1, penalties=[3.0], ridge=np.inf, tol=1e-12)
    a = cov.product(B[:, 0])
    a = soft(cov.product(a / np.linalg.norm(a)), 1.5)
    assert a / np.linalg.norm(a) == pytest.approx(B[:, 0], abs=1e-8)
    assert np.count_nonzero(spca(cov, 1, cardinalities=[4], ridge=np.inf)) == 4


def test_an_alternation_that_comes_back_to_where_it_was_ends(monkeypatch):
    """Two supports of four follow each other here: two thousand rounds ended no better."""
    X = scipy.sparse.random(60, 900, density=0.01, random_state=1, format="csr")
    rounds = []
    monkeypatch.setattr(
        elastic_net, "sparse_regression", lambda *a, **k: rounds.append(1) or sparse_regression(*a, **k)
    )
    assert candidate(Covariance.from_data(X), 4, method="elastic_net").k == 4
    assert 4 < len(rounds) < 100


def test_where_nothing_is_left_to_explain_methods_take_any_variable():
    cov = Covariance(np.diag([1e-290, 3e-50, 0.0]))
    for method in ("elastic_net", "spannogram"):
        assert candidate(cov, 1, method=method, exclude=[0, 1]).support == ("x2",)
    assert not spca(cov.restrict([2]), 1, cardinalities=[1]).any()
