"""Products of long floats by slices, against whole numbers of any length."""

from fractions import Fraction

import numpy as np
import pytest

from relaxspca.numerics.long_gram import LONG, ROWS, long_gram

EPSILON = Fraction(float(np.finfo(LONG).eps))


def exact(entry):
    """Return a long float as a fraction."""
    mantissa, exponent = np.frexp(entry)
    high = float(mantissa)
    return (Fraction(high) + Fraction(float(mantissa - LONG(high)))) * Fraction(2) ** int(exponent)


def columns(kind, p):
    """Return three columns of long floats."""
    rng = np.random.default_rng(p)
    X = rng.standard_normal((p, 3)).astype(LONG)
    if kind == "centred":  # digits beyond those of a double
        return X - X.mean(axis=0)
    if kind == "far apart":  # what is small is cut off
        return np.ldexp(X, rng.integers(-120, 1, size=X.shape))
    if kind == "doubles":
        return rng.standard_normal((p, 3)) * 10.0 ** rng.integers(-30, 30, size=(p, 3))
    if kind == "equal":  # slices of the greatest numbers, and sums as great as they can be
        return np.full((p, 3), 1 - LONG(2) ** -60) * np.array([1, -1, LONG(2) ** -300])
    return np.ldexp(X, np.array([0, -400, 300])) * np.array([1, 1, 0])


@pytest.mark.parametrize("p", [1, ROWS[0] - 1, ROWS[0], 128, 129, 600])
@pytest.mark.parametrize("kind", ["doubles", "centred", "far apart", "equal", "of many sizes"])
def test_the_products_are_as_near_as_is_said(kind, p):
    X = columns(kind, p)
    found = long_gram(X)
    assert np.array_equal(found, found.T)
    rational = [[exact(entry) for entry in column] for column in X.T]
    lengths = [sum(entry**2 for entry in column) for column in rational]
    for i in range(3):
        for j in range(i + 1):
            missed = exact(found[i, j]) - sum(a * b for a, b in zip(rational[i], rational[j], strict=True))
            assert missed**2 <= (p * EPSILON) ** 2 * lengths[i] * lengths[j]


def test_every_step_is_looked_at_before_it_is_made(monkeypatch):
    monkeypatch.setattr("relaxspca.numerics.long_gram.AT_ONCE", 1)
    X, looks = columns("doubles", 128), []
    assert np.array_equal(long_gram(X, look=lambda: looks.append(1)), long_gram(X))
    with pytest.raises(IndexError):  # a step before the last of all
        long_gram(X, look=looks[1:].pop)
