import datetime

import numpy as np
import pytest

from relaxspca import InputError
from relaxspca.reading.files import read_covariance

parquet = pytest.importorskip("pyarrow.parquet")
pa = pytest.importorskip("pyarrow")


def test_the_index_of_a_frame_is_no_variable(tmp_path):
    pd = pytest.importorskip("pandas")
    data = pd.DataFrame(np.random.default_rng(0).normal(size=(12, 3)), columns=["a", "b", "c"])
    data.to_parquet(tmp_path / "range.parquet")
    data[data.a > 0].to_parquet(tmp_path / "some.parquet")
    for name, index in (("words", [f"p{i}" for i in range(12)]), ("squares", [i**2 for i in range(12)])):
        data.set_axis(index).rename_axis("person").to_parquet(tmp_path / f"{name}.parquet")
    assert read_covariance(tmp_path / "range.parquet")[1] == "12 observations of 3 variables"
    for name, index in (("some", "__index_level_0__"), ("words", "person"), ("squares", "person")):
        cov, taken = read_covariance(tmp_path / f"{name}.parquet")
        assert cov.names == ("a", "b", "c")
        assert taken.endswith(f"; index {index} taken as row labels")
    assert cov.matrix == pytest.approx(data.cov().to_numpy())


def test_an_index_is_known_without_the_words_of_pandas(tmp_path):
    table = pa.table({"a": [1.0, 2.0, 4.0], "b": [3.0, 1.0, 1.0], "__index_level_0__": [70, 80, 99]})
    parquet.write_table(table, tmp_path / "t.parquet")
    assert read_covariance(tmp_path / "t.parquet")[0].names == ("a", "b")


MOMENTS = [datetime.datetime(2020, 1, day) for day in (1, 5, 9)]


THREE = {"a": [1.0, 2.0, 4.0]}
NO_NUMBERS = {
    "text": ["x", "y", "z"],
    "moment": pa.array(MOMENTS),
    "date": pa.array([moment.date() for moment in MOMENTS]),
    "duration": pa.array([moment - MOMENTS[0] for moment in MOMENTS]),
    "list": [[1.0], [2.0], [3.0]],
}
REFUSED = [
    *((THREE | {kind: column}, f"column '{kind}' is not numeric") for kind, column in NO_NUMBERS.items()),
    ({"a": [1.0, None, 3.0]}, "column 'a', row 2 holds an empty cell"),
    ({"a": [1.0, 2.0], "": [1.0, 3.0]}, r"variable 2 \(after 'a'\) has no name"),
    ({"__index_level_0__": [1, 2]}, "no column of numbers"),
    (THREE | {"b": [1.5, None, 2.5]}, "'b', row 2 holds an empty cell: remove or impute missing values"),
    (THREE | {"b": [1, 2, None]}, "column 'b', row 3 holds an empty cell"),
    (THREE | {"b": [None, True, False]}, "column 'b', row 1 holds an empty cell"),
    (THREE | {"b": [1.5, 2.5, float("nan")]}, "column 'b', row 3 holds nan: remove or impute"),
    (THREE | {"b": [1.5, float("-inf"), 2.5]}, "'b', row 2 holds -inf: every entry must be finite"),
]


@pytest.mark.parametrize(("columns", "message"), REFUSED)
def test_a_column_that_is_no_numbers_has_no_name_or_misses_a_cell_is_named(tmp_path, columns, message):
    parquet.write_table(pa.table(columns), tmp_path / "t.parquet")
    with pytest.raises(InputError, match=message):
        read_covariance(tmp_path / "t.parquet")


def test_whole_numbers_and_truth_values_and_categories_of_numbers_are_numbers(tmp_path):
    columns = {"a": [1, 2, 4], "b": [True, False, True], "c": pa.array([2.5, 1.5, 2.5]).dictionary_encode()}
    parquet.write_table(pa.table(columns), tmp_path / "t.parquet")
    expected = np.cov([[1, 2, 4], [1, 0, 1], [2.5, 1.5, 2.5]])
    assert read_covariance(tmp_path / "t.parquet")[0].matrix == pytest.approx(expected)
