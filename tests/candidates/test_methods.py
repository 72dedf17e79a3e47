"""One contract for every method in the dictionary."""

import numpy as np
import pytest
from draws import draws

from relaxspca import Covariance, candidate
from relaxspca.candidates import METHODS
from relaxspca.datasets import load_pitprops


def random_instance():
    X = np.random.default_rng(11).normal(size=(15, 9)) * np.linspace(1, 2, 9)
    return Covariance.from_data(X)


def zero_and_duplicate_columns():
    X = np.random.default_rng(12).normal(size=(20, 5))
    X = X - X.mean(axis=0)
    return Covariance.from_factor(np.column_stack([X[:, 0], np.zeros(20), X, X[:, 0], np.zeros(20), -X[:, 2]]))


def thin_instance():
    return Covariance.from_factor(np.random.default_rng(13).normal(size=(3, 12)) * np.linspace(1, 3, 12))


INSTANCES = {
    "pitprops": load_pitprops,
    "random": random_instance,
    "degenerate": zero_and_duplicate_columns,
    "thin": thin_instance,
}


def check(cov, k, found):
    assert found.indices.shape == (k,)
    assert np.all(np.diff(found.indices) > 0)
    assert found.indices[0] >= 0
    assert found.indices[-1] < cov.n
    assert np.linalg.norm(found.loadings) == pytest.approx(1.0, abs=1e-12)
    off = np.ones(cov.n, dtype=bool)
    off[found.indices] = False
    assert not found.loadings[off].any()
    assert found.loadings[np.argmax(np.round(np.abs(found.loadings), 9))] > 0
    assert found.value == pytest.approx(found.loadings @ cov.matrix @ found.loadings, rel=1e-11)
    block = cov.matrix[np.ix_(found.indices, found.indices)]
    assert found.value == pytest.approx(np.linalg.eigvalsh(block)[-1], rel=1e-11)


@pytest.mark.parametrize("instance", INSTANCES)
@pytest.mark.parametrize("method", METHODS)
def test_contract(method, instance):
    cov = INSTANCES[instance]()
    for k in draws((1, 4, cov.n), (1, 2, 4, cov.n - 1, cov.n)):
        found = candidate(cov, k, method=method, rng=np.random.default_rng(5))
        check(cov, k, found)
        assert (k, instance) != (1, "random") or found.value == cov.diagonal.max()
        again = candidate(cov, k, method=method, rng=np.random.default_rng(5))
        assert np.array_equal(found.loadings, again.loadings)
    assert np.array_equal(candidate(cov, 3, method=method).loadings, candidate(cov, 3, method=method).loadings)


# These draw columns, so a permutation changes which.
RANDOMISED = {"columns_near_optimal", "columns_leverage"}


@pytest.mark.parametrize("method", [name for name in METHODS if name not in RANDOMISED])
def test_the_order_of_the_variables_does_not_matter(method):
    Sigma = random_instance().matrix
    rng = np.random.default_rng(6)
    for k in (2, 4, 6):
        found = candidate(Covariance(Sigma), k, method=method)
        order = rng.permutation(len(Sigma))
        moved = candidate(Covariance(Sigma[np.ix_(order, order)]), k, method=method)
        assert set(order[moved.indices]) == set(found.indices)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("p", [-295, 295])
def test_the_value_scales_with_data_near_either_end_of_the_floating_range(method, p):
    A = np.random.default_rng(3).standard_normal((8, 14))
    plain = candidate(Covariance.from_factor(A), 5, method=method).value
    scaled = candidate(Covariance.from_factor(A * 2.0**p), 5, method=method).value
    assert np.ldexp(scaled, -2 * p) == pytest.approx(plain, rel=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_dependent_variables_of_very_different_size(method):
    v = np.array([2e3, -1e-8, 8e10, 6e7])
    cov = Covariance(np.outer(v, v))
    for k in range(1, 5):
        found = candidate(cov, k, method=method)
        assert found.k == k
        assert found.value <= float(v @ v) * (1 + 1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_no_method_compares_structured_arrays_of_which_ctrl_c_makes_a_type_error(method, monkeypatch):
    unique = np.unique

    def of_numbers(values, *args, **options):
        assert options.get("axis") is None
        return unique(values, *args, **options)

    monkeypatch.setattr(np, "unique", of_numbers)
    assert candidate(random_instance(), 4, method=method).k == 4
