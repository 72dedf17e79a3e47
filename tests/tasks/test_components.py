"""Several components, one after another and together, and the bound on all of them."""

from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from exact_tables import exact_span
from interrupts import interrupt

import relaxspca as rs
from relaxspca import Covariance, DataWarning, InputError
from relaxspca.candidates.deflation import DEFLATIONS
from relaxspca.datasets import load_pitprops
from relaxspca.relaxations import spectral
from relaxspca.search import branch_and_bound
from relaxspca.tasks import components as components_module
from relaxspca.tasks import joint
from relaxspca.tasks.components import components, quick_bound
from relaxspca.tasks.table_fields import adjusted_variance, raw_variance, score_correlations, span_variance
from tests.small_covariances import draw
from tests.small_tables import best_table

PITPROPS = load_pitprops()


def test_pitprops_six_components_with_exact_supports():
    # METHODS: brute force for each support, projection deflation.
    for sizes, adjusted in (([7, 4, 4, 1, 1, 1], 75.639), ([7, 2, 1, 1, 1, 1], 73.462)):
        found = components(PITPROPS, sizes)
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
    assert "again" not in repr(components(PITPROPS, 2, 3))


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


DRAWN = ["wishart", "correlation", "tied", "duplicated", "integer", "indefinite", "rank_deficient", "factor"]


@pytest.mark.parametrize("seed", range(draws(3, 24)))
def test_the_bound_of_many_variables_holds_for_few(seed, monkeypatch):
    """Against every choice of supports of up to five variables, by the means that are for more than 40."""
    monkeypatch.setattr(components_module, "SMALL", 0)
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 6))
    S = draw(DRAWN[seed % len(DRAWN)], rng, n)
    sizes = [int(k) for k in rng.integers(1, n + 1, size=2)]
    best = best_table(S, tuple(sorted(sizes, reverse=True)), rng=rng, starts=4)
    cov = rs.Covariance(S)
    first = rs.solve(cov, sizes[0]).upper
    for options in ({}, {"first": first}):
        upper = quick_bound(cov, sizes, 1.0, **options)
        assert upper >= best - 1e-9 * np.abs(S).max()
        assert upper <= len(sizes) * np.linalg.eigvalsh(S)[-1] * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize("n", [48, 801])
def test_many_variables_have_a_joint_bound_and_its_line(n):
    """Three planted blocks of four variables with correlation .8, .7 and .6; all else is independent."""
    S = np.eye(n)
    for block, correlation in enumerate((0.8, 0.7, 0.6)):
        here = slice(4 * block, 4 * block + 4)
        S[here, here] += correlation * (1 - np.eye(4))
    optimum = 3 + 3 * (0.8 + 0.7 + 0.6)
    found = rs.components(rs.Covariance(S), 4, 3)
    assert found.raw.sum() == pytest.approx(optimum, rel=1e-9)
    assert optimum <= found.joint_upper <= optimum * (1 + 1e-6 if n == 48 else 1.1)
    assert "orthogonal components of these sizes can explain more than" in repr(found)


def test_a_bound_on_some_supports_is_not_taken_for_one_on_all():
    S = np.diag(np.r_[9.0, 8.0, np.ones(48)])
    found = rs.components(rs.Covariance(S), 1, 2, exclude=[0, 1])
    assert found.raw.tolist() == [1.0, 1.0]
    assert 17 <= found.joint_upper <= 17 * (1 + 1e-9)


def test_ctrl_c_during_the_bound_keeps_the_components(monkeypatch):
    interrupt(monkeypatch, components_module, "quick_bound")
    found = rs.components(PITPROPS, [3, 2])
    assert found.is_interrupted
    assert found.joint_upper is None
    assert [str(result.status) for result in found.results] == ["optimal", "optimal"]
    assert "interrupted" in repr(found)


def test_ctrl_c_that_a_search_for_the_bound_keeps_to_itself_is_passed_on(monkeypatch):
    cov = rs.Covariance(draw("wishart", np.random.default_rng(0), 45))
    interrupt(monkeypatch, branch_and_bound, "expand")
    with pytest.raises(KeyboardInterrupt):
        quick_bound(cov, [5, 5], 1.0)


