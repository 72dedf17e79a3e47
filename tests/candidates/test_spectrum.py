"""Leading eigenvectors: found once, and also where products alone would take very long."""

import numpy as np
import pytest

from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.problem.covariance import Covariance


@pytest.fixture
def clustered():
    """A covariance whose largest eigenvalues are nearly equal."""
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(320, 320)))[0]
    values = 1 - (np.arange(320.0) / 320) ** 3
    return Covariance((S := (Q * values) @ Q.T) / 2 + S.T / 2), Q, values


@pytest.mark.parametrize("d", [1, 3])
def test_clustered_eigenvalues_are_found_in_few_products(clustered, d, monkeypatch):
    cov, Q, expected = clustered
    asked, product = [], Covariance.product
    monkeypatch.setattr(Covariance, "product", lambda self, v: asked.append(v) or product(self, v))
    values, vectors = leading_eigenpairs(cov, d)
    assert values == pytest.approx(expected[:d], abs=1e-13)
    assert np.abs(np.abs(vectors.T @ Q[:, :d]) - np.eye(d)).max() < 1e-5
    assert len(asked) <= 1100


@pytest.mark.parametrize("d", [1, 3])
def test_pairs_are_found_once_and_cannot_be_changed(clustered, d):
    first, again = (leading_eigenpairs(clustered[0], d) for _ in "ab")
    assert first[1] is again[1]
    with pytest.raises(ValueError, match="read-only"):
        first[1][0] = 1.0
