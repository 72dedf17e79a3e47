"""The search over several components against every choice of supports."""

import cvxpy
import numpy as np
import pytest
from building import changed
from draws import draws
from enumeration import values_of
from interrupts import interrupt

import relaxspca as rs
from relaxspca.candidates.several import local_search
from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.candidates.several.disjoint import disjoint_set
from relaxspca.candidates.several.local_search import overlapping_set
from relaxspca.relaxations.several import dual_cover
from relaxspca.relaxations.several.formula import MultiplierMatrix, evaluated
from relaxspca.relaxations.several.minimise import bound_on_supports
from relaxspca.relaxations.several.shape import Shape, everything
from relaxspca.search.limits import SearchLimits
from relaxspca.search.several import incumbent, run, search
from relaxspca.search.several.certificate import table_certificate
from relaxspca.search.several.run import prove_table
from relaxspca.search.several.screen import branch
from tests.small_covariances import covariance, draw
from tests.small_tables import best_common, best_table

PITPROPS = rs.datasets.load_pitprops()


@pytest.mark.usefixtures("short_starts")
@pytest.mark.parametrize(
    ("shape", "best"),
    [
        (Shape((4, 4)), 5.255158),
        (Shape.disjoint((4,) * 4, 13), 8.535913),  # these do not fit: some are smaller
        *draws([], [(Shape((5, 5)), 5.710358), (Shape((5, 2)), 5.288155), (Shape((3, 3)), 4.678844)]),
    ],
    ids=repr,
)
def test_published_splits_of_pitprops_are_proved(shape, best):
    """The optima of every pair of supports, by enumeration."""
    found = prove_table(PITPROPS, shape)
    assert found.status == "optimal"
    assert found.lower == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize(
    ("modules", "shape", "least", "best"),
    [
        ((run, incumbent), Shape((4, 4)), 0, 5.255158),
        ((run, incumbent), Shape((4,), copies=2), 0, best_common(PITPROPS.matrix, 4, 2)),
        ((run,), Shape((4,) * 6), 8, 10.7471),  # a quick table is made; single variables have 6
    ],
)
def test_work_interrupted_before_there_is_a_table_has_bounds_too(monkeypatch, modules, shape, least, best):
    for module in modules:
        interrupt(monkeypatch, module, "first_set")
    found = prove_table(PITPROPS, shape)
    assert found.status == "interrupted"
    assert least < found.lower <= best <= found.upper
    assert found.node_count == 0


def test_a_search_for_a_table_that_is_interrupted_keeps_the_best_one_by_then(monkeypatch):
    climbed, values = local_search._climbed, []

    def stopped(*arguments):
        if len(values) == 10:
            raise KeyboardInterrupt
        found = climbed(*arguments)
        values.append(found[0])
        return found

    monkeypatch.setattr(local_search, "_climbed", stopped)
    # What a second finds besides is left out.
    monkeypatch.setattr(incumbent, "first_set", lambda cov, *_: CandidateSet.on(cov, [[0], [1], [2], [3]]))
    monkeypatch.setattr(run, "first_set", lambda cov, shape, _: overlapping_set(cov, shape.sizes))
    found = prove_table(PITPROPS, Shape((4,) * 4))
    assert found.status == "interrupted"
    assert found.lower == pytest.approx(max(values), rel=1e-9)
    assert found.lower > 8


@pytest.mark.parametrize("k", [1, 3])
def test_as_many_components_as_variables_explain_the_trace_without_a_search(k, monkeypatch):
    monkeypatch.setattr(incumbent, "overlapping_set", None)
    S = draw("wishart", np.random.default_rng(0), 4)
    found = rs.components(rs.Covariance(S), [k] * 4, joint=True)
    assert found.status == "optimal"
    assert found.lower == pytest.approx(np.trace(S), rel=1e-9)
    assert rs.verify(found.certificate)


@pytest.mark.usefixtures("unlisted")
def test_a_root_is_worked_on_where_its_first_bounds_are_above_that_of_ky_fan(monkeypatch):
    """Six components of four variables: by (1) at most .8557 of the trace, dense ones explain .8700."""
    monkeypatch.setattr(
        "relaxspca.search.several.run.first_set", lambda cov, shape, *_: disjoint_set(cov, shape.sizes)
    )
    found = prove_table(PITPROPS, Shape((4,) * 6), limits=SearchLimits(node_limit=1))
    assert found.upper <= 0.8565 * 13


