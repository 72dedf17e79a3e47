"""The discriminant estimator obeys scikit-learn's contract and says what is proved."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.utils.estimator_checks import check_estimator

from relaxspca.applications import discriminants
from relaxspca.estimators import CertifiedSparseLDA


def test_contract():
    check_estimator(CertifiedSparseLDA(k=1, gap=0.1, time_limit=1.0))


def test_with_all_variables_it_classifies_as_linear_discriminant_analysis():
    X, y = load_wine(return_X_y=True)
    model = CertifiedSparseLDA(k=13, ridge=0.0).fit(X, y)
    dense = LinearDiscriminantAnalysis().fit(X, y)
    assert (model.predict(X) == dense.predict(X)).all()
    np.testing.assert_allclose(model.predict_proba(X), dense.predict_proba(X), atol=1e-5)


def test_directions_of_a_data_frame_are_named_after_its_columns():
    wine = load_wine(as_frame=True)
    model = CertifiedSparseLDA(k=3).fit(wine.data, wine.target)
    assert all(set(found.support) <= set(wine.data.columns) for found in model.results_)
    assert len(model.results_[0].support) == 3


def test_directions_are_those_that_the_function_proves_under_conditions():
    X, y = load_wine(return_X_y=True)
    model = CertifiedSparseLDA(k=3, include=[0], exclude=[6, 9]).fit(X, y)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    found = discriminants(scaled, y, 3, 2, ridge=1e-3, include=[0], exclude=[6, 9])
    assert [result.lower for result in model.results_] == [result.lower for result in found]
    assert not model.components_[:, [6, 9]].any()
    assert (np.count_nonzero(model.components_, axis=1) <= 3).all()
    assert model.transform(X).shape == (178, 2)
    assert model.results_[0].upper < CertifiedSparseLDA(k=3).fit(X, y).results_[0].lower
