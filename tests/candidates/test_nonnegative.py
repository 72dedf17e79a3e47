import numpy as np
import pytest
from enumeration import best_of_one_sign

from relaxspca import Covariance
from relaxspca.candidates import nonnegative
from relaxspca.candidates.nonnegative import nonnegative_spannogram
from relaxspca.datasets import load_pitprops
from relaxspca.runtime.deadline import Deadline


def test_exact_for_rank_two():
    rng = np.random.default_rng(0)
    for _ in range(40):
        A = rng.normal(size=(2, 7))
        k = int(rng.integers(1, 6))
        found = nonnegative_spannogram(Covariance.from_factor(A), k)
        assert np.all(found.loadings >= 0)
        assert 1 <= len(found.indices) <= k
        assert found.value == pytest.approx(best_of_one_sign(A.T @ A, k)[0], rel=1e-6)


def test_close_to_the_best_on_pitprops_and_never_above():
    cov = load_pitprops()
    for k in (2, 3, 5):
        best, _ = best_of_one_sign(cov.matrix, k)
        assert 0.9 * best <= nonnegative_spannogram(cov, k).value <= best + 1e-9


def test_without_time_a_part_of_the_directions_is_tried(monkeypatch):
    cov = load_pitprops()
    monkeypatch.setattr(nonnegative, "AT_ONCE", 13 * 20)  # twenty directions a part
    found = nonnegative_spannogram(cov, 5, deadline=Deadline.after(0))
    assert np.all(found.loadings >= 0)
    assert len(found.indices) <= 5
    whole = nonnegative_spannogram(cov, 5)
    assert cov.diagonal.max() <= found.value <= whole.value
    monkeypatch.undo()
    assert nonnegative_spannogram(cov, 5).value == pytest.approx(whole.value, rel=1e-12)  # in one part
