import numpy as np
import pytest

from relaxspca import Candidate, Covariance, InputError
from relaxspca.tasks.read_table import read_component

COV = Covariance(np.diag([4.0, 3.0, 2.0, 1.0]) + 0.5, names=["a", "b", "c", "d"])


@pytest.mark.parametrize(
    ("component", "support"),
    [
        ([0.6, 0.0, 0.8, 0.0], [0, 2]),
        ([[0.6, 0.0, 0.8, 0.0]], [0, 2]),
        ([[0.6], [0.0], [0.8], [0.0]], [0, 2]),
        (np.array([3, 0, 4, 0]), [0, 2]),
        ([2, 0], [0, 2]),
        ([3, 2, 1, 0], [0, 1, 2, 3]),
        (["c", "a"], [0, 2]),
        (np.array(["c", "a"], dtype=object), [0, 2]),
        ([True, False, True, False], [0, 2]),
        (Candidate.from_support(COV, [0, 2]), [0, 2]),
    ],
)
def test_every_way_to_name_a_component(component, support):
    read = read_component(COV, component)
    assert read.indices.tolist() == support
    assert np.linalg.norm(read.loadings) == pytest.approx(1)


def test_loadings_keep_their_direction():
    assert read_component(COV, [-3.0, 0, -4, 0]).loadings == pytest.approx([0.6, 0, 0.8, 0])


def test_a_labelled_series_is_put_in_order():
    pandas = pytest.importorskip("pandas")
    series = pandas.Series({"d": 0.0, "c": 0.8, "b": 0.0, "a": 0.6})
    assert read_component(COV, series).loadings == pytest.approx([0.6, 0, 0.8, 0])
    frame = pandas.DataFrame({"pc": series})
    assert read_component(COV, frame).loadings == pytest.approx([0.6, 0, 0.8, 0])
    for wide in (pandas.concat([frame, frame], axis=1), frame.T, frame.iloc[:, :0]):
        with pytest.raises(InputError, match="one component at a time: this frame has"):
            read_component(COV, wide)
    unlabelled = pandas.Series([0.0, 0.6, 0.8, 0.0])
    assert read_component(COV, unlabelled).indices.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("component", "message"),
    [
        ([0.6, 0.8], "2 loadings given for 4 variables"),
        ([0.0, 0.0, 0.0, 0.0], "all zero"),
        ([np.nan, 1.0, 0.0, 0.0], "contain nan"),
        ([1.0, np.inf, 0.0, 0.0], "contain inf"),
        (np.eye(4)[:2], "one component at a time"),
        ([[1.0, 2.0], [3.0]], "differ in length"),
        ([], "0 loadings given for 4 variables"),
        ([0, 4], "variable 4 is outside 0..3"),
        (["a", "z"], "no variable 'z'"),
        ([True, False], "a mask needs 4 entries"),
        ([1j, 0, 0, 0], "must be real numbers"),
        ([None, 1.0, 0.0, 0.0], "must be real numbers"),
        (np.ma.masked_array([0.6, 5.0, 0.8, 0.0], [0, 1, 0, 0]), "masked entries"),
        (np.array(["2020", "2021"] * 2, dtype="datetime64[D]"), "must be real numbers"),
        (3.0, "must be loadings, names of variables or a Candidate, not a float"),
        ("a", "not a str"),
        ({"a": 1.0}, "not a dict"),
    ],
)
def test_what_is_no_component_is_named(component, message):
    with pytest.raises(InputError, match=message):
        read_component(COV, component)
