import itertools
import math

import numpy as np
import pytest
from draws import examples
from exact_truth import Truth
from hypothesis import given
from hypothesis import strategies as st

import relaxspca as rs
from relaxspca import Candidate, Covariance
from relaxspca.candidates import candidate
from relaxspca.datasets import load_pitprops
from relaxspca.relaxations.psi.formula import upper_bound
from relaxspca.relaxations.psi.kkt import DualFamily, kkt_test, least_penalty
from tests.small_covariances import optima, random_covariance

SEEDS = st.integers(0, 10**6)

# Enumeration, and the admissible penalties and least gaps found once by other software. Gap 0 is certified.
PITPROPS = {
    1: (1.0, 0.91012, 1.0, 0.0), 2: (1.954, 0.39345, 0.97700, 0.3610),
    3: (2.4753313532, 0.36154, 0.64648, 2.040),
    4: (2.9374789467, 0.38066, 0.56593, 3.692), 5: (3.4061549468, 0.29584, 0.55860, 1.736),
    6: (3.7709595523, 0.17341, 0.43979, 1.143), 7: (3.9961896449, 0.05460, 0.28713, 0.01236),
    8: (4.0686073272, 0.04911, 0.09546, 3.132), 9: (4.1386469071, 0.02498, 0.09894, 0.1156),
    10: (4.1726376616, 0.02614, 0.04610, 1.631), 11: (4.2082759543, 0.00731, 0.04840, 0.0),
    12: (4.2182451865, 0.00029, 0.01357, 0.0), 13: (4.2186328533, 0.0, 0.00052, 0.0),
}  # fmt: skip


@pytest.fixture(scope="module")
def pitprops():
    cov = load_pitprops()
    return cov, {k: candidate(cov, k) for k in range(1, 14)}


def admissible_family(rng, n):
    """A random covariance and a support with an interval of admissible penalties."""
    while True:
        cov = random_covariance(rng, n, n)
        support = rng.permutation(n)[: rng.integers(1, n + 1)]
        family = DualFamily.of(cov, Candidate.from_support(cov, support))
        if family.rho_hi > family.rho_lo * 1.01:
            return cov, family


@pytest.mark.parametrize("k", PITPROPS)
def test_the_table_of_pitprops(pitprops, k):
    cov, best = pitprops
    value, rho_lo, rho_hi, gap = PITPROPS[k]
    family = DualFamily.of(cov, best[k])
    if k > 1:  # at k = 1 every variable ties, and the interval is that of one of them
        assert (round(family.rho_lo, 5), round(family.rho_hi, 5)) == (rho_lo, rho_hi)
    assert best[k].value == pytest.approx(value, abs=1e-8)
    upper = kkt_test(cov, best[k]).upper(k)
    assert upper - best[k].value == pytest.approx(gap, rel=5e-4, abs=2e-9)
    assert best[k].value <= rs.upper_bound(cov, k, relaxation="psi").upper <= upper * (1 + 1e-6)


@examples(100)
@given(seed=SEEDS, n=st.integers(2, 8))
def test_the_vectors_are_feasible_and_the_slope_is_a_subgradient(seed, n):
    rng = np.random.default_rng(seed)
    _, family = admissible_family(rng, n)
    penalties = family.rho_lo + rng.uniform(0.02, 0.98, size=3) * (family.rho_hi - family.rho_lo)
    for rho in penalties:
        for y, a in zip(family.vectors(rho).T, family.A.T, strict=True):
            least = np.linalg.eigvalsh(np.outer(y, y) - np.outer(a, a) + rho * np.eye(len(a)))[0]
            assert least >= -1e-9 * (1 + y @ y + a @ a)
        value, slope = family.value_and_slope(rho)
        for other in penalties:
            assert family.value_and_slope(other)[0] >= value + slope * (other - rho) - 1e-9 * (1 + value)


@examples(40)
@given(seed=SEEDS, n=st.integers(2, 8))
def test_the_search_beats_a_grid_of_penalties_for_every_cardinality(seed, n):
    _, family = admissible_family(np.random.default_rng(seed), n)
    beats_a_grid(family, 21, n)


def beats_a_grid(family, steps, most):
    grid = np.linspace(family.rho_lo, family.rho_hi, steps + 2)[1:-1]
    values = np.array([family.value_and_slope(rho)[0] for rho in grid])
    for k in range(1, most + 1):
        assert least_penalty(family, k).value <= (values + k * grid).min() * (1 + 1e-10)


def test_bisection_finds_the_least_value_where_the_leading_eigenvalue_is_double():
    # Two equal uncorrelated pairs: at every penalty the leading eigenvalue of the dual is at least double.
    cov = Covariance(np.kron(np.eye(2), [[1.0, 0.6], [0.6, 1.0]]))
    pair = Candidate.from_support(cov, [0, 1])
    beats_a_grid(DualFamily.of(cov, pair), 401, 3)
    assert kkt_test(cov, pair).upper(2) < 1.6 + 1e-9
    other = Candidate.from_support(cov, [0, 2])  # of which no penalty is admissible
    assert not DualFamily.of(cov, other).has_penalty
    assert kkt_test(cov, other) is None


