"""A covariance does not change, and says truly what it is."""

import pickle

import numpy as np
import pytest
from scipy import sparse

from relaxspca import Covariance, DataWarning, InputError
from relaxspca.candidates.deflation import DEFLATIONS, deflate
from relaxspca.certificate import Eliminated
from relaxspca.search.elimination import shrink

S = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 1.0]])
X = np.array([[1.0, 2.0, 0.0], [0.5, 4.0, 1.0], [3.0, 1.0, 5.0], [2.0, 2.5, 4.0]])


@pytest.mark.parametrize(
    "name", ["n", "names", "shift", "eliminated", "description", "matrix", "digest", "other"]
)
def test_nothing_of_a_covariance_can_be_set_or_deleted(name):
    cov = Covariance(S)
    before = cov.digest
    with pytest.raises(AttributeError, match=f"does not change: '{name}' cannot be set"):
        setattr(cov, name, None)
    with pytest.raises(AttributeError, match="cannot be deleted"):
        delattr(cov, name)
    assert (cov.digest, cov.eliminated, cov.names) == (before, None, ("x0", "x1", "x2"))


def test_an_elimination_under_a_cached_digest_is_another_covariance():
    cov = Covariance(S)
    whole = cov.digest
    part = shrink(cov, 1.5)
    assert part.eliminated.names == ("x2",)
    assert part.digest != cov.restrict([0, 1]).digest
    assert cov.digest == whole
    assert cov._with(eliminated=Eliminated(("more",), np.array([0.1]))).digest != whole


def test_a_covariance_travels_between_processes():
    for cov in (Covariance(S), Covariance.from_data(X[:2]), Covariance.from_factor(sparse.csr_array(X))):
        back = pickle.loads(pickle.dumps(cov))  # the digest is that of names and description too
        assert back.digest == cov.digest


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Covariance(S), "covariance matrix"),
        (lambda: Covariance(np.corrcoef(X, rowvar=False)), "correlation matrix"),
        (lambda: Covariance(np.corrcoef(X, rowvar=False).astype(np.float32)), "correlation matrix"),
        (lambda: Covariance.from_data(X), "covariance matrix of 4 observations"),
        (lambda: Covariance.from_data(sparse.csr_array(X[:2])), "covariance matrix of 2 observations"),
        (lambda: Covariance.from_data(X, correlation=True), "correlation matrix of 4 observations"),
        (
            lambda: Covariance.from_data(X, centred=False),
            "matrix of second moments of 4 observations about zero",
        ),
        (
            lambda: Covariance.from_data(X, True, centred=False),
            "correlation matrix of 4 observations about zero",
        ),
        (lambda: Covariance.from_chunks([X[:1], X[1:]]), "covariance matrix of 4 observations"),
        (lambda: Covariance.from_factor(X), "symmetric matrix"),
    ],
)
def test_what_a_matrix_is_called_is_true_and_stays_with_its_parts(make, words):
    cov = make()
    assert cov.description.words == words
    assert cov.restrict([0, 2]).description.words == words
    assert cov.scaled(1).description.words == words
    assert shrink(cov, 0.0).description.words == words


def test_an_indefinite_matrix_is_no_covariance_of_anything():
    with pytest.warns(DataWarning, match="not positive semidefinite"):
        assert Covariance([[1.0, 2.0], [2.0, 1.0]]).description.words == "symmetric matrix"


@pytest.mark.parametrize("method", list(DEFLATIONS))
def test_a_deflated_matrix_says_after_which_components_of_which_matrix(method):
    cov = Covariance.from_data(X)
    first, second = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.6, 0.8])
    once, basis = deflate(cov, first, deflation=method)
    twice, _ = deflate(once, second, deflation=method, basis=basis)
    assert once.description.words == "covariance matrix of 4 observations after 1 component was taken out"
    found = twice.description.deflation
    assert (found.method, found.digest) == (method, cov.digest)
    assert np.array_equal(found.loadings, np.column_stack([first, second]))
    assert cov.description.deflation is None
    other, _ = deflate(once, second, deflation="projection")
    both = method if method == "projection" else f"{method}, then projection"
    assert (other.description.deflation.method, other.description.deflation.digest) == (both, cov.digest)


def test_columns_of_zeros_have_no_second_moment_to_scale():
    Y = np.array([[1.0, 0.0, 7.0], [2.0, 0.0, 7.0]])
    with pytest.warns(DataWarning, match="dropped 1 all-zero column.*: x1"):
        assert Covariance.from_data(Y, correlation=True, centred=False).names == ("x0", "x2")


@pytest.mark.parametrize(
    ("maker", "m", "most"),
    [
        (Covariance.from_factor, 20_000, 5000 * 5000 / 10),
        (Covariance.from_data, 20_000, 5000 * 5000 / 10),
        (Covariance.from_data, 50, 50 * 5000 - 1),
    ],
)
def test_large_sparse_data_stay_sparse(maker, m, most, monkeypatch):
    A = sparse.random_array((m, 5000), density=2 / m, rng=np.random.default_rng(0), format="csr")
    largest, whole = [], sparse.csr_array.toarray
    for kind in (sparse.csr_array, sparse.csc_array):
        monkeypatch.setattr(
            kind, "toarray", lambda self, **o: (largest.append(np.prod(self.shape)), whole(self))[1]
        )
    cov = maker(A)
    some = np.argsort(-cov.diagonal)[:5]
    centre = A.mean(axis=0)[some] if maker == Covariance.from_data else np.zeros(5)
    dense = whole(A[:, some].tocsr()) - centre
    divisor = m - 1 if maker == Covariance.from_data else 1
    assert cov.submatrix(some) == pytest.approx(dense.T @ dense / divisor, rel=1e-9, abs=1e-15)
    cov.product(np.ones(5000))
    assert max(largest) <= most
    with pytest.raises(InputError, match="restrict the variables first"):
        _ = maker(sparse.vstack([A, sparse.csr_array((200_000, 5000))])).factor
