"""What all loadings have in common that round to printed ones, held against many of them exactly."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from exact_truth import Truth
from printed import CASES

import relaxspca as rs
from relaxspca.problem.printed import cosine_at_least, printed_places, variance_range

pytestmark = pytest.mark.filterwarnings("ignore::relaxspca.DataWarning")


def explained(S, x):
    """Return the variance of x at length 1, exactly; x is as long as S is wide."""
    form = sum(a * b * Fraction(s) for a, row in zip(x, S, strict=True) for b, s in zip(x, row, strict=True))
    return form / sum(a * a for a in x)


def rounding_to(rng, places, *, inner=20):
    """Yield vectors that round to a printed one: all corners of the box, and points within, as Fractions."""
    used = [i for i, place in enumerate(places) if place]
    for signs in itertools.product((-1, 1), repeat=len(used)):
        yield fractions(places, dict(zip(used, signs, strict=True)))
    for _ in range(inner):
        yield fractions(places, {i: float(rng.uniform(-1, 1)) for i in used})


def fractions(places, away):
    return [place + Fraction(away.get(i, 0)) / 2 for i, place in enumerate(places)]


def by_variable(places):
    return {i: place for i, place in enumerate(places) if place}


def printed(rng, n, largest):
    places = rng.integers(-largest, largest + 1, size=n)
    places[rng.integers(n)] = largest
    return tuple(int(place) for place in places)


@pytest.mark.parametrize("largest", [1, 9, 97, 995, 10**9, 2**52])
def test_no_vector_that_rounds_to_the_printed_one_is_outside_of_the_range(largest):
    for case, S in enumerate(CASES[draws(40, 0) :]):
        rng = np.random.default_rng([case, largest])
        places = printed(rng, len(S), largest)
        low, high = map(Fraction, variance_range(rs.Covariance(S), by_variable(places)))
        matrix = rs.Covariance(S).matrix.tolist()
        values = [explained(matrix, x) for x in rounding_to(rng, places)]
        assert low <= min(values) <= max(values) <= high, (case, places)


@pytest.mark.parametrize("power", [-1068, -1040, -600, -300, 300])
@pytest.mark.parametrize("largest", [99, 2**52])
def test_the_range_holds_for_numbers_of_every_size(power, largest):
    """Products of numbers below the normal ones are off by a fixed amount, whatever their size."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        B = np.ldexp(rng.normal(size=(4, 4)), power)
        S = np.zeros((5, 5))
        S[0, 0], S[1:, 1:] = 1.0, B + B.T
        cov, places = rs.Covariance(S), (0, *printed(rng, 4, largest))
        low, high = map(Fraction, variance_range(cov, by_variable(places)))
        values = [explained(cov.matrix.tolist(), x) for x in rounding_to(rng, places)]
        assert low <= min(values) <= max(values) <= high


