"""Tables of many variables: what rows leave, against the search of all variables."""

from itertools import product

import numpy as np
import pytest
from draws import draws

import relaxspca as rs
from relaxspca.certificate import Restrict
from relaxspca.search import branch_and_bound, heavy_rows
from relaxspca.search.several import large
from relaxspca.tasks import joint

pytestmark = pytest.mark.usefixtures("short_starts")


def correlations(seed, n=14, falling=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, n))
    X[:, :3] += 2 * rng.normal(size=(30, 1))
    X[:, 3:6] += 2 * rng.normal(size=(30, 1))
    return rs.Covariance.from_data(X * np.exp(-falling * np.arange(n)), correlation=not falling)


@pytest.fixture
def few_are_many(monkeypatch):
    """Let rows restrict tables of a dozen variables."""
    for module in (joint, branch_and_bound):
        monkeypatch.setattr(module, "FEW", 5)
    monkeypatch.setattr(heavy_rows, "FEW", 4)
    monkeypatch.setattr(heavy_rows, "WORTH", 0.95)


def is_restricted(certificate):
    return any(isinstance(node, Restrict) for node in certificate.tree)


LEFT_BY_ROWS = [
    *product([False], [False, True], ([3, 3], [3, 2])),
    *product([True], [False, True], ([2, 2], [3, 2], [2, 2, 2])),
]
SEVERAL = [*product([[2, 2, 2], [3, 2, 2], [3, 3, 1], [2, 2, 2, 2]], [False, True])]


@pytest.mark.parametrize(("is_falling", "disjoint", "sizes"), draws(LEFT_BY_ROWS[:5:2], LEFT_BY_ROWS))
@pytest.mark.parametrize("seed", range(draws(1, 8)))
def test_no_better_table_is_lost(seed, is_falling, sizes, disjoint, few_are_many, monkeypatch):
    """By rows alone, or under multipliers of the largest variances: as good as a search of all variables."""
    most, drawn = ((7, 14), {"n": 20, "falling": 0.3}) if is_falling else ((12,), {})
    monkeypatch.setattr(large, "MOST", most)
    cov = correlations(seed, **drawn)
    with pytest.MonkeyPatch.context() as whole_search:
        whole_search.setattr(joint, "FEW", 100)
        whole = rs.components(cov, sizes, joint=True, disjoint=disjoint)
    found = rs.components(cov, sizes, joint=True, disjoint=disjoint)
    restricted = [node for node in found.certificate.tree if isinstance(node, Restrict)]
    assert any((node.multipliers is not None) == is_falling for node in restricted)
    assert whole.lower * (1 - 1e-9) <= found.upper
    assert found.lower <= whole.upper * (1 + 1e-9)
    if not is_falling:
        assert found.status == whole.status == "optimal"
        assert found.lower == pytest.approx(whole.lower, rel=1e-9)
    assert rs.verify(found.certificate)


@pytest.mark.parametrize(("sizes", "disjoint"), draws(SEVERAL[:4:3], SEVERAL))
@pytest.mark.parametrize("seed", range(draws(1, 6)))
def test_the_others_are_bounded_together(seed, sizes, disjoint, few_are_many, monkeypatch):
    """Sets, and those of fewer components, are as good as in a search of all variables."""
    monkeypatch.setattr(large, "MOST", (5, 14))
    cov = correlations(seed, n=20)
    found = rs.components(cov, sizes, joint=True, disjoint=disjoint)
    fewer = {one.sizes: one.upper for one in found.certificate.evidence.fewer}
    assert {len(some) for some in fewer} == {len(sizes) - 1}
    monkeypatch.setattr(joint, "FEW", 100)
    for some, upper in (fewer | {tuple(sizes): found.upper}).items():
        whole = rs.components(cov, some, joint=True, disjoint=disjoint)
        assert whole.lower * (1 - 1e-9) <= upper <= whole.upper * 1.2
    assert rs.verify(found.certificate)


