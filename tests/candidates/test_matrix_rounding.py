import numpy as np
import pytest

from relaxspca import Covariance, InputError
from relaxspca.candidates.matrix_rounding import round_loadings_matrix
from relaxspca.datasets import load_pitprops
from relaxspca.relaxations.published import dspca, perspective_models, spartrahedron


@pytest.mark.parametrize("relaxation", [dspca, spartrahedron, perspective_models])
@pytest.mark.parametrize(("k", "best"), [(5, 3.4061549468), (10, 4.1726376616)])
def test_relaxations_of_pitprops_round_to_the_optimum(relaxation, k, best):
    cov = load_pitprops()
    model = relaxation.model(cov, k=k)
    problem, X = model.problem, model.variables["X"]
    problem.solve(solver="CLARABEL")
    assert round_loadings_matrix(cov, k, X.value).value == pytest.approx(best, abs=1e-9)


def test_a_rank_one_matrix_gives_back_its_planted_support():
    rng = np.random.default_rng(0)
    for _ in range(20):
        x = np.zeros(10)
        support = np.sort(rng.choice(10, size=4, replace=False))
        x[support] = rng.choice([-1.0, 1.0], size=4) * rng.uniform(0.5, 1.0, size=4)
        cov = Covariance(20 * np.outer(x, x) + np.eye(10))
        assert np.array_equal(round_loadings_matrix(cov, 4, np.outer(x, x)).indices, support)


def test_draws_weights_and_swaps_only_help():
    rng = np.random.default_rng(1)
    for _ in range(20):
        cov = Covariance.from_factor(rng.normal(size=(6, 12)))
        L = rng.normal(size=(12, 3))
        few = round_loadings_matrix(cov, 4, L @ L.T, draws=0).value
        z = rng.random(12)
        more = round_loadings_matrix(cov, 4, L @ L.T, weights=z, draws=200, rng=rng).value
        most = round_loadings_matrix(cov, 4, L @ L.T, draws=0, swaps=True).value
        top = np.sort(np.argsort(-z)[:4])
        assert more >= max(few, np.linalg.eigvalsh(cov.submatrix(top))[-1]) - 1e-12
        assert most >= few


def test_what_does_not_fit_is_said():
    with pytest.raises(InputError, match="13 variables"):
        round_loadings_matrix(load_pitprops(), 3, np.eye(4))
    with pytest.raises(InputError, match="finite"):
        round_loadings_matrix(load_pitprops(), 3, np.full((13, 13), np.nan))
