"""The bound of several components holds for every dual point, and is exact where theory says so."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from true_tables import supports_of

import relaxspca as rs
from relaxspca.relaxations.perron.formula import perron_point
from relaxspca.relaxations.several.formula import MultiplierMatrix, evaluated, listed, upper_bound
from relaxspca.relaxations.several.minimise import restricted_factors, start, to_multiplier_matrix
from relaxspca.relaxations.several.shape import Part, Shape, everything
from tests.small_covariances import KINDS, covariance, draw
from tests.small_tables import best_on

SHAPES = [
    Shape((2, 2)), Shape((3, 1)), Shape((1, 1)), Shape((2, 2, 2)), Shape.disjoint((3, 3), 5),
    Shape((2, 1), is_disjoint=True), Shape((3,), copies=2), Shape((3,), copies=3), Shape((4,), copies=2),
]  # fmt: skip


def random_point(rng, S, parts):
    """Return any dual point at all: Z need not be semidefinite, multipliers may be negative, rows too cheap."""
    n, scale = len(S), np.abs(S).max()
    L = rng.normal(size=(n, int(rng.integers(1, n + 1)))) * np.sqrt(scale) * rng.random()
    Z = L @ L.T - (0.1 * scale * np.eye(n) if rng.random() < 0.3 else 0.0)
    rows = []
    for part in parts:
        m = len(part.variables)
        B = rng.normal(size=(m, m)) * np.sqrt(scale) * rng.random()
        np.fill_diagonal(B, 0.0)
        rows.append(None if rng.random() < 0.3 else perron_point(part.variables, 1.2 * B * B.T, B * B))
    return MultiplierMatrix(np.arange(n), S - Z, scale * rng.normal(size=n) * rng.random(), tuple(rows))


def node_parts(rng, shape, n):
    """Return parts in which some variables are decided at random."""
    parts = []
    for size in shape.sizes:
        order = rng.permutation(n)
        forced = int(rng.integers(0, size + 1))
        free = int(rng.integers(size - forced, n - forced + 1))
        parts.append(Part(size, np.sort(order[:forced]), np.sort(order[forced : forced + free])))
    return tuple(parts)


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_no_dual_point_is_below_the_best_table_of_its_node(shape):
    rng = np.random.default_rng([7, SHAPES.index(shape)])
    tried = 0
    for at in range(draws(6, 48)):
        S = draw(["wishart", "tied", "huge", "indefinite", "negative_definite", "integer"][at % 6], rng, 4)
        cov, parts = covariance(S), everything(shape, 4) if at < draws(1, 6) else node_parts(rng, shape, 4)
        choices = [supports_of(part.inside, part.free, part.size, shape.is_at_most) for part in parts]
        tables = {tuple(sorted(map(tuple, T))) for T in itertools.product(*choices)}
        if shape.is_disjoint:
            tables = [T for T in tables if len(set().union(*T)) == sum(map(len, T))]
        if not tables:
            continue
        tried += 1
        best = max(
            np.linalg.eigvalsh(S[np.ix_(T[0], T[0])])[::-1][: shape.copies].sum()
            if shape.is_common
            else best_on(S, T, rng, starts=1)
            for T in tables
        )
        for _ in range(4):
            assert upper_bound(cov, random_point(rng, S, parts), shape, parts) >= best - 1e-9 * abs(best)
    assert tried >= 4


@pytest.mark.parametrize("seed", range(6))
def test_rows_bound_supports_of_every_size_where_smaller_ones_count(seed):
    """Negative multipliers: a support may leave out the variables that would lower its value."""
    rng, n = np.random.default_rng(seed), 6
    shape = Shape.disjoint((5, 4), n)
    assert shape.is_at_most
    for _ in range(20):
        S, parts = draw("correlation", rng, n), node_parts(rng, shape, n)
        point = random_point(rng, S, parts)
        point = replace(point, multipliers=-np.abs(point.multipliers) - rng.random())
        found = evaluated(covariance(S), point, shape, parts)
        for part, value, how in zip(parts, found.values, found.parts, strict=False):
            best = max(
                np.linalg.eigvalsh(point.rest[np.ix_(T, T)])[-1] + point.multipliers[T].sum()
                for T in supports_of(part.inside, part.free, part.size, may_be_smaller=True)
            )
            assert value >= best - 1e-12 * np.abs(S).max(), how


def test_all_of_sigma_as_multiplier_matrix_is_the_bound_of_ky_fan(cov):
    shape = Shape((13, 13, 13))
    values, vectors = np.linalg.eigh(cov.matrix)
    Z = (vectors * np.maximum(values - values[-3], 0.0)) @ vectors.T
    point = MultiplierMatrix(np.arange(13), cov.matrix - (Z + Z.T) / 2, np.zeros(13), (None, None, None))
    assert upper_bound(cov, point, shape, everything(shape, 13)) == pytest.approx(values[-3:].sum(), rel=1e-12)


def test_a_node_without_a_support_is_void():
    cov = rs.Covariance(np.eye(3))
    shape = Shape((2, 2))
    parts = (Part(2, np.array([0]), np.array([1, 2])), Part(2, np.array([], dtype=int), np.array([2])))
    point = MultiplierMatrix(np.arange(3), cov.matrix, np.zeros(3), (None, None))
    assert upper_bound(cov, point, shape, parts) == -np.inf


def test_a_multiplier_matrix_that_overflows_proves_nothing():
    cov = rs.Covariance(np.eye(2))
    shape = Shape((1, 1))
    for rest in (np.full((2, 2), np.inf), -1.7e308 * np.ones((2, 2))):
        point = MultiplierMatrix(np.arange(2), rest, np.zeros(2), (None, None))
        assert upper_bound(cov, point, shape, everything(shape, 2)) == np.inf


@pytest.mark.parametrize("seed", range(6))
def test_equal_components_share_their_rows_and_prove_the_same_as_with_copies(seed):
    rng = np.random.default_rng(seed)
    S = draw(list(KINDS)[seed % len(KINDS)], rng, 7)
    cov, shape = covariance(S), Shape((3, 3, 2, 2, 2))
    parts = everything(shape, 7)
    factors = start(S, shape, parts, may_list=False)
    point = to_multiplier_matrix(S, np.arange(7), factors, parts)
    assert [len({id(rows) for rows in some}) for some in (point.rows[:2], point.rows[2:])] == [1, 1]
    apart = replace(point, rows=tuple(replace(rows, P=rows.P.copy()) for rows in point.rows))
    assert upper_bound(cov, point, shape, parts) == upper_bound(cov, apart, shape, parts)
    # One of the equal components is decided otherwise: its rows are its own.
    inside = replace(parts[3], inside=np.array([1]), free=np.delete(np.arange(7), 1))
    fewer = replace(parts[4], free=np.arange(6))
    changed = (*parts[:3], inside, fewer)
    left, some = restricted_factors(factors, np.arange(7), parts, changed)
    assert [B.shape[0] for B in some.rows] == [7, 7, 7, 7, 6]
    assert some.rows[0] is some.rows[1]
    apart = tuple(
        B[np.ix_(part.variables, part.variables)] for B, part in zip(factors.rows, changed, strict=True)
    )
    assert all(np.array_equal(B, other) for B, other in zip(some.rows, apart, strict=True))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_largest_of_all_supports_is_proved_and_tight(kind):
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
