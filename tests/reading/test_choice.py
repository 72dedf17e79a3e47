"""Some columns, some rows: what is left out is named, and of a matrix rows go with their columns."""

import warnings

import numpy as np
import pandas as pd
import pytest

import relaxspca as rs
from relaxspca import DataWarning, InputError
from relaxspca.datasets import load_pitprops
from relaxspca.reading.files import read_covariance

TREES = """\
tree,height,girth,age,kind,"bark, mm"
oak,21.5,3.1,140,a,4.0
elm,18.0,2.2,NA,a,3.0
ash,16.5,1.9,60,b,
fir,25.0,1.4,80,b,9.0
yew,12.0,4.4,300,b,2.0
"""


@pytest.fixture
def trees(tmp_path):
    (tmp_path / "trees.csv").write_text(TREES)
    return tmp_path / "trees.csv"


def test_columns_are_used_in_the_order_asked_for(trees):
    cov, taken = read_covariance(trees, columns=["girth", "height"])
    assert cov.names == ("girth", "height")
    assert cov.matrix == pytest.approx(np.cov([[3.1, 2.2, 1.9, 1.4, 4.4], [21.5, 18, 16.5, 25, 12]]))
    left = 'left out: age, kind, "bark, mm"'
    assert taken == f"5 observations of 2 variables; first column 'tree' taken as row labels; {left}"


def test_a_column_of_text_is_left_out_on_demand(trees):
    with pytest.raises(InputError, match="column 'age', row 2 holds 'NA'"):
        rs.read(trees, exclude=["kind"])
    with pytest.raises(InputError, match=r"'kind' is not numeric: row 1 holds 'a'; .* drop .* \(--exclude"):
        rs.read(trees, exclude=["age", "bark, mm"])
    assert rs.read(trees, exclude=["kind", "age", "bark, mm", "tree"]).names == ("height", "girth")


def test_observations_with_missing_cells_are_dropped_and_named(trees):
    with pytest.warns(DataWarning, match=r"dropped 2 of 5 observations, .*: rows 2 \(elm\), 3 \(ash\)$"):
        cov = rs.read(trees, exclude=["kind"], drop_missing=True)
    assert cov.description.observations == 3
    assert cov.matrix[0, 0] == pytest.approx(np.var([21.5, 25.0, 12.0], ddof=1))
    with pytest.warns(
        DataWarning, match=r"dropped 1 of 5 observations, which have missing cells: row 2 \(elm\)$"
    ):
        rs.read(trees, columns=["height", "age"], drop_missing=True)
    assert rs.read(trees, columns=["height"], drop_missing=True).description.observations == 5


@pytest.mark.parametrize("kind", [pd.DataFrame, np.asarray, np.ma.masked_invalid])
def test_observations_of_python_are_dropped_as_those_of_a_file(trees, kind):
    frame = pd.read_csv(trees, index_col="tree").drop(columns="kind")
    with pytest.warns(DataWarning, match=r"dropped 2 of 5 observations, .*: rows 2( \(elm\))?, 3( \(ash\))?$"):
        cov = rs.Covariance.from_data(kind(frame), names=list(frame.columns), drop_missing=True)
    with pytest.warns(DataWarning, match="dropped"):
        assert cov.digest == rs.read(trees, exclude=["kind"], drop_missing=True).digest
    assert cov.description.words.endswith("3 observations (2 incomplete left out)")
    with pytest.raises(InputError, match="only 0 of 5 observations would be left .* such as 'b', which has 5"):
        rs.Covariance.from_data(pd.DataFrame({"a": range(5), "b": np.nan}), drop_missing=True)


def test_arrays_of_numbers_lose_what_is_missing_too(tmp_path, read):
    np.save(tmp_path / "t.npy", [[1.0, 2.0], [np.nan, 3.0], [2.0, 5.0]])
    with pytest.warns(DataWarning, match="dropped 1 of 3 observations, which have missing cells: row 2$"):
        assert rs.read(tmp_path / "t.npy", drop_missing=True).description.observations == 2
    assert read("a,b\n1,?\n2,3\n4,7\n", drop_missing=True)[0].description.observations == 2


@pytest.mark.parametrize("shuffled", [False, True])
def test_of_a_matrix_rows_go_with_their_columns(tmp_path, shuffled):
    pandas = pytest.importorskip("pandas")
    cov = load_pitprops()
    frame = pandas.DataFrame(cov.matrix, columns=cov.names, index=cov.names)
    (frame.sample(frac=1, random_state=0) if shuffled else frame).to_csv(tmp_path / "p.csv")
    kept = ["whorls", "topdiam", "length"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        part, taken = read_covariance(tmp_path / "p.csv", columns=kept)
        rest = rs.read(tmp_path / "p.csv", exclude=kept)
    assert part.digest == cov.restrict(kept).digest
    assert rest.digest == cov.restrict([name for name in cov.names if name not in kept]).digest
    assert taken.startswith("a correlation matrix of 3 variables; left out: moist, testsg, ")
    with pytest.raises(InputError, match="a covariance matrix has no observations to drop"):
        rs.read(tmp_path / "p.csv", drop_missing=True, data=False)
    with pytest.raises(InputError, match="only observations can be left uncentred"):
        rs.read(tmp_path / "p.csv", centred=False, data=False)


def test_a_column_beside_others_or_a_matrix_may_be_left_out(read):
    assert read("note,a,b,note\n1,1,3,2\n5,2,1,2\n3,4,4,9\n", exclude=["note"])[0].names == ("a", "b")
    cov = load_pitprops()
    rows = [",".join(["", "group", *cov.names])]
    rows += [
        ",".join([name, "g", *map(repr, row)]) for name, row in zip(cov.names, cov.matrix.tolist(), strict=True)
    ]
    assert read("\n".join(rows), exclude=["group"])[0].digest == cov.digest


@pytest.mark.parametrize("header", ["width,a,b", "humid,idle,nova", "avoid,node,period"])
def test_a_column_of_counts_is_a_variable(read, header, recwarn):
    assert read(f"{header}\n17,3,2\n4,1,5\n90,4,4\n33,1,5\n")[0].n == 3
    assert [w for w in recwarn if "number" in str(w.message)] == []


def test_some_variables_of_a_built_in_set(answered):
    found = answered("solve", "pitprops", "-k", "2", "--exclude", "topdiam,knots")
    S = rs.datasets.load_pitprops()
    assert found["taken_as"] == "the built-in data set pitprops, 11 of its 13 variables"
    left = S.restrict([name for name in S.names if name not in ("topdiam", "knots")])
    assert found["lower"] == pytest.approx(rs.solve(left, 2).lower, abs=1e-9)
    words = ["--columns", "topdiam,length,moist", "--exclude", "moist"]
    assert answered("solve", "pitprops", "-k", "2", *words)["support"] == ["topdiam", "length"]


@pytest.mark.parametrize("words", [("True", "False"), ("TRUE", "FALSE")])
def test_truth_values_in_text_are_ones_and_zeros(read, words):
    yes, no = words
    cov, _ = read(f"a,b\n1.5,{yes}\n2.5,{no}\n0.5,{yes}\n")
    assert cov.matrix == pytest.approx(np.cov([[1.5, 2.5, 0.5], [1, 0, 1]]))
    assert read(f"a,b\n{yes},1\n{no},3\n{yes},2\n")[0].names == ("a", "b")


def test_what_data_are_is_told_by_true_or_false(trees):
    with pytest.raises(InputError, match="data must be True for observations or False for a cov.*not .yes"):
        rs.read(trees, data="yes")
