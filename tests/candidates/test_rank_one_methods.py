import numpy as np
import pytest

from relaxspca import Covariance, InputError, candidate
from relaxspca.candidates.elastic_net import sparse_regression, spca
from relaxspca.candidates.penalized_matrix import l1_projection, penalized_components, penalized_matrix
from relaxspca.candidates.rank_one_svd import rank_one_svd
from relaxspca.candidates.shrinkage import scad, soft
from relaxspca.datasets import load_pitprops
from relaxspca.problem.variance import adjusted_variance, raw_variance


def random_covariance(rng, n=10):
    X = rng.normal(size=(int(rng.integers(4, 15)), n))
    return Covariance(X.T @ X)


def test_scad_is_soft_then_linear_then_the_identity_and_continuous():
    y = np.linspace(-6, 6, 4001)
    shrunk = scad(y, 1.0)
    near, far = np.abs(y) <= 2, np.abs(y) > 3.7
    assert shrunk[near] == pytest.approx(soft(y[near], 1.0))
    assert np.array_equal(shrunk[far], y[far])
    assert np.abs(np.diff(shrunk)).max() <= 1.6 * (y[1] - y[0])


def test_unknown_rules_are_named():
    with pytest.raises(InputError, match="firm"):
        rank_one_svd(load_pitprops(), 3, rule="firm")


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


@pytest.mark.parametrize("orthogonal", [False, True])
def test_penalized_components_meet_their_bound(orthogonal):
    cov = load_pitprops()
    for c in (1.3, 2.0, 3.0):
        V = penalized_components(cov, c, 3, orthogonal=orthogonal).loadings_array
        assert np.linalg.norm(V, axis=0) == pytest.approx(np.ones(3))
        assert np.abs(V).sum(axis=0) == pytest.approx(np.full(3, c), abs=1e-6)


def alternated(X, v, c, U=None):
    """The algorithm of the paper on the data: u = (I - UU')Xv, normalised, and v = S(X'u), until they stand."""
    for _ in range(3000):
        u = X @ v
        if U is not None:
            u = u - U @ (U.T @ u)
        u, before = u / np.linalg.norm(u), v
        v = l1_projection(X.T @ u, c)
        if np.abs(v - before).max() < 1e-12:
            break
    return u, v


@pytest.mark.parametrize("seed", range(4))
def test_penalized_components_are_those_of_the_data(seed):
    # The definition itself, on the data: alternate u and v, then subtract d u v'.
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 7))
    found = penalized_components(Covariance(X.T @ X), 1.8, 3)
    U = found.scores(X)
    for j in range(3):
        u, v = alternated(X, np.linalg.svd(X)[2][0], 1.8)
        assert abs(v @ found.loadings_array[:, j]) == pytest.approx(1.0, abs=1e-6)
        assert abs(u @ U[:, j]) == pytest.approx(1.0, abs=1e-6)
        assert found.values[j] == pytest.approx(u @ X @ v, rel=1e-6)
        X = X - (u @ X @ v) * np.outer(u, v)


@pytest.mark.parametrize("seed", range(4))
def test_orthogonal_u_are_those_of_the_published_algorithm(seed):
    # X stays as it is; u is kept orthogonal to the earlier ones (Witten, Tibshirani and Hastie 2009).
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 7))
    found = penalized_components(Covariance(X.T @ X), 1.8, 4, orthogonal=True)
    U = found.scores(X)
    assert np.abs(U.T @ U - np.eye(4)).max() < 1e-12
    before = np.zeros((20, 0))
    for j in range(4):
        left = X - before @ (before.T @ X)
        u, v = alternated(X, np.linalg.svd(left)[2][0], 1.8, before)
        assert abs(v @ found.loadings_array[:, j]) == pytest.approx(1.0, abs=1e-6)
        assert U[:, j] * np.sign(u @ U[:, j]) == pytest.approx(u, abs=1e-5)
        assert found.values[j] == pytest.approx(u @ X @ v, rel=1e-6)
        before = np.column_stack([before, u])


