"""One definition of the gap, and the optima where it matters: 0, and below 0."""

import dataclasses
import math

import numpy as np
import pytest
from draws import draws, examples
from enumeration import supports
from hypothesis import given
from hypothesis import strategies as st

import relaxspca as rs
from relaxspca.problem.gap import largest_entry, largest_usable, relative_gap

pytestmark = pytest.mark.filterwarnings("ignore::relaxspca.errors.DataWarning")


def hollow(n):
    """Return the adjacency matrix of the complete graph: v_1 = 0 and v_k = k - 1."""
    return rs.Covariance(np.ones((n, n)) - np.eye(n))


def negative(n):
    """Return a negative definite matrix: v_1 is its largest diagonal entry."""
    return rs.Covariance(0.5 * np.ones((n, n)) / n - np.diag(2.0 + np.arange(n)))


def results(cov):
    yield rs.solve(cov, 1)
    yield rs.certify(cov, [0])
    yield rs.path(cov, k=[1]).rows[0]


@pytest.mark.parametrize("cov", [hollow(3), *map(hollow, draws([15], [6, 15, 70])), negative(4), negative(15)])
def test_an_optimum_of_zero_or_below_is_proved_and_said_to_be(cov):
    optimum = float(cov.diagonal.max())
    for found in results(cov):
        assert found.lower <= optimum <= found.upper <= optimum + 1e-8
        assert found.gap == pytest.approx((found.upper - found.lower) / abs(optimum) if optimum else 0)
        assert getattr(found, "status", "optimal") == "optimal"
        assert getattr(found, "certified", True)
        assert rs.verify(found.certificate, exact=False)
        assert rs.verify(found.certificate)
    assert optimum <= rs.upper_bound(cov, 1).upper <= optimum + 1e-8


def test_zero_up_to_the_rounding_of_the_entries_is_zero():
    # Eigenvalues 0 and -2/3, once irrational entries are rounded only nearly so.
    a = math.pi / 7
    found = rs.solve(rs.Covariance([[-a, a], [a, -a]]), 2)
    assert found.lower <= 0 <= found.upper
    assert (found.status, found.gap) == ("optimal", 0.0)


def test_comparison_of_zero_and_negative_values_puts_the_best_first():
    for cov in (hollow(4), negative(4)):
        found = rs.compare(cov, 1)
        values = [row.candidate.value for row in found.methods.values()]
        first = next(iter(found.methods))
        assert values == sorted(values, reverse=True)
        assert found.methods[first].gap < 1e-9
        assert found.shortfall(first) == 0


def test_a_gap_without_scale_is_infinite_only_where_something_is_open():
    cov = hollow(3)
    assert largest_entry(cov) == 1
    assert relative_gap(0.0, 1e-12, cov) == 0
    assert relative_gap(0.0, 1e-3, cov) == math.inf
    assert relative_gap(-1.0, -0.5, cov) == 0.5


def test_figures_of_an_open_gap_at_zero_and_of_negative_bounds():
    """An infinite gap is drawn all the same."""
    pytest.importorskip("matplotlib")
    from relaxspca.plotting import plot_comparison, plot_path

    first, second = rs.path(hollow(4), k=[1, 2]).rows
    wide = dataclasses.replace(first, upper=1.0)
    assert wide.gap == math.inf
    below = rs.path(negative(4), k=[1, 2])
    for rows in ((wide, second), below.rows):
        plot_path(dataclasses.replace(below, rows=rows)).canvas.draw()
    judged = rs.compare(hollow(4), 1, methods=["greedy"])
    methods = {"greedy": dataclasses.replace(judged.methods["greedy"], upper=1.0)}
    plot_comparison(dataclasses.replace(judged, methods=methods)).figure.canvas.draw()


@pytest.mark.parametrize("small", [1e-3, 1.0, 1e3])
def test_pairs_that_cannot_be_used_do_not_make_an_optimum_zero(small):
    cov = rs.Covariance([[small, 1e12], [1e12, 2 * small]])
    forms = cov.matrix, np.eye(2)
    ratios = rs.generalized(*forms, 1), rs.generalized(*forms, budgets=[([0, 1], 1)])
    assert all(found.is_optimal == (found.upper <= found.lower * (1 + 1e-6)) for found in ratios)
    for found in (*results(cov), *ratios):
        assert found.lower <= 2 * small <= found.upper
        assert found.gap >= (found.upper - found.lower) / abs(found.lower)
        assert rs.verify(found.certificate, exact=False)
    assert rs.solve(cov, 1).gap < 1e-9


def enumerated(entries, parts, include, exclude):
    """Return the largest entry of all blocks of supports, each listed."""
    n = len(entries)
    every = supports(n, range(1, n + 1), include, exclude)
    fits = [T for T in every if all(len({*T} & {*part}) <= most for part, most in parts)]
    return max((np.abs(entries[np.ix_(T, T)]).max() for T in fits), default=0.0)


@examples(150)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 6))
def test_the_scale_is_that_of_what_supports_hold(seed, n):
    rng = np.random.default_rng(seed)
    entries = rng.standard_normal((n, n)) * 10.0 ** rng.integers(-3, 4, (n, n))
    entries = entries + entries.T
    label = rng.integers(0, 2, n)
    role = rng.choice(3, n, p=[0.6, 0.2, 0.2])
    include, exclude = np.flatnonzero(role == 1).tolist(), np.flatnonzero(role == 2).tolist()
    parts = [
        (part, int(rng.integers(np.isin(part, include).sum(), len(part) + 1)))
        for part in (np.flatnonzero(label == b).tolist() for b in (0, 1))
    ]
    truth = enumerated(entries, parts, include, exclude)
    found = largest_usable(entries, parts, include, exclude)
    assert found == truth or found <= 2.0**-900 * np.abs(entries).max()
    assert found >= truth
