"""Trying every support: none is left out, and the bound on the best is proved and tight."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from relaxspca.relaxations.several.formula import listed
from relaxspca.relaxations.several.shape import Part
from tests.small_covariances import KINDS, draw


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_largest_is_proved_and_tight(kind):
    rng = np.random.default_rng(sorted(KINDS).index(kind))
    M = draw(kind, rng, 6)
    y = rng.normal(size=6) * np.abs(M).max()
    part = Part(3, np.array([1]), np.array([0, 2, 3, 4, 5]))
    upper = listed(M, y, part).largest
    tried = [T for T in itertools.combinations(range(6), 3) if 1 in T]
    best = max(np.linalg.eigvalsh(M[np.ix_(T, T)])[-1] + y[list(T)].sum() for T in tried)
    scale = np.abs(M).max() + np.abs(y).max()
    assert best - 1e-13 * scale <= upper <= best + 1e-10 * scale


def test_nothing_is_proved_below_an_exact_eigenvalue():
    """What is proved is above the truth: eigenvalues of 2 by 2 blocks, in rationals."""
    rng, both = np.random.default_rng(3), Part(2, np.arange(0), np.arange(2))
    for _ in range(300):
        a, b, c, p, q = (float(v) for v in rng.integers(-9, 10, size=5) / 8 * 10.0 ** rng.integers(-8, 9))
        M, y = np.array([[a, b], [b, c]]), np.array([p, q])
        level = Fraction(listed(M, y, both).largest) - Fraction(p) - Fraction(q)
        left, right = level - Fraction(a), level - Fraction(c)
        assert left > 0
        assert left * right > Fraction(b) ** 2
