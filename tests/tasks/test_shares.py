"""How many variables keep a share: against enumeration, with proof; and what observations held out say."""

import warnings

import numpy as np
import pytest
from building import changed
from enumeration import values_of

import relaxspca as rs
from relaxspca.candidates import greedy
from relaxspca.tasks import path as path_module

PITPROPS = rs.datasets.load_pitprops()


def test_the_answer_is_printed_and_recorded():
    found = rs.path(PITPROPS, share_of_dense=0.9)
    assert "7 variables keep 90 % of what the first ordinary PC explains (proved: no 6 do)." in repr(found)
    record = found.to_records()[-1]
    published = 3.9961896449 / 4.2186328533  # see tests/tasks/test_solve.py; ten decimals
    assert record["dense_share_lower"] <= published * (1 + 1e-9)
    assert record["dense_share_upper"] >= published * (1 - 1e-9)
    assert r"\% of first PC" in found.to_latex()


def test_components_end_with_the_time_too_and_are_looked_for_once(monkeypatch):
    given = []

    def asked(cov, k, *, deadline, **options):
        given.append((k, deadline.left))
        return rs.candidate(cov, k, **options)

    monkeypatch.setattr(path_module, "candidate", asked)
    found = rs.path(PITPROPS, share_of_dense=0.9, time_limit=1000.0)
    assert [k for k, _ in given] == [row.k for row in found.rows] == list(range(1, 8))
    assert all(left <= 500.0 for _, left in given)


@pytest.mark.parametrize("many", [path_module.MANY, 40])
def test_without_time_the_interval_is_halved(many, monkeypatch):
    monkeypatch.setattr(path_module, "MANY", many)  # above it late components are truncations
    X = np.random.default_rng(0).normal(size=(90, 60))
    found = rs.path(rs.Covariance(X.T @ X), share_of_dense=0.9, time_limit=0.0)
    assert len(found.rows) <= 8  # of 1, 2, ..., 60; the binary logarithm is 5.9
    assert found.rows[0].k == 1
    assert found.rows[-1].k == found.smallest_k
    # What is proved of the later rows may show that truncations were asked for too many variables.
    assert many == 40 or found.rows[-2].k == found.smallest_k - 1


def test_without_time_supports_grow_at_once(monkeypatch):
    monkeypatch.setattr(greedy, "best_additions", None)
    rows = rs.path(PITPROPS, k=[2, 5, 9], time_limit=0.0).rows
    assert [len(row.support) for row in rows] == [2, 5, 9]
    assert rows[0].lower <= rows[1].lower <= rows[2].lower


def test_that_fewer_are_not_enough_is_proved_by_the_row_next_before_alone():
    found = rs.path(PITPROPS, share_of_dense=0.9)
    without = changed(found, rows=tuple(row for row in found.rows if row.k != 6))
    assert found.is_smallest_proved
    assert without.smallest_k == 7
    assert not without.is_smallest_proved


def test_rows_share_their_matrix():
    matrices = {id(row.certificate.matrix) for row in rs.path(PITPROPS, k=[3, 4, 5]).rows}
    assert len(matrices) == 1


def test_a_certificate_has_a_matrix_of_its_own_where_the_one_given_can_change():
    given = PITPROPS.matrix.copy()
    made = changed(rs.solve(PITPROPS, 2).certificate, matrix=given)
    given[0, 0] = 2.0
    assert np.array_equal(made.matrix, PITPROPS.matrix)


def test_conditions_hold_in_every_row_of_a_path():
    found = rs.path(PITPROPS, include=["knots"], exclude=["topdiam"])
    assert [row.k for row in found.rows] == list(range(1, 13))
    for row in found.rows:
        assert "knots" in row.support
        assert "topdiam" not in row.support
        assert row.certificate.include.tolist() == [11]
        best = max(values_of(PITPROPS.matrix, row.k, include=[11], exclude=[0]).values())
        assert row.lower == pytest.approx(best)


def test_penalties_with_a_variable_that_is_always_paid_for():
    S = PITPROPS.matrix[:7, :7]
    values = values_of(S, range(1, 8), include=[3])
    for row in rs.path(rs.Covariance(S), rho=[0.1, 0.6, 2.0], include=[3]).rows:
        net = [value - row.rho * len(T) for T, value in values.items()]
        assert row.lower == pytest.approx(max(net), abs=1e-9)
        assert row.lower <= row.upper


def observations(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 6))
    X[:, :3] += 2 * rng.normal(size=(80, 1))
    return X


def test_bootstrap_counts_what_it_drew_and_does_not_depend_on_processes():
    found = rs.bootstrap(observations(), 3, resamples=20)
    assert sum(found.frequencies.values()) == pytest.approx(3)
    assert found.support_frequency == 1.0  # three variables share a strong factor
    assert set(found.support) == {"x0", "x1", "x2"}
    assert "not a proof; the components of 20 of 20 resamples are proved optimal." in repr(found)
    pytest.importorskip("joblib")
    assert rs.bootstrap(observations(), 3, resamples=20, n_jobs=2).supports == found.supports


