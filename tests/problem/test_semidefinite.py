import numpy as np
from scipy import sparse

from relaxspca import Covariance


def test_a_variable_without_variance_is_exactly_zero_in_the_factor():
    S = np.array([[1.0, 0, -1, -1], [0, 0, 0, 0], [-1, 0, 3, -1], [-1, 0, -1, 3]])
    X = np.random.default_rng(0).normal(size=(9, 4))
    X[:, 1] = 0.1
    wide = np.hstack([X[:3], X[3:6]])
    for cov in (
        Covariance(S),
        Covariance.from_data(X),
        Covariance.from_data(sparse.csr_array(X)),
        Covariance.from_data(wide),
        Covariance.from_data(sparse.csr_array(wide)),
    ):
        assert cov.diagonal[1] == 0.0
        assert not cov.factor[:, 1].any()
        assert np.linalg.norm(cov.matrix - cov.factor.T @ cov.factor, 2) <= cov.factor_residual + 1e-13
