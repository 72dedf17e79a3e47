"""Isometry and orthogonality constants lie between their bounds, by enumeration."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from draws import examples
from hypothesis import given
from hypothesis import strategies as st

import relaxspca as rs
from relaxspca.applications import isometry_bounds, orthogonality_bounds, recovery_conditions


def delta(F, size):
    sets = itertools.combinations(range(F.shape[1]), size)
    return max(np.abs(np.linalg.eigvalsh(F[:, T].T @ F[:, T]) - 1).max() for T in sets)


def theta(F, size, other):
    n, best = F.shape[1], 0.0
    for T in itertools.combinations(range(n), size):
        rest = [i for i in range(n) if i not in T]
        best = max(best, *(np.linalg.norm(F[:, T].T @ F[:, U], 2) for U in itertools.combinations(rest, other)))
    return best


def designs():
    rng = np.random.default_rng(0)
    angles = 2 * np.pi * np.outer([1, 3, 4, 6], np.arange(8)) / 13
    signs = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]) / 2
    return {
        "Gaussian": rng.standard_normal((8, 10)) / np.sqrt(8),
        "Bernoulli": rng.choice([-1.0, 1.0], (8, 10)) / np.sqrt(8),
        "Fourier": np.vstack([np.cos(angles), np.sin(angles)]) / 2,
        "deterministic": np.hstack([np.eye(4), signs]),
    }


@pytest.mark.parametrize("kind", designs())
@pytest.mark.parametrize("size", [1, 2, 4])
def test_every_kind_of_design_is_enclosed(kind, size):
    F = designs()[kind]
    bounds = isometry_bounds(F, size)
    true = delta(F, size)
    assert bounds.lower <= true + 1e-13
    assert true <= bounds.upper + 1e-13
    assert bounds.upper - bounds.lower <= 1e-6


def test_squares_that_underflow_are_enclosed():
    smallest = isometry_bounds(np.diag([1.0, 1e-170]), 1).smallest
    assert smallest.lower <= Fraction(1e-170) ** 2 <= smallest.upper


@pytest.mark.parametrize(("n", "size"), [(12, 3), (14, 3), (14, 5)])
def test_more_columns_are_enclosed(n, size):
    rng = np.random.default_rng(n + size)
    for F in (rng.standard_normal((9, n)) / 3, rng.choice([-1.0, 1.0], (9, n)) / 3):
        bounds = isometry_bounds(F, size, gap=0.01)
        true = delta(F, size)
        assert bounds.lower <= true + 1e-13
        assert true <= bounds.upper + 1e-13
        assert bounds.upper - bounds.lower <= 0.01 * (1 + bounds.upper)


@pytest.mark.parametrize("size", range(1, 6))
def test_gaussian_of_8_by_10_is_exact(size):
    F = np.random.default_rng(7).standard_normal((8, 10)) / np.sqrt(8)
    bounds = isometry_bounds(F, size)
    assert bounds.upper - bounds.lower <= 1e-7
    assert bounds.upper == pytest.approx(delta(F, size), abs=1e-7)


@examples(25)
@given(seed=st.integers(0, 10**6), q=st.integers(2, 8), n=st.integers(3, 9), size=st.integers(1, 3))
def test_bounds_with_a_gap_still_enclose(seed, q, n, size):
    F = np.random.default_rng(seed).standard_normal((q, n)) / np.sqrt(q)
    bounds = isometry_bounds(F, size, gap=0.2)
    assert bounds.lower <= delta(F, size) + 1e-13
    assert delta(F, size) <= bounds.upper + 1e-13


@examples(15)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 2), other=st.integers(1, 3))
def test_orthogonality_constants_are_enclosed(seed, size, other):
    F = np.random.default_rng(seed).standard_normal((6, 7)) / np.sqrt(6)
    lower, upper = orthogonality_bounds(F, size, other, gap=0.05)
    true = theta(F, size, other)
    assert lower <= true + 1e-13
    assert true <= upper + 1e-13


def test_conditions_follow_from_the_constants():
    F = np.eye(6) + 0.02 * np.random.default_rng(1).standard_normal((6, 6))
    assert recovery_conditions(F, 1).candes_tao is bool(delta(F, 1) + theta(F, 1, 1) + theta(F, 1, 2) < 1)
    assert recovery_conditions(F, 2).cai_zhang is bool(delta(F, 4) < 0.5**0.5)
    coherent = np.array([[1.0, 1.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 1.0]])
    assert recovery_conditions(coherent, 1).cai_zhang is False
    assert recovery_conditions(coherent, 1).candes_tao is False


def test_conditions_count_every_way_in_which_two_supports_fit():
    assert recovery_conditions(np.eye(3), 3).candes_tao is True
    assert recovery_conditions(np.eye(1), 1).candes_tao is True
    assert recovery_conditions(2 * np.eye(1), 1).candes_tao is False
    gram = np.eye(5)
    gram[0, 1:] = gram[1:, 0] = 0.2
    F = np.linalg.cholesky(gram).T
    pairs = [(1, 4), (2, 3), (3, 2)]
    assert delta(F, 3) + theta(F, 3, 2) + theta(F, 3, 2) < 1
    assert delta(F, 3) + theta(F, 3, 2) + max(theta(F, *pair) for pair in pairs) > 1
    assert recovery_conditions(F, 3).candes_tao is False


@pytest.mark.parametrize("size", [0, 4])
def test_sparsity_must_fit(size):
    with pytest.raises(rs.InputError, match="outside"):
        isometry_bounds(np.eye(3), size)
    with pytest.raises(rs.InputError, match="outside"):
        recovery_conditions(np.eye(3), size)