def test_bootstrap_and_held_out_say_which_components_are_proved():
    hurried = rs.bootstrap(observations(), 3, resamples=5, time_limit=0)
    assert hurried.proved == 0
    assert "the components of 0 of 5 resamples are proved optimal" in repr(hurried)
    heuristic = rs.bootstrap(observations(), 3, resamples=5, search=False)
    assert heuristic.proved is None
    for found in (heuristic, rs.held_out(observations(), 3)):
        assert "are those of a heuristic." in repr(found)


@pytest.mark.parametrize("kind", ["correlation", "covariance"])
def test_what_is_resampled_says_of_which_matrix(kind):
    options = {"correlation": kind == "correlation"}
    of = f"({kind} matrix of 80 observations of 6 variables)."
    found = rs.bootstrap(observations(), 3, resamples=2, **options)
    assert f"the same best 3 variables as the data: x0, x1, x2 {of}" in repr(found)
    assert f"of the same training data {of}" in repr(rs.held_out(observations(), 3, **options))


def test_more_than_the_dense_component_explains_is_accounted_for():
    """One variable has all the variance; ten observations of twenty others let the dense component stray."""
    X = np.random.default_rng(1).normal(size=(10, 20)) + 2 * np.eye(20)[0] * np.arange(-5, 5)[:, np.newaxis] / 3
    found = rs.held_out(X, [1, 20])
    assert found.means[0] > 1 + 1e-6
    assert "More than 100 %: here the ordinary PC explains less." in repr(found)
    assert "More than 100 %" not in repr(rs.held_out(X, [20]))


def test_held_out_shares_of_all_variables_are_those_of_the_dense_component():
    found = rs.held_out(observations(), [1, 3, 6], correlation=True)
    assert found.means[-1] == pytest.approx(1.0)
    assert found.means[0] < found.means[1]
    assert [record["k"] for record in found.to_records()] == [1, 3, 6]


def test_both_curves_are_drawn():
    pytest.importorskip("matplotlib")
    from relaxspca.plotting import plot_shares

    X = observations()
    path = rs.path(rs.Covariance.from_data(X), share_of_dense=0.95)
    axes = plot_shares(path, rs.held_out(X, [row.k for row in path.rows]))
    assert len(axes.containers) == 2
    assert path.plot().axes[0].get_xlabel() == "variables, k"
    with pytest.raises(rs.InputError, match="knows nothing of the dense component"):
        plot_shares(rs.path(PITPROPS, k=[2]))


def test_one_cardinality_may_stand_alone():
    X = observations()
    assert rs.held_out(X, 3).means == rs.held_out(X, [3]).means


def wide():
    """Observations with a column that is constant in most folds, and one that always is."""
    X = np.random.default_rng(8).normal(size=(40, 6)) @ np.diag([3.0, 2.0, 2.0, 1.0, 1.0, 1.0])
    X[:, 4] = 0.0
    X[7, 4] = 1.0
    X[:, 5] = 2.5
    return X


@pytest.mark.parametrize("correlation", [True, False])
def test_columns_that_do_not_vary_take_no_part_and_are_said_once(correlation):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = rs.held_out(wide(), [2, 4], correlation=correlation)
        again = rs.bootstrap(wide(), 2, correlation=correlation, resamples=5)
    assert 0 < found.means[0] <= found.means[1] * 1.2
    assert set(again.support) <= {"x0", "x1", "x2", "x3"}
    texts = [str(note.message) for note in said]
    assert len(texts) == (2 if correlation else 0), texts
    if correlation:
        with pytest.raises(rs.InputError, match="only 4 columns that are not constant, fewer than k = 5"):
            rs.held_out(wide(), 5, correlation=True)


def test_what_is_said_of_all_observations_is_not_said_of_every_fold():
    X = np.random.default_rng(8).normal(size=(40, 6))
    X[:, 0] *= 1000
    with pytest.warns(rs.DataWarning) as said:
        rs.held_out(X, 2)
    assert len(said) == 1


def test_less_than_the_whole_is_never_printed_as_all_of_it():
    nearly = rs.Covariance(np.diag([1e6, 1.0, 0.5]))  # the first variable explains 99.99985 % of the total
    assert "Explains 99.99 % of the total variance" in repr(rs.solve(nearly, 1))
    found = rs.components(nearly, [1, 1])
    assert "| % of total | 99.99 | 0.0001000 |" in repr(found)
    assert "Together they explain 99.99 % of the total variance" in repr(found)
    assert ", 100.0 % of what 2 ordinary PCs explain" in repr(found)
    labels = [label.get_text() for label in found.plot().axes[0].get_xticklabels()]
    assert labels == ["PC 1\n99.9 %", "PC 2\n99.9 %"]
    assert "| 1 | x0 | 1000000 | 99.99 |" in repr(rs.path(nearly, k=[1]))
    whole = rs.components(nearly, [1, 1, 1])
    assert "Together they explain 100.0 % of the total variance" in repr(whole)
    coupled = rs.Covariance([[1.0, 1e-4], [1e-4, 0.5]])  # its largest eigenvalue is 1 + 2e-8
    told = repr(rs.path(coupled, share_of_dense=1.0))
    assert "2 variables keep 100 % of what the first ordinary PC explains (proved: no 1 does)." in told
    assert [line.split(" | ")[5] for line in told.splitlines()[-2:]] == ["99.9999 to 100.0000", "100"]
