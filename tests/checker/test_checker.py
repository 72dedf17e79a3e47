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
from true_tables import table, true_tables
from two_checkers import NODE, second

import relaxspca as rs
from relaxspca.certificate import (
    Eliminated,
    FactorPoint,
    Leaf,
    MultiplierPoint,
    Restrict,
    RowsPoint,
    Single,
    Split,
)
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


@pytest.mark.parametrize(
    "change",
    [
        {"upper": 2**53 + 1},
        {"lower": -(10**5000)},  # Python does not print a number of so many digits
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


def test_the_lower_bound_is_an_exact_rational():
    S = np.array([[2.0, 1.0], [1.0, 3.0]])
    z = np.array([1.0, 3.0])
    value = Fraction(35, 10)  # (2 + 6 + 27) / 10
    for lower, expected in ((3.5, True), (np.nextafter(3.5, 9), False)):
        made = certificate(S, 2, [Leaf("rows")], loadings=z, lower=lower, upper=9.0)
        assert bool(verify(made)) is expected
        assert Fraction(verify(made).proved_lower) == value


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


def small_claims():
    """Return {name: (a certificate, the outcome, the bound that is proved or None, words of the reasons)}.

    What is true of them is seen at a glance.
    """
    rows, zero, first, S = [Leaf("rows")], np.zeros((3, 3)), {"indices": [0]}, np.diag([4.0, 3.0, 1.0, 1.0])
    swap, alike = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[1.0, 2.0], [2.0, 1.0]])
    found = {
        # Rows are charged what is beside the diagonal alone.
        "indefinite": (certificate(swap, 2, [Leaf("rows", 0)], [ones(2)], upper=2.0), "VERIFIED", 1.0, ""),
    }
    # A factor of no rows is the matrix of zeros.
    none = {"n": 2, "names": "ab", "factor": zero[:0, :2], "k": 1, "loadings": [1.0, 0.0], **first}
    none["points"] = [FactorPoint([0, 1], 0.0, zero[:0, :2]), ones(2)]
    for leaf in (Leaf("rows"), Leaf("rows", 1), Leaf("factor", 0)):
        made = component(**none, lower=0.0, upper=1e-100, tree=[leaf])
        found[f"no rows, {leaf}"] = made, "VERIFIED", 0.0, ""
        found[f"more than 0, {leaf}"] = changed(made, lower=1e-100, upper=1.0), "REFUTED", 0.0, ""
    # At a penalty the optimum is at least the 0 of no variables.
    one = {"n": 1, "names": ["a"], "matrix": [[1.0]], "rho": 2.0, "loadings": [1.0], "tree": rows, **first}
    low = component(**one, lower=-1.0, upper=-0.5)
    found["penalty"] = changed(low, upper=0.0), "VERIFIED", 0.0, ""
    found["penalty, less"] = low, "REFUTED", 0.0, "at least 0, above the claimed upper bound"
    # Two variables to include leave no others.
    held = {"names": "abcd", "matrix": S, "loadings": [1.0, 0, 0, 0], **first}
    both = component(**held, k=2, lower=4.0, upper=4.0 + ROOM, include=[0, 2], tree=rows)
    found["included together"] = both, "VERIFIED", 4.0, ""
    # A split below a restriction goes on with what is kept.
    for at, *said in ((0, "VERIFIED", 4.0, ""), (2, "INCONCLUSIVE", None, "which an earlier split decided")):
        tree = [Restrict(0, None, 1.0 + ROOM, (0, 1), 1), Split(0, at, 2, 3), *rows, *rows]
        found[f"split below, {at}"] = component(**held, k=1, lower=4.0, upper=4.0 + ROOM, tree=tree), *said
    # What is forced in pays less than what is free, which a quick bound of a leaf does not know.
    S, N = np.diag([2.0, 1.0, 1.0]), zero.copy()
    N[1, 2] = N[2, 1] = 5.0
    made = table(
        S, "orthogonal", (2, 2), 4.0 + 2 * ROOM, points=[RowsPoint(np.arange(3), zero, N)],
        tree=[Restrict(0, None, 2.0 + ROOM, (), 1), Leaf("multipliers")],
        singles=[Single(2, (Split(0, 0, 1, 2), Leaf("rows", 0), *rows))],
    )  # fmt: skip
    found["the sharpest of every leaf"] = made, "VERIFIED", None, ""
    # A part that takes all it has is left out with some of that: no level is enough.
    S = np.diag([3.0, 2.0, 1.0])
    for kept in ((), (0,), (0, 1)):
        made = table(
            S, "orthogonal", (3, 1), 5.0, tree=[Restrict(0, None, -100.0, kept, 1, 1), Leaf("multipliers", 1)],
            points=[RowsPoint(np.arange(3), zero, zero), MultiplierPoint(range(3), S, np.zeros(3), (0, 0))],
        )  # fmt: skip
        found[f"all left out, {kept}"] = made, "INCONCLUSIVE", None, "are left out"
        found[f"less, {kept}"] = changed(made, lower=-10.0, upper=-9.0), "REFUTED", None, ""
    # A point without a variable of the leaf bounds nothing there.
    chosen = (range(3), [3.0, 2.0, 1.0]), ([0], [3.0])
    points = [MultiplierPoint(V, np.diag(x), np.zeros(len(V)), (None, None)) for V, x in chosen]
    tree = [Split(0, 0, 1, 2), Leaf("multipliers"), Leaf("choices", [0, 1])]
    made = table(S, "disjoint", (1, 1), 6.5, points=points, tree=tree)
    found["a point of few variables"] = made, "VERIFIED", None, ""
    # Of no matrix nothing is false: the block has the eigenvalue -1, which only a shift of 1.5 allows.
    both = {"lower": 0.5, "upper": 1.5, "loadings": [1.0, 1.0], "indices": [0, 1], "elimination": rows[0]}
    for shift, *said in ((0.0, "INCONCLUSIVE", None, "no eigenvalue below"), (1.5, "REFUTED", None, "above")):
        found[f"shift {shift}"] = (
            certificate(alike, 2, rows, **both, eliminated=Eliminated(("y",), [0.0], shift)), *said
        )  # fmt: skip
    # A listed support may be what keeps a lower bound from being refuted.
    listed = true_certificates()["near optimal"][1]
    low = changed(listed, lower=(listed.claim.listed.others + listed.lower) / 2, upper=99.0)
    low = changed(low, loadings=np.eye(6)[0], **first)
    found["a list and a low bound"] = low, "INCONCLUSIVE", None, ""
    found["a list and a false one"] = changed(low, lower=98.0), "REFUTED", None, ""
    # Where Sigma w is exactly 0 on a free variable, the sum is not enclosed but seen to be at most 0.
    tree = [Split(0, 0, 1, 2), Leaf("collatz", 0), *rows]
    made = certificate(np.eye(2), 2, tree, [RowsPoint([0], weights=[0.3])], lower=1.0, nonnegative=True)
    found["a row of zeros"] = made, "VERIFIED", None, ""
    # Groups pay the norm of their block: where all is 1 two pairs explain 2 + 2, not 2 + 1.
    whole = {"whole_groups": [[0, 1], [2, 3], [4, 5]], "loadings": [1.0], "lower": 0.5, **first}
    for upper, outcome in ((4.0, "VERIFIED"), (3.5, "INCONCLUSIVE")):
        made = certificate(np.ones((6, 6)), 2, [Leaf("rows", 0)], [ones(3)], upper, **whole)
        found[f"groups, {upper}"] = made, outcome, None, ""
    return found


SMALL = small_claims()


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("name", SMALL)
def test_small_claims_get_the_verdict_that_is_seen_at_a_glance(name, exact):
    made, outcome, upper, words = SMALL[name]
    verdict = verify(made, exact=exact)
    assert verdict.outcome.name == outcome, verdict
    assert upper is None or verdict.proved_upper == pytest.approx(upper, abs=1e-12)
    assert str(verdict.proved_upper) != "-0.0"
    assert words in "; ".join(verdict.reasons)


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_second_checker_says_the_same_of_small_claims(tmp_path):
    made, outcomes, *_ = zip(*SMALL.values(), strict=True)
    assert second(made, tmp_path) == [*outcomes]
