"""The smoothed eigenvalue: bounds, gradient, and the same where eigenvectors are left out."""

import numpy as np
import pytest

from relaxspca.relaxations.soft_eigenvalue import SoftLargest


def soft_largest(M, width):
    """Return the value and gradient by all eigenvectors: nothing is known before the first matrix."""
    return SoftLargest(width)(M)


def symmetric(seed, n):
    M = np.random.default_rng(seed).standard_normal((n, n))
    return M + M.T


def with_eigenvalues(values, seed):
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.standard_normal((len(values), len(values))))
    return (Q * values) @ Q.T


def assert_as_all(soft, M):
    value, X = soft(M)
    right, Y = soft_largest(M, soft.width)
    assert abs(value - right) <= 1e-4 * soft.width
    assert np.linalg.norm(X - Y) <= 1e-4 * np.linalg.norm(Y)


@pytest.fixture
def whole(monkeypatch):
    """Count the eigendecompositions that find all eigenvectors."""
    calls = []
    eigh = np.linalg.eigh
    monkeypatch.setattr(np.linalg, "eigh", lambda M: (len(M) == 200 and calls.append(1)) or eigh(M))
    return calls


@pytest.mark.parametrize("width", [1e-2, 1e-4])
def test_eigenvectors_far_below_the_largest_may_be_left_out(width, whole):
    M = with_eigenvalues(np.append(np.linspace(0, 1, 190), 2 - width * np.arange(10)), 0)
    D = with_eigenvalues(np.linspace(-1, 1, 200), 1)
    soft = SoftLargest(width)
    for step in range(6):  # after the first, none is whole but those that it is compared with
        assert_as_all(soft, M + step * width * D)
    assert len(whole) == 6 + 1


def test_all_eigenvectors_are_found_where_what_is_known_does_not_serve(whole):
    values = np.append(np.linspace(0, 1, 195), 2.0 - 1e-3 * np.arange(5))
    soft, M = SoftLargest(1e-2), with_eigenvalues(values, 2)
    flat = np.linspace(0.98, 1, 200) * np.eye(200)
    for each in (M, M - 3 * np.eye(200), 10 * M, flat, M, 1e5 * M, -M, 1e60 * M):
        assert_as_all(soft, each)
    assert len(whole) > 8 + 1
