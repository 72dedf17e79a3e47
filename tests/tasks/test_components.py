from fractions import Fraction

import numpy as np
import pytest
from exact_tables import exact_span

from relaxspca import Covariance, DataWarning, InputError, verify
from relaxspca.candidates.deflation import DEFLATIONS
from relaxspca.datasets import load_pitprops
from relaxspca.tasks.components import components
from relaxspca.tasks.table_fields import adjusted_variance, raw_variance, score_correlations, span_variance


def test_pitprops_six_components_with_exact_supports():
    # METHODS: brute force for each support, projection deflation.
    cov = load_pitprops()
    for sizes, adjusted in (([7, 4, 4, 1, 1, 1], 75.639), ([7, 2, 1, 1, 1, 1], 73.462)):
        found = components(cov, sizes)
        assert [result.status for result in found.results] == ["optimal"] * 6
        assert 100 * found.adjusted.sum() / found.total == pytest.approx(adjusted, abs=5e-4)
        assert 100 * found.raw[0] / found.total == pytest.approx(30.740, abs=5e-4)


def test_full_cardinality_gives_the_principal_components_in_every_deflation():
    A = np.random.default_rng(0).normal(size=(9, 5)) * [3.0, 2.0, 1.5, 1.0, 0.5]
    cov = Covariance(A.T @ A)
    values = np.linalg.eigvalsh(cov.matrix)[::-1][:3]
    for deflation in DEFLATIONS:
        found = components(cov, 5, 3, deflation=deflation, gap=1.0)
        assert found.raw == pytest.approx(values)
        assert found.adjusted == pytest.approx(values)
        assert found.explained == pytest.approx(np.cumsum(values))
        assert found.share_of_dense == pytest.approx(1)


def test_variances_are_those_of_the_scores():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 6))
    X -= X.mean(axis=0)
    cov = Covariance(X.T @ X)
    V = np.round(rng.normal(size=(6, 3)), 1)
    V = np.column_stack([V, V[:, 0], V @ [1.0, 2.0, -1.0]])  # in the span already: they add nothing
    V /= np.linalg.norm(V, axis=0)
    assert raw_variance(cov, V) == pytest.approx((X @ V).var(axis=0) * 40)
    assert adjusted_variance(cov, V) == pytest.approx(np.diagonal(np.linalg.qr(X @ V)[1]) ** 2)
    for j in range(1, 6):
        projected = X @ V[:, :j] @ np.linalg.pinv(V[:, :j], rcond=1e-9)
        assert span_variance(cov, V)[j - 1] == pytest.approx(np.linalg.norm(projected) ** 2)
    assert score_correlations(cov, V) == pytest.approx(np.corrcoef(X @ V, rowvar=False))


@pytest.mark.parametrize("angle", [1e-3, 1e-5, 1e-6])
def test_nearly_equal_vectors_span_what_exact_arithmetic_says(angle):
    S = [[3.0, 1.0, 0.5], [1.0, 2.0, 0.25], [0.5, 0.25, 1.0]]
    V = np.array([[1.0, 1.0], [0.0, angle], [0.5, 0.5]])
    exact = [Fraction(0), *exact_span([[Fraction(x) for x in row] for row in S], V)]
    found = span_variance(Covariance(S), V)
    assert float(exact[-1]) == pytest.approx(found[-1], rel=1e-15 / angle * 100)


def test_generalized_components_maximise_their_quotient():
    A = np.random.default_rng(2).normal(size=(9, 6))
    cov = Covariance(A.T @ A)
    found = components(cov, 3, 2, deflation="generalized", gap=1.0)
    q, x = found.loadings_array[:, 0], found.loadings_array[:, 1]
    P = np.eye(6) - np.outer(q, q)
    deflated = P @ cov.matrix @ P
    quotient = (x @ deflated @ x) / (x @ P @ x)
    rng = np.random.default_rng(3)
    support = found.candidates[1].indices
    for _ in range(200):
        y = np.zeros(6)
        y[support] = rng.normal(size=3)
        assert (y @ deflated @ y) / (y @ P @ y) <= quotient + 1e-9


def test_the_thin_factor_is_kept():
    A = np.random.default_rng(4).normal(size=(4, 9))
    found = components(Covariance.from_factor(A), 3, 2, gap=1.0)
    same = components(Covariance(A.T @ A), 3, 2, gap=1.0)
    assert found.loadings_array == pytest.approx(same.loadings_array, abs=1e-8)


def test_each_certificate_verifies_for_its_deflated_covariance():
    found = components(load_pitprops().restrict(range(7)), 3, 3, deflation="schur")
    digests = {result.certificate.digest for result in found.results}
    assert len(digests) == 3
    assert all(verify(result.certificate) for result in found.results)


def test_shares_of_no_variance_are_not_numbers():
    with pytest.warns(DataWarning, match="not positive semidefinite"):
        cov = Covariance([[0.0, 1.0], [1.0, 0.0]])
    found = components(cov, [2])
    assert found.raw[0] == pytest.approx(1.0)
    assert np.isnan(found.to_records()[0]["share"])
    assert "nan" not in repr(found)


def test_a_component_that_comes_again_is_told():
    """One positive eigenvalue: what is left after its vector has no variance above 0."""
    with pytest.warns(DataWarning, match="not positive semidefinite"):
        cov = Covariance(np.diag([2.0, -1.0, -3.0]))
    found = components(cov, 1, 2)
    assert found.raw.tolist() == [2.0, 2.0]
    assert "Component 2 is component 1 again and adds almost nothing" in repr(found)
    assert "again" not in repr(components(load_pitprops(), 2, 3))


def test_a_mixture_of_earlier_components_is_told():
    """Two positive eigenvalues: the third component is any vector of the span of the first two."""
    U = np.linalg.qr(np.random.default_rng(0).normal(size=(5, 5)))[0]
    S = U @ np.diag([3.0, 2.0, -1.0, -1.5, -2.0]) @ U.T
    with pytest.warns(DataWarning, match="not positive semidefinite"):
        cov = Covariance((S + S.T) / 2)
    found = components(cov, 5, 3)
    cosines = found.loadings_array.T @ found.loadings_array
    assert cosines[2, 0] ** 2 + cosines[2, 1] ** 2 == pytest.approx(1.0)
    assert np.abs(cosines[2, :2]).max() < 1 - 1e-6  # neither of them again
    assert "Component 3 adds almost nothing to the previous ones: no component explains more" in repr(found)
    assert "Component 2 adds" not in repr(found)


def test_where_no_variance_is_left_the_error_says_how_many_components_there_are():
    cov = Covariance.from_factor(np.array([[1.0, 1, 1, 1], [1, -1, 1, -1]]))
    assert len(components(cov, 4, 2).results) == 2
    with pytest.raises(InputError, match="no variance is left after 2 components: ask for 2 components"):
        components(cov, 4, 3)
