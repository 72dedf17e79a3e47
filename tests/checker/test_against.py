"""A certificate held against the reader's own matrix: by names and by value, with a proved distance."""

import itertools
import re

import numpy as np
import pytest
from building import changed, roots
from draws import draws
from true_certificates import certificate, covariance, optimum, top, true_certificates
from true_ratios import true_ratios
from true_tables import true_tables

import relaxspca as rs
from relaxspca.certificate import Description, Eliminated, Leaf
from relaxspca.checker import Outcome
from relaxspca.checker.against import OwnMatrix
from relaxspca.checker.against_pencil import OwnPencil
from relaxspca.checker.claims import verify as verify_alone
from relaxspca.checker.own_matrix import FORMS
from relaxspca.errors import CertificateError
from relaxspca.tasks.verify import own_matrix
from relaxspca.tasks.verify import verify_certificate as verify

NAMES = ["height", "weight", "age", "income", "visits"]


def made(S, k=2, **changes):
    """Return a certificate of the optimum, proved by enumeration in one leaf after another."""
    return rs.solve(rs.Covariance(S, names=changes.pop("names", NAMES[: len(S)])), k).certificate


def norm(D):
    return float(np.abs(np.linalg.eigvalsh(D)).max())


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_another_order_and_other_last_bits_are_the_same_matrix(seed, exact):
    rng, S = np.random.default_rng(seed), covariance(5, seed)
    found, order = made(S), rng.permutation(5)
    noise = rng.normal(size=(5, 5)) * 1e-14
    other = S + noise + noise.T
    held = rs.Covariance(other[np.ix_(order, order)], names=[NAMES[i] for i in order])
    verdict = verify(found, against=held, exact=exact)
    assert verdict, verdict.reasons
    assert "another order" in verdict.comparison.note or (order == range(5)).all()
    assert norm(other - S) <= verdict.comparison.distance < 1e-12
    value = optimum(other, 2)[0]
    rounding = 1e-14  # of LAPACK, in the value
    assert verdict.comparison.lower - rounding <= value <= verdict.comparison.upper + rounding
    assert verdict.comparison.upper - verdict.comparison.lower < 1e-10


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("size", [1e-3, 0.1, 3.0])
def test_what_is_said_of_a_matrix_that_differs_is_true_and_not_verified(size, exact):
    rng, false, S = np.random.default_rng(3), 0, covariance(5, 1)
    claim = made(S)
    for _ in range(draws(8, 20)):
        E = rng.normal(size=(5, 5)) * size
        other = S + (E + E.T) / 2
        verdict = verify(claim, against=other, exact=exact)
        value = optimum(other, 2)[0]
        assert not verdict
        assert verdict.comparison.lower - 1e-12 <= value <= verdict.comparison.upper + 1e-12
        assert verdict.comparison.distance >= norm(other - S) * (1 - 1e-12)
        if verdict.outcome is Outcome.REFUTED:
            false += 1
            assert not claim.lower <= value <= claim.upper
    assert size < 0.1 or false


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("by", [64.0, -64.0, 1e-9])
def test_each_of_several_components_may_explain_as_much_more_or_less(by, exact):
    for name in ("orthogonal supports", "disjoint supports", "common supports"):
        S, found = true_tables()[name]
        verdict = verify(found, against=S + by * np.eye(len(S)), exact=exact)
        said = verdict.comparison
        assert said.lower <= found.upper + len(found.sizes) * by
        assert said.upper >= found.lower + len(found.sizes) * by
        assert bool(verdict) == (abs(by) < 1)
    assert "<= w_common(3,3) <=" in said.note or abs(by) > 1


