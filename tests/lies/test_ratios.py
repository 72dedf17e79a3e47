"""What is printed and claimed of ratios is true of awkward pencils, in exact rationals. No tolerance."""

import itertools
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from exact_ratios import near_best, quotient

import relaxspca as rs

KINDS = ("near-singular", "rank one", "huge or small A", "huge or small B", "units", "ties", "nothing")


def awkward(kind, n, rng):
    X = rng.standard_normal((n + 2, n))
    B, A = X.T @ X, rng.standard_normal((n, n))
    A = A + A.T
    if kind == "near-singular":
        Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
        B = (Q * np.geomspace(1, 10.0 ** -rng.integers(4, 15), n)) @ Q.T
        B = (B + B.T) / 2
    elif kind == "rank one":
        A = np.outer(A[0], A[0])
    elif kind == "huge or small A":
        A = A * 2.0 ** rng.integers(-400, 400)
    elif kind == "huge or small B":
        B = B * 2.0 ** rng.integers(-400, 400)
    elif kind == "units":
        D = 2.0 ** rng.integers(-120, 120, n)
        A, B = A * np.outer(D, D), B * np.outer(D, D)
    elif kind == "ties":
        A, B = np.ones((n, n)), np.eye(n) + np.ones((n, n))
    else:
        A = 1e-30 * A if rng.random() < 0.5 else -B
    return A, B


def printed_bounds(line, k):
    """Return the bounds that a printed line states, as exact numbers."""
    number = r"-?[0-9.]+(?:e[-+]?[0-9]+)?"
    if found := re.match(rf"({number}) <= r_{k} <= ({number})", line):
        return tuple(Fraction(Decimal(text)) for text in found.groups())
    found = re.match(rf"r_{k} = ({number})(?: \(±({number})\))?", line)
    centre, radius = (Fraction(Decimal(text or "0")) for text in found.groups())
    return centre - radius, centre + radius


@pytest.mark.parametrize("kind", KINDS)
def test_no_support_has_more_than_is_claimed_and_printed(kind):
    told = 0
    for seed in range(draws(5, 12)):
        rng = np.random.default_rng([seed, 21])
        n = int(rng.integers(2, 8))
        k = int(rng.integers(1, n + 1))
        A, B = awkward(kind, n, rng)
        try:
            found = rs.generalized(A, B, k, node_limit=(None, 0, 1)[seed % 3])
        except rs.InputError:
            continue
        told += 1
        lower, upper = printed_bounds(found.certificate.statement, k)
        assert lower <= Fraction(found.lower)
        assert upper >= Fraction(found.upper)
        for T in itertools.combinations(range(n), k):
            value = near_best(A, B, list(T))
            assert value is None or value <= Fraction(found.upper)
        assert quotient(A, B, found.loadings_array, range(n)) >= Fraction(found.lower)
        if found.is_optimal and found.gap:
            assert Fraction(found.upper) - Fraction(found.lower) <= Fraction(found.gap) * abs(
                Fraction(found.lower)
            )
        assert rs.verify(found.certificate, exact=True), rs.verify(found.certificate, exact=True)
        rounded = rs.verify(found.certificate, exact=False)
        assert rounded or kind == "near-singular", rounded
    assert told >= 5
