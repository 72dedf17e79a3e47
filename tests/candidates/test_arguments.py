"""Every method by its name: k is checked, options are named, and none is passed over in silence."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.candidates import METHODS
from relaxspca.candidates.deflation import deflate
from relaxspca.candidates.elastic_net import spca
from relaxspca.candidates.generalized_power import generalized_power
from relaxspca.candidates.spannogram import low_rank_search, spannogram
from relaxspca.errors import InputError

PITPROPS = rs.datasets.load_pitprops()


@pytest.mark.parametrize("k", [0, 14, -1, 2.5, True])
@pytest.mark.parametrize("name", METHODS)
def test_a_method_function_checks_the_cardinality(name, k):
    with pytest.raises(InputError, match="cardinality k"):
        METHODS[name](PITPROPS, k)


@pytest.fixture(scope="module")
def of_low_rank():
    rng = np.random.default_rng(3)
    Q = np.linalg.qr(rng.normal(size=(20, 20)))[0]
    cov = rs.Covariance.from_factor((Q * np.array([8, 6, 4, 1] + [0.1] * 16)).T)
    found_at = [low_rank_search(cov, 8, d=d) for d in (1, 2, 3)]  # d = 4 takes a minute
    return cov, found_at, rs.solve(cov, 8).lower


@pytest.mark.parametrize("accuracy", [0.7, 0.5, 0.3, 0.1])
def test_the_dimension_for_an_accuracy_is_the_least_that_guarantees_it(of_low_rank, accuracy):
    cov, found_at, best = of_low_rank
    least = next(direct for direct in found_at if direct.ratio >= 1 - accuracy)
    found = rs.candidate(cov, 8, method="spannogram", accuracy=accuracy)
    assert np.array_equal(found.indices, least.candidate.indices)
    assert found.value >= (1 - accuracy) * best
    for d, direct in enumerate(found_at, start=1):
        by_name = rs.candidate(cov, 8, method="spannogram", d=d)
        assert np.array_equal(by_name.indices, direct.candidate.indices)


REFUSED = [
    *(
        (lambda told=told: rs.candidate(PITPROPS, **{"k": 5} | told), words)
        for told, words in (
            ({"method": "spannogram", "d": 2, "accuracy": 0.1}, "either the dimension d or the accuracy"),
            ({"method": "spannogram", "accuracy": -1}, "accuracy must be a number of at least 0"),
            ({"method": "greedy", "d": 2}, "'greedy' has no option 'd'"),
            ({"method": "magic"}, "magic"),
        )
    ),
    (lambda: spannogram(rs.Covariance(np.eye(9)), 3, accuracy=0.01), "more than the 4 leading eigenvectors"),
    (lambda: low_rank_search(PITPROPS, 3, d=14), "14"),
    (lambda: deflate(rs.Covariance([[1.0]]), np.ones(1)), "no variance is left"),
    (lambda: deflate(rs.Covariance([[1.0]]), np.ones(1), deflation="shrink"), "shrink"),
    (lambda: generalized_power(PITPROPS, 3, penalty="l2"), "l2"),
    (lambda: spca(PITPROPS, 1), "either"),
    (lambda: spca(PITPROPS, 1, penalties=[1.0], ridge=0.0), "ridge"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_what_a_method_cannot_do_is_named(call, words):
    with pytest.raises(InputError, match=words):
        call()


def test_components_beyond_the_rank_are_zero_and_not_noise():
    cov = rs.Covariance.from_factor(np.random.default_rng(5).normal(size=(2, 7)))
    B = spca(cov, 4, cardinalities=[3] * 4)
    assert np.count_nonzero(B, axis=0).tolist() == [3, 3, 0, 0]