def given_to_readers():
    """Yield a claim, what a reader holds it against, the outcome and words of its reasons."""
    S, whole, turned = covariance(5, seed=2), np.eye(9), np.triu(np.ones((5, 5)), 1)
    claim, whole[:5, :5] = made(S), S
    whole, near = rs.Covariance(whole, names=[*NAMES, *"pqrs"]), S.copy()
    near[0, 1] = np.nextafter(near[0, 1], 9)
    yield (
        claim,
        rs.Covariance(S, names=[*NAMES[:4], "weights"]),
        "INCONCLUSIVE",
        "'visits'.*by position",
    )
    yield claim, S[:4, :4], "REFUTED", "^the certificate is about 5 variables, yours are 4$"
    for one in (claim, eliminated(S, [1, 3], np.diag(S)[[0, 2, 4]])):
        yield one, whole, "REFUTED", "yours are 9: hold it against yours without 'p', 'q', 'r' and 1 more$"
        yield one, whole.restrict(NAMES), "VERIFIED", ""
    yield claim, near, "VERIFIED", ""  # what is not quite symmetric means its symmetric part
    yield claim, S + turned - turned.T, "VERIFIED", ""
    loose = changed(claim, lower=0.0, upper=99.0)
    for by, outcome, words in ((5e-7, "VERIFIED", ""), (2e-6, "INCONCLUSIVE", "more than rounding")):
        yield loose, S + by * np.abs(S).max() * np.eye(5), outcome, words
    C = S / np.sqrt(np.outer(np.diag(S), np.diag(S)))
    C = np.triu(C, 1) + np.triu(C, 1).T + np.eye(5)
    kinds = [("covariance", None), ("correlation", 100), ("correlation", 101)]
    plain, first, second = (changed(made(C), description=Description(*kind)) for kind in kinds)
    words = "is about a covariance matrix, yours is a correlation matrix"
    yield plain, rs.Covariance(C, names=NAMES), "INCONCLUSIVE", words
    yield first, second, "INCONCLUSIVE", "of 101 observations"
    yield first, C, "VERIFIED", ""
    pitprops = rs.datasets.load_pitprops()
    later = rs.components(pitprops, [3, 2]).results[1].certificate
    yield later, pitprops.digest, "REFUTED", "those were taken out of"
    yield later, later.digest, "VERIFIED", ""
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(np.eye(2), columns=["digest", "b"])
    odd = certificate(np.eye(2), 1, [Leaf("rows")], upper=1.5, names=["digest", "b"])
    yield odd, table, "VERIFIED", ""
    yield odd, 2 * table, "REFUTED", ""


def test_what_is_given_is_told_from_what_was_certified():
    for claim, given, outcome, words in given_to_readers():
        verdict = verify(claim, against=given)
        assert verdict.outcome.name == outcome, (verdict, given)
        assert re.search(words, "; ".join(verdict.reasons)), verdict


def test_of_no_matrix_of_the_reader_nothing_is_false():
    """Nine times a block with the eigenvalue -1 is that of a matrix with a shift of 9.5 only."""
    claim = eliminated(np.eye(3), [0, 1], [0.125], upper=1.5)
    for shift, outcome in ((0.5, Outcome.INCONCLUSIVE), (9.5, Outcome.REFUTED)):
        block = 9 * np.array([[1.0, 2.0], [2.0, 1.0]])
        held = OwnMatrix(block, None, claim.names, eliminated=Eliminated((NAMES[2],), [0.125], shift))
        assert all(verify_alone(claim, exact=exact, against=held).outcome is outcome for exact in (True, False))


def test_a_claim_of_one_kind_is_not_held_against_what_another_is_about():
    component, ratio = true_certificates()["tree"][1], true_ratios()["dense"]
    for claim, other in (
        (component, OwnPencil(ratio.subject)),
        (ratio, OwnMatrix(np.eye(ratio.n), None)),
        (component, np.eye(component.n)),
    ):
        with pytest.raises(CertificateError, match="is not held against a"):
            verify_alone(claim, against=other)


def test_a_table_is_matched_by_its_columns_and_its_rows_must_agree():
    pandas = pytest.importorskip("pandas")
    S = covariance(5, seed=2)
    table = pandas.DataFrame(S, columns=NAMES, index=NAMES)
    assert verify(made(S), against=table.loc[NAMES[::-1], NAMES[::-1]])
    with pytest.raises(rs.CertificateError, match="different labels"):
        verify(made(S), against=table.loc[NAMES[::-1], NAMES])


