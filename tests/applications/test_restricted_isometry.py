"""Isometry constants lie between their bounds, by enumeration."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from draws import draws, examples
from hypothesis import given
from hypothesis import strategies as st
from interrupts import interrupt

from relaxspca.applications import discriminants, isometry_bounds, subset_path
from relaxspca.search.engine import Engine


def delta(F, size):
    sets = itertools.combinations(range(F.shape[1]), size)
    return max(np.abs(np.linalg.eigvalsh(F[:, T].T @ F[:, T]) - 1).max() for T in sets)


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


def enclosed(F, size, **options):
    """Return the bounds: they enclose what enumeration finds, and eigenvalues of the columns that they name."""
    bounds, true = isometry_bounds(F, size, **options), delta(F, size)
    assert bounds.lower <= true + 1e-13
    assert true <= bounds.upper + 1e-13
    for end, at in ((bounds.smallest, 0), (bounds.largest, -1)):
        value = np.linalg.eigvalsh(F[:, end.indices].T @ F[:, end.indices])[at]
        assert end.lower - 1e-13 <= value <= end.upper + 1e-13
    return bounds


@pytest.mark.parametrize("kind", designs())
@pytest.mark.parametrize("size", draws((1, 2, 5), range(1, 6)))
def test_every_kind_of_design_is_enclosed(kind, size):
    bounds = enclosed(designs()[kind], size)
    assert bounds.upper - bounds.lower <= 1e-7


def test_squares_that_underflow_are_enclosed():
    smallest = isometry_bounds(np.diag([1.0, 1e-170]), 1).smallest
    assert smallest.lower <= Fraction(1e-170) ** 2 <= smallest.upper


@examples(25)
@given(seed=st.integers(0, 10**6), q=st.integers(2, 8), n=st.integers(3, 9), size=st.integers(1, 3))
def test_bounds_with_a_gap_still_enclose(seed, q, n, size):
    bounds = enclosed(np.random.default_rng(seed).standard_normal((q, n)) / np.sqrt(q), size, gap=0.2)
    assert bounds.upper - bounds.lower <= 0.2 * (1 + bounds.upper)


def test_after_ctrl_c_no_other_search_of_the_same_work_is_begun(monkeypatch):
    rng = np.random.default_rng(0)
    F, kinds = rng.standard_normal((30, 12)), np.arange(30) % 3
    interrupt(monkeypatch, Engine, "_advance", 1)
    found = isometry_bounds(F, 5)
    assert found.is_interrupted
    assert found.smallest.status == "time limit"
    interrupt(monkeypatch, Engine, "_advance", 1)
    assert [row.status for row in discriminants(F, kinds, 3, 2).rows] == ["interrupted"]
    interrupt(monkeypatch, Engine, "_advance", 1)
    (row,) = subset_path(F, F[:, 0] + rng.standard_normal(30), [3, 4]).rows
    assert row.status == "interrupted"