@pytest.mark.parametrize("limits", [{"node_limit": 1}, {"time_limit": 0.0}])
@pytest.mark.parametrize("spread", draws([0.5], [0.0, 0.5]))
def test_a_table_that_is_not_proved_has_a_bound_and_a_certificate(spread, limits, few_are_many, monkeypatch):
    """After a node the bound is at most the sum of those of single components."""
    X = np.random.default_rng(1).normal(size=(40, 20))
    X[:, :5] += 2 * X[:, :1]
    cov = rs.Covariance.from_data(X * np.exp(spread * np.cos(np.arange(20))))
    monkeypatch.setattr(large, "MOST", (8, 12))
    found = rs.components(cov, [3, 2], joint=True, **limits)
    assert is_restricted(found.certificate)
    assert found.lower <= found.upper
    if "node_limit" in limits:
        assert found.upper <= sum(rs.solve(cov, k).upper for k in (3, 2)) * (1 + 1e-9)
    assert rs.verify(found.certificate)


@pytest.mark.parametrize("most", draws([(8,)], [(8,), (12,), (20,)]))
def test_a_restriction_of_what_another_leaves_has_weights_for_the_table_too(most, few_are_many, monkeypatch):
    """Two cliques are the best table, at the level of the rows; heavy stars make rows pass twice."""
    monkeypatch.setattr(large, "MOST", most)
    S = np.eye(44)
    S[:3, :3] = S[3:6, 3:6] = 0.5
    for centre in (26, 30, 34):
        S[centre, centre + 1 : centre + 4] = S[centre + 1 : centre + 4, centre] = -0.65
    S[38:, 38:] = -0.6
    np.fill_diagonal(S, 1.0)
    with pytest.warns(rs.DataWarning, match="not positive semidefinite"):
        found = rs.components(rs.Covariance(S), [3, 3], joint=True)
    assert found.lower == pytest.approx(4.0)
    assert rs.verify(found.certificate)


def test_rows_that_leave_few_for_one_size_and_many_for_another_come_to_an_end(few_are_many, monkeypatch):
    monkeypatch.setattr(large, "MOST", (12,))
    assert rs.verify(rs.components(correlations(0, n=40, falling=1 / 8), [3, 2], joint=True).certificate)


@pytest.mark.parametrize("disjoint", [False, True])
@pytest.mark.parametrize("sizes", draws([[8, 2], [2, 2, 1]], [[3, 1], [8, 2], [2, 2, 1]]))
def test_components_that_explain_nothing_or_use_all_variables_are_no_error(sizes, disjoint, few_are_many):
    A = np.zeros((1, 10))
    A[0, :3] = 3.0, 2.0, 1.0
    found = rs.components(rs.Covariance.from_factor(A), sizes, joint=True, disjoint=disjoint)
    assert found.lower == pytest.approx(14.0)  # the trace
    spread = rs.components(rs.Covariance(np.diag(np.arange(1.0, 11.0))), sizes, joint=True, disjoint=disjoint)
    assert spread.lower == pytest.approx(sum(range(11 - len(sizes), 11)))
    assert rs.verify(found.certificate)
    assert rs.verify(spread.certificate)


@pytest.mark.parametrize("seed", draws([2], [0, 2]))
def test_variables_that_cost_most_beside_multipliers_are_kept_too(seed, few_are_many, monkeypatch):
    """The 7 of largest variance are too few: the search ended with 0.2 to 6 % open."""
    monkeypatch.setattr(large, "MOST", (7, 12))
    found = rs.components(correlations(seed, n=20, falling=0.3), [2, 2], joint=True)
    assert found.status == "optimal"
    assert rs.verify(found.certificate)


def test_somebody_elses_table_of_many_variables_is_judged_together(few_are_many, monkeypatch):
    monkeypatch.setattr(large, "MOST", (12,))
    cov = correlations(1)
    best = rs.components(cov, [3, 3], joint=True)
    judged = rs.certify(
        cov, {"a": dict.fromkeys(["x0", "x1", "x2"], 1.0), "b": {"x7": 1.0, "x8": 0.5, "x9": 2.0}}
    )
    assert is_restricted(judged.joint.certificate)
    assert judged.attained < best.lower <= judged.upper
    assert judged.upper == pytest.approx(best.upper, rel=1e-5)


def test_ctrl_c_leaves_a_table_with_a_bound(few_are_many, monkeypatch):
    def interrupted(*args, **options):
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(large, "prove_table", interrupted)
    found = rs.components(correlations(0, n=310), [3, 3], joint=True)
    assert found.status == "interrupted"
    assert found.lower <= found.upper < np.inf
    assert rs.verify(found.certificate)
