import numpy as np
import pytest

from relaxspca.datasets import load_pitprops
from relaxspca.relaxations.psi.along import sweep
from relaxspca.relaxations.psi.minimise import bound


def test_every_cardinality_is_within_the_accuracy():
    A = load_pitprops().factor
    found = sweep(A, tol=1e-4)
    assert found.cardinalities.tolist() == list(range(1, 14))
    for k, upper, lower in zip(found.cardinalities, found.upper, found.lower, strict=True):
        exact = bound(A, int(k), tol=1e-8)
        assert lower <= exact.bound(int(k)) * (1 + 1e-9)
        assert exact.lower <= upper <= exact.lower * (1 + 1.1e-4)
    assert (np.diff(found.upper) >= -1e-12).all()


def test_fewer_solves_than_cardinalities_and_each_bound_from_its_point():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(10, 40)) + 2 * rng.normal(size=(10, 1))
    found = sweep(A, tol=1e-3)
    assert len(found.solutions) < 40
    for k, upper, chosen in zip(found.cardinalities, found.upper, found.chosen, strict=True):
        assert upper == found.solutions[chosen].bound(int(k))


def test_some_cardinalities_and_a_time_limit():
    A = load_pitprops().factor
    assert sweep(A, [5]).upper[0] == pytest.approx(bound(A, 5).bound(5), rel=1e-4)
    hurried = sweep(A, [3, 6, 9], time_limit=0.0)
    assert len(hurried.solutions) == 1
    assert (hurried.upper >= [bound(A, k).lower for k in (3, 6, 9)]).all()
