"""A certificate is held against the reader's observations, read as the certificate says."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.checker import Outcome

NAMES = ["age", "rent", "size", "rooms", "floor"]
X = np.random.default_rng(3).normal(size=(40, 5)) @ np.diag([1.0, 5.0, 2.0, 1.0, 3.0]) + [1, 2, 3, 4, 5]
KINDS = {"covariance": {}, "correlation": {"correlation": True}, "second moments": {"centred": False}}


def frame(values=X, names=NAMES):
    pandas = pytest.importorskip("pandas")
    made = pandas.DataFrame(values, columns=names)
    made.insert(2, "city", ["Oslo", None] * (len(made) // 2))
    return made[[*made.columns[::-1]]]


@pytest.mark.parametrize("kind", KINDS)
def test_the_columns_that_it_names_are_scaled_and_centred_as_it_says(kind, recwarn):
    cov = rs.Covariance.from_data(X, names=NAMES, **KINDS[kind])
    for made in (
        rs.solve(cov, 2).certificate,
        rs.components(cov, [1, 1]).results[1].certificate,  # of a deflated matrix
        rs.components(cov, [1, 1], joint=True).certificate,
    ):
        assert rs.verify(made, against=frame())
        assert bool(rs.verify(made, against=X)) == (made.description.deflation is None)  # needs names
        verdict = rs.verify(made, against=frame(X * [1, 1, 1.5, 1, 1] + np.linspace(0, 3, 40)[:, None] ** 2))
        assert verdict.outcome is not Outcome.VERIFIED
        assert any("another matrix" in reason for reason in verdict.reasons)
        assert repr(verdict).startswith("ANOTHER MATRIX: ")
    assert not [warning for warning in recwarn if issubclass(warning.category, rs.DataWarning)]


def test_it_agrees_with_the_covariance_of_those_observations():
    made = rs.solve(rs.Covariance.from_data(X, True, NAMES), 3).certificate
    other = X + 1e-7 * np.random.default_rng(4).normal(size=X.shape)
    plain = rs.verify(made, against=rs.Covariance.from_data(other, True, NAMES))
    assert plain.comparison.distance > 0
    assert rs.verify(made, against=frame(other)[NAMES]).comparison == plain.comparison


def test_observations_without_its_variables_are_refused_and_fewer_are_named():
    made = rs.solve(rs.Covariance.from_data(X, True, NAMES), 2).certificate
    with pytest.raises(rs.InputError, match=r"no column of the certificate's variables \(age, rent, size"):
        rs.verify(made, against=frame(names=list("abcde")))
    verdict = rs.verify(made, against=frame().drop(columns="rooms"))
    assert not verdict
    assert any("'rooms'" in reason or "4" in reason for reason in verdict.reasons)
    with pytest.raises(rs.InputError, match="missing|NaN|nan|finite"):
        rs.verify(made, against=frame(np.where(X > 9, np.nan, X)))
