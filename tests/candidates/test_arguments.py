"""Every method by its name: k is checked, options are named, and none is passed over in silence."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.candidates import METHODS
from relaxspca.candidates.elastic_net import spca
from relaxspca.candidates.generalized_power import block_patterns, filled
from relaxspca.candidates.penalized_matrix import penalized_components
from relaxspca.candidates.spannogram import low_rank_search
from relaxspca.errors import InputError

PITPROPS = rs.datasets.load_pitprops()


@pytest.mark.parametrize("k", [0, 14, -1, 2.5, True])
@pytest.mark.parametrize("name", METHODS)
def test_a_method_function_checks_the_cardinality(name, k):
    with pytest.raises(InputError, match="cardinality k"):
        METHODS[name](PITPROPS, k)


def test_the_dimension_of_the_spannogram_is_chosen_by_name():
    for d in (1, 2, 3):
        found = rs.candidate(PITPROPS, 6, method="spannogram", d=d)
        direct = low_rank_search(PITPROPS, 6, d=d).candidate
        assert np.array_equal(found.indices, direct.indices)
    assert rs.candidate(PITPROPS, 4, method="spannogram", d=3).indices.tolist() == [0, 1, 8, 9]
    assert rs.candidate(PITPROPS, 4, method="spannogram", d=2).indices.tolist() == [0, 1, 6, 9]


@pytest.fixture(scope="module")
def of_low_rank():
    rng = np.random.default_rng(3)
    Q = np.linalg.qr(rng.normal(size=(20, 20)))[0]
    cov = rs.Covariance.from_factor((Q * np.array([8, 6, 4, 1] + [0.1] * 16)).T)
    return cov, [low_rank_search(cov, 8, d=d) for d in (1, 2, 3)]  # d = 4 takes a minute


@pytest.mark.parametrize("accuracy", [0.7, 0.5, 0.3, 0.1])
def test_the_dimension_for_an_accuracy_is_the_least_that_guarantees_it(of_low_rank, accuracy):
    cov, found_at = of_low_rank
    least = next(direct for direct in found_at if direct.ratio >= 1 - accuracy)
    found = rs.candidate(cov, 8, method="spannogram", accuracy=accuracy)
    assert np.array_equal(found.indices, least.candidate.indices)
    assert found.value >= (1 - accuracy) * rs.solve(cov, 8).lower


def test_what_an_option_cannot_be():
    with pytest.raises(InputError, match="either the dimension d or the accuracy"):
        rs.candidate(PITPROPS, 5, method="spannogram", d=2, accuracy=0.1)
    with pytest.raises(InputError, match="needs more than the 4 leading eigenvectors"):
        rs.candidate(rs.Covariance(np.eye(9)), 3, method="spannogram", accuracy=0.01)
    with pytest.raises(InputError, match="accuracy must be a number of at least 0"):
        rs.candidate(PITPROPS, 5, method="spannogram", accuracy=-1)
    with pytest.raises(InputError, match="'greedy' has no option 'd'"):
        rs.candidate(PITPROPS, 5, method="greedy", d=2)


def test_a_block_with_an_empty_pattern_is_filled_without_nan():
    Z, _ = block_patterns(PITPROPS, [0.3, 0.9999], weights=[1.0, 0.2])
    assert Z[:, 0].any()
    assert not Z[:, 1].any()
    found = filled(PITPROPS, Z, weights=np.array([1.0, 0.2]))
    assert np.isfinite(found).all()
    assert not found[:, 1].any()
    assert np.array_equal(found[:, 0] != 0, Z[:, 0] != 0)
    assert np.linalg.norm(found[:, 0]) == pytest.approx(1.0)
    assert not filled(PITPROPS, np.zeros((13, 1))).any()


@pytest.mark.parametrize("seed", range(20))
def test_a_bound_of_one_on_the_l1_norm_leaves_one_variable(seed):
    A = np.random.default_rng(seed).normal(size=(9, 6))
    V = penalized_components(rs.Covariance.from_factor(A), 1.0, 3).loadings_array
    assert np.count_nonzero(V, axis=0).tolist() == [1, 1, 1]


@pytest.mark.parametrize("orthogonal", [False, True])
def test_components_beyond_the_rank_are_zero_and_not_noise(orthogonal):
    A = np.random.default_rng(5).normal(size=(2, 7))
    cov = rs.Covariance.from_factor(A)
    found = penalized_components(cov, np.sqrt(7), 4, orthogonal=orthogonal)
    V = found.loadings_array
    assert not found.weights[:, 2:].any()
    assert not found.scores(A)[:, 2:].any()
    assert V[:, :2].any(axis=0).all()
    assert not V[:, 2:].any()
    B = spca(cov, 4, cardinalities=[3] * 4)
    assert np.count_nonzero(B, axis=0).tolist() == [3, 3, 0, 0]