@pytest.mark.filterwarnings("ignore::relaxspca.errors.DataWarning")
@pytest.mark.parametrize("method", FORMS)
def test_later_components_are_followed_from_the_data(method):
    cov = rs.datasets.load_pitprops().restrict(range(5))
    order = np.random.default_rng(0).permutation(cov.n)
    found = rs.components(cov, [2, 2, 2], deflation=method)
    other = cov.matrix.copy()
    other[0, 1] = other[1, 0] = other[0, 1] + 1e-3
    for result, exact in itertools.product(found.results[1:], [True, False]):
        verdict = verify(result.certificate, against=cov.restrict(order.tolist()), exact=exact)
        assert verdict, verdict.reasons
        assert "after the same deflation" in verdict.comparison.note
        assert verdict.comparison.distance < 1e-12
        assert verdict.comparison.lower <= verdict.proved_lower <= verdict.comparison.upper
        assert "taken out" in str(verdict)
        assert not verify(result.certificate, against=rs.Covariance(other, names=cov.names), exact=exact)
    forged = changed(found.results[1].certificate, **{"description": cov.description})
    assert not verify(forged, against=cov)


def eliminated(S, kept, variances, shift=1e-9, **changes):
    left = [i for i in range(len(S)) if i not in kept]
    return certificate(
        S[np.ix_(kept, kept)],
        1,
        [Leaf("rows", 0)],
        [roots(S[np.ix_(kept, kept)])],
        upper=changes.pop("upper", 1e3),
        names=[NAMES[i] for i in kept],
        eliminated=Eliminated(tuple(NAMES[i] for i in left), variances, shift),
        elimination=Leaf("rows", 0),
        **changes,
    )


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_eliminated_variables_are_compared_by_name_variance_and_depth(seed, exact):
    rng, S = np.random.default_rng(seed), covariance(5, seed)
    found = eliminated(S, [1, 3], np.diag(S)[[0, 2, 4]])
    order = rng.permutation(5)
    held = rs.Covariance(S[np.ix_(order, order)], names=[NAMES[i] for i in order])
    assert verify(found, against=held, exact=exact)
    smaller = eliminated(S, [1, 3], np.diag(S)[[0, 2, 4]] * [1, 1, 0.5])
    verdict = verify(smaller, against=held, exact=exact)
    assert not verdict
    assert verdict.comparison.upper - verdict.proved_upper >= S[4, 4] / 2 - 1e-8
    larger = eliminated(S, [1, 3], np.diag(S)[[0, 2, 4]] * 2)
    assert verify(larger, against=held, exact=exact)  # at most these variances
    renamed = rs.Covariance(S, names=[*NAMES[:4], "other"])
    assert "no variable 'visits'" in verify(found, against=renamed, exact=exact).reasons[0]


@pytest.mark.parametrize("seed", range(draws(6, 20)))
def test_bounds_for_a_matrix_with_other_eliminated_variables_hold(seed):
    rng = np.random.default_rng(seed)
    S, other = covariance(5, seed), covariance(5, seed)
    E = rng.normal(size=(5, 5)) * 0.3
    other += (E + E.T) / 2  # perhaps indefinite
    for k, kept in itertools.product((1, 2), ([0, 1], [1, 3, 4])):
        base = eliminated(S, kept, np.diag(S)[[i for i in range(5) if i not in kept]])
        value, T, loadings = optimum(S[np.ix_(kept, kept)], k)
        changes = {"k": k, "lower": value - 1e-9, "indices": T, "loadings": loadings}
        found = changed(base, **changes)
        for held in (other, S):
            verdict = verify(found, against=eliminated_names(held), exact=bool(seed % 2))
            said = verdict.comparison
            assert said.lower - 1e-9 <= optimum(held, k)[0] <= said.upper + 1e-9
        assert verdict, verdict.reasons


@pytest.mark.parametrize("variance", [0.0, 3.0])
def test_what_eliminated_variables_have_more_is_added_for_each(variance):
    held = np.diag([1.0, 1.0, variance, variance])
    held[2, 3] = held[3, 2] = 3.0
    found = changed(eliminated(np.diag([1.0, 1.0, 0.0, 0.0]), [0, 1], np.zeros(2)), k=2)
    assert verify(found, against=eliminated_names(held)).comparison.upper >= top(held)


def eliminated_names(S):
    """Return a certificate that only serves as a matrix with names, and may be indefinite."""
    return certificate(S, 1, [Leaf("rows")], upper=top(S), names=NAMES[: len(S)])


