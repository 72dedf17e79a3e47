"""The estimators obey scikit-learn's contract and say what the functions prove."""

import importlib
import itertools
import sys

import numpy as np
import pandas as pd
import pytest
from draws import draws
from scipy import sparse

pytest.importorskip("sklearn")

from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import relaxspca as rs
from relaxspca.applications import discriminants
from relaxspca.estimators import CertifiedSparseLDA, CertifiedSparsePCA


@pytest.mark.parametrize(
    ("correlation", "joint"),
    draws([(False, False), (True, True)], [*itertools.product([False, True], repeat=2)]),
)
def test_contract(correlation, joint):
    check_estimator(CertifiedSparsePCA(k=1, gap=0.1, correlation=correlation, joint=joint))


def wine():
    return load_wine(as_frame=True).data


def test_is_what_solve_proves_of_the_correlation_matrix():
    X = wine()
    model = CertifiedSparsePCA(2, k=[5, 3], correlation=True).fit(X)
    best = rs.solve(rs.Covariance.from_data(X, correlation=True), 5)
    np.testing.assert_allclose(model.components_[0], best.candidate.loadings, atol=1e-12)
    published = 3.4397787195  # wine, k = 5, by enumeration
    assert np.isclose(model.explained_variance_[0], published, rtol=1e-6, atol=0)
    assert (model.gaps_ < 1e-8).all()
    assert np.count_nonzero(model.components_, axis=1).tolist() == [5, 3]
    assert all(rs.verify(certificate) for certificate in model.certificates_)


def test_scores_have_the_variance_that_is_stated():
    X = wine().to_numpy()[:, :8]
    for correlation in (False, True):
        model = CertifiedSparsePCA(3, k=4, correlation=correlation).fit(X)
        scores = model.transform(X)
        np.testing.assert_allclose(scores.mean(axis=0), 0, atol=1e-9)
        raw = scores.var(axis=0, ddof=1)
        np.testing.assert_allclose(raw, model.table_.raw, rtol=1e-9)
        np.testing.assert_allclose(raw[0], model.explained_variance_[0], rtol=1e-9)
        assert np.isclose(model.score(X), model.explained_variance_ratio_.sum(), rtol=1e-9)


def test_all_variables_are_principal_components():
    X = wine().to_numpy()[:, :6]
    model, dense = CertifiedSparsePCA(2, k=6).fit(X), PCA(2).fit(X)
    np.testing.assert_allclose(np.abs(model.components_), np.abs(dense.components_), atol=1e-6)
    np.testing.assert_allclose(model.explained_variance_ratio_, dense.explained_variance_ratio_)
    back = model.inverse_transform(model.transform(X))
    np.testing.assert_allclose(back, dense.inverse_transform(dense.transform(X)), atol=1e-5)
    assert np.isclose(model.score(X), dense.explained_variance_ratio_.sum())


def test_sparse_data_and_constant_columns():
    X = wine().to_numpy().copy()
    X[:, 3] = 7.0
    X[X < 1.0] = 0.0
    with pytest.warns(rs.DataWarning, match="constant"):
        dense = CertifiedSparsePCA(2, k=3, correlation=True).fit(X)
    with pytest.warns(rs.DataWarning, match="constant"):
        thin = CertifiedSparsePCA(2, k=3, correlation=True).fit(sparse.csr_array(X))
    assert not dense.components_[:, 3].any()
    np.testing.assert_allclose(thin.components_, dense.components_, atol=1e-9)
    np.testing.assert_allclose(thin.transform(sparse.csr_array(X)), dense.transform(X), atol=1e-9)


def test_certificates_name_the_columns_of_a_frame():
    X = wine()
    X["alcohol"] = 13.0
    with pytest.warns(rs.DataWarning, match="constant column.*: alcohol"):
        model = CertifiedSparsePCA(2, k=3, correlation=True).fit(X)
    for weights, certificate in zip(model.components_, model.certificates_, strict=True):
        named = set(certificate.support)
        assert named == set(X.columns[np.flatnonzero(weights)])
    assert CertifiedSparsePCA(k=2).fit(wine().to_numpy()).certificates_[0].names[:2] == ("0", "1")


def test_pipeline_grid_search_and_frames():
    X, y = load_wine(return_X_y=True, as_frame=True)
    model = make_pipeline(CertifiedSparsePCA(k=5, correlation=True, gap=0.05), LogisticRegression())
    search = GridSearchCV(model, {"certifiedsparsepca__k": [1, 5]}, cv=2).fit(X, y)
    assert search.best_params_ == {"certifiedsparsepca__k": 5}
    frame = CertifiedSparsePCA(2, k=2).set_output(transform="pandas").fit_transform(X.iloc[:, :5])
    assert isinstance(frame, pd.DataFrame)
    assert frame.columns.tolist() == ["certifiedsparsepca0", "certifiedsparsepca1"]


@pytest.mark.parametrize(("n_components", "words"), [(1, {"k": [3, 2], "disjoint": True}), (2, {"k": 3})])
def test_components_proved_together(n_components, words):
    X = np.random.default_rng(4).normal(size=(40, 6)) @ np.random.default_rng(5).normal(size=(6, 6))
    model = CertifiedSparsePCA(n_components, joint=True, correlation=True, **words).fit(X)
    count = None if n_components == 1 else n_components
    cov = rs.Covariance.from_data(X, correlation=True)
    found = rs.components(cov, n_components=count, joint=True, **words)
    assert np.array_equal(model.components_, found.loadings_array.T)
    assert np.abs(model.components_ @ model.components_.T - np.eye(2)).max() < 1e-12
    assert model.results_ == ()
    assert model.table_.status == "optimal"
    assert (model.gaps_ == model.table_.gap).all()
    assert model.gaps_[0] < 1e-6
    [certificate] = model.certificates_
    assert rs.verify(certificate)
    bounds = (found.lower, found.upper)
    assert (certificate.lower, certificate.upper) == (model.table_.lower, model.table_.upper) == bounds
    assert model.explained_variance_ratio_.sum() == pytest.approx(model.table_.share)
    assert model.table_.share == pytest.approx(found.lower / 6)  # orthonormal: the sum that is bounded
    assert "disjoint" not in words or not np.all(model.components_, axis=0).any()


def test_refuses_what_cannot_be():
    X = wine()
    with pytest.raises(rs.InputError, match="deflation"):
        CertifiedSparsePCA(k=2, deflation="none").fit(X)
    with pytest.raises(rs.InputError, match="n_components must be a whole number, not 1.5"):
        CertifiedSparsePCA(1.5, k=2).fit(X)
    with pytest.raises(rs.InputError, match="k holds 2 numbers for 3 components"):
        CertifiedSparsePCA(3, k=[4, 3]).fit(X)
    with pytest.raises(rs.InputError, match="k = 99"):
        CertifiedSparsePCA(k=99).fit(X)
    with pytest.raises(rs.InputError, match="no deflation"):
        CertifiedSparsePCA(2, k=3, joint=True, deflation="schur").fit(X)
    with pytest.raises(rs.InputError, match="go with joint=True"):
        CertifiedSparsePCA(k=[3, 2], disjoint=True).fit(X)


def test_missing_scikit_learn_names_the_extra(monkeypatch, absent):
    absent("sklearn")
    for name in [n for n in sys.modules if n.startswith("relaxspca.estimators")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(rs.MissingExtra, match=r"relaxspca\[estimators\]"):
        importlib.import_module("relaxspca.estimators")


def test_contract_of_discriminants():
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
