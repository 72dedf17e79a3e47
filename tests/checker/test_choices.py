"""Leaves that go through their tables one by one: the rule *choices* of section 13, in both arithmetics."""

import numpy as np
import pytest
from building import changed, components
from draws import draws
from exact_tables import Tables
from true_certificates import covariance, top
from true_choices import choice_bound, of_parts, one_leaf, points_for, true_choices, with_tree
from true_tables import table
from two_checkers import NODE, second

import relaxspca as rs
from relaxspca.certificate import Leaf, MultiplierPoint
from relaxspca.checker import Outcome, choices, units
from relaxspca.checker.claims import arithmetic_for
from relaxspca.checker.multipliers import SeveralEvidence
from tests.small_covariances import KINDS, draw
from tests.small_tables import best_table

TRUE = {name: made for name, (_, made) in true_choices().items()}
CLAIMS = [
    ("orthogonal", 5, (2, 2)), ("disjoint", 5, (3, 2)), ("orthogonal", 4, (3, 3)),
    ("orthogonal", 4, (2, 2, 1)), ("disjoint", 4, (3, 3)), ("disjoint", 4, (2, 1, 1)),
    ("orthogonal", 6, (2, 2)), ("orthogonal", 4, (2, 2, 2)), ("orthogonal", 3, (3, 1)),
    ("disjoint", 3, (2, 2, 2)),
]  # fmt: skip


def bound_of(made, exact):
    """Return the sharpest bound that the evidence proves: nothing is left early for a claim far below it."""
    lie = changed(made, lower=-1e3, upper=-1e2)
    verdict = rs.verify(lie, exact=exact)
    assert verdict.outcome is Outcome.REFUTED  # its table attains more
    return verdict.proved_upper


@pytest.mark.parametrize("seed", draws([0, 4, 7, 11], range(20)))
def test_what_is_proved_is_the_bound_by_hand_and_no_table_explains_more(seed):
    rng = np.random.default_rng(seed)
    kind, n, sizes = CLAIMS[seed % len(CLAIMS)]
    S = covariance(n, seed=40 + seed)
    points = points_for(S, rng, int(rng.integers(1, 6)))
    made = (
        one_leaf(S, kind, sizes, points) if seed < 10 else with_tree(S, kind, sizes, points, rng, 1 + seed % 3)
    )
    best = best_table(S, sizes, is_disjoint=kind == "disjoint", starts=4)
    low = changed(made, upper=made.upper - 1e-6, lower=made.lower - 1)
    for exact in (True, False):
        verdict = rs.verify(made, exact=exact)
        assert verdict, verdict
        assert best - 1e-9 <= verdict.proved_upper <= made.upper
        assert bound_of(made, exact) == pytest.approx(made.upper - 1e-9, abs=1e-12)
        assert not rs.verify(low, exact=exact)


@pytest.mark.parametrize("seed", range(draws(3, 6)))
def test_in_rationals_no_bound_is_below_the_truth(seed):
    """Z = Sigma - M of rank two on the best two variables is close to what is true, to the last digits."""
    S, kind = covariance(4, seed=60 + seed), ["orthogonal", "disjoint"][seed % 2]
    made = with_tree(
        S, kind, (2, 2), points_for(S, np.random.default_rng(seed), 5), np.random.default_rng(seed), 2
    )
    low, high = Tables(S).best((2, 2), is_disjoint=kind == "disjoint")
    assert high - low < 1e-20
    for exact in (True, False):
        assert bound_of(made, exact) >= low
        assert not rs.verify(changed(made, lower=-1.0, upper=float(low) - 1e-12), exact=exact)


@pytest.mark.parametrize("seed", draws((2, 4, 7, 9), range(12)))
def test_pairs_lose_what_the_formula_says_on_odd_matrices_and_never_more_than_is_true(seed):
    """Equal eigenvalues, copies of variables, low rank, negative eigenvalues: gaps of 0, vectors alike."""
    rng, kind = np.random.default_rng(seed), [*KINDS][seed % len(KINDS)]
    S = draw(kind, rng, 5) - (seed % 3) * 0.4 * np.eye(5)
    sizes = [(2, 2), (3, 2), (3, 3), (2, 2, 2)][seed % 4]
    if len(sizes) > 2:
        S = S[:4, :4]
    made = one_leaf(S, "orthogonal", sizes, [MultiplierPoint(range(len(S)), S, np.zeros(len(S)), (None,) * 9)])
    best, size = best_table(S, sizes, starts=4), 1 + np.abs(S).max()
    for exact in (True, False):
        proved = bound_of(made, exact)
        assert proved == pytest.approx(made.upper - 1e-9, abs=1e-12 * size)
        assert proved >= best - 1e-9 * size