@pytest.mark.parametrize("largest", [50, 2**52])
def test_the_range_holds_for_the_exact_matrix_of_observations(largest):
    """The matrix is A'A, which no float holds: its rounding is added."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        cov = rs.Covariance.from_data(rng.normal(size=(3, 6)) + 1e3)
        assert cov.is_factored
        A = [[Fraction(x) for x in row] for row in cov.factor.tolist()]
        places = (0, *printed(rng, 3, largest), 0, 0)
        low, high = map(Fraction, variance_range(cov, by_variable(places)))
        for x in rounding_to(rng, places):
            scores = [sum(a * b for a, b in zip(row, x, strict=True)) for row in A]
            assert low <= sum(s * s for s in scores) / sum(b * b for b in x) <= high
        one = Fraction(0) + sum(row[2] ** 2 for row in A)
        low, high = map(Fraction, variance_range(cov, {2: 7}))
        assert low <= one <= high


@pytest.mark.parametrize("places", [(70, 30), (0, 1)])
def test_what_a_block_misses_is_added_on_both_sides(monkeypatch, places):
    cov = rs.Covariance([[2.0, 1.0], [1.0, 2.0]])
    low, high = variance_range(cov, by_variable(places))
    monkeypatch.setattr(rs.Covariance, "rounding", lambda *_: 0.25)
    wider = variance_range(cov, by_variable(places))
    assert wider == pytest.approx((low - 0.25, high + 0.25))
    assert Fraction(wider[0]) <= Fraction(low) - Fraction(1, 4)
    assert Fraction(wider[1]) >= Fraction(high) + Fraction(1, 4)


@pytest.mark.parametrize(("decimals", "wider"), [(1, 2), (2, 1.1), (3, 1.01), (6, 1.001)])
def test_two_variables_have_a_range_hardly_wider_than_the_exact_one(decimals, wider):
    """What two variables explain depends on an angle: the ends are at corners or at an eigenvector."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        B = rng.normal(size=(2, 2))
        S = (B @ B.T).tolist()
        S[1][0] = S[0][1]
        unit = 10**decimals
        places = rng.integers(unit // 4, unit, size=2).tolist()
        values = [explained(S, x) for x in rounding_to(rng, places)]
        least, most = min(values), max(values)
        low, high = variance_range(rs.Covariance(S), by_variable(places))
        values, vectors = np.linalg.eigh(np.array(S))
        for value, vector in zip(values, vectors.T, strict=True):
            if is_between(vector, places):
                least, most = min(least, Fraction(value)), max(most, Fraction(value))
        slack = Fraction(1, 10**14) * Fraction(values[1])
        assert low <= least + slack
        assert high >= most - slack
        # Near eigenvectors the slope vanishes: there the range is as wide as what is squared in the proof.
        squared = values[1] / sum((p - 0.5) ** 2 for p in places)
        assert high - low <= wider * float(most - least) + squared + 1e-13


def is_between(vector, places):
    """Say whether a multiple of a vector rounds to the printed one."""
    steps = [
        sorted(((2 * p - 1) / (2 * v), (2 * p + 1) / (2 * v))) for p, v in zip(places, vector, strict=True)
    ]
    both = max(low for low, _ in steps), min(high for _, high in steps)
    return both[0] <= both[1]


def test_the_best_loadings_lie_in_the_range_of_their_rounding():
    cov = rs.datasets.load_pitprops()
    for k in range(1, 14):
        best = rs.candidate(cov, k)
        for decimals in (2, 3, 5):
            places = np.round(best.loadings * 10**decimals)
            if np.count_nonzero(places) < k:
                continue
            low, high = variance_range(cov, by_variable(map(int, places)))
            top = Truth(cov.matrix[np.ix_(best.indices, best.indices)].tolist()) if k <= 3 else None
            assert low <= best.value <= high * (1 + 1e-15)
            assert high <= best.value * (1 + 1e-12)
            assert top is None or top.is_upper(k, Fraction(high))


def test_one_variable_explains_its_variance_whatever_is_printed():
    cov = rs.datasets.load_pitprops()
    assert variance_range(cov, {12: -1000}) == (1.0, 1.0)
    assert variance_range(rs.Covariance([[0.1, 0.0], [0.0, 7.0]]), {0: 3}) == (0.1, 0.1)


def test_the_range_is_narrow_among_many_variables():
    """Of 400 loadings with three digits: two corners attain nearly all of the range."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 400))
    cov = rs.Covariance(X.T @ X / 50)
    places = (rng.integers(200, 1000, size=400) * rng.choice([-1, 1], size=400)).tolist()
    low, high = variance_range(cov, by_variable(places))
    c = np.array(places, dtype=float)
    q = c @ cov.matrix @ c / (c @ c)
    steepest = np.sign(cov.matrix @ c - q * c) / 2
    attained = [x @ cov.matrix @ x / (x @ x) for x in (c - steepest, c + steepest)]
    assert low <= attained[0] < q < attained[1] <= high
    assert high - low < 1.1 * (attained[1] - attained[0])


def test_inner_products_are_held_against_all_corners():
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(300):
        n = int(rng.integers(1, 4))
        first, second = (tuple(int(p) for p in rng.integers(-6, 7, size=n)) for _ in range(2))
        if not (any(first) and any(second)):
            continue
        found = cosine_at_least(by_variable(first), by_variable(second))
        pairs = list(itertools.product(*(rounding_to(rng, one, inner=2) for one in (first, second))))
        products = [sum(a * b for a, b in zip(x, y, strict=True)) for x, y in pairs]
        if found is None:
            assert set(products) == {0}
        elif found == 0:
            # The range is an interval, whose ends are at corners: some such vectors are orthogonal.
            assert min(products) <= 0 <= max(products)
        else:
            assert min(products) > 0 or max(products) < 0
            for (x, y), product in zip(pairs, products, strict=True):
                square = product**2 / sum(a * a for a in x) / sum(b * b for b in y)
                assert Fraction(found) ** 2 <= square
        seen.add(None if found is None else found > 0)
    assert seen == {None, False, True}


def test_two_vectors_that_are_orthogonal_at_one_corner_alone():
    assert cosine_at_least({0: 2, 1: 2}, {0: 3, 1: -1}) == 0.0  # 1.5 * 2.5 = 3.75, 2.5 * 1.5 = 3.75
    assert cosine_at_least({0: 2, 1: 2}, {0: 4, 1: -1}) > 0  # 1.5 * 3.5 = 5.25 > 3.75


def test_places_are_those_of_the_text():
    for decimals in range(16):
        for seed in range(200):
            rng = np.random.default_rng([decimals, seed])
            place = int(rng.integers(-(10**decimals), 10**decimals, endpoint=True)) or 1
            text = f"{'-' * (place < 0)}{abs(place) // 10**decimals}.{abs(place) % 10**decimals:0{decimals}d}"
            assert printed_places(np.array([float(text)]), decimals, "a") == {0: place}


@pytest.mark.parametrize(
    ("value", "decimals", "words"),
    [
        (0.4771, 3, "has more than 3 decimals"),
        (np.nextafter(0.477, 1), 3, "has more than 3 decimals"),
        (np.nextafter(0.477, 0), 3, "has more than 3 decimals"),
        (float(np.float32(0.477)), 3, "has more than 3 decimals"),
        (1e-9, 3, "has more than 3 decimals"),
        (0.5, 0, "has more than 0 decimals"),
        (1e20, 3, "is too large for 3 decimals"),
        (8.0, 15, "is too large for 15 decimals"),
    ],
)
def test_loadings_that_were_not_printed_so_are_refused(value, decimals, words):
    with pytest.raises(rs.InputError, match=f"of b {words}"):
        printed_places(np.array([0.0, value]), decimals, "ab")


def test_minus_zero_and_whole_numbers():
    assert printed_places(np.array([-0.0, 1.0, -1.0, 0.5]), 2, "abcd") == {1: 100, 2: -100, 3: 50}
    assert printed_places(np.array([-0.0, 1.0, -12.0]), 0, "abc") == {1: 1, 2: -12}
