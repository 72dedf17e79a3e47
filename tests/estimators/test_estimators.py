"""The estimators obey scikit-learn's contract and agree with the functions they wrap."""

import importlib
import sys

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from relaxspca import InputError, MissingExtra
from relaxspca.columns import as_data_matrix
from relaxspca.encoders import batch_encoder
from relaxspca.estimators import SparseLinearEncoder, SparsePCARegressor
from relaxspca.regression import dsf_select


@pytest.mark.parametrize(
    "estimator",
    [
        SparseLinearEncoder(),
        SparseLinearEncoder(method="iterative", selection="pursuit"),
        SparsePCARegressor(),
        SparsePCARegressor(method="rsf"),
        SparsePCARegressor(method="principal"),
    ],
    ids=repr,
)
def test_contract(estimator):
    check_estimator(estimator)


def data(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, 12)) @ np.diag(np.arange(1.0, 13.0)) + 5.0
    return X, X @ rng.standard_normal((12, 2)) + rng.standard_normal((60, 2))


def test_encoder_agrees_with_the_function_and_its_loss_is_the_reconstruction_error():
    X, _ = data()
    model = SparseLinearEncoder(2, n_columns=5).fit(X)
    expected = batch_encoder(as_data_matrix(X, centre=True), 2, 5)
    assert model.columns_.tolist() == expected.indices.tolist()
    reconstruction = model.inverse_transform(model.transform(X))
    assert np.isclose(np.square(X - reconstruction).sum(), model.loss_)
    dense = PCA(2).fit(X)
    residual = X - dense.inverse_transform(dense.transform(X))
    assert np.isclose(np.square(residual).sum(), model.optimal_loss_)
    assert model.optimal_loss_ <= model.loss_ <= model.loss_bound_


def test_sparse_input_gives_the_fit_of_dense_input():
    X, Y = data(1)
    X = np.where(np.abs(X) < 6.0, 0.0, X)
    for estimator in (SparseLinearEncoder(2), SparsePCARegressor(2)):
        dense, thin = clone(estimator).fit(X, Y), clone(estimator).fit(sparse.csr_array(X), Y)
        assert dense.columns_.tolist() == thin.columns_.tolist()
    np.testing.assert_allclose(thin.predict(sparse.csr_array(X)), dense.predict(X))


def test_regressor_agrees_with_the_function_for_one_and_many_targets():
    X, Y = data(2)
    centred = as_data_matrix(X, centre=True)
    for targets in (Y, Y[:, 0]):
        model = SparsePCARegressor(3, n_columns=6).fit(X, targets)
        expected = dsf_select(centred, targets - targets.mean(axis=0), 3, 6)
        assert model.columns_.tolist() == expected.columns.tolist()
        assert np.isclose(np.linalg.norm(targets - model.predict(X)), model.error_)
        assert model.error_ <= model.error_bound_
        assert model.predict(X).shape == targets.shape


def test_seed_decides_the_random_methods():
    X, Y = data(3)
    columns = [SparsePCARegressor(3, method="random", random_state=s).fit(X, Y).columns_ for s in (1, 1, 2)]
    assert columns[0].tolist() == columns[1].tolist() != columns[2].tolist()


def test_pipeline_and_feature_names():
    X, _ = data(4)
    pipeline = make_pipeline(StandardScaler(), SparseLinearEncoder(2)).fit(X)
    assert pipeline.get_feature_names_out().tolist() == ["sparselinearencoder0", "sparselinearencoder1"]


def test_refuses_unknown_methods():
    X, Y = data(5)
    with pytest.raises(InputError, match="method"):
        SparseLinearEncoder(method="best").fit(X)
    with pytest.raises(InputError, match="method"):
        SparsePCARegressor(method="best").fit(X, Y)
    for wrong in ({"n_components": 1.5}, {"n_components": 2, "n_columns": 4.5}):
        for method in ("batch", "iterative"):
            with pytest.raises(InputError, match=r"must be a whole number, not \d.\d"):
                SparseLinearEncoder(method=method, **wrong).fit(X)
        for method in ("dsf", "exchange", "rsf", "random"):
            with pytest.raises(InputError, match=r"must be a whole number, not \d.\d"):
                SparsePCARegressor(method=method, **wrong).fit(X, Y)
    with pytest.raises(InputError, match="must be a whole number, not 1.5"):
        SparsePCARegressor(1.5, method="principal").fit(X, Y)


def test_missing_scikit_learn_names_the_extra(monkeypatch, absent):
    for name in [n for n in sys.modules if n.startswith("relaxspca.estimators")]:
        monkeypatch.delitem(sys.modules, name)
    absent("sklearn")
    with pytest.raises(MissingExtra, match=r"relaxspca\[estimators\]"):
        importlib.import_module("relaxspca.estimators")


@pytest.mark.parametrize("wrong", ["a", [2], 1.5])
def test_numbers_of_components_and_methods_of_the_wrong_kind(wrong):
    X = np.random.default_rng(0).normal(size=(20, 5))
    for estimator in (SparseLinearEncoder, SparsePCARegressor):
        with pytest.raises(InputError, match="n_components must be a whole number"):
            estimator(n_components=wrong).fit(X, X[:, 0])
        with pytest.raises(InputError, match="method must be one of"):
            estimator(method=wrong).fit(X, X[:, 0])