@pytest.mark.usefixtures("short_starts")
@pytest.mark.parametrize(
    ("S", "sizes"),
    [
        ([[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]], [1]),
        ([[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]], [1, 1]),
        (np.diag([1.0, -1.0, 0.0]), [1, 1, 1]),
        (np.diag([1.0, -1.0, 0.0]), [3, 3, 3]),
        ([[0, 1, 0], [1, 0, 0], [0, 0, -1]], [2, 2]),
        (np.diag([0.0, 0.0, -1.0, -1.0]), [2, 2]),
    ],
)
@pytest.mark.parametrize("disjoint", [False, True])
def test_a_best_sum_of_nothing_is_proved(S, sizes, disjoint):
    """Bounds of 0 up to rounding were "open": no width is a fraction of 0, and nothing may be divided by it."""
    S = np.array(S, dtype=float)
    best = best_table(S, tuple(sizes), is_disjoint=disjoint, starts=4)
    assert best == pytest.approx(0, abs=1e-9)
    found = rs.components(covariance(S), sizes, joint=True, disjoint=disjoint)
    assert found.status == "optimal"
    assert found.gap == 0
    assert "both bounds count as 0 beside the largest entry" in found.statement
    assert "open" not in found.statement


@pytest.mark.usefixtures("short_starts")
def test_a_root_is_closed_by_all_its_choices_of_supports():
    """One multiplier matrix leaves 1.6 % open; the optimum is that of all divisions into blocks."""
    found = prove_table(PITPROPS, Shape((4, 4, 4)))
    assert (found.status, found.node_count) == ("optimal", 1)
    assert found.lower == pytest.approx(7.250149, abs=1e-6)
    assert found.root == found.upper
    made = table_certificate(PITPROPS, found)
    assert [node.kind for node in made.tree] == ["choices"]
    assert rs.verify(made)
    assert not rs.verify(changed(made, lower=7.0, upper=found.lower * (1 - 1e-6)))


@pytest.mark.usefixtures("short_starts")
def test_work_interrupted_while_choices_are_listed_keeps_the_level_that_was_reached(monkeypatch):
    cov, found = rs.Covariance(PITPROPS.matrix[:8, :8]), []
    for stage in (1, 3):
        with monkeypatch.context() as patch:
            interrupt(patch, dual_cover.Covering, "lower_to", stage)
            found.append(prove_table(cov, Shape((3, 3, 3))))
        assert found[-1].status == "interrupted"
        assert rs.verify(table_certificate(cov, found[-1]))
    assert found[1].lower < found[1].upper < found[0].upper


def test_ctrl_c_in_the_short_search_over_disjoint_supports_ends_the_work(monkeypatch):
    interrupt(monkeypatch, search, "expand_jointly", 1)
    monkeypatch.setattr(incumbent, "overlapping_set", lambda *_, **__: None)
    found = prove_table(PITPROPS, Shape((4, 4, 4)))
    assert found.status == "interrupted"
    assert found.node_count == 0
    assert found.lower > 6


def test_a_choice_of_supports_is_bounded_to_nine_digits_where_one_variance_is_far_above_the_others():
    """Raw wine: eight rounds of quasi-Newton steps left 3e-8 open, and the search split on all variables."""
    X = pytest.importorskip("sklearn.datasets").load_wine().data
    with pytest.warns(rs.DataWarning, match="of all variance"):
        cov = rs.Covariance.from_data(X)
    supports, here = [np.array([4, 9, 12]), np.array([3, 4, 12])], [3, 4, 9, 12]
    _, upper = bound_on_supports(cov, supports, Shape((3, 3)), target=0.0)
    S, scale = cov.matrix[np.ix_(here, here)], cov.matrix.max()
    Z, tops = cvxpy.Variable((4, 4), PSD=True), cvxpy.Variable(2)
    left = [S[np.ix_(at, at)] / scale - Z[at][:, at] for at in ([1, 2, 3], [0, 1, 3])]
    conditions = [top * np.eye(3) - block >> 0 for top, block in zip(tops, left, strict=True)]
    best = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(tops) + cvxpy.trace(Z)), conditions).solve("CLARABEL") * scale
    assert abs(upper - best) < 5e-9 * best
    for shape in draws((), (Shape((3, 3)),)):
        found = prove_table(cov, shape)
        assert (found.status, found.node_count) == ("optimal", 1)


@pytest.mark.parametrize("kind", ["wishart", "correlation", "indefinite"])
def test_the_variable_whose_two_sides_lower_the_bound_most_is_split_on(kind):
    """With Z = 0 a part is bounded by its best support: with each variable and without it, by enumeration."""
    S = draw(kind, np.random.default_rng(3), 6)
    shape, cov = Shape((3, 2)), rs.Covariance(S)
    parts = everything(shape, 6)
    nothing = MultiplierMatrix(np.arange(6), cov.matrix, np.zeros(6), (None, None))
    found = evaluated(cov, nothing, shape, parts)
    chosen, merit = branch(found, parts, cap=found.upper), np.zeros((2, 6))
    for t, k in enumerate((3, 2)):
        worth = values_of(S, k)
        for i in range(6):
            sides = [max(v for T, v in worth.items() if (i in T) == is_in) for is_in in (True, False)]
            merit[t, i] = np.prod(max(worth.values()) - np.array(sides) + 1e-6 * found.upper)
    assert merit[chosen.part, chosen.variable] == pytest.approx(merit.max(), rel=1e-6)
    assert chosen.is_inside
    assert branch(None, parts, cap=1.0).variable == 0  # nothing is known: the first free one