def test_orthogonal_u_of_dense_loadings_are_the_left_singular_vectors():
    X = np.random.default_rng(7).normal(size=(12, 5))
    U = penalized_components(Covariance(X.T @ X), np.sqrt(5), 5, orthogonal=True).scores(X)
    assert np.abs(np.sum(U * np.linalg.svd(X, full_matrices=False)[0], axis=0)) == pytest.approx(np.ones(5))


def test_orthogonal_u_of_a_correlation_matrix_are_those_of_standardised_data():
    X = np.random.default_rng(8).normal(size=(30, 6)) * np.arange(1, 7)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    U = penalized_components(Covariance.from_data(X, correlation=True), 1.5, 3, orthogonal=True).scores(Z)
    assert np.abs(U.T @ U - np.eye(3)).max() < 1e-12
    with pytest.raises(InputError, match="observations of 6 variables"):
        penalized_components(Covariance.from_data(X), 1.5, 1).scores(X[:, :4])


def test_penalized_matrix_says_when_it_skips():
    J = np.ones((4, 4)) * 0.5 + 0.5 * np.eye(4)
    found = penalized_matrix(Covariance(J), 2)
    assert len(found.indices) == 2
    assert "skipped" in found.method


def test_elastic_net_regression_satisfies_its_optimality_conditions():
    rng = np.random.default_rng(6)
    for _ in range(200):
        cov = random_covariance(rng, 8)
        target, level = 3 * rng.normal(size=8), rng.uniform(0, 2)
        b = sparse_regression(cov, target, level, 8, ridge=0.1)
        rest = target - cov.product(b) - 0.1 * b
        assert np.all(np.abs(rest) <= level + 1e-8)
        assert rest[b != 0] == pytest.approx(level * np.sign(b[b != 0]), abs=1e-8)
        for size in (1, 3, 5):
            assert np.count_nonzero(sparse_regression(cov, target, 0.0, size, ridge=0.1)) <= size


def test_zous_pitprops_table():
    # Zou, Hastie and Tibshirani 2006, table 3.
    cov = load_pitprops()
    B = spca(cov, 6, penalties=[0.06, 0.16, 0.1, 0.5, 0.5, 0.5])
    assert np.count_nonzero(B, axis=0).tolist() == [7, 4, 4, 1, 1, 1]
    adjusted = 100 * adjusted_variance(cov, B) / 13
    assert adjusted == pytest.approx([28.01, 13.97, 13.31, 7.44, 6.80, 6.23], abs=0.0055)
    assert adjusted.sum() == pytest.approx(75.76, abs=0.0055)
    raw = 100 * raw_variance(cov, B) / 13
    assert raw == pytest.approx([28.01, 14.38, 15.02, 7.69, 7.69, 7.69], abs=0.0055)
    first = B[[0, 1, 4, 6, 7, 8, 9], 0]
    assert first == pytest.approx([0.477, 0.476, -0.178, 0.247, 0.344, 0.417, 0.400], abs=0.0006)


def test_infinite_ridge_is_soft_thresholding():
    cov = load_pitprops()
    B = spca(cov, 1, penalties=[3.0], ridge=np.inf, tol=1e-12)
    a = cov.product(B[:, 0])
    a = soft(cov.product(a / np.linalg.norm(a)), 1.5)
    assert a / np.linalg.norm(a) == pytest.approx(B[:, 0], abs=1e-8)
    assert np.count_nonzero(spca(cov, 1, cardinalities=[4], ridge=np.inf)) == 4


def test_penalties_and_cardinalities_exclude_each_other():
    with pytest.raises(InputError, match="either"):
        spca(load_pitprops(), 1)
    with pytest.raises(InputError, match="ridge"):
        spca(load_pitprops(), 1, penalties=[1.0], ridge=0.0)


def test_where_nothing_is_left_to_explain_methods_take_any_variable():
    cov = Covariance(np.diag([1e-290, 3e-50, 0.0]))
    for method in ("elastic_net", "spannogram"):
        assert candidate(cov, 1, method=method, exclude=[0, 1]).support == ("x2",)
    assert not spca(cov.restrict([2]), 1, cardinalities=[1]).any()
