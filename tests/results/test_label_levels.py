"""Columns of a data frame named in several levels: one name each, joined by points, wherever it is printed."""

import json

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.errors import InputError

pd = pytest.importorskip("pandas")
LABELS = [("soil", "N"), ("soil", "P"), ("leaf", "N"), ("leaf", "")]
NAMES = ("soil.N", "soil.P", "leaf.N", "leaf")
X = pd.DataFrame(np.random.default_rng(3).normal(size=(30, 4)), columns=pd.MultiIndex.from_tuples(LABELS))
COV = rs.Covariance.from_data(X)


def test_what_is_printed_and_written_has_the_joined_names():
    assert COV.names == NAMES
    assert rs.Covariance(X.cov()).names == NAMES
    found = rs.components(COV, [2, 2])
    written = [str(found), found.to_latex(), found._repr_html_(), found.to_csv(), found.loadings_csv()]
    written += [json.dumps(found.to_records()), str(rs.bootstrap(X, 2, resamples=3))]
    assert all("soil." in text and "('" not in text for text in written)
    assert list(found.loadings_frame().index) == list(NAMES)


def test_a_certificate_is_held_against_the_frame_and_its_covariance():
    certificate = rs.solve(COV, 2).certificate
    assert certificate.names == NAMES
    for given in (X, X.iloc[:, [2, 0, 3, 1]], COV):
        assert rs.verify(certificate, against=given)
    shuffled = X.cov().iloc[[2, 0, 3, 1], [2, 0, 3, 1]]
    assert rs.verify(certificate, against=shuffled)
    np.testing.assert_allclose(
        rs.components(COV, [2]).scores(X.iloc[:, ::-1]), rs.components(COV, [2]).scores(X), atol=1e-12
    )


def test_loadings_and_selections_are_taken_by_label_or_by_name():
    by_name = rs.certify(COV, {"soil.P": 0.6, "leaf": 0.8}).lower
    for given in ({LABELS[1]: 0.6, LABELS[3]: 0.8}, pd.Series({LABELS[1]: 0.6, LABELS[3]: 0.8})):
        assert rs.certify(COV, given).lower == by_name
    labelled = rs.solve(COV, 2, include=[LABELS[2]], groups={"soil": LABELS[:2], "leaf": LABELS[2:]})
    assert labelled.lower == rs.solve(COV, 2, include=["leaf.N"], groups={"s": [0, 1], "l": [2, 3]}).lower
    assert labelled.indices == (0, 2) or labelled.indices == (1, 2)


def test_a_file_of_such_a_frame_has_the_joined_names(tmp_path):
    pytest.importorskip("pyarrow")
    X.set_axis([f"s{i}" for i in range(30)], axis=0).to_parquet(tmp_path / "x.parquet")
    read = rs.read(tmp_path / "x.parquet")
    assert read.names == NAMES
    np.testing.assert_array_equal(read.matrix, COV.matrix)


def test_two_labels_that_read_alike_are_refused():
    twice = X.set_axis([("a", "b.c"), ("a.b", "c"), "d", "e"], axis=1)
    with pytest.raises(InputError, match="the name 'a.b.c' is used twice"):
        rs.Covariance.from_data(twice)