@examples(100)
@given(seed=SEEDS, n=st.integers(1, 8))
def test_whatever_the_support_its_dual_point_bounds_every_optimum(seed, n):
    rng = np.random.default_rng(seed)
    cov = random_covariance(rng, n)
    supports = [rng.permutation(n)[: rng.integers(1, n + 1)] for _ in range(4)]
    for pair in filter(None, (kkt_test(cov, Candidate.from_support(cov, s)) for s in supports)):
        for k, value in optima(cov.matrix).items():
            assert pair.upper(k) >= max(value, upper_bound(cov, pair.point, k)) * (1 - 1e-14)


@examples(40)
@given(seed=SEEDS, n=st.integers(2, 8), width=st.sampled_from([1e-6, 0.01, 0.1]))
def test_a_gap_is_found_unless_it_is_wider_than_asked_for(seed, n, width):
    cov, family = admissible_family(np.random.default_rng(seed), n)
    support = Candidate.from_support(cov, np.flatnonzero(family.inside))
    found, least = (kkt_test(cov, support, **how).upper(support.k) for how in ({"width": width}, {}))
    assert found == least if least < support.value * (1 + width) else found >= least * (1 - 1e-12)


def test_the_shift_law():
    S = np.diag([3.0, 1.0, -0.5]) + 0.2
    with pytest.warns(UserWarning, match="not positive semidefinite"):
        cov = Covariance(S)
    raised = Covariance(S + cov.shift * np.eye(3))
    test, other = (kkt_test(c, Candidate.from_support(c, [0])) for c in (cov, raised))
    assert test.upper(1) + cov.shift == pytest.approx(other.upper(1), rel=1e-9)
    assert test.upper(1) >= 3.2


def test_wide_data_are_bounded_through_their_factor():
    A = np.random.default_rng(2).normal(size=(4, 30)) * np.linspace(3, 0.1, 30)
    factored, dense = Covariance.from_factor(A), Covariance(A.T @ A)
    best = candidate(factored, 3)
    upper = kkt_test(factored, best).upper(3)
    assert upper == pytest.approx(kkt_test(dense, best).upper(3), rel=1e-7)
    assert upper >= best.value


@pytest.mark.parametrize("p", [-295, 295])
def test_the_unit_of_sigma_does_not_matter(p, pitprops):
    cov, _ = pitprops
    scaled = Covariance.from_factor(cov.factor * 2.0**p)
    best, other = candidate(cov, 11), kkt_test(scaled, candidate(scaled, 11))
    found = [[t.point.rho, t.upper(11)] for t in (kkt_test(cov, best), other)]
    assert np.ldexp(found[1], -2 * p) == pytest.approx(found[0], rel=1e-9)
    assert np.ldexp(other.upper(11), -2 * p) < best.value + 1e-9


@pytest.mark.parametrize("more", [[1, 0, 0, 1, 1], [1, 1, 0, 1, 0]])
def test_neighbouring_floats_have_no_admissible_penalty_between(more):
    """Of equal variables some are inside: the squares of their inner products differ by rounding at most."""
    cov = Covariance(np.diag(np.array(more, dtype=float)) + 3)
    every = itertools.chain.from_iterable(itertools.combinations(range(5), k) for k in range(1, 6))
    for test in filter(None, (kkt_test(cov, Candidate.from_support(cov, T)) for T in every)):
        for k, value in optima(cov.matrix).items():
            assert value * (1 - 1e-14) <= test.upper(k) < math.inf


FAR_APART = [
    [-2.7415000084949824e-156, 1.0111742874722767e-144, 6.20228617026151e-97],
    [1.0111742874722767e-144, -1.1948348708508425e-132, -7.927581932326143e-86],
    [6.20228617026151e-97, -7.927581932326143e-86, -5.91352598325906e-38],
]


@examples(100)
@given(seed=SEEDS, smallest=st.sampled_from([1e-40, 1e-120, 1e-178]), unit=st.sampled_from([-100, 0, 100, 200]))
def test_entries_of_any_sizes_are_bounded(seed, smallest, unit):
    rng = np.random.default_rng(seed)
    units = smallest ** rng.uniform(0, 1, 3)
    S = rng.standard_normal((3, 3)) * np.outer(np.sqrt(units), np.sqrt(units))
    S = (S + S.T) / np.abs(S).max() * 10.0 ** rng.uniform(-99, 99)
    for M in (S, np.array(FAR_APART) * 2.0**unit):
        cov, truth = rs.Covariance(M), Truth(M)
        for k in (1, 2, 3):
            assert truth.is_upper(k, rs.upper_bound(cov, k, relaxation="kkt").upper)
        assert truth.is_upper(2, rs.certify(cov, [0, 1]).upper)
