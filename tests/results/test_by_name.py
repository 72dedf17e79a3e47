"""One way to the loadings over all results: by name in `loadings`, of all variables in `loadings_array`."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.results.printable import Printable

COV = rs.datasets.load_pitprops()
B = np.diag(np.arange(1.0, 14.0))
JOINT = {"joint": True, "time_limit": 0}

SINGLE = {
    "solve": lambda: rs.solve(COV, 3),
    "solve, penalty": lambda: rs.solve(COV, rho=0.3),
    "certify": lambda: rs.certify(COV, ["topdiam", "moist"]),
    "nonnegative": lambda: rs.solve(COV, 2, nonnegative=True),
    "one_of_each": lambda: rs.solve(COV, 2, groups={"a": [0, 1], "b": [2, 3]}),
    "generalized": lambda: rs.generalized(COV.matrix, B, 2, names=COV.names),
    "solve, nothing": lambda: rs.solve(COV, rho=50.0),
}
TABLES = {
    "one by one": lambda: rs.components(COV, [3, 2], time_limit=0),
    "orthogonal": lambda: rs.components(COV, [3, 2], **JOINT),
    "disjoint": lambda: rs.components(COV, [2, 2], disjoint=True, **JOINT),
    "common": lambda: rs.components(COV, 3, 2, common=True, **JOINT),
    "certify": lambda: rs.certify(COV, rs.components(COV, [3, 2], time_limit=0), time_limit=0),
}


def check(loadings, array, support, indices):
    assert array.shape == (13,)
    assert set(support) == {COV.names[i] for i in indices}
    assert dict(loadings) == {COV.names[i]: array[i] for i in indices}
    assert list(loadings) == sorted(loadings, key=lambda name: -abs(loadings[name]))
    assert not np.delete(array, indices).any()


@pytest.mark.parametrize("made", SINGLE)
def test_one_component_has_its_loadings_by_name_and_as_an_array(made):
    found = SINGLE[made]()
    check(found.loadings, found.loadings_array, found.support, found.indices)
    assert bool(found.support) == (not made.endswith("nothing"))


@pytest.mark.parametrize("made", TABLES)
def test_a_table_has_a_tuple_of_them_and_one_array(made):
    found = TABLES[made]()
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
