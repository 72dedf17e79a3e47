import numpy as np
import pytest
from draws import draws

from relaxspca import Covariance, InputError
from relaxspca.candidates.deflation import DEFLATIONS, deflate

pytestmark = pytest.mark.filterwarnings("ignore::relaxspca.DataWarning")

# Mackey 2008, table 1: is the component annihilated, is the matrix still positive semidefinite, do earlier
# components stay annihilated.
TABLE = {
    "hotelling": (False, False, False),
    "projection": (True, True, False),
    "schur": (True, True, True),
    "orthogonalized_hotelling": (False, False, False),
    "orthogonalized_projection": (True, True, True),
    "generalized": (True, True, True),
}


def random_sparse(rng, n):
    x = np.zeros(n)
    x[rng.choice(n, size=3, replace=False)] = rng.normal(size=3)
    return x / np.linalg.norm(x)


@pytest.mark.parametrize("factored", [False, True])
@pytest.mark.parametrize("deflation", DEFLATIONS)
def test_the_table_of_properties(deflation, factored):
    rng = np.random.default_rng(7)
    annihilates, semidefinite, keeps = [], [], []
    for _ in range(draws(10, 25)):
        A = rng.normal(size=(8, 6))
        cov = Covariance.from_factor(A) if factored else Covariance(A.T @ A)
        basis, taken = None, []
        for _ in range(3):
            x = random_sparse(rng, 6)
            cov, basis = deflate(cov, x, deflation=deflation, basis=basis)
            taken.append(x)
            annihilates.append(np.abs(cov.product(x)).max() < 1e-9)
        semidefinite.append(np.linalg.eigvalsh(cov.matrix)[0] > -1e-9)
        keeps.append(max(np.abs(cov.product(x)).max() for x in taken[:-1]) < 1e-9)
    assert (all(annihilates), all(semidefinite), all(keeps)) == TABLE[deflation]


def test_schur_is_the_conditional_covariance():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(30, 5))
    X -= X.mean(axis=0)
    x = random_sparse(rng, 5)
    score = X @ x
    residual = X - np.outer(score, score @ X) / (score @ score)
    deflated, _ = deflate(Covariance(X.T @ X), x, deflation="schur")
    assert deflated.matrix == pytest.approx(residual.T @ residual)


def test_a_repeated_component_changes_nothing_in_the_orthogonalised_forms():
    cov = Covariance([[2.0, 1.0, 0.5], [1.0, 2.0, 0.1], [0.5, 0.1, 1.0]])
    x = np.array([0.6, 0.8, 0.0])
    for deflation in ("orthogonalized_hotelling", "orthogonalized_projection", "generalized"):
        once, basis = deflate(cov, x, deflation=deflation)
        again, same = deflate(once, x, deflation=deflation, basis=basis)
        assert again is once
        assert same.shape == (3, 1)


def test_a_component_without_variance_leaves_schur_alone():
    cov = Covariance([[1.0, 0.0], [0.0, 0.0]])
    assert deflate(cov, np.array([0.0, 1.0]), deflation="schur")[0] is cov


@pytest.mark.parametrize("size", [1.0, 1e4, 1e12])
def test_what_is_left_has_the_shift_of_its_entries_whatever_was_taken_out(size):
    rng = np.random.default_rng(10)
    for n in (6, 40):
        x = random_sparse(rng, n)
        cov = Covariance(np.cov(rng.normal(size=(n // 2, n)), rowvar=False) + size * np.outer(x, x))
        left, _ = deflate(cov, x)
        assert left.shift == Covariance(left.matrix).shift
        assert (left.matrix == left.matrix.T).all()
        others = np.ix_(x == 0, x == 0)
        assert (left.matrix[others] == cov.matrix[others]).all()


@pytest.mark.parametrize("x", [[1.0, 1.0, 0.0], [1.0, 0.0], 1.0])
def test_only_unit_loadings_of_all_variables_are_taken_out(x):
    with pytest.raises(InputError, match="x must have 3 loadings, one for each variable, and length 1"):
        deflate(Covariance(np.eye(3)), np.array(x))
