"""Results do what Python programmers try first: index, iterate, draw on given axes, score, show themselves."""

import numpy as np
import pytest
from command.test_answers import ANSWERS, PITPROPS

import relaxspca as rs
from relaxspca.errors import InputError
from relaxspca.results.printable import Printable

X = np.random.default_rng(0).normal(size=(60, 6)) @ np.triu(np.ones((6, 6))) + 3.0
NAMES = list("abcdef")


@pytest.mark.parametrize("way", [{}, {"correlation": True}, {"centred": False}])
def test_the_mean_square_of_scores_is_the_variance_of_the_component(way):
    cov = rs.Covariance.from_data(X, names=NAMES, **way)
    table = rs.components(cov, [3, 2], time_limit=0)
    degrees = len(X) - way.get("centred", True)
    assert np.square(table.scores(X)).sum(axis=0) / degrees == pytest.approx(table.raw)
    one = rs.solve(cov, 3)
    assert np.square(one.scores(X)).sum() / degrees == pytest.approx(one.candidate.value)


def test_scores_of_a_frame_keep_its_rows_and_find_its_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=NAMES, index=[f"row {i}" for i in range(len(X))])
    table = rs.components(rs.Covariance.from_data(frame), [3, 2], time_limit=0)
    scores = table.scores(frame.assign(text="x")[["text", *reversed(NAMES)]])
    assert list(scores.index) == list(frame.index)
    assert list(scores.columns) == ["PC 1", "PC 2"]
    assert scores.to_numpy() == pytest.approx(table.scores(X))
    alone = rs.solve(rs.Covariance.from_data(frame), 3).scores(frame)
    assert np.abs(alone.to_numpy()) == pytest.approx(np.abs(scores["PC 1"].to_numpy()))
    with pytest.raises(InputError, match="no column 'a'"):
        table.scores(frame.drop(columns="a"))
    with pytest.raises(InputError, match=r"contains nan at row 2, column 2 \('c'\): .* remove or impute"):
        table.scores(frame.where(frame != frame.iloc[2, 2]))
    with pytest.raises(InputError, match=r"6 variables, not of shape \(60, 5\)"):
        table.scores(X[:, 1:])


def test_a_component_and_a_row_by_position():
    cov = rs.Covariance.from_data(X, names=NAMES)
    table, path = rs.components(cov, [3, 2]), rs.path(cov, k=[1, 2])
    assert [found.support for found in table] == list(table.support)
    assert [found.value for found in table] == pytest.approx(table.raw)
    assert table[-1].support == table[1].support
    assert rs.certify(cov, table[1], after=[table[0]]).status == "optimal"
    assert [row.k for row in path] == [1, 2]
    assert path[-1].k == 2
    with pytest.raises(IndexError):
        table[2]


def test_a_frame_has_the_loadings_of_every_record():
    pytest.importorskip("pandas")
    cov = rs.Covariance.from_data(X, names=NAMES)
    for found in (rs.solve(cov, 3), rs.path(cov, k=[1, 2, 3]), rs.components(cov, [3, 2], time_limit=0)):
        frame = found.to_frame().filter(like="loading ")
        assert np.square(frame.to_numpy()).sum(axis=1) == pytest.approx(1.0)
        used = [{name[8:] for name, value in row.items() if value} for row in frame.to_dict("records")]
        assert used == [{*record["support"].split("; ")} for record in found.to_records()]


def test_what_a_notebook_shows_is_the_text_as_a_paragraph():
    cov = rs.Covariance.from_data(X, correlation=True, names=["a<b", *NAMES[1:]])
    result = rs.solve(cov, 3)
    verdict = rs.verify(result.certificate)
    row = rs.path(cov, k=[2])[0]
    for found in (cov, result, result.candidate, result.certificate, verdict, row, result.loadings):
        shown = found._repr_html_()
        assert shown.startswith("<p>")
        assert "a<b" not in shown
        assert "Outcome." not in shown
    assert "of 60 observations" in repr(cov)


def test_scores_of_a_frame_with_two_columns_of_one_name_are_refused():
    pandas = pytest.importorskip("pandas")
    X = np.random.default_rng(0).normal(size=(9, 2))
    found = rs.solve(rs.Covariance.from_data(pandas.DataFrame(X, columns=["a", "b"])), 1)
    with pytest.raises(rs.InputError, match="X has several columns 'a': keep one of them"):
        found.scores(pandas.DataFrame(X[:, [0, 1, 1]], columns=["a", "b", "a"]))


ONE = ["solve", "penalty", "no variable", "one of each", "nonnegative", "generalized", "certify"]
TABLES = [name for name in ANSWERS if name.startswith("components")] + ["certify a table"]


def check(loadings, array, support, indices):
    assert array.shape == (13,)
    assert set(support) == {PITPROPS.names[i] for i in indices}
    assert dict(loadings) == {PITPROPS.names[i]: array[i] for i in indices}
    assert list(loadings) == sorted(loadings, key=lambda name: -abs(loadings[name]))
    assert not np.delete(array, indices).any()


@pytest.mark.parametrize("name", ONE)
def test_one_component_has_its_loadings_by_name_and_as_an_array(name):
    found = ANSWERS[name][1]()
    check(found.loadings, found.loadings_array, found.support, found.indices)
    assert bool(found.support) == (name != "no variable")


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_a_tuple_of_them_and_one_array(name):
    found = ANSWERS[name][1]()
    assert found.loadings_array.shape == (13, 2)
    assert len(found.loadings) == len(found.support) == len(found.indices) == found.n_components == 2
    pytest.importorskip("pandas")
    frame = found.loadings_frame()
    for j in range(2):
        check(found.loadings[j], found.loadings_array[:, j], found.support[j], found.indices[j])
        column = frame[f"PC {j + 1}"]
        assert column[column != 0].to_dict() == dict(found.loadings[j])


def test_a_result_that_does_not_say_what_it_states_cannot_be_made():
    class Silent(Printable):
        def to_records(self):
            return []

    with pytest.raises(TypeError, match="_statement"):
        Silent()
