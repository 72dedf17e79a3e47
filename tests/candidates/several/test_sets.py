"""Tables to begin with: exactly orthogonal, on their supports, and worth what they are said to be."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from building import changed
from draws import draws

import relaxspca as rs
from relaxspca.candidates.portfolio import auto
from relaxspca.candidates.several import candidate_set, disjoint, local_search
from relaxspca.candidates.several.candidate_set import CandidateSet, exactly_orthogonal
from relaxspca.candidates.several.common import common_set, on_common
from relaxspca.candidates.several.disjoint import block_set, disjoint_set
from relaxspca.candidates.several.local_search import overlapping_set
from relaxspca.checker.components import attained_together, exact_form
from relaxspca.runtime.deadline import Deadline
from tests.small_covariances import draw
from tests.small_tables import best_common

PITPROPS = rs.datasets.load_pitprops()


def test_a_vector_that_vanishes_is_refused_and_the_one_on_the_smallest_support_stays():
    X = np.array([[1.0, 2.0], [0.0, 0.0]])
    assert exactly_orthogonal(X, [np.array([0]), np.array([0])]) is None
    X = np.array([[0.6, 0.0], [0.8, 1.0]])  # made orthogonal in the order given the second would vanish
    found = exactly_orthogonal(X, [np.array([0, 1]), np.array([1])])
    assert found.tolist() == [[0.6, 0.0], [0.0, 1.0]]


def test_rationals_that_would_be_too_long_are_not_begun(monkeypatch):
    """Nine vectors on twelve of thirteen variables would take minutes, thirteen of them weeks."""
    X = np.linalg.qr(np.random.default_rng(0).normal(size=(13, 9)))[0]
    supports = [np.delete(np.arange(13), t) for t in range(9)]
    monkeypatch.setattr(candidate_set, "MOST_WORK", 1e8)
    assert exactly_orthogonal(X[:, :4], supports[:4]) is not None
    assert exactly_orthogonal(X, supports) is None
    assert exactly_orthogonal(X, [np.arange(13)] * 9) is not None  # these stay in the span of what is given


def test_a_search_begins_in_the_span_of_the_leading_eigenvectors():
    """Of planted components, the leading ones are found at the first start."""
    n, values = 160, [4.0, 3.0, 2.0, 1.0]
    planted = np.zeros((n, 4))
    for t in range(4):
        planted[3 * t : 3 * t + 3, t] = 3**-0.5
    cov = rs.Covariance(planted * values @ planted.T)
    found = overlapping_set(cov, [3, 3], deadline=Deadline.after(0))
    assert found.lower == pytest.approx(sum(values[:2]))


def test_many_components_begin_with_blocks():
    many = [4] * 10
    found = rs.components(PITPROPS, many, joint=True, time_limit=0)
    blocks = block_set(PITPROPS, many, deadline=Deadline.after(0))
    assert found.lower >= blocks.lower > 12.6
    assert max(map(len, blocks.supports)) == 4
    assert np.abs(blocks.loadings.T @ blocks.loadings - np.eye(10)).max() < 1e-12


def test_a_rounding_error_on_a_shared_variable_takes_no_loading_away():
    """Orthogonal to a vector that has 1e-29 on variable 2, the other one would have to be 0 there."""
    supports, X = (np.array([0, 1, 2]), np.array([2, 3, 4])), np.zeros((5, 2))
    X[:, 0] = [0.6, 0.8, 1e-29, 0.0, 0.0]
    X[:, 1] = [0.0, 0.0, 0.8, 0.48, 0.36]
    cov = PITPROPS.restrict(np.arange(5))
    table = CandidateSet.of(cov, supports, np.arange(5), X, may_shrink=True)
    assert table.lower == pytest.approx(np.vdot(X, cov.matrix @ X), rel=1e-12)


@pytest.mark.parametrize("order", draws([(0, 1, 2), (2, 0, 1)], list(itertools.permutations(range(3)))))
def test_a_vector_that_meets_two_in_the_same_two_variables_is_kept_whatever_stands_first(order, short_starts):
    """The planted table explains 7.5 and three halves; in two of these orders .58 of it was lost."""
    X, (c, s) = np.zeros((6, 3)), (np.cos(1.0), np.sin(1.0))
    X[:4, 0] = 0.6 * c, 0.8 * c, 0.6 * s, 0.8 * s
    X[:4, 1] = 0.6 * s, 0.8 * s, -0.6 * c, -0.8 * c
    X[[0, 1, 4, 5], 2] = 0.8 * c, -0.6 * c, s * c, s * s
    cov = rs.Covariance(X @ np.diag([3.0, 2.5, 2.0]) @ X.T + 0.5 * np.eye(6))
    supports = [np.flatnonzero(X[:, t]) for t in order]
    table = CandidateSet.on(cov, supports, start=X[:, order], is_quick=True)
    assert table.lower == pytest.approx(9.0, rel=1e-9)
    assert all(map(np.array_equal, table.supports, supports))
    search = rs.components(cov, [4, 4, 4], joint=True, node_limit=1)
    assert search.lower == pytest.approx(9.0, rel=1e-9)
    assert rs.verify(search.certificate)
    file = changed(
        search.certificate,
        indices=tuple(table.supports[t] for t in table.order),
        loadings=table.given[:, table.order],
    )
    assert attained_together(file, exact_form(file)) >= Fraction(table.lower)


def test_vectors_change_places_with_others_of_as_many_variables_only():
    rng = np.random.default_rng(3)
    supports = [rng.choice(9, size, replace=False) for size in (4, 3, 4, 2, 3, 4)]
    for shift in (1e-29, 0.5):  # as good as orthogonal, and far from it
        X = np.zeros((9, 6))
        for t, support in enumerate(supports):
            X[support, t] = rng.normal(size=len(support)) * np.where(support == 0, shift, 1.0)
        table = CandidateSet.of(rs.Covariance(np.eye(9)), tuple(map(np.sort, supports)), np.arange(9), X)
        assert sorted(table.order) == list(range(6))
        assert [len(supports[t]) for t in table.order] == [4, 3, 4, 2, 3, 4]


@pytest.mark.parametrize(("sizes", "least"), [((5, 2), 5.288154), ((3, 3, 3), 6.639648)])
def test_what_is_left_over_and_improved_is_often_the_best(sizes, least):
    table = disjoint_set(PITPROPS, sizes)
    assert table.lower >= least
    used = np.concatenate(table.supports)
    assert len(set(used.tolist())) == len(used)


def test_no_set_of_variables_is_solved_twice(monkeypatch):
    solved = []
    monkeypatch.setattr(
        disjoint, "auto", lambda cov, k, **how: solved.append((cov.names, k)) or auto(cov, k, **how)
    )
    disjoint_set(PITPROPS, (5, 2))
    assert 0 < len(set(solved)) == len(solved)


def test_sizes_that_do_not_fit_are_made_smaller():
    table = disjoint_set(PITPROPS, (7, 4, 4))
    assert sum(len(support) for support in table.supports) == 13
    assert table.lower == pytest.approx(7.58663, abs=1e-5)
    assert disjoint_set(PITPROPS.restrict([0, 1]), (1, 1, 1)) is None


def test_four_components_of_four_variables_share_some(monkeypatch):
    """Better than the best disjoint ones, 8.535913, which a search proves."""
    monkeypatch.setattr(local_search, "STALE", 3)
    assert overlapping_set(PITPROPS, (4, 4, 4, 4)).lower >= 8.7334


def test_swaps_find_the_best_common_support():
    for k, r in [(4, 2), (5, 3)]:
        assert common_set(PITPROPS, k, r).lower == pytest.approx(best_common(PITPROPS.matrix, k, r), rel=1e-9)


@pytest.mark.parametrize("n", [13, 60])
def test_without_time_no_component_is_solved_for_the_first_set(n, monkeypatch):
    cov = PITPROPS if n == 13 else rs.Covariance(draw("wishart", np.random.default_rng(0), n))
    spent = Deadline.after(0)
    alone = [auto(cov, 4).value for _ in range(3)]
    monkeypatch.setattr(disjoint, "_solved", lambda *_: pytest.fail("a component is solved"))
    table = disjoint_set(cov, (4, 4, 4), deadline=spent)
    used = np.concatenate(table.supports)
    assert len(np.unique(used)) == len(used) == 12
    assert 0 < table.lower <= sum(alone) * (1 + 1e-12)


def test_without_time_a_common_support_is_the_better_of_the_two_that_exchanges_begin_with():
    cov, spent = rs.Covariance(draw("wishart", np.random.default_rng(4), 12)), Deadline.after(0)
    vectors = np.linalg.eigh(cov.matrix)
    parts = (vectors[1][:, -2:] ** 2) @ vectors[0][-2:]
    begins = [np.sort(np.argsort(-weight, kind="stable")[:4]) for weight in (parts, cov.diagonal)]
    best = max(float(np.linalg.eigvalsh(cov.submatrix(T))[-2:].sum()) for T in begins)
    found = common_set(cov, 4, 2, deadline=spent)
    assert found.lower == pytest.approx(best, rel=1e-12)
    assert found.lower < common_set(cov, 4, 2).lower


@pytest.mark.parametrize("kind", ["wishart", "correlation", "integer", "huge", "tiny"])
def test_loadings_of_few_digits_lose_nothing_of_what_a_common_support_explains(kind):
    S = draw(kind, np.random.default_rng(5), 9)
    for r in (1, 3, 7):
        table = on_common(rs.Covariance(S), np.arange(9), r)
        assert table.lower == pytest.approx(float(np.linalg.eigvalsh(S)[-r:].sum()), rel=1e-12)
        digits = np.ldexp(table.given, 40)
        assert np.array_equal(digits, np.rint(digits))
