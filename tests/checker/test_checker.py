"""Certificates are verified with the bounds of independent formulas, and no leaf proves less than the truth."""

import re
from fractions import Fraction

import numpy as np
import pytest
from building import changed, component, ones
from draws import examples
from hypothesis import given
from hypothesis import strategies as st
from true_certificates import (
    ROOM,
    certificate,
    covariance,
    optimum,
    perron_bound,
    perron_point,
    psi_bound,
    psi_point,
    top,
    true_certificates,
)
from true_choices import true_choices
from true_tables import true_tables

import relaxspca as rs
from relaxspca.certificate import FactorPoint, Leaf, RowsPoint, Split
from relaxspca.checker import Outcome, verify
from relaxspca.errors import CertificateError

TRUE = true_certificates() | true_tables() | true_choices()
SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("name", TRUE)
def test_what_is_proved_is_the_bound_of_an_independent_formula_and_no_less(name, exact, monkeypatch):
    """A bound rounded down is not verified, and what contradicts a claim refutes it."""
    made = TRUE[name][1]
    with monkeypatch.context() as patch:
        patch.setattr("relaxspca.checker.core.WIDE", 5)  # of six variables
        proved = verify(made, exact=exact)
    assert proved, proved.reasons
    assert proved.outcome is Outcome.VERIFIED
    assert proved.proved_lower == pytest.approx(made.lower + ROOM, abs=1e-12)
    # A rule that proved much less than the formula would be unsound, much more would be useless.
    assert proved.proved_upper == pytest.approx(made.upper - ROOM, rel=1e-11)
    upper = proved.proved_upper - 1e-9 * abs(proved.proved_upper)
    assert not verify(changed(made, upper=upper, lower=min(made.lower, upper - ROOM)), exact=exact)
    level = proved.proved_lower - 1.0
    listed = {} if made.claim.listed is None else {"listed": changed(made.claim.listed, others=level)}
    low = verify(changed(made, lower=-99.0, upper=level, **listed), exact=exact)
    assert low.outcome is Outcome.REFUTED
    assert re.search("above (the claimed upper bound|what is claimed)", low.reasons[0])
    lie = changed(made, lower=made.upper + 1e-6, upper=99.0)
    high = verify(lie, exact=exact)
    assert high.outcome is Outcome.REFUTED
    assert "below the claimed lower bound" in high.reasons[0]
    assert high.proved_upper < lie.lower


@pytest.mark.parametrize("kind", ["rows", "factor"])
def test_a_leaf_is_bounded_more_sharply_by_its_own_variables(kind):
    S, k = covariance(6, seed=1), 3
    point, bound = psi_point(S, 0.3), psi_bound
    if kind == "rows":
        point, bound = perron_point(S), perron_bound
    inside, outside = bound(S, point, k, J=[5]), bound(S[:5, :5], restricted(point, 5), k)
    assert max(inside, outside) < bound(S, point, k) - 1e-4
    # A claim of width 0 makes the checker go on to the sharpest bound of each leaf.
    value = optimum(S, k)[0]
    tree = [Split(0, 5, 1, 2), Leaf(kind, 0), Leaf(kind, 0)]
    verdict = verify(certificate(S, k, tree, [point], lower=value / 2, upper=value / 2))
    proved = [float(reason.split(" bound is ")[1].split(",")[0]) for reason in verdict.reasons[1:]]
    assert proved == pytest.approx([inside, outside], rel=1e-9)


def restricted(point, m):
    if isinstance(point, FactorPoint):
        return FactorPoint(np.arange(m), point.rho, point.vectors[:m, :m], point.factor[:m, :m])
    return RowsPoint(np.arange(m), point.P[:m, :m], point.N[:m, :m])


def test_a_point_bounds_leaves_on_a_subset_of_its_variables_only():
    S, k = covariance(6, seed=1), 2
    whole = perron_point(S)
    part = RowsPoint([1, 2, 3, 4, 5], whole.P[1:, 1:], whole.N[1:, 1:])
    tree = [Split(0, 0, 1, 2), Leaf("rows"), Leaf("rows", 0)]
    assert verify(certificate(S, k, tree, [part], upper=10.0))
    verdict = verify(certificate(S, k, [Leaf("rows", 0)], [part], upper=10.0))
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "says nothing of the variables [0]" in verdict.reasons[0]


def test_a_slightly_violated_vector_is_charged_not_refused_and_not_forgiven():
    S, k, rho = covariance(5, seed=4), 2, 0.3
    point = psi_point(S, rho)
    short = FactorPoint(point.variables, rho, point.vectors * (1 - 1e-6), point.factor)
    found = [
        verify(certificate(S, k, [Leaf("factor", 0)], [p], upper=100.0)).proved_upper for p in (point, short)
    ]
    assert -1e-4 < found[1] - found[0] < 1e-4
    none = FactorPoint(point.variables, rho, 0 * point.vectors, point.factor)
    bound = verify(certificate(S, k, [Leaf("factor", 0)], [none], upper=100.0)).proved_upper
    # With y = 0 the charge is |a_i|^2 - rho: the bound becomes the trace of the largest k.
    assert bound == pytest.approx(sum(sorted(max(d, rho) for d in np.diag(S))[-k:]), rel=1e-12)