def test_one_pair_loses_and_what_it_loses_is_not_counted_again(tmp_path):
    """Neither the orthogonality_cut of all pairs together nor twice the largest are proved."""
    S = covariance(4, seed=21) @ covariance(4, seed=21)
    point = of_parts([MultiplierPoint(range(4), S, np.zeros(4), (None,))], 3)
    leaf = [[(set(), {*range(4)})] * 3]
    bounds = [
        choice_bound(S, "orthogonal", (3, 3, 3), point, leaf, loss=loss)
        for loss in (lambda found: 0.0, max, sum, lambda found: 2 * max(found))
    ]
    assert np.diff([max(bounds[2:]), *bounds[1::-1]]).min() > 0.1
    claims = [
        changed(table(S, "orthogonal", (3, 3, 3), bound, points=point, tree=[Leaf("choices", [0])]), lower=0.0)
        for bound in (bounds[0], bounds[1], bounds[1] - 1e-8, max(bounds[2:]))
    ]
    expected = ["VERIFIED", "VERIFIED", "INCONCLUSIVE", "INCONCLUSIVE"]
    for exact in (True, False):
        assert [rs.verify(made, exact=exact).outcome.name for made in claims] == expected
    if NODE is not None:
        assert second(claims, tmp_path) == expected


@pytest.mark.parametrize(
    ("gap", "turn", "length"),
    [
        (1, 0.3, 1),
        (1, 3e-3, 1),
        (0.5, 0, 1),
        (3, 0, 1),
        (np.nan, 0, 1),
        (np.inf, 0, 1),
        (1e200, 0, 1),
        (-1, 0, 1),
        (1, 0, 1.1),
        (1, 0, 0.9),
    ],
)
def test_of_eigenvectors_nothing_is_believed(gap, turn, length, monkeypatch):
    """Vectors turned or too long, gaps too large or too small: less is lost, not more."""
    eigh, made = np.linalg.eigh, TRUE["orthogonal choices 3,3 loss"]
    expected = bound_of(made, True)

    def wrong(M):
        values, vectors = eigh(M)
        return values * gap, length * (vectors * np.cos(turn) + vectors[..., ::-1] * np.sin(turn))

    monkeypatch.setattr(units.np.linalg, "eigh", wrong)
    assert all(bound_of(made, exact) > expected + 1e-6 for exact in (True, False))


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("largest", [True, False])
def test_of_one_eigenvector_of_two_nothing_is_believed(largest, exact, monkeypatch):
    """A gap too large is found out on either side of a pair: with two the one cannot stand for the other."""
    S = covariance(4, seed=30)
    masks, wrong = np.array([7, 14]), S[1:, 1:] if largest else S[:3, :3]
    made, eigh = one_leaf(S, "orthogonal", (3, 3), points_for(S, np.random.default_rng(1), 1)), np.linalg.eigh
    made = changed(made, points=of_parts([MultiplierPoint(range(4), S, np.zeros(4), (None,))], 2))

    def losses():
        evidence = SeveralEvidence(made, arithmetic_for(made, exact))
        return units.Point(evidence, 0, [*range(4)], masks, 0.0).losses.of(np.array([0, 1]), np.array([1, 0]))

    expected = losses()
    monkeypatch.setattr(
        units.np.linalg,
        "eigh",
        lambda M: (eigh(M)[0] * np.where((wrong == M).all(axis=(1, 2)), 1.5, 1.0)[:, None], eigh(M)[1]),
    )
    assert expected.min() > 0
    assert (losses() < expected).all()


SOME = {name: made for name, made in TRUE.items() if "tree" not in name or "3,3" in name}


@pytest.fixture(scope="module")
def expected():
    return {name: bound_of(made, False) for name, made in SOME.items()}


@pytest.mark.parametrize("limits", [{"BLOCK": 7}, {"HEADS": 0}, *draws([], [{"BLOCK": 1}, {"HEADS": 1}])])
def test_the_way_through_the_choices_does_not_change_what_is_proved(limits, expected, monkeypatch):
    monkeypatch.setattr(units, "CHUNK", 2)
    for name, value in limits.items():
        monkeypatch.setattr(choices, name, value)
    for name, made in SOME.items():
        assert bound_of(made, False) == expected[name]
        assert rs.verify(made, exact=False)