def test_a_block_that_contradicts_the_condition_proves_nothing():
    S = np.array([[1.0, 2.0], [2.0, 1.0]])  # smallest eigenvalue -1
    held, rows = Eliminated(("y",), np.array([0.1]), 1.5), Leaf("rows", 0)
    cert = certificate(S, 1, [rows], [roots(S)], upper=9.0, eliminated=held, elimination=rows)
    assert "no eigenvalue below -1.5" in str(verify(cert))
    assert verify(cert, against="sha256:" + "0" * 64).outcome is Outcome.REFUTED
    unmet = changed(cert, eliminated=Eliminated(("y",), np.array([0.1]), 0.5))  # of no matrix nothing is false
    for other in ("sha256:" + "0" * 64, np.eye(5)):
        assert verify(unmet, against=other).outcome is Outcome.INCONCLUSIVE
        assert "is about" in str(verify(unmet, against=other))


@pytest.mark.parametrize("name", ["include", "exclude", "both conditions", "near optimal"])
def test_conditions_and_lists_are_carried_over_by_the_same_distance(name):
    S, found = true_certificates()[name]
    other = S + np.full(S.shape, 1e-9)
    said = verify(found, against=other)
    assert said, said.reasons
    assert said.comparison.upper >= said.proved_upper + norm(other - S) * (1 - 1e-9)
    if name == "near optimal":
        bound = said.comparison.note.rsplit("explains more than ", 1)[1]
        assert float(bound) >= said.proved_others + norm(other - S) * (1 - 1e-6)
        assert "no other component" not in str(said)


def test_observations_in_place_of_a_covariance_are_told_what_to_write():
    pandas = pytest.importorskip("pandas")
    X = np.random.default_rng(0).normal(size=(9, 4))
    for given in (X, pandas.DataFrame(X, columns=list("abcd"), index=[f"bird {i}" for i in range(9)])):
        with pytest.raises(rs.CertificateError, match=r"shape \(9, 4\): it must be square; for observations"):
            own_matrix(given)


def test_against_itself_in_every_form_is_the_same_to_the_last_bit():
    S = covariance(5, seed=4)
    made = certificate(S, 2, [Leaf("rows")], upper=top(S))
    for same in (S, made.digest, made):
        verdict = verify(made, against=same)
        assert verdict
        assert verdict.comparison.distance == 0
        assert (verdict.comparison.lower, verdict.comparison.upper) == (
            verdict.proved_lower,
            verdict.proved_upper,
        )


@pytest.mark.parametrize(
    "other",
    [
        [[2**53 + 1, 0], [0, 1]],
        np.array([[2**53 + 1, 0], [0, 1]]),
        [[2**53 + 1, 0.0], [0, 1]],
        [[2**63 + 1, 0], [0, 1]],
        np.array([[1, 1j], [-1j, 1]]),
        [["1", "0"], ["0", "1"]],
        [[1.0, 0.0], [0.0, np.nan]],
        [[1.0, 0.0], [0.0]],
        [1.0, 2.0],
        np.ma.array(np.eye(2), mask=np.eye(2)[::-1]),
        np.zeros((2, 2, 2)),
    ],
)
def test_against_what_is_no_matrix_of_doubles_is_refused_and_never_rounded(other):
    """Some of these would be the matrix of a true certificate if they were cast to doubles."""
    for S in (np.eye(2), np.diag([2.0**53, 1.0]), np.diag([2.0**63, 1.0])):
        made = certificate(S, 1, [Leaf("rows")], lower=0.0, upper=1e300)
        assert verify(made, against=S)
        said = verify(made, against="")
        assert said.outcome is Outcome.REFUTED
        assert "is about sha256:" in said.reasons[0]
        with pytest.raises(CertificateError, match="covariance"):
            verify(made, against=other)


def test_against_longer_doubles_is_refused_unless_doubles_hold_them():
    S, made = np.eye(2, dtype=np.longdouble), certificate(np.eye(2), 1, [Leaf("rows")], upper=2.0)
    assert verify(made, against=S)
    S[0, 0] += np.finfo(np.longdouble).eps
    if float(S[0, 0]) == 1:
        with pytest.raises(CertificateError, match="not a double"):
            verify(made, against=S)