@examples(100)
@given(SEEDS, st.booleans(), st.sampled_from([0.0, 1e-8, 0.1, 1.0]))
def test_a_vector_is_charged_the_eigenvalue_that_it_leaves(seed, exact, angle):
    """With one variable and k = 1 the bound is |y|^2 + rho + s, s = max(0, lambda_max(a a' - y y') - rho)."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(3, 1))
    y, rho = a * rng.random() + angle * rng.normal(size=(3, 1)), float(rng.exponential() * 0.1)
    made = certificate(a.T @ a, 1, [Leaf("factor", 0)], [FactorPoint([0], rho, y, a)], upper=1e9)
    proved = verify(made, exact=exact).proved_upper
    assert proved == pytest.approx(float(np.sum(y * y)) + max(rho, top(a @ a.T - y @ y.T)), rel=1e-12)


def test_rows_of_an_indefinite_matrix_are_charged_what_is_beside_the_diagonal():
    S = np.array([[0.0, 1.0], [1.0, 0.0]])
    for exact in (True, False):
        verdict = verify(certificate(S, 2, [Leaf("rows", 0)], [ones(2)], upper=2.0), exact=exact)
        assert verdict
        assert verdict.proved_upper == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    "change",
    [
        {"upper": 2**53 + 1},
        {"lower": -(10**400)},
        {"matrix": [[2**53 + 1, 0], [0, 1]]},
        {"matrix": [[2**63 + 1, 0], [0, 1]]},
        {"matrix": [[1.0, 0.0], [0.0]]},
        {"loadings": [2**53 + 1, 0.0]},
    ],
)
def test_numbers_that_no_double_holds_are_refused_not_rounded(change):
    made = certificate(np.eye(2), 1, [Leaf("rows")], lower=0.0, upper=2.0, indices=[0], loadings=[1.0, 0.0])
    assert verify(made)
    with pytest.raises(CertificateError, match="double|finite|not an array"):
        changed(made, **change)


@pytest.mark.parametrize("exact", [True, False])
def test_a_factor_of_no_rows_is_the_matrix_of_zeros(exact):
    none = np.zeros((0, 2))
    fields = {"n": 2, "names": "ab", "factor": none, "k": 1, "indices": [0], "loadings": [1.0, 0.0]}
    for leaf in (Leaf("rows"), Leaf("rows", 1), Leaf("factor", 0)):
        points = [FactorPoint([0, 1], 0.0, none), ones(2)]
        made = component(**fields, lower=0.0, upper=1e-100, points=points, tree=[leaf])
        verdict = verify(made, exact=exact)
        assert verdict
        assert 0 <= verdict.proved_upper < 1e-100
        assert str(verdict.proved_upper)[0] != "-"
        lie = component(**fields, lower=1e-100, upper=1.0, points=points, tree=[leaf])
        assert verify(lie, exact=exact).outcome is Outcome.REFUTED


def test_the_lower_bound_is_an_exact_rational():
    S = np.array([[2.0, 1.0], [1.0, 3.0]])
    z = np.array([1.0, 3.0])
    value = Fraction(35, 10)  # (2 + 6 + 27) / 10
    for lower, expected in ((3.5, True), (np.nextafter(3.5, 9), False)):
        made = certificate(S, 2, [Leaf("rows")], loadings=z, lower=lower, upper=9.0)
        assert bool(verify(made)) is expected
        assert Fraction(verify(made).proved_lower) == value


@pytest.mark.parametrize("exact", [True, False])
def test_a_penalised_optimum_is_at_least_the_zero_of_no_variables(exact):
    fields = {"n": 1, "names": ["a"], "matrix": [[1.0]], "rho": 2.0, "indices": [0], "loadings": [1.0]}
    tree = [Leaf("rows")]
    lie = verify(component(**fields, lower=-1.0, upper=-0.5, tree=tree), exact=exact)
    assert lie.outcome is Outcome.REFUTED
    assert "at least 0, above the claimed upper bound" in lie.reasons[0]
    assert verify(component(**fields, lower=-1.0, upper=0.0, tree=tree), exact=exact).verified


@pytest.mark.parametrize("wrong", [None, 3, [1, 2], np.eye(2)])
def test_what_is_no_certificate_is_refused(wrong):
    with pytest.raises(CertificateError, match="a certificate is read from a path, not from a"):
        verify(wrong)


def test_a_result_and_a_folder_are_told_what_to_give(tmp_path):
    result = rs.solve(rs.Covariance([[2.0, 1.0], [1.0, 3.0]]), 1)
    with pytest.raises(CertificateError, match=r"not from a Result \(its own is its \.certificate\)"):
        verify(result)
    result.save(tmp_path / "proofs")
    with pytest.raises(CertificateError, match="not readable, a folder: name a file in it"):
        verify(tmp_path / "proofs")
    with pytest.raises(CertificateError, match="not readable"):
        verify(tmp_path / "none.json")


def test_what_a_component_may_include_only_together():
    S = np.diag([3.0, 2.0, 1.0])
    made = component(
        names="abc", matrix=S, k=2, lower=3.0, upper=3.0, include=[0, 2], indices=[0], loadings=[1.0, 0, 0],
        tree=[Leaf("rows")],
    )  # fmt: skip
    assert verify(made, exact=True).proved_upper == 3.0
