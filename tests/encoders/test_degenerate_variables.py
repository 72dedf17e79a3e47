"""Zero, constant, duplicate and tiny variables: every selection and encoder against brute force."""

import itertools

import numpy as np
import pytest
from draws import draws

from relaxspca import Covariance
from relaxspca.checker import verify
from relaxspca.columns import SELECTIONS, as_data_matrix, best_rank_k_in_span
from relaxspca.encoders import batch_encoder, iterative_encoder, optimal_encoder
from relaxspca.regression import dsf_select

NOTHING = {0, 4}  # the variables without variance


def observations(seed=0, m=12):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 7)) * [1, 3, 1, 2, 1, 1, 2]
    X[:, 0], X[:, 4] = 0.1, -1e3 / 3
    X[:, 5] = X[:, 3]
    X[:, 6] = X[:, 1] - X[:, 2]
    return X


def forms(X):
    """Data, or a covariance, and the same centred and scaled alike, with exact zeros."""
    m = len(X)
    centred = X - X.mean(axis=0)
    exact = centred.copy()
    exact[:, sorted(NOTHING)] = 0.0
    return [
        (centred, exact),
        (as_data_matrix(X, centre=True), exact),
        (Covariance.from_data(X), exact / np.sqrt(m - 1)),
        (Covariance(centred.T @ centred), exact),
        (Covariance(exact.T @ exact), exact),
        (Covariance.from_chunks([X]), exact / np.sqrt(m - 1)),
        (Covariance.from_data(X[:6]), (exact[:6] - exact[:6].mean(axis=0)) / np.sqrt(5)),
    ]


FORMS = [form for seed in draws((1,), (0, 1)) for form in forms(observations(seed))]


def projected(C, X):
    """The projection of X on the span of C, by a decomposition whose cut is far from rounding."""
    U, values, _ = np.linalg.svd(C, full_matrices=False)
    U = U[:, values > 1e-9 * max(values[0], 1e-9)]
    return U @ (U.T @ X)


def column_loss(X, T, k):
    values = np.linalg.svd(projected(X[:, T], X), compute_uv=False)
    return np.square(X).sum() - np.square(values[:k]).sum()


def decoded_loss(X, H):
    return np.square(X - projected(X @ H, X)).sum()


def assert_is_what_it_says(encoder, X):
    assert encoder.loss == pytest.approx(decoded_loss(X, encoder.loadings_array), rel=1e-9, abs=1e-9)
    assert np.square(X - X @ encoder.loadings_array @ encoder.decoder).sum() == pytest.approx(
        encoder.loss, abs=1e-9
    )
    assert np.abs(encoder.decoder).max() < 100


@pytest.mark.parametrize(("data", "X"), FORMS)
def test_columns_lose_what_they_lose_by_brute_force(data, X):
    for r in (1, 2, 3):
        for T in itertools.combinations(range(7), r):
            for k in range(1, r + 1):
                loss = best_rank_k_in_span(data, T, k).loss
                assert loss == pytest.approx(column_loss(X, T, k), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize(("data", "X"), FORMS)
def test_selections_prefer_variables_that_vary(selection, data, X):
    for k, r in ((1, 3), (2, 4)):
        chosen = SELECTIONS[selection](data, k, r)
        assert not NOTHING & set(chosen.tolist())
        assert_is_what_it_says(batch_encoder(data, k, r, selection=selection), X)
        if selection == "exchange":
            losses = [column_loss(X, [*(set(chosen) - {i}), j], k) for i in chosen for j in range(7)]
            assert column_loss(X, chosen, k) <= min(losses) + 1e-9


@pytest.mark.parametrize(("data", "X"), FORMS)
def test_encoders_of_many_factors_lose_what_they_say(data, X):
    for selection in ("pursuit", "exchange", "dual_set"):
        assert_is_what_it_says(iterative_encoder(data, 3, 2, selection=selection), X)


@pytest.mark.parametrize(("data", "X"), [(data, X) for data, X in FORMS if isinstance(data, Covariance)])
def test_the_optimal_encoder_is_the_best_support(data, X):
    for r in (1, 2):
        best = optimal_encoder(data, r, time_limit=5.0)
        least = min(column_loss(X, T, 1) for T in itertools.combinations(range(7), r))
        assert best.loss == pytest.approx(least, rel=1e-6)
        assert best.loss_lower <= least * (1 + 1e-12)
        assert_is_what_it_says(best, X)
        assert verify(best.certificate)


def test_a_variable_without_variance_does_not_hide_the_optimum():
    S = np.array([[1.0, 0, -1, -1], [0, 0, 0, 0], [-1, 0, 3, -1], [-1, 0, -1, 3]])
    for r, loss in ((1, 10 / 3), (2, 3.0), (4, 3.0)):
        best = optimal_encoder(Covariance(S), r)
        assert best.status == "optimal"
        assert best.loss == pytest.approx(loss)
        assert 1 not in best.indices


def test_what_the_factor_cannot_resolve_is_not_chosen():
    # Variable 1 explains 1e-6 of variable 0; the factor, which drops the second eigenvalue, says all of it.
    best = optimal_encoder(Covariance([[1.0, 3e-11], [3e-11, 1e-15]]), 1)
    assert best.indices.tolist() == [0]


def test_features_for_regression_ignore_constant_columns():
    X = observations()
    centred = X - X.mean(axis=0)
    y = centred[:, 1] + centred[:, 3]
    model = dsf_select(centred, y, 2, 6)
    assert np.abs(model.coefficients).max() < 10
    assert model.error == pytest.approx(np.linalg.norm(y - projected(centred[:, [1, 2, 3]], y)), abs=1e-9)