def test_components_keep_the_order_they_are_asked_in():
    """Their bound is below the sum of the single optima, and that of Ky Fan."""
    cov = PITPROPS.restrict(range(8))
    found = rs.components(cov, [2, 4], joint=True)
    assert found.status == "optimal"
    assert [len(support) for support in found.supports] == [2, 4]
    assert float(found.raw.sum()) == pytest.approx(found.lower, rel=1e-10)
    assert np.abs(found.loadings_array.T @ found.loadings_array - np.eye(2)).max() < 1e-14
    assert found.upper <= rs.solve(cov, 2).upper + rs.solve(cov, 4).upper
    assert found.upper <= found.dense
    assert found.upper <= found.root


@pytest.mark.usefixtures("unlisted")
def test_a_spent_limit_leaves_both_bounds():
    found = rs.components(PITPROPS, 4, 4, joint=True, disjoint=True, time_limit=0)
    assert found.status == "time limit"
    assert found.lower <= 8.535914 <= found.upper <= found.dense * (1 + 1e-9)
    few = rs.components(PITPROPS, 4, 4, joint=True, disjoint=True, node_limit=1)
    assert (few.status, few.node_count) == ("node limit", 1)
    assert 8.535913 <= few.upper <= 8.56
    seen = []
    stopped = rs.components(
        PITPROPS, 4, 4, joint=True, disjoint=True, callback=lambda p: seen.append(p) or True
    )
    assert stopped.status == "interrupted"
    assert stopped.lower - 1e-7 <= 8.5359129 <= stopped.upper
    assert len(seen) == 1


def test_one_component_is_one_and_sizes_that_cannot_all_be_used_are_at_most():
    text = rs.components(PITPROPS, [3], joint=True).statement
    assert "1 component of 3 variables: " in text
    assert "of what the first ordinary PC explains" in text
    few = rs.components(rs.Covariance(np.diag([3.0, 2.0, 1.0])), [2, 2], joint=True, disjoint=True)
    assert "of at most 2 variables each, no variable used twice" in few.statement
    alike = rs.components(PITPROPS.restrict(range(5)), 3, 2, joint=True, common=True)
    assert "of 2 orthogonal components of 3 variables in common" in alike.statement


def test_as_many_components_as_variables_on_all_variables_are_the_principal_ones():
    found = rs.components(PITPROPS, [13] * 13, joint=True)
    values, vectors = np.linalg.eigh(PITPROPS.matrix)
    assert found.status == "optimal"
    assert found.raw == pytest.approx(values[::-1], abs=1e-9)
    assert np.abs(np.sum(found.loadings_array * vectors[:, ::-1], axis=0)) == pytest.approx(1, abs=1e-9)
    assert found.lower <= found.raw.sum() + 1e-9
    assert rs.verify(found.certificate)


def test_ctrl_c_while_the_certificate_is_made_keeps_table_and_bounds(monkeypatch):
    cov = rs.Covariance(PITPROPS.matrix[:5, :5])
    whole = rs.components(cov, [2, 2], joint=True)
    interrupt(monkeypatch, joint, "table_certificate")
    found = rs.components(cov, [2, 2], joint=True)
    assert found.is_interrupted
    assert found.certificate is None
    assert found.lower == whole.lower <= whole.upper <= found.upper * (1 + 1e-12)
    assert "The bounds have no certificate." in repr(found)


@pytest.mark.parametrize(
    ("sizes", "told"), [((5, 4, 3), {}), ((5, 4, 3), {"disjoint": True}), ((5, 5), {"common": True})]
)
def test_a_search_that_is_stopped_proves_no_less_than_single_components_do(sizes, told):
    X = np.random.default_rng(7).normal(size=(20, 70))
    cov = rs.Covariance.from_data(X, correlation=True)
    found = rs.components(cov, sizes, joint=True, time_limit=0, **told)
    singles = [spectral.upper_bound(cov, "rowsum", k) for k in sizes]
    assert found.lower <= found.upper <= 1.001 * sum(singles)
    assert found.upper < 0.8 * np.linalg.eigvalsh(cov.matrix)[-len(sizes) :].sum()
    assert rs.verify(found.certificate, against=cov)


def test_conditions_are_said(cov):
    cov = cov.restrict(["topdiam", "length", "moist", "testsg", "knots"])
    found = rs.components(cov, [3, 2], joint=True, include=[["knots"], []], exclude=["topdiam"])
    assert "subject to knots included in component 1, topdiam excluded" in str(found)
    assert "No 2 orthogonal components of these sizes under these conditions can explain more" in str(found)
    assert "knots" in found.certificate.names
    assert found.certificate.exclude.tolist() == [0]
    both = rs.components(cov, [3, 2], joint=True, include=["knots"])
    assert "subject to knots included: " in str(both)
