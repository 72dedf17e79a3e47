"""Choices of supports that dual points leave, beside plain loops over sets; points that bound each of them."""

from functools import partial

import numpy as np
import pytest
from draws import draws
from true_certificates import covariance
from true_choices import choice_bound, choices
from true_tables import table

import relaxspca as rs
from relaxspca.certificate import Leaf, MultiplierPoint
from relaxspca.checker import choices as checking
from relaxspca.relaxations.several import dual_cover as covering
from relaxspca.relaxations.several import enumeration as making
from relaxspca.relaxations.several.dual_cover import Covering, HingeFit
from relaxspca.relaxations.several.enumeration import TooMany, choices_above
from relaxspca.relaxations.several.formula import MultiplierMatrix, upper_bound
from relaxspca.relaxations.several.minimise import bound_on_supports
from relaxspca.relaxations.several.shape import Shape, everything
from relaxspca.relaxations.several.support_values import Choices, count_sets, valued
from tests.small_tables import best_table


def point_of(S, rng):
    L = rng.normal(size=(len(S), 2)) * 0.4 * np.sqrt(np.diag(S))[:, None]
    rest = S - L @ L.T
    return MultiplierMatrix(np.arange(len(S)), (rest + rest.T) / 2, np.zeros(len(S)), ())


def bounds(made, points, sets):
    """Return the least bound of the points on choices."""
    union = np.bitwise_or.reduce(made.masks[sets], axis=1)
    return np.min([point.of(sets, union) for point in points], axis=0)


def alike(sizes, masks):
    """Return sets of parts, those of equal parts in order."""
    return tuple(sorted(zip(sizes, masks, strict=True)))


def as_set(sets):
    return {tuple(row) for row in sets.tolist()}