@pytest.mark.parametrize(
    ("limit", "count", "said"),
    [
        ("MOST_VARIABLES", 4, "more than 3 variables"),
        ("MOST_SUPPORTS", 4 + 6, "more than 9 sets of variables"),
        # One set: 10. Two, in one order: 6 pairs twice; 6 of variables, 12 of one and a pair, 3 of pairs apart.
        ("MOST_BEGINNINGS", 10 + 6 + 6 + 12 + 3, "more than 36 choices of sets"),
        ("MOST_TRIED", 10 + 10 * 11 // 2, "more than 64 sets of variables"),
    ],
)
def test_more_than_a_reader_looks_at_is_left_open(limit, count, said, monkeypatch):
    made = TRUE["orthogonal choices 2,2"]
    monkeypatch.setattr(choices, "HEADS", 0)
    monkeypatch.setattr(choices, limit, count - 1)
    verdict = rs.verify(made)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert said in verdict.reasons[0]
    assert verdict.proved_upper == np.inf
    monkeypatch.setattr(choices, limit, count)
    assert rs.verify(made)


def test_variables_that_no_splits_leave_are_not_counted():
    """70 variables are too many, and so are the sets of 20 of 62."""
    S = np.diag(np.arange(70.0, 0.0, -1.0))
    point = MultiplierPoint(range(70), S, np.zeros(70), (None, None))
    for n, sizes, said in ((70, (1, 1), "more than 62 variables"), (62, (20, 1), "sets of variables")):
        own = changed(point, variables=range(n), M=S[:n, :n], y=np.zeros(n))
        X = np.eye(n)[:, :2]
        made = components(
            names=[f"x{i}" for i in range(n)], matrix=S[:n, :n], supports="orthogonal", sizes=sizes, lower=0.0,
            upper=139.5, indices=([0], [1]), loadings=X, points=[own], tree=[Leaf("choices", [0])],
        )  # fmt: skip
        assert said in rs.verify(made).reasons[0]
    assert rs.verify(changed(made, sizes=(1, 1))).proved_upper == pytest.approx(139, abs=1e-9)


def test_each_point_is_needed_where_it_alone_is_enough(monkeypatch):
    """Each of two points bounds other tables well: together they prove what none proves alone."""
    monkeypatch.setattr(choices, "HEADS", 0)
    S = covariance(4, seed=7)
    points = of_parts(points_for(S, np.random.default_rng(0), 3)[1:], 2)
    leaf = [[(set(), {*range(4)})] * 2]
    both = choice_bound(S, "orthogonal", (2, 2), points, leaf)
    alone = [choice_bound(S, "orthogonal", (2, 2), [point], leaf) for point in points]
    made = table(S, "orthogonal", (2, 2), both, points=points, tree=[Leaf("choices", [0, 1])])
    assert rs.verify(made)
    assert both < min(alone) - 0.01
    for at, bound in enumerate(alone):
        less = changed(made, tree=[Leaf("choices", [at])])
        assert rs.verify(less).outcome is Outcome.INCONCLUSIVE
        assert bound_of(less, True) == pytest.approx(bound, abs=1e-12)


@pytest.mark.parametrize("power", [-900, -300, 300, 900])
def test_every_scale_is_proved_alike(power):
    S, by = covariance(4, seed=70), 2.0**power
    listed = one_leaf(S, "orthogonal", (2, 2), points_for(S, np.random.default_rng(0), 3))
    for made in (listed, TRUE["orthogonal choices 3,3 loss"]):
        scaled = [changed(point, M=point.M * by) for point in made.points]
        big = changed(
            made, matrix=made.matrix * by, points=scaled, upper=made.upper * by, lower=made.lower * by
        )
        for exact in (True, False):
            assert rs.verify(big, exact=exact)
            assert not rs.verify(changed(big, upper=(made.upper - 1e-8) * by, lower=-by), exact=exact)


@pytest.mark.parametrize("entry", [0.0, 5e-324, 1e-300, 1e300, 1e307])
def test_matrices_of_equal_entries_near_the_ends_of_the_doubles(entry):
    """Two disjoint pairs explain four times the entry; two sets of three six times, less a loss."""
    S = np.full((4, 4), entry)
    made = one_leaf(
        np.ones((4, 4)), "orthogonal", (3, 3), [MultiplierPoint(range(4), np.ones((4, 4)), np.zeros(4), ())]
    )
    points = [changed(point, M=S) for point in made.points]
    for exact in (True, False):
        big = changed(made, matrix=S, points=points, lower=-1e308, upper=-1e308)
        proved = rs.verify(big, exact=exact).proved_upper
        assert 4 * entry <= proved <= (5.2428 if entry > 1e-310 else 6) * entry + 1e-305


def test_points_too_large_for_sums_prove_nothing():
    S = covariance(4, seed=71)
    huge = MultiplierPoint(range(4), np.full((4, 4), 1e308), np.zeros(4), (None, None))
    made = one_leaf(S, "orthogonal", (2, 2), points_for(S, np.random.default_rng(0), 2))
    for points in ([huge, *made.points], [*made.points, huge]):
        more = changed(made, points=points, tree=[Leaf("choices", [0, 1, 2])])
        for exact in (True, False):
            assert rs.verify(more, exact=exact)
    for exact in (True, False):
        alone = rs.verify(changed(made, points=[huge], tree=[Leaf("choices", [0])]), exact=exact)
        assert alone.outcome is Outcome.INCONCLUSIVE


def test_a_matrix_given_by_a_factor():
    A = np.linalg.cholesky(covariance(4, seed=72)).T
    made = one_leaf(A.T @ A, "disjoint", (2, 1), points_for(A.T @ A, np.random.default_rng(1), 3))
    for exact in (True, False):
        assert rs.verify(changed(made, matrix=None, factor=A), exact=exact)


def test_rationals_are_used_where_that_is_quick():
    assert rs.verify(TRUE["orthogonal choices 2,2"]).arithmetic == "exact"
    S = covariance(13, seed=1)
    points = [MultiplierPoint(range(13), S, np.zeros(13), (None, None))] * 4
    many = table(S, "orthogonal", (4, 4), 2 * top(S), points=points, tree=[Leaf("choices", range(4))])
    assert arithmetic_for(many, None).name == "rounded outward"
