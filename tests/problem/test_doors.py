"""What is brought to every verb: floats that are whole, frames that are matrices, and what is no covariance."""

import numpy as np
import pytest

import relaxspca as rs

COV = rs.datasets.load_pitprops().restrict(range(7))
VERBS = {
    "solve": lambda cov, k: rs.solve(cov, k),
    "components": lambda cov, k: rs.components(cov, [k]),
    "joint": lambda cov, k: rs.components(cov, k, 2, joint=True, time_limit=0),
    "path": lambda cov, k: rs.path(cov, k=[1, k]),
    "near_optimal": lambda cov, k: rs.near_optimal(cov, k, within=0.01),
    "upper_bound": lambda cov, k: rs.upper_bound(cov, k, relaxation="rowsum"),
    "candidate": lambda cov, k: rs.candidate(cov, k),
    "compare": lambda cov, k: rs.compare(cov, k),
    "certify": lambda cov, k: rs.certify(cov, ["topdiam", "length"], k=k),
}


def said(found):
    """Return what a result says, but for seconds and for the order of methods, which is that of seconds."""
    if isinstance(found, rs.Candidate):
        return found.loadings.tolist()
    return sorted(
        repr([(key, x) for key, x in row.items() if "second" not in key and "time" not in key])
        for row in found.to_records()
    )


@pytest.mark.parametrize("verb", list(VERBS))
def test_a_whole_float_is_a_cardinality(verb):
    expected = said(VERBS[verb](COV, 3))
    for k in (3.0, np.float64(3), np.int64(3)):
        assert said(VERBS[verb](COV, k)) == expected


def test_other_counts_may_be_whole_floats_too():
    X = np.random.default_rng(0).normal(size=(40, 5))
    assert rs.solve(COV, 5.0, gap=0, node_limit=3.0, time_limit=np.float32(1000.5)).k == 5
    assert rs.components(COV, 2.0, 2.0).n_components == 2
    assert rs.near_optimal(COV, 3.0, within=0.0, limit=5.0).is_unique
    assert rs.stability(rs.solve(COV, 3), decimals=3.0).decimals == 3
    assert len(rs.held_out(X, [1.0, 2], folds=4.0).k) == 2
    assert rs.bootstrap(X, 2.0, resamples=5.0).k == 2


@pytest.mark.parametrize("verb", list(VERBS))
def test_a_frame_that_is_a_matrix_is_one_at_every_door(verb):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COV.matrix, index=COV.names, columns=COV.names)
    assert said(VERBS[verb](frame, 3)) == said(VERBS[verb](COV, 3))


def test_frames_that_may_be_something_else_are_refused_as_before():
    pandas = pytest.importorskip("pandas")
    S = COV.matrix
    names = list(COV.names)
    unlike = S.copy()
    unlike[0, 1] += 0.1
    for frame in (
        pandas.DataFrame(S),  # without names
        pandas.DataFrame(S, columns=names),  # 7 observations, perhaps
        pandas.DataFrame(unlike, index=names, columns=names),
        pandas.DataFrame(S, index=names, columns=names).iloc[:5],
        pandas.DataFrame(np.random.default_rng(0).normal(size=(20, 7)), columns=names),
        pandas.DataFrame(S.astype(str), index=names, columns=names).replace("1.0", "one"),
    ):
        with pytest.raises(rs.InputError, match="cov must be a Covariance, not DataFrame"):
            rs.solve(frame, 3)


def test_a_series_of_some_variables_has_zeros_for_the_others():
    pandas = pytest.importorskip("pandas")
    some = {"length": 0.6, "topdiam": 0.5, "moist": -0.1}
    judged = rs.certify(COV, pandas.Series(some))
    assert np.array_equal(judged.candidate.loadings, rs.certify(COV, some).candidate.loadings)
    with pytest.raises(rs.InputError, match="3 loadings given for 7"):
        rs.certify(COV, pandas.Series(list(some.values())))
    with pytest.raises(rs.InputError, match="loadings given for 7"):
        rs.certify(COV, pandas.Series({"length": 0.6, "leaf": 0.5}))
    names = pandas.Series(["length", "moist"], index=["topdiam", "testsg"])  # a support: its index says nothing
    assert rs.certify(COV, names).support == ("length", "moist")


DOORS = VERBS | {
    "penalised": lambda cov, _: rs.solve(cov, rho=0.5),
    "path of penalties": lambda cov, _: rs.path(cov, rho=[0.1]),
    "psi": lambda cov, _: rs.psi(cov, 0.1),
}
del DOORS["near_optimal"]  # which takes two matrices too


@pytest.mark.parametrize("verb", DOORS)
def test_what_is_no_covariance_is_told_what_to_become(verb):
    S = np.array(COV.matrix)
    for given in (S, S.tolist(), None):
        with pytest.raises(rs.InputError, match=r"Covariance\.from_data\(X\) for observations"):
            DOORS[verb](given, 3)
    with pytest.raises(rs.InputError, match=r"write rs.read\('wine.csv'\) for a file"):
        DOORS[verb]("wine.csv", 3)


@pytest.mark.parametrize(
    ("flag", "ask"),
    [
        ("correlation", lambda X, no, _: rs.Covariance.from_data(X, correlation=no)),
        ("centred", lambda X, no, _: rs.Covariance.from_data(X, centred=no)),
        ("drop_missing", lambda X, no, _: rs.Covariance.from_data(X, drop_missing=no)),
        ("correlation", lambda X, no, _: rs.bootstrap(X, 2, correlation=no)),
        ("intercept", lambda X, no, _: rs.applications.subset_selection(X, X[:, 0], 1, intercept=no)),
        ("correlation", lambda _, no, path: rs.read(path, correlation=no)),
    ],
)
def test_a_text_in_the_place_of_false_does_not_count_as_true(flag, ask, tmp_path):
    X, path = np.random.default_rng(0).normal(size=(9, 4)), tmp_path / "x.csv"
    np.savetxt(path, X, delimiter=",")
    with pytest.raises(rs.InputError, match=f"{flag} must be True or False, not 'no'"):
        ask(X, "no", path)