@pytest.mark.parametrize("seed", range(draws(12, 40)))
def test_what_is_listed_is_above_the_level_and_is_all_of_that(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    n, sizes = [(5, (2, 2)), (5, (3, 2)), (4, (3, 3)), (4, (2, 2, 2)), (5, (3, 2, 2))][seed % 5]
    S, shape = covariance(n, seed=seed), Shape(sizes, is_disjoint=seed % 4 == 3)
    parts = everything(shape, n)
    made = Choices(shape, parts)
    assert [len(own) for own in made.of_part] == [count_sets(part) for part in made.parts]
    points = [valued(rs.Covariance(S), point_of(S, rng), made) for _ in range(3)]
    every = choices_above(made, points, -np.inf)
    plain = choices(
        "disjoint" if shape.is_disjoint else "orthogonal", sizes, [(set(), {*range(n)})] * len(sizes)
    )
    wanted = {alike(sizes, [sum(1 << i for i in T) for T in some]) for some in plain}
    found = [alike([part.size for part in made.parts], row) for row in made.masks[every].tolist()]
    assert {*found} == wanted
    assert len(found) == len(wanted)  # each of them once
    least = bounds(made, points, every)
    level = float(np.median(least)) + 1e-6
    assert as_set(choices_above(made, points, level)) == as_set(every[least > level])
    assert len(choices_above(made, points, least.max() + 10)) == 0  # no set of any part is left
    monkeypatch.setattr(making, "PORTION", 1 << 21)
    assert as_set(choices_above(made, points, -np.inf)) == as_set(every)
    with pytest.raises(TooMany) as stopped:
        choices_above(made, points, -np.inf, most=len(every) - 1)
    assert as_set(stopped.value.some) < as_set(every)
    assert 0 <= stopped.value.share < 1


@pytest.mark.parametrize("seed", range(draws(8, 24)))
def test_a_cover_bounds_the_best_table_and_each_choice(seed):
    n, sizes = [(5, (2, 2)), (6, (2, 2)), (4, (3, 3)), (4, (2, 2, 2)), (5, (3, 2)), (3, (2, 2, 2))][seed % 6]
    S = covariance(n, seed=100 + seed)
    shape = Shape.disjoint(sizes, n) if seed % 4 == 3 else Shape(sizes)
    _, best, made = covers(S, shape)
    kind = "disjoint" if shape.is_disjoint else "orthogonal"
    sides = [(set(), set(range(n)))] * len(sizes)
    before = np.inf
    for found, bound in made:
        points = [Given(point.variables, point.rest) for point in found]
        assert choice_bound(S, kind, sizes, points, [sides]) <= bound + 1e-9
        assert best - 1e-9 <= bound <= before
        before = bound
    assert bound <= best + 2e-2 * abs(best)


def covers(S, shape, settle=lambda *given, **more: bound_on_supports(*given, **more)[0]):
    """Return what one point bounds, the best table, and covers between them, given how a choice is settled."""
    cov, parts = rs.Covariance(S), everything(shape, len(S))
    first = MultiplierMatrix(np.arange(len(S)), S, np.zeros(len(S)), (None,) * shape.count)
    bound, best = (
        upper_bound(cov, first, shape, parts),
        best_table(S, shape.sizes, is_disjoint=shape.is_disjoint),
    )
    target = best + 1e-6 * abs(best)
    at = partial(settle, cov, shape=shape, target=target)
    made = Covering(cov, Choices(shape, parts), first, bound, target=lambda: target, settle=at)
    return bound, best, made.covers()


@pytest.mark.parametrize("entry", [1e308, np.inf, np.nan])
def test_a_point_beyond_the_floats_settles_nothing(entry):
    S, shape = covariance(4, seed=1), Shape((2, 2))
    made = Choices(shape, everything(shape, 4))
    rest = np.full((4, 4), entry) * np.sign(S)
    cov = rs.Covariance(S)
    point = valued(cov, MultiplierMatrix(np.arange(4), rest, np.zeros(4), ()), made)
    every = choices_above(made, [valued(cov, point_of(S, np.random.default_rng(0)), made)], -np.inf)
    sets = choices_above(made, [point], 1e300)
    assert as_set(np.sort(sets)) == as_set(np.sort(every))  # equal parts, in another order
    assert (bounds(made, [point], sets) == np.inf).all()


@pytest.mark.parametrize("seed", range(draws(3, 12)))
def test_a_checker_looks_at_no_more_than_was_counted(seed, monkeypatch):
    """A proof that takes a reader longer than it allows is none, however few choices are left in the end."""
    rng = np.random.default_rng(seed)
    cases = ("orthogonal", 6, (3, 3)), ("disjoint", 7, (2, 2, 2)), ("orthogonal", 5, (2, 2, 2))
    kind, n, sizes = cases[seed % 3]
    S, shape = covariance(n, seed=seed), Shape(sizes, is_disjoint=kind == "disjoint")
    made = Choices(shape, everything(shape, n))
    points = [point_of(S, rng) for _ in range(2)]
    values = [valued(rs.Covariance(S), point, made) for point in points]
    every = choices_above(made, values, -np.inf)
    level = float(np.quantile(bounds(made, values, every), 0.8)) + 1e-6
    given = [MultiplierPoint(range(n), point.rest, np.zeros(n), (None,) * len(sizes)) for point in points]
    certificate = table(S, kind, sizes, level, lower=0.0, points=given, tree=[Leaf("choices", [0, 1])])

    def is_enough(most, tried):
        with monkeypatch.context() as patch:
            patch.setattr(making, "TRIED", tried / most)
            try:
                return choices_above(made, values, level, most=most) is not None
            except TooMany:
                return False

    begun, tried = least(lambda most: is_enough(most, 1e9)), least(lambda tried: is_enough(10**9, tried))
    for counted, theirs, said in (
        (begun, "MOST_BEGINNINGS", "choices of sets for the first components"),
        (tried, "MOST_TRIED", "sets of variables to try"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(checking, theirs, counted)
            assert all(said not in reason for reason in rs.verify(certificate).reasons)
            patch.setattr(checking, theirs, 0)
            assert any(said in reason for reason in rs.verify(certificate).reasons)


def least(is_enough):
    """Return the least whole number above 0 that is enough."""
    low, high = 1, 1 << 20
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return low


def test_where_a_level_is_out_of_reach_those_between_are_tried(monkeypatch):
    """Choices below a level are too many here: the cover ends less than two of the least steps above it."""
    bound, best, made = covers(covariance(6, seed=3), Shape((2, 2)))
    lowest = best + 0.3 * (bound - best)

    def limited(choices, points, level, **options):
        if level < lowest:
            raise TooMany(choices_above(choices, points, lowest)[:0], 0.0)
        return choices_above(choices, points, level, **options)

    monkeypatch.setattr(covering, "choices_above", limited)
    bounds = [bound for _, bound in made]
    assert bounds == sorted(bounds, reverse=True)
    assert lowest <= bounds[-1] <= lowest + covering.STEP / 8 * (bound - best)


def test_a_choice_that_no_point_reaches_holds_the_level_no_higher_than_what_is_known_of_it(monkeypatch):
    """It is the one that a point was fitted to at last, not another one; the better of two points counts."""
    S = covariance(6, seed=3)
    useless = MultiplierMatrix(np.arange(6), S - 9 * np.eye(6), np.zeros(6), ())
    bound, best, made = covers(S, Shape((2, 2)), lambda *_, **more: useless)
    minimised, near = HingeFit.minimised, best + 0.01 * (bound - best)
    monkeypatch.setattr(HingeFit, "minimised", lambda fit, L, _, **more: minimised(fit, L, near, **more))
    assert best < [*made][-1][1] <= best + 0.05 * (bound - best)


def test_a_fit_has_a_slope_where_the_largest_eigenvalues_are_equal():
    shape, rng = Shape((3, 2)), np.random.default_rng(0)
    made = Choices(shape, everything(shape, 5))
    fit = HingeFit(np.eye(5), made, np.stack([own[:15] for own in made.of_part], axis=1))
    step = 1e-5 * rng.normal(size=(5, 5))
    slope = fit(np.eye(5) / 2, 2.0, 0.1)[1]
    above, below = (fit(np.eye(5) / 2 + way, 2.0, 0.1)[0] for way in (step, -step))
    assert above - below == pytest.approx(2 * np.vdot(slope, step), rel=1e-6)


class Given:
    def __init__(self, variables, M):
        self.variables, self.M = variables, M
