"""Both arithmetics enclose what exact rationals say, at every scale that doubles have."""

import importlib
import math
from fractions import Fraction

import numpy as np
import pytest
from draws import examples
from hypothesis import example, given
from hypothesis import strategies as st
from true_certificates import covariance, top

from relaxspca.checker.exact import Exact, above, below, float_above, float_below
from relaxspca.checker.rounded import Ball, Rounded
from relaxspca.numerics.decimals import rounded_down, rounded_up

exact_module = importlib.import_module("relaxspca.checker.exact")
EXACT, ROUNDED = Exact(), Rounded()
ANY = st.floats(allow_nan=False, allow_infinity=False)
SEEDS = st.integers(0, 2**32 - 1)


def within(ball, exact):
    """Say whether each rational lies in its ball; a ball that overflowed holds everything."""
    exact = np.asarray(exact, dtype=object)
    triples = zip(ball.middle.ravel(), ball.radius.ravel(), exact.ravel(), strict=True)
    return all(
        not math.isfinite(m) or not math.isfinite(r) or abs(Fraction(m) - x) <= Fraction(r)
        for m, r, x in triples
    )


def random_matrix(rng, shape):
    scale = 2.0 ** rng.integers(-540, 540) if rng.random() < 0.3 else 1.0
    return rng.normal(size=shape) * scale * 2.0 ** rng.integers(-30, 30, size=shape)


@examples(300)
@given(ANY, ANY, ANY)
@example(1e-200, 1e-200, 0.0)
@example(1.0, 2.0**-54, 1.0)
@example(0.0, 1.0 + 2.0**-30, 1.0 + 2.0**-30)
def test_sums_and_products_of_balls_hold_the_exact_ones(x, y, z):
    a, b, c = (Ball([value]) for value in (x, y, z))
    wide, other = Ball([x], [abs(y)]), Ball([x], [abs(z)])
    x, y, z = Fraction(x), Fraction(y), Fraction(z)
    with np.errstate(all="ignore"):
        assert within(a + b, [x + y])
        assert within(a - b, [x - y])
        assert within(a * b, [x * y])
        assert within((a * b - c) * (a + c), [(x * y - z) * (x + z)])
        assert within(Ball(3.0) * a, [3 * x])
        assert within(wide - other, [abs(y) + abs(z)])
        for product in (wide * other, wide[None] @ other[:, None]):
            assert within(product, [(x + abs(y)) * (x + abs(z))])
        assert within(a[None] @ b[:, None], [x * y])
        for bound, most in ((ROUNDED.upper(wide), x + abs(y)), (ROUNDED.magnitude(wide), abs(x) + abs(y))):
            assert bound[0] == math.inf or Fraction(bound[0]) >= most


@examples(500)
@given(ANY | st.integers(-50, 50).map(float), st.integers(1, 17))
def test_bounds_are_printed_rounded_outward_as_results_are(x, digits):
    low, high = below(x, digits), above(x, digits)
    assert Fraction(low) <= Fraction(x) <= Fraction(high)
    assert Fraction(high) - Fraction(low) <= 10 * abs(Fraction(x)) / 10**digits
    assert (low, high) == (rounded_down(x, digits), rounded_up(x, digits))


@examples(100)
@given(SEEDS)
def test_matrix_products_and_sums_of_balls_hold_the_exact_ones(seed):
    rng = np.random.default_rng(seed)
    A, B = random_matrix(rng, (3, 5)), random_matrix(rng, (5, 4))
    with np.errstate(all="ignore"):
        product = Ball(A) @ Ball(B)
        assert within(product, EXACT.array(A) @ EXACT.array(B))
        assert within(product @ Ball(B.T), EXACT.array(A) @ EXACT.array(B) @ EXACT.array(B.T))
        assert within(Ball(A).sum(axis=1), EXACT.array(A).sum(axis=1))
        # Balls of positive radius: everything in the operands is allowed for.
        wide = Ball(A, np.abs(A) * 0.5) @ Ball(B, np.abs(B) * 0.25)
        for signs in ((0.5, 0.25), (-0.5, -0.25), (0.5, -0.25)):
            inside = EXACT.array(A * (1 + signs[0])) @ EXACT.array(B * (1 + signs[1]))
            assert within(wide, inside)


@examples(300)
@given(st.floats(0, 1e308), ANY)
def test_quotients_and_roots_are_rounded_upwards(x, y):
    with np.errstate(all="ignore"):
        for arithmetic in (EXACT, ROUNDED):
            a, b = arithmetic.array([x]), arithmetic.array([y])
            quotient, root = arithmetic.quotient_upper(a, b)[0], arithmetic.sqrt_upper(a)[0]
            assert quotient == math.inf or (y > 0 and Fraction(quotient) * Fraction(y) >= Fraction(x))
            assert Fraction(root) ** 2 >= Fraction(x)
            assert Fraction(root) <= Fraction(math.sqrt(x)) * Fraction(1 + 2**-50) + Fraction(2) ** -530


