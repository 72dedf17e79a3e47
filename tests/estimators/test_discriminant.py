"""The discriminant and correlation estimators obey scikit-learn's contract and say what is proved."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.datasets import load_linnerud, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.utils.estimator_checks import check_estimator

from relaxspca.applications import discriminants
from relaxspca.errors import InputError
from relaxspca.estimators import CertifiedSparseCCA, CertifiedSparseLDA


def test_contract():
    check_estimator(CertifiedSparseLDA(k=1, gap=0.1, time_limit=1.0))


def test_with_all_variables_it_classifies_as_linear_discriminant_analysis():
    X, y = load_wine(return_X_y=True)
    model = CertifiedSparseLDA(k=13, ridge=0.0).fit(X, y)
    dense = LinearDiscriminantAnalysis().fit(X, y)
    assert (model.predict(X) == dense.predict(X)).all()
    np.testing.assert_allclose(model.predict_proba(X), dense.predict_proba(X), atol=1e-5)


def test_it_is_what_the_function_proves():
    X, y = load_wine(return_X_y=True)
    model = CertifiedSparseLDA(1, k=3).fit(X, y)
    found = discriminants((X - X.mean(axis=0)) / X.std(axis=0), y, 3, ridge=1e-3)[0]
    assert model.results_[0].lower == found.lower
    assert (np.count_nonzero(model.components_, axis=1) <= 3).all()
    assert model.transform(X).shape == (178, 1)


def test_scores_are_correlated_as_is_proved():
    X, Y = load_linnerud(return_X_y=True)
    model = CertifiedSparseCCA(2, k=3, ridge=0.0).fit(X, Y)
    first, second = model.transform(X, Y)
    attained = abs(np.corrcoef(first[:, 0], second[:, 0])[0, 1])
    assert model.correlations_[0] <= attained * (1 + 1e-9)
    assert attained <= model.correlation_bounds_[0] * (1 + 1e-9)
    assert model.correlations_[1] < model.correlations_[0]


@pytest.mark.parametrize("model", [CertifiedSparseCCA(k=2), CertifiedSparseCCA(k_x=1, k_y=1)])
def test_contract_of_the_correlations(model):
    check_estimator(model)


def test_separate_budgets_for_the_two_sets():
    X, Y = load_linnerud(return_X_y=True)
    model = CertifiedSparseCCA(2, k_x=1, k_y=2).fit(X, Y)
    assert (np.count_nonzero(model.x_weights_, axis=1) <= 1).all()
    assert (np.count_nonzero(model.y_weights_, axis=1) <= 2).all()
    together = CertifiedSparseCCA(k=3).fit(X, Y)
    assert model.correlations_[0] <= together.correlation_bounds_[0] * (1 + 1e-9)
    assert "at most 1 of x0, x1, x2 and at most 2 of y0, y1, y2" in model.results_[0].statement
    for wrong in ({"k_x": 1}, {"k": 3, "k_x": 1, "k_y": 2}):
        with pytest.raises(InputError, match="k_x and k_y together"):
            CertifiedSparseCCA(**wrong).fit(X, Y)


def test_directions_of_a_data_frame_are_named_after_its_columns():
    wine = load_wine(as_frame=True)
    model = CertifiedSparseLDA(k=3).fit(wine.data, wine.target)
    assert all(set(found.support) <= set(wine.data.columns) for found in model.results_)
    assert len(model.results_[0].support) == 3


def test_directions_and_pairs_meet_conditions():
    X, y = load_wine(return_X_y=True)
    model = CertifiedSparseLDA(k=3, include=[0], exclude=[6, 9]).fit(X, y)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    found = discriminants(scaled, y, 3, 2, ridge=1e-3, include=[0], exclude=[6, 9])
    assert [result.lower for result in model.results_] == [result.lower for result in found]
    assert not model.components_[:, [6, 9]].any()
    assert model.results_[0].upper < CertifiedSparseLDA(k=3).fit(X, y).results_[0].lower
    X, Y = load_linnerud(return_X_y=True)
    pairs = CertifiedSparseCCA(k=3, exclude=[1], include=[5]).fit(X, Y)
    assert not pairs.x_weights_[0, 1]
    assert pairs.correlation_bounds_[0] < CertifiedSparseCCA(k=3).fit(X, Y).correlations_[0]
