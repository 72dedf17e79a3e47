"""The table of relaxations: tol reaches every method, and a formula without an answer says infinity."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.numerics.linalg import sum_upper
from relaxspca.relaxations.kinds import KINDS, STEPS
from relaxspca.relaxations.published import perspective

PITPROPS = rs.datasets.load_pitprops()


@pytest.mark.parametrize("name", ["psi", "perron"])
def test_tol_is_the_accuracy_of_a_method(name):
    rough, fine = (rs.upper_bound(PITPROPS, 8, name, tol=tol).upper for tol in (0.1, 1e-7))
    assert fine < rough <= fine * 1.1


def test_every_kind_has_a_way_to_be_computed():
    assert all(kind.method or kind.program for kind in KINDS.values())
    assert STEPS == ("spectral", "kkt", "psi", "perron", "pairwise")


@pytest.mark.parametrize("size", [1e155, 1e300])
def test_multipliers_beyond_the_floats_prove_nothing_and_are_not_nan(size):
    cov, big = rs.Covariance([[2.0, 1.0], [1.0, 2.0]]), np.full((2, 2), size)
    point = perspective.PerspectivePoint(big, np.zeros(2), -big, np.zeros(2), big, -big)
    with np.errstate(all="ignore"):
        assert perspective.upper_bound(cov, point, 2) >= 3.0


def test_a_sum_without_a_value_is_infinite():
    assert sum_upper(np.array([1.0, np.nan])) == np.inf
    assert sum_upper(np.array([np.inf, -np.inf])) == np.inf
    assert sum_upper(np.array([1.7e308, 1.7e308, -1.7e308])) >= 1.7e308
