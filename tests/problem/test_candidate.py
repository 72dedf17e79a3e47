"""What a component is said to attain is attained: on tiny numbers, and whatever the length of its loadings."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from exact_truth import Truth

import relaxspca as rs


@pytest.mark.parametrize("power", [-1020, -1040, -1060, -1070])
def test_what_loadings_attain_on_numbers_below_the_normal_ones_is_not_rounded_up(power):
    """Products of such numbers are off by a fixed amount, whatever their size."""
    for seed in range(draws(10, 40)):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 6))
        block = np.ldexp(rng.normal(size=(n, n)), power)
        S = np.zeros((n + 1, n + 1))
        S[0, 0], S[1:, 1:] = 1.0, block + block.T
        found = rs.Candidate.from_support(rs.Covariance(S), range(1, n + 1))
        assert Fraction(found.proved_value(rs.Covariance(S))) <= Truth(S).variance(found.loadings)


def test_what_loadings_attain_does_not_depend_on_their_length(cov):
    found = rs.candidate(cov, 5)
    for factor in (2.0, 0.75, 1e-50):
        longer = replace(found, loadings=factor * found.loadings)
        assert Fraction(longer.proved_value(cov)) <= Truth(cov.matrix).variance(longer.loadings)
        result = rs.solve(cov, 5, start=longer)
        assert rs.verify(result.certificate)
        assert result.lower == pytest.approx(found.value)