@examples(300)
@given(ANY, ANY, st.floats(0, 0.5), st.floats(0, 0.5), st.sampled_from([-1, 0, 1]), st.sampled_from([-1, 0, 1]))
@example(1.0, 1.9, 0.0, 0.01, 0, -1)
def test_a_quotient_of_either_sign_is_at_least_that_of_every_pair_of_numbers_enclosed(x, y, s, t, at, of):
    """In exact fractions: for x < 0 the largest quotient is at the largest y."""
    with np.errstate(all="ignore"):
        a, b = Ball(np.array([x]), np.array([abs(x) * s])), Ball(np.array([y]), np.array([abs(y) * t]))
        bound, inverse = ROUNDED.quotient_upper(a, b)[0], ROUNDED.reciprocal(b)
        exact = EXACT.quotient_upper(EXACT.array([x]), EXACT.array([y]))[0]
    numerator = Fraction(a.middle[0]) + at * Fraction(a.radius[0])
    divisor = Fraction(b.middle[0]) + of * Fraction(b.radius[0])
    assert bound == math.inf or (divisor > 0 and Fraction(bound) >= numerator / divisor)
    assert exact == math.inf or (y > 0 and Fraction(exact) >= Fraction(x) / Fraction(y))
    assert divisor <= 0 or within(inverse, [1 / divisor])


@examples(200)
@given(st.lists(ANY, max_size=8))
def test_totals_are_rounded_upwards(values):
    total = ROUNDED.total(values)
    assert total == math.inf or Fraction(total) >= sum(map(Fraction, values))
    assert EXACT.total(values) == sum(map(Fraction, values))


@given(st.fractions())
def test_fractions_become_the_nearest_floats_outside(value):
    assert Fraction(float_below(value)) <= value <= Fraction(float_above(value))
    assert math.nextafter(float_below(value), math.inf) > value
    assert math.nextafter(float_above(value), -math.inf) < value


def test_fractions_beyond_every_float_are_bounded_all_the_same():
    huge = Fraction(2) ** 2000
    assert (float_above(huge), float_below(-huge)) == (math.inf, -math.inf)
    assert float_below(huge) == np.finfo(float).max


@examples(100)
@given(SEEDS, st.integers(1, 5))
def test_eigenvalue_bounds_hold_and_are_sharp(seed, n):
    """A matrix B'B - c I with whole entries; positive definiteness of tau I - M is checked by minors."""
    rng = np.random.default_rng(seed)
    B = rng.integers(-5, 6, size=(n, n)).astype(float)
    M = B.T @ B - rng.integers(0, 9) * np.eye(n)
    for arithmetic in (EXACT, ROUNDED):
        bound = Fraction(arithmetic.eigenvalue_upper(arithmetic.array(M)))
        # No eigenvalue above: all leading minors of bound I - M + tiny I are positive.
        tau = bound + Fraction(1, 10**30)
        shifted = [[tau * (i == j) - Fraction(M[i, j]) for j in range(n)] for i in range(n)]
        assert all(determinant([row[:m] for row in shifted[:m]]) > 0 for m in range(1, n + 1))
        assert bound <= Fraction(top(M)) + Fraction(10) ** -10


def determinant(rows):
    """Expand by cofactors: slow, and unlike elimination."""
    if not rows:
        return Fraction(1)
    return sum(
        (-1) ** j * x * determinant([row[:j] + row[j + 1 :] for row in rows[1:]])
        for j, x in enumerate(rows[0])
        if x
    )


def test_elimination_is_strict_and_the_same_with_and_without_flint(monkeypatch):
    pytest.importorskip("flint")
    S = EXACT.array(covariance(8, seed=5))
    singular = EXACT.array(np.ones((3, 3)))
    found = []
    for find_spec in (exact_module.find_spec, lambda name: None):
        monkeypatch.setattr(exact_module, "find_spec", find_spec)
        assert exact_module.is_positive_definite(S)
        assert not exact_module.is_positive_definite(singular)
        assert not exact_module.is_positive_definite(-S)
        found.append(EXACT.eigenvalue_upper(S))
    assert found[0] == found[1]


@pytest.mark.parametrize("n", [5, 50, 200])
def test_the_computed_remainder_is_no_worse_than_rumps_bound_on_it(n):
    """Rump and Jeannerod (2014): the remainder of Cholesky is at most (n + 1) u tr / (1 - (n + 1) u)."""
    S = covariance(n, seed=6)
    u, estimate = 2.0**-53, top(S)
    rump = (n + 1) * u / (1 - (n + 1) * u) * np.trace(estimate * np.eye(n) - S)
    assert 0 < ROUNDED.eigenvalue_upper(Ball(S)) - estimate < 12 * rump + 100 * n * u * estimate


@pytest.mark.parametrize("entry", [np.inf, np.nan])
def test_what_overflowed_is_bounded_by_infinity_only(entry):
    M = np.eye(3)
    M[1, 1] = entry
    with np.errstate(all="ignore"):
        assert ROUNDED.eigenvalue_upper(Ball(M)) == math.inf
        assert ROUNDED.upper(Ball([entry]))[0] == math.inf
    assert ROUNDED.total([entry, -math.inf]) == math.inf


def test_a_cholesky_factor_that_lies_is_found_out(monkeypatch):
    """Whatever LAPACK returns, the bound holds: only its sharpness is LAPACK's."""
    S = covariance(6, seed=7)
    for lie in (lambda M: np.eye(M.shape[-1])[None], lambda M: np.full_like(M, np.nan), lambda M: 0 * M):
        monkeypatch.setattr(np.linalg, "cholesky", lie)
        assert ROUNDED.eigenvalue_upper(Ball(S)) >= top(S)
    monkeypatch.undo()
    monkeypatch.setattr(np.linalg, "eigvalsh", lambda M: np.zeros(M.shape[:-1]))
    assert ROUNDED.eigenvalue_upper(Ball(S)) >= max(np.diag(S))
    assert EXACT.eigenvalue_upper(EXACT.array(S)) >= max(np.diag(S))
