"""Every near-optimal support: against enumeration, ties, what all of them have, costs, early stops."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from enumeration import values_of
from small_covariances import draw

import relaxspca as rs
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.limits import SearchLimits
from relaxspca.search.listing import list_supports
from relaxspca.tasks import near_optimal

PITPROPS = rs.datasets.load_pitprops()


@pytest.mark.parametrize(
    ("k", "within"), [*itertools.product([2, 5, 8, 10, 12], [0.002, 0.01, 0.05])][:: draws(2, 1)]
)
def test_pitprops_equals_enumeration(k, within):
    values = values_of(PITPROPS.matrix, k)
    best = max(values.values())
    found = rs.near_optimal(PITPROPS, k, within=within)
    assert set(found.indices) == {T for T, value in values.items() if value > best * (1 - within)}
    assert found.is_complete
    assert found.upper <= best * (1 - within) * (1 + 1e-12)
    in_all = set.intersection(*map(set, found.indices))
    assert {PITPROPS.names.index(name) for name in found.core} == in_all
    in_some = set.union(*map(set, found.indices)) - in_all
    assert {PITPROPS.names.index(name) for name in found.optional} == in_some
    assert rs.verify(found.certificate)


def test_the_only_optimum_is_said_to_be_that():
    found = rs.near_optimal(PITPROPS, 5, within=0.01)
    assert found.is_unique
    assert len(found.supports) == 1
    assert found.radius == pytest.approx((found.lower - found.upper) / 2)
    assert "the only optimum" in repr(found)
    assert "stability, where ties are allowed, may find more" in repr(found)
    said = str(rs.verify(found.certificate))
    assert "no set of 5 variables but the one listed explains more than" in said
    assert "uniqueness is not part" not in said


def test_a_limit_stops_and_says_how_far_the_list_is_complete():
    values = values_of(PITPROPS.matrix, 8)
    best = max(values.values())
    whole = rs.near_optimal(PITPROPS, 8, within=0.1)
    stopped = rs.near_optimal(PITPROPS, 8, within=0.1, limit=5)
    assert not stopped.is_complete
    assert stopped.status == "limit of the list"
    assert len(stopped.supports) >= 5
    assert set(stopped.indices) < set(whole.indices)
    if stopped.complete_within is not None:
        assert stopped.complete_within < 0.1
        near = {T for T, value in values.items() if value > best * (1 - stopped.complete_within)}
        assert near <= set(stopped.indices)
    assert "stopped by the limit of the list" in repr(stopped)
    assert "13 variables); interrupted." in repr(replace(stopped, status=Status.INTERRUPTED))
    assert rs.verify(stopped.certificate)


def assert_costs_hold(found, cov, k):
    """What it costs to use a variable that the best lacks, or to lack one of its own, by enumeration."""
    values = values_of(cov.matrix, k)
    best = max(values, key=values.get)
    assert found.indices[0] == best
    assert set(found.costs) == set(cov.names)
    for i, name in enumerate(cov.names):
        opposite = max(value for T, value in values.items() if (i in T) != (i in best))
        low, high = found.costs[name]
        assert low - 1e-12 <= values[best] - opposite <= high + 1e-12
        assert name in found.open_costs or high - low <= 1e-7 * found.lower


def test_conditions_are_respected_and_said():
    found = rs.near_optimal(PITPROPS, 6, within=0.05, include=["knots"], exclude=["topdiam"], costs=True)
    values = values_of(PITPROPS.matrix, 6, include=[11], exclude=[0])
    best = max(values.values())
    assert set(found.indices) == {T for T, v in values.items() if v > 0.95 * best}
    assert not {"knots", "topdiam"} & set(found.costs)
    assert "subject to knots included, topdiam excluded" in repr(found)


@pytest.mark.parametrize(("status", "searches"), [("optimal", 3), ("interrupted", 1)])
def test_costs_end_with_the_time_and_with_an_interruption(monkeypatch, ten_seconds_each, status, searches):
    """Every search takes ten of 25 seconds; an interrupted one is the last. What was not searched is open."""
    cov = rs.Covariance(draw("wishart", np.random.default_rng(9), 9))
    said = Status(status)
    monkeypatch.setattr(near_optimal, "solve", lambda *a, **o: replace(rs.solve(*a, **o), status=said))
    limits = ten_seconds_each(near_optimal, "solve")
    found = rs.near_optimal(cov, 4, within=0.0, costs=True, time_limit=25.0)
    assert limits == [25 / 9, 15 / 8, 5 / 7][:searches]
    assert found.open_costs == cov.names[3 if status == "optimal" else 0 :]
    assert "are known only between bounds: a search was stopped" in repr(found)
    assert_costs_hold(found, cov, 4)
    assert all(high < found.lower for _, high in found.costs.values())


def test_a_start_of_fewer_variables_is_filled_up_wherever_the_search_ends():
    cov = rs.Covariance(np.diag([2.0, 1.0, 1.5, 0.5]))
    start = rs.Candidate.from_support(cov, [0])
    late = list_supports(cov, 2, start, within=0.01, limits=SearchLimits(Deadline.after(0)))
    assert (late.indices, late.lower) == (((0, 2),), pytest.approx(2.0))
    assert rs.verify(late.certificate)
    found = rs.solve(cov, 2, start=start, node_limit=0)
    assert rs.stability(found, time_limit=0).k == 2


def test_a_loss_that_is_not_closed_is_bounded_by_the_list(monkeypatch, cov):
    """No support without a core variable is listed, so all of them are below what the list is complete to."""
    monkeypatch.setattr(near_optimal, "solve", lambda *a, **o: rs.solve(*a, **o | {"node_limit": 0}))
    found = rs.near_optimal(cov, 10, within=0.02, costs=True)
    exact = {name: found.lower - rs.solve(cov, 10, exclude=[name]).lower for name in found.core}
    assert set(found.core) <= set(found.open_costs)
    for name in found.core:
        low, high = found.costs[name]
        assert 0.019 * found.lower < low <= exact[name] <= high


@pytest.mark.parametrize("scale", [1e-12, 1e-60, 2.0**-900])
def test_what_is_near_is_judged_among_the_variables_that_are_not_excluded(scale):
    """A large variable that no support has changes nothing: the answer is that for the others alone."""
    B = np.random.default_rng(0).standard_normal((12, 6))
    alone = B.T @ B
    S = np.eye(8)
    S[0, 1] = S[1, 0] = 0.5
    S[2:, 2:] = alone * scale
    values = values_of(alone, 3)
    best = max(values.values())
    near = {tuple(i + 2 for i in T) for T, value in values.items() if value > 0.8 * best}
    found = rs.near_optimal(rs.Covariance(S), 3, within=0.2, exclude=[0, 1])
    assert set(found.indices) == near
    assert 1 < len(near) < len(values)
    result = rs.solve(rs.Covariance(S), 3, exclude=[0, 1])
    assert result.status == "optimal"
    assert result.gap <= 2e-9
    for certificate in (found.certificate, result.certificate):
        assert rs.verify(certificate, exact=True)
        assert rs.verify(certificate, exact=False)


@pytest.mark.parametrize("exclude", [[], [3]])
def test_supports_that_explain_nothing_are_listed_with_room_for_the_checker(exclude):
    S = np.zeros((4, 4))
    S[0, 3] = S[3, 0] = 1.0
    found = rs.near_optimal(rs.Covariance(S), 1, exclude=exclude)
    assert len(found.supports) == 4 - len(exclude)
    assert rs.verify(found.certificate, exact=False)
    assert rs.verify(rs.solve(rs.Covariance(S), 1, exclude=exclude).certificate, exact=False)
    assert "of the best, which is 0 up to rounding" in repr(found)


@pytest.mark.parametrize("entry", [0.0, 1e-200])
def test_a_support_whose_block_of_the_numerator_is_all_but_zero_has_a_bound(entry):
    found = rs.near_optimal((np.array([[entry, 1.0], [1.0, 0.0]]), np.eye(2)), 1, within=0)
    assert found.status == "complete"
    assert found.indices == ((0,), (1,))
    assert "of variance" not in found.to_text()
    assert all(low <= value <= high < 1e-9 for value, (low, high) in zip((entry, 0), found.values, strict=True))
    assert rs.verify(found.certificate)


PAIR = np.eye(4)
PAIR[0, 1] = PAIR[1, 0] = 0.5
FOUR, SECOND = np.diag([2.0, 1.0, 1.0, 0.5]), 1 - 1e-9 - 5e-15  # a little less than the fraction asked for
ALONE = {"indices": ((0,),), "costs": {}}
SAID = {  # a matrix, k and what is asked for; what the result has, and says
    "three sets tie": (
        0.5 + 0.5 * np.eye(3), 2, {"within": 0}, {"is_unique": False, "radius": 0},
        "3 sets of 2 variables come within a relative 1e-9 of the best",
    ),
    "a zero loading ties sets, not components": (
        PAIR, 3, {"within": 0}, {"indices": ((0, 1, 2), (0, 1, 3)), "components": (("x0", "x1"),)},
        "1 distinct component",
    ),
    "one set is left": (FOUR, 1, {"costs": True, "include": [0]}, ALONE, "no other"),
    "one is left without others": (FOUR, 1, {"costs": True, "exclude": [1, 2, 3]}, ALONE, "no other"),
    "a fraction beyond the doubles": (
        [[-1.6e-311, 1.9e-311], [1.9e-311, -1e20]], 1, {}, {"complete_within": float(np.finfo(float).max)}, "",
    ),
    **{
        f"more than {within} is left out": (
            np.diag([1, SECOND, 0.5]), 1, {"within": within}, {"indices": ((0,), (1,))},
            "of the best, 1 of them up to rounding",
        )
        for within in (0, 1e-9)
    },
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_what_is_said_of_a_list(name):
    S, k, told, held, words = SAID[name]
    found = rs.near_optimal(rs.Covariance(S), k, **told)
    assert {key: getattr(found, key) for key in held} == held
    assert words in found.statement
    assert rs.verify(found.certificate)


def test_the_fraction_of_a_complete_list_holds_wherever_the_best_lies():
    """Where others are negative the fraction is more than 1, and less for a larger best."""
    found = rs.near_optimal(rs.Covariance(np.diag([1.0, -2.0, -2.0])), 1)
    assert found.complete_within > 2.9
    for best in (found.lower, found.values[0][1]):
        assert (1 - Fraction(found.complete_within)) * Fraction(best) >= Fraction(found.upper)
